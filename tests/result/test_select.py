"""Arrays, components and patterns among the names of a result."""

from __future__ import annotations

import numpy as np

from freewheel.result.select import Selection, dimensions

NAMES = ["x", "T[2]", "T[10]", "T[1]", "A[1,1]", "A[1,2]", "C.v", "C.p.v", "R[1].v", "R[2].v"]


def test_elements_come_in_the_order_of_their_subscripts():
    assert Selection(NAMES).of("T") == ["T[1]", "T[2]", "T[10]"]
    assert dimensions("A", Selection(NAMES).of("A")) == (1, 2)


def test_a_component_and_a_pattern_mean_several():
    known = Selection(NAMES)

    assert known.of("C") == ["C.v", "C.p.v"]
    assert known.of("*.v") == ["C.v", "C.p.v", "R[1].v", "R[2].v"]
    assert known.of("T[1]") == ["T[1]"]
    assert known.of("T[1*") == ["T[10]", "T[1]"]
    assert known.of("R") == ["R[1].v", "R[2].v"]
    assert known.of("y") == []
    assert known.all_of(["C.v", "C"]) == ["C.v", "C.p.v"]


def test_brackets_are_no_sets_of_letters():
    assert np.array_equal(Selection(["a[1]", "a1"]).of("*[1]"), ["a[1]"])
