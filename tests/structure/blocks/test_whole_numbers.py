"""Equations of Integers that are not written for one of them."""

from __future__ import annotations

import pytest

import freewheel as fw

GIVEN = "parameter Integer p = 3; Integer a = if time < 1 then 1 else 0;"


def run(text: str, folder):
    path = folder / "M.mo"
    path.write_text(f"model M {GIVEN} {text} end M;")
    return fw.load(path).simulate(stop=2.0)


@pytest.mark.parametrize(
    ("text", "name", "expected"),
    [
        ("Integer b; equation a + b = 1;", "b", (0, 1)),
        ("Integer b; equation a = b + 1;", "b", (0, -1)),
        ("Integer b; equation p - b = 2*a;", "b", (1, 3)),
        ("Integer b; equation 2*b = 4*a + 6;", "b", (5, 3)),
        ("Integer b; equation 3*a - 3*b = 9;", "b", (-2, -3)),
        ("Integer b; equation b + integer(3*a) = p;", "b", (0, 3)),
        ("Integer b, c; equation a + b = 1; b - c = 2;", "c", (-2, -1)),
        ("Integer n[3]; equation n[1] = a; sum(n) = 6; n[2] - n[1] = 1;", "n[3]", (3, 5)),
        ("Integer b(start=0, fixed=true); equation b - pre(b) = a - pre(a);", "b", (1, 0)),
    ],
)
def test_a_sum_is_solved(text, name, expected, tmp_path):
    result = run(text, tmp_path)

    assert (result[name][0], result.final(name)) == expected


@pytest.mark.parametrize("equation", ["2*b = a", "a + 2*b = p", "a*b = 1", "4*b = 2*a + 6"])
def test_what_need_not_be_whole_is_told(equation, tmp_path):
    with pytest.raises(fw.FreewheelError) as problem:
        run(f"Integer b; equation {equation};", tmp_path)

    told = problem.value.diagnostics[0]
    assert told.code == "E030"
    assert f"`{equation}`" in told.message
    assert "`b`" in told.message
    assert "div(" in told.help


def test_what_is_no_sum_is_told(tmp_path):
    with pytest.raises(fw.FreewheelError) as problem:
        run("Integer b; equation a = abs(b);", tmp_path)

    assert problem.value.diagnostics[0].code == "E008"
