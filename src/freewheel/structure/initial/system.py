"""The start-up system: everything unknown at the first instant, and the equations that give it.

Unknown are the states too, their derivatives, discrete variables, `pre` of them, and parameters
with `fixed = false`. Equations come in order of authority: those of the model, initial equations
and fixed start values; what is then still missing is taken from start values that are not fixed, with a
warning. What is too much must hold by itself and is checked after solving.

    der(x) = -x;  Real x(start = 1)      ->      x = 1 (assumed),  der(x) = -x
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from freewheel.base.diagnostics import CompileError, Diagnostic, Label, Severity
from freewheel.base.names import Name
from freewheel.base.source import NOWHERE
from freewheel.dymola.files import is_classic
from freewheel.flat.nodes import Variability
from freewheel.formula.nodes import ZERO, Call, Expr, Var
from freewheel.formula.nodes import Binary as BinaryNode
from freewheel.formula.types import REAL
from freewheel.formula.walk import calls_in, variables_in
from freewheel.graphs.matching import (
    CoarseParts,
    Matching,
    augment,
    augment_all,
    coarse_parts,
    match,
)
from freewheel.structure.atoms import base_of, der_of, is_pre, show_atom
from freewheel.structure.blocks.blt import system_of
from freewheel.structure.blocks.incidence import matching_columns
from freewheel.structure.events.discrete_equations import mixed_blocks
from freewheel.structure.index.late_inline import LateInline
from freewheel.structure.initial.conditions import (
    competing_conditions,
    fixed_aliases,
    reinits_at_start,
    start_of,
)
from freewheel.structure.initial.parameters import Parameters
from freewheel.structure.initial.phase import Phase, between, simplified
from freewheel.structure.nodes import (
    UNSAID,
    Chosen,
    Crossing,
    Hybrid,
    ScalarEquation,
    ScalarVariable,
    Solved,
    Sorted,
)
from freewheel.structure.switching.initial import (
    brought_in,
    follows_at_start,
    found_inside,
    known_at_start,
    steady_states,
    without_idle,
)
from freewheel.structure.switching.nodes import Core
from freewheel.structure.values import ParameterValues

Blame = Callable[[CoarseParts, Sequence[ScalarEquation], Sequence[Var]], CompileError]


@dataclass(frozen=True, slots=True)
class Start:
    """The sorted start-up system and what had to be assumed; where the model uses `homotopy`, also
    the simplified system whose solution is the first guess, and the way from there."""

    system: Sorted
    simplified: Sorted | None = None
    between: Sorted | None = None
    warnings: tuple[Diagnostic, ...] = ()
    steady: tuple[Var, ...] = ()  # states of the core that begin at rest
    guessed: tuple[Var, ...] = ()  # states of the core with a start value that is only a guess
    assumed: tuple[ScalarEquation, ...] = ()


def initial_system(
    hybrid: Hybrid,
    chosen: Chosen,
    core: Core,
    parameters: Parameters,
    variables: Mapping[Name, ScalarVariable],
    values: ParameterValues,
    blame: Blame,
    first: frozenset[str] = frozenset(),
) -> Start:
    """With a core its rows are left out: here its states only get the values they would like to
    have, and the run time makes them consistent with a position of all switches. Start values of the
    variables of `first` are assumed before others."""
    actual = _Maker(hybrid, chosen, core, parameters, variables, values, first=first)
    system, assumed = _sorted(actual, blame)
    given = {equation.left for equation in (*assumed, *actual.replaced)}
    found = {*actual.steady, *follows_at_start(core, given)}
    warnings = _assumption([e for e in assumed if e.left not in found], variables, bool(first))
    guessed = _guessed((*assumed, *actual.replaced), core)
    start = Start(system, None, None, warnings, actual.steady, guessed, tuple(assumed))
    if not actual.uses_homotopy():
        return start

    def guess(homotopy: Callable[[Expr, Expr], Expr]) -> Sorted:
        phase = Phase(is_initial=True, homotopy=homotopy)
        maker = _Maker(hybrid, chosen, core, parameters, variables, values, phase, first)
        return replace(_sorted(maker, blame)[0], checks=(), rivals=())

    return replace(start, simplified=guess(simplified), between=guess(between))


def _sorted(maker: _Maker, blame: Blame) -> tuple[Sorted, list[ScalarEquation]]:
    hybrid, variables = maker.hybrid, maker.variables
    square = maker.square(blame)
    crossings = maker.crossings()
    equations = [*square.equations, *map(maker.status, crossings)]
    all_unknowns = [*square.unknowns, *(c.status for c in crossings)]
    system = system_of(equations, all_unknowns)
    matching = match(system.choices, len(all_unknowns))
    assert matching.size == len(all_unknowns)
    switches = {c.status for c in crossings}
    switches.update(v for v in hybrid.discrete if not _is_real(v, variables))
    blocks = mixed_blocks(system, matching, switches, maker.values)
    if maker.brought:
        said = {k for k, equation in enumerate(equations) if id(equation) in square.said}
        blocks = without_idle(blocks, maker.brought, maker.core, said)
    surplus = tuple(range(len(equations), len(equations) + len(square.checks)))
    every = (*equations, *square.checks)
    return Sorted(every, tuple(blocks), surplus, tuple(square.competing)), square.assumed


@dataclass(frozen=True, slots=True)
class _Square:
    """As many equations as unknowns, and what was left over or had to be added."""

    equations: list[ScalarEquation]
    unknowns: list[Var]
    checks: list[ScalarEquation]
    competing: list[tuple[int, ...]]  # of each check, as places in `equations`
    assumed: list[ScalarEquation]
    said: frozenset[int]  # identities of the conditions that were given


def _is_real(var: Var, variables: Mapping[Name, ScalarVariable]) -> bool:
    variable = variables.get(var.name)
    return variable is not None and variable.type == REAL


class _Maker:
    def __init__(
        self,
        hybrid: Hybrid,
        chosen: Chosen,
        core: Core,
        parameters: Parameters,
        variables: Mapping[Name, ScalarVariable],
        values: ParameterValues,
        phase: Phase | None = None,
        first: frozenset[str] = frozenset(),
    ) -> None:
        self.hybrid = hybrid
        self.chosen = chosen
        self.core = core
        # Found by the core, together with the positions of its switches.
        self.inside = frozenset(found_inside(core))
        self.parameters = parameters
        self.variables = variables
        self.values = values
        self.phase = phase or Phase(is_initial=True)
        self.first = first
        self.rows_inside: frozenset[int] = frozenset()  # of the core, left out here
        self.brought: tuple[Var, ...] = ()
        self.steady: tuple[Var, ...] = ()
        self.tied = self._tied()
        self.replaced: list[ScalarEquation] = []  # starts of states for which others were assumed
        self.followed: dict[int, Var] = {}  # rows that follow from the core, and what they give
        if core.is_there:
            conditions = [*self.given(), *self.fixed(()), *map(self.at_start, self.tied)]
            rows, self.brought = brought_in(core, chosen.equations, conditions)
            brought = frozenset(self.brought)
            switched = {f.equation for f in core.followed if f.target in brought}
            self.rows_inside = frozenset((*core.equations, *switched)).difference(rows)
            self.followed = {f.equation: f.target for f in core.followed if f.target not in brought}
            self.inside = self.inside.difference(brought)

    def uses_homotopy(self) -> bool:
        return any(
            call.function == "homotopy"
            for equation in (*self.hybrid.equations, *self.hybrid.initial_equations)
            for call in calls_in(equation.left, equation.right)
        )

    # ------------------------------------------------------------ equations by authority

    def of_model(self) -> list[ScalarEquation]:
        steps = [self._binding(step) for step in self.parameters.late]
        count = len(self.hybrid.equations)
        model = [*self.hybrid.equations, *self.chosen.equations[count:]]
        model = [
            replace(equation, target=self.followed[row]) if row in self.followed else equation
            for row, equation in enumerate(model)
            if row not in self.rows_inside
        ]
        model += self.hybrid.discrete_equations
        if self.chosen.kept:
            given = [*map(self.phase.equation, self.hybrid.equations)]
            model += known_at_start(self.core, given, self.hybrid, self.variables)
        functions = {f.name: f for f in self.hybrid.aliases.model.functions}
        inline = LateInline(functions.get).equation
        return [*(_loosened(inline(self.phase.equation(e))) for e in model), *steps]

    def _binding(self, step: Solved) -> ScalarEquation:
        """`c2 = c`, where `c` is to be found: known forces may give `c2`, and that gives `c`."""
        target = None if _is_real(step.target, self.variables) else step.target
        return ScalarEquation(step.target, step.value, target=target)

    def given(self) -> list[ScalarEquation]:
        written = [self.phase.equation(e) for e in self.hybrid.initial_equations]
        return [*written, *reinits_at_start(self.hybrid.actions, self.phase)]

    def fixed(self, pres: Sequence[Var]) -> list[ScalarEquation]:
        candidates = [*self.hybrid.continuous, *pres]
        found = [self.at_start(var) for var in candidates if self._is_fixed(var)]
        aliases = self.hybrid.aliases.aliases
        said = {(e.left, e.right) for e in found}
        for again in fixed_aliases(aliases, self.variables, set(pres), self._fixes):
            if (again.left, again.right) not in said and again.left != again.right:
                said.add((again.left, again.right))
                found.append(again)
        return found

    def conditions(self, pres: Sequence[Var]) -> list[ScalarEquation]:
        """Initial equations and fixed starts. Those of chosen states come first: where there are
        more than needed, states are known to leave the rest solvable at the start point."""
        states = set(self.chosen.start_states)

        def is_later(equation: ScalarEquation) -> bool:
            return not states.issuperset(variables_in(equation.left, equation.right))

        return sorted([*self.given(), *self.fixed(pres)], key=is_later)

    def defaults(self, pres: Iterable[Var], states: Sequence[Var]) -> list[ScalarEquation]:
        taken = set(states)
        others = [
            var
            for var in self.hybrid.continuous
            if var not in taken and self.variables[var.name].start is not None
        ]
        rest = [
            var for var in self.hybrid.continuous if var not in taken and var not in set(others)
        ]
        free = list(self.parameters.free)
        ordered = [*pres, *free, *states, *others, *rest]
        if self.first:
            ordered.sort(key=lambda var: show_atom(var.name) not in self.first)
        return [self.at_start(var) for var in ordered if not self._is_fixed(var)]

    def by_say(self) -> list[Var]:
        """States, and what is tied to them: first those whose start was written nearest to the top."""
        if not self.tied:
            return list(self.chosen.start_states)
        return sorted([*self.chosen.start_states, *self.tied], key=self._say, reverse=True)

    def _tied(self) -> tuple[Var, ...]:
        """Other variables that the model differentiates, tied to states by constraints: those whose start
        was written by a modification, where that of some state is what its class says: only a guess."""
        states = set(self.chosen.start_states)
        known = [self.variables[var.name] for var in states if var.name in self.variables]
        least = min((v.start_say for v in known if v.is_default_start), default=0)
        written = {
            var
            for var in self.hybrid.continuous
            if var not in states
            and not self.variables[var.name].is_default_start
            and self._say(var) > least
            and not self._is_fixed(var)
        }
        if self.first or not written:
            return ()
        rates = {v for e in self.hybrid.equations for v in variables_in(e.left, e.right)}
        return tuple(v for v in self.hybrid.continuous if v in written and der_of(v) in rates)

    def _say(self, state: Var) -> int:
        variable = self.variables.get(state.name)
        return UNSAID if variable is None else variable.start_say

    def _is_fixed(self, var: Var) -> bool:
        variable = self.variables.get((base_of(var) if is_pre(var) else var).name)
        return variable is not None and self._fixes(variable)

    def _fixes(self, variable: ScalarVariable) -> bool:
        return variable.fixed is not None and self.values.truth(variable.fixed) is True

    def at_start(self, var: Var) -> ScalarEquation:
        variable = self.variables.get((base_of(var) if is_pre(var) else var).name)
        start = ZERO if variable is None else start_of(variable)
        span = NOWHERE if variable is None else variable.span
        return ScalarEquation(var, start, span, target=var)

    def crossings(self) -> list[Crossing]:
        """Those whose status is found here."""
        kept = self.core.turning
        return [c for c in self.hybrid.crossings if c.status not in kept]

    def status(self, crossing: Crossing) -> ScalarEquation:
        left, right = self.phase.expr(crossing.left), self.phase.expr(crossing.right)
        sign = Call("sign", BinaryNode("-", left, right))
        return ScalarEquation(crossing.status, sign, crossing.span, target=crossing.status)

    # ------------------------------------------------------------ as many as unknowns

    def unknowns(self, equations: Iterable[ScalarEquation]) -> tuple[list[Var], list[Var]]:
        """(all unknowns, the pre-values among them)."""
        pres: dict[Var, None] = {}
        for equation in equations:
            for var in variables_in(equation.left, equation.right):
                if is_pre(var):
                    pres[var] = None
        late = [step.target for step in self.parameters.late]
        return [
            *self.chosen.states,
            *(var for var in self.chosen.unknowns if var not in self.inside),
            *self.hybrid.discrete,
            *pres,
            *self.parameters.free,
            *late,
        ], list(pres)

    def square(self, blame: Blame) -> _Square:
        model = self.of_model()
        unknowns, pres = self.unknowns([*model, *self.given()])
        continuous = set(self.hybrid.continuous)
        held = [pre for pre in pres if base_of(pre) in continuous]
        model += [ScalarEquation(pre, base_of(pre), target=pre) for pre in held]
        model += self._wishes(model, unknowns)
        discrete_pres = [pre for pre in pres if base_of(pre) not in continuous]
        conditions = self.conditions(discrete_pres)
        groups = [model, conditions, self.defaults(discrete_pres, self.by_say())]
        rows = [equation for group in groups for equation in group]
        sizes = [len(group) for group in groups]
        number = {var: k for k, var in enumerate(unknowns)}
        choices = [matching_columns(equation, number) for equation in rows]
        matching = _by_authority(choices, sizes, len(unknowns))
        self._require_complete(rows, choices, unknowns, matching, len(model), blame)
        used = [r for r, column in enumerate(matching.column_of_row) if column >= 0]
        required = len(model) + len(conditions)
        surplus = [r for r in range(required) if matching.column_of_row[r] < 0]
        assumed = [rows[r] for r in used if r >= required]
        if self.core.is_there and any(equation.target in self.tied for equation in assumed):
            kept = [r for r, e in enumerate(rows) if r < required or e.target not in self.tied]
            sizes[-1] = len(kept) - required
            plain = _by_authority([choices[r] for r in kept], sizes, len(unknowns))
            taken = {r for r, column in zip(kept, plain.column_of_row, strict=True) if column >= 0}
            self.replaced = [rows[r] for r in sorted(taken.difference(used)) if r >= required]
        free = [*assumed, *self.replaced]
        steady = steady_states([rows[r] for r in surplus], free, self.core)
        self.steady = tuple(steady.values())
        surplus = [r for place, r in enumerate(surplus) if place not in steady]
        place = {row: k for k, row in enumerate(used)}
        said = frozenset(range(len(model), len(rows)))
        competing = [
            competing_conditions(rows[r], rows, number, matching.row_of_column, said)
            for r in surplus
        ]
        return _Square(
            [rows[r] for r in used],
            unknowns,
            [rows[r] for r in surplus],
            [tuple(place[row] for row in group) for group in competing],
            assumed,
            frozenset(map(id, conditions)),
        )

    def _wishes(
        self, model: Sequence[ScalarEquation], unknowns: Sequence[Var]
    ) -> list[ScalarEquation]:
        """For what was brought in from the core without an equation that gives it: the position of
        switches does, so no condition can."""
        if not self.brought:
            return []
        switched = [self.chosen.equations[n] for e in self.core.elements for n in e.equations]
        late = {v for e in switched for v in variables_in(e.left, e.right)}
        number = {var: k for k, var in enumerate(unknowns)}
        others = {number[var] for var in unknowns if var not in self.chosen.states}
        first = {k for k in others if unknowns[k] not in late}
        rows = [matching_columns(e, number) for e in model]
        # Variables of switches come last: they take what the other equations leave undetermined.
        found = match([[c for c in row if c in first] for row in rows], len(unknowns))
        column_of_row, row_of_column = list(found.column_of_row), list(found.row_of_column)
        choices = [[c for c in row if c in others] for row in rows]
        augment_all(choices, column_of_row, row_of_column, range(len(rows)))
        return [self.at_start(var) for var in self.brought if row_of_column[number[var]] < 0]

    def _require_complete(
        self,
        rows: Sequence[ScalarEquation],
        choices: Sequence[Sequence[int]],
        unknowns: Sequence[Var],
        matching: Matching,
        model_count: int,
        blame: Blame,
    ) -> None:
        """Only equations of the model can fail to fit, those under `initial()`; conditions and start
        values that determine nothing are left out."""
        incomplete = any(column < 0 for column in matching.column_of_row[:model_count])
        if not incomplete and all(row >= 0 for row in matching.row_of_column):
            return
        kept = [r for r in range(len(rows)) if r < model_count or matching.column_of_row[r] >= 0]
        place = {row: k for k, row in enumerate(kept)}
        part = Matching(
            tuple(matching.column_of_row[r] for r in kept),
            tuple(place.get(row, row) for row in matching.row_of_column),
        )
        found = coarse_parts([choices[r] for r in kept], len(unknowns), part)
        raise blame(found, [rows[r] for r in kept], unknowns)


def _loosened(equation: ScalarEquation) -> ScalarEquation:
    """`v = pre(w)`, as where no when-clause is active: an initial equation may give either."""
    if equation.target is not None and isinstance(equation.right, Var) and is_pre(equation.right):
        return replace(equation, target=None)
    return equation


def _by_authority(choices: Sequence[Sequence[int]], sizes: list[int], count: int) -> Matching:
    """Rows of an earlier group stay matched when later ones are added; the last group only fills
    what is still open."""
    total = sum(sizes)
    first = match(choices[: sizes[0]], count)
    column_of_row = [*first.column_of_row, *([-1] * (total - sizes[0]))]
    row_of_column = list(first.row_of_column)
    start = sizes[0]
    for size in sizes[1:-1]:
        augment_all(choices, column_of_row, row_of_column, range(start, start + size))
        start += size
    open_columns = row_of_column.count(-1)
    looked_at, seen = [0] * total, [-1] * count
    for row in range(start, total):
        if open_columns == 0:
            break
        open_columns -= augment(choices, column_of_row, row_of_column, row, looked_at, seen)
    return Matching(tuple(column_of_row), tuple(row_of_column))


def _guessed(assumed: Sequence[ScalarEquation], core: Core) -> tuple[Var, ...]:
    """States of the core among them. Those of the classic language begin with their start values."""
    given = {equation.left for equation in assumed if not is_classic(equation.span.source.path)}
    return tuple(state for state in core.differential if state in given)


def _assumption(
    assumed: Sequence[ScalarEquation], variables: Mapping[Name, ScalarVariable], is_second: bool
) -> tuple[Diagnostic, ...]:
    """Other tools warn too: the start value of a state that is not fixed was only a proposal."""
    reported = [
        e
        for e in assumed
        if isinstance(e.left, Var)
        and not is_pre(e.left)
        and e.left.name in variables
        and variables[e.left.name].variability in (Variability.CONTINUOUS, Variability.PARAMETER)
        and not is_classic(e.span.source.path)  # there all states begin with their start values
    ]
    if not reported:
        return ()
    names = ", ".join(
        f"`{show_atom(e.left.name)}`" for e in reported[:6] if isinstance(e.left, Var)
    )
    more = f" and {len(reported) - 6} more" if len(reported) > 6 else ""
    why = ": the start has no solution with others" if is_second else ""
    return (
        Diagnostic(
            "E020",
            f"the start values of {names}{more} are taken as initial conditions{why}",
            tuple(Label(e.span, "not fixed") for e in reported[:3] if e.span is not NOWHERE),
            help="set `fixed = true`, or write initial equations",
            severity=Severity.WARNING,
        ),
    )
