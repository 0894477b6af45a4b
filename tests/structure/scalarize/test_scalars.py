"""Array values whose size a parameter decides."""

from __future__ import annotations

from freewheel.flat.nodes import FlatModel, Variability, Variable
from freewheel.formula.nodes import Call, Integer, Unary, Var
from freewheel.formula.statement_nodes import Function, FunctionVariable
from freewheel.formula.types import INTEGER, REAL, Type
from freewheel.structure.scalarize.expand import expand

COUNT = FunctionVariable("n", Type(INTEGER), role="input")
ROW = FunctionVariable("row", Type(REAL, (None,)), (Var(("n",)),), role="output")
FUNCTION = Function(("f",), (COUNT, ROW))


def test_the_value_of_an_array_by_a_function_whose_size_is_a_parameter():
    angles = Variable(
        ("angle",), REAL, (3,), Variability.PARAMETER, binding=Unary("-", Call(("f",), Var(("m",))))
    )
    count = Variable(("m",), INTEGER, (), Variability.PARAMETER, binding=Integer(3))
    model = expand(FlatModel(("M",), (angles, count), (), functions=(FUNCTION,)))

    bindings = {v.binding for v in model.variables if v.name[0] == "angle"}
    assert len(bindings) == 3
