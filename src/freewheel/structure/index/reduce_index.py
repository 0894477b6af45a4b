"""Differentiate what Pantelides selected, so that every state derivative has an equation.

    C1*der(u1) = i1, C2*der(u2) = i2, u1 = u2, i1 + i2 = i   adds   der(u1) = der(u2)

In: the continuous equations and unknowns. Out: the same plus differentiated equations, with the
chains that say which equation and which unknown is whose derivative.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from freewheel.base.diagnostics import CompileError
from freewheel.base.names import ClassName, Name
from freewheel.flat.nodes import Causality, Variability
from freewheel.formula.build import is_number
from freewheel.formula.differentiate import CallDerivatives, Differentiation
from freewheel.formula.faults import at as at_place
from freewheel.formula.function_derivatives import FunctionDerivatives
from freewheel.formula.nodes import ONE, TIME, ZERO, Binary, Call, Expr, If, Var
from freewheel.formula.walk import calls_in, nodes_of, variables_in
from freewheel.graphs.components import components
from freewheel.graphs.matching import CoarseParts, coarse_parts, match
from freewheel.graphs.pantelides import NO_ROWS, NONE, NoEndError, pantelides
from freewheel.structure.atoms import DER, base_of, der_of, is_der
from freewheel.structure.blocks.diagnostics import singular
from freewheel.structure.blocks.incidence import columns_of, folded
from freewheel.structure.index.diagnostics import derivative_of_input, index_reduction_without_end
from freewheel.structure.index.hidden_constraints import find_cancellations, find_hidden_constraints
from freewheel.structure.index.impulses import ending_in_known, origins
from freewheel.structure.index.late_inline import LateInline
from freewheel.structure.index.steady_unknowns import steady_unknowns
from freewheel.structure.nodes import ScalarEquation, ScalarVariable
from freewheel.structure.simplify.zero_factors import without_zeros
from freewheel.structure.switching.numbers.if_chains import ends_of
from freewheel.structure.thresholds import CANCELLATION

MAX_ROUNDS = 20  # of combinations; each finds at least one constraint
# Of a given equation, by number, and of it or a derivative of it: must it stay as it is?
Jumps = Callable[[int, ScalarEquation], bool]
Givers = Callable[[], Mapping[int, Var]]  # equations that give known quantities, see impulses.py
# Equations that jump though they are differentiated: their impulses are in known quantities alone.
Impulses = tuple[tuple[int, Var, tuple[Var, ...]], ...]
Replaced = Mapping[int, ScalarEquation]  # what stands in the place of a given equation


@dataclass(frozen=True, slots=True)
class Chains:
    """Equations and unknowns, each perhaps followed by its derivative."""

    equations: tuple[ScalarEquation, ...]
    unknowns: tuple[Var, ...]
    equation_derivative: tuple[int, ...]
    unknown_derivative: tuple[int, ...]
    # Given equations in whose place another one stands, by number: what only cancellation shows.
    replaced: Replaced = field(default_factory=dict)
    kept: tuple[int, ...] = ()  # equations that constrain and jump at events: not differentiated
    impulses: Impulses = ()
    steady: frozenset[Var] = frozenset()  # unknowns that rest between events
    plain: tuple[ScalarEquation, ...] = ()  # the equations before functions are put in place


def reduce_index(
    name: ClassName,
    equations: Sequence[ScalarEquation],
    unknowns: Sequence[Var],
    variables: Mapping[Name, ScalarVariable],
    functions: FunctionDerivatives,
    counts: tuple[int, int],
    orders: Mapping[Var, int] | None = None,
    loose: frozenset[int] = frozenset(),
    jumps: Jumps = lambda number, equation: False,
    givers: Givers = dict,
) -> Chains:
    """`unknowns` are variables without derivatives; these are found in the equations. `orders`
    says of some how often they must be differentiated in any case. `loose` are equations that say
    something else at other times: they are in no combination. What `jumps` at events does not give the
    same values after as before: differentiated, it would hold between events only, and the state that
    is chosen would keep its value where another quantity is conserved; but what gives one of the known
    quantities, by `givers`, holds whatever is conserved."""
    columns = _with_derivatives(equations, unknowns, variables, orders or {})
    rates = {base_of(var) for var in columns if is_der(var)}
    steady = steady_unknowns(equations, unknowns, rates, variables)
    differentiator = _Differentiator(set(columns), variables, functions)
    rows = _Rows(columns, LateInline(functions.function))
    parts = rows.fit(equations)
    if parts is not None:
        raise singular(name, equations, rows.bases, parts, variables, counts)
    search = _Search(name, equations, rows, differentiator, variables, counts, loose)
    chains, replaced = search.reduced({})
    apart, impulses = _jumping(chains, replaced, jumps, givers)
    if _differentiates_switches(chains, len(columns)) or apart:
        constraints = search.hidden_constraints()
        if constraints:
            chains, replaced = search.reduced(constraints)
        chains, replaced, impulses = search.kept_apart(chains, replaced, constraints, jumps, givers)
    return replace(chains, replaced=replaced, steady=steady, impulses=impulses)


def _jumping(
    chains: Chains, replaced: Replaced, jumps: Jumps, givers: Givers
) -> tuple[list[int], Impulses]:
    """Given equations that constrain, themselves or by a derivative, and are not the same after an
    event: the lower members of the chain of one that is differentiated. What a function says of its arguments
    (`noDerivative`) counts as well as its formula. Apart from them those that only known quantities see."""
    first = origins(chains)
    level = [0] * len(first)
    found: dict[int, int] = {}
    for row, later in enumerate(chains.equation_derivative):
        if later == NONE:
            continue
        level[later] = level[row] + 1
        forms = (chains.equations[row], chains.plain[row])
        if first[row] not in found and all(jumps(first[row], form) for form in forms):
            found[first[row]] = level[row]
    if not found:
        return [], ()
    known = {row: var for row, var in givers().items() if row not in replaced}
    impulses = ending_in_known(chains, found, known)
    harmless = {row for row, _, _ in impulses}
    return [row for row in found if row not in harmless], impulses


@dataclass(frozen=True, slots=True)
class _Search:
    """For equations in whose place others stand, so that structure shows what they constrain."""

    name: ClassName
    equations: Sequence[ScalarEquation]
    rows: _Rows
    differentiator: _Differentiator
    variables: Mapping[Name, ScalarVariable]
    counts: tuple[int, int]
    loose: frozenset[int]

    def reduced(
        self, replaced: Replaced, kept: Mapping[int, Sequence[int]] = NO_ROWS
    ) -> tuple[Chains, Replaced]:
        """With all that cancellation shows."""
        chains, found = self._reduced(replaced, kept)
        for _ in range(MAX_ROUNDS):
            better = self._accepted(replaced, found)
            if not better:
                break
            replaced = {**replaced, **better}
            chains, found = self._reduced(replaced, kept)
        return replace(chains, kept=tuple(sorted(kept))), replaced

    def _reduced(
        self, replaced: Replaced, kept: Mapping[int, Sequence[int]]
    ) -> tuple[Chains, Replaced]:
        given = self._given(replaced)
        return _reduced(given, self.rows, self.differentiator, self.loose, kept)

    def kept_apart(
        self,
        chains: Chains,
        replaced: Replaced,
        constraints: Replaced,
        jumps: Jumps,
        givers: Givers,
    ) -> tuple[Chains, Replaced, Impulses]:
        """With equations that jump left as they are. Each may be paired with the derivative of any
        variable that is tied with it; where that is not enough, with those of more."""
        kept: dict[int, tuple[int, ...]] = {}
        while True:
            tied = self.rows.tied(chains)
            jumping, impulses = _jumping(chains, replaced, jumps, givers)
            found = {row: tied[row] for row in jumping}
            new = {
                row: tuple(sorted({*kept.get(row, ()), *columns})) for row, columns in found.items()
            }
            if all(kept.get(row) == columns for row, columns in new.items()):
                return chains, replaced, impulses
            kept |= new
            chains, replaced = self.reduced(constraints, kept)

    def hidden_constraints(self) -> Replaced:
        """Combinations that hold states alone; those that share equations come one after the other."""
        replaced: Replaced = {}
        for _ in range(MAX_ROUNDS):
            found = self.rows.hidden_constraints(self._given(replaced), self.loose)
            better = self._accepted(replaced, found)
            if not better:
                break
            replaced = {**replaced, **better}
        return replaced

    def _given(self, replaced: Replaced) -> list[ScalarEquation]:
        return [replaced.get(k, equation) for k, equation in enumerate(self.equations)]

    def _accepted(self, replaced: Replaced, found: Replaced) -> Replaced:
        better, contradiction = self.rows.accepted(self._given(replaced), found)
        if contradiction:
            parts = self.rows.fit(contradiction)
            assert parts is not None
            raise singular(
                self.name, contradiction, self.rows.bases, parts, self.variables, self.counts
            )
        return better


def _differentiates_switches(chains: Chains, given: int) -> bool:
    """Whether the derivative of an algebraic variable is asked for that stands in an equation of a
    switch. These had better be left alone: what they say changes with their positions."""
    created = {base_of(var) for var in chains.unknowns[given:]}
    return any(
        not created.isdisjoint(variables_in(equation.left, equation.right))
        and (_holds_switch(equation.left) or _holds_switch(equation.right))
        for equation in chains.equations
    )


def _holds_switch(side: Expr) -> bool:
    """Anywhere `if open then i else u`, branches about other variables, or `s*(if off then 1 else 2)`."""
    return any(
        _differs(node)
        or (isinstance(node, Binary) and node.op == "*" and any(map(_is_position, node.args)))
        for node in nodes_of(side)
    )


def _differs(node: Expr) -> bool:
    if not isinstance(node, If):
        return False
    then, otherwise = (set(variables_in(branch)) for branch in node.args[1:])
    return then != otherwise


def _is_position(expr: Expr) -> bool:
    return isinstance(expr, If) and not any(end.args for end in ends_of(expr))


def _reduced(
    equations: Sequence[ScalarEquation],
    rows: _Rows,
    differentiator: _Differentiator,
    loose: frozenset[int],
    kept: Mapping[int, Sequence[int]],
) -> tuple[Chains, dict[int, ScalarEquation]]:
    """Pantelides' algorithm, and what it cannot see."""
    columns = rows.columns
    work = _Work(equations, rows.number, differentiator, rows.inline)
    incidence = [columns_of(equation, rows.number) for equation in work.shown]
    try:
        reduced = pantelides(incidence, rows.derivative, work.derive, work.is_early, kept)
    except NoEndError as problem:
        raise index_reduction_without_end(equations, problem.rows) from None
    all_columns = _all_columns(columns, reduced.column_derivative)
    found = find_cancellations(work.shown, all_columns, reduced, lambda row: row not in loose)
    rows_order = _generations(reduced.row_derivative, len(equations))
    columns_order = _generations(reduced.column_derivative, len(columns))
    place = {row: k for k, row in enumerate(rows_order)} | {NONE: NONE}
    shown = (work.shown[row] for row in rows_order)
    chains = Chains(
        tuple(_derivative_of(place[e.derivative_of], e) for e in shown),
        tuple(all_columns[column] for column in columns_order),
        _renumbered(reduced.row_derivative, rows_order),
        _renumbered(reduced.column_derivative, columns_order),
        plain=tuple(work.plain[row] for row in rows_order),
    )
    return chains, found


