"""Clocks of every kind, and how they are inferred."""

from __future__ import annotations

from math import asin, pi

import pytest
from tests.structure.clocks.conftest import Run, changes, values


def ticks(result, name: str) -> list[float]:
    return [t for t, _ in changes(result, name)]


def test_periodic_clocks_never_drift(run: Run) -> None:
    result = run(
        """Integer n(start = -1) = previous(n) + sample(1, Clock(1, 10));
        Integer k(start = -1) = previous(k) + superSample(sample(1, Clock(3, 10)), 3);""",
        100.0,
        interval=100.0,
    )

    # Tick k is the number nearest to k/10, and both clocks tick in the same 1001 events.
    assert ticks(result, "n") == [k / 10 for k in range(1, 1001)]
    assert ticks(result, "k") == ticks(result, "n")
    assert len(result.events) == 1001


def test_clocks_start_with_the_simulation(run: Run) -> None:
    result = run("Integer n(start = -1) = previous(n) + sample(1, Clock(1, 4));", 2.0, start=1.1)

    assert ticks(result, "n") == pytest.approx([1.35, 1.6, 1.85])


def test_an_interval_may_be_a_parameter_that_is_changed_later(run: Run) -> None:
    text = """parameter Real h = 0.5;
        Clock c = Clock(h);
        Integer n(start = -1) = previous(n) + sample(1, c);
        Integer k(start = -1) = previous(k) + superSample(sample(1, c), 2);
        Real dt = interval(n);"""

    slow, quick = run(text), run(text, params={"h": 0.2})

    assert ticks(slow, "n") == [0.5, 1.0]
    assert ticks(slow, "k") == [0.25, 0.5, 0.75, 1.0]
    assert ticks(quick, "n") == pytest.approx([0.2, 0.4, 0.6, 0.8, 1.0])
    assert quick.final("dt") == 0.2


def test_steps_told_by_a_counter(run: Run) -> None:
    """Ticks at 0, 0.003, 0.007, 0.012: each counter tells the next."""
    result = run(
        """Integer counter(start = 2);
        Real y(start = 0), h;
        equation
          when Clock(counter, 1000) then
            counter = previous(counter) + 1;
            y = previous(y) + 1;
            h = interval();
          end when;""",
        0.02,
    )

    assert ticks(result, "y") == pytest.approx([0.003, 0.007, 0.012, 0.018], abs=1e-15)
    assert values(result, "h", [0, 0.003, 0.007]) == pytest.approx([0.002, 0.003, 0.004])


def test_steps_told_by_a_time(run: Run) -> None:
    result = run(
        """Real next(start = 0.002), y(start = 0);
        equation
          when Clock(next) then
            next = previous(next) + 1e-3;
            y = previous(y) + 1;
          end when;""",
        0.02,
    )

    assert ticks(result, "y") == pytest.approx([0.003, 0.007, 0.012, 0.018], abs=1e-15)


def test_steps_are_split_and_shifted(run: Run) -> None:
    """u ticks at 0, 2, 3, 4, ...; the shifted clock at 2.5, 3.5, ..."""
    result = run(
        """Integer counter(start = 2), n(start = 0), m(start = 0), quick(start = 0);
        Clock u = Clock(counter, 1);
        Clock s = shiftSample(u, 3, 2);
        Clock q = superSample(u, 2);
        equation
          when u then
            n = previous(n) + 1;
            counter = if n >= 2 then 1 else previous(counter);
          end when;
          when s then m = previous(m) + 1; end when;
          when q then quick = previous(quick) + 1; end when;""",
        6.2,
    )

    assert ticks(result, "n") == pytest.approx([2, 3, 4, 5, 6])
    assert ticks(result, "m") == pytest.approx([2.5, 3.5, 4.5, 5.5])
    assert ticks(result, "quick") == pytest.approx([1, 2, 2.5, 3, 3.5, 4, 4.5, 5, 5.5, 6])


def test_event_clock_ticks_after_its_condition(run: Run) -> None:
    result = run(
        """Boolean b = time >= 0.5;
        Clock c = Clock(b);
        Boolean seen = sample(b, c);
        Real when_ = sample(time, c);"""
    )

    assert changes(result, "seen") == [(0.5, 1.0)]
    assert result.final("when_") == 0.5


