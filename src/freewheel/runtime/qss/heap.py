"""An indexed heap of next event times.

    heap.items[0], heap.times[0]       the next item and its time
    set_time(heap, item, t)

Four children per place, adjacent in the cache; behind the last place there are infinite times, so that each
place has its four. Equal times are ordered by items: runs are reproducible.
"""

from __future__ import annotations

from math import inf

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Int
from freewheel.runtime.qss.memory import Heap

heaps = KernelModule("qss_heap")


@heaps.kernel
def empty_heap(heap: Heap) -> None:
    """All times are infinite."""
    for i in range(heap.count):
        heap.items[i] = i
        heap.places[i] = i
        heap.times[i] = inf


@heaps.kernel
def set_time(heap: Heap, item: Int, t: Float) -> None:
    items = heap.items
    places = heap.places
    times = heap.times
    place = places[item]
    before = times[place]
    if t < before:
        while place > 0:
            parent = (place - 1) >> 2
            above = times[parent]
            other = items[parent]
            if t > above or (t == above and item > other):
                break
            times[place] = above
            items[place] = other
            places[other] = place
            place = parent
    else:
        n = heap.count
        while True:
            child = 4 * place + 1
            if child >= n:
                break
            # Four children without a branch that could be mispredicted.
            one = times[child]
            two = times[child + 1]
            three = times[child + 2]
            four = times[child + 3]
            least = min(min(one, two), min(three, four))
            if t < least:
                break
            best = child + 2 if three == least else child + 3
            best = child + 1 if two == least else best
            best = child if one == least else best
            ties = (1 if one == least else 0) + (1 if two == least else 0)
            ties += (1 if three == least else 0) + (1 if four == least else 0)
            if ties > 1:  # the first item may have another place
                for j in range(best + 1, min(child + 4, n)):
                    if times[j] == least and items[j] < items[best]:
                        best = j
            other = items[best]
            if t == least and item < other:
                break
            times[place] = least
            items[place] = other
            places[other] = place
            place = best
    times[place] = t
    items[place] = item
    places[item] = place
