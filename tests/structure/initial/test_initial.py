"""The start-up system: what is fixed, given, steady, free, too much or too little."""

from __future__ import annotations

from functools import cache
from math import cos, sin, sqrt

import pytest

from freewheel.backend.load import BACKENDS
from freewheel.base.diagnostics import SimulationError
from freewheel.base.source import Source
from freewheel.formula.nodes import Var
from freewheel.instance.library import Library
from freewheel.pipeline import Compilation, Options, compile_model
from freewheel.runtime.settings import Settings
from freewheel.runtime.simulate import simulate

MODELS = """
model SteadyState
  Real x(start = 3), y;
initial equation
  der(x) = 0;
equation
  der(x) = 2 - x - y;
  y = x^3;
end SteadyState;

model FreeParameter
  parameter Real k(fixed = false, start = 1);
  Real x(start = 1, fixed = true);
initial equation
  der(x) = -4;
equation
  der(x) = -k*x;
end FreeParameter;

model TwoFreeParameters
  parameter Real a(fixed = false, start = 1), b(fixed = false, start = -1);
  Real y = a + b;
initial equation
  a^2 + b^2 = 25;
  a - b = 7;
end TwoFreeParameters;

model Consistent "more than needed, but true"
  Real x(start = 1, fixed = true), y(start = 2, fixed = true), f, g;
equation
  der(x) = f;
  der(y) = g;
  y = 2*x;
  f + g = -1;
end Consistent;

model Store "its start value is that of the class"
  Real x(start = 0), rate;
equation
  der(x) = rate;
end Store;

model Tied "what the model itself says of `b` and `c` counts more than what the class says"
  Store a, b(x(start = 2)), c(x(start = 3));
equation
  a.x = b.x + c.x;
  b.rate = -b.x;
  c.rate = -c.x;
end Tied;

model Renamed "the same for two names of one variable"
  Store a;
  Real y(start = 7) = a.x;
equation
  a.rate = 0;
end Renamed;

model Contradiction
  Real x(start = 1, fixed = true), y(start = 3, fixed = true);
equation
  der(x) = -x;
  y = 2*x;
end Contradiction;

model Half "one condition for two states"
  Real x(start = 1.25), y(start = 0.2);
initial equation
  x + y = 3;
equation
  der(x) = -y;
  der(y) = x;
end Half;

model Discrete
  Boolean b(start = true, fixed = true);
  Integer n(start = 4, fixed = true);
  Real x(start = 0, fixed = true);
equation
  der(x) = if b then 1 else -1;
  when time > 0.5 then
    b = not pre(b);
    n = pre(n) + 1;
  end when;
end Discrete;

model Steep "Newton from the start value sees a flat line"
  Real x(start = 0);
equation
  0 = homotopy(actual = tanh(50*(x - 4)) + 1e-3*(x - 4), simplified = x - 4);
end Steep;

model Cycling "plain Newton jumps between 0 and 1 for ever"
  Real x(start = 0);
equation
  x^3 - 2*x + 2 = 0;
end Cycling;

model Domain "the first step of plain Newton leaves the domain of log"
  Real x(start = 5);
equation
  log(x) + x = 0.1;
end Domain;

model Diode
  Real v(start = 0), i;
equation
  i = 1e-12*(exp(v/0.025) - 1);
  10 = i + v;
end Diode;

model Bounded "only one of two solutions is meant"
  Real x(min = 3, max = 10), y;
equation
  y = x^2;
  y - 5*x + 4 = 0;
end Bounded;

partial model Pendulum
  parameter Real L = 1, g = 9.81;
  Real x, y, vx, vy, F;
equation
  der(x) = vx;
  der(y) = vy;
  der(vx) = -F*x;
  der(vy) = -F*y - g;
  x^2 + y^2 = L^2;
end Pendulum;

model ByAngle "conditions on what is neither state nor derivative"
  extends Pendulum(x(start = 0.5), y(start = -0.5));
initial equation
  atan2(y, x) = -1;
  der(x) = 0;
end ByAngle;

model LeftOrRight "of two positions the start value means one"
  extends Pendulum(
    y(start = -0.8, fixed = true), vy(start = 0.3, fixed = true), x(start = -0.6));
end LeftOrRight;

model ByForce
  extends Pendulum(
    x(start = 0.6, fixed = true), F(start = 20, fixed = true), y(start = -0.8), vx(start = 1));
end ByForce;

model AllGiven "consistent; x and vx alone would leave vy open"
  extends Pendulum(
    x(start = 1, fixed = true),
    y(start = 0, fixed = true),
    vx(start = 0, fixed = true),
    vy(start = 1, fixed = true));
end AllGiven;

model FoundLength
  extends Pendulum(
    L(fixed = false, start = 1),
    x(start = 3, fixed = true),
    y(start = -4, fixed = true),
    vx(start = 0, fixed = true));
end FoundLength;

model OffTheCircle
  extends Pendulum(x(start = 0.6, fixed = true), y(start = -0.7, fixed = true));
end OffTheCircle;

model WrongSpeed
  extends Pendulum(
    x(start = 0.6, fixed = true),
    y(start = -0.8, fixed = true),
    vx(start = 1, fixed = true),
    vy(start = 1, fixed = true));
end WrongSpeed;

model Parallel "capacitors"
  Real v1(start = 5, fixed = true), v2(start = 5, fixed = true), i1, i2;
equation
  1e-3*der(v1) = i1;
  2e-3*der(v2) = i2;
  v1 = v2;
  i1 + i2 = -v1/100;
end Parallel;

model ParallelUnequal
  extends Parallel(v2(start = 4));
end ParallelUnequal;

model Ring "of three capacitors"
  Real v1(start = 1, fixed = true), v2(start = 2, fixed = true), v3(start = -3, fixed = true);
  Real i1, i2, i3;
equation
  der(v1) = i1;
  2*der(v2) = i2;
  3*der(v3) = i3;
  v1 + v2 + v3 = 0;
  i1 - i2 = -v1/10;
  i2 - i3 = v3/10;
end Ring;

model RingUnequal
  extends Ring(v3(start = -2));
end RingUnequal;

model Mirrored "b is an alias of a"
  Real a(start = 1, fixed = true), b(start = -1, fixed = true);
equation
  der(a) = -a;
  b = -a;
end Mirrored;

model MirroredUnequal
  extends Mirrored(b(start = 1));
end MirroredUnequal;

model Known "a constant with a start"
  Real x(start = 1, fixed = true), y(start = 0, fixed = true);
equation
  x = 0;
  der(y) = x + 1;
end Known;

model SaidTwice
  parameter Real p = 1;
  Real x(start = 1, fixed = true);
initial equation
  x = p;
equation
  der(x) = -x;
end SaidTwice;

model GivenByTime
  Real v(start = 2, fixed = true), i;
equation
  v = sin(time) + 1;
  i = der(v);
end GivenByTime;

model PreTwice
  Integer n(start = 4, fixed = true);
initial equation
  pre(n) = 5;
equation
  when time > 0.1 then
    n = pre(n) + 1;
  end when;
end PreTwice;

model SteadyCircuit "a diode at rest, found by way of a resistor"
  Real v(start = 0), i;
initial equation
  der(v) = 0;
equation
  1e-6*der(v) = (10 - v)/1e3 - i;
  i = homotopy(actual = 1e-12*(exp(v/0.025) - 1), simplified = v/1e3);
end SteadyCircuit;

model SteadyLoop "a controller whose integrator must hold the load"
  Real w, I, u;
  parameter Real reference = 10;
initial equation
  der(w) = 0;
  der(I) = 0;
equation
  der(I) = reference - w;
  u = 2*(reference - w) + 5*I;
  der(w) = u - 0.1*w - 0.01*w*abs(w);
end SteadyLoop;

model GuessOnly
  Real x(start = -3), y(start = 3), s(start = -1);
initial equation
  s^2 = 9;
equation
  x^2 = 4;
  y^2 = 4 + time;
  der(s) = 0;
end GuessOnly;

model WhenInitial
  Real x(start = 0, fixed = true), u;
  discrete Real d;
  Integer n(start = 0, fixed = true), k(start = 7);
  Boolean b;
equation
  der(x) = u;
  u = if initial() then 3 else 1;
  when initial() then
    d = 5;
    k = 3;
  end when;
  when {initial(), x > 0.2} then
    n = pre(n) + 1;
  end when;
  b = initial();
end WhenInitial;

model PreGiven
  Boolean b;
  Real x(start = 0, fixed = true);
initial equation
  pre(b) = true;
equation
  der(x) = if b then 1 else 2;
  when x > 0.3 then
    b = not pre(b);
  end when;
end PreGiven;

model FreeByAlgorithm
  parameter Integer n(fixed = false);
  parameter Boolean b(fixed = false);
  parameter Real p(fixed = false);
  Real x(start = 1, fixed = true);
initial algorithm
  n := 3;
  b := n > 2;
  p := if b then 2.5 else 0;
equation
  der(x) = -p*x;
end FreeByAlgorithm;

model FreeThroughOthers "the value of c gives a, and that gives b"
  parameter Real a = 2*b, b(fixed = false), c = a + 1;
  Real x(start = b, fixed = true);
initial equation
  c = 7;
equation
  der(x) = -x;
end FreeThroughOthers;

model FreeArray
  parameter Real k[2](each fixed = false, start = {1, 1});
  Real x[2](start = {1, 2}, each fixed = true);
initial equation
  der(x) = {-3, -8};
equation
  der(x) = -k.*x;
end FreeArray;

model FreeButUnsaid
  parameter Real p(fixed = false, start = 4);
  Real x(start = 1, fixed = true);
equation
  der(x) = -p*x;
end FreeButUnsaid;

model Reset "a reinit at the start is an initial equation"
  Real x(start = 1);
equation
  der(x) = -x;
  when {initial(), x < 0.1} then
    reinit(x, 7);
  end when;
end Reset;

model ResetByCase
  Real y = time + 1, x(start = 1);
equation
  der(x) = -x;
  when initial() then
    if y > 2 then
      reinit(x, 7);
    else
      reinit(x, 8);
    end if;
  end when;
end ResetByCase;

model ResetOtherwise
  extends Reset(x(fixed = true));
end ResetOtherwise;

model TruthTwice
  Boolean b;
  Real x(start = 0, fixed = true);
initial equation
  b = true;
equation
  b = x > 1;
  der(x) = 1;
end TruthTwice;

model Impossible
  Real x(start = 1);
equation
  x^2 + 1 = time;
end Impossible;
"""


