"""Wires of different signals never lie on each other, whatever the heights of ports are."""

import random
from itertools import combinations

import pytest

from freewheel.listing.block_diagram.place import place
from freewheel.listing.block_diagram.place_nodes import Box, Net
from freewheel.listing.block_diagram.route import Grid, routed
from freewheel.listing.block_diagram.tracks import AIR


def lines_on_each_other(wires):
    """Pairs of lines of different wires that run side by side, nearer than wires may."""
    lines = [(k, line) for k, wire in enumerate(wires) for line in wire.lines]
    return [(a, b) for (i, a), (k, b) in combinations(lines, 2) if i != k and _is_shared(a, b)]


def _is_shared(first, second):
    for along, across in ((0, 1), (1, 0)):
        runs = [sorted(end[along] for end in line) for line in (first, second)]
        places = [{round(end[across], 6) for end in line} for line in (first, second)]
        if any(len(place) > 1 for place in places):
            continue
        near = abs(min(places[0]) - min(places[1])) < AIR
        if near and min(run[1] for run in runs) - max(run[0] for run in runs) > 0.1:
            return True
    return False


def crossbar(left, right):
    """Boxes with one port at each of these heights; net k leads from left[k] to right[k]."""
    box = Box(width=20, height=8, inputs=1, outputs=1)
    count = len(left)
    nets = [Net((k, 0), ((count + k, 0),)) for k in range(count)]
    level = [0] * count + [1] * count
    tops = [y - 4 for y in (*left, *right)]
    return Grid([box] * (2 * count), nets, [], level, tops)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ([10, 50], [50, 10]),  # both change places: one of them has to turn twice
        ([10, 50.9], [30, 10.9]),
        ([110, 50], [85, 110.5]),  # the lower one must turn first
        ([10, 50, 90], [50, 90, 10]),
        ([10, 50, 90, 130], [50, 10, 130, 90]),
    ],
)
def test_wires_that_change_places_keep_apart(left, right):
    _, wires = routed(crossbar(left, right))
    assert lines_on_each_other(wires) == []
    for wire, start, end in zip(wires, left, right, strict=True):
        heights = {y for line in wire.lines for _, y in line}
        assert {start, end} <= heights


@pytest.mark.parametrize("seed", range(30))
def test_any_permutation_of_heights_keeps_apart(seed):
    chance = random.Random(seed)
    left = [20.0 * k + chance.uniform(-1, 1) for k in range(chance.randint(2, 9))]
    right = chance.sample(left, len(left))
    _, wires = routed(crossbar(left, [y + chance.uniform(-1.5, 1.5) for y in right]))
    assert lines_on_each_other(wires) == []


@pytest.mark.parametrize("seed", range(30))
def test_random_diagrams_have_no_wires_on_each_other(seed):
    chance = random.Random(seed)
    count = chance.randint(3, 25)
    readers = [[] for _ in range(count)]
    boxes = []
    for k in range(count):
        inputs = chance.randint(1, 3)
        for port in range(inputs):
            readers[chance.randrange(count)].append((k, port))
        boxes.append(Box(chance.uniform(20, 80), 17.0 * inputs, inputs, 1, room_above=10))
    nets = [Net((k, 0), tuple(heads)) for k, heads in enumerate(readers) if heads]
    assert lines_on_each_other(place(boxes, nets).wires) == []


def test_a_wire_is_in_one_piece():
    _, wires = routed(crossbar([10, 50, 90], [50, 90, 10]))
    for wire in wires:
        reached, rest = {wire.lines[0]}, set(wire.lines[1:])
        while joined := {line for line in rest if any(_touch(line, other) for other in reached)}:
            reached, rest = reached | joined, rest - joined
        assert not rest


def _touch(first, second):
    return all(
        max(min(p[axis] for p in a) for a in (first, second))
        <= min(max(p[axis] for p in a) for a in (first, second)) + 1e-9
        for axis in (0, 1)
    )
