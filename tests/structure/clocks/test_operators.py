"""Each clock operator with values computed by hand."""

from __future__ import annotations

import pytest
from tests.structure.clocks.conftest import Run, changes, values


def test_sample_takes_the_left_limit_and_hold_keeps_it(run: Run) -> None:
    result = run(
        """Real x(start = 1, fixed = true) "grows by 1 each second, jumps at 0.5";
        Real y = sample(x, Clock(1, 4));
        Real z(start = 7) = sample(2*x);
        Real u = hold(y);
        Real v = hold(w);
        Real w(start = 3) = y + z;
        equation
          der(x) = 1;
          when time >= 0.5 then reinit(x, 10); end when;"""
    )

    assert values(result, "y", [0, 0.2, 0.25, 0.5, 0.75]) == pytest.approx([1, 1, 1.25, 1.5, 10.25])
    assert values(result, "z", [0, 0.25, 0.5]) == pytest.approx([2, 2.5, 3])
    assert values(result, "u", [0.3]) == pytest.approx([1.25])
    assert values(result, "v", [0.3]) == pytest.approx([3.75])


def test_hold_shows_the_start_value_before_the_first_tick(run: Run) -> None:
    result = run(
        """Real y = shiftSample(sample(time + 5, Clock(1, 10)), 3);
        Real s(start = -1) = y;
        Real u = hold(s);""",
        0.5,
    )

    assert values(result, "u", [0, 0.2, 0.3, 0.4]) == pytest.approx([-1, -1, 5.3, 5.4])


def test_previous_starts_with_the_start_value(run: Run) -> None:
    result = run(
        """Integer n(start = 5) = previous(n) + 1;
        Real t = sample(time, Clock(1, 4));
        Integer m = if t > 0.4 then n else 0;"""
    )

    assert values(result, "n", [0, 0.25, 0.5, 0.75, 1.0]) == [6, 7, 8, 9, 10]
    assert values(result, "m", [0.25, 0.5]) == [0, 8]


def test_first_tick_and_interval(run: Run) -> None:
    result = run(
        """Real t = sample(time, Clock(3, 10));
        Boolean first = firstTick(t);
        Real h = interval(t);
        Real slow = subSample(t, 2);
        Real h2 = interval(slow);"""
    )

    assert values(result, "first", [0, 0.3, 0.6]) == [1, 0, 0]
    assert values(result, "h", [0, 0.3]) == [0.3, 0.3]
    assert values(result, "h2", [0, 0.9]) == [0.6, 0.6]


ROUNDED = "Integer y = integer(sample(time + 0.5, Clock(1)));"


def test_sub_and_super_sample(run: Run) -> None:
    result = run(
        f"""{ROUNDED}
        Integer slow = subSample(y, 4);
        Integer quick = superSample(slow, 5);
        Integer n(start = 0) = previous(n) + (if quick > -1 then 1 else 0);""",
        8.5,
    )

    assert changes(result, "y") == [(float(k), float(k)) for k in range(1, 9)]
    assert changes(result, "slow") == [(4.0, 4.0), (8.0, 8.0)]
    assert changes(result, "quick") == [(4.0, 4.0), (8.0, 8.0)]
    # `quick` ticks every 0.8 s: 0, 0.8, ..., 8.0
    assert [t for t, _ in changes(result, "n")] == pytest.approx([0.8 * k for k in range(1, 11)])


def test_shift_sample(run: Run) -> None:
    result = run(
        f"""{ROUNDED}
        Integer shifted(start = -9) = shiftSample(y, 1, 5);
        Integer long(start = -9) = subSample(shiftSample(superSample(y, 5), 1), 5);
        Integer twice(start = -9) = shiftSample(y, 2);""",
        3.5,
    )

    assert changes(result, "shifted") == [(0.2, 0.0), (1.2, 1.0), (2.2, 2.0), (3.2, 3.0)]
    assert changes(result, "long") == changes(result, "shifted")
    assert changes(result, "twice") == [(2.0, 2.0), (3.0, 3.0)]


def test_back_sample(run: Run) -> None:
    result = run(
        f"""{ROUNDED}
        Integer shifted(start = 10) = shiftSample(y, 1, 5);
        Integer back = backSample(shifted, 1, 5);
        Integer later(start = -1) = shiftSample(shifted, 4, 5);""",
        3.5,
    )

    assert values(result, "back", [0, 1, 2, 3]) == [10, 0, 1, 2]
    assert values(result, "later", [0, 1, 2, 3]) == [-1, 0, 1, 2]


def test_no_clock_is_not_delayed_but_sample_of_hold_is(run: Run) -> None:
    result = run(
        """Clock quick = Clock(0.1);
        Clock slow = subSample(quick, 2);
        Real x(start = 0), y(start = 0), z(start = 0);
        equation
          when quick then x = previous(x) + 0.1; end when;
          when slow then y = noClock(x); z = sample(hold(x)); end when;"""
    )

    assert values(result, "y", [0, 0.2, 0.4]) == pytest.approx([0.1, 0.3, 0.5])
    assert values(result, "z", [0, 0.2, 0.4]) == pytest.approx([0, 0.2, 0.4])


def test_seconds_minutes_and_tenths_from_one_clock(run: Run) -> None:
    result = run(
        """Integer second = sample(1, Clock(1));
        Integer seconds(start = -1) = mod(previous(seconds) + second, 60);
        Integer tenths(start = -1) = mod(previous(tenths) + superSample(second, 10), 10);
        Integer minutes(start = -1) = mod(previous(minutes) + subSample(second, 60), 60);""",
        121.5,
        interval=0.5,
    )

    assert values(result, "seconds", [0, 59, 60, 121]) == [0, 59, 0, 1]
    assert values(result, "minutes", [0, 59, 60, 121]) == [0, 0, 1, 2]
    assert values(result, "tenths", [0, 0.5, 60.3, 120.9]) == [0, 5, 3, 9]


def test_parameters_pass_all_conversions(run: Run) -> None:
    result = run(
        """parameter Real p = 4;
        Real x = sample(p, Clock(1, 2)) + previous(p);
        Real y = x + superSample(p, 2);
        Real z = hold(p);"""
    )

    assert result.final("y") == 12
    assert result.final("z") == 4


def test_arrays_are_sampled_as_a_whole(run: Run) -> None:
    result = run(
        """Real u[2] = {time, 2*time};
        Real y[2] = sample(u, Clock(1, 4));
        Real x[2](start = {1, 2}) = previous(x) + y;
        Real h = interval(y);
        Real v[2] = hold(x);"""
    )

    assert values(result, "v[1]", [0, 0.25, 0.5]) == pytest.approx([1, 1.25, 1.75])
    assert values(result, "v[2]", [0.5]) == pytest.approx([3.5])
    assert result.final("h") == 0.25


def test_booleans_and_relations_make_no_events_on_a_clock(run: Run) -> None:
    result = run(
        """Real y = sample(sin(20*time), Clock(1, 10));
        Boolean b = y > 0 or sample(time) > 0.55;
        Integer n(start = 0) = if b then previous(n) + 1 else previous(n);"""
    )

    assert {event.time for event in result.events} == {k / 10 for k in range(11)}
    assert values(result, "b", [0, 0.1, 0.2, 0.3, 0.6]) == [0, 1, 0, 0, 1]
