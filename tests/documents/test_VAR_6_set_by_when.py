"""VAR-6: diodes whose position a when-clause sets from the signs of voltage and current.

While a diode conducts its voltage is zero up to round-off, and so it is in the moment it opens: neither sign
is an event, in any units.
"""

from __future__ import annotations

import pytest

import freewheel as fw

LAWS = {
    "voltage first": "when v > 0 then off = false; elsewhen i < 0 then off = true; end when;",
    "current first": "when i < 0 then off = true; elsewhen v > 0 then off = false; end when;",
    "one clause": "when {v > 0, i < 0} then off = i < 0; end when;",
}
PEAK = """model Peak
  Real u, v, i, uc(start = 0, fixed = true);
  Boolean off(start = true, fixed = true);
equation
  u = sin(2*3.141592653589793*time);
  u = v + uc;
  1e-3*der(uc) = i - uc/1e3;
  LAW
  0 = if off then i else v;
end Peak;"""
BRIDGE = """model Bridge
  import Modelica.Electrical.Analog.*;
  model Diode
    extends Interfaces.OnePort;
    Boolean off(start = true, fixed = true);
  equation
    LAW
    0 = if off then i else v;
  end Diode;
  Sources.SineVoltage V(V = {volts}, f = 1);
  Diode d1, d2, d3, d4;
  Basic.Capacitor C(C = 1e-3/{ohms}, v(fixed = true));
  Basic.Resistor R(R = 1e3*{ohms}), Rs(R = {ohms});
  Basic.Ground g;
equation
  connect(V.p, Rs.p); connect(Rs.n, d1.p); connect(d1.n, C.p); connect(d2.n, C.p); connect(d2.p, V.n);
  connect(C.n, d3.p); connect(d3.n, Rs.n); connect(C.n, d4.p); connect(d4.n, V.n);
  connect(R.p, C.p); connect(R.n, C.n); connect(g.p, V.n);
end Bridge;"""
IDEAL = "Ideal.IdealDiode d{0}(Ron = 0, Goff = 0, Vknee = 0);"


@pytest.mark.parametrize("tolerance", [1e-3, 1e-6, 1e-9])
@pytest.mark.parametrize("law", LAWS.values(), ids=LAWS)
def test_VAR_6_a_peak_detector_follows_and_holds(law, tolerance):
    r = fw.load_text(PEAK.replace("LAW", law)).simulate(stop=20, tol=tolerance, interval=0.01)

    # Conducting it is sin(w t); from i = 0 on it falls with the time constant of a second.
    assert r.at("uc", [15.2]) == pytest.approx([0.9510565163], abs=1e-9)
    assert r.at("uc", [5.3, 9.6, 19.9]) == pytest.approx(
        [0.96330251, 0.71363205, 0.52867163], abs=1e-6
    )
    assert len(r.events) == 40


@pytest.mark.parametrize(("volts", "ohms"), [(10.0, 1.0), (1e4, 1e3), (1e-3, 1e-3)])
@pytest.mark.parametrize("law", LAWS.values(), ids=LAWS)
def test_VAR_6_a_bridge_is_that_of_ideal_diodes(law, volts, ohms):
    text = BRIDGE.format(volts=volts, ohms=ohms)
    ideal = text.replace("Diode d1, d2, d3, d4;", "".join(IDEAL.format(k) for k in (1, 2, 3, 4)))
    own, library = (
        fw.load_text(one.replace("LAW", law)).simulate(stop=5, tol=1e-6, interval=0.01)
        for one in (text, ideal)
    )
    times = [0.2, 1.3, 3.1, 4.9]
    assert own.at("C.v", times) == pytest.approx(library.at("C.v", times), abs=1e-6 * volts)
    assert own.at("C.v", [0.2])[0] > 0.9 * volts
