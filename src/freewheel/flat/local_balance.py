"""Where the balance is lost: the classes of an unbalanced model that are unbalanced themselves.

In: an instance, its flat model, and why it cannot be solved. Out: the failure with diagnostic F040
in front for every class of component that brings too few or too many equations.

A class is judged by itself, as a modeller would: every variable of its own and of its connectors is
unknown; its own equations count, and what a user of the class adds from outside, one equation per
flow variable and per input. Modelica 3.6, "Balanced Models".
"""

from __future__ import annotations

from collections.abc import Iterator
from math import prod

from freewheel.base.diagnostics import CompileError, Diagnostic, Label
from freewheel.base.names import Name, show
from freewheel.dymola.files import is_classic
from freewheel.flat.balance import Counter, Counts, count, is_unknown
from freewheel.flat.closed_loops import planar_loops
from freewheel.flat.loose_connectors import loose_connectors
from freewheel.flat.machines import has_machines
from freewheel.flat.nodes import AnyEquation, Equation, FlatModel, Variable
from freewheel.formula.nodes import Var
from freewheel.instance.classes import ClassNode
from freewheel.instance.components import ComponentInstance, components_of
from freewheel.instance.instantiate import Instance

HOLDERS = ("model", "block", "class")
MAX_SHOWN = 3
SINGULAR = ("E001", "E002", "E003")


def explained(
    failure: CompileError, instance: Instance, flat: FlatModel, roots: int = 0
) -> CompileError:
    """The same failure, with the classes to blame in front of it if there are any. `roots` are equations
    that roots outside of the class give (see `outside.py`)."""
    codes = {diagnostic.code for diagnostic in failure.diagnostics}
    loose = loose_connectors(instance) if codes.intersection(SINGULAR) else []
    if loose:
        return CompileError(*loose[:MAX_SHOWN])
    loops = planar_loops(instance) if "E003" in codes else []
    if loops:
        return CompileError(*loops[:MAX_SHOWN], *failure.diagnostics)
    counts = count(flat)
    counts = Counts(counts.unknowns, counts.equations + roots)
    if counts.balanced or has_machines(flat):  # states take turns: their counts say nothing
        return failure
    too_few = counts.equations < counts.unknowns
    findings = [
        _finding(node, local, flat)
        for node, local in _classes(instance, flat)
        if not local.balanced
        and (local.equations < local.unknowns) == too_few
        and not is_classic(node.definition.source.path)  # those need not be balanced one by one
    ]
    return CompileError(*findings[:MAX_SHOWN], *failure.diagnostics)


def _finding(node: ClassNode, local: Counts, flat: FlatModel) -> Diagnostic:
    too_few = local.equations < local.unknowns
    return Diagnostic(
        "F040",
        f"class `{show(node.definition.name)}` has {local.equations} equations"
        f" for {local.unknowns} unknowns",
        (
            Label(
                node.definition.span, f"used for `{show(node.path or ())}` of `{show(flat.name)}`"
            ),
        ),
        help="add the missing equations, or make a variable a parameter or an input"
        if too_few
        else "remove equations, or values of variables that equations determine already",
        rule='Modelica 3.6, "Balanced Models"',
    )


# ---------------------------------------------------------------- counting per class


def _classes(instance: Instance, flat: FlatModel) -> Iterator[tuple[ClassNode, Counts]]:
    """Classes of components without components inside, each once, with their own counts."""
    top = instance.node
    holders: dict[Name, ClassNode] = {}
    leaves = _leaves(top, holders)
    unknowns = dict.fromkeys(leaves, 0)
    equations = dict.fromkeys(leaves, 0)
    variables = {variable.name: variable for variable in flat.variables}
    for variable in flat.variables:
        holder = holders.get(variable.name[:-1])
        if holder in leaves and is_unknown(variable):
            unknowns[holder] += prod(variable.dims)
            equations[holder] += _from_outside(variable, holders, holder)
    counter = Counter(flat)
    for equation in flat.equations:
        holder = holders.get(equation.origin)
        if holder in leaves and not _is_lonely_flow(equation, variables):
            equations[holder] += counter.of((equation,))
    for algorithm in flat.algorithms:
        holder = holders.get(algorithm.origin)
        if holder in leaves:
            equations[holder] += counter.of_algorithm(algorithm.statements)
    seen: set[tuple[str, ...]] = set()
    for node in leaves:
        if node.definition.name not in seen:
            seen.add(node.definition.name)
            yield node, Counts(unknowns[node], equations[node])


def _leaves(top: ClassNode, holders: dict[Name, ClassNode]) -> dict[ClassNode, None]:
    """Models without models inside; `holders` gets the model that each instance belongs to."""
    found: dict[ClassNode, None] = {}
    waiting: list[tuple[ClassNode, ClassNode]] = [(top, top)]
    while waiting:
        node, holder = waiting.pop()
        if node.restricted_kind() in HOLDERS:
            found.pop(holder, None)
            holder = node
            if node is not top:
                found[node] = None
        holders[node.path or ()] = holder
        inside = [n for c in components_of(node) if _has_nodes(c) for n in c.nodes()]
        waiting.extend((below, holder) for below in reversed(inside))
    return found


def _has_nodes(component: ComponentInstance) -> bool:
    return (
        component.simple is None
        and component.exists()
        and not (component.is_outer and not component.is_inner)
    )


def _from_outside(variable: Variable, holders: dict[Name, ClassNode], holder: ClassNode) -> int:
    """How many equations a user of the class gives for this variable."""
    component = _component(variable.name, holder)
    if component is None:
        return 0
    is_given = component.flow == "flow" or (
        component.causality == "input" and component.binding() is None
    )
    return prod(variable.dims) if is_given else 0


def _component(name: Name, holder: ClassNode) -> ComponentInstance | None:
    """The component that a flat name below a class means, if users of the class see it."""
    node = holder
    rest = name[len(holder.path or ()) :]
    while True:
        found = next((c for c in components_of(node) if c.name == rest[0]), None)
        if found is None or found.element.protected:
            return None
        if len(rest) == 1:
            return found
        index = tuple(part for part in rest[1:] if isinstance(part, int))
        end = 1
        while isinstance(rest[end], int):
            end += 1
        node = found.node(index[: end - 1])
        rest = rest[end:]


def _is_lonely_flow(equation: AnyEquation, variables: dict[Name, Variable]) -> bool:
    """`flow = 0` of a connector that nothing is connected to: it comes from outside."""
    if not isinstance(equation, Equation) or not isinstance(equation.left, Var):
        return False
    variable = variables.get(equation.left.name)
    return variable is not None and variable.is_flow and equation.span == variable.span