@cache
def compiled(name: str, backend: str) -> Compilation:
    library = Library([], use_modelicapath=False)
    library.add_file(Source.from_text(MODELS, "initial.mo"))
    return compile_model(library, (name,), Options(backend=backend))


def first(name: str, backend: str) -> dict[str, float]:
    model = compiled(name, backend).model
    result = simulate(model, Settings.of(model, stop=1e-9))
    return {variable: float(result[variable][0]) for variable in result.names()}


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("SteadyState", {"x": 1.0, "y": 1.0}),
        ("FreeParameter", {"k": 4.0, "x": 1.0}),
        ("TwoFreeParameters", {"a": 3.0, "b": -4.0, "y": -1.0}),
        ("Consistent", {"x": 1.0, "y": 2.0}),
        ("Tied", {"a.x": 5.0, "b.x": 2.0, "c.x": 3.0}),
        ("Renamed", {"a.x": 7.0, "y": 7.0}),
        ("Half", {"x": 1.25, "y": 1.75}),
        ("Discrete", {"b": 1.0, "n": 4.0}),
        ("Steep", {"x": 4.0}),
        ("Cycling", {"x": -1.7692923542386314}),
        ("Domain", {"x": 0.6040681900258921}),
        ("Diode", {"v": 0.7464008422477331}),
        ("Bounded", {"x": 4.0, "y": 16.0}),
        ("ByAngle", {"x": cos(1), "y": -sin(1), "vx": 0.0, "vy": 0.0}),
        ("LeftOrRight", {"x": -0.6, "y": -0.8, "vx": -0.4, "vy": 0.3}),
        ("ByForce", {"vx": 0.8 * sqrt(12.152), "vy": 0.6 * sqrt(12.152)}),
        ("AllGiven", {"x": 1.0, "y": 0.0, "vx": 0.0, "vy": 1.0, "F": 1.0}),
        ("FoundLength", {"L": 5.0, "vy": 0.0}),
        ("Parallel", {"v1": 5.0, "v2": 5.0}),
        ("Ring", {"v1": 1.0, "v2": 2.0, "v3": -3.0}),
        ("Mirrored", {"a": 1.0, "b": -1.0}),
        ("SaidTwice", {"x": 1.0}),
        ("SteadyCircuit", {"v": 0.5741679960692395, "der(v)": 0.0}),
        ("SteadyLoop", {"w": 10.0, "I": 0.4}),
        ("GuessOnly", {"x": -2.0, "y": 2.0, "s": -3.0}),
        ("WhenInitial", {"d": 5.0, "k": 3.0, "n": 1.0, "b": 0.0, "der(x)": 1.0}),
        ("PreGiven", {"b": 1.0, "der(x)": 1.0}),
        ("FreeByAlgorithm", {"n": 3.0, "b": 1.0, "p": 2.5, "der(x)": -2.5}),
        ("FreeThroughOthers", {"a": 6.0, "b": 3.0, "c": 7.0, "x": 3.0}),
        ("FreeArray", {"k[1]": 3.0, "k[2]": 4.0}),
        ("FreeButUnsaid", {"p": 4.0}),
        ("Reset", {"x": 7.0}),
        ("ResetByCase", {"x": 8.0}),
    ],
)
def test_the_first_instant(name: str, expected: dict[str, float], backend: str) -> None:
    found = first(name, backend)

    assert {key: found[key] for key in expected} == pytest.approx(expected, rel=1e-8, abs=1e-9)


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_contradiction_is_told_with_its_values(backend: str) -> None:
    with pytest.raises(SimulationError) as caught:
        first("Contradiction", backend)

    message = caught.value.diagnostics[0].message
    assert "contradict" in message
    assert "y = 3" in message
    assert "left side 2" in message


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("OffTheCircle", ["y = -0.7", "x = 0.6", "x^2 + y^2 = L^2", "with y = -0.8"]),
        ("WrongSpeed", ["left side 0.75, right side 1", "vy = 1", "vx = 1", "x = 0.6"]),
        ("ParallelUnequal", ["v1 = 5", "v2 = 4"]),
        ("RingUnequal", ["v3 = -2", "v1 = 1", "v2 = 2", "v1 + v2 + v3 = 0", "with v3 = -3"]),
        ("MirroredUnequal", ["a = 1", "b = 1"]),
        ("Known", ["x = 1", "left side 0, right side 1"]),
        ("GivenByTime", ["v = 2", "v = sin(time) + 1", "with v = 1"]),
        ("PreTwice", ["pre(n) = 4", "pre(n) = 5"]),
        ("ResetOtherwise", ["x = 1", "x = 7"]),
        ("TruthTwice", ["b = true", "b = x > 1", "with b = 0"]),
    ],
)
def test_conditions_that_contradict_are_all_named(
    name: str, parts: list[str], backend: str
) -> None:
    with pytest.raises(SimulationError) as caught:
        first(name, backend)

    diagnostic = caught.value.diagnostics[0]
    assert diagnostic.code == "R125"
    assert [part for part in parts if part not in diagnostic.message] == []
    assert all(label.span.source.path == "initial.mo" for label in diagnostic.labels)
    assert diagnostic.labels


