"""Holds elements of the table against the equations of their component.

    Resistor r(R=10, alpha=0.1)      claims  v = 10*i,  the equations are  v = 10*(1 + alpha*...)*i

The table knows an element by the name of its class. A modifier may have changed what it does, so
the law that the element claims (`claims.py`) is proved: with s for d/dt it must be a combination of
the linear equations of the component, for several values of s. The combination also gives the right
side: what a source gives, as a formula of time and signals.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from freewheel.bondgraph.claims import EXACT, Claimed, Matrix, admittance, claims
from freewheel.bondgraph.connectors import Power
from freewheel.bondgraph.domains import NODE_KIND
from freewheel.bondgraph.equations import LinearSystem
from freewheel.bondgraph.laws import FREQUENCIES
from freewheel.bondgraph.nodes import Element
from freewheel.formula.build import number, plus, times
from freewheel.formula.nodes import ZERO, Expr, Var

# Weights of the values at three frequencies that extrapolate a polynomial to zero.
AT_REST = np.array(
    [
        math.prod(other / (other - own) for other in FREQUENCIES if other != own)
        for own in FREQUENCIES
    ]
)
SWEEPS = 6  # of scaling; entries are then within a few powers of two of one


@dataclass(frozen=True, slots=True)
class Proof:
    """`drive` is what a source gives; None where there is none, or where it is not unique."""

    holds: bool
    drive: Expr | None = None


def prove(
    elements: Sequence[Element],
    joined: Sequence[tuple[str, str]],
    connectors: Mapping[str, Power],
    system: LinearSystem,
) -> Proof:
    """Whether the equations imply what the elements claim at every frequency."""
    drives: list[Expr | None] = []
    constants: list[Matrix] = []
    for s in FREQUENCIES:
        claimed = claims(elements, joined, connectors, s)
        if claimed is None:
            return Proof(False)
        outer = [Var(name) for c in connectors.values() for name in (c.flow, c.potential)]
        places = [system.columns[each] for each in outer]
        wanted = np.zeros((len(claimed.rows), len(system.columns)))
        wanted[:, places] = claimed.rows
        actual = system.at(s)
        found = None if actual is None else combined(actual, wanted)
        if found is None:
            return Proof(False)
        drive, errors = _right_sides(found, claimed, system, s)
        drives.append(drive)
        constants.append(errors)
    # The derivative of a constant is zero: what grows with s does not count.
    sizes = np.abs(constants).max(axis=0)
    at_rest = np.abs(np.tensordot(AT_REST, np.array(constants), 1))
    if not (at_rest[0] <= EXACT * sizes[1]).all():
        return Proof(False)
    # A given position is another speed at each frequency.
    return Proof(True, drives[0] if len(set(drives)) == 1 else None)


# ---------------------------------------------------------------- what the equations imply


def measured(
    element: Element, connectors: Mapping[str, Power], system: LinearSystem
) -> float | None:
    """The number of an R, C or I by what flows with a unit difference of potentials, if that is determined.

    It is a guess, to be proved: right sides and other frequencies are not considered.
    """
    s, port = FREQUENCIES[0], element.ports[0]
    matrix = system.at(s)
    if matrix is None or port.positive not in connectors:
        return None
    place = {
        name: (system.columns[Var(pin.flow)], system.columns[Var(pin.potential)])
        for name, pin in connectors.items()
    }
    given = {at[1]: float(name == port.positive) for name, at in place.items()}
    unknown = [k for k in range(matrix.shape[1]) if k not in given]
    right = -matrix[:, list(given)] @ np.array(list(given.values()))
    rows, columns = scales(matrix)
    scaled = (matrix * rows[:, None] * columns)[:, unknown]
    found, *_ = np.linalg.lstsq(scaled, right * rows, rcond=EXACT * 1e-4)
    flow = float((found * columns[unknown])[unknown.index(place[port.positive][0])])
    unit = admittance(element.kind, NODE_KIND[port.domain], s, 1.0)
    if flow == 0.0:
        return None
    is_inverse = admittance(element.kind, NODE_KIND[port.domain], s, 2.0) < unit
    return float(f"{unit / flow if is_inverse else flow / unit:.12g}")  # of a least squares problem


def combined(actual: Matrix, wanted: Matrix) -> Matrix | None:
    """Factors by which rows of `actual` make up those of `wanted`; None where they cannot.

    Rows and columns are scaled first: a picofarad is no zero.
    """
    rows, columns = scales(actual)
    scaled = actual * rows[:, None] * columns
    goal = wanted * columns
    sizes = np.abs(goal).max(axis=1)
    if not sizes.all():
        return None
    goal = goal / sizes[:, None]
    factors, *_ = np.linalg.lstsq(scaled.T, goal.T, rcond=EXACT * 1e-4)
    if np.abs(scaled.T @ factors - goal.T).max(initial=0.0) > EXACT:
        return None
    found: Matrix = factors.T * rows * sizes[:, None]
    return found


def scales(matrix: Matrix) -> tuple[Matrix, Matrix]:
    """Powers of two by which the largest entry of each row and column comes near one (Ruiz, 2001)."""
    rows, columns = np.ones(matrix.shape[0]), np.ones(matrix.shape[1])
    size = np.abs(matrix)
    for _ in range(SWEEPS):
        for axis, kept in ((1, rows), (0, columns)):
            largest = size.max(axis=axis, initial=0.0)
            largest[largest == 0.0] = 1.0
            factor = 2.0 ** -np.round(0.5 * np.log2(largest))
            kept *= factor
            size = size * (factor[:, None] if axis == 1 else factor)
    return rows, columns


def _right_sides(
    factors: Matrix, claimed: Claimed, system: LinearSystem, s: float
) -> tuple[Expr | None, Matrix]:
    """What the source gives, and how far other right sides are from those of the law, with their
    sizes; nan where one is no number."""
    drive: Expr | None = None
    errors = np.zeros((2, len(factors)))
    rows = zip(factors, claimed.gives, claimed.shift, claimed.is_place, strict=True)
    for at, (row, gives, shift, is_place) in enumerate(rows):
        is_given = abs(gives) > EXACT
        factors_of_rests = row / gives if is_given else row
        size = np.abs(factors_of_rests).max()
        told: Expr = ZERO
        scale = 0.0
        for factor, rest in zip(factors_of_rests, system.rests, strict=True):
            if abs(factor) > EXACT * size:
                known = system.number(rest, s)
                scale += 0.0 if known is None else abs(factor * known)
                told = plus(told, times(number(-_plain(factor)), rest))
        if is_given:
            drive = told if drive is None else drive
            continue
        value = system.number(told, s)
        if value is None:
            errors[:, at] = math.nan
        elif not is_place:
            errors[:, at] = value - shift, max(scale, abs(shift))
    return drive, errors


def _plain(factor: float) -> float:
    """A factor of one comes out of a least squares problem with an error in its last digits."""
    nearest = round(factor)
    return float(nearest) if abs(factor - nearest) < EXACT else float(f"{factor:.12g}")
