"""Sections hold what they need; slots lie side by side; words for failures."""

from __future__ import annotations

from collections.abc import Callable

from freewheel.flat.nodes import FlatModel
from freewheel.program.lower import lower
from freewheel.program.nodes import Assign, Program, Step
from freewheel.program.tell import text_of, values_of
from freewheel.structure.analyse import analyse

Flat = Callable[..., FlatModel]


def lowered(model: FlatModel) -> Program:
    return lower(analyse(model))


def targets(program: Program, section: str) -> list[str]:
    return [_target(program, step) for step in program.sections[section]]


def _target(program: Program, step: Step) -> str:
    assert isinstance(step, Assign)
    (slot,) = step.target.name
    assert isinstance(slot, int)
    return program.names[slot]


def test_each_section_evaluates_only_what_it_needs(flat_model: Flat) -> None:
    program = lowered(
        flat_model(
            "x start=1 fixed=True; f; r; y; z",
            "der(x) == 2*f; f == -x*x; r == x - 2*time; y == ite(r > 0, 1.0, 2.0); z == sin(x)",
        )
    )

    assert targets(program, "derivatives") == ["f", "der(x)"]
    assert targets(program, "relations") == ["r", "residual of r > 0"]
    assert set(targets(program, "outputs")) == {"r", "y", "z"}


def test_states_and_derivatives_are_ranges_in_the_same_order(flat_model: Flat) -> None:
    program = lowered(flat_model("x; v; w", "der(x) == v; der(v) == -x + w; w == sin(x)"))
    first, stop = program.states

    assert [program.names[k] for k in range(first, stop)] == ["x", "v"]
    assert [program.names[k] for k in range(*program.derivatives)] == ["der(x)", "der(v)"]
    assert [s.derivative - s.slot for s in program.state_slots] == [2, 2]


def test_who_influences_whom(flat_model: Flat) -> None:
    program = lowered(flat_model("x; y; z", "der(x) == y; der(y) == -x; der(z) == sin(y)*z"))

    assert program.sparsity == ((1,), (0, 2), (2,))


def test_a_second_derivative_makes_a_state_of_the_first(flat_model: Flat) -> None:
    program = lowered(flat_model("x", "der(der(x)) == -x"))

    assert [s.name for s in program.state_slots] == ["x", "der(x)"]
    assert len(program.sections["derivatives"]) == 2


def test_aliases_and_constants_in_the_list_of_variables(flat_model: Flat) -> None:
    program = lowered(flat_model("a; b; c", "a == 2*sin(time); b == -a; c == 5"))
    infos = {info.name: info for info in program.variables}

    assert infos["b"].slot == infos["a"].slot
    assert infos["b"].sign == -infos["a"].sign
    assert (infos["c"].slot, infos["c"].offset) == (-1, 5.0)


def test_a_step_can_say_what_it_is_about(flat_model: Flat) -> None:
    program = lowered(flat_model("R parameter 3.0; u; i", "u == sin(time); u == R*i"))
    about = program.sections["outputs"][1].about

    assert text_of(about, program) == "u = R*i"
    assert values_of(about, program, program.start) == "u = 0, R = 3, i = 0"
