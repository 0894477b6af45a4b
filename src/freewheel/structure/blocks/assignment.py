"""Which equation gives which variable, before anything is differentiated.

In: the equations without aliases. Out: a causality for each equation, as far as there is one, when
every variable that appears differentiated is taken for a state and so for known.

    C1*der(u1) = i1, C2*der(u2) = i2, u1 = u2, i1 + i2 = i     nothing is left for `u1 = u2` to give:
                                                               it constrains the states

What is left over on both sides is the singularity warning of Cellier and Elmqvist (1993): unassigned
variables and constraint equations. Equations are tried in the order written, so the constraint named
is the last of the chain that makes it one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from freewheel.formula.nodes import Var
from freewheel.formula.walk import variables_in
from freewheel.graphs.matching import FREE, Matching, augment_all
from freewheel.structure.atoms import base_of, is_der
from freewheel.structure.blocks.incidence import matching_columns
from freewheel.structure.initial.phase import Phase
from freewheel.structure.nodes import Hybrid, ScalarEquation


@dataclass(frozen=True, slots=True)
class Assigned:
    """`unknowns[k]` is what `equations[k]` gives, None where nothing is left for it."""

    equations: tuple[ScalarEquation, ...]
    unknowns: tuple[Var | None, ...]
    unassigned: tuple[Var, ...]

    @property
    def constraints(self) -> tuple[ScalarEquation, ...]:
        pairs = zip(self.equations, self.unknowns, strict=True)
        return tuple(equation for equation, unknown in pairs if unknown is None)


def assign(hybrid: Hybrid) -> Assigned:
    """Match with all differentiated variables known."""
    phase = Phase(is_initial=False)
    equations = in_reading_order([phase.equation(e) for e in hybrid.equations])
    unknowns = _unknowns(equations, hybrid.continuous)
    number = {var: k for k, var in enumerate(unknowns)}
    rows = [matching_columns(equation, number) for equation in equations]
    matching = _first_come(rows, len(unknowns))
    return Assigned(
        tuple(equations),
        tuple(None if c == FREE else unknowns[c] for c in matching.column_of_row),
        tuple(unknowns[c] for c in matching.free_columns),
    )


def in_reading_order(equations: Sequence[ScalarEquation]) -> list[ScalarEquation]:
    """Components first, then what the whole model says about them, then derivatives."""
    return sorted(equations, key=lambda e: (e.derivative_of >= 0, e.origin == ()))


def _unknowns(equations: Sequence[ScalarEquation], continuous: Sequence[Var]) -> list[Var]:
    """Highest derivatives first, so that they are assigned wherever they can be."""
    found = [v for e in equations for v in variables_in(e.left, e.right) if is_der(v)]
    derivatives = dict.fromkeys(found)
    known = {base_of(var) for var in derivatives}
    return [
        *(var for var in derivatives if var not in known),
        *(var for var in continuous if var not in known),
    ]


def _first_come(rows: Sequence[Sequence[int]], count: int) -> Matching:
    """A maximum matching that leaves the last possible equations and the last possible unknowns.

    Rows tried in order give the first set of rows that can be matched, columns tried in order the
    first set of columns; both sets have one matching (Mendelsohn and Dulmage 1958).
    """
    columns: list[list[int]] = [[] for _ in range(count)]
    for row, entries in enumerate(rows):
        for column in entries:
            columns[column].append(row)
    good_rows = _matched(rows, count)
    good_columns = _matched(columns, len(rows))
    kept = [
        [c for c in entries if good_columns[c] != FREE] if good_rows[row] != FREE else []
        for row, entries in enumerate(rows)
    ]
    column_of_row, row_of_column = [FREE] * len(rows), [FREE] * count
    augment_all(kept, column_of_row, row_of_column, range(len(rows)))
    return Matching(tuple(column_of_row), tuple(row_of_column))


def _matched(rows: Sequence[Sequence[int]], count: int) -> list[int]:
    column_of_row, row_of_column = [FREE] * len(rows), [FREE] * count
    augment_all(rows, column_of_row, row_of_column, range(len(rows)))
    return column_of_row
