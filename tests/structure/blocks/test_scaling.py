"""Analysis of models with many ideal elements takes work in proportion to their number.

Work is counted in calls of Python functions, which is the same in every run; seconds are not.
"""

from __future__ import annotations

import cProfile
import pstats

import pytest

from freewheel.base.source import Source
from freewheel.instance.library import Library
from freewheel.pipeline import Options, compile_model
from freewheel.structure.analyse import analyse

HEAD = """
model Many
  import Modelica.Electrical.Analog.Basic.*;
  import Modelica.Electrical.Analog.Ideal.*;
  import Modelica.Electrical.Analog.Sources.*;
  parameter Integer n = {count};
  Ground g;
  Inductor L[n](each L = 1e-3);
  IdealDiode D[n](each Ron = 0, each Goff = 0, each Vknee = 0);
"""
LADDER = """
  Capacitor C[n](each C = 1e-4);
  SineVoltage V(V = 10, f = 50);
  Resistor R(R = 1), load(R = 50);
equation
  connect(V.n, g.p); connect(V.p, R.p); connect(R.n, L[1].p);
  for k in 1:n loop
    connect(L[k].n, D[k].p); connect(D[k].n, C[k].p); connect(C[k].n, g.p);
  end for;
  for k in 1:n - 1 loop
    connect(D[k].n, L[k + 1].p);
  end for;
  connect(D[n].n, load.p); connect(load.n, g.p);
end Many;
"""
RECTIFIER = """
  IdealDiode back[n](each Ron = 0, each Goff = 0, each Vknee = 0);
  Capacitor C(C = 1e-4);
  SineVoltage V[n](each V = 10, each f = 50, phase = {0.3*k for k in 1:n});
  Resistor load(R = 50);
equation
  for k in 1:n loop
    connect(V[k].n, g.p); connect(V[k].p, L[k].p); connect(L[k].n, D[k].p);
    connect(D[k].n, C.p); connect(back[k].n, L[k].n); connect(back[k].p, C.n);
  end for;
  connect(C.p, load.p); connect(C.n, load.n);
end Many;
"""
SWITCHES = """
  IdealClosingSwitch S[n](each Ron = 0, each Goff = 0);
  ConstantVoltage V(V = 10);
  Resistor R[n](each R = 5);
equation
  connect(V.n, g.p);
  for k in 1:n loop
    connect(V.p, S[k].p); connect(S[k].n, L[k].p); connect(L[k].n, R[k].p);
    connect(R[k].n, g.p); connect(D[k].p, g.p); connect(D[k].n, L[k].p);
    S[k].control = sin(100*k*time) > 0;
  end for;
end Many;
"""


def calls(body: str, count: int) -> int:
    library = Library([], use_modelicapath=False)
    library.add_file(Source.from_text(HEAD.format(count=count) + body, "many.mo"))
    flat = compile_model(library, ("Many",), Options(stop_after="flat")).flat
    assert flat is not None
    profile = cProfile.Profile()
    profile.enable()
    ordered = analyse(flat)
    profile.disable()
    assert ordered.core.is_there
    return int(pstats.Stats(profile).total_calls)


@pytest.mark.parametrize(
    "body", [LADDER, RECTIFIER, SWITCHES], ids=["ladder", "rectifier", "switches"]
)
def test_four_times_the_elements_are_four_times_the_work(body):
    assert calls(body, 20) < 4.5 * calls(body, 5)
