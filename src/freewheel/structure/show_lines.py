"""Lines of a listing: equations as text, the component that brought them in front.

    Writer(("circuit",)).equation(equation, unknown)       (("R1",), "[u] = R2.Va - C.Va")
    grouped(lines, "circuit")                              R1       [u] = R2.Va - C.Va

A component's own variables stand without its name; those of the whole model with the model's name
where they are used inside a component (`circuit.u`), so that `u` never means two things.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from freewheel.base.names import TIME, ClassName, Name
from freewheel.base.names import show as show_name
from freewheel.formula.nodes import Binary, Expr, Integer, Real, Var
from freewheel.formula.show import show as show_expr
from freewheel.formula.walk import replace
from freewheel.structure.atoms import DER, PRE, show_atom
from freewheel.structure.nodes import Crossing, ScalarEquation
from freewheel.structure.when_lines import Jump, as_when, rising

Line = tuple[Name, str]  # component, text
HEADING: Name = ("$heading",)
MOST_DIGITS = 1e6  # larger numbers are shown as they are


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


@dataclass(frozen=True, slots=True)
class Words:
    """How a listing speaks. `held` are variables that change at events only: with their names here,
    the value before the event is called by the plain name, the one after it `new(x)`; of `jumping`
    ones only the first. `flags` are conditions of when-clauses, which are then written as such. `renamed`
    calls a variable by another of its names. `as_code` shows relations as the code that watches them."""

    held: frozenset[Name] = frozenset()
    jumping: frozenset[Name] = frozenset()
    flags: Mapping[Expr, Expr] = field(default_factory=dict)
    renamed: Mapping[Name, Name] = field(default_factory=dict)
    as_code: bool = False
    literals: Mapping[float, Expr] = field(default_factory=dict)  # 6.28318 was written 2*3.14159
    whole_numbers: bool = False  # `1` for `1.0`


PLAIN = Words()


class Writer:
    """Formulas as text; relations are shown instead of their statuses."""

    def __init__(
        self, name: ClassName, crossings: Sequence[Crossing] = (), words: Words = PLAIN
    ) -> None:
        self.model = str(name[-1]) if name else ""
        self.crossings = {c.status: c for c in crossings}
        self.words = words
        self.numbers: dict[tuple[Var, str], int] = {}  # of (status, relation): QL(1), ...
        self.memo: dict[Expr, Expr] = {}

    def equation(self, equation: ScalarEquation, unknown: Var | None = None) -> Line:
        """With the unknown in square brackets."""
        origin, left = equation.origin, equation.left
        first = self.text(left, origin, unknown)
        if isinstance(left, Var) and left.name in self.words.held:
            new = self._new(left, origin)
            first = f"[{new}]" if left is unknown else new
        return origin, self._line(first, left, equation.right, origin, unknown)

    def assignment(self, target: Var, value: Expr, origin: Name) -> Line:
        shown = self.text(target, origin)
        if target.name in self.words.held:
            shown = self._new(target, origin)
        return origin, self._line(shown, target, value, origin)

    def jump(self, jump: Jump) -> Line:
        """A state that changes at an event."""
        value = self.text(jump.value, jump.origin)
        line = f"{self._new(jump.target, jump.origin)} = {value}"
        return jump.origin, f"when {self.text(jump.condition, jump.origin)} then {line} endwhen"

    def is_hidden(self, var: Var | None) -> bool:
        """Whether it is written with the lines that use it."""
        return var in self.words.flags

    def _line(
        self, first: str, left: Expr, right: Expr, origin: Name, unknown: Var | None = None
    ) -> str:
        found = None if self.words is PLAIN else as_when(right, left, self.words.flags)
        if found is None:
            return f"{first} = {self.text(right, origin, unknown)}"
        condition, value = (self.text(part, origin, unknown) for part in found)
        return f"when {condition} then {first} = {value} endwhen"

    def text(self, expr: Expr, origin: Name = (), unknown: Var | None = None) -> str:
        def name_text(name: Name) -> str:
            text = self._relative(name, origin)
            return f"[{text}]" if unknown is not None and name == unknown.name else text

        return show_expr(self._readable(expr), name_text=name_text)

    def name(self, var: Var) -> str:
        """Of a variable, in a list of variables."""
        return show_atom(self.words.renamed.get(var.name, var.name))

    def _new(self, target: Var, origin: Name) -> str:
        if not self.words.as_code:
            return f"new({self.text(target, origin)})"
        *before, last = target.name
        return self._relative((*before, f"new{last}"), origin)

    def _readable(self, expr: Expr) -> Expr:
        if not self.crossings and self.words is PLAIN:
            return expr
        return replace(expr, self._put, self.memo)

    def _put(self, node: Expr) -> Expr | None:
        if isinstance(node, Real):
            return self._number(node)
        if not isinstance(node, Binary):
            return None
        if isinstance(node.left, Var) and node.left in self.crossings:
            return self._relation(node, self.crossings[node.left])
        return rising(node) if self.words is not PLAIN else None

    def _number(self, node: Real) -> Expr | None:
        is_whole = node.value.is_integer() and abs(node.value) < MOST_DIGITS
        if is_whole and self.words.whole_numbers:
            return Integer(int(node.value))
        return self.words.literals.get(node.value)

    def _relation(self, node: Binary, crossing: Crossing) -> Expr:
        if not self.words.as_code:
            return Binary(node.op, crossing.left, crossing.right)
        key = crossing.status, node.op
        return Var((f"QL({self.numbers.setdefault(key, len(self.numbers) + 1)})",))

    def _relative(self, name: Name, origin: Name) -> str:
        name = self.words.renamed.get(name, name)
        if name[0] == PRE and (name[1:] in self.words.held or name[1:] in self.words.jumping):
            return self._relative(name[1:], origin)
        if name[0] in (DER, PRE):
            word = "der" if name[0] == DER else "pre"
            return f"{word}({self._relative(name[1:], origin)})"
        if not origin:
            return show_name(name)
        if name[: len(origin)] == origin and len(name) > len(origin):
            rest = name[len(origin) :]
            return show_name(rest) if isinstance(rest[0], str) else show_name(name)
        is_of_model = all(isinstance(part, int) for part in name[1:]) and name != TIME
        if is_of_model and not str(name[0]).startswith(("$", "QL(")):
            return f"{self.model}.{show_name(name)}"
        return show_name(name)
