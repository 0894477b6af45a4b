"""Formulas as text of a language that is described by a table.

    FormulaText(C, name_text).number(expr)         "m[R1_u]/m[R1_R]"
    FormulaText(FORTRAN, name_text).condition(c)   "M(3) .GT. 0.5D0"

A `Dialect` says how operators, functions, numbers and conditions are written. Conditions and numbers are
different things in most languages; where one stands for the other the table says how to convert.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from freewheel.base.slots import Info
from freewheel.export.supported import refuse
from freewheel.formula.nodes import (
    LOGICAL,
    RELATIONS,
    Binary,
    Boolean,
    Call,
    Expr,
    If,
    Integer,
    Literal,
    Real,
    Unary,
    Var,
)
from freewheel.formula.walk import fold

# How tightly the outermost operator binds.
CHOICE, OR, AND, NOT, COMPARISON, SUM, TERM, SIGN, POWER, PRIMARY = range(10)


@dataclass(frozen=True, slots=True)
class Piece:
    text: str
    level: int
    is_condition: bool = False

    def at_least(self, level: int) -> str:
        return self.text if self.level >= level else f"({self.text})"


@dataclass(frozen=True, slots=True)
class Dialect:
    """How one language writes formulas. In templates `{0}`, `{1}` are arguments, safe anywhere."""

    name: str
    real: Callable[[float], str]
    functions: Mapping[str, str]
    relations: Mapping[str, str] = field(default_factory=lambda: {r: r for r in RELATIONS})
    # A word between two conditions, or a template.
    words: Mapping[str, str] = field(default_factory=lambda: {"and": "and", "or": "or"})
    negation: str = "not {0}"
    true: str = "1.0"
    false: str = "0.0"
    power: str = "{0}**{1}"
    to_number: str = "({0})"  # of a condition
    to_condition: str = "{0} > 0.5"  # of a number
    choice: str = ""  # "({0} ? {1} : {2})"; empty: `hoist` must come before
    has_logicals: bool = False  # variables may be conditions
    differs: str = ""  # of two conditions, where they are no numbers
    same: str = ""


class FormulaText:
    """Writes formulas over one set of names; texts of shared parts are made once."""

    def __init__(
        self,
        dialect: Dialect,
        name_text: Callable[[Var], str],
        logical: Callable[[Var], bool] = lambda var: False,
    ) -> None:
        self.dialect = dialect
        self.name_text = name_text
        self.logical = logical
        self.memo: dict[Expr, Piece] = {}

    def number(self, expr: Expr) -> str:
        return self.as_number(self.piece(expr)).text

    def condition(self, expr: Expr) -> str:
        return self.as_condition(self.piece(expr)).text

    def piece(self, expr: Expr) -> Piece:
        return fold(expr, self._visit, self.memo)

    def is_condition(self, expr: Expr) -> bool:
        return self.piece(expr).is_condition

    # ------------------------------------------------------------ numbers and conditions

    def as_number(self, piece: Piece) -> Piece:
        if not piece.is_condition:
            return piece
        if piece.text in (self.dialect.true, self.dialect.false):
            return self._number_piece(float(piece.text == self.dialect.true))
        return Piece(self.dialect.to_number.format(piece.text), PRIMARY)

    def as_condition(self, piece: Piece) -> Piece:
        if piece.is_condition:
            return piece
        text = self.dialect.to_condition.format(piece.at_least(SUM))
        return Piece(text, COMPARISON, True)

    # ------------------------------------------------------------ nodes

    def _visit(self, node: Expr, parts: tuple[Piece, ...]) -> Piece:
        match node:
            case Real():
                return self._number_piece(node.value)
            case Integer():
                return self._number_piece(float(node.value))
            case Literal():
                return self._number_piece(float(node.index))
            case Boolean():
                text = self.dialect.true if node.value else self.dialect.false
                return Piece(text, PRIMARY, True)
            case Var():
                is_condition = self.dialect.has_logicals and self.logical(node)
                return Piece(self.name_text(node), PRIMARY, is_condition)
            case Unary():
                return self._unary(node, parts[0])
            case Binary():
                return self._binary(node, parts)
            case If():
                return self._choice(parts)
            case Call():
                return self._call(node, parts)
        raise self._unknown(type(node).__name__)

    def _number_piece(self, value: float) -> Piece:
        return Piece(self.dialect.real(value), SIGN if value < 0 else PRIMARY)

    def _unary(self, node: Unary, part: Piece) -> Piece:
        if node.op == "not":
            condition = self.as_condition(part).at_least(PRIMARY)
            return Piece(self.dialect.negation.format(condition), NOT, True)
        inner = self.as_number(part)
        text = inner.at_least(TERM)
        if text.startswith("-"):  # `--x` takes one from x in C
            text = f"({text})"
        return Piece(f"-{text}", SIGN if inner.level >= PRIMARY else SUM)

    def _binary(self, node: Binary, parts: tuple[Piece, ...]) -> Piece:
        op = node.op
        if op in LOGICAL:
            return self._logical(op, parts)
        if op in RELATIONS:
            return self._relation(op, parts)
        left, right = map(self.as_number, parts)
        match op:
            case "+":
                return Piece(f"{left.at_least(SUM)} + {_second(right)}", SUM)
            case "-":
                return Piece(f"{left.at_least(SUM)} - {_second(right)}", SUM)
            case "*" | "/":
                return Piece(f"{left.at_least(TERM)}{op}{right.at_least(POWER)}", TERM)
            case "^":
                return self._power(node, left, right)
        raise self._unknown(op)

    def _power(self, node: Binary, left: Piece, right: Piece) -> Piece:
        exponent = right.at_least(PRIMARY)
        whole = _whole(node.right)
        if whole is not None and "**" in self.dialect.power:
            exponent = str(whole) if whole >= 0 else f"({whole})"
        text = self.dialect.power.format(left.at_least(PRIMARY), exponent)
        return Piece(text, PRIMARY if text.endswith(")") and "**" not in text else POWER)

    def _logical(self, op: str, parts: tuple[Piece, ...]) -> Piece:
        level = AND if op == "and" else OR
        left, right = (self.as_condition(part).at_least(NOT) for part in parts)
        chained = self.as_condition(parts[0])
        if chained.level == level:
            left = chained.text
        word = self.dialect.words[op]
        if "{" in word:
            texts = (self.as_condition(part).text for part in parts)
            return Piece(word.format(*texts), PRIMARY, True)
        return Piece(f"{left} {word} {right}", level, True)

    def _relation(self, op: str, parts: tuple[Piece, ...]) -> Piece:
        both = all(part.is_condition for part in parts)
        if both and self.dialect.differs and op in ("==", "<>"):
            template = self.dialect.same if op == "==" else self.dialect.differs
            texts = (part.at_least(PRIMARY) for part in parts)
            return Piece(template.format(*texts), COMPARISON, True)
        left, right = (self.as_number(part).at_least(SUM) for part in parts)
        return Piece(f"{left} {self.dialect.relations[op]} {right}", COMPARISON, True)

    def _choice(self, parts: tuple[Piece, ...]) -> Piece:
        assert self.dialect.choice, "choices must be hoisted for this language"
        condition = self.as_condition(parts[0]).at_least(PRIMARY)
        if parts[1].is_condition and parts[2].is_condition:
            pieces = [part.at_least(PRIMARY) for part in parts[1:]]
            return Piece(self.dialect.choice.format(condition, *pieces), PRIMARY, True)
        then, otherwise = (self.as_number(part).text for part in parts[1:])
        return Piece(self.dialect.choice.format(condition, then, otherwise), PRIMARY)

    def _call(self, node: Call, parts: tuple[Piece, ...]) -> Piece:
        name = str(node.function)
        if name in ("noEvent", "smooth"):
            return parts[-1]
        table = self.dialect.functions  # `name/5` is one with five arguments
        template = table.get(f"{name}/{len(parts)}", table.get(name))
        if template is None:
            raise self._unknown(name)
        pieces = [self.as_number(part) for part in parts]
        if "{" not in template:
            return Piece(f"{template}({', '.join(piece.text for piece in pieces)})", PRIMARY)
        return Piece(template.format(*(p.at_least(PRIMARY) for p in pieces)), PRIMARY)

    def _unknown(self, name: str) -> Exception:
        return refuse(
            "G017",
            f"`{name}` has no counterpart in `{self.dialect.name}`",
            "write the formula without it, or export to another language",
        )


def _second(piece: Piece) -> str:
    """The right side of a sum: `a - (b + c)`, `a + (-b)`."""
    return (
        piece.text if piece.level >= TERM and not piece.text.startswith("-") else f"({piece.text})"
    )


def _whole(expr: Expr) -> int | None:
    """An exponent that is a small whole number: languages then allow a negative base."""
    if isinstance(expr, Integer):
        return int(expr.value)
    if isinstance(expr, Real) and expr.value.is_integer() and abs(expr.value) < 1000:
        return int(expr.value)
    return None


def alias_text(info: Info, place: str, real: Callable[[float], str]) -> str:
    """A variable by the slot it shares, `place`; one without a slot is a constant."""
    if info.slot < 0:
        return real(info.offset)
    sign = "-" if info.sign < 0 else ""
    return f"{sign}{place}" + (f" + {real(info.offset)}" if info.offset else "")