def test_event_clock_of_a_crossing_with_slower_clocks(run: Run) -> None:
    result = run(
        """Real x(start = 0, fixed = true), v(start = 1, fixed = true);
        Clock u = Clock(x > 0.1, startInterval = 0.125);
        Integer n(start = 0);
        Integer half(start = 0);
        Integer late(start = 0);
        Real h;
        equation
          der(x) = v; der(v) = -39.47841760435743*x;
          when u then n = previous(n) + 1; h = interval(); end when;
          when subSample(u, 2) then half = previous(half) + 1; end when;
          when shiftSample(u, 2) then late = previous(late) + 1; end when;""",
        4.0,
        solver="dopri5",
    )

    # x = sin(2 pi t)/(2 pi) rises through 0.1 once in each second.
    first = asin(0.2 * pi) / (2 * pi)
    assert [v for _, v in changes(result, "n")] == [1, 2, 3, 4]
    assert [t for t, _ in changes(result, "n")] == pytest.approx(
        [first + k for k in range(4)], abs=1e-5
    )
    assert [v for _, v in changes(result, "half")] == [1, 2]
    assert [t for t, _ in changes(result, "half")] == pytest.approx([first, first + 2], abs=1e-5)
    assert [t for t, _ in changes(result, "late")] == pytest.approx(
        [first + 2, first + 3], abs=1e-5
    )
    assert values(result, "h", [0.5, 3.5]) == pytest.approx([0.125, 1.0], abs=1e-5)


def test_event_clock_counts_revolutions(run: Run) -> None:
    result = run(
        """Real angle(start = 0.5, fixed = true);
        Integer turns = integer(angle);
        Clock u = Clock(change(turns), startInterval = 0.125);
        Integer n(start = 0), half(start = 0), late(start = 0);
        Real h;
        equation
          der(angle) = 2;
          when u then n = previous(n) + 1; h = interval(); end when;
          when subSample(u, 2) then half = previous(half) + 1; end when;
          when shiftSample(u, 2) then late = previous(late) + 1; end when;""",
        2.1,
    )

    assert ticks(result, "n") == pytest.approx([0.25, 0.75, 1.25, 1.75])
    assert ticks(result, "half") == pytest.approx([0.25, 1.25])
    assert ticks(result, "late") == pytest.approx([1.25, 1.75])
    assert values(result, "h", [0.3, 0.8]) == pytest.approx([0.125, 0.5])


def test_arrays_and_choices_of_clocks(run: Run) -> None:
    result = run(
        """parameter Integer f = -2;
        Clock c[2] = {Clock(1, 4), Clock(1, 2)};
        Clock d = if f > 0 then subSample(c[2], f) elseif f < 0 then superSample(c[2], -f) else c[2];
        Integer n(start = -1) = previous(n) + sample(1, c[1]);
        Integer m(start = -1) = previous(m) + sample(1, d);"""
    )

    assert ticks(result, "n") == ticks(result, "m") == [0.25, 0.5, 0.75, 1.0]


def test_a_factor_is_inferred_between_two_clocks(run: Run) -> None:
    result = run(
        """Real u = sample(time, Clock(1, 10));
        Real y = subSample(u) + sample(0, Clock(3, 10));
        Real z = superSample(y) + sample(0, Clock(1, 10));"""
    )

    assert values(result, "y", [0, 0.2, 0.3, 0.9]) == pytest.approx([0, 0, 0.3, 0.9])
    assert values(result, "z", [0.4, 0.7]) == pytest.approx([0.3, 0.6])


def test_without_any_clock_a_second_is_assumed(run: Run) -> None:
    result = run("Integer n(start = -1) = previous(n) + 1;", 2.5)

    assert ticks(result, "n") == [1.0, 2.0]


def test_equations_on_a_clock_may_be_of_any_form(run: Run) -> None:
    """A linear pair, a nonlinear one and an unknown inside a product."""
    result = run(
        """Real u = sample(time, Clock(1, 4));
        Real a, b, c(start = 1), d(start = 1), e(start = 2);
        equation
          when Clock() then
            a + b = u;
            a - 2*b = 3*u + 3;
            c + d = 3 + u;
            c*d = 2 + u;
            3*e + u = 6;
          end when;"""
    )

    assert values(result, "a", [0, 0.5]) == pytest.approx([1, 11 / 6])
    assert values(result, "b", [0, 0.5]) == pytest.approx([-1, -4 / 3])
    assert values(result, "e", [0.5]) == pytest.approx([5.5 / 3])
    for t in (0, 0.5, 1):
        [c], [d] = values(result, "c", [t]), values(result, "d", [t])
        assert (c + d, c * d) == pytest.approx((3 + t, 2 + t), rel=1e-6)


def test_algorithms_on_a_clock(run: Run) -> None:
    result = run(
        """Real u = sample(time, Clock(1, 4));
        Integer n(start = 0);
        Real y;
        algorithm
          n := previous(n) + 1;
          y := u;
          if n > 2 then y := y + 10*n; end if;"""
    )

    assert values(result, "n", [0, 0.5]) == [1, 3]
    assert values(result, "y", [0, 0.25, 0.5]) == pytest.approx([0, 0.25, 30.5])


def test_when_of_a_condition_inside_a_clocked_partition(run: Run) -> None:
    result = run(
        """Real u = sample(sin(10*time), Clock(1, 20));
        Integer n(start = 0);
        equation
          when u > 0.5 then n = pre(n) + 1; end when;"""
    )

    # sin(10 t) at multiples of 0.05 is above 0.5 from 0.1 and again from 0.7 on.
    assert ticks(result, "n") == pytest.approx([0.05 * 2, 0.7])
