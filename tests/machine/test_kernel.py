"""Each kernel agrees with itself run by CPython."""

import ctypes
import math

import numpy as np
import pytest

from freewheel.machine import cache
from freewheel.machine.jit import compile_text
from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Floats, Function, Int, Ints

module = KernelModule("tests")
LIMIT = 7


@module.kernel
def axpy(n: Int, a: Float, x: Floats, y: Floats) -> None:
    """y += a x"""
    for i in range(n):
        y[i] += a * x[i]


@module.kernel
def collatz(n: Int) -> Int:
    steps = 0
    while n != 1:
        if n % 2 == 0:
            n = n // 2
        else:
            n = 3 * n + 1
        steps += 1
        if steps > 1000:
            break
    return steps


@module.kernel
def mixed(x: Float, k: Int) -> Float:
    total = 0.0
    for i in range(10, 0, -2):
        if i == 4 or (i > LIMIT and not x > 0.0):
            continue
        total += min(x, float(i)) ** 2 + max(1, i, k) - (1.0 if x > 2.0 and i > 5 else 0.5)
    return total + sqrt(abs(x)) + sin(x) * exp(-x) + atan2(x, 2.0) + x**3


@module.kernel
def tail_sum(n: Int, x: Floats, counts: Ints) -> Float:
    y = x[1:]
    total = 0.0
    for i in range(n - 1):
        total += y[i] * counts[i]
    return total


@module.kernel
def apply(f: Function, memory: Floats, n: Int) -> Int:
    status = 0
    for i in range(n):
        status += f(memory[i:])
    return status


@module.kernel
def count(places: Ints, number: Int) -> Int:
    places[0] += 1
    return number


@module.kernel
def chosen(places: Ints, x: Float) -> Int:
    first = count(places, 10) if x > 1.0 else 20
    second = -1 if x > 0.0 else count(places[1:], 2) + (count(places[2:], 30) if x < -1.0 else 0)
    return first + second


@module.kernel
def of_two_types(places: Ints, x: Float) -> Float:
    return 0.5 if x > 0.0 else count(places, 3)


@module.kernel
def nested(n: Int, x: Floats) -> Float:
    axpy(n, 2.0, x, x)
    return x[0] + mixed(x[n - 1], n)


sqrt, sin, exp, atan2 = math.sqrt, math.sin, math.exp, math.atan2


def pointer(array):
    return array.ctypes.data


def test_arrays_are_changed_in_place():
    x, y = np.arange(5.0), np.ones(5)
    z = y.copy()
    module.callable("axpy")(5, 0.5, pointer(x), pointer(y))
    axpy(5, 0.5, x, z)
    assert y.tolist() == z.tolist() == [1.0, 1.5, 2.0, 2.5, 3.0]


@pytest.mark.parametrize("n", [1, 7, 27, 97])
def test_loops_branches_and_integers(n):
    assert module.callable("collatz")(n) == collatz(n)


@pytest.mark.parametrize("x", [-3.5, 0.0, 0.3, 2.5, 40.0])
def test_floats_choices_and_functions(x):
    assert module.callable("mixed")(x, 3) == pytest.approx(mixed(x, 3), rel=1e-15)


def test_the_rest_of_an_array():
    x, counts = np.array([9.0, 1.0, 2.0, 3.0]), np.array([1, 10, 100])
    compiled = module.callable("tail_sum")(4, pointer(x), pointer(counts))
    assert compiled == tail_sum(4, x, counts) == 321.0


def test_functions_can_be_handed_in():
    memory = np.array([1.0, 2.0, 3.0])
    seen = []

    def status(address):
        seen.append(ctypes.cast(address, ctypes.POINTER(ctypes.c_double))[0])
        return 2

    callback = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p)(status)
    address = ctypes.cast(callback, ctypes.c_void_p).value
    assert module.callable("apply")(address, pointer(memory), 3) == 6
    assert seen == [1.0, 2.0, 3.0]


def test_kernels_call_kernels():
    x = np.array([1.0, 2.0])
    y = x.copy()
    assert module.callable("nested")(2, pointer(x)) == pytest.approx(nested(2, y), rel=1e-15)


