"""The jump of a network, by one backward Euler step of next to no length: an independent judge.

    jump(circuit, 0.003, {"C1": 5.0, "L2": 0.1}, closed={"S4"})      {"C1": 2.5, "L2": 0.1}

A step of length h asks of each diode 0 <= i, v <= 0, i v = 0 at its end (Moreau 1988, "Unilateral contact
and dry friction in finite freedom dynamics"). With node potentials e = Z (J - A i) this is a linear
complementarity problem with the symmetric matrix A' Z A: the minimum of a convex function, so the
storages have one answer. As h goes to zero it is the projection in the metric of stored energy, and
i h is the impulse.

Numbers have 200 digits, so h = 1e-20 s is as good as zero, and 1e-60 ohm or siemens, which make all
matrices regular, are nothing within h: their time constants are longer, or shorter, by forty powers of ten.
No way of discharge through such resistances decides anything: the limits are taken one after the other.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from decimal import Decimal, localcontext

import numpy as np
from numpy.typing import NDArray
from random_circuits import Element

DIGITS = 200
STEP = Decimal("1e-20")
NEXT_TO_NOTHING = Decimal("1e-60")
Numbers = NDArray[np.object_]


def jump(
    elements: Sequence[Element],
    before: Mapping[str, float],
    closed: Collection[str],
    sources: Mapping[str, float],
) -> dict[str, float]:
    """Voltages of capacitors and currents of inductors after an instant, by name. `before` has those that
    were, `sources` what sources give; switches that are not in `closed` are open."""
    with localcontext() as context:
        context.prec = DIGITS
        nodes = 1 + max(node for element in elements for node in element.nodes)
        Z, J = np.full((nodes, nodes), Decimal(0)), np.full(nodes, Decimal(0))
        for element in elements:
            conductance, current = _companion(element, before, closed, sources)
            ends = _incidence(element, nodes)
            Z += conductance * np.outer(ends, ends)
            J -= current * ends
        Z = _inverse(Z[1:, 1:])
        diodes = [e for e in elements if e.kind == "D"]
        A = np.array([_incidence(e, nodes) for e in diodes], object).reshape(-1, nodes)[:, 1:]
        M = A @ Z @ A.T + NEXT_TO_NOTHING * _identity(len(A))
        i = _complementary(M, -A @ Z @ J[1:])
        e = np.array([Decimal(0), *(Z @ (J[1:] - A.T @ i))], object)
        found = {}
        for element in elements:
            if element.kind in "CL":
                v = e @ _incidence(element, nodes)
                conductance, current = _companion(element, before, closed, sources)
                found[element.name] = float(v if element.kind == "C" else conductance * v + current)
        return found


def _incidence(element: Element, nodes: int) -> Numbers:
    ends = np.full(nodes, Decimal(0))
    for node, sign in zip(element.nodes, (1, -1), strict=True):
        ends[node] += sign
    return ends


def _companion(
    element: Element,
    before: Mapping[str, float],
    closed: Collection[str],
    sources: Mapping[str, float],
) -> tuple[Decimal, Decimal]:
    """(g, j): its current at the end of the step is g v + j."""
    value, kind = Decimal(element.value), element.kind
    if kind == "R":
        return 1 / value, Decimal(0)
    if kind == "C":
        return value / STEP, -value / STEP * Decimal(before[element.name])
    if kind == "L":
        return STEP / value, Decimal(before[element.name])
    if kind == "V":
        return 1 / NEXT_TO_NOTHING, -Decimal(sources[element.name]) / NEXT_TO_NOTHING
    if kind == "I":
        return NEXT_TO_NOTHING, Decimal(sources[element.name])
    is_closed = element.name in closed
    return 1 / NEXT_TO_NOTHING if is_closed else NEXT_TO_NOTHING, Decimal(0)


def _identity(n: int) -> Numbers:
    found = np.full((n, n), Decimal(0))
    np.fill_diagonal(found, Decimal(1))
    return found


def _inverse(matrix: Numbers) -> Numbers:
    """Of a positive definite one, by Gauss and Jordan."""
    n = len(matrix)
    both = np.hstack([matrix, _identity(n)])
    for k in range(n):
        both[k] = both[k] / both[k, k]
        for i in range(n):
            if i != k:
                both[i] = both[i] - both[i, k] * both[k]
    return both[:, n:]


def _complementary(M: Numbers, q: Numbers) -> Numbers:
    """i >= 0 with M i + q >= 0 and i (M i + q) = 0. Of the indices that are wrong the first changes its side:
    that ends for every P-matrix (Murty 1974, "Note on a Bard-type scheme")."""
    n = len(q)
    basic = np.zeros(n, bool)
    while True:
        i = np.full(n, Decimal(0))
        i[basic] = -_inverse(M[np.ix_(basic, basic)]) @ q[basic]
        wrong = np.flatnonzero(np.where(basic, i, M @ i + q) < 0)
        if len(wrong) == 0:
            return i
        basic[wrong[0]] = not basic[wrong[0]]
