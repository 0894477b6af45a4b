"""Which assignments a relation's change concerns."""

from __future__ import annotations

from pathlib import Path

import pytest

from freewheel.api import load
from freewheel.pipeline import Options, compile_model
from freewheel.program.handlers import Handlers, handlers_of
from freewheel.program.nodes import Program


def made(text: str, folder: Path) -> tuple[Program, Handlers]:
    path = folder / "M.mo"
    path.write_text(text)
    model = load(path)
    program = compile_model(model.library, model.name, Options(stop_after="program")).program
    assert program is not None
    return program, handlers_of(program)


def model(declared: str, equations: str) -> str:
    head = "model M\n  Real x(start = 0, fixed = true), y(start = 0, fixed = true);\n"
    return f"{head}{declared}equation\n{equations}end M;\n"


RATES = "  der(x) = 1;\n  der(y) = x;\n"


def test_a_when_clause_with_its_jump_and_counter(tmp_path: Path) -> None:
    declared = "  Integer n(start = 0, fixed = true);\n"
    when = "  when x > 1 then\n    reinit(y, 2*pre(y));\n    n = pre(n) + 1;\n  end when;\n"
    program, found = made(model(declared, RATES + when), tmp_path)

    (handlers,) = found.of_relation
    targets = [found.handlers[number] for number in handlers]
    assert [one.state for one in targets].count(1) == 1  # y jumps
    assert sum(one.pre >= 0 for one in targets) == 2  # the condition and the counter
    jump = next(one for one in targets if one.state == 1)
    value = next(one for one in targets if one.target == jump.value)
    assert value.row.records == (1,)  # pre(y) is y itself before the jump
    assert program.relations[0].text == "x > 1"


def test_what_is_not_kept_stands_for_its_formula(tmp_path: Path) -> None:
    declared = "  Real z;\n  discrete Real d(start = 0, fixed = true);\n"
    when = "  z = sin(y);\n  when x > 1 then\n    d = z;\n  end when;\n"
    _, found = made(model(declared, RATES + when), tmp_path)

    last = found.handlers[found.of_relation[0][-1]]
    assert last.pre >= 0
    assert last.row.records == (1,)  # z is not looked up: nobody has computed it


def test_equal_parts_share_their_formulas(tmp_path: Path) -> None:
    text = """model M
  Real x[5](each start = 0, each fixed = true);
  Boolean b[5](each start = false, each fixed = true);
equation
  for i in 1:5 loop
    der(x[i]) = if b[i] then -1 else 1;
    b[i] = if pre(b[i]) then x[i] > i else x[i] > 2*i;
  end for;
end M;
"""
    _, found = made(text, tmp_path)

    assert [len(listed) for listed in found.of_relation] == [1] * 10
    assert len(found.handlers) == 5
    assert len(found.shapes) == 1


@pytest.mark.parametrize(
    ("declared", "equations"),
    [
        ("  Real z;\n  discrete Real d(start = 0, fixed = true);\n",
         "  z + exp(z) = x;\n  when x > 1 then\n    d = z;\n  end when;\n"),
        ("", '  when x > 1 then\n    terminate("enough");\n  end when;\n'),
        ("", '  when x > 1 then\n    assert(y < 5, "too much");\n  end when;\n'),
    ],
    ids=["a loop", "terminate", "assert"],
)  # fmt: skip
def test_what_is_not_small_is_left_to_all_equations(
    declared: str, equations: str, tmp_path: Path
) -> None:
    _, found = made(model(declared, RATES + equations), tmp_path)

    assert found.of_relation[0] == ()
