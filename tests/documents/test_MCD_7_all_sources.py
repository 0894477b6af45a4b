"""MCD-7: a quantized run is a few quanta from `run`, for all sources, elements, parameters and modifiers.

Largest distances over 200 random models (50 of each kind), in quanta: 8.5 at order 1, 5.9 at order
2, 3.7 at order 3 (medians 1.6, 1.3, 1.2). A forgotten modifier is hundreds of quanta away.
"""

from pathlib import Path

import pytest
from quantized_models import ANALOG, KINDS, compared

from freewheel.tools.cli import execute

EXAMPLES = Path(__file__).parents[2] / "examples"
FEW = 12.0  # quanta: weakly damped and transformed variables have an error of several
QUANTUM = 0.01


def furthest(text, tmp_path, quantum=QUANTUM, stop=2.0, order=1):
    place = tmp_path / "M.mo"
    place.write_text(text, encoding="utf-8")
    distances, _ = compared(place, quantum, stop, order)
    assert distances
    return max(distances.values())


# ---------------------------------------------------------------- random models


@pytest.mark.parametrize("seed", [0, 1])
@pytest.mark.parametrize("kind", KINDS)
def test_MCD_7_random_models_agree_with_a_run(kind, seed, tmp_path):
    assert furthest(KINDS[kind](seed), tmp_path) < FEW


@pytest.mark.long
@pytest.mark.parametrize("order", [1, 2, 3])
@pytest.mark.parametrize("seed", range(50))
@pytest.mark.parametrize("kind", KINDS)
def test_MCD_7_two_hundred_random_models_agree_with_a_run(kind, seed, order, tmp_path):
    """Also with a quantum so small that a mistake that does not shrink with it is many quanta."""
    for quantum in (0.01, 0.001 if order == 1 else 0.0001):
        assert furthest(KINDS[kind](seed), tmp_path, quantum, order=order) < FEW


@pytest.mark.parametrize(
    "kind", ["drawn", *(pytest.param(k, marks=pytest.mark.long) for k in KINDS if k != "drawn")]
)
def test_MCD_7_errors_shrink_with_the_quantum(kind, tmp_path):
    for quantum in (0.1, 0.01, 0.001):
        assert furthest(KINDS[kind](40), tmp_path, quantum) < FEW


@pytest.mark.long
@pytest.mark.parametrize("stages", [10, 100])
@pytest.mark.parametrize("kind", KINDS)
def test_MCD_7_large_models_agree_with_a_run(kind, stages, tmp_path):
    """The furthest, at a hundred stages, is 6.0 quanta away."""
    assert furthest(KINDS[kind](7, stages), tmp_path) < FEW


EXAMPLE_MODELS = {
    "broken loop": ("bond_graphs/algebraic_loop.mo", "AlgebraicLoop.Broken", 10.0),
    "coupled": ("bond_graphs/coupled_capacitors.mo", "CoupledCapacitors.Coupled", 10.0),
    "cured": ("bond_graphs/coupled_capacitors.mo", "CoupledCapacitors.Cured", 0.1),
    "drive": ("bond_graphs/drive.mo", "Drive", 1.0),
    "fig. 28": ("devs/fig28.mo", "fig28", 40.0),
}


@pytest.mark.parametrize("name", EXAMPLE_MODELS)
def test_MCD_7_examples_agree_with_a_run(name):
    place, model, stop = EXAMPLE_MODELS[name]

    distances, _ = compared(EXAMPLES / place, QUANTUM, stop, model=model)

    assert distances
    assert max(distances.values()) < FEW


# ---------------------------------------------------------------- modifiers

