"""Continuous-time equations on a clock: a solver method turns them into difference equations.

    der(x) = -x, ImplicitEuler     ->     x = previous(x) + h*slope;  slope = -x

In: the equations of one partition. Out: equations for its variables, for the slopes of its states
and for the stages of the method. States are chosen and constraints differentiated as for a model
of its own. At the first tick states have their start values, or what initial equations say.
Modelica 3.6, "Solver Methods"; inline integration: Elmqvist, Otter, Cellier 1995.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from freewheel.base.names import ClassName, Name
from freewheel.flat.nodes import Variability
from freewheel.formula import build
from freewheel.formula.function_derivatives import FunctionDerivatives
from freewheel.formula.nodes import TIME, TRUE, ZERO, Expr, If, Real, Var
from freewheel.formula.types import REAL
from freewheel.formula.walk import replace as replace_in
from freewheel.formula.walk import variables_in
from freewheel.graphs.matching import match
from freewheel.structure.atoms import DER, PRE, der_of, is_der, pre_of
from freewheel.structure.clocks.nodes import Beats
from freewheel.structure.index.reduce_index import reduce_index
from freewheel.structure.index.states import choose_states
from freewheel.structure.nodes import ScalarEquation, ScalarVariable
from freewheel.structure.values import ParameterValues

SLOPE = "$slope"  # ("$slope", "x"): der(x) on a clock
STAGE = "$stage"  # ("$stage", 2, "x"): x inside a step
HALF = Real(0.5)


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What the equations of a partition refer to."""

    name: ClassName
    variables: Mapping[Name, ScalarVariable]
    inputs: frozenset[Var]  # hidden variables for what comes from other partitions
    derivatives: FunctionDerivatives
    values: ParameterValues


@dataclass(slots=True)
class Discretized:
    equations: list[ScalarEquation] = field(default_factory=list)
    unknowns: list[Var] = field(default_factory=list)
    hidden: list[Var] = field(default_factory=list)  # those of them that are new


def discretize(
    equations: Sequence[ScalarEquation],
    unknowns: Sequence[Var],
    initial: Sequence[ScalarEquation],
    method: str,
    beats: Beats,
    around: Surroundings,
) -> Discretized:
    continuous = [v for v in unknowns if _is_continuous(v, around.variables)]
    inner = frozenset(continuous)
    stepped = [e for e in equations if _is_stepped(e, inner, around.variables)]
    smooth = [e for e in equations if not _is_stepped(e, inner, around.variables)]
    counts = len(smooth), len(continuous)
    arguments = (around.variables, around.derivatives, counts)
    chains = reduce_index(around.name, smooth, continuous, *arguments)
    selection = choose_states(chains, around.variables, around.values)
    work = _Work(
        tuple(_renamed(e) for e in chains.equations),
        tuple(_slope(v) for v in selection.unknowns),
        selection.states,
        frozenset(unknowns) - inner,
        beats,
        around,
    )
    work.result.equations += [*work.equations, *stepped]
    work.result.unknowns += [*(v for v in unknowns if v not in inner)]
    work.add([*work.unknowns, *(_slope(s) for s in work.states)])
    _STEPS[method](work)
    work.begin([_renamed(e) for e in initial])
    return work.result


def _is_continuous(var: Var, variables: Mapping[Name, ScalarVariable]) -> bool:
    variable = variables.get(var.name)
    return variable is not None and variable.variability == Variability.CONTINUOUS


def _is_stepped(
    equation: ScalarEquation, inner: frozenset[Var], variables: Mapping[Name, ScalarVariable]
) -> bool:
    """Does it give something that is not integrated?"""
    if equation.target is not None:
        return equation.target not in inner
    sides = [s for s in (equation.left, equation.right) if isinstance(s, Var) and s not in inner]
    if any(variables[s.name].type != REAL for s in sides if s.name in variables):
        return True
    found = variables_in(equation.left, equation.right)
    return not any(var in inner or is_der(var) for var in found)