class _Rows:
    """Unknowns by number. With every derivative counted as its variable, equations and variables
    must fit."""

    def __init__(self, columns: Sequence[Var], inline: LateInline) -> None:
        self.columns = columns
        self.inline = inline
        self.number = {var: k for k, var in enumerate(columns)}
        self.derivative = [self.number.get(der_of(var), NONE) for var in columns]
        self.bases = [var for var in columns if not is_der(var)]
        base_number = {var: k for k, var in enumerate(self.bases)}
        self.base = [base_number[folded(var)] for var in columns]

    def fit(self, equations: Sequence[ScalarEquation]) -> CoarseParts | None:
        """Where they do not fit: too many equations here, too few there."""
        rows = [self._bases_in(_shown(equation, self.inline)) for equation in equations]
        matching = match(rows, len(self.bases))
        if matching.size == len(self.bases) == len(rows):
            return None
        return coarse_parts(rows, len(self.bases), matching)

    def hidden_constraints(
        self, equations: Sequence[ScalarEquation], loose: frozenset[int]
    ) -> dict[int, ScalarEquation]:
        """Combinations of equations without derivatives."""

        def may_change(row: int) -> bool:
            equation = equations[row]
            return row not in loose and not any(
                is_der(var) for var in variables_in(equation.left, equation.right)
            )

        return find_hidden_constraints(equations, self.columns, self.derivative, may_change)

    def accepted(
        self, equations: Sequence[ScalarEquation], found: Mapping[int, ScalarEquation]
    ) -> tuple[dict[int, ScalarEquation], list[ScalarEquation]]:
        """Replacements with which equations and variables still fit. The others say `0 = 0`, or
        something about parameters: if that is wrong, or leaves something open, the run reports it. The
        equations with `0 = 1` among them, if that is what they come to."""
        if not found or self.fit([found.get(k, e) for k, e in enumerate(equations)]) is None:
            return dict(found), []
        result: dict[int, ScalarEquation] = {}
        for number, equation in found.items():
            trial = {**result, number: equation}
            new = [trial.get(k, e) for k, e in enumerate(equations)]
            if self.fit(new) is None:
                result = trial
            elif is_number(equation.left) and abs(equation.left.data) > CANCELLATION.left:
                return {}, new
        return result, []

    def tied(self, chains: Chains) -> dict[int, tuple[int, ...]]:
        """Given equation that is differentiated -> columns without derivatives of all such equations
        that it shares unknowns with, directly or through others."""
        rows = [row for row in range(len(self.bases)) if chains.equation_derivative[row] != NONE]
        bases = [self._bases_in(chains.equations[row]) for row in rows]
        users: dict[int, list[int]] = {}
        for at, columns in enumerate(bases):
            for column in columns:
                users.setdefault(column, []).append(at)
        blocks = components([[at for c in columns for at in users[c]] for columns in bases])
        result: dict[int, tuple[int, ...]] = {}
        for block in blocks:
            columns = sorted({column for at in block for column in bases[at]})
            result |= dict.fromkeys((rows[at] for at in block), tuple(columns))
        return result

    def _bases_in(self, equation: ScalarEquation) -> list[int]:
        return list(dict.fromkeys(self.base[c] for c in columns_of(equation, self.number)))