SERIES = """
  Modelica.Electrical.Analog.Basic.Resistor R(R=2);
  Modelica.Electrical.Analog.Basic.Capacitor C(C=0.3, v(start=0.5, fixed=true));
  Modelica.Electrical.Analog.Basic.Ground g;
equation
  connect(V.p, R.p); connect(R.n, C.p); connect(C.n, V.n); connect(V.n, g.p);
"""
BOND = """
  BondGraph.R R(R=2);
  BondGraph.C C(C=0.3, e(start=0.5, fixed=true));
  BondGraph.Junction1 j(ni=1, no=2);
equation
  connect(U.p, j.i[1]); connect(j.o[1], R.p); connect(j.o[2], C.p);
"""
SINE = f"{ANALOG}.Sources.SineVoltage V"
MODIFIED = {
    "effort": f"model M BondGraph.Se U(effort=3*sin(4*time)); {BOND} end M;",
    "effort of a parameter": f"model M parameter Real a=3; BondGraph.Se U(e0=a^2); {BOND} end M;",
    "final": f"model M BondGraph.Se U(final effort=3*exp(-time)); {BOND} end M;",
    "two in series": f"""model M BondGraph.Se U(effort=1 + time^2, e0=7); {BOND} end M;""",
    "by extends": f"""model M model Mine extends BondGraph.Se(effort=k*cos(time)); parameter Real k=2;
      end Mine; Mine U(k=3); {BOND} end M;""",
    "extended again": f"""model M extends N(U(effort=2*time)); model N BondGraph.Se U; {BOND} end N;
      end M;""",
    "redeclared": f"""model M extends N(redeclare BondGraph.Se U(effort=2*time));
      model N replaceable BondGraph.Se U; {BOND} end N; end M;""",
    "array": """model M BondGraph.Se U[2](e0={1, 3}, effort={2*time, 5}); BondGraph.R R(R=2);
      BondGraph.C C(C=0.3, e(start=0.5, fixed=true)); BondGraph.Junction1 j(ni=2, no=2);
      equation connect(U[1].p, j.i[1]); connect(U[2].p, j.i[2]); connect(j.o[1], R.p);
      connect(j.o[2], C.p); end M;""",
    "inside of a class": f"""model M model Two BondGraph.Se U(effort=k*time); parameter Real k=1;
      BondGraph.Port p; equation connect(U.p, p); end Two; Two U(k=4, U(e0=2)); {BOND} end M;""",
    "version 2.1": f"model M {SINE}(V=3, freqHz=0.7); {SERIES} end M;",
    "phase": f"model M {SINE}(V=3, f=0.7, phase=1, offset=2, startTime=0.4); {SERIES} end M;",
    "own wave form": f"""model M block Sine extends Modelica.Blocks.Interfaces.SignalSource;
      equation y = 1 - time; end Sine;
      {ANALOG}.Sources.SineVoltage V(V=3, redeclare Sine signalSource); {SERIES} end M;""",
    "block outside": f"""model M {ANALOG}.Sources.SignalVoltage V;
      Modelica.Blocks.Sources.Ramp b(height=3);
      Modelica.Blocks.Continuous.FirstOrder f(T=0.2); {SERIES}
      connect(b.y, f.u); connect(f.y, V.v); end M;""",
    "sampled": f"""model M {ANALOG}.Sources.SignalVoltage V; discrete Real u(start=0, fixed=true); {SERIES}
      when sample(0.1, 0.25) then u = pre(u) + 1; end when; V.v = u; end M;""",
    "celsius": """model M Modelica.Thermal.HeatTransfer.Celsius.FixedTemperature V(T=20);
      Modelica.Thermal.HeatTransfer.Components.ThermalConductor R(G=2);
      Modelica.Thermal.HeatTransfer.Components.HeatCapacitor C(C=0.5, T(start=280, fixed=true));
      equation connect(V.port, R.port_a); connect(R.port_b, C.port); end M;""",
    "temperature": f"""model M {SINE}(V=3); extends N(R(alpha=0.01, T=350, T_ref=300));
      model N {SERIES.replace("equation", "").replace("connect(V.p, R.p);", "").split("connect")[0]} end N;
      equation {SERIES.partition("equation")[2]} end M;""",
    "start of an alias": f"""model M {SINE}(V=3); Real x(start=2, fixed=true) = C.v;
      {SERIES.replace("v(start=0.5, fixed=true)", "v(start=0.5)")} end M;""",
    "initial equation": f"""model M {SINE}(V=3, offset=4);
      {SERIES.replace("v(start=0.5, fixed=true)", "v(start=0.5)")} initial equation der(C.v) = 0; end M;""",
    "parameter by initial equation": f"""model M parameter Real v0(fixed=false, start=1); {SINE}(V=3);
      {SERIES.replace("v(start=0.5, fixed=true)", "v(start=v0, fixed=true)")}
      initial equation v0^2 = 4; end M;""",
    "own source": f"""model M model Mine Modelica.Electrical.Analog.Interfaces.Pin p, n;
      equation p.v - n.v = 3*cos(7*time); p.i + n.i = 0; end Mine; Mine V; {SERIES} end M;""",
    "spring": """model M Modelica.Mechanics.Translational.Components.Fixed w(s0=1);
      Modelica.Mechanics.Translational.Components.Spring k(c=3, s_rel0=0.4);
      Modelica.Mechanics.Translational.Components.Damper d(d=2);
      Modelica.Mechanics.Translational.Components.Mass m(m=1, L=0.3, s(start=2, fixed=true),
        v(start=1, fixed=true));
      equation connect(w.flange, k.flange_a); connect(k.flange_b, m.flange_a);
      connect(w.flange, d.flange_a); connect(d.flange_b, m.flange_a); end M;""",
}  # fmt: skip


