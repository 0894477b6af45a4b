"""Lines of a listing: equations as text, the component that brought them in front.

    Writer(("circuit",)).equation(equation, unknown)       (("R1",), "[u] = R2.Va - C.Va")
    grouped(lines, "circuit")                              R1       [u] = R2.Va - C.Va

A component's own variables stand without its name; those of the whole model with the model's name
where they are used inside a component (`circuit.u`), so that `u` never means two things.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from freewheel.base.names import TIME, ClassName, Name
from freewheel.base.names import show as show_name
from freewheel.formula.nodes import Binary, Expr, Var
from freewheel.formula.show import show as show_expr
from freewheel.formula.walk import replace
from freewheel.structure.atoms import DER, PRE
from freewheel.structure.nodes import Crossing, ScalarEquation

Line = tuple[Name, str]  # component, text
HEADING: Name = ("$heading",)


def heading(text: str) -> Line:
    """A line at the left edge."""
    return HEADING, text


def grouped(lines: Iterable[Line], model: str) -> str:
    """The component in front of its first line; lines without one stand at the left edge."""
    rows = list(lines)
    labels = [show_name(origin) or model for origin, text in rows if text and origin != HEADING]
    width = max(map(len, labels), default=0) + 2
    out: list[str] = []
    before: Name | None = None
    for origin, text in rows:
        if origin == HEADING:
            out.append(text)
            before = None
            continue
        label = (show_name(origin) or model) if origin != before else ""
        out.append(f"{label:<{width}}{text}".rstrip())
        before = origin
    return "\n".join(out) + "\n"


class Writer:
    """Formulas as text; relations are shown instead of their statuses."""

    def __init__(self, name: ClassName, crossings: Sequence[Crossing] = ()) -> None:
        self.model = str(name[-1]) if name else ""
        self.relations = {c.status: (c.left, c.right) for c in crossings}
        self.memo: dict[Expr, Expr] = {}

    def equation(self, equation: ScalarEquation, unknown: Var | None = None) -> Line:
        """With the unknown in square brackets."""
        sides = (equation.left, equation.right)
        left, right = (self.text(side, equation.origin, unknown) for side in sides)
        return equation.origin, f"{left} = {right}"

    def assignment(self, target: Var, value: Expr, origin: Name) -> Line:
        return origin, f"{self.text(target, origin)} = {self.text(value, origin)}"

    def text(self, expr: Expr, origin: Name = (), unknown: Var | None = None) -> str:
        def name_text(name: Name) -> str:
            text = self._relative(name, origin)
            return f"[{text}]" if unknown is not None and name == unknown.name else text

        return show_expr(self._readable(expr), name_text=name_text)

    def _readable(self, expr: Expr) -> Expr:
        if not self.relations:
            return expr
        return replace(expr, self._relation, self.memo)

    def _relation(self, node: Expr) -> Expr | None:
        if isinstance(node, Binary) and isinstance(node.left, Var) and node.left in self.relations:
            return Binary(node.op, *self.relations[node.left])
        return None

    def _relative(self, name: Name, origin: Name) -> str:
        if name[0] in (DER, PRE):
            word = "der" if name[0] == DER else "pre"
            return f"{word}({self._relative(name[1:], origin)})"
        if not origin:
            return show_name(name)
        if name[: len(origin)] == origin and len(name) > len(origin):
            rest = name[len(origin) :]
            return show_name(rest) if isinstance(rest[0], str) else show_name(name)
        is_of_model = all(isinstance(part, int) for part in name[1:]) and name != TIME
        if is_of_model and not str(name[0]).startswith("$"):
            return f"{self.model}.{show_name(name)}"
        return show_name(name)
