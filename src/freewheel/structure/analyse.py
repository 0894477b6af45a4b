"""The structure room in one call: in comes a `FlatModel`, out comes an `Ordered`.

ordered = analyse(flat)
ordered.simulation.blocks      what to evaluate, in order, to get from states to derivatives

FlatModel -> expand -> remove_machines -> remove_clocks -> remove_aliases -> find_events
          -> reduce_index -> choose_states -> blocks for simulation, for events and for the start
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from freewheel.base.diagnostics import CompileError
from freewheel.base.names import ClassName, Name
from freewheel.flat.nodes import Causality, FlatModel, Variability
from freewheel.formula.function_derivatives import FunctionDerivatives
from freewheel.formula.nodes import Expr, Var
from freewheel.formula.statement_nodes import Function
from freewheel.formula.types import REAL, ExternalObjectType
from freewheel.formula.walk import variables_in
from freewheel.graphs.matching import CoarseParts, Matching
from freewheel.structure.atoms import base_of, der_of, is_pre
from freewheel.structure.blocks.blt import (
    Blame,
    System,
    components_of,
    matched,
    solve_blocks,
    system_of,
)
from freewheel.structure.blocks.diagnostics import singular
from freewheel.structure.blocks.pivots import pivots_of
from freewheel.structure.blocks.principal_solutions import with_principal_solutions
from freewheel.structure.clocks.remove_clocks import remove_clocks
from freewheel.structure.diagnosis.hidden_quantities import problem_in_words
from freewheel.structure.events.discrete_equations import mixed_blocks, with_targets
from freewheel.structure.events.hidden_impulses import hidden_impulses
from freewheel.structure.events.hybrid import find_events
from freewheel.structure.events.jumping_constraints import Jumps
from freewheel.structure.events.resting_relations import with_resting_relations
from freewheel.structure.events.when_rules import check_reinits, check_single_assignment
from freewheel.structure.index.diagnostics import chosen_once
from freewheel.structure.index.dynamic_states import (
    find_doubts,
    find_groups,
    state_of,
    with_groups,
)
from freewheel.structure.index.reduce_index import Chains, reduce_index
from freewheel.structure.index.states import Selection, choose_states
from freewheel.structure.index.unmet_states import unmet_states
from freewheel.structure.initial.parameters import fixed_values, sort_parameters
from freewheel.structure.initial.phase import Phase
from freewheel.structure.initial.system import initial_system
from freewheel.structure.nodes import (
    Chosen,
    Elimination,
    Hybrid,
    Ordered,
    ScalarEquation,
    ScalarModel,
    ScalarVariable,
    Sorted,
    StateGroup,
)
from freewheel.structure.scalarize.expand import expand
from freewheel.structure.scalarize.strings import put_texts_in_place
from freewheel.structure.simplify.remove_aliases import remove_aliases
from freewheel.structure.state_machines.remove_machines import remove_machines
from freewheel.structure.switching.core import find_core
from freewheel.structure.switching.event_system import at_events
from freewheel.structure.switching.nodes import Core
from freewheel.structure.switching.nonlinear_constraints import bent_constraints
from freewheel.structure.switching.numbers.choices import with_choices
from freewheel.structure.switching.rewriting.corner_functions import with_relations, written_corners
from freewheel.structure.switching.rewriting.edge_conditions import with_conditions
from freewheel.structure.switching.rewriting.joined_relations import with_single_relations
from freewheel.structure.switching.rewriting.natural_maps import with_natural_maps
from freewheel.structure.switching.rewriting.sign_switches import with_curves
from freewheel.structure.thresholds import REGULARITY
from freewheel.structure.values import ParameterValues


def analyse(
    flat: FlatModel,
    elimination: Elimination = Elimination.ZEROS,
    leaks: float = REGULARITY.leak,
    numbers: Mapping[str, float] = MappingProxyType({}),
    is_listed: bool = False,
    assumed_first: frozenset[str] = frozenset(),
) -> Ordered:
    """A solvable order for everything, or a diagnosis why there is none. `leaks` of ideal elements of
    at most this size are looked at together; `numbers` are values of parameters instead of their own.
    What `is_listed` keeps numbers as factors, as it was written, where its loops are valid in all
    positions of a switch. Start values of `assumed_first` are assumed before others."""
    scalar = put_texts_in_place(scalar_model(flat, numbers))
    scalar = replace(scalar, assumed_first=assumed_first)
    check_single_assignment(scalar.equations)
    following = with_conditions(scalar)
    if following is not None:
        ordered = _with_choices(following, elimination, leaks, is_listed)
        if ordered.core.is_there:
            return ordered
    return _with_choices(scalar, elimination, leaks, is_listed)


def scalar_model(
    flat: FlatModel, numbers: Mapping[str, float] = MappingProxyType({})
) -> ScalarModel:
    """Scalar equations in continuous time and at events: no arrays, state machines or clocks."""
    return remove_clocks(remove_machines(expand(flat, numbers)))


def _with_choices(
    scalar: ScalarModel, elimination: Elimination, leaks: float, is_listed: bool
) -> Ordered:
    """With numbers that are switches as choices."""
    # Numbers of two sizes are mostly resistances, and no trouble to an ordinary method: should it fail,
    # the small ones are leaks too.
    choosing = with_choices(scalar, leaks if leaks > REGULARITY.leak else 0.0)
    if choosing is None:
        return _with_curves(scalar, elimination, leaks)
    ordered = _with_curves(choosing, elimination, leaks)
    if is_listed and not ordered.core.is_there:
        return _with_curves(scalar, elimination, leaks)
    return ordered


def _with_curves(scalar: ScalarModel, elimination: Elimination, leaks: float) -> Ordered:
    """With corners and switches that signs drive as curves, where they take states away."""
    scalar, ordered = _with_natural_maps(scalar, elimination, leaks)
    if _takes_states(ordered):
        curved = with_curves(scalar)
        scalar = scalar if curved is None else curved
        ordered = ordered if curved is None else _ordered(curved, elimination, leaks)
        single = with_single_relations(scalar)
        scalar = scalar if single is None else single
        ordered = ordered if single is None else _ordered(single, elimination, leaks)
    hidden = written_corners(ordered.hybrid, ordered.chosen)
    if not hidden:
        return ordered
    _, switching = _with_natural_maps(with_relations(scalar, hidden), elimination, leaks)
    return switching if _takes_states(switching) else ordered


def _with_natural_maps(
    scalar: ScalarModel, elimination: Elimination, leaks: float
) -> tuple[ScalarModel, Ordered]:
    """With pairs along curves, where these are chosen together or take states away. A pair that is written
    as a root has no slope at its corner, whatever stands around it."""
    curved = with_natural_maps(scalar)
    if curved is not None:
        ordered = _ordered(curved, elimination, leaks)
        if ordered.core.is_there:
            return curved, ordered
        scalar = with_natural_maps(scalar, has_choices_too=False) or scalar
    return scalar, _ordered(scalar, elimination, leaks)


def _takes_states(ordered: Ordered) -> bool:
    """Whether ideal elements do."""
    return bool(ordered.core.conflicts)


def _ordered(scalar: ScalarModel, elimination: Elimination, leaks: float) -> Ordered:
    fixed, hybrid = first_steps(scalar, elimination)
    try:
        return _in_order(scalar, fixed, hybrid, leaks)
    except CompileError as problem:
        raise problem_in_words(problem, hybrid) from None


def _in_order(
    scalar: ScalarModel, fixed: Mapping[Name, Expr], hybrid: Hybrid, leaks: float
) -> Ordered:
    counts = count(scalar)
    aliases = hybrid.aliases
    variables = {v.name: v for v in aliases.model.variables}
    values = ParameterValues(variables, scalar.functions)
    parameters = sort_parameters(aliases.model.variables, values, fixed)
    blame = _Blame(scalar.name, variables, counts)

    discrete = with_targets(
        hybrid.discrete_equations,
        hybrid.discrete,
        variables,
        blame.of(hybrid.discrete_equations, hybrid.discrete),
    )
    hybrid = replace(hybrid, discrete_equations=tuple(discrete))
    settled: tuple[StateGroup, ...] = ()
    apart: frozenset[int] = frozenset()
    is_watched = True
    while True:
        found, chosen = choose(hybrid, scalar, variables, values, counts, is_watched, apart)
        system = system_of(chosen.equations, chosen.unknowns)
        if not chosen.kept:  # these have no unknown of their own
            matching = matched(system, blame.of(chosen.equations, chosen.unknowns))
        core, decisive = find_core(found, chosen, variables, values, leaks)
        bent = bent_constraints(chosen, core) - apart
        apart |= bent
        if bent:
            continue
        if not core.is_there or not is_watched or _are_apart(chosen.groups, core):
            break
        settled = chosen.groups  # within a core that takes states away, once for all
        is_watched = False
    hybrid = with_resting_relations(found, chosen, core)
    check_reinits(hybrid.actions, chosen.states)
    simulation = core.shell if core.is_there else _simulation(system, matching, values)
    first = scalar.assumed_first
    start = initial_system(
        hybrid, chosen, core, parameters, variables, values, blame.initial, first
    )
    events = _at_events(hybrid, chosen, core, variables, values)
    others = (events, start.system, start.simplified, start.between)
    ordered = Ordered(
        scalar=scalar,
        hybrid=hybrid,
        chosen=chosen,
        states=core.shell_states if core.is_there else chosen.states,
        parameters=parameters.computed,
        free_parameters=parameters.free,
        simulation=simulation,
        discrete=events,
        initial=start.system,
        simplified=start.simplified,
        between=start.between,
        held=_held(hybrid, chosen),
        groups=chosen.groups,
        functions=(*scalar.functions, *chosen.functions),
        equation_count=counts[0],
        unknown_count=counts[1],
        warnings=(
            *scalar.warnings,
            *parameters.warnings,
            *start.warnings,
            *(chosen_once(group, variables) for group in settled),
            *unmet_states(hybrid, chosen, scalar.variables),
            *hidden_impulses(found, chosen, variables, values, scalar.experiment.start_time or 0.0),
        ),
        core=core,
        decisive=decisive,
        pivots=pivots_of(() if core.is_there else hybrid.equations, simulation, others, values),
        steady=start.steady,
        guessed=start.guessed,
        assumed=start.assumed,
    )
    return with_principal_solutions(ordered, variables)


def first_steps(
    scalar: ScalarModel, elimination: Elimination
) -> tuple[Mapping[Name, Expr], Hybrid]:
    """(values that cannot change any more, the equations without aliases): what can be made and
    shown of any model, however wrong."""
    table = {v.name: v for v in scalar.variables}
    fixed = fixed_values(scalar.variables, ParameterValues(table, scalar.functions))
    return fixed, find_events(remove_aliases(scalar, fixed, elimination))


def count(scalar: ScalarModel) -> tuple[int, int]:
    """(equations, unknowns) in scalars, before anything is removed."""
    unknowns = sum(map(is_unknown, scalar.variables))
    # Each hidden one has its equation; the modeller knows of neither.
    hidden = sum(str(v.name[0]).startswith("$") for v in scalar.variables)
    return len(without_objects(scalar)) - hidden, unknowns - hidden


def without_objects(scalar: ScalarModel) -> list[ScalarEquation]:
    """Equations, but for those that make external objects, which are no unknowns."""
    objects = {Var(v.name) for v in scalar.variables if isinstance(v.type, ExternalObjectType)}
    return [equation for equation in scalar.equations if equation.left not in objects]


def is_unknown(variable: ScalarVariable) -> bool:
    return (
        variable.variability > Variability.PARAMETER
        and variable.causality is not Causality.INPUT
        and not isinstance(variable.type, ExternalObjectType)
    )


def choose(
    hybrid: Hybrid,
    scalar: ScalarModel,
    variables: Mapping[Name, ScalarVariable],
    values: ParameterValues,
    counts: tuple[int, int],
    is_watched: bool = True,
    apart: frozenset[int] = frozenset(),
) -> tuple[Hybrid, Chosen]:
    """Index reduction and states. Where states must be chosen while running, the model gets
    equations for them, if that `is_watched`. Equations that stay `apart` are not differentiated."""
    chooser = _Chooser(scalar, variables, values, counts, apart)
    hybrid, chains, selection = chooser.of(hybrid)
    wanted = wanted_states(hybrid)
    groups = find_groups(chains, selection, variables, values, wanted, chooser.derivatives)
    if groups and is_watched:
        more = with_groups(hybrid, groups)
        orders = _orders(groups)
        more, new_chains, new_selection = chooser.of(more, orders)
        if set(_with_rates(orders)) <= set(new_selection.states):
            functions = chooser.functions()
            return more, Chosen(
                new_chains.equations,
                new_selection.unknowns,
                new_selection.states,
                selection.states,
                functions,
                groups,
                new_chains.kept,
                new_chains.impulses,
            )
    doubts = find_doubts(chains, selection, variables, values, wanted, chooser.derivatives)
    hybrid = replace(hybrid, actions=(*hybrid.actions, *doubts))
    states = selection.states
    made = chooser.functions()
    return hybrid, Chosen(
        chains.equations,
        selection.unknowns,
        states,
        states,
        made,
        kept=chains.kept,
        impulses=chains.impulses,
    )


def _orders(groups: Sequence[StateGroup]) -> dict[Var, int]:
    return {state_of(g, k): g.order for g in groups for k in range(g.state_count)}


def _are_apart(groups: Sequence[StateGroup], core: Core) -> bool:
    """Whether states that are chosen while running are states of the shell, and no row of the core asks
    for what they are made of."""
    rows = [core.shell.equations[number] for number in core.equations]
    asked = {var for row in rows for var in variables_in(row.left, row.right)}
    tied = _with_rates({var: group.order + 1 for group in groups for var in group.variables})
    return asked.isdisjoint(tied) and set(_with_rates(_orders(groups))) <= set(core.shell_states)


def _with_rates(orders: Mapping[Var, int]) -> Iterator[Var]:
    """Each with its derivatives below the highest one."""
    for var, order in orders.items():
        for _ in range(order):
            yield var
            var = der_of(var)


def wanted_states(hybrid: Hybrid) -> frozenset[Var]:
    """What a reinit names must be a state."""
    return frozenset(
        action.target
        for action in hybrid.actions
        if action.kind == "reinit" and action.target is not None
    )


class _Chooser:
    """Index reduction and a choice, for the model as it is and with equations added."""

    def __init__(
        self,
        scalar: ScalarModel,
        variables: Mapping[Name, ScalarVariable],
        values: ParameterValues,
        counts: tuple[int, int],
        apart: frozenset[int],
    ) -> None:
        table = {function.name: function for function in scalar.functions}
        self.derivatives = FunctionDerivatives(table.get)
        self.name = scalar.name
        self.variables = variables
        self.values = values
        self.counts = counts
        self.apart = apart

    def of(
        self, hybrid: Hybrid, orders: Mapping[Var, int] | None = None
    ) -> tuple[Hybrid, Chains, Selection]:
        """`initial()` is false here: this is the running model. Where only cancellation shows a
        constraint, the model comes back with that constraint in it."""
        phase = Phase(is_initial=False)
        equations = [phase.equation(e) for e in hybrid.equations]
        pairs = zip(equations, hybrid.equations, strict=True)
        loose = frozenset(k for k, (now, ever) in enumerate(pairs) if now is not ever)
        jumps = Jumps(hybrid, self.variables, self.values, self.derivatives.function)
        chains = reduce_index(
            self.name,
            equations,
            [*hybrid.continuous, *(orders or ())],
            self.variables,
            self.derivatives,
            self.counts,
            orders,
            loose,
            lambda number, equation: number in self.apart or jumps.of(equation),
            lambda: {k: v for k, v in jumps.quantities.rows.items() if k not in self.apart},
        )
        if chains.replaced:
            new = tuple(chains.replaced.get(k, e) for k, e in enumerate(hybrid.equations))
            hybrid = replace(hybrid, equations=new)
        wanted = wanted_states(hybrid)
        given = (self.variables, self.values, wanted, self.derivatives)
        return hybrid, chains, choose_states(chains, *given)

    def functions(self) -> tuple[Function, ...]:
        return tuple(self.derivatives.generated.values())


def _simulation(system: System, matching: Matching, values: ParameterValues) -> Sorted:
    groups = components_of(system, matching)
    return Sorted(system.equations, tuple(solve_blocks(system, matching, groups, values)))


def _at_events(
    hybrid: Hybrid,
    chosen: Chosen,
    core: Core,
    variables: Mapping[Name, ScalarVariable],
    values: ParameterValues,
) -> Sorted:
    """Continuous and discrete equations sorted together."""
    if core.is_there:
        return at_events(hybrid, chosen, core, variables, values)
    phase = Phase(is_initial=False)
    equations = (
        *chosen.equations,
        *(phase.equation(e) for e in hybrid.discrete_equations),
    )
    if not hybrid.discrete_equations:
        return Sorted(equations, ())
    system = system_of(equations, (*chosen.unknowns, *hybrid.discrete))
    matching = matched(system, lambda parts: CompileError())
    switches = {
        var
        for var in hybrid.discrete
        if var.name not in variables or variables[var.name].type != REAL
    }
    return Sorted(equations, tuple(mixed_blocks(system, matching, switches, values)))


def _held(hybrid: Hybrid, chosen: Chosen) -> tuple[Var, ...]:
    """Everything whose value before the event is asked for, and every discrete quantity."""
    found = dict.fromkeys(hybrid.discrete)
    expressions: list[Expr] = []
    for equation in (*chosen.equations, *hybrid.discrete_equations, *hybrid.initial_equations):
        expressions += [equation.left, equation.right]
    for action in hybrid.actions:
        expressions += [e for e in (action.guard, action.value, action.message) if e is not None]
    for crossing in hybrid.crossings:
        expressions += [crossing.left, crossing.right]
    for var in variables_in(*expressions):
        if is_pre(var):
            found[base_of(var)] = None
    return tuple(found)


class _Blame:
    """Diagnoses with the model's name and counts filled in."""

    def __init__(
        self,
        name: ClassName,
        variables: Mapping[Name, ScalarVariable],
        counts: tuple[int, int],
    ) -> None:
        self.name = name
        self.variables = variables
        self.counts = counts

    def of(self, equations: Sequence[ScalarEquation], unknowns: Sequence[Var]) -> Blame:
        def blame(parts: CoarseParts) -> CompileError:
            return singular(self.name, equations, unknowns, parts, self.variables, self.counts)

        return blame

    def initial(
        self, parts: CoarseParts, equations: Sequence[ScalarEquation], unknowns: Sequence[Var]
    ) -> CompileError:
        problem = singular(self.name, equations, unknowns, parts, self.variables, self.counts)
        first = problem.diagnostics[0]
        return CompileError(
            replace(
                first,
                code="E010",
                message=first.message.replace(": ", ": initial system: ", 1),
                help="let the equations that hold at the start, as under `if initial()`, determine the "
                "same unknowns as those that hold later",
            )
        )