@pytest.mark.parametrize("name", MODIFIED)
def test_MCD_7_every_modifier_counts(name, tmp_path):
    assert furthest(MODIFIED[name], tmp_path) < 4.0


REFUSED = {  # model, code, line, words
    "feedback": (
        f"""model M {ANALOG}.Sources.SignalVoltage V; {ANALOG}.Sensors.VoltageSensor s; {SERIES}
        connect(s.p, C.p); connect(s.n, C.n); V.v = 1 - s.v; end M;""",
        "E083", 1, "`V.v` is no function of time, it depends on the bond graph",
    ),
    "effort of the flow": (
        f"model M\n  BondGraph.Se U(effort=1 - U.f); {BOND} end M;",
        "E083", 2, "(modified: `effort = 1 - U.f`)",
    ),
    "too much": (
        f"model M\n  BondGraph.Se U; {BOND.replace('R=2', 'R=2, e=sin(time)')} end M;",
        "E121", 3, "`R` has an equation too many (modified: `e = sin(time)`)",
    ),
    "reinit": (
        f"model M {SINE}(V=3); {SERIES} when C.v > 0.7 then reinit(C.v, 0); end when; end M;",
        "E083", 7, "`reinit` sets `C.v` at an event",
    ),
    "start time": (
        f"model M {SINE}(V=3); {SERIES} annotation(experiment(StartTime=1)); end M;",
        "E083", 1, "begins at 0, not at 1",
    ),
    "heated": (
        f"""model M {SINE}(V=3); Modelica.Thermal.HeatTransfer.Sources.FixedTemperature h(T=300);
        {SERIES.replace("R=2", "R=2, alpha=0.1, useHeatPort=true")}
        connect(h.port, R.heatPort); end M;""",
        "E083", 3, "its equations are not those of R",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_MCD_7_what_no_bond_graph_says_is_refused_with_its_place(name, tmp_path, capsys):
    text, code, line, words = REFUSED[name]
    place = tmp_path / "M.mo"
    place.write_text(text, encoding="utf-8")

    assert execute(["devs", str(place)]) == 1

    told = capsys.readouterr().err
    assert f"error[{code}]" in told
    assert words in told
    assert f"M.mo:{line}:" in told
    assert "help:" in told
