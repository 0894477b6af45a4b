"""Polynomials as values of events."""

import math
import random

import pytest

from freewheel.base.source import Source
from freewheel.devs import PASSIVE, Atomic, Coupled, Polynomial, simulate
from freewheel.devs.cdpp.event_files import read_events, write_events


def test_a_polynomial_is_told_from_its_event_on():
    p = Polynomial(1.0, -3.0, 1.0)

    assert p.order == 2
    assert p.at(2.0) == -1.0
    assert p.shifted(2.0) == Polynomial(-1.0, 1.0, 1.0)
    assert p.derivative() == Polynomial(-3.0, 2.0)
    assert p.derivative().integral(1.0) == p
    assert p.truncated(1) == Polynomial(1.0, -3.0)


def test_polynomials_add_up_and_are_scaled():
    p, q = Polynomial(1.0, 2.0), Polynomial(0.5, 0.0, 3.0)

    assert p + q == q + p == Polynomial(1.5, 2.0, 3.0)
    assert p - q == Polynomial(0.5, 2.0, -3.0)
    assert 2.0 * p == p * 2.0 == Polynomial(2.0, 4.0)
    assert p + 1.0 == Polynomial(2.0, 2.0)


def test_a_polynomial_never_changes():
    p = Polynomial(1.0)

    with pytest.raises(AttributeError):
        p.coefficients = (2.0,)
    assert {p: 1}[Polynomial(1)] == 1


@pytest.mark.parametrize("seed", range(200))
def test_it_leaves_a_band_when_the_first_root_says(seed):
    """Held against fine sampling."""
    dice = random.Random(seed)
    order = dice.randint(0, 3)
    size = 10.0 ** dice.randint(-6, 6)
    p = Polynomial(dice.uniform(-1, 1) * size, *(dice.uniform(-1, 1) * size for _ in range(order)))
    bound = 1.2 * size

    time = p.leaves(bound)

    if time == math.inf:
        assert all(abs(p.at(t)) < bound for t in (1.0, 10.0, 1e3))
        return
    assert abs(p.at(time)) == pytest.approx(bound, rel=1e-9)
    assert all(abs(p.at(time * k / 999.0)) <= bound * (1 + 1e-12) for k in range(999))


def test_a_higher_order_has_no_exit_but_all_else():
    p = Polynomial(0.0, 0.0, 0.0, 0.0, 1.0)

    assert p.shifted(1.0).at(1.0) == 16.0
    with pytest.raises(ValueError, match="order 3 at most"):
        p.leaves(1.0)


class Follower(Atomic):
    """The resistance of the paper: effort(t) = a t + b from each input on, here of any order."""

    inputs, outputs = ("flow",), ("effort",)

    def start(self):
        return None

    def time_advance(self, state):
        return PASSIVE if state is None else 0.0

    def output(self, state):
        return (("effort", state * 4.0),)

    def internal(self, state):
        return None

    def external(self, state, elapsed, events):
        return events[-1][1]


def test_users_may_send_polynomials_of_any_order():
    pieces = [(0.0, "in", Polynomial(1.0, 2.0, 0.0, 0.5)), (2.0, "in", Polynomial(9.0, -1.0))]
    model = Coupled({"r": Follower()}, ("in -> r.flow", "r.effort -> out"), ("in",), ("out",))

    found = simulate(model, 3.0, events=pieces).at("out")

    assert found == [(0.0, Polynomial(4.0, 8.0, 0.0, 2.0)), (2.0, Polynomial(36.0, -4.0))]


def test_files_of_events_hold_polynomials():
    events = [(0.5, "v", Polynomial(1.0, -0.25)), (1.0, "w", 2.0)]

    text = write_events(events)

    assert text.splitlines()[0].endswith("v 1.0;-0.25")
    assert list(read_events(Source.from_text(text))) == events
