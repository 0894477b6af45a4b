"""What is known of a function's variables before code is written: kinds, sizes, fixed values.

frame = Frame(function, (Kind(REAL, (3,)),), (), lookup)
frame.kinds["y"]                      Kind(REAL, (3,)) for `output Real y[size(x, 1)]`
"""

from __future__ import annotations

from freewheel.backend.llvm_place import (
    Kind,
    Native,
    NotCompilable,
    element_at,
    field_at,
)
from freewheel.backend.llvm_scan import Lookup
from freewheel.base.names import Name
from freewheel.formula.assigned import assigned_names
from freewheel.formula.faults import NotConstant
from freewheel.formula.interpret import by_dependence
from freewheel.formula.nodes import Call, Expr, Field, PartialFunction, Var
from freewheel.formula.shape import Shapes, refined
from freewheel.formula.statement_nodes import Function, FunctionVariable
from freewheel.formula.values import Value as Constant
from freewheel.formula.walk import map_bottom_up


def bound_name(function: str, label: str) -> str:
    """A variable for an input that is bound to a function handed over."""
    return f"{function}.{label}"


class Frame:
    """The variables of one function for one combination of argument shapes."""

    def __init__(
        self,
        function: Function,
        kinds: tuple[Kind, ...],
        numbers: tuple[tuple[int, int], ...],
        lookup: Lookup,
    ) -> None:
        self.function = function
        self.locals = {v.name: v for v in function.variables}
        with_default = {
            v.name for v in function.variables if v.role != "input" and v.default is not None
        }
        self.fixed = with_default - assigned_names(function.body)
        inputs = function.inputs()
        if len(inputs) != len(kinds):
            raise NotCompilable(".".join(function.name))
        self.kinds = {v.name: kind for v, kind in zip(inputs, kinds, strict=True)}
        for variable, kind in zip(inputs, kinds, strict=True):
            for label, inner in kind.function[1] if kind.function is not None else ():
                self.kinds[bound_name(variable.name, label)] = inner
        self.lookup = lookup
        self.numbers = {inputs[position].name: number for position, number in numbers}
        self.shapes = Shapes(self.dims, lookup, self.value_of)
        self.order = by_dependence([v for v in function.variables if v.role != "input"])
        for variable in self.order:
            scalar = refined(variable.type.scalar, variable.default, self.shapes.of)
            self.kinds[variable.name] = Kind(scalar, self.sizes(variable))

    def joined(self, expr: Expr) -> Expr:
        """Fields of record variables as one name, `p.y` is `Var(("p", "y"))`; calls of functions
        that were handed over as calls of these."""
        return map_bottom_up(expr, self._joined)

    def _joined(self, node: Expr) -> Expr:
        if isinstance(node, Field) and isinstance(node.args[0], Var):
            return Var((*node.args[0].name, node.data))
        if isinstance(node, Var) and len(node.name) == 1:
            kind = self.kinds.get(str(node.name[0]))
            if kind is not None and kind.function is not None:
                name, bound = kind.function
                labels = tuple(label for label, _ in bound)
                values = [Var((bound_name(str(node.name[0]), label),)) for label in labels]
                return PartialFunction(name, labels, *values)
        if isinstance(node, Call) and len(node.data) == 1 and node.data[0] in self.kinds:
            return self._handed(node)
        return node

    def _handed(self, node: Call) -> Expr:
        """`f(x)` where f is an input: the function that was given, its bound inputs filled in."""
        kind = self.kinds[node.data[0]]
        function = None if kind.function is None else self.lookup(kind.function[0])
        if function is None or kind.function is None:
            raise NotCompilable(str(node.data))
        bound = {label for label, _ in kind.function[1]}
        rest = list(node.args)
        args: list[Expr] = []
        for variable in function.inputs():
            if variable.name in bound:
                args.append(Var((bound_name(node.data[0], variable.name),)))
            elif rest:
                args.append(rest.pop(0))
            else:
                raise NotCompilable(str(node.data))
        return Call(function.name, *args)

    def native(self, name: str) -> Native:
        found = Native(
            name,
            tuple(self.kinds[v.name] for v in self.function.inputs()),
            tuple(self.kinds[v.name] for v in self.function.outputs()),
        )
        if min(found.input_size, found.output_size) < 0:  # asking refuses kinds without a size
            raise NotCompilable(name)
        return found

    def dims(self, name: Name) -> tuple[int, ...]:
        return self.kind_of(name).dims

    def kind_of(self, name: Name) -> Kind:
        kind = self.kinds.get(str(name[0]))
        if kind is None:
            raise NotConstant(name)
        for part in name[1:]:
            if isinstance(part, str):
                kind = field_at(kind, part)[1]
            else:
                kind = element_at(kind, [part])[1]
        return kind

    def value_of(self, name: Name) -> Constant:
        """Values that decide sizes: constant arguments, and locals that are never assigned."""
        head = str(name[0])
        if len(name) == 1 and head in self.numbers:
            return self.numbers[head]
        if len(name) == 1 and head in self.fixed:
            default = self.locals[head].default
            assert default is not None
            return self.shapes.constant(default)
        raise NotConstant(name)

    def sizes(self, variable: FunctionVariable) -> tuple[int, ...]:
        known = variable.type.dims
        if not variable.dims:
            if any(size is None for size in known):
                raise NotCompilable(variable.name)
            return tuple(size or 0 for size in known)
        result: list[int] = []
        for axis, size in enumerate(variable.dims):
            if size is not None:
                number = self.shapes.constant(size)
            elif variable.default is not None:
                number = self.shapes.of(variable.default)[axis]
            else:
                raise NotCompilable(variable.name)
            if not isinstance(number, int):
                raise NotCompilable(variable.name)
            result.append(number)
        return tuple(result)
