"""Variables as the user knows them, start values and settable parameters: the data beside the code.

infos_of(..) -> Info("R.v", slot 7, sign -1.0, ...)     an alias shares the slot of its stand-in
"""

from __future__ import annotations

from collections.abc import Mapping

from freewheel.base.names import Name, show
from freewheel.base.slots import Info, TextInfo
from freewheel.flat.nodes import Experiment, Variability
from freewheel.formula.nodes import Expr, Var
from freewheel.formula.types import STRING, Basic, EnumType, ExternalObjectType
from freewheel.program.guesses import lenders
from freewheel.program.layout import Layout, is_input
from freewheel.program.nodes import PivotSlots
from freewheel.program.sides import side_at_start
from freewheel.structure.atoms import (
    base_of,
    der_of,
    is_chosen_state,
    is_pre,
    show_atom,
)
from freewheel.structure.nodes import Alias, Ordered, ScalarVariable
from freewheel.structure.values import ParameterValues

Variables = Mapping[Name, ScalarVariable]

_KIND = {
    Variability.CONSTANT: "constant",
    Variability.PARAMETER: "parameter",
    Variability.DISCRETE: "discrete",
    Variability.CONTINUOUS: "continuous",
}


def start_numbers(
    ordered: Ordered, layout: Layout, variables: Variables, values: ParameterValues
) -> list[float]:
    """First content of the memory: parameter values and start values."""
    result = [0.0] * len(layout.names)
    for atom, slot in layout.slots.items():
        variable = variables.get((base_of(atom) if is_pre(atom) else atom).name)
        if variable is None:
            continue
        found = None
        if variable.variability <= Variability.PARAMETER:
            found = values.number(Var(variable.name))
        result[slot] = _guess(variable, values) if found is None else found
    for borrower, (lender, sign) in lenders(ordered.initial.equations, variables).items():
        if borrower in layout.slots:
            result[layout.slots[borrower]] = sign * _guess(variables[lender.name], values)
    for crossing in ordered.hybrid.crossings:
        side = side_at_start(crossing, layout, result, variables, values)
        result[layout.slots[crossing.status]] = side
    return result


def _guess(variable: ScalarVariable, values: ParameterValues) -> float:
    """The start value; without one, what is nearest to zero between `min` and `max`: of several
    solutions of a loop the modeller means the one inside."""
    if variable.start is not None or variable.variability != Variability.CONTINUOUS:
        return _number(variable.start, values)
    smallest = None if variable.minimum is None else values.number(variable.minimum)
    largest = None if variable.maximum is None else values.number(variable.maximum)
    if smallest is not None and smallest > 0.0:
        return smallest
    return min(0.0, largest) if largest is not None else 0.0


def _number(expr: Expr | None, values: ParameterValues) -> float:
    found = None if expr is None else values.number(expr)
    return 0.0 if found is None else found


def nominal_of(var: Var, variables: Variables, values: ParameterValues) -> float:
    variable = variables.get(var.name)
    found = _number(variable.nominal, values) if variable is not None else 0.0
    return abs(found) or 1.0


def infos_of(
    ordered: Ordered, layout: Layout, variables: Variables, values: ParameterValues
) -> tuple[Info, ...]:
    """Every variable of the model in its order, then the derivatives of states."""
    aliases = ordered.hybrid.aliases.aliases
    result: list[Info] = []
    for variable in ordered.scalar.variables:
        if isinstance(variable.type, ExternalObjectType) or variable.type == STRING:
            continue
        if str(variable.name[0]).startswith("$"):  # nothing of the modeller's
            continue
        result.append(_info(variable, aliases.get(variable.name), layout, values))
    first = layout.derivative_range[0]
    moving = set(ordered.differential)
    for number, state in enumerate(ordered.integrated):
        if state in moving and not is_chosen_state(state):
            result.append(Info(show_atom(der_of(state).name), first + number))
    for group in ordered.groups:
        rates = map(der_of, group.variables)
        result.extend(Info(show_atom(rate.name), layout.slots[rate]) for rate in rates)
    return tuple(result)


def _info(
    variable: ScalarVariable, alias: Alias | None, layout: Layout, values: ParameterValues
) -> Info:
    slot, sign, offset = -1, 1.0, 0.0
    if alias is None:
        slot = layout.slots[Var(variable.name)]
    elif alias.stand_in is not None:
        slot, sign = layout.slots[alias.stand_in], float(alias.sign)
    else:
        assert alias.constant is not None
        offset = _number(alias.constant, values)
    literals = variable.type.literals if isinstance(variable.type, EnumType) else ()
    return Info(
        name=show(variable.name),
        slot=slot,
        sign=sign,
        offset=offset,
        kind=_KIND[variable.variability],
        type=variable.type.name if isinstance(variable.type, Basic) else "enumeration",
        unit=variable.unit,
        comment=variable.comment,
        causality=variable.causality.value,
        is_protected=variable.is_protected,
        literals=literals,
    )


def texts_of(ordered: Ordered, values: ParameterValues) -> tuple[TextInfo, ...]:
    """String parameters and constants that have a value."""
    found = []
    for variable in ordered.scalar.variables:
        if variable.type != STRING or variable.variability > Variability.PARAMETER:
            continue
        text = values.value(Var(variable.name))
        if isinstance(text, str):
            kind, name = _KIND[variable.variability], show(variable.name)
            found.append(TextInfo(name, text, kind, variable.comment, variable.is_protected))
    return tuple(found)


def inputs_of(ordered: Ordered, layout: Layout) -> tuple[Info, ...]:
    return tuple(
        Info(
            show(v.name),
            layout.slots[Var(v.name)],
            kind=_KIND[v.variability],
            unit=v.unit,
            comment=v.comment,
            causality="input",
        )
        for v in ordered.scalar.variables
        if is_input(v) and Var(v.name) in layout.slots
    )


def settable(ordered: Ordered, layout: Layout) -> dict[str, int]:
    """Parameters with a value of their own: nothing recomputes or overrides what a user writes."""
    computed = {step.target for step in ordered.parameters}
    computed.update(ordered.free_parameters)
    return {
        show(v.name): layout.slots[Var(v.name)]
        for v in ordered.scalar.variables
        if v.variability == Variability.PARAMETER
        and Var(v.name) in layout.slots
        and Var(v.name) not in computed
        and not v.is_final
    }


def decisive_of(
    ordered: Ordered, layout: Layout, values: ParameterValues
) -> tuple[tuple[int, bool], ...]:
    """Slots of parameters that decided what stays implicit, and whether they were zero."""
    known = [(var, values.number(var)) for var in ordered.decisive if var in layout.slots]
    return tuple((layout.slots[var], value == 0.0) for var, value in known if value is not None)


def pivots_of(ordered: Ordered, layout: Layout) -> tuple[PivotSlots, ...]:
    """What must not become zero, over slots. A parameter whose value was put in cannot change."""
    slots = layout.slots
    return tuple(
        tuple((factor, tuple(slots[v] for v in product)) for factor, product in pivot)
        for pivot in ordered.pivots
        if all(v in slots for _, product in pivot for v in product)
    )


def experiment_of(experiment: Experiment) -> dict[str, float]:
    given = {
        "start": experiment.start_time,
        "stop": experiment.stop_time,
        "tolerance": experiment.tolerance,
        "interval": experiment.interval,
    }
    return {key: value for key, value in given.items() if value is not None}