def _derivative_of(number: int, equation: ScalarEquation) -> ScalarEquation:
    if equation.derivative_of == number:
        return equation
    return replace(equation, derivative_of=number)


def _generations(derivative: Sequence[int], given: int) -> list[int]:
    """First what was given, then the derivatives of it, then theirs, each in the given order:
    listings do not depend on the way of the search."""
    order = list(range(given))
    first = set(order)
    for at in order:  # grows while it is read
        later = derivative[at]
        if later != NONE and later not in first:
            order.append(later)
    return order


def _renumbered(derivative: Sequence[int], order: Sequence[int]) -> tuple[int, ...]:
    new = {at: place for place, at in enumerate(order)} | {NONE: NONE}
    return tuple(new[derivative[at]] for at in order)


def _all_columns(columns: Sequence[Var], derivative: Sequence[int]) -> tuple[Var, ...]:
    """The columns and after them the derivatives that were created, in that order."""
    result = list(columns)
    created = sorted((later, c) for c, later in enumerate(derivative) if later >= len(columns))
    for later, column in created:
        assert later == len(result)
        result.append(der_of(result[column]))
    return tuple(result)


def _shown(equation: ScalarEquation, inline: LateInline) -> ScalarEquation:
    inlined = inline.equation(equation)
    return equation if inlined is equation else without_zeros(inlined)


