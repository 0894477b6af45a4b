"""Loops that no formula can say (while, break, ranges that only a run tells) beside when-clauses and actions.

Modelica 3.6, "While-Statement", "Break-Statement", "When-Statements".
"""

from __future__ import annotations

import pytest

from freewheel.base.diagnostics import CompileError, SimulationError

SQUARES = "while i[j] < j*j loop i[j] := i[j] + 1; end while;"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (
            "Real x; algorithm x := 1; for i in 1:10 loop x := 2*x; if noEvent(x > 25) then break; end if; "
            'end for; assert(abs(x - 32) < 1e-9, "x is wrong");',
            {"x": 32},
        ),
        (
            "Integer n(start = 0, fixed = true); Real s(start = 0, fixed = true); algorithm "
            "when sample(0.1, 0.2) then s := 0; n := 0; "
            "while s < 5*time loop n := n + 1; s := s + n; end while; end when;",
            {"n": 3, "s": 6},
        ),
        (
            "Integer n; Integer k(start = 0, fixed = true); algorithm n := 0; "
            "while n < 10*time - 1 loop n := n + 1; end while; when n >= 5 then k := n; end when;",
            {"k": 5, "n": 9},
        ),
        (
            "Real v[3] = {1, -1, time}; Integer k; algorithm when time > 0.5 then k := 0; "
            "for i in 1:10 loop if i > size(v, 1) then break; end if; "
            "if v[i] > 0 then k := i; end if; end for; end when;",
            {"k": 3},
        ),
        (
            "Real a[4] = {1, 2, 3, 4}; Integer k; Real b[4](each start = 0, each fixed = true); algorithm "
            "when time > 0.5 then k := 2; b[1:k] := a[1:k]; end when;",
            {"b[2]": 2, "b[3]": 0},
        ),
        (
            "Real a[4] = {1, 2, 3, 4}; Integer k; Real y; algorithm when time > 0.5 then k := 3; y := 0; "
            "for i in 1:k loop y := y + a[i]; end for; end when;",
            {"y": 6},
        ),
        (
            f"Integer i[3]; algorithm for j in 1:3 loop i[j] := 0; {SQUARES} end for; "
            'assert(i[3] == 9, "no");',
            {"i[2]": 4, "i[3]": 9},
        ),
        (
            "Integer i; Integer s(start = 0, fixed = true); algorithm when time > 0.5 then s := 0; "
            "for j in 1:2 loop i := 0; while i < j loop i := i + 1; for j in 1:2 loop s := s + j; end for; "
            "end while; end for; end when;",
            {"s": 9},
        ),
        (
            "Real s; algorithm s := 0; for i in 1:20000 loop s := s + i; end for; "
            'assert(s > 1, "too small");',
            {"s": 200010000},
        ),
        (
            "Real x(start = 1, fixed = true); Integer n; equation der(x) = -1; algorithm "
            "when x < 0.5 then n := 0; while n < 3 loop n := n + 1; end while; reinit(x, n); end when;",
            {"x": 2.5, "n": 3},
        ),
        (
            "parameter Real p(fixed = false); parameter Integer k(fixed = false); initial algorithm "
            'k := 0; p := 0; while k < 4 loop k := k + 1; p := p + k; assert(time < 0.1, "late"); end while;',
            {"p": 10},
        ),
    ],
)
def test_each_such_loop_is_a_function_of_its_own(run, body, expected):
    result = run(f"model M {body} end M;")

    assert {name: result.final(name) for name in expected} == pytest.approx(expected)


@pytest.mark.parametrize(
    "loop",
    [
        'while k < 4 loop k := k + 1; assert(k < 3, "k is too large"); end while;',
        'while k < 4 loop k := k + 1; end while; assert(k < 3, "k is too large");',
    ],
)
def test_what_is_asserted_inside_or_behind_a_loop_is_asked(run, loop):
    with pytest.raises(SimulationError) as caught:
        run(f"model M Integer k; algorithm when time > 0.5 then k := 0; {loop} end when; end M;")

    assert "k is too large" in str(caught.value)


def test_a_when_clause_inside_such_a_loop_is_told(run):
    text = (
        "model M Integer n(start = 0, fixed = true); algorithm for i in 1:3 loop "
        "when time > 0.1*i then n := n + 1; end when; if i > 2 then break; end if; end for; end M;"
    )
    with pytest.raises(CompileError) as caught:
        run(text)

    assert caught.value.diagnostics[0].code == "E017"
