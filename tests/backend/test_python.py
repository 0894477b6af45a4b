"""Compiled sections against exact values: small models by hand, simulated where it pays."""

from __future__ import annotations

import math
import time
from collections.abc import Callable

import numpy as np
import pytest

from freewheel.backend.load import BACKENDS, build
from freewheel.flat.nodes import Algorithm, FlatModel, TupleEquation, WhenEquation
from freewheel.flat.nodes import Equation as FlatEquation
from freewheel.formula.nodes import Binary, Call, Expr, Integer, Range, String, Var
from freewheel.formula.statement_nodes import (
    Assert,
    Assign,
    ForStatement,
    Function,
    FunctionVariable,
    IfStatement,
    Reinit,
    WhileStatement,
)
from freewheel.formula.types import INTEGER, REAL, Type
from freewheel.program.lower import lower
from freewheel.result.store import Result
from freewheel.runtime.model import CompiledModel
from freewheel.runtime.settings import Settings
from freewheel.runtime.simulate import simulate
from freewheel.structure.analyse import analyse

CHOSEN = {"backend": "python"}
Flat = Callable[..., FlatModel]
Formula = Callable[[str], Expr]


@pytest.fixture(autouse=True, params=BACKENDS)
def backend(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every test of this file holds for every backend."""
    monkeypatch.setitem(CHOSEN, "backend", request.param)


def compiled(model: FlatModel) -> CompiledModel:
    return build(lower(analyse(model)), CHOSEN["backend"])


def started(model: CompiledModel) -> tuple[np.ndarray, dict[str, float]]:
    """The memory after the start-up sections, and all variables by name."""
    memory = model.start.copy()
    for section in ("parameters", "initial", "derivatives", "outputs"):
        assert model.sections[section](memory) == 0, section
    return memory, values(model, memory)


def values(model: CompiledModel, memory: np.ndarray) -> dict[str, float]:
    return {
        v.name: v.offset if v.slot < 0 else v.sign * memory[v.slot] + v.offset
        for v in model.variables
    }


def run(model: FlatModel, stop: float, tolerance: float = 1e-8) -> Result:
    return simulate(compiled(model), Settings(start=0.0, stop=stop, tolerance=tolerance))


def test_an_rc_circuit_decays(flat_model: Flat) -> None:
    result = run(
        flat_model(
            "R parameter 2.0; C parameter 0.5; u; i; v start=1 fixed=True",
            "u == -v; u == R*i; C*der(v) == i",
        ),
        1.0,
    )

    assert result["v"][-1] == pytest.approx(math.exp(-1.0), abs=1e-7)
    assert result["i"][-1] == pytest.approx(-math.exp(-1.0) / 2.0, abs=1e-7)


def test_a_linear_loop_is_solved(flat_model: Flat) -> None:
    model = compiled(
        flat_model(
            "R1 parameter 100.0; R2 parameter 20.0; u; u1; u2; i",
            "u == 6.0*(1 + time); u1 == R1*i; u2 == R2*i; u == u1 + u2",
        )
    )

    _, found = started(model)

    assert found["u2"] == pytest.approx(1.0)
    assert found["i"] == pytest.approx(0.05)


def test_a_larger_linear_loop_agrees_with_numpy(flat_model: Flat) -> None:
    size = 9
    rng = np.random.default_rng(4)
    a = rng.uniform(-1, 1, (size, size)) + 3 * np.eye(size)
    rows = ";".join(
        " + ".join(f"({a[r, c]})*x{c}" for c in range(size)) + f" == {r}.0 + time"
        for r in range(size)
    )
    model = compiled(flat_model(";".join(f"x{c}" for c in range(size)), rows))

    _, found = started(model)

    exact = np.linalg.solve(a, np.arange(size))
    assert [found[f"x{c}"] for c in range(size)] == pytest.approx(exact.tolist())


def test_a_singular_but_consistent_loop_is_accepted(flat_model: Flat) -> None:
    model = compiled(
        flat_model("k parameter 1.0; x start=5; y", "x + k*y == time; 2*x + 2*k*y == 2*time")
    )

    _, found = started(model)

    assert found["x"] + found["y"] == pytest.approx(0.0)


def test_a_nonlinear_loop_is_solved_by_newton(flat_model: Flat) -> None:
    model = compiled(flat_model("x start=1; y start=1", "x*x + y*y == 25.0 + time; x*y == 12.0"))

    _, found = started(model)

    assert sorted((found["x"], found["y"])) == pytest.approx([3.0, 4.0])


def test_capacitors_in_parallel(flat_model: Flat) -> None:
    result = run(
        flat_model(
            "C1 parameter 2.0; C2 parameter 1.0; k parameter 2.0; u1 start=0 fixed=True; u2; i1; i2",
            "C1*der(u1) == i1; C2*der(u2) == i2; u1 == k*u2; i1 + i2 == sin(time)",
        ),
        1.0,
    )

    assert result["u1"][-1] == pytest.approx((1 - math.cos(1.0)) / 2.5, abs=1e-7)
    assert np.allclose(result["u1"], 2.0 * result["u2"])


def test_the_cartesian_pendulum_keeps_its_length_and_energy(flat_model: Flat) -> None:
    result = run(
        flat_model(
            "L parameter 1.0; g parameter 9.81; x start=0.6 fixed=True; y start=-0.8; w fixed=True; z; T",
            "der(x) == w; der(y) == z; der(w) == -T*x; der(z) == -T*y - g; x*x + y*y == L*L",
        ),
        1.2,
        1e-9,
    )
    energy = 0.5 * (result["w"] ** 2 + result["z"] ** 2) + 9.81 * result["y"]

    assert np.max(np.abs(result["x"] ** 2 + result["y"] ** 2 - 1.0)) < 1e-9
    assert np.max(np.abs(energy - energy[0])) < 1e-6


def test_hysteresis_bounces_between_its_limits(flat_model: Flat) -> None:
    result = run(
        flat_model(
            "y start=0 fixed=True; high boolean",
            "der(y) == ite(high, -1.0, 1.0); high == (y > 1.0 or (pre(high) and y > -1.0))",
        ),
        5.0,
    )

    assert result["y"].max() == pytest.approx(1.0, abs=1e-6)
    assert result.at("y", 3.0) == pytest.approx(-1.0, abs=1e-6)
    assert result.at("y", 4.0) == pytest.approx(0.0, abs=1e-6)


def test_a_sampled_counter(flat_model: Flat, to_formula: Formula) -> None:
    when = WhenEquation(
        (
            (
                to_formula("sample(0.5, 1.0)"),
                (FlatEquation(to_formula("n"), to_formula("pre(n) + 2")),),
            ),
        )
    )
    result = run(
        flat_model("n integer start=3; x start=0 fixed=True", "der(x) == n", extra=(when,)), 3.0
    )

    assert result["n"][-1] == 9
    assert result["x"][-1] == pytest.approx(0.5 * 3 + 5 + 7 + 0.5 * 9, abs=1e-6)


def test_a_bouncing_ball(flat_model: Flat, to_formula: Formula) -> None:
    when = WhenEquation(
        ((to_formula("h < 0.0"), (Reinit(to_formula("v"), to_formula("-0.5*pre(v)")),)),)
    )
    result = run(
        flat_model(
            "h start=1 fixed=True; v start=0 fixed=True",
            "der(h) == v; der(v) == -9.81",
            extra=(when,),
        ),
        0.6,
    )
    impact = math.sqrt(2 / 9.81)
    after = 0.6 - impact
    speed = 0.5 * 9.81 * impact

    assert result["h"][-1] == pytest.approx(speed * after - 0.5 * 9.81 * after**2, abs=1e-6)


def test_integer_parts_step_at_events(flat_model: Flat) -> None:
    result = run(
        flat_model(
            "n integer; r; x start=0 fixed=True",
            "n == integer(2*time); r == mod(time, 0.7); der(x) == n",
        ),
        1.75,
    )

    assert result["n"][-1] == 3
    assert result["x"][-1] == pytest.approx(0.5 * (1 + 2) + 0.25 * 3, abs=1e-7)
    assert result["r"][-1] == pytest.approx(0.35, abs=1e-7)


def gain() -> Function:
    """y := u + ... + u, k times; z := u."""
    y, u = Var(("y",)), Var(("u",))
    times = Range(Integer(1), Integer(1), Var(("k",)))
    return Function(
        ("lib", "gain"),
        (
            FunctionVariable("k", Type(INTEGER), role="input"),
            FunctionVariable("u", Type(REAL), role="input"),
            FunctionVariable("y", Type(REAL), role="output"),
            FunctionVariable("z", Type(REAL), role="output"),
        ),
        (
            Assign(y, Integer(0)),
            ForStatement("i", times, (Assign(y, Binary("+", y, u)),)),
            Assign(Var(("z",)), u),
        ),
    )


def test_functions_are_called_once_for_several_outputs(flat_model: Flat) -> None:
    call = Call(("lib", "gain"), Var(("n",)), Var(("x",)))
    both = TupleEquation((Var(("a",)), Var(("b",))), call)
    model = compiled(
        flat_model(
            "n parameter integer 3; x; a; b", "x == 2.0 + time", extra=(both,), functions=(gain(),)
        )
    )

    _, found = started(model)

    assert (found["a"], found["b"]) == (6.0, 2.0)
    if CHOSEN["backend"] == "python":
        assert model.extras["source"].split("def outputs")[1].count("f0_gain(") == 1


def test_an_algorithm_becomes_equations(flat_model: Flat, to_formula: Formula) -> None:
    algorithm = Algorithm(
        (
            Assign(to_formula("s"), to_formula("0.0")),
            ForStatement(
                "i",
                Range(Integer(1), Integer(1), Integer(3)),
                (Assign(to_formula("s"), to_formula("s + iterator(i)*x")),),
            ),
            IfStatement(
                ((to_formula("s > 100"), (Assign(to_formula("s"), to_formula("100.0")),)),), ()
            ),
        )
    )
    model = compiled(flat_model("x; s", "x == 2.0 + time", algorithms=(algorithm,)))

    _, found = started(model)

    assert found["s"] == 12.0


def test_an_algorithm_with_while_becomes_a_function(flat_model: Flat, to_formula: Formula) -> None:
    algorithm = Algorithm(
        (
            Assign(to_formula("s"), to_formula("1.0")),
            WhileStatement(to_formula("s < x"), (Assign(to_formula("s"), to_formula("2*s")),)),
        )
    )
    model = compiled(flat_model("x; s", "x == 5.0 + time", algorithms=(algorithm,)))

    _, found = started(model)

    assert found["s"] == 8.0


def test_parameters_are_data(flat_model: Flat) -> None:
    model = compiled(flat_model("a parameter 3.0; b parameter 2*a; x", "x == b*(1 + time)"))
    memory = model.start.copy()
    memory[model.parameter_slots["a"]] = 10.0
    for section in ("parameters", "initial", "derivatives", "outputs"):
        model.sections[section](memory)

    assert values(model, memory)["x"] == 20.0
    assert set(model.parameter_slots) == {"a"}


def test_a_free_parameter_makes_a_steady_start(flat_model: Flat) -> None:
    model = compiled(
        flat_model(
            "p parameter fixed=False; x start=2 fixed=True", "der(x) == p - 3*x", "der(x) == 0"
        )
    )

    _, found = started(model)

    assert found["p"] == pytest.approx(6.0)


def test_inputs_are_slots(flat_model: Flat) -> None:
    model = compiled(flat_model("u input; y", "y == 2*u"))
    memory = model.start.copy()
    memory[model.inputs[0].slot] = 21.0
    model.sections["derivatives"](memory)
    model.sections["outputs"](memory)

    assert values(model, memory)["y"] == 42.0


# ---------------------------------------------------------------- failures are told


def failed(model: CompiledModel, section: str) -> tuple[str, str]:
    memory = model.start.copy()
    model.sections["parameters"](memory)
    status = model.sections[section](memory)
    assert status > 0
    assert model.explain is not None
    told = model.explain(section, status)
    return told.code, told.message


def test_division_by_zero_names_equation_and_values(flat_model: Flat) -> None:
    model = compiled(flat_model("R parameter 0.0; u; i", "u == 2.0 + time; u == R*i"))

    code, message = failed(model, "initial")

    assert code == "R122"
    assert "`u = R*i`" in message
    assert "u = 2" in message
    assert "R = 0" in message


def test_a_domain_error_is_told(flat_model: Flat) -> None:
    code, message = failed(compiled(flat_model("x", "x == sqrt(time - 1)")), "initial")

    assert code == "R122"
    assert "x = sqrt(time - 1)" in message


def test_newton_without_solution_names_the_equations(flat_model: Flat) -> None:
    code, message = failed(compiled(flat_model("x start=1", "x*x + 1 == time - exp(x)")), "initial")

    assert code == "R124"
    assert "x*x + 1 = time - exp(x)" in message


def test_contradicting_start_values_are_told(flat_model: Flat) -> None:
    model = compiled(flat_model("x start=2 fixed=True", "der(x) == -x", "x == 3"))

    code, message = failed(model, "initial")

    assert code == "R125"
    assert "\n  x = 2\n  x = 3" in message


def test_asserts_are_messages(flat_model: Flat, to_formula: Formula) -> None:
    claim = Assert(to_formula("x < 1"), String("too large"))
    model = compiled(flat_model("x", "x == 2.0 + time", extra=(claim,)))

    started(model)

    assert model.messages is not None
    told = model.messages()
    assert {m.code for m in told} == {"R120"}
    assert "too large" in told[0].message
    assert model.messages() == []


# ---------------------------------------------------------------- speed


def test_five_hundred_equations_take_less_than_a_millisecond(flat_model: Flat) -> None:
    count = 170
    declarations = ";".join(f"v{k} start=0 fixed=True; u{k}; i{k}" for k in range(count))
    equations = ";".join(
        f"u{k} == sin(v{k}) - v{(k + 1) % count}; u{k} == 2.0*i{k}; der(v{k}) == i{k} - u{k}*u{k}"
        for k in range(count)
    )
    model = compiled(flat_model(declarations, equations))
    memory, _ = started(model)
    derivatives = model.sections["derivatives"]

    best = math.inf
    for _ in range(20):
        began = time.process_time()
        derivatives(memory)
        best = min(best, time.process_time() - began)

    assert best < 1e-3
