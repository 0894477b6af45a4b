"""How names of classes and variables are written in a flat model's text.

A flat name is one quoted identifier: `Modelica.Math.exp2` becomes `'Modelica.Math.exp2'`, variable
`r[2].p.v` becomes `'r[2].p.v'`. Names of classes are always quoted, so that none of them meets a
class of a library or a variable of the model; a name that is one quoted identifier stays as it is,
which makes the text of a text the same text.

    texts.expr(Call(("F", "area"), Var(("r1", "d"))))        'F.area'('r1.d')
"""

from __future__ import annotations

from collections.abc import Collection

from freewheel.base.names import ClassName, Name
from freewheel.flat.nodes import FlatModel
from freewheel.flat.reached import PREDEFINED
from freewheel.formula.nodes import (
    Array,
    Call,
    Expr,
    FunctionRef,
    Index,
    Integer,
    Literal,
    PartialFunction,
    Range,
    Record,
)
from freewheel.formula.show import quoted_name, show
from freewheel.formula.types import Basic, Scalar
from freewheel.formula.walk import map_bottom_up

# `x[{}]` has no Integer in it that would make it a subscript; `x[1:0]` has.
_NOTHING = Array()
_EMPTY = Range(Integer(1), Integer(1), Integer(0))


class ClassTexts:
    def __init__(
        self,
        model: FlatModel,
        functions: Collection[ClassName],
        external_objects: Collection[ClassName],
    ) -> None:
        self._functions = functions
        self._constructors = {(*name, "constructor"): name for name in external_objects}
        self._taken = {quoted_name(variable.name) for variable in model.variables}
        self._enumerations = {kind.name: kind for kind in model.enumerations}
        self._memo: dict[Expr, Expr] = {}
        self._names: dict[Name, str] = {}

    def of_class(self, name: ClassName) -> str:
        if name in PREDEFINED:
            return name[0]
        if len(name) == 1 and name[0].startswith("'"):
            return name[0]
        text = ".".join(name).replace("\\", "\\\\").replace("'", "\\'")
        return f"'{text}'" if f"'{text}'" not in self._taken else f"'.{text}'"

    def of_type(self, kind: Scalar) -> str:
        return kind.name if isinstance(kind, Basic) else self.of_class(kind.name)

    def of_function(self, name: ClassName) -> str:
        """A call of an external object's constructor is written with the name of its class."""
        return self.of_class(self._constructors.get(name, name))

    def expr(self, expr: Expr) -> str:
        return show(map_bottom_up(expr, self._renamed, self._memo), name_text=self._name)

    def _name(self, name: Name) -> str:
        text = self._names.get(name)
        if text is None:
            text = self._names[name] = quoted_name(name)
        return text

    def _renamed(self, node: Expr) -> Expr:
        if isinstance(node, Call) and node.function in self._functions:
            assert isinstance(node.function, tuple)
            return Call((self.of_function(node.function),), *node.args)
        if isinstance(node, FunctionRef):
            return FunctionRef((self.of_function(node.data),))
        if isinstance(node, PartialFunction):
            name, labels = node.data
            return PartialFunction((self.of_function(name),), labels, *node.args)
        if isinstance(node, Record):
            name, labels = node.data
            return Record((self.of_class(name),), labels, *node.args)
        if isinstance(node, Literal):
            name, index, literal = node.data
            return Literal((self.of_class(name),), index, literal or self._literal(name, index))
        if isinstance(node, Index) and _NOTHING in node.args:
            return node.with_args(tuple(_EMPTY if a is _NOTHING else a for a in node.args))
        return node

    def _literal(self, name: ClassName, index: int) -> str:
        """The range `E.a : E.d` has given literals without their names."""
        return self._enumerations[name].literals[index - 1]
