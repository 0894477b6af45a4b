"""Integers, Booleans and enumerations that functions return change at events, where they change."""

from __future__ import annotations

import pytest

FUNCTIONS = """
  type Gear = enumeration(first, second);
  record Place Real x; Integer cell; end Place;
  function split input Real x; output Real rest; output Integer n;
  algorithm n := integer(floor(4*x)); rest := x - n/4; end split;
  function count input Real x; output Integer n;
  algorithm n := 0; while n + 1 <= 4*x loop n := n + 1; end while; end count;
  function isHigh input Real x; output Boolean b; algorithm b := x >= 0.25; end isHigh;
  function gear input Real x; output Gear g;
  algorithm g := if x < 0.25 then Gear.first else Gear.second; end gear;
  function both input Real x; output Integer n[2]; algorithm n := {count(x), count(2*x)}; end both;
  function place input Real x; output Place p; algorithm p := Place(x, count(x)); end place;
  Real x(start = 0, fixed = true);
"""
QUARTERS = [0.25, 0.5, 0.75]


def model(body: str) -> str:
    return f"model M {FUNCTIONS} {body} end M;"


def times_of(result) -> list[float]:
    return [event.time for event in result.events]


@pytest.mark.parametrize(
    "body",
    [
        "Real r; Integer k; equation der(x) = 1; (r, k) = split(x);",
        "Integer k = count(x); equation der(x) = 1;",
        "Integer k; equation der(x) = 1; k = count(x);",
        "Integer k; algorithm k := count(x); equation der(x) = 1;",
        "Real r; Integer k; algorithm (r, k) := split(x); equation der(x) = 1;",
        "Integer k = p.cell; Place p = place(x); equation der(x) = 1;",
        "Integer n[2] = both(x/2); Integer k = n[2]; equation der(x) = 1;",
        "Integer k; equation der(x) = 1; k = if time < 2 then count(x) else 0;",
        "Integer k; algorithm k := 0; while k + 1 <= 4*x loop k := k + 1; end while; equation der(x) = 1;",
        "Integer k = noEvent(count(x)); equation der(x) = 1;",
    ],
    ids=range(10),
)
def test_an_integer_follows_the_function_that_gives_it(run, body):
    result = run(model(f"Real s(start = 0, fixed = true); {body} der(s) = k;"), stop=0.9)

    assert times_of(result)[:3] == pytest.approx(QUARTERS, abs=1e-9)
    assert result["k"][-1] == 3
    assert result["s"][-1] == pytest.approx(0.25 + 2 * 0.25 + 3 * 0.15, abs=1e-7)


@pytest.mark.parametrize(
    "body",
    [
        "Boolean b = isHigh(x); equation der(x) = 1;",
        "Boolean b; equation der(x) = 1; b = not isHigh(1 - x - 0.5001);",
        "Gear g = gear(x); Boolean b = g == Gear.second; equation der(x) = 1;",
        "Boolean b(start = false, fixed = true); equation der(x) = 1; "
        "when isHigh(x) then b = true; end when;",
        "Boolean b(start = false, fixed = true); algorithm when isHigh(x) then b := true; end when; "
        "equation der(x) = 1;",
    ],
    ids=range(5),
)
def test_booleans_enumerations_and_conditions_follow_too(run, body):
    result = run(model(body), stop=0.6)

    assert len(times_of(result)) == 1
    assert times_of(result)[0] == pytest.approx(0.25, abs=2e-4)
    assert [result["b"][0], result["b"][-1]] == [0, 1]


def test_a_large_jump_is_located_as_exactly_as_a_small_one(run):
    text = """
    model Jump
      function level input Real x; output Integer k; algorithm k := if x < 0.37 then 3 else 100000; end level;
      Real x(start = 0, fixed = true); Integer k = level(x);
    equation
      der(x) = 1;
    end Jump;"""

    assert times_of(run(text)) == pytest.approx([0.37], abs=1e-9)


def test_what_a_when_clause_calls_is_called_at_its_instants_only(run):
    text = model(
        "Integer k(start = 9, fixed = true), n(start = 9, fixed = true);"
        "equation der(x) = 1; when time >= 0.6 then k = count(x); end when;"
        "algorithm when time >= 0.6 then n := count(x); end when;"
    )
    result = run(text)

    assert times_of(result) == pytest.approx([0.6], abs=1e-9)
    assert [result["k"][0], result["k"][-1], result["n"][0], result["n"][-1]] == [9, 2, 9, 2]
