"""Vigna's xorshift generators as kernels, for functions that call them by C name.

    fw_xorshift128plus(state, out)      # out: the number, then the state after it

They follow `formula.external_random`. Words of 64 bits are worked on as two halves of 32 bits, since
the integers of the kernel language must not overflow; states come as signed halves, the low one first.
"""

from __future__ import annotations

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Floats, Int

RANDOM = KernelModule("random")

MASK = 0xFFFFFFFF
SHORT = 0xFFFF
WORD = 4294967296.0
TINY = 2.0**-64
M64_LOW, M64_HIGH = 2685821657736338717 & MASK, 2685821657736338717 >> 32
M1024_LOW, M1024_HIGH = 1181783497276652981 & MASK, 1181783497276652981 >> 32


@RANDOM.kernel
def fw_half(x: Float) -> Int:
    """A signed half as a number from 0 on."""
    return int(x) & MASK


@RANDOM.kernel
def fw_signed(half: Int) -> Float:
    return float(half) - WORD if half > 0x7FFFFFFF else float(half)


@RANDOM.kernel
def fw_unit(low: Int, high: Int) -> Float:
    """A word read as signed, scaled to one around one half."""
    return (fw_signed(high) * WORD + float(low)) * TINY + 0.5


@RANDOM.kernel
def fw_right(low: Int, high: Int, count: Int) -> Int:
    """The low half of a word shifted to the right; the high half is `high >> count`."""
    return ((low >> count) | (high << (32 - count))) & MASK


@RANDOM.kernel
def fw_left(low: Int, high: Int, count: Int) -> Int:
    """The high half of a word shifted to the left; the low half is `low << count & MASK`."""
    return ((high << count) | (low >> (32 - count))) & MASK


@RANDOM.kernel
def fw_low(a: Int, b: Int) -> Int:
    """The low half of a product of halves."""
    return (a * (b & SHORT) + (((a * (b >> 16)) & SHORT) << 16)) & MASK


@RANDOM.kernel
def fw_high(a: Int, b: Int) -> Int:
    first = a * (b & SHORT)
    second = a * (b >> 16)
    return ((first + ((second & SHORT) << 16)) >> 32) + (second >> 16)


@RANDOM.kernel
def fw_high_of_product(low: Int, high: Int, by_low: Int, by_high: Int) -> Int:
    """The high half of a product of words; its low half is `fw_low(low, by_low)`."""
    return (fw_high(low, by_low) + fw_low(low, by_high) + fw_low(high, by_low)) & MASK


@RANDOM.kernel
def fw_xorshift64star(state: Floats, out: Floats) -> Int:
    low = fw_half(state[0])
    high = fw_half(state[1])
    moved = fw_right(low, high, 12)
    high = high ^ (high >> 12)
    low = low ^ moved
    moved = fw_left(low, high, 25)
    low = low ^ ((low << 25) & MASK)
    high = high ^ moved
    moved = fw_right(low, high, 27)
    high = high ^ (high >> 27)
    low = low ^ moved
    high = fw_high_of_product(low, high, M64_LOW, M64_HIGH)
    low = fw_low(low, M64_LOW)
    out[0] = fw_unit(low, high)
    out[1] = fw_signed(low)
    out[2] = fw_signed(high)
    return 0


@RANDOM.kernel
def fw_xorshift128plus(state: Floats, out: Floats) -> Int:
    a_low = fw_half(state[0])
    a_high = fw_half(state[1])
    b_low = fw_half(state[2])
    b_high = fw_half(state[3])
    moved = fw_left(a_low, a_high, 23)
    a_low = a_low ^ ((a_low << 23) & MASK)
    a_high = a_high ^ moved
    low = a_low ^ b_low ^ fw_right(a_low, a_high, 17) ^ fw_right(b_low, b_high, 26)
    high = a_high ^ b_high ^ (a_high >> 17) ^ (b_high >> 26)
    total = low + b_low
    low = total & MASK
    high = (high + b_high + (total >> 32)) & MASK
    out[0] = fw_unit(low, high)
    out[1] = fw_signed(b_low)
    out[2] = fw_signed(b_high)
    out[3] = fw_signed(low)
    out[4] = fw_signed(high)
    return 0


@RANDOM.kernel
def fw_xorshift1024star(state: Floats, out: Floats) -> Int:
    at = int(state[32]) & 15
    a_low = fw_half(state[2 * at])
    a_high = fw_half(state[2 * at + 1])
    at = (at + 1) & 15
    b_low = fw_half(state[2 * at])
    b_high = fw_half(state[2 * at + 1])
    moved = fw_left(b_low, b_high, 31)
    b_low = b_low ^ ((b_low << 31) & MASK)
    b_high = b_high ^ moved
    moved = fw_right(b_low, b_high, 11)
    b_high = b_high ^ (b_high >> 11)
    b_low = b_low ^ moved
    moved = fw_right(a_low, a_high, 30)
    a_high = a_high ^ (a_high >> 30)
    a_low = a_low ^ moved
    low = a_low ^ b_low
    high = a_high ^ b_high
    for i in range(32):
        out[1 + i] = state[i]
    out[1 + 2 * at] = fw_signed(low)
    out[2 + 2 * at] = fw_signed(high)
    out[33] = float(at)
    out[0] = fw_unit(fw_low(low, M1024_LOW), fw_high_of_product(low, high, M1024_LOW, M1024_HIGH))
    return 0


# C name -> (kernel, numbers in the state)
RANDOM_CALLS = {
    "ModelicaRandom_xorshift64star": ("fw_xorshift64star", 2),
    "ModelicaRandom_xorshift128plus": ("fw_xorshift128plus", 4),
    "ModelicaRandom_xorshift1024star": ("fw_xorshift1024star", 33),
}