class _Work:
    """The equations, more and more of them, in two forms: `plain` to be differentiated again, with
    calls whose derivatives are known by annotation; `shown` with the formulas of such calls and
    without terms that are zero, which shows what an equation really depends on."""

    def __init__(
        self,
        equations: Sequence[ScalarEquation],
        number: Mapping[Var, int],
        differentiator: _Differentiator,
        inline: LateInline,
    ) -> None:
        self.plain = list(equations)
        self.number = number
        self.differentiator = differentiator
        self.inline = inline
        self.early: dict[int, bool] = {}
        self.ahead: dict[int, tuple[ScalarEquation, ScalarEquation]] = {}  # row -> its derivative
        self.shown = [_shown(equation, inline) for equation in equations]

    def derive(self, row: int, derivative_of: Callable[[int], int]) -> list[int]:
        """Appends the derivative of an equation; gives the columns in it."""
        plain, shown = self._derivative(row)
        self.plain.append(plain)
        self.shown.append(shown)
        found = variables_in(shown.left, shown.right)
        columns = (self._column(var, derivative_of) for var in found)
        return [column for column in columns if column != NONE]

    def is_early(self, row: int) -> bool:
        """Whether the derivative, by annotation, does not hold the derivatives of all unknowns."""
        if row not in self.early:
            self.early[row] = self._leaves_out(row)
        return self.early[row]

    def _leaves_out(self, row: int) -> bool:
        equation = self.shown[row]
        if not any(not isinstance(call.function, str) for call in _calls(self.plain[row])):
            return False
        try:
            _, shown = self._derivative(row)
        except CompileError:
            return False  # said when it must be differentiated
        held = set(variables_in(shown.left, shown.right))
        inside = variables_in(equation.left, equation.right)
        return any(der_of(v) not in held for v in inside if v in self.number or is_der(v))

    def _derivative(self, row: int) -> tuple[ScalarEquation, ScalarEquation]:
        if row not in self.ahead:
            plain = self.differentiator.equation(self.plain[row], row)
            self.ahead[row] = plain, without_zeros(self.inline.equation(plain))
        return self.ahead[row]

    def _column(self, var: Var, derivative_of: Callable[[int], int]) -> int:
        """The number of an unknown or of a derivative of one."""
        order = 0
        while var not in self.number:
            if not is_der(var):
                return NONE
            var, order = base_of(var), order + 1
        column = self.number[var]
        for _ in range(order):
            column = derivative_of(column)
        return column


