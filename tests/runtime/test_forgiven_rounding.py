"""A status that was forgiven at one event is asked for again at the next one."""

from __future__ import annotations

from math import cos, exp, pi, sin

import pytest
from scipy.optimize import brentq

import freewheel as fw

# Fired at 5 ms, at the crest of 10 sin(100 pi t). At that instant i = 0, so `v <= 0 and not i > 0` holds with
# the thyristor closed (v = 0) and does not with it open (v = 10): nothing agrees, `v > 0` is forgiven. A
# moment later the current flows, and where it ends, 0.01096 s, v = 0 must count again.
LAW = "off = v <= 0 and not i > 0 or pre(off) and not fire"
PLAIN = """
model Plain "the same with the current as a state in both positions"
  Real u = 10*sin(100*3.14159265358979*time), v, i(start=0, fixed=true), q(start=0, fixed=true);
  Boolean fire = time >= 0.005 and time < 0.006, off(start=true, fixed=true);
equation
  v = if off then u else 0;
  0.01*der(i) = if off then 0 else u - 10*i;
  LAW;
  der(q) = i;
end Plain;
""".replace("LAW", LAW)
IDEAL = """
model Thyristor
  extends Modelica.Electrical.Analog.Interfaces.OnePort;
  input Boolean fire;
  Boolean off(start=true, fixed=true);
equation
  0 = if off then i else v;
  LAW;
end Thyristor;
model Ideal
  Modelica.Electrical.Analog.Sources.SineVoltage V(V=10, f=50);
  Modelica.Electrical.Analog.Basic.Resistor R(R=10);
  Modelica.Electrical.Analog.Basic.Inductor L(L=0.01, i(start=0, fixed=true));
  Modelica.Electrical.Analog.Basic.Ground ground;
  Thyristor T(fire=time >= 0.005 and time < 0.006);
  Real q(start=0, fixed=true), i=T.i;
equation
  connect(V.p, T.p);
  connect(T.n, R.p);
  connect(R.n, L.p);
  connect(L.n, ground.p);
  connect(V.n, ground.p);
  der(q) = T.i;
end Ideal;
""".replace("LAW", LAW)
W, RATE = 100 * pi, 10 / 0.01
BEGIN = 0.005


def current(t: float) -> float:
    """0.01 i' = 10 sin(W t) - 10 i from i(BEGIN) = 0."""

    def forced(t: float) -> float:
        return RATE * (RATE * sin(W * t) - W * cos(W * t)) / (RATE**2 + W**2)

    return forced(t) - forced(BEGIN) * exp(-RATE * (t - BEGIN))


END = brentq(current, 0.008, 0.014, xtol=1e-15)
CHARGE = (cos(W * BEGIN) - cos(W * END)) / W  # the integral of u less L (i(END) - i(BEGIN)), over R


def run(text, tmp_path, **settings):
    path = tmp_path / "forgiven.mo"
    path.write_text(text)
    return fw.load(path, backend=settings.pop("backend", "llvm")).simulate(
        stop=0.04, tol=1e-8, **settings
    )


@pytest.mark.parametrize(
    ("text", "backend"),
    [(PLAIN, "llvm"), (PLAIN, "python"), (IDEAL, "llvm")],
    ids=["plain", "by Python", "ideal"],
)
def test_a_forgiven_status_does_not_outlast_the_next_event(text, backend, tmp_path):
    result = run(text, tmp_path, backend=backend)

    assert min(result["i"]) > -1e-9
    assert result.final("q") == pytest.approx(CHARGE, rel=1e-6)
    assert [e.time for e in result.events][-1] == pytest.approx(END, rel=1e-7)
