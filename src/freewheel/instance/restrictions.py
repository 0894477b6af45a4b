"""What may stand where: equations only in models, operators with a memory not in functions.

In: a class or a call and its surroundings. Out: nothing, or a diagnostic.
Modelica 3.6, "Specialized Classes" and "Function as a Specialized Class".
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from freewheel.base.diagnostics import CompileError, Diagnostic, Label, Severity, error
from freewheel.base.names import show
from freewheel.base.source import Span
from freewheel.formula import nodes as f
from freewheel.formula.types import REAL
from freewheel.instance.diagnostics.calls import operator_in_function
from freewheel.instance.diagnostics.classes import section_not_allowed, several_annotations_given
from freewheel.instance.diagnostics.names import protected_member
from freewheel.instance.nodes import CONSTANT, PARAMETER, Modifier, Typed
from freewheel.syntax import expression_nodes as syn_expr
from freewheel.syntax import nodes as syn

if TYPE_CHECKING:
    from freewheel.instance.classes import ClassNode
    from freewheel.instance.components import ComponentInstance

# They remember, or ask about events and connections; a function has neither.
NOT_IN_FUNCTIONS = (
    "der", "initial", "terminal", "sample", "pre", "edge", "change", "delay", "cardinality",
    "inStream", "actualStream", "Clock", "previous", "hold", "subSample", "superSample",
    "shiftSample", "backSample", "noClock", "spatialDistribution", "reinit", "time", "when",
)  # fmt: skip
WITH_EQUATIONS = ("model", "block", "class")


def check_sections(node: ClassNode) -> None:
    """Equations stand in models and blocks, algorithms also in functions."""
    kind = node.restricted_kind()
    if kind in WITH_EQUATIONS:
        return
    for scope, section in node.sections():
        is_equation = isinstance(section, syn.EquationSection)
        if is_equation or "function" not in kind:
            word = "equation" if is_equation else "algorithm"
            raise section_not_allowed(kind, word, scope.span(section))


def several_annotations(nodes: Iterable[ClassNode]) -> list[Diagnostic]:
    """Up to version 2 of the language a class could have several annotations."""
    found: dict[int, Diagnostic] = {}  # a class inherited into two packages is one text
    for definition in dict.fromkeys(n.definition for node in nodes for n in node.lineage()):
        description = definition.tree.description
        annotation = description.annotation if description is not None else None
        if annotation is None or not annotation.more or id(definition.tree) in found:
            continue
        place = Span(definition.source, annotation.more[0].start, annotation.more[0].end)
        found[id(definition.tree)] = several_annotations_given(show(definition.name), place)
    return list(found.values())


def check_operator(name: str, scope: ClassNode, place: Span) -> None:
    """Operators that functions cannot use, and the time."""
    if name in NOT_IN_FUNCTIONS and is_function(scope):
        raise operator_in_function(name, place)


def equality_of_reals(
    op: str, left: Typed, right: Typed, scope: ClassNode, place: Span
) -> Diagnostic | None:
    """`==` and `<>` of Reals: rounding decides, and no event can be found for them. What cannot change
    during a simulation needs no events: that is only warned of."""
    scalars = left.type.scalar, right.type.scalar
    if op not in _INSTEAD or REAL not in scalars or is_function(scope):
        return None
    changes = max(left.variability, right.variability) > PARAMETER
    return Diagnostic(
        "N047",
        f"`{op}` compares Reals" + (", which are equal by chance only" if changes else ""),
        (Label(place),),
        help=_INSTEAD[op],
        rule='Modelica 3.6, "Equality, Relational, and Logical Operators"',
        severity=Severity.ERROR if changes else Severity.WARNING,
    )


_INSTEAD = {
    "==": "ask for a distance, as `abs(x - y) < 1e-6`, or for one side, as `x >= y`;"
    " use Integers where numbers are counted",
    "<>": "ask for a distance, as `abs(x - y) > 1e-6`; use Integers where numbers are counted",
}


def is_function(scope: ClassNode) -> bool:
    node = scope.instance
    return node.path is None and "function" in node.restricted_kind()


def names_variable(expr: f.Expr) -> bool:
    """Whether an expression is a variable, an element of one, or an array of such."""
    if isinstance(expr, f.Var):
        return expr is not f.TIME
    if isinstance(expr, f.Index | f.Field):
        return names_variable(expr.args[0])
    if isinstance(expr, f.Array | f.Record):
        return all(names_variable(arg) for arg in expr.args)
    return False


def check_public(component: ComponentInstance, place: Span) -> None:
    """`a.x` reaches only what the class of `a` shows."""
    if component.element.protected:
        raise protected_member(show(component.path), place)


def is_of_class(component: ComponentInstance) -> bool:
    """Of a class that is no instance (a package, a class around this one) only constants have values."""
    return component.owner.path is None and component.variability != CONSTANT


def not_of_class(component: ComponentInstance, place: Span) -> CompileError:
    holder = component.owner
    return error(
        "N090",
        f"`{show(component.path)}` is no constant, and `{holder.title}` is a {holder.kind}, no component",
        place,
        help="write `constant` where it is declared, or use it through a component of that class",
        rule='Modelica 3.6, "Static Name Lookup"',
    )


def unseen_by_function(component: ComponentInstance, place: Span) -> CompileError:
    return error(
        "N090",
        f"`{show(component.path)}` is not a constant; a function sees only constants around it",
        place,
        help="give it to the function as an argument",
        rule='Modelica 3.6, "Static Name Lookup"',
    )


def check_redeclared(component: ComponentInstance) -> None:
    """A redeclared component offers everything that the constraining type has."""
    element = component.element
    original, home = element.original, element.original_home
    if original is None or home is None:
        return
    clause = original.constraining
    wanted = component.session.lookup.class_named(
        clause.type if clause is not None else original.type, home
    )
    if wanted.definition is component.class_element.definition:
        return
    simple = component.session.simple_types.of_element(wanted)
    if simple is not None or component.simple is not None:
        if simple is None or component.simple is None or simple.scalar != component.simple.scalar:
            raise _unfit(component, show(wanted.definition.name), "it is another type")
        return
    given = component.session.lookup.node(component.class_element)
    for name, member in component.session.lookup.node(wanted).component_elements().items():
        if not member.protected and given.find(name) is None:
            raise _unfit(component, show(wanted.definition.name), f"it has no `{name}`")


def _unfit(component: ComponentInstance, wanted: str, reason: str) -> CompileError:
    given = show(component.class_element.definition.name)
    return error(
        "N023",
        f"`{show(component.path)}` cannot become a `{given}` in place of a `{wanted}`: {reason}",
        component.span,
        help=f"redeclare it with a class that has everything `{wanted}` has",
        rule='Modelica 3.6, "Constraining Type"',
    )


def protected_modified(name: str, component: ComponentInstance, place: Span) -> CompileError:
    return error(
        "N022",
        f"`{name}` of `{show(component.path)}` is protected and cannot be modified",
        place,
        help="move its declaration before the word `protected`, or extend the class",
        rule='Modelica 3.6, "Access Control -- Public and Protected Elements"',
    )


def check_record_value(component: ComponentInstance, node: ClassNode) -> None:
    """`R r(a = 20) = R(1, 2)`: the value of the record says what `a` is, and so does the modifier. One that
    is given further out replaces what was said inside, but a part of it cannot."""
    whole = component.binding()
    if whole is None or whole.is_from_outside:
        return
    for name in sorted(component.modifier.beside):
        sub = component.modifier.sub(name)
        if _gives_value(node.session.component(node, name), sub):
            path = show(component.path)
            labels = (
                Label(sub.place or component.span, f"a value of `{name}`"),
                Label(whole.span, "a value of the whole record"),
            )
            raise CompileError(
                Diagnostic(
                    "N024",
                    f"`{path}` has a value as a whole, and `{name}` of it another one",
                    labels,
                    help=f"give the whole record, `{component.name} = {node.title}({name} = .., ..)`,"
                    " or modify its elements only",
                    rule='Modelica 3.6, "Single Modification"',
                )
            )


def _gives_value(field: ComponentInstance, modifier: Modifier) -> bool:
    binding = modifier.binding
    if binding is not None and not isinstance(binding.expr, syn_expr.NoBinding):
        return not binding.is_from_outside
    if field.simple is not None:  # `min`, `start` and the like
        return False
    node = field.any_node()
    return any(_gives_value(node.session.component(node, n), m) for n, m in modifier.subs.items())
