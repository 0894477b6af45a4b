"""Random numbers and spectra that libraries call by C name.

    RANDOM["ModelicaRandom_xorshift64star"](array_of([s1, s2]))  ->  (new state, number in (0, 1))

The generators are Vigna's xorshift64*, xorshift128+ and xorshift1024* ("An experimental exploration
of Marsaglia's xorshift generators, scrambled"). A state is a row of signed 32 bit numbers, the low half
of each 64 bit word first. The 64* generator keeps the scrambled word as its state.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import local
from typing import Any

from freewheel.formula.faults import not_computable
from freewheel.formula.statement_nodes import Function
from freewheel.formula.values import ArrayValue, array_of

DRAW = "ModelicaRandom_impureRandom_xorshift1024star"
_MASK = 2**64 - 1


def _words(state: ArrayValue, count: int) -> list[int]:
    halves = [int(number) % 2**32 for number in state.elements[: 2 * count]]
    return [halves[2 * i] | halves[2 * i + 1] << 32 for i in range(count)]


def _halves(words: list[int]) -> list[int]:
    parts = [part for word in words for part in (word % 2**32, word >> 32)]
    return [part - 2**32 if part >= 2**31 else part for part in parts]


def _number(word: int) -> float:
    """A 64 bit word read as signed, scaled to one around one half."""
    signed = word - 2**64 if word >= 2**63 else word
    return signed * 2.0**-64 + 0.5


def xorshift64star(state: ArrayValue) -> tuple[Any, float]:
    (x,) = _words(state, 1)
    x ^= x >> 12
    x ^= x << 25 & _MASK
    x ^= x >> 27
    x = x * 2685821657736338717 & _MASK
    return array_of(_halves([x])), _number(x)


def xorshift128plus(state: ArrayValue) -> tuple[Any, float]:
    s1, s0 = _words(state, 2)
    s1 ^= s1 << 23 & _MASK
    new = (s1 ^ s0 ^ (s1 >> 17) ^ (s0 >> 26)) + s0 & _MASK
    return array_of(_halves([s0, new])), _number(new)


def _step_1024(words: list[int], at: int) -> tuple[int, float]:
    """One step in place; the new position and the number."""
    s0 = words[at % 16]
    at = (at + 1) % 16
    s1 = words[at]
    s1 ^= s1 << 31 & _MASK
    s1 ^= s1 >> 11
    s0 ^= s0 >> 30
    words[at] = s0 ^ s1
    return at, _number(words[at] * 1181783497276652981 & _MASK)


def xorshift1024star(state: ArrayValue) -> tuple[Any, float]:
    words = _words(state, 16)
    at, number = _step_1024(words, int(state.elements[32]))
    return array_of([*_halves(words), at]), number


class _Impure(local):
    """The one generator that keeps its state itself, as the library's interface asks for; each thread
    has its own, so that runs beside each other do not draw from the same."""

    def __init__(self) -> None:
        self.words: list[int] = []
        self.at = 0
        self.id: int | None = None
        self.held: tuple[float, list[int], int] | None = None  # time of a pass, state before it
        self.is_again = False  # the next number is the first of that pass

    def replay(self, t: float) -> None:
        """A pass over the discrete equations begins. An instant may need several, or one again: all
        of them see the same numbers."""
        if self.held is not None and self.held[0] == t:
            self.is_again = True
        else:
            self.held = (t, list(self.words), self.at)
            self.is_again = False

    def start(self, state: ArrayValue, size: int, id: int) -> tuple[()]:
        self.words, self.at, self.id = _words(state, 16), int(state.elements[32]), id
        self.held, self.is_again = None, False
        return ()

    def next(self, id: int) -> float:
        if id != self.id:
            raise not_computable("impure random numbers are used before they are initialised")
        if self.is_again and self.held is not None:
            self.words, self.at = list(self.held[1]), self.held[2]
            self.is_again = False
        self.at, number = _step_1024(self.words, self.at)
        return number

    def state(self) -> list[Any]:
        """As JSON has it, for a run that is saved or makes way for another."""
        return [self.words, self.at, self.id, self.held, self.is_again]

    def take_state(self, saved: list[Any]) -> None:
        self.words, self.at, self.id, self.held, self.is_again = saved


_impure = _Impure()
replay = _impure.replay


def generator_state(saved: Any) -> list[Any]:
    """From what was read; ValueError or TypeError where it is none. Empty: a generator not yet begun."""
    if not saved:
        return []
    words, at, id, held, is_again = saved
    before = None if held is None else (float(held[0]), _read_words(held[1]), int(held[2]) % 16)
    own = None if id is None else int(id)
    return [_read_words(words), int(at) % 16, own, before, bool(is_again)]


def _read_words(words: Any) -> list[int]:
    if len(words) not in (0, 16):
        raise ValueError("random numbers")
    return [int(word) & _MASK for word in words]


@contextmanager
def own_generator(saved: list[Any]) -> Iterator[list[Any]]:
    """The generator as another run has left it, of which nobody else draws meanwhile; `saved` is what it has
    become afterwards."""
    others = _impure.state()
    if saved:
        _impure.take_state(saved)
    try:
        yield saved
    finally:
        saved[:] = _impure.state()
        _impure.take_state(others)


def draws(function: Function) -> bool:
    """Does a function take a number from the generator that keeps its state itself?"""
    return function.external is not None and function.external.name == DRAW


def real_spectrum(u: ArrayValue, count: int, work: Any, size: int) -> tuple[int, Any, Any]:
    """Amplitudes and phases of a real signal; info 1 where the count is odd."""
    import numpy as np  # only where needed

    half = count // 2 + 1
    if count % 2:
        return 1, array_of([0.0] * half), array_of([0.0] * half)
    spectrum = np.fft.rfft(np.array(u.elements, dtype=float))
    return 0, array_of(np.abs(spectrum) / half), array_of(np.angle(spectrum))


RANDOM: dict[str, Callable[..., Any]] = {
    "ModelicaRandom_xorshift64star": xorshift64star,
    "ModelicaRandom_xorshift128plus": xorshift128plus,
    "ModelicaRandom_xorshift1024star": xorshift1024star,
    "ModelicaRandom_setInternalState_xorshift1024star": _impure.start,
    DRAW: _impure.next,
    # Runs shall be repeatable, so the "automatic" seed is the same each time.
    "ModelicaRandom_automaticGlobalSeed": lambda dummy: 20241115,
    "ModelicaFFT_kiss_fftr": real_spectrum,
}
