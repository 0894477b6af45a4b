"""Constraints that only cancellation shows: the choice of states knows them too."""

from fractions import Fraction
from itertools import pairwise
from random import Random

import pytest

from freewheel.base.diagnostics import CompileError
from freewheel.base.names import Name
from freewheel.base.source import Source
from freewheel.formula.walk import variables_in
from freewheel.instance.library import Library
from freewheel.pipeline import Options, compile_model
from freewheel.result.store import Result
from freewheel.runtime.settings import Settings
from freewheel.runtime.simulate import simulate
from freewheel.structure.analyse import analyse
from freewheel.structure.index.steady_unknowns import steady_unknowns
from freewheel.structure.nodes import Ordered, ScalarVariable

PARTS = "import Modelica.Electrical.Analog.Basic.*;"
ANTIPARALLEL = f"""
model Antiparallel {PARTS}
  Capacitor C1(C = 0.2, v(start = 1)), C2(C = 0.3);
  Resistor R1(R = 3), R2(R = 2), R3(R = 4);
  Inductor L(L = 1);
  Ground g;
equation
  connect(C1.p, C2.n); connect(C1.n, C2.p); connect(C1.p, R1.p); connect(R1.n, C1.n);
  connect(C1.p, R2.p); connect(R2.n, R3.p); connect(R3.n, C1.n); connect(L.p, R2.n);
  connect(L.n, g.p);
end Antiparallel;
"""
HIDDEN_LINK = """
model HiddenLink "Two masses and two lengths that say the same"
  parameter Real m = 2;
  Real s(start = 1, fixed = true), r, v(start = 0, fixed = true), w, f, g, a, b;
equation
  der(s) = v;
  der(r) = w;
  m*der(v) = f;
  m*der(w) = g;
  f - g = -4*s;
  s = a - b;
  r = b - a;
  a + b = time;
end HiddenLink;
"""


def ordered(text: str, name: str) -> Ordered:
    flat = compile_model(_library(text), (name,), Options(stop_after="flat")).flat
    assert flat is not None
    return analyse(flat)


def run(text: str, name: str) -> Result:
    model = compile_model(_library(text), (name,), Options()).model
    assert model is not None
    return simulate(model, Settings.of(model, stop=1.0, tolerance=1e-9))


def _library(text: str) -> Library:
    library = Library([], use_modelicapath=False)
    library.add_file(Source.from_text(text, "m.mo"))
    return library


def test_capacitors_in_parallel_are_one_state_and_a_cut_inductor_is_none() -> None:
    assert len(ordered(ANTIPARALLEL, "Antiparallel").states) == 1


def test_they_share_their_charge() -> None:
    result = run(ANTIPARALLEL, "Antiparallel")
    conductance = 1 / 3 + 1 / 6
    final = result["C1.v"][0] * 2.718281828459045 ** (-conductance / 0.5)
    assert result["C1.v"][-1] == pytest.approx(final, rel=1e-7)
    assert result["C2.v"][-1] == pytest.approx(-final, rel=1e-7)
    assert abs(result["L.i"]).max() < 1e-12


def test_positions_are_differentiated_twice() -> None:
    assert len(ordered(HIDDEN_LINK, "HiddenLink").states) == 2
    result = run(HIDDEN_LINK, "HiddenLink")
    assert result["s"][-1] == pytest.approx(0.5403023058681398, abs=1e-7)  # cos(1)
    assert result["r"][-1] == pytest.approx(-0.5403023058681398, abs=1e-7)


@pytest.mark.parametrize("rest", ["x - x = 1", "x + y = x + y + 1"])
def test_a_contradiction_is_told(rest: str) -> None:
    text = f"model M Real x(start = 1), y; equation der(x) = -x; {rest}; end M;"
    with pytest.raises(CompileError) as told:
        ordered(text, "M")
    assert told.value.diagnostics[0].code == "E003"
    assert "1" in told.value.diagnostics[0].message.rpartition("in conflict")[2]


def test_a_contradiction_between_two_equations_is_told() -> None:
    text = "model M Real a, b, c; equation der(c) = -a; a + b = c; b + a - c = 1; end M;"
    with pytest.raises(CompileError) as told:
        ordered(text, "M")
    assert told.value.diagnostics[0].code == "E003"


def test_a_difference_of_the_same_does_not_count() -> None:
    text = "model M Real x(start = 1), y; equation der(x) = -x; x + y - x = 2; end M;"
    assert [v.name for v in ordered(text, "M").states] == [("x",)]


@pytest.mark.parametrize("seed", range(60))
def test_as_many_states_as_the_pencil_has_roots(seed: int) -> None:
    random = Random(seed)
    size = random.randint(2, 4)
    while True:
        rates, rest = ([_row(random, size) for _ in range(size)] for _ in range(2))
        rates = [row if random.random() < 0.6 else [0] * size for row in rates]
        degree = _degree(rates, rest)
        if degree is not None:
            break
    lines = [
        f"{_sum(rate, 'der(x{})')} + {_sum(plain, 'x{}')} = {k + 1}*sin(time);"
        for k, (rate, plain) in enumerate(zip(rates, rest, strict=True))
    ]
    names = ", ".join(f"x{k}" for k in range(size))
    text = f"model M Real {names}; equation {' '.join(lines)} end M;"
    assert len(ordered(text, "M").states) == degree, text


