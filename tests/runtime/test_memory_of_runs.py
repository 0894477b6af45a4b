"""The memory of a run is free when the run ends: nothing waits for the garbage collector."""

from __future__ import annotations

import gc
import weakref

import pytest

import freewheel as fw
from freewheel.runtime import simulate as running
from freewheel.runtime.loop.recording import Recorder

MODELS = {
    "smooth": "Real x(start=1, fixed=true); equation der(x) = -x;",
    "relations": """Boolean on(start=true, fixed=true); Real x(start=0, fixed=true);
      equation der(x) = (if on then 1 else 0) - x; on = not pre(on) and x < 0.25 or pre(on) and x <= 0.75;""",
    "messages": """Real x(start=1, fixed=true); equation der(x) = -x;
      assert(x > 0.5, "small", AssertionLevel.warning);
      when x < 0.7 then assert(x > 0.8, "smaller", AssertionLevel.warning); end when;""",
    "delay": "Real x(start=1, fixed=true); equation der(x) = -delay(x, 0.1);",
    "ideal": """Real u, i, y(start=0, fixed=true); Boolean open(start=true, fixed=true);
      equation sin(6*time) = i + u + y; der(y) = i - y; 0 = if pre(open) then i else u;
      open = u <= 0 and not i > 0;""",
    "ideal diode": """Modelica.Electrical.Analog.Sources.SineVoltage U(V=10, f=1);
      Modelica.Electrical.Analog.Ideal.IdealDiode D(Ron=0, Goff=0, Vknee=0);
      Modelica.Electrical.Analog.Basic.Capacitor C(C=0.1, v(start=0, fixed=true));
      Modelica.Electrical.Analog.Basic.Resistor R(R=5), r(R=0.1); Modelica.Electrical.Analog.Basic.Ground g;
      equation connect(U.p, r.p); connect(r.n, D.p); connect(D.n, C.p); connect(C.p, R.p); connect(C.n, g.p);
      connect(R.n, g.p); connect(U.n, g.p);""",
}


@pytest.mark.parametrize("solver", ["auto", "cvode", "qss3"])
@pytest.mark.parametrize("name", MODELS)
def test_rows_are_freed_when_the_run_ends(name, solver, monkeypatch):
    model = fw.load_text(f"model M {MODELS[name]} end M;")
    made = []

    class Watched(Recorder):
        def __init__(self, *args):
            super().__init__(*args)
            made.append(weakref.ref(self))
            made.append(weakref.ref(self.rows))

    monkeypatch.setattr(running, "Recorder", Watched)
    gc.disable()
    try:
        model.simulate(stop=2, solver=solver)
        alive = [one() for one in made if one() is not None]
    finally:
        gc.enable()
    assert made
    assert not alive
