"""The law of an element from the rows that its equations leave for its connectors.

    u - 5 i = 0,  i_a + i_b = 0          one port, an R of 5
    u1 - 3 u2 = 0,  3 i1 + i2 = 0        two ports, a TF of 3

Columns are the flow into each connector and its potential, one connector after the other. There is one
set of rows for each of several values of s, which stands for d/dt. A right side that is None changes
with time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from freewheel.bondgraph.domains import NODE_KIND
from freewheel.bondgraph.nodes import Domain, Kind, Signal

FREQUENCIES = (1.0, 2.0, 3.5)
TINY = 1e-9

Row = tuple[list[float], float | None]


@dataclass(frozen=True, slots=True)
class Learnt:
    """A kind with its numbers; `is_turned` where the second connector is the positive one; `ports`
    says how many connectors each port has."""

    kind: Kind
    parameters: tuple[tuple[str, float], ...] = ()
    signal: Signal | None = None
    is_turned: bool = False
    ports: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Law:
    """`across * (difference of potentials) + through * flow = given`."""

    across: float
    through: float
    given: float | None


def learnt(systems: Sequence[list[Row]], domains: Sequence[Domain], start: float) -> Learnt | None:
    """One system of rows per frequency; None where they are the law of no element."""
    if len(domains) <= 2 and len(set(domains)) == 1:
        laws = [law_of(rows) for rows in systems]
        known = [law for law in laws if law is not None]
        if len(known) == len(laws):
            return _judged(known, domains[0], len(domains) == 1, start)
    ports = PORTS.get(len(domains))
    if ports is None:
        return None
    if len(domains) == 3 and domains[0] is not domains[1]:
        ports = ports[::-1]
    return two_ports(systems, domains, ports)


# ---------------------------------------------------------------- one port


def law_of(rows: list[Row]) -> Law | None:
    """None where it is not one law of one port."""
    if len(rows) == 1:
        ((numbers, given),) = rows
        return Law(numbers[1], numbers[0], given) if len(numbers) == 2 else None
    return _one_port(rows) if len(rows) == 2 and len(rows[0][0]) == 4 else None


def eliminated(rows: list[Row], columns: int) -> list[Row] | None:
    """Rows without the first columns; None where these are not determined."""
    for column in range(columns):
        usable = [row for row in rows if abs(row[0][column]) > TINY]
        if not usable:
            return None
        # A row whose right side is known keeps that of others known.
        top = max(usable, key=lambda row: (row[1] is not None, abs(row[0][column])))
        rows = [row for row in rows if row is not top]
        rows = [reduced(row, top, column) for row in rows]
    return [(numbers[columns:], given) for numbers, given in rows]


def reduced(row: Row, top: Row, column: int) -> Row:
    factor = row[0][column] / top[0][column]
    if abs(factor) < TINY:
        return row
    numbers = [a - factor * b for a, b in zip(row[0], top[0], strict=True)]
    given = None if row[1] is None or top[1] is None else row[1] - factor * top[1]
    return numbers, given


def _one_port(rows: list[Row]) -> Law | None:
    """Columns: flow, potential of the first connector, flow, potential of the second."""
    if any(abs(numbers[1] + numbers[3]) > TINY for numbers, _ in rows):
        return None  # it knows where zero is
    with_potential = max(rows, key=lambda row: abs(row[0][1]))
    (other,) = [row for row in rows if row is not with_potential]
    if abs(with_potential[0][1]) > TINY:
        other = reduced(other, with_potential, 1)
        if abs(other[0][0] - other[0][2]) > TINY or abs(other[0][0]) < TINY or other[1] != 0.0:
            return None  # what comes in at one end must leave at the other
        numbers, given = with_potential
        return Law(numbers[1], numbers[0] - numbers[2], given)
    return _given_flow(rows)


def _given_flow(rows: list[Row]) -> Law | None:
    """Both flows are said: each the contrary of the other."""
    solved = eliminated(rows, 1)
    if solved is None:
        return None
    ((numbers, given),) = solved  # potential, flow, potential
    if abs(numbers[1]) < TINY:
        return None
    second = None if given is None else given / numbers[1]
    return Law(0.0, 1.0, None if second is None else -second)


def _judged(laws: Sequence[Law], domain: Domain, is_alone: bool, start: float) -> Learnt | None:
    if all(abs(law.through) < TINY for law in laws):
        return _across_source(laws[0], domain, is_alone)
    if all(abs(law.across) < TINY for law in laws):
        return _through_source(laws[0], domain, is_alone)
    if any(abs(law.across) < TINY or abs(law.through) < TINY for law in laws):
        return None
    ratios = [_effort_over_flow(law, s, domain) for law, s in zip(laws, FREQUENCIES, strict=True)]
    for kind, name, numbers in (
        (Kind.R, "R", ratios),
        (Kind.C, "C", [1 / (z * s) for z, s in zip(ratios, FREQUENCIES, strict=True)]),
        (Kind.I, "I", [z / s for z, s in zip(ratios, FREQUENCIES, strict=True)]),
    ):
        if all(abs(a - b) <= 1e-7 * abs(b) for a, b in pairwise(numbers)):
            return Learnt(kind, _numbers(laws[0], name, numbers[0], kind, start))
    return None


def _effort_over_flow(law: Law, s: float, domain: Domain) -> float:
    """Potentials are efforts, in mechanics positions."""
    if NODE_KIND[domain] is Kind.ZERO:
        return -law.through / law.across
    return -law.across / (law.through * s)


def _numbers(
    law: Law, name: str, value: float, kind: Kind, start: float
) -> tuple[tuple[str, float], ...]:
    if law.given != 0.0:
        return ()  # a law with an offset, or not a linear one
    own = (name, round(value, 12) if abs(value) > 1 else value)
    return (own,) if kind is Kind.R else (own, ("start", start))


def _across_source(law: Law, domain: Domain, is_alone: bool) -> Learnt | None:
    value = None if law.given is None else law.given / law.across
    if NODE_KIND[domain] is Kind.ONE:  # a position
        return Learnt(Kind.GROUND) if is_alone and value is not None else Learnt(Kind.SF)
    if is_alone and value == 0.0:
        return Learnt(Kind.GROUND)
    return Learnt(Kind.SE, signal=_constant(value))


def _through_source(law: Law, domain: Domain, is_alone: bool) -> Learnt:
    """The flow goes into the first connector, so power leaves at the second."""
    kind = Kind.SF if NODE_KIND[domain] is Kind.ZERO else Kind.SE
    value = None if law.given is None else law.given / law.through
    is_turned = not is_alone
    signed = None if value is None else (value if is_turned else -value)
    return Learnt(kind, signal=_constant(signed), is_turned=is_turned)


def _constant(value: float | None) -> Signal | None:
    return None if value is None else Signal("Constant", (("k", value),))


# ---------------------------------------------------------------- two ports

# How connectors make two ports: flanges against the ground, a motor, pairs of pins.
PORTS = {2: (1, 1), 3: (2, 1), 4: (2, 2)}


def two_ports(
    systems: Sequence[list[Row]], domains: Sequence[Domain], ports: tuple[int, ...]
) -> Learnt | None:
    """A transformer or gyrator: the same modulus at all frequencies, and no power lost."""
    firsts = (0, ports[0])
    if any(len({*domains[k : k + n]}) != 1 for k, n in zip(firsts, ports, strict=True)):
        return None
    kinds = [NODE_KIND[domains[k]] for k in firsts]
    found = [_modulus(rows, ports, kinds, s) for rows, s in zip(systems, FREQUENCIES, strict=True)]
    known = [pair for pair in found if pair is not None]
    if len(known) != len(found) or len({kind for kind, _ in known}) != 1:
        return None
    if any(abs(a[1] - b[1]) > 1e-7 * abs(b[1]) for a, b in pairwise(known)):
        return None
    kind, value = known[0]
    return Learnt(kind, (("n" if kind is Kind.TF else "r", value),), ports=ports)


def _modulus(
    rows: list[Row], ports: tuple[int, ...], kinds: Sequence[Kind], s: float
) -> tuple[Kind, float] | None:
    """Rows in effort and flow of port 1 and of port 2, power counted in and out."""
    if any(given != 0.0 for _, given in rows):
        return None
    bonds = [_as_bonds(numbers, ports, kinds, s) for numbers, _ in rows]
    if any(row is None for row in bonds):
        return None
    left = _two_rows([row for row in bonds if row is not None])
    if left is None:
        return None
    for kind, columns in ((Kind.TF, (0, 3, 2, 1)), (Kind.GY, (0, 2, 3, 1))):
        # TF: e1, f2 by e2, f1;   GY: e1, e2 by f2, f1
        (a, b), (c, d) = (
            ([row[k] for k in columns[:2]], [row[k] for k in columns[2:]]) for row in left
        )
        determinant = a[0] * c[1] - a[1] * c[0]
        if abs(determinant) < TINY:
            continue
        solved = [
            [-(c[1] * b[k] - a[1] * d[k]) / determinant for k in (0, 1)],
            [-(a[0] * d[k] - c[0] * b[k]) / determinant for k in (0, 1)],
        ]
        is_plain = abs(solved[0][1]) < TINY and abs(solved[1][0]) < TINY
        if is_plain and abs(solved[0][0] - solved[1][1]) < 1e-7 * abs(solved[0][0]):
            return kind, solved[0][0]
    return None


def _as_bonds(
    numbers: list[float], ports: tuple[int, ...], kinds: Sequence[Kind], s: float
) -> list[float] | None:
    """Columns e1, f1, e2, f2 and one for the flow that each pair of connectors would lose."""
    columns: list[float] = []
    losses: list[float] = []
    at = 0
    for number, (size, kind) in enumerate(zip(ports, kinds, strict=True)):
        through, across = numbers[2 * at], numbers[2 * at + 1]
        if size == 2:
            if abs(across + numbers[2 * at + 3]) > TINY:
                return None  # it knows where zero is
            losses.append(numbers[2 * at + 2])
            through -= numbers[2 * at + 2]
        through = -through if number else through
        columns += [across, through] if kind is Kind.ZERO else [through, across / s]
        at += size
    return [*columns, *losses]


def _two_rows(rows: list[list[float]]) -> list[list[float]] | None:
    """What is left for the bonds, if nothing is lost between the connectors of a pair."""
    losses = len(rows[0]) - 4
    turned: list[Row] = [([*row[4:], *row[:4]], 0.0) for row in rows]
    left = eliminated(turned, losses)
    if left is None or len(left) != 2:
        return None
    return [numbers for numbers, _ in left]
