"""Cuts as connectors of Modelica.

    cut WireA(Va/i), WireB(Vb/-i)         Cut WireA, WireB;
                                          Va = WireA.across; i = WireA.through;
                                          Vb = WireB.across; -i = WireB.through;

A connector class is made for each shape: how many variables across (logical or not) and through.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from freewheel.dymola.nodes import Cut, CutVariable, Model
from freewheel.syntax.equation_nodes import Equation
from freewheel.syntax.expression_nodes import ComponentRef, Expr, RefPart, TypeName, Unary
from freewheel.syntax.nodes import NO_PREFIXES, ClassDef, Component, LongBody
from freewheel.syntax.text_nodes import Description

Shape = tuple[
    str, int
]  # a letter for each across variable (n number, l logical), through variables


def shape_of(cut: Cut, logical: frozenset[str]) -> Shape:
    return "".join("l" if v.name in logical else "n" for v in cut.across), len(cut.through)


def shape_name(shape: Shape) -> str:
    """`Cut` for one and one, `Cut_3_1` for three across and one through."""
    across, through = shape
    if shape == ("n", 1):
        return "Cut"
    return f"Cut_{across if 'l' in across else len(across)}_{through}"


def field_names(word: str, count: int) -> list[str]:
    return [word] if count == 1 else [f"{word}{k}" for k in range(1, count + 1)]


def connector_name(cut: Cut, taken: frozenset[str]) -> str:
    """Cuts and variables may have one name in the classic language, in Modelica they may not."""
    return f"{cut.name}_cut" if cut.name in taken else cut.name


def cut_components(
    model: Model, logical: frozenset[str], taken: frozenset[str]
) -> Iterator[Component]:
    for cut in model.cuts:
        if not cut.parts:
            place = (cut.start, cut.start + len(cut.name))
            kind = TypeName(*place, (shape_name(shape_of(cut, logical)),), absolute=True)
            yield _component(place, kind, connector_name(cut, taken))


def cut_equations(model: Model, taken: frozenset[str]) -> Iterator[Equation]:
    for cut in model.cuts:
        for word, variables in (("across", cut.across), ("through", cut.through)):
            names = field_names(word, len(variables))
            for variable, name in zip(variables, names, strict=True):
                if variable.name:
                    yield _tie(connector_name(cut, taken), variable, name)


def _tie(connector: str, variable: CutVariable, field: str) -> Equation:
    place = (variable.start, variable.end)
    inner: Expr = ComponentRef(*place, (RefPart(variable.name),))
    if variable.is_negative:
        inner = Unary(*place, "-", inner)
    outer = ComponentRef(*place, (RefPart(connector), RefPart(field)))
    return Equation(*place, inner, outer, None)


def connector_class(shape: Shape) -> ClassDef:
    """The connector of a shape."""
    across, through = shape
    fields = []
    for letter, name in zip(across, field_names("across", len(across)), strict=True):
        kind = "Boolean" if letter == "l" else "Real"
        fields.append(_component((0, 0), TypeName(0, 0, (kind,)), name))
    for name in field_names("through", through):
        flow = _component((0, 0), TypeName(0, 0, ("Real",)), name)
        fields.append(flow._replace(prefixes=NO_PREFIXES._replace(flow="flow")))
    body = LongBody(0, 0, False, None, tuple(fields), (), None)
    text = Description(0, 0, _told(across, through), None)
    return ClassDef(0, 0, 0, False, False, False, "connector", shape_name(shape), body, text)


def _told(across: Sequence[str], through: int) -> str:
    return f"A cut: {len(across)} across, {through} through"


def _component(place: tuple[int, int], kind: TypeName, name: str) -> Component:
    return Component(*place, False, NO_PREFIXES, kind, (), name, (), None, None, None, None)
