"""What is wrong with clocks is said with a code, a place and a cure."""

from __future__ import annotations

import pytest
from tests.structure.clocks.conftest import Refused

import freewheel

CASES = {
    "clocked and continuous": (
        "E060",
        "Real x(start = 1, fixed = true), y = sample(x, Clock(1, 10));\nequation der(x) = y;",
    ),
    "two factors": (
        "E061",
        "Real u = sample(time, Clock(1, 10));\nReal y = subSample(u, 2) + subSample(u, 3);",
    ),
    "two rational clocks": (
        "E061",
        "Real u = sample(time, Clock(1, 10)) + sample(time, Clock(1, 5));",
    ),
    "a factor that is no whole number": (
        "E061",
        "Real u = sample(time, Clock(1, 10));\nReal y = subSample(u) + sample(1, Clock(1, 3));",
    ),
    "two intervals": (
        "E062",
        "Real u = sample(time, Clock(0.1)) + sample(time, Clock(0.2));",
    ),
    "a rational clock and an event": (
        "E062",
        "Real u = sample(time, Clock(1, 10)) + sample(time, Clock(time > 0.5));",
    ),
    "a factor left open": (
        "E063",
        "Real u = sample(time, Clock(1, 10));\nReal y = subSample(u);",
    ),
    "a negative factor": (
        "E064",
        "Real u = sample(time, Clock(1, 10));\nReal y = subSample(u, -2);",
    ),
    "a factor that varies": (
        "E064",
        "Real u = sample(time, Clock(1, 10));\nInteger n = integer(time);"
        "\nReal y = subSample(u, n);",
    ),
    "a resolution of zero": ("E064", "Real u = sample(time, Clock(1, 0));"),
    "an interval of zero": ("E064", "Real u = sample(time, Clock(0.0));"),
    "before the start": (
        "E065",
        "Real u = sample(time, Clock(3, 10));\nReal y = backSample(u, 1);",
    ),
    "between events": (
        "E066",
        "Real u = sample(time, Clock(time > 0.5));\nReal y = superSample(u, 2);",
    ),
    "hold of an expression": (
        "E069",
        "Real u = sample(time, Clock(1, 10));\nReal y = hold(2*u);",
    ),
    "previous of an expression": (
        "E069",
        "Real u = sample(time, Clock(1, 10)) + previous(2*u);",
    ),
    "an initial equation": (
        "E069",
        "Real u = sample(time, Clock(1, 10));\ninitial equation u = 3;",
    ),
    "elsewhen": (
        "E013",
        "Real u;\nequation when Clock(1, 10) then u = 1; elsewhen time > 2 then u = 2; end when;",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_clock_errors(refused: Refused, name: str) -> None:
    code, text = CASES[name]

    problem = refused(text)

    assert problem.code == code
    assert problem.labels
    assert problem.help
    assert problem.rule


def test_unbalanced_partition_names_the_variable(refused: Refused) -> None:
    problem = refused("Real u = sample(time, Clock(1, 10)), v, w;\nequation v + w = u;")

    assert problem.code == "E001"
    assert "`v`" in problem.message or "`w`" in problem.message


def test_unequal_clocks_say_both_ticks(refused: Refused) -> None:
    problem = refused("Real u = sample(time, Clock(1, 10)) + sample(time, Clock(1, 5));")

    assert "ticks at 0, 1/10" in problem.message
    assert "ticks at 0, 1/5" in problem.message
    assert problem.labels[0].span.line == 2


def test_an_assumed_clock_is_told(tmp_path) -> None:
    path = tmp_path / "M.mo"
    path.write_text("model M Integer n(start = 0) = previous(n) + 1; end M;")

    warnings = freewheel.load(path).upto("structure").ordered.warnings

    assert [w.code for w in warnings] == ["E059"]


def test_mixed_signals_show_the_equation_that_joins_them(refused: Refused) -> None:
    problem = refused(CASES["clocked and continuous"][1])

    assert [label.text for label in problem.labels] == ["clocked here", "joined by this equation"]
    assert [label.span.line for label in problem.labels] == [2, 3]


def test_hidden_variables_are_not_counted(tmp_path) -> None:
    path = tmp_path / "M.mo"
    path.write_text("model M Real y = sample(2*time, Clock(1, 10)), z = hold(y); end M;")

    balance = freewheel.load(path).check()

    assert (balance.unknowns, balance.equations) == (2, 2)
