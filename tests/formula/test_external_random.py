"""Random numbers by C name: laws of the generators, and that an instant may be computed twice."""

import pytest

from freewheel.base.diagnostics import CompileError
from freewheel.formula.external_random import RANDOM, replay
from freewheel.formula.values import array_of

PURE = {
    "ModelicaRandom_xorshift64star": 2,
    "ModelicaRandom_xorshift128plus": 4,
    "ModelicaRandom_xorshift1024star": 33,
}


def numbers(name: str, seed: int, count: int) -> list[float]:
    size = PURE[name]
    state = array_of(
        [*((seed * (i + 1)) % 2**31 - 2**30 for i in range(size - size % 2)), 0][:size]
    )
    result = []
    for _ in range(count):
        state, number = RANDOM[name](state)
        result.append(number)
    return result


@pytest.mark.parametrize("name", PURE)
def test_numbers_are_uniform(name):
    found = numbers(name, 1234567, 4000)[100:]
    mean = sum(found) / len(found)
    variance = sum((x - mean) ** 2 for x in found) / len(found)

    assert all(0.0 < x < 1.0 for x in found)
    assert mean == pytest.approx(0.5, abs=0.02)
    assert variance == pytest.approx(1 / 12, abs=0.005)
    assert len(set(found)) == len(found)


@pytest.mark.parametrize("name", PURE)
def test_the_state_decides_everything(name):
    assert numbers(name, 42, 20) == numbers(name, 42, 20)
    assert numbers(name, 42, 20) != numbers(name, 43, 20)


def test_xorshift64star_step_by_hand():
    """From 1: x ^= x>>12, x ^= x<<25, x ^= x>>27 gives 2**25 + 1; times the multiplier."""
    state, number = RANDOM["ModelicaRandom_xorshift64star"](array_of([1, 0]))
    word = (2**25 + 1) * 2685821657736338717 % 2**64

    assert [int(part) % 2**32 for part in state.elements] == [word % 2**32, word >> 32]
    assert number == pytest.approx((word - 2**64 * (word >= 2**63)) / 2**64 + 0.5, abs=1e-15)


def started(seed: int) -> None:
    state = array_of([*((seed * (i + 3)) % 2**31 for i in range(32)), 0])
    RANDOM["ModelicaRandom_setInternalState_xorshift1024star"](state, 33, 7)


def test_a_pass_that_is_repeated_sees_the_same_numbers():
    started(99)
    draw = RANDOM["ModelicaRandom_impureRandom_xorshift1024star"]
    replay(0.1)
    first = [draw(7), draw(7)]
    replay(0.1)
    again = [draw(7), draw(7)]
    replay(0.1)  # a pass that asks for none leaves them taken
    replay(0.2)

    assert again == first
    assert draw(7) not in first


def test_impure_numbers_need_a_start():
    started(5)

    with pytest.raises(CompileError):
        RANDOM["ModelicaRandom_impureRandom_xorshift1024star"](8)