@pytest.mark.parametrize("backend", BACKENDS)
def test_whether_conditions_agree_may_hang_on_a_parameter(backend: str) -> None:
    model = compiled("SaidTwice", backend).model

    with pytest.raises(SimulationError, match="left side 1, right side 2"):
        simulate(model, Settings.of(model, stop=1e-9, parameters={"p": 2.0}))


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_loop_without_solution_names_equation_and_value(backend: str) -> None:
    with pytest.raises(SimulationError) as caught:
        first("Impossible", backend)

    message = caught.value.diagnostics[0].message
    assert "x^2 + 1 = time" in message
    assert "at time 0" in message


def test_assumed_start_values_are_told() -> None:
    (warning,) = compiled("Half", "python").ordered.warnings

    assert warning.code == "E020"
    assert "`x`" in warning.message
    assert "`y`" not in warning.message


def test_what_is_assumed_first_can_be_chosen() -> None:
    text = """model M Real x(start = 1), y(start = 2), s; initial equation s = 7;
      equation der(x) = -x; der(y) = -y; s = x + 2*y; end M;"""
    library = Library([], use_modelicapath=False)
    library.add_file(Source.from_text(text, "assumed.mo"))
    for first in ("x", "y"):
        options = Options(stop_after="structure", assumed=frozenset({first}))
        ordered = compile_model(library, ("M",), options).ordered
        (warning,) = ordered.warnings

        assert [equation.left for equation in ordered.assumed] == [Var((first,))]
        assert f"`{first}` are taken" in warning.message
        assert "no solution with others" in warning.message


