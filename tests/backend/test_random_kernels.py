"""Generators of random numbers: kernels agree with the reference, in CPython and compiled."""

import numpy as np
import pytest

from freewheel.backend.random_kernels import RANDOM, RANDOM_CALLS
from freewheel.formula.external_random import RANDOM as REFERENCE
from freewheel.formula.values import array_of


@pytest.mark.parametrize("name", RANDOM_CALLS)
@pytest.mark.parametrize("is_compiled", [False, True], ids=["CPython", "compiled"])
def test_kernels_follow_the_reference(name, is_compiled):
    kernel, size = RANDOM_CALLS[name]
    draw = RANDOM.callable(kernel) if is_compiled else RANDOM.kernels[kernel]
    generator = np.random.default_rng(3)
    state = np.array(generator.integers(-(2**31), 2**31, size), dtype=float)
    if size == 33:
        state[32] = 0.0
    expected = array_of([int(x) for x in state])
    out = np.zeros(size + 1)
    for _ in range(200):
        draw(*((state.ctypes.data, out.ctypes.data) if is_compiled else (state, out)))
        expected, number = REFERENCE[name](expected)

        assert out[0] == number
        assert out[1:].tolist() == [float(x) for x in expected.elements]
        state[:] = out[1:]
