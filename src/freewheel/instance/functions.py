"""Functions of the model: their signatures, their bodies, and the records they pass around.

A function is known by a name that is unique in one translation; a function inherited into two
packages has two contexts and so two names. Bodies are elaborated when somebody asks for them: to
evaluate a constant, or to collect all functions a flat model calls.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from freewheel.base.names import ClassName, show
from freewheel.base.source import Span
from freewheel.formula import nodes as f
from freewheel.formula.assigned import assigned_names
from freewheel.formula.evaluate import NotConstant
from freewheel.formula.faults import output_without_value
from freewheel.formula.shape import dims_of, refined
from freewheel.formula.statement_nodes import (
    Effect,
    External,
    Function,
    FunctionVariable,
    Statement,
)
from freewheel.formula.types import INTEGER, Dims, FunctionType, RecordType, Scalar, Type
from freewheel.formula.walk import substitute, variables_in
from freewheel.instance.components import ComponentInstance, components_of
from freewheel.instance.context import Context
from freewheel.instance.diagnostics.calls import argument_missing
from freewheel.instance.external_builtin import builtin_name, statement_of
from freewheel.instance.function_annotations import FunctionAnnotations
from freewheel.instance.nodes import CONSTANT, PARAMETER, Typed
from freewheel.instance.record_defaults import record_default
from freewheel.instance.restrictions import check_sections
from freewheel.syntax import expression_nodes as syn_expr
from freewheel.syntax import nodes as syn

if TYPE_CHECKING:
    from freewheel.instance.classes import ClassNode
    from freewheel.instance.session import Session


FULL_PATH_NAME = "ModelicaInternal_fullPathName"  # gets to know, too, where packages lie


@dataclass(frozen=True, slots=True)
class Formal:
    """An input or output of a function."""

    name: str
    type: Type
    component: ComponentInstance
    has_default: bool = False
    is_settled: bool = False  # a final or constant field of a record: not to be given in a call

    @property
    def refers_to_others(self) -> bool:
        """Whether the default was written where the other inputs are in sight. The one of
        `output Pair p(a = a)` was not: its `a` is a variable of the function around it."""
        binding = self.component.binding()
        return binding is not None and binding.scope.instance is self.component.owner


@dataclass(frozen=True, slots=True)
class Signature:
    name: ClassName
    inputs: tuple[Formal, ...]
    outputs: tuple[Formal, ...]
    is_impure: bool = False


class Functions:
    def __init__(self, session: Session) -> None:
        self._session = session
        self._names: dict[ClassNode, ClassName] = {}
        self._nodes: dict[ClassName, ClassNode] = {}
        self._signatures: dict[ClassNode, Signature] = {}
        self._functions: dict[ClassName, Function] = {}
        self._building: set[ClassName] = set()
        self._types: dict[ClassNode, RecordType] = {}
        self._record_nodes: dict[ClassName, ClassNode] = {}
        self._local_types: dict[ComponentInstance, Type] = {}
        self.used: dict[ClassName, None] = {}
        self.annotations = FunctionAnnotations(session)

    # ------------------------------------------------------------ names

    def name_of(self, node: ClassNode) -> ClassName:
        name = self._names.get(node)
        if name is None:
            name = base = node.definition.name
            number = 1
            while name in self._nodes:
                number += 1
                name = (
                    *base[:-1],
                    f"{base[-1].rstrip(chr(39))}_{number}"
                    + ("'" if base[-1].endswith("'") else ""),
                )
            self._names[node] = name
            self._nodes[name] = node
        return name

    def is_impure(self, name: ClassName) -> bool:
        node = self._nodes.get(name)
        return node is not None and _is_impure(node)

    def note_use(self, name: ClassName) -> None:
        if name in self._nodes:  # not the name of a function that is itself an argument
            self.used[name] = None

    # ------------------------------------------------------------ signatures

    def signature_named(self, name: ClassName) -> Signature:
        return self.signature(self._nodes[name])

    def signature(self, node: ClassNode) -> Signature:
        found = self._signatures.get(node)
        if found is None:
            found = self._make_signature(node)
            self._signatures[node] = found
        return found

    def _make_signature(self, node: ClassNode) -> Signature:
        if isinstance(node.body, syn.DerBody):
            original = self.signature(self._differentiated(node, node.body))
            return Signature(self.name_of(node), original.inputs, original.outputs)
        inputs: list[Formal] = []
        outputs: list[Formal] = []
        for component in components_of(node):
            if component.element.protected or component.causality not in ("input", "output"):
                continue
            formal = Formal(
                component.name,
                self.local_type(component),
                component,
                component.binding() is not None,
            )
            (inputs if component.causality == "input" else outputs).append(formal)
        return Signature(self.name_of(node), tuple(inputs), tuple(outputs), _is_impure(node))

    def default(self, signature: Signature, formal: Formal, place: Span) -> Typed:
        """The default of an input, in terms of the inputs before it."""
        typed = self._session.elaborator.binding(formal.component)
        if typed is None and isinstance(formal.type.scalar, RecordType) and not formal.type.dims:
            node = formal.component.any_node()
            typed = self._session.elaborator.application.record(node, [], {}, place)
        if typed is None:
            raise argument_missing(formal.name, show(signature.name), place)
        return typed

    def output_type(self, signature: Signature, output: Formal, actual: list[Typed]) -> Type:
        """The type of an output; open dimensions are worked out from the arguments."""
        if isinstance(output.type.scalar, RecordType) and not output.type.dims:
            return Type(self._sized_record(signature, output, output.type.scalar, actual))
        if None not in output.type.dims:
            return output.type
        known, sizes = _arguments(signature, actual)
        dims: list[int | None] = []
        for position, size in enumerate(output.type.dims):
            if size is not None:
                dims.append(size)
                continue
            expr = self._dimension_expr(output.component, position)
            value = None
            if expr is not None:
                resolved = substitute(substitute(expr, sizes), known)
                value = self._session.values.try_of(resolved)
            dims.append(value if isinstance(value, int) else None)
        if None in dims:
            return self._by_running(signature, output, actual, tuple(dims))
        return Type(output.type.scalar, tuple(dims))

    def _sized_record(
        self, signature: Signature, output: Formal, record: RecordType, actual: list[Typed]
    ) -> RecordType:
        """A record whose open arrays have the sizes of what the output begins with in this call."""
        if not any(None in kind.dims for _, kind in record.fields):
            return record
        first = self._record_default(output.component, output.type)
        if first is None:
            return record
        known, sizes = _arguments(signature, actual)
        values = self._session.values

        def dims(expr: f.Expr) -> tuple[int, ...]:
            resolved = substitute(substitute(self._without_locals(expr, output), sizes), known)
            return dims_of(resolved, values.dims_by_name, values.function, values.by_name)

        try:
            found = refined(record, first, dims)
        except NotConstant:
            return record
        assert isinstance(found, RecordType)
        return found

    def _without_locals(self, expr: f.Expr, output: Formal) -> f.Expr:
        """Locals of the function replaced by what they begin with."""
        for component in components_of(output.component.owner):
            local = f.Var((component.name,))
            if component.causality != "input" and local in variables_in(expr):
                typed = self._session.elaborator.binding(component)
                expr = expr if typed is None else substitute(expr, {local: typed.expr})
        return expr

    def _by_running(
        self, signature: Signature, output: Formal, actual: list[Typed], dims: Dims
    ) -> Type:
        """Where only running the function tells the size, and the arguments are known, it is run."""
        if any(t.variability > PARAMETER for t in actual):
            return Type(output.type.scalar, dims)
        from freewheel.formula.values import dims_of_value

        position = signature.outputs.index(output)
        call = f.Call(signature.name, *(t.expr for t in actual))
        value = self._session.values.try_of(call if position == 0 else f.Output(position + 1, call))
        return Type(output.type.scalar, dims if value is None else dims_of_value(value))

    def _dimension_expr(self, component: ComponentInstance, position: int) -> f.Expr | None:
        subscripts = component.subscripts()
        expr, scope = subscripts[position]
        if isinstance(expr, syn_expr.Colon):
            return None
        return self._session.elaborator.expression(expr, scope).expr

    # ------------------------------------------------------------ types

    def local_type(self, component: ComponentInstance) -> Type:
        """Type of a variable of a function; dimensions known only at run time are None."""
        found = self._local_types.get(component)
        if found is None:
            scalar = self._local_scalar(component)
            subscripts = component.subscripts()
            # `A[:, size(A, 1)]`: a size may refer to the variable itself, so there is an answer already
            self._local_types[component] = Type(scalar, (None,) * len(subscripts))
            sizes = tuple(self._local_size(expr, scope, component) for expr, scope in subscripts)
            found = Type(scalar, sizes)
            self._local_types[component] = found
        return found

    def _local_scalar(self, component: ComponentInstance) -> Scalar:
        if component.simple is not None:
            return component.simple.scalar
        node = self._session.lookup.node(component.class_element)
        if "function" in node.restricted_kind():
            self.signature(node)
            self.note_use(self.name_of(node))
            return FunctionType(self.name_of(node))
        return self.record_type(self._local_node(component))

    def _local_node(self, component: ComponentInstance) -> ClassNode:
        """The class of a record variable, with the modifications of its declaration."""
        if component.element.modifier.is_empty or not component.element.modifier.subs:
            return self._session.lookup.node(component.class_element)
        from freewheel.instance.classes import ClassNode

        element = component.class_element
        return ClassNode(
            self._session, element.definition, element.enclosing, component.modifier
        ).with_original(element.extends_original)

    def _local_size(
        self, expr: syn_expr.Expr, scope: ClassNode, component: ComponentInstance
    ) -> int | None:
        if isinstance(expr, syn_expr.Colon):
            return None
        if isinstance(expr, syn_expr.ComponentRef):
            by_type = self._session.values.type_size(expr, scope)
            if by_type is not None:
                return by_type
        typed = self._session.elaborator.expression(expr, scope)
        if typed.type.scalar != INTEGER or (
            typed.variability > PARAMETER and not isinstance(typed.expr, f.Integer)
        ):
            return None
        value = self._session.values.try_of(typed.expr)
        return value if isinstance(value, int) else None

    def record_type(self, node: ClassNode) -> RecordType:
        found = self._types.get(node)
        if found is None:
            found = self._make_record_type(node)
            self._types[node] = found
            self._record_nodes.setdefault(found.name, node)
        return found

    def record_types(self) -> tuple[RecordType, ...]:
        """Every record met, in order; of several sizes of one record the first."""
        found: dict[ClassName, RecordType] = {}
        for record in self._types.values():
            found.setdefault(record.name, record)
        return tuple(found.values())

    def record_node(self, record: RecordType) -> ClassNode | None:
        return self._record_nodes.get(record.name)

    def _make_record_type(self, node: ClassNode) -> RecordType:
        fields: list[tuple[str, Type]] = []
        for component in components_of(node):
            if node.path is not None:
                if component.exists():
                    fields.append((component.name, component.type()))
            else:
                fields.append((component.name, self.local_type(component)))
        return RecordType(
            node.definition.name, tuple(fields), node.restricted_kind().startswith("operator")
        )

    def record_signature(self, node: ClassNode) -> Signature:
        """The constructor that each record has: one input per field; its value is the record."""
        found = self._signatures.get(node)
        if found is None:
            record = self.record_type(node)
            inputs = tuple(
                Formal(
                    c.name,
                    self.local_type(c) if node.path is None else c.type(),
                    c,
                    c.binding() is not None,
                    c.binding() is not None and (c.variability == CONSTANT or c.is_final),
                )
                for c in components_of(node)
            )
            found = Signature(record.name, inputs, ())
            self._signatures[node] = found
        return found

    # ------------------------------------------------------------ bodies

    def by_name(self, name: ClassName) -> Function:
        found = self._functions.get(name)
        if found is None:
            node = self._nodes.get(name)
            if node is None:
                raise NotConstant(name)
            found = self._make_function(name, node)
            self._functions[name] = found
        return found

    def _make_function(self, name: ClassName, node: ClassNode) -> Function:
        from freewheel.instance.statements import Statements

        variables = tuple(self._variable(c) for c in components_of(node))
        body = node.body
        if isinstance(body, syn.DerBody):
            original = self._differentiated(node, body)
            self.signature(original)
            self.note_use(self.name_of(original))
            return Function(
                name,
                self.by_name(self.name_of(original)).variables,
                partial_derivative_of=(self.name_of(original), body.variables),
                span=node.definition.span,
            )
        check_sections(node)
        statements = Statements(self._session)
        code = tuple(
            statement
            for scope, section in node.sections()
            if isinstance(section, syn.AlgorithmSection)
            for statement in statements.block(section.statements, Context(scope))
        )
        builtin = builtin_name(node)
        if builtin is not None:
            known = self._session.elaborator.calls.builtins.names
            statement, context = statement_of(node, builtin, known)
            code = statements.block((statement,), context)
        external = self._external(node) if builtin is None else None
        if external is None and not node.is_partial():
            _require_values(name, variables, code, node)
        notes = self.annotations.of(node)
        return Function(
            name,
            variables,
            code,
            external,
            notes.derivatives,
            notes.inverses,
            None,
            notes.inline,
            _is_impure(node),
            node.definition.span,
        )

    def _differentiated(self, node: ClassNode, body: syn.DerBody) -> ClassNode:
        """The function that `function fx = der(f, x)` is a partial derivative of."""
        element = self._session.lookup.class_named(body.function, node.enclosing or node)
        return self._session.lookup.node(element)

    def _variable(self, component: ComponentInstance) -> FunctionVariable:
        kind = self.local_type(component)
        role = component.causality if component.causality in ("input", "output") else "local"
        if component.element.protected:
            role = "local"
        dims = tuple(
            f.Integer(size) if size is not None else self._dimension_expr(component, k)
            for k, size in enumerate(kind.dims)
        )
        default = None
        if not isinstance(kind.scalar, FunctionType):
            typed = self._session.elaborator.binding(component)
            default = typed.expr if typed is not None else self._record_default(component, kind)
        return FunctionVariable(
            component.name, kind, dims, default, role, component.variability == CONSTANT
        )

    def _record_default(self, component: ComponentInstance, kind: Type) -> f.Expr | None:
        """A local record starts with the defaults of its fields, as far as they have any."""
        if not isinstance(kind.scalar, RecordType) or kind.dims or component.causality == "input":
            return None
        return record_default(self._session, self._local_node(component), kind.scalar)

    def _external(self, node: ClassNode) -> External | None:
        found = node.external()
        if found is None:
            return None
        scope, clause = found
        elaborator = self._session.elaborator
        language = clause.language or "C"
        function = clause.function or node.definition.tree.name
        if clause.function is None:
            components = [c for c in components_of(node) if not c.element.protected]
            inputs = [f.Var((c.name,)) for c in components if c.causality == "input"]
            outputs = [f.Var((c.name,)) for c in components if c.causality == "output"]
            if len(outputs) == 1:
                return External(language, function, outputs[0], tuple(inputs))
            return External(language, function, None, (*inputs, *outputs))
        args = tuple(elaborator.expression(arg, scope).expr for arg in clause.args)
        if function == FULL_PATH_NAME:
            args = (*args, f.String(self._folders()))
        result = (
            elaborator.expression(clause.result, scope).expr if clause.result is not None else None
        )
        return External(language, function, result, args)

    def _folders(self) -> str:
        """A line for each package: `modelica://` names a file in one of these directories."""
        folders = self._session.library.folders()
        return "".join(f"{name}={folder.as_posix()}\n" for name, folder in folders.items())

    def collect(self) -> tuple[Function, ...]:
        """Every function that is used, callees included, in order of first use."""
        done: dict[ClassName, Function] = {}
        while True:
            waiting = [name for name in self.used if name not in done]
            if not waiting:
                return tuple(done.values())
            for name in waiting:
                done[name] = self.by_name(name)


def _arguments(
    signature: Signature, actual: list[Typed]
) -> tuple[dict[f.Expr, f.Expr], dict[f.Expr, f.Expr]]:
    """(inputs and the arguments of a call, sizes of inputs as far as the call tells them)."""
    pairs = list(zip(signature.inputs, actual, strict=True))
    sizes: dict[f.Expr, f.Expr] = {
        f.Call("size", f.Var((i.name,)), f.Integer(k + 1)): f.Integer(d)
        for i, t in pairs
        for k, d in enumerate(t.type.dims)
        if d is not None
    }
    return {f.Var((i.name,)): t.expr for i, t in pairs}, sizes


def _require_values(
    name: ClassName,
    variables: tuple[FunctionVariable, ...],
    code: tuple[Statement, ...],
    node: ClassNode,
) -> None:
    """Each output is assigned somewhere, or begins with a value; or the function is there to complain."""
    if any(isinstance(statement, Effect) for statement in code):
        return
    given = assigned_names(code)
    places = {c.name: c.element.span for c in components_of(node)}
    for variable in variables:
        is_empty = f.Integer(0) in variable.dims
        is_open = variable.default is None and variable.name not in given
        if variable.role == "output" and is_open and not is_empty:
            raise output_without_value(variable.name, name, places[variable.name])


def _is_impure(node: ClassNode) -> bool:
    return any(n.kind.startswith("impure") for n in node.lineage())