def test_a_free_parameter_that_nothing_determines_is_told() -> None:
    (warning,) = compiled("FreeButUnsaid", "python").ordered.warnings

    assert warning.code == "E020"
    assert "`p`" in warning.message
    assert [label.span.source.path for label in warning.labels] == ["initial.mo"]


CIRCLE = """
model Circle "T gives h, or h gives T: what it is cannot be seen before `useT` is known"
  parameter Boolean useT = {use};
  parameter Real T = if useT then 300 else h/2, h = if useT then 2*T else 7;
  Real x(start = T, fixed = true);
equation
  der(x) = -h;
end Circle;
"""


@pytest.mark.parametrize(("use", "expected"), [("true", (300.0, 600.0)), ("false", (3.5, 7.0))])
def test_a_choice_breaks_a_circle_of_parameters(use: str, expected: tuple[float, float]) -> None:
    library = Library([], use_modelicapath=False)
    library.add_file(Source.from_text(CIRCLE.format(use=use), "circle.mo"))
    model = compile_model(library, ("Circle",), Options(backend="python")).model
    result = simulate(model, Settings.of(model, stop=1e-9))

    assert (result["T"][0], result["h"][0]) == expected
    assert "useT" not in model.parameter_slots  # another choice is another order


PARTS = """
model Wheel Real w, a, tau; equation a = der(w); 5*a = tau; end Wheel;
model Started Real w(start = 8), a, tau; equation a = der(w); 5*a = tau; end Started;
model Drag
  Real w(start = 0, stateSelect = StateSelect.prefer), a, tau;
equation
  a = der(w);
  tau = 0.5*w;
end Drag;
model Deep Drag k; end Deep;
"""

DRAGGED = """
equation
  {drag}.w = v - {wheel}.w;
  {wheel}.tau = {drag}.tau;
end M;
"""


@pytest.mark.parametrize(
    ("parts", "wheel", "drag", "taken"),
    [
        ("Wheel c(w(start = 10)); Drag k;", "c", "k", "c.w"),
        ("Wheel c; Drag k;", "c", "k", "k.w"),
        ("Wheel c(w(start = 10)); Drag k(w(start = 0));", "c", "k", "k.w"),
        ("Started c; Deep d;", "c", "d.k", "d.k.w"),  # both are said by a class
    ],
)
def test_a_start_that_the_model_writes_goes_before_one_of_a_class(
    parts: str, wheel: str, drag: str, taken: str
) -> None:
    text = f"{PARTS} model M parameter Real v = 3; {parts} {DRAGGED.format(wheel=wheel, drag=drag)}"
    library = Library([], use_modelicapath=False)
    library.add_file(Source.from_text(text, "written.mo"))
    ordered = compile_model(library, ("M",), Options(stop_after="structure")).ordered
    (warning,) = ordered.warnings

    assert [equation.left for equation in ordered.assumed] == [Var(tuple(taken.split(".")))]
    assert f"`{taken}` are taken" in warning.message