def _slope(var: Var) -> Var:
    depth = 0
    while var.name[depth] == DER:
        depth += 1
    return Var((*((SLOPE,) * depth), *var.name[depth:])) if depth else var


def integrated_from(var: Var) -> Var:
    """The variable of the model that a slope or a stage belongs to."""
    name = var.name
    while name[0] in (SLOPE, STAGE):
        name = name[1:] if name[0] == SLOPE else name[2:]
    return Var(name)


def _renamed(equation: ScalarEquation) -> ScalarEquation:
    def visit(node: Expr) -> Expr | None:
        return _slope(node) if isinstance(node, Var) else None

    target = None if equation.target is None else _slope(equation.target)
    left, right = replace_in(equation.left, visit), replace_in(equation.right, visit)
    return replace(equation, left=left, right=right, target=target, derivative_of=-1)


@dataclass(slots=True)
class _Work:
    """The parts of one partition while its step is put together."""

    equations: tuple[ScalarEquation, ...]
    unknowns: tuple[Var, ...]
    states: tuple[Var, ...]
    stepped: frozenset[Var]
    beats: Beats
    around: Surroundings
    result: Discretized = field(default_factory=Discretized)
    steps: dict[Var, Expr] = field(default_factory=dict)  # state -> its value after a step

    @property
    def h(self) -> Expr:
        return self.beats.interval

    def slope(self, state: Var) -> Var:
        return _slope(der_of(state))

    def add(self, variables: Sequence[Var]) -> None:
        """Unknowns of the result; those that the model does not know are hidden ones."""
        known = set(self.result.unknowns)
        fresh = [v for v in dict.fromkeys(variables) if v not in known]
        self.result.unknowns += fresh
        self.result.hidden += [v for v in fresh if v.name not in self.around.variables]

    def begin(self, initial: Sequence[ScalarEquation]) -> None:
        """States after a step, and at the first tick."""
        said = self._assigned(initial)
        for state, value in self.steps.items():
            var = _slope(state)
            equation = said.get(state)
            first, start = self._beginning(state)
            if equation is None:
                step = If(first, start, value)
                self.result.equations.append(ScalarEquation(var, step, target=None))
                continue
            left, right = If(first, equation.left, var), If(first, equation.right, value)
            self.result.equations.append(ScalarEquation(left, right, equation.span))

    def _beginning(self, state: Var) -> tuple[Expr, Expr]:
        """(does it begin now, its value then): at the first tick of the clock; in a state of a
        state machine whenever that is reset, and so when it is first entered."""
        var = _slope(state)
        owner = self.around.variables.get(integrated_from(var).name)
        if owner is None or owner.resets is None:
            return pre_of(self.beats.is_first), pre_of(var)
        is_plain = owner.name == state.name and owner.start is not None
        return owner.resets, owner.start if is_plain and owner.start is not None else ZERO

    def _assigned(self, initial: Sequence[ScalarEquation]) -> dict[Var, ScalarEquation]:
        """Which state each initial equation stands for: one it mentions, else one not fixed."""
        free = [k for k, s in enumerate(self.states) if not self._is_fixed(s)]
        number = {_slope(s): k for k, s in enumerate(self.states)}
        choices = []
        for equation in initial:
            named = [number[v] for v in variables_in(equation.left, equation.right) if v in number]
            choices.append(list(dict.fromkeys([*named, *free])))
        matching = match(choices, len(self.states))
        pairs = zip(initial, matching.column_of_row, strict=True)
        return {self.states[column]: equation for equation, column in pairs if column >= 0}

    def _is_fixed(self, state: Var) -> bool:
        variable = self.around.variables.get(state.name)
        if variable is None or variable.fixed is None:
            return False
        return self.around.values.truth(variable.fixed) is True

    # ------------------------------------------------------------ stages

    def stage(self, number: int, share: Expr | None, values: Mapping[Var, Expr]) -> dict[Var, Var]:
        """The equations once more inside the step, states given: their slopes there. `share` of
        the step lies behind; None: all of it."""
        mapping: dict[Expr, Expr] = {}
        copies = [*self.unknowns, *(_slope(s) for s in self.states)]
        for var in copies:
            mapping[var] = Var((STAGE, number, *var.name))
        for var in self.stepped:
            mapping[var] = pre_of(var)
        if share is not None:
            back = build.times(build.minus(Real(1.0), share), self.h)
            mapping[TIME] = build.minus(TIME, back)
            mapping.update(self._inputs_between())

        def visit(node: Expr) -> Expr | None:
            if isinstance(node, Var) and node.name[0] == PRE:
                return node
            return mapping.get(node)

        for equation in self.equations:
            left, right = replace_in(equation.left, visit), replace_in(equation.right, visit)
            self.result.equations.append(ScalarEquation(left, right, equation.span))
        for state in self.states:
            copy = mapping[_slope(state)]
            self.result.equations.append(ScalarEquation(copy, values[state]))
        self.add([var for var in mapping.values() if isinstance(var, Var) and var.name[0] == STAGE])
        slopes: dict[Var, Var] = {}
        for state in self.states:
            slope = mapping[self.slope(state)]
            assert isinstance(slope, Var)
            slopes[state] = slope
        return slopes

    def _inputs_between(self) -> dict[Expr, Expr]:
        """Real inputs move on a straight line between ticks, others wait for the tick."""
        result: dict[Expr, Expr] = {}
        for var in sorted(self.around.inputs, key=lambda v: v.name[1:]):
            before = pre_of(var)
            is_real = self.around.variables[var.name].type == REAL
            middle = build.times(HALF, build.plus(before, var))
            result[var] = middle if is_real else before
        return result


