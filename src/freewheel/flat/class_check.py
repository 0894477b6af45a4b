"""Is a class right that cannot be simulated: a connector, a function, a record, a type, a partial model?

    check_class(library, ("Modelica", "Blocks", "Interfaces", "RealInput"))      nothing, or CompileError

A function is read with its body and every function that it calls, a package with its constants, everything
else as a component. A connector must have as many flow variables as potentials. What is partial has its
names and types looked at, as far as they do not depend on what is left open.
"""

from __future__ import annotations

from dataclasses import replace
from math import prod

from freewheel.base.diagnostics import (
    CompileError,
    Diagnostic,
    IncompleteError,
    Label,
    Severity,
    counted,
)
from freewheel.base.names import ClassName
from freewheel.base.source import Source, Span
from freewheel.flat.diagnostics import unbalanced_connector
from freewheel.flat.flatten import LEFT_OPEN, flatten
from freewheel.flat.graph import residue_count
from freewheel.flat.nodes import FlatModel, Variability
from freewheel.flat.variables import Variables
from freewheel.formula.evaluate import NotConstant
from freewheel.instance.classes import ClassNode
from freewheel.instance.components import ComponentInstance, components_of
from freewheel.instance.instantiate import (
    Instance,
    find_class,
    instantiate_as_component,
    instantiate_part,
)
from freewheel.instance.library import Library
from freewheel.instance.session import Session
from freewheel.syntax.nodes import ShortBody

MODELS = ("model", "block", "class")


def check_class(library: Library, name: ClassName) -> tuple[Diagnostic, ...]:
    """Warnings about a class that is right; raises `CompileError` for one that is wrong and
    `IncompleteError` for one that can be judged only as far as what it leaves open."""
    session = Session(library)
    node = session.lookup.node(find_class(session, name))
    try:
        return _check(library, name, node, session)
    except NotConstant as missing:
        raise session.values.missing(missing.name, node) from None
    except CompileError as failure:
        is_open = node.is_partial() or session.is_left_open
        if is_open and all(d.code in LEFT_OPEN for d in failure.diagnostics):
            raise IncompleteError(*failure.diagnostics) from None
        raise


def kind_of(library: Library, name: ClassName) -> tuple[str, bool]:
    """(the kind of the class, is it partial?)"""
    session = Session(library)
    node = session.lookup.node(find_class(session, name))
    return node.restricted_kind(), node.is_partial()


def _check(
    library: Library, name: ClassName, node: ClassNode, session: Session
) -> tuple[Diagnostic, ...]:
    kind = node.restricted_kind()
    if kind in MODELS:
        return flatten(instantiate_part(library, name)).warnings
    if "function" in kind:
        session.functions.signature(node)
        session.functions.note_use(session.functions.name_of(node))
        session.functions.collect()
        return tuple(session.warnings)
    if kind == "package":
        _check_constants(node, session)
        return tuple(session.warnings)
    if kind == "operator":  # holds functions only, which are classes of their own
        return ()
    instance = instantiate_as_component(library, name)
    try:
        flat = flatten(instance)
    except CompileError as failure:
        holder = instance.node.definition.source
        raise type(failure)(*(_placed(d, holder, node) for d in failure.diagnostics)) from None
    balance = _check_balance(instance, flat, node) if kind == "connector" else ()
    return (*flat.warnings, *balance)


def _placed(finding: Diagnostic, holder: Source, node: ClassNode) -> Diagnostic:
    """What is said of the component that stands for the class is said of the class."""
    return replace(finding, labels=tuple(_label(x, holder, node) for x in finding.labels))


def _label(label: Label, holder: Source, node: ClassNode) -> Label:
    if label.span.source is holder:
        return Label(node.definition.span, label.text)
    is_short = isinstance(node.body, ShortBody)
    if is_short and label.span.source.path == node.session.root.source.path:
        # modifiers of a short class are read around it, which at the top level is no file
        return Label(Span(node.definition.source, label.span.start, label.span.end), label.text)
    return label


def _check_constants(node: ClassNode, session: Session) -> None:
    """Those of a package that have a value."""
    maker = Variables(session)
    for component in components_of(node):
        if component.simple is not None and component.binding() is not None:
            maker.check_declaration(component)


# ---------------------------------------------------------------- connectors


def _check_balance(instance: Instance, flat: FlatModel, node: ClassNode) -> tuple[Diagnostic, ...]:
    """Modelica 3.6, "Balanced Models": as many flows as potentials."""
    flows = potentials = 0
    part = components_of(instance.node)[0]
    residues = _overconstrained(part, instance.session)
    potentials += sum(residues.values())
    for variable in flat.variables:
        if any(variable.name[: len(path)] == path for path in residues):
            continue
        if variable.variability <= Variability.PARAMETER or variable.is_stream:
            continue
        component = instance.session.values.component_at(variable.name)
        if component.causality in ("input", "output"):
            continue
        if variable.is_flow:
            flows += prod(variable.dims)
        else:
            potentials += prod(variable.dims)
    if flows == potentials:
        return ()
    finding = unbalanced_connector(
        node.title,
        counted(flows, "flow variable"),
        counted(potentials, "potential"),
        node.definition.span,
    )
    if part.simple is not None:  # it may be meant for `connector In = input C` only
        return (replace(finding, severity=Severity.WARNING),)
    raise CompileError(finding)


def _overconstrained(part: ComponentInstance, session: Session) -> dict[tuple[str | int, ...], int]:
    """Records with an equalityConstraint, and how many potentials each stands for."""
    found: dict[tuple[str | int, ...], int] = {}
    waiting = [part]
    while waiting:
        component = waiting.pop()
        if component.simple is not None or not component.exists():
            continue
        for node in component.nodes():
            residues = residue_count(node, session)
            if residues is None:
                waiting.extend(components_of(node))
            else:
                found[node.path or ()] = residues
    return found
