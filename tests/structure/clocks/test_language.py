"""Clocks together with the rest of the language: records, loops, functions, actions."""

from __future__ import annotations

import pytest
from tests.structure.clocks.conftest import Run, values

QUARTERS = [0, 0.25, 0.5, 0.75, 1.0]


def test_records_are_sampled_and_remembered_field_by_field(run: Run) -> None:
    result = run(
        """record R Real a(start = 1); Real b(start = 2); end R;
        R r, q, s = sample(R(time, 2*time), Clock(1, 2));
        equation
          r = previous(q);
          q.a = s.a + r.a;
          q.b = s.b + r.b;"""
    )

    assert values(result, "r.a", [0, 0.5, 1]) == [1, 1, 1.5]
    assert values(result, "q.b", [0, 0.5, 1]) == [2, 3, 5]


def test_if_and_for_inside_a_clocked_when(run: Run) -> None:
    result = run(
        """Real x(start = 0), y, z[3](each start = 0);
        Real u = sample(time, Clock(1, 4));
        equation
          when Clock() then
            if u > 0.4 then
              x = previous(x) + 1; y = u;
            else
              x = previous(x); y = -u;
            end if;
            for i in 1:3 loop z[i] = previous(z[i]) + i; end for;
          end when;"""
    )

    assert values(result, "x", QUARTERS) == [0, 0, 1, 2, 3]
    assert values(result, "y", QUARTERS) == [0, -0.25, 0.5, 0.75, 1]
    assert values(result, "z[3]", QUARTERS) == [3, 6, 9, 12, 15]


def test_a_loop_over_clocks(run: Run) -> None:
    result = run(
        """Real x[2](each start = 0);
        Clock c[2] = {Clock(1, 2), Clock(1, 4)};
        equation
          for i in 1:2 loop x[i] = previous(x[i]) + sample(i, c[i]); end for;"""
    )

    assert values(result, "x[1]", QUARTERS) == [1, 1, 2, 2, 3]
    assert values(result, "x[2]", QUARTERS) == [2, 4, 6, 8, 10]


def test_matrices_and_functions_of_several_results(run: Run) -> None:
    result = run(
        """function f input Real x; output Real a; output Real b; algorithm a := x + 1; b := 2*x; end f;
        parameter Real A[2, 2] = [0.5, 0.1; 0, 0.8];
        Real x[2](start = {1, 1}), a, b, u = sample(time, Clock(1, 4));
        equation
          x = A*previous(x) + {u, 0};
          (a, b) = f(u);"""
    )

    assert values(result, "x[1]", [0, 0.25]) == pytest.approx([0.6, 0.63])
    assert values(result, "x[2]", [0, 0.25]) == pytest.approx([0.8, 0.64])
    assert values(result, "b", [0.5]) == [1]


def test_an_algorithm_that_is_no_formula(run: Run) -> None:
    result = run(
        """Real u = sample(time, Clock(1, 4)), y, h;
        Integer n(start = 0);
        algorithm
          n := previous(n) + 1;
          y := 0;
          h := interval(u);
          for i in 1:10 loop
            if i > n then break; end if;
            y := y + u;
          end for;"""
    )

    assert values(result, "n", QUARTERS) == [1, 2, 3, 4, 5]
    assert values(result, "y", QUARTERS) == [0, 0.5, 1.5, 3, 5]
    assert result.final("h") == 0.25


def test_enumerations(run: Run) -> None:
    result = run(
        """type E = enumeration(red, green, blue);
        E e(start = E.green), f = previous(e);
        Real u = sample(time, Clock(1, 4));
        equation
          e = if u > 0.4 then E.blue elseif u > 0.2 then previous(e) else E.red;"""
    )

    assert values(result, "e", QUARTERS) == [1, 1, 3, 3, 3]
    assert values(result, "f", QUARTERS) == [2, 1, 1, 3, 3]


def test_asserts_are_judged_at_ticks(run: Run) -> None:
    result = run(
        """Real x(start = 0) = previous(x) + sample(1, Clock(1, 4));
        equation
          assert(x < 4, "x is " + String(x), AssertionLevel.warning);"""
    )

    assert [w.message for w in result.warnings] == ["x is 4", "x is 5"]


def test_terminate_at_a_tick(run: Run) -> None:
    result = run(
        """Real x(start = 0);
        equation
          when Clock(1, 4) then
            x = previous(x) + 1;
            if x > 2.5 then terminate("enough"); end if;
          end when;"""
    )

    assert result.time[-1] == 0.5
    assert result.final("x") == 3


def test_inputs_of_the_model_are_sampled(run: Run) -> None:
    result = run("input Real u; Real y = sample(u, Clock(1, 4)) + previous(y);", inputs={"u": 3.0})

    assert values(result, "y", QUARTERS) == [3, 6, 9, 12, 15]


def test_an_inner_clock(run: Run) -> None:
    result = run(
        """inner Clock c = Clock(1, 4);
        block B outer Clock c; Real x(start = 0); equation when c then x = previous(x) + 1; end when;
        end B;
        B b1, b2;"""
    )

    assert values(result, "b1.x", QUARTERS) == values(result, "b2.x", QUARTERS) == [1, 2, 3, 4, 5]


def test_arguments_by_name(run: Run) -> None:
    result = run(
        """Real u = sample(time, clock = Clock(interval = 1));
        Real v(start = 9) = shiftSample(u, shiftCounter = 1, resolution = 4);
        Real w = backSample(v, backCounter = 1, resolution = 4);
        Clock c = Clock(intervalCounter = 2, resolution = 5);
        Real q(start = 0) = previous(q) + sample(1, c);
        Clock d = Clock(condition = time > 0.3, startInterval = 0.2);
        Real e = sample(time, d);""",
        2.0,
    )

    assert values(result, "v", [0, 0.25, 1.25]) == [9, 0, 1]
    assert values(result, "w", [0, 1, 2]) == [9, 0, 1]
    assert values(result, "q", [0, 0.4, 2.0]) == [1, 2, 6]
    assert values(result, "e", [0.2, 0.5]) == pytest.approx([0, 0.3])


def test_a_condition_that_does_not_matter_still_tells_the_clock(run: Run) -> None:
    result = run(
        """Boolean u = sample(true, Clock(1, 4));
        Boolean y(start = false) = if u then not previous(y) else not previous(y);
        Real x(start = 0) = previous(x) + 1 + 0*z, z = sample(time, Clock(1, 2));"""
    )

    assert values(result, "y", QUARTERS) == [1, 0, 1, 0, 1]
    assert values(result, "x", QUARTERS) == [1, 1, 2, 2, 3]


def test_values_between_two_base_clocks_pass_through_hold(run: Run) -> None:
    result = run(
        """Real a(start = 1) = previous(a) + sample(hold(b), Clock(1, 4));
        Real b(start = 1) = previous(b) + sample(hold(a), Clock(1, 2));"""
    )

    # At 0 both see the other's start value; at 0.5 the other's last value.
    assert values(result, "a", [0, 0.25, 0.5]) == [2, 4, 6]
    assert values(result, "b", [0, 0.25, 0.5]) == [2, 2, 6]