@pytest.mark.parametrize("x", [2.0, 0.5, -0.5, -2.0])
def test_of_a_choice_only_one_side_is_called(x):
    by_machine, by_python = np.zeros((2, 3), dtype=np.int64)
    assert module.callable("chosen")(pointer(by_machine), x) == chosen(by_python, x)
    assert by_machine.tolist() == by_python.tolist()
    assert module.callable("of_two_types")(pointer(by_machine), x) == of_two_types(by_python, x)
    assert by_machine.tolist() == by_python.tolist()


def test_a_chosen_call_keeps_the_type_of_the_other_side():
    wrong = KernelModule("of_two_types")

    @wrong.kernel
    def truncating(x: Float) -> Float:
        return 1 if x > 0.0 else sin(x)

    with pytest.raises(TypeError, match="both sides are of one type"):
        wrong.text()


def test_unknown_constructs_are_named_with_their_line():
    strange = KernelModule("strange")

    @strange.kernel
    def f(x: Float) -> Float:
        return {"a": x}["a"]

    line = f.__code__.co_firstlineno + 2  # of the file
    with pytest.raises(TypeError, match=f"kernel f, line {line}: not in the kernel language"):
        strange.text()


def test_compiling_beside_other_work_gives_the_same_code(tmp_path, monkeypatch):
    monkeypatch.setenv("FREEWHEEL_CACHE", str(tmp_path))
    beside = KernelModule("beside")

    @beside.kernel
    def thrice(x: Float) -> Float:
        return 3.0 * x

    beside.begin()
    beside.begin()  # once is enough
    assert beside.callable("thrice")(2.0) == 6.0
    assert len(list(cache.cache_folder().iterdir())) == 1


def test_what_cannot_be_compiled_beside_other_work_is_told_when_asked_for():
    strange = KernelModule("strange beside")

    @strange.kernel
    def f(x: Float) -> Float:
        return [x][0]

    strange.begin()
    with pytest.raises(TypeError, match="not in the kernel language"):
        strange.compile()


TWICE = "define double @twice(double %x) {\n  %y = fadd double %x, %x\n  ret double %y\n}\n"


def test_object_code_is_kept_and_a_damaged_entry_is_made_anew(tmp_path, monkeypatch):
    monkeypatch.setenv("FREEWHEEL_CACHE", str(tmp_path))
    assert not compile_text(TWICE).from_cache
    again = compile_text(TWICE)
    assert again.from_cache
    assert again.function("twice", "double", ["double"])(21.0) == 42.0
    (entry,) = cache.cache_folder().iterdir()
    entry.write_bytes(entry.read_bytes()[:-3] + b"bad")
    damaged = compile_text(TWICE)
    assert not damaged.from_cache
    assert damaged.function("twice", "double", ["double"])(1.5) == 3.0


def test_quick_code_gives_way_to_better_code(tmp_path, monkeypatch):
    monkeypatch.setenv("FREEWHEEL_CACHE", str(tmp_path))
    quick = KernelModule("tests of quick code", exports=("square_sum",), quick_first=True)
    quick.kernel(square_sum)
    quick.kernel(unused)
    assert "@unused" not in quick.text()
    numbers = np.arange(5.0)
    before = quick.callable("square_sum")
    assert not quick.is_best
    quick.improve()
    quick.improve()  # asked again: still once
    assert quick._thread is not None
    quick._thread.join()
    after = quick.callable("square_sum")
    assert quick.is_best
    assert after is not before
    assert before(5, numbers.ctypes.data) == after(5, numbers.ctypes.data) == 30.0

    again = KernelModule("tests of quick code", exports=("square_sum",), quick_first=True)
    again.kernel(square_sum)
    again.kernel(unused)
    again.compile()
    assert again.is_best  # kept from before


def square_sum(n: Int, x: Floats) -> Float:
    total = 0.0
    for i in range(n):
        total += x[i] * x[i]
    return total


def unused(x: Float) -> Float:
    return x + 1.0
