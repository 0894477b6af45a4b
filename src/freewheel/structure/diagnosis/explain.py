"""Why a model cannot be solved: the equations and variables in conflict, and cures.

    explain(flat, context, as_written) -> diagnostics in the modeller's names, each with places and a cure

Looked for, with nothing eliminated, so that every equation is one the modeller wrote:
- variables of which only differences matter (a missing ground),
- equations that are redundant or contradict each other (sources in parallel),
- variables that nothing determines (a forgotten equation, an input left open),
- states that tie each other, and more conditions at the start than states.

Beneath is linear algebra at a general point (linearise.py): it finds what counting cannot, and among
dependent equations the smallest set. Where that is too large, the parts of Dulmage and Mendelsohn
(graphs/matching.py) must do; they are in the messages E001 to E003 anyway.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from freewheel.base.diagnostics import CompileError, Diagnostic
from freewheel.base.names import Name
from freewheel.base.source import Span
from freewheel.flat.nodes import FlatModel
from freewheel.formula.nodes import TIME, Real, Var
from freewheel.formula.walk import variables_in
from freewheel.graphs.nullspace import null_vectors
from freewheel.structure.analyse import first_steps, scalar_model
from freewheel.structure.atoms import base_of, is_der
from freewheel.structure.blocks.assignment import assign
from freewheel.structure.diagnosis.explanations import Words
from freewheel.structure.diagnosis.linearise import Point, coefficients, dependencies, mismatch
from freewheel.structure.diagnosis.network_faults import CODES, Network
from freewheel.structure.initial.phase import Phase
from freewheel.structure.nodes import (
    Elimination,
    Hybrid,
    Loop,
    Ordered,
    ScalarEquation,
    Solved,
    Sorted,
)
from freewheel.structure.show_lines import Writer
from freewheel.structure.thresholds import CANCELLATION
from freewheel.structure.values import ParameterValues

MAX_FINDINGS = 5  # of one kind


@dataclass(frozen=True, slots=True)
class Context:
    """What is known of the components: names of their inputs, places of their declarations; and values of
    parameters in place of their own."""

    inputs: frozenset[Name] = frozenset()
    places: Mapping[Name, Span] = field(default_factory=dict)
    numbers: Mapping[str, float] = field(default_factory=dict)


def explain(
    flat: FlatModel, context: Context, as_written: Callable[[], Ordered]
) -> tuple[Diagnostic, ...]:
    """What is wrong, the most specific first. `as_written` gives the order of all equations, asked for only
    where those of the running model are not singular."""
    running = _Running(flat, context)
    found = running.singular()
    if found:
        return tuple(found)
    tied = _tied_states(running.hybrid, running.point, running.words)
    time = flat.experiment.start_time or 0.0
    given = {TIME: Real(time)}
    first = Point(running.variables, running.point.values, running.hybrid.crossings, given)
    return (*tied, *_start(as_written, first, running.words))


def faults_of_network(flat: FlatModel, context: Context) -> list[Diagnostic]:
    """Those mistakes that have a name: no ground, a connector left open, sources in a loop."""
    try:
        found = _Running(flat, context).singular()
    except CompileError:  # reported already, or too large to be looked at
        return []
    return [finding for finding in found if finding.code in CODES and finding.labels]


# ---------------------------------------------------------------- the running model


@dataclass(frozen=True, slots=True)
class Conflict:
    """Equations of which one follows from the others, or contradicts them."""

    equations: tuple[ScalarEquation, ...]
    contradicts: bool
    used: tuple[tuple[Var, ...], ...]  # the unknowns that matter to each


class _Running:
    """The equations of the running model, with nothing eliminated."""

    def __init__(self, flat: FlatModel, context: Context) -> None:
        scalar = scalar_model(flat, context.numbers)
        _, self.hybrid = first_steps(scalar, Elimination.NONE)
        self.variables = {v.name: v for v in self.hybrid.aliases.model.variables}
        self.point = Point(self.variables, ParameterValues(self.variables, scalar.functions))
        phase = Phase(is_initial=False)
        self.equations = [phase.equation(e) for e in self.hybrid.equations]
        flows = [v.name for v in flat.variables if v.is_flow]
        self.network = Network(flows, self.variables, context.places)
        self.words = Words(
            self.variables,
            self.equations,
            context.inputs,
            Writer(scalar.name, self.hybrid.crossings),
            flat.span.source.path,
        )

    def singular(self) -> list[Diagnostic]:
        unknowns = list(self.hybrid.continuous)
        rows = coefficients(self.equations, unknowns, self.point, fold_derivatives=True)
        vectors = null_vectors(rows, len(unknowns))
        if vectors is None:
            return []
        conflicts = [
            Conflict(
                tuple(self.equations[r] for r in sorted(v)),
                mismatch(v, self.equations, self.point),
                tuple(
                    tuple(unknowns[c] for c, value in rows[r].items() if value != 0.0)
                    for r in sorted(v)
                ),
            )
            for v in vectors.rows
        ]
        sets = [(tuple(unknowns[c] for c in sorted(v)), _all_equal(v)) for v in vectors.columns]
        result: list[Diagnostic] = []
        loose: list[tuple[Var, ...]] = []
        for variables, is_level in sets:
            # Where no level is given, balances that add up to 0 = 0 are left over in exchange.
            idle = next((c for c in conflicts if not c.contradicts), None)
            if is_level and len(variables) > 1 and idle is not None:
                conflicts.remove(idle)
                named = self.network.floating(variables, self.equations)
                result.append(named or self.words.floating(variables))
            else:
                loose.append(variables)
        return [*result, *self._pairs(conflicts, loose)][:MAX_FINDINGS]

    def _pairs(self, conflicts: list[Conflict], loose: list[tuple[Var, ...]]) -> list[Diagnostic]:
        """A conflict and what it leaves open belong together; what is over on either side stands
        alone."""
        result: list[Diagnostic] = []
        for k, found in enumerate(conflicts):
            open_ = loose[k] if k < len(loose) else ()
            named = self.network.conflict(found.equations, found.used)
            generic = self.words.conflict(found.equations, found.contradicts, open_)
            result.append(named or generic)
        return result + [self.words.missing(variables) for variables in loose[len(conflicts) :]]


def _all_equal(vector: Mapping[int, float]) -> bool:
    values = list(vector.values())
    return all(abs(value - values[0]) <= CANCELLATION.equal * abs(values[0]) for value in values)


# ---------------------------------------------------------------- states that tie each other


def _tied_states(hybrid: Hybrid, point: Point, words: Words) -> list[Diagnostic]:
    """Equations that are left over when all differentiated variables count as known."""
    found = assign(hybrid)
    if not found.constraints:
        return []
    unknowns = [*(v for v in found.unknowns if v is not None), *found.unassigned]
    vectors = dependencies(found.equations, unknowns, point, fold_derivatives=False)
    if vectors is None:
        return []
    states = _states(found.equations)
    result: list[Diagnostic] = []
    for vector in vectors.rows[:MAX_FINDINGS]:
        chain = [found.equations[row] for row in sorted(vector)]
        used = (v for e in chain for v in variables_in(e.left, e.right))
        tied = dict.fromkeys(var for var in used if var in states)
        result.append(words.tied(tuple(tied), tuple(chain)))
    return result


def _states(equations: tuple[ScalarEquation, ...]) -> set[Var]:
    return {
        base_of(var)
        for equation in equations
        for var in variables_in(equation.left, equation.right)
        if is_der(var)
    }


# ---------------------------------------------------------------- the start


def _start(as_written: Callable[[], Ordered], point: Point, words: Words) -> list[Diagnostic]:
    """Conditions at the start that are too many, each with the equations that leave no room; and
    what none of them fixes although counting finds enough."""
    try:
        ordered = as_written()
    except CompileError:
        return []  # reported already, with its own code
    system = ordered.initial
    if not system.checks and not any(isinstance(block, Loop) for block in system.blocks):
        return []
    unknowns = _unknowns(system)
    vectors = dependencies(system.equations, unknowns, point, fold_derivatives=False)
    if vectors is None:
        return []
    result = [
        words.start(
            tuple(system.equations[r] for r in sorted(v)), mismatch(v, system.equations, point)
        )
        for v in vectors.rows
    ]
    open_ = [tuple(unknowns[c] for c in sorted(v)) for v in vectors.columns]
    return [*result[:MAX_FINDINGS], *map(words.open_start, open_[:MAX_FINDINGS])]


def _unknowns(system: Sorted) -> list[Var]:
    found: list[Var] = []
    for block in system.blocks:
        found.extend((block.target,) if isinstance(block, Solved) else block.unknowns)
    return found
