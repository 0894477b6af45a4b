"""Tables of numbers as text, compiled: the shortest digits that read back exactly, as `repr` writes.

    table_text(data, rows, signs, offsets, whole)      # b"0.0,1.5\\n0.1,1.25\\n"

Three tries, after Clinger (1990) and Dekker (1971): fifteen digits, checked by one exact division or
multiplication; else sixteen or seventeen from the product with a power of ten held in two doubles,
sixteen where they lie within half a unit in the last place. Characters are packed eight to a word
because kernels know no bytes. Numbers below 1e-280 or above 1e280 are left to `repr`.
"""

from __future__ import annotations

from functools import cache
from math import floor, log10

import numpy as np
import numpy.typing as npt

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Floats, Int, Ints

SMALLEST, LARGEST = 1e-280, 1e280
HIGHEST = 300  # powers of ten from -HIGHEST to HIGHEST are tabled
LONGEST = 26  # characters of one number and what follows it
COMMA, NEWLINE, MINUS, PLUS, POINT, ZERO, LETTER_E = 44, 10, 45, 43, 46, 48, 101
SPLIT = 134217729.0  # 2**27 + 1
EXACT = 22  # 10**22 is the largest power of ten that is a double exactly

module = KernelModule("number_text", exports=("write_table",))


@module.kernel
def put(out: Ints, at: Int, character: Int) -> Int:
    out[at >> 3] = out[at >> 3] | (character << ((at & 7) << 3))
    return at + 1


@module.kernel
def decimal_exponent(a: Float, powers: Floats) -> Int:
    """e with 10**e <= a < 10**(e + 1)."""
    e = int(floor(log10(a)))  # noqa: RUF046 (compiled, `floor` gives a float)
    if a < powers[2 * (e + HIGHEST)]:
        e -= 1
    elif a >= powers[2 * (e + 1 + HIGHEST)]:
        e += 1
    return e


@module.kernel
def fifteen_digits(a: Float, e: Int, powers: Floats) -> Int:
    """The number of fifteen digits that reads back as `a`, or 0."""
    shift = 14 - e
    if shift > EXACT or shift < -EXACT:
        return 0
    if shift >= 0:
        power = powers[2 * (shift + HIGHEST)]
        m = floor(a * power + 0.5)
        back = m / power
    else:
        power = powers[2 * (HIGHEST - shift)]
        m = floor(a / power + 0.5)
        back = m * power
    if back == a:
        return int(m)
    return 0


