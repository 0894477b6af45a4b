"""An indexed heap of times: who is next, and whoever's time changes.

    k[k[AT_HEAP]], hk[0]               the item that is next, and when
    set_time(k, hk, item, t)

Four children per place: their times lie in one line of the cache. Behind the last there are `PADDING`
times that never come, so that each place has its four. Equal times are taken in the order of items, so
that a run is the same each time.
"""

from __future__ import annotations

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Floats, Int, Ints
from freewheel.runtime.kernels.qss_places import AT_HEAP, AT_POS, ITEMS

heap = KernelModule("qss_heap")

PADDING = 3


@heap.kernel
def set_time(k: Ints, hk: Floats, item: Int, t: Float) -> None:
    """Give an item its new time."""
    items = k[k[AT_HEAP] :]
    pos = k[k[AT_POS] :]
    place = pos[item]
    before = hk[place]
    if t < before:
        while place > 0:
            parent = (place - 1) >> 2
            above = hk[parent]
            other = items[parent]
            if t > above or (t == above and item > other):
                break
            hk[place] = above
            items[place] = other
            pos[other] = place
            place = parent
    else:
        n = k[ITEMS]
        while True:
            child = 4 * place + 1
            if child >= n:
                break
            # Four children without a jump that could be guessed wrongly.
            one = hk[child]
            two = hk[child + 1]
            three = hk[child + 2]
            four = hk[child + 3]
            least = min(min(one, two), min(three, four))
            if t < least:
                break
            best = child + 2 if three == least else child + 3
            best = child + 1 if two == least else best
            best = child if one == least else best
            ties = (1 if one == least else 0) + (1 if two == least else 0)
            ties += (1 if three == least else 0) + (1 if four == least else 0)
            if ties > 1:  # the first place is not always that of the first item
                for j in range(best + 1, min(child + 4, n)):
                    if hk[j] == least and items[j] < items[best]:
                        best = j
            other = items[best]
            if t == least and item < other:
                break
            hk[place] = least
            items[place] = other
            pos[other] = place
            place = best
    hk[place] = t
    items[place] = item
    pos[item] = place