def _calls(equation: ScalarEquation) -> tuple[Call, ...]:
    return calls_in(equation.left, equation.right)


def _with_derivatives(
    equations: Sequence[ScalarEquation],
    unknowns: Sequence[Var],
    variables: Mapping[Name, ScalarVariable],
    orders: Mapping[Var, int],
) -> list[Var]:
    """The unknowns, then the derivatives that occur, each after what it is the derivative of.

    A variable that must be a state needs a derivative even where the modeller writes none: with it,
    the equations that tie it to other states are constraints and get differentiated.
    """
    known = set(unknowns)
    must = (v for v in unknowns if v.name in variables)
    extra = {der_of(v): None for v in must if variables[v.name].state_select == "always"}
    for var, order in orders.items():
        for _ in range(order):
            var = der_of(var)
            extra[var] = None
    for equation in equations:
        for var in variables_in(equation.left, equation.right):
            if var.name[0] == DER and var not in extra:
                chain = [var]
                while is_der(chain[-1]):
                    chain.append(base_of(chain[-1]))
                if chain[-1] not in known:
                    raise derivative_of_input(chain[-1], equation)
                extra.update((part, None) for part in reversed(chain[:-1]))
    return [*unknowns, *extra]


class _Differentiator:
    def __init__(
        self,
        unknowns: set[Var],
        variables: Mapping[Name, ScalarVariable],
        functions: CallDerivatives | None,
    ) -> None:
        self.unknowns = unknowns
        self.variables = variables
        self.rules = Differentiation(self._derivative, functions)
        self.equation_now: ScalarEquation | None = None

    def equation(self, equation: ScalarEquation, row: int) -> ScalarEquation:
        self.equation_now = equation
        try:
            left, right = self.expr(equation.left), self.expr(equation.right)
        except CompileError as problem:
            raise at_place(problem, equation.span) from None
        return ScalarEquation(
            left,
            right,
            equation.span,
            equation.origin,
            target=None if equation.target is None else der_of(equation.target),
            derivative_of=row,
        )

    def expr(self, expr: Expr) -> Expr:
        return self.rules.of(expr)

    def _derivative(self, var: Var) -> Expr:
        if var is TIME:
            return ONE
        if var in self.unknowns or is_der(var):
            return der_of(var)
        variable = self.variables.get(var.name)
        if variable is None or variable.variability < Variability.CONTINUOUS:
            return ZERO  # parameters, discrete quantities and statuses rest between events
        if variable.causality is Causality.INPUT:
            assert self.equation_now is not None
            raise derivative_of_input(var, self.equation_now)
        return der_of(var)