def _row(random: Random, size: int) -> list[int]:
    return [random.choice((-1, 0, 0, 1, 2)) for _ in range(size)]


def _sum(row: list[int], name: str) -> str:
    return "(" + " + ".join(f"({factor})*{name.format(k)}" for k, factor in enumerate(row)) + ")"


def _degree(rates: list[list[int]], rest: list[list[int]]) -> int | None:
    """Of det(s*E + A); None where it vanishes. By differences of its values at whole numbers."""
    size = len(rates)
    both = list(zip(rates, rest, strict=True))
    values = [
        _determinant([[Fraction(s * e + a) for e, a in zip(*rows, strict=True)] for rows in both])
        for s in range(size + 1)
    ]
    degree = None
    for order in range(size + 1):
        if values[0] != 0:
            degree = order
        values = [after - before for before, after in pairwise(values)]
    return degree


def _determinant(matrix: list[list[Fraction]]) -> Fraction:
    result = Fraction(1)
    for k in range(len(matrix)):
        pivot = next((r for r in range(k, len(matrix)) if matrix[r][k]), None)
        if pivot is None:
            return Fraction(0)
        if pivot != k:
            matrix[k], matrix[pivot] = matrix[pivot], matrix[k]
            result = -result
        result *= matrix[k][k]
        for r in range(k + 1, len(matrix)):
            factor = matrix[r][k] / matrix[k][k]
            matrix[r] = [a - factor * b for a, b in zip(matrix[r], matrix[k], strict=True)]
    return result


SWITCHED = """
model Switched "Capacitors in parallel behind a switch whose voltage is found elsewhere"
  import Modelica.Electrical.Analog.Basic.*;
  import Modelica.Electrical.Analog.Ideal.*;
  Capacitor C1(C = 1, v(start = 1)), C2(C = 2);
  Resistor R1(R = 3), R2(R = 4);
  Inductor L(L = 1);
  IdealClosingSwitch S(Ron = 0, Goff = 0);
  Ground g;
equation
  S.control = sin(time) > 0.5;
  connect(C1.p, C2.n); connect(C1.n, C2.p); connect(C1.p, S.p); connect(S.n, g.p);
  connect(R1.p, C1.p); connect(R1.n, g.p); connect(R2.p, S.p); connect(R2.n, L.p);
  connect(L.n, g.p);
end Switched;
"""


def test_equations_of_switches_are_not_differentiated() -> None:
    chosen = ordered(SWITCHED, "Switched").chosen
    differentiated = [e for e in chosen.equations if e.derivative_of >= 0]
    held = {v.name[-2:] for e in differentiated for v in variables_in(e.left, e.right)}
    assert held == {("C1", "v"), ("C2", "v")}


TRIANGLES = """
model Triangles "Two triangles of capacitors that share a corner, behind a switch"
  import Modelica.Electrical.Analog.Basic.*;
  import Modelica.Electrical.Analog.Ideal.*;
  Capacitor C1(C = 1), C2(C = 2), C3(C = 3), C4(C = 4), C5(C = 5), C6(C = 6);
  IdealClosingSwitch S(Ron = 0, Goff = 0);
  Modelica.Electrical.Analog.Sources.SineVoltage V(V = 10, f = 50), U(V = 5, f = 50);
  Resistor R1(R = 3), R2(R = 4);
equation
  S.control = sin(900*time) > 0.1;
  connect(C1.n, C2.p); connect(C2.n, C3.n); connect(C3.p, C1.p);
  connect(C4.n, C5.p); connect(C5.n, C6.p); connect(C6.n, C4.p); connect(C4.p, C1.p);
  connect(S.p, C5.n); connect(S.n, R1.n); connect(R1.p, V.n); connect(V.p, C2.n);
  connect(V.n, U.p); connect(U.n, R2.p); connect(R2.n, C2.n);
end Triangles;
"""


def test_nor_where_two_constraints_share_a_potential() -> None:
    """That of the corner: with one of the constraints alone, currents cancel instead and drag all the
    rest behind them."""
    chosen = ordered(TRIANGLES, "Triangles").chosen
    differentiated = [e for e in chosen.equations if e.derivative_of >= 0]
    held = {v.name[-2:] for e in differentiated for v in variables_in(e.left, e.right)}
    assert held == {(f"C{k}", "v") for k in range(1, 7)}
    assert len(differentiated) == 2


def test_a_resistance_that_follows_from_parameters_rests() -> None:
    flat = ordered(SWITCHED, "Switched")
    assert not flat.groups
    resting = steady_unknowns(
        flat.hybrid.equations, flat.hybrid.continuous, frozenset(), _table(flat)
    )
    assert {v.name for v in resting} >= {("R1", "R_actual"), ("R2", "R_actual")}
    assert not any(v.name[-1] in ("v", "i") for v in resting)


def _table(model: Ordered) -> dict[Name, ScalarVariable]:
    return {v.name: v for v in model.hybrid.aliases.model.variables}