@module.kernel
def seventeen_digits(a: Float, e: Int, powers: Floats) -> Int:
    """The fewest digits, fifteen or more, that read back as `a`, filled up to seventeen."""
    shift = 16 - e
    high = powers[2 * (shift + HIGHEST)]
    low = powers[2 * (shift + HIGHEST) + 1]
    product = a * high
    big = SPLIT * a
    a1 = big - (big - a)
    a2 = a - a1
    big = SPLIT * high
    b1 = big - (big - high)
    b2 = high - b1
    error = ((a1 * b1 - product) + a1 * b2 + a2 * b1) + a2 * b2
    rest = error + a * low
    whole = int(product)  # exact: it is beyond 2**53
    digits = whole + int(floor(rest + 0.5))  # noqa: RUF046
    unit = a - (a - a * 1.6e-16)  # the distance to the next smaller double
    reach = 0.4999999 * unit * high
    for step in range(100, 0, -90):  # fifteen digits, sixteen
        short = digits // step * step
        over = float(whole - short) + rest
        if over > 0.5 * step or (over == 0.5 * step and short // step % 2 == 1):
            short += step  # a half goes to the even neighbour
        if abs(float(short - whole) - rest) < reach:
            return short
    return digits


@module.kernel
def put_number(
    out: Ints, at: Int, value: Float, is_whole: Int, digits: Ints, powers: Floats
) -> Int:
    """The text of one number."""
    a = value
    if value < 0.0:
        at = put(out, at, MINUS)
        a = -value
    e = 0
    m = 0
    length = 1
    if a > 0.0:
        e = decimal_exponent(a, powers)
        m = fifteen_digits(a, e, powers)
        length = 15
        if m == 0:
            m = seventeen_digits(a, e, powers)
            length = 17
        if m >= 1000000000000000 and length == 15:  # rounded up to the next power
            e += 1
            length = 16
        if m >= 100000000000000000:
            e += 1
            length = 18
    for i in range(length):
        digits[length - 1 - i] = m % 10
        m = m // 10
    while length > 1 and digits[length - 1] == 0:
        length -= 1
    if e < -4 or e >= 16:
        return put_scientific(out, at, e, length, digits)
    return put_positional(out, at, e, length, is_whole, digits)


@module.kernel
def put_positional(out: Ints, at: Int, e: Int, length: Int, is_whole: Int, digits: Ints) -> Int:
    if e < 0:
        at = put(out, at, ZERO)
        at = put(out, at, POINT)
        for _zero in range(-1 - e):
            at = put(out, at, ZERO)
    count = max(length, e + 1)
    for i in range(count):
        if i < length:
            at = put(out, at, ZERO + digits[i])
        else:
            at = put(out, at, ZERO)
        if i == e and (length > e + 1 or is_whole == 0):
            at = put(out, at, POINT)
    if e >= 0 and length <= e + 1 and is_whole == 0:
        at = put(out, at, ZERO)
    return at


@module.kernel
def put_scientific(out: Ints, at: Int, e: Int, length: Int, digits: Ints) -> Int:
    at = put(out, at, ZERO + digits[0])
    if length > 1:
        at = put(out, at, POINT)
    for i in range(1, length):
        at = put(out, at, ZERO + digits[i])
    at = put(out, at, LETTER_E)
    size = e
    if e < 0:
        at = put(out, at, MINUS)
        size = -e
    else:
        at = put(out, at, PLUS)
    if size >= 100:
        at = put(out, at, ZERO + size // 100)
    at = put(out, at, ZERO + size // 10 % 10)
    return put(out, at, ZERO + size % 10)


@module.kernel
def write_table(
    points: Int,
    stride: Int,
    columns: Int,
    data: Floats,
    rows: Ints,
    signs: Floats,
    offsets: Floats,
    whole: Ints,
    powers: Floats,
    digits: Ints,
    out: Ints,
) -> Int:
    """Lines of numbers; `data` holds curves one after the other, `stride` numbers each."""
    at = 0
    for i in range(points):
        for j in range(columns):
            value = offsets[j]
            if rows[j] >= 0:
                value += signs[j] * data[rows[j] * stride + i]
            at = put_number(out, at, value, whole[j], digits, powers)
            if j + 1 < columns:
                at = put(out, at, COMMA)
        at = put(out, at, NEWLINE)
    return at


# ---------------------------------------------------------------- around it


@cache
def powers_of_ten() -> npt.NDArray[np.float64]:
    """10**k as the sum of two doubles, k from -HIGHEST on. Quotients of whole numbers are rounded once."""
    pairs = []
    for k in range(-HIGHEST, HIGHEST + 2):
        above, below = (10**k, 1) if k >= 0 else (1, 10**-k)
        high = above / below
        p, q = high.as_integer_ratio()
        pairs += [high, (above * q - p * below) / (below * q)]
    return np.array(pairs)


def can_write(values: npt.NDArray[np.float64]) -> bool:
    """Are all numbers within the reach of the tables?"""
    sizes = np.abs(values)
    return bool(((sizes <= LARGEST) & ((sizes >= SMALLEST) | (sizes == 0.0))).all())


def table_text(
    data: npt.NDArray[np.float64],
    rows: npt.NDArray[np.int64],
    signs: npt.NDArray[np.float64],
    offsets: npt.NDArray[np.float64],
    whole: npt.NDArray[np.int64],
) -> bytes:
    """One line per point; column j is `signs[j]*data[rows[j]] + offsets[j]`, a constant where the
    row is negative; `whole` columns are written without a fraction."""
    data = np.ascontiguousarray(data)
    points = data.shape[1]
    out = np.zeros(points * len(rows) * LONGEST // 8 + 1, dtype=np.int64)
    digits = np.zeros(32, dtype=np.int64)
    arrays = (data, rows, signs, offsets, whole, powers_of_ten(), digits, out)
    places = [array.ctypes.data for array in arrays]
    count = module.callable("write_table")(points, points, len(rows), *places)
    return out.view(np.uint8)[:count].tobytes()
