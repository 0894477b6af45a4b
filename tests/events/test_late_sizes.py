"""Slices and ranges whose size only a run tells: in sums and the like, in algorithms, in functions."""

from __future__ import annotations

import pytest

from freewheel.base.diagnostics import CompileError

ROW = "Real a[4] = {1, 2, 3, 4}; Integer k = if time > 0.5 then 3 else 2; Real y; "


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("equation y = 1 + sum(a[1:k])*time;", [1, 7]),
        ("equation y = max(a[k:4]) - min(a[1:k]);", [3, 3]),
        ("equation y = a[1:k]*a[2:k + 1];", [8, 20]),
        ("equation y = sum(fill(time, k));", [0, 3]),
        ("equation y = sum(a[k:-1:1]) + product(a[1:k]);", [5, 12]),
        (
            "Real m[2, 3] = [1, 2, 3; 4, 5, 6]; equation y = sum(m[:, 1:k]) + sum(m[1, 1:k]);",
            [15, 27],
        ),
        ("algorithm y := sum(a[i]^2 for i in 1:k);", [5, 14]),
        ("algorithm y := 0; for i in 1:k loop y := y + a[i]; end for;", [3, 6]),
        ("Real b[4]; algorithm b := zeros(4); b[1:k] := a[1:k]; y := sum(b);", [3, 6]),
        (
            "function f input Real u[:]; output Real s; algorithm s := sum(u) + size(u, 1); end f;"
            "algorithm y := f(a[1:k]);",
            [5, 9],
        ),
        (
            "function f input Real u[4]; input Integer n; output Real s; algorithm s := sum(u[1:n]); end f;"
            "equation y = f(a, k);",
            [3, 6],
        ),
        (
            "Integer n(start = 0, fixed = true); discrete Real z(start = 0, fixed = true); algorithm"
            " when time > 0.25 then n := 0; for i in 1:4 loop if a[i] < 2.5 then n := n + 1; end if; end for;"
            " z := sum(a[1:n]); end when; equation y = z;",
            [0, 3],
        ),
        ("algorithm y := 0; while y < 2*time loop y := y + 1; end while; y := y + time;", [0, 3]),
    ],
    ids=range(13),
)
def test_a_run_tells_how_many_elements_there_are(run, body, expected):
    result = run(f"model M {ROW} {body} end M;", interval=0.25)

    assert [result["y"][0], result["y"][-1]] == pytest.approx(expected)


def test_the_number_of_equations_is_not_left_to_a_run(run):
    with pytest.raises(CompileError) as caught:
        run("model M Integer k = integer(time); Real a[4], y; equation a[1:k] = {y}; y = 1; end M;")

    assert caught.value.diagnostics[0].code == "N912"
    assert caught.value.diagnostics[0].labels