# ---------------------------------------------------------------- one rule per method


def _explicit_euler(work: _Work) -> None:
    for state in work.states:
        work.steps[state] = _moved(state, work.h, pre_of(work.slope(state)))


def _implicit_euler(work: _Work) -> None:
    for state in work.states:
        work.steps[state] = _moved(state, work.h, work.slope(state))


def _implicit_trapezoid(work: _Work) -> None:
    half = build.times(HALF, work.h)
    for state in work.states:
        slope = work.slope(state)
        work.steps[state] = _moved(state, half, build.plus(slope, pre_of(slope)))


def _explicit_mid_point(work: _Work) -> None:
    half = build.times(HALF, work.h)
    before = {s: pre_of(work.slope(s)) for s in work.states}
    middle = work.stage(1, HALF, {s: _moved(s, half, before[s]) for s in work.states})
    for state in work.states:
        work.steps[state] = _moved(state, work.h, middle[state])


def _explicit_runge_kutta(work: _Work) -> None:
    half = build.times(HALF, work.h)
    states = work.states
    k1 = {s: pre_of(work.slope(s)) for s in states}
    k2 = work.stage(1, HALF, {s: _moved(s, half, k1[s]) for s in states})
    k3 = work.stage(2, HALF, {s: _moved(s, half, k2[s]) for s in states})
    k4 = work.stage(3, None, {s: _moved(s, work.h, k3[s]) for s in states})
    sixth = build.over(work.h, Real(6.0))
    for s in states:
        inner = build.times(Real(2.0), build.plus(k2[s], k3[s]))
        work.steps[s] = _moved(s, sixth, build.plus(build.plus(k1[s], inner), k4[s]))


def _moved(state: Var, h: Expr, slope: Expr) -> Expr:
    return build.plus(pre_of(_slope(state)), build.times(h, slope))


_STEPS: Mapping[str, Callable[[_Work], None]] = {
    "ExplicitEuler": _explicit_euler,
    "ExplicitMidPoint2": _explicit_mid_point,
    "ExplicitRungeKutta4": _explicit_runge_kutta,
    "ImplicitEuler": _implicit_euler,
    "ImplicitTrapezoid": _implicit_trapezoid,
}


def hidden_variable(var: Var) -> ScalarVariable:
    """A slope or a stage as a variable of the model."""
    return ScalarVariable(
        var.name, REAL, Variability.DISCRETE, start=ZERO, fixed=TRUE, is_protected=True
    )
