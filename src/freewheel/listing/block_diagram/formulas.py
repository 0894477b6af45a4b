"""Formulas become blocks: the arithmetic half of a block diagram.

    R*L.i          gain `R` that reads L.i
    u - C.u        sum with the marks + and -
    exp(v/Vt) - 1  function block `exp(u/Vt)`, then a sum with the constant 1

Formulas are shared graphs: what occurs twice becomes one block.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from freewheel.base.names import TIME, Name
from freewheel.base.names import show as show_name
from freewheel.formula import build
from freewheel.formula.nodes import Binary, Call, Expr, If, Integer, Output, Real, Unary, Var
from freewheel.formula.show import show
from freewheel.formula.walk import calls_in, replace, substitute, variables_in
from freewheel.listing.block_diagram.hidden import Hidden
from freewheel.listing.block_diagram.nodes import Block, Input, Kind

LONGEST = 26  # letters of a formula that becomes one block
DELAYS = ("delay", "spatialDistribution")
Reads = int | Var  # a block, or a variable whose block comes later


@dataclass(slots=True)
class _Draft:
    kind: Kind
    label: str
    name: str
    reads: tuple[Reads, ...]
    marks: tuple[str, ...]
    owner: Name
    loop: int


@dataclass(slots=True)
class Formulas:
    """Collects blocks; `constants` are the names of parameters and constants."""

    hidden: Hidden
    constants: set[Name]
    values: dict[Name, Expr] = field(default_factory=dict)  # of variables that turned out constant
    drafts: list[_Draft] = field(default_factory=list)
    giving: dict[Var, Reads] = field(default_factory=dict)  # variable -> its block or other name
    known: dict[tuple[Expr, int], Reads] = field(default_factory=dict)
    owner: Name = ()
    loop: int = -1
    unknowns: frozenset[Var] = frozenset()  # of the loop

    # ------------------------------------------------------------ equations

    def assign(self, target: Var, value: Expr, owner: Name, loop: int) -> None:
        """What depends on parameters only is a constant; `a = b` is another name of one signal."""
        self.owner, self.loop = owner, loop
        if not self._dynamic(value):
            self.constants.add(target.name)
            self.values[target.name] = value
            return
        found = self.signal(value)
        self.giving[target] = found
        if isinstance(found, int) and not self.drafts[found].name:
            self.drafts[found].name = self.hidden.words(target.name)

    def implicit(self, unknown: Var, residual: Expr, owner: Name, loop: int) -> None:
        """A block that finds its output such that the residual is zero."""
        self.owner, self.loop = owner, loop
        others = [v for v in self._dynamic(residual) if v is not unknown]
        number = self._add(Kind.EQUATION, f"0 = {self._text(residual)}", others)
        self.drafts[number].name = self.hidden.words(unknown.name)
        self.giving[unknown] = number

    def dynamic(
        self,
        kind: Kind,
        gives: Var,
        reads: Var,
        start: Expr | None,
        resets: Sequence[tuple[Expr, Expr]] = (),
    ) -> None:
        """An integrator, a differentiator or a memory; `resets` are conditions with new values."""
        self.owner, self.loop = self.hidden.owner(reads.name), -1
        label = "" if start is None or build.is_zero(start) else self._text(start)
        inputs, marks = [self.signal(reads)], [""]
        for condition, value in resets:
            inputs += [self.signal(condition), self.signal(value)]
            marks += ["when", "reinit"]
        number = self._add(kind, label, inputs, marks)
        self.drafts[number].name = self.hidden.words(gives.name)
        self.giving[gives] = number

    def reinit(self, target: Var, condition: Expr, value: Expr) -> None:
        """Of a variable without an integrator of its own: the states follow from it."""
        self.owner, self.loop = self.hidden.owner(target.name), -1
        reads = [self.signal(condition), self.signal(value)]
        label = f"reinit({self.hidden.words(target.name)})"
        self._add(Kind.REINIT, label, reads, ["when", "to"])

    def given(self, var: Var, kind: Kind, label: str) -> None:
        """A block without inputs."""
        self.owner, self.loop = self.hidden.owner(var.name), -1
        number = self._add(kind, label, [])
        self.drafts[number].name = label if kind is Kind.INPUT else ""
        self.giving[var] = number

    def computed(self, var: Var, label: str, reads: Sequence[Expr]) -> None:
        """A block whose rule the compiler made."""
        self.owner, self.loop = self.hidden.owner(var.name), -1
        number = self._add(Kind.FUNCTION, label, [self.signal(expr) for expr in reads])
        self.drafts[number].name = self.hidden.words(var.name)
        self.giving[var] = number

    def output(self, name: Name, value: Expr) -> None:
        self.owner, self.loop = (), -1
        self._add(Kind.OUTPUT, show_name(name), [self.signal(value)])

    # ------------------------------------------------------------ what is there

    def missing(self) -> list[Var]:
        """Variables that are read and have no block."""
        read = [signal for draft in self.drafts for signal in draft.reads]
        asked = [signal for signal in (*read, *self.giving.values()) if isinstance(signal, Var)]
        return [var for var in dict.fromkeys(asked) if var not in self.giving]

    def resolved(self) -> Iterator[Block]:
        """A signal with several names has the first one that the modeller gave."""
        for target, found in self.giving.items():
            draft = self.drafts[self._block_of(found)]
            draft.name = draft.name or self.hidden.words(target.name)
        for draft in self.drafts:
            inputs = tuple(map(Input, map(self._block_of, draft.reads), draft.marks))
            outputs = () if draft.kind in (Kind.OUTPUT, Kind.REINIT) else (draft.name,)
            yield Block(draft.kind, draft.label, outputs, inputs, draft.owner, draft.loop)

    def _block_of(self, signal: Reads) -> int:
        while isinstance(signal, Var):
            signal = self.giving[signal]
        return signal

    # ------------------------------------------------------------ formulas

    def signal(self, expr: Expr) -> Reads:
        if isinstance(expr, Var) and expr.name not in self.constants:
            return expr
        dynamic = self._dynamic(expr)
        if not dynamic:
            return self._constant(expr)  # one at each place
        around = self.loop
        if self.unknowns.isdisjoint(dynamic):
            self.loop = -1  # what the equations of a loop take from outside
        key = (expr, self.loop)
        if key not in self.known:
            self.known[key] = self._new(expr, dynamic)
        self.loop = around
        return self.known[key]

    def _constant(self, expr: Expr) -> Reads:
        value = self.values.get(expr.name) if isinstance(expr, Var) else None
        number = self._add(Kind.SOURCE, self._text(expr if value is None else value), [])
        if value is not None and isinstance(expr, Var):
            self.drafts[number].name = self.hidden.words(expr.name)
        return number

    def _new(self, expr: Expr, dynamic: Sequence[Var]) -> Reads:
        if all(var.name == TIME for var in dynamic) and not _delays_in(expr):
            return self._add(Kind.SOURCE, self._text(expr), [])
        if isinstance(expr, Unary | Binary) and expr.op in ("+", "-"):
            return self._sum(expr)
        if isinstance(expr, Binary) and expr.op in "*/":
            return self._product(expr)
        if isinstance(expr, If):
            reads = [self.signal(arg) for arg in expr.args]
            return self._add(Kind.SWITCH, "", reads, ["if", "then", "else"])
        return self._function(expr, dynamic)

    def _sum(self, expr: Expr) -> Reads:
        terms = _terms(expr)
        if len(terms) == 1:
            return self._product(expr)
        marks = ["+" if sign > 0 else "\N{MINUS SIGN}" for sign, _ in terms]
        return self._add(Kind.SUM, "", [self.signal(term) for _, term in terms], marks)

    def _product(self, expr: Expr) -> Reads:
        over, under = _factors(expr)
        factor, above = self._parted(over)
        divisor, below = self._parted(under)
        scale = build.over(factor, divisor)
        if isinstance(factor, Integer) and factor.value == -1 and not build.is_one(divisor):
            scale = build.neg(build.over(Integer(1), divisor))
        if len(above) == 1 and not below:
            return self._scaled(self.signal(above[0]), scale)
        if not above and len(below) == 1:
            label = f"{self._text(scale)}/u"
            return self._add(Kind.FUNCTION, label, [self.signal(below[0])])
        marks = ["\N{MULTIPLICATION SIGN}"] * len(above) + ["\N{DIVISION SIGN}"] * len(below)
        reads = [self.signal(part) for part in (*above, *below)]
        return self._scaled(self._add(Kind.PRODUCT, "", reads, marks), scale)

    def _scaled(self, signal: Reads, scale: Expr) -> Reads:
        if isinstance(scale, Integer | Real) and scale.value == 1:
            return signal
        return self._add(Kind.GAIN, self._text(scale), [signal])

    def _parted(self, factors: Sequence[Expr]) -> tuple[Expr, list[Expr]]:
        """(product of what is constant, the rest)."""
        constant: Expr = Integer(1)
        rest: list[Expr] = []
        for factor in factors:
            if self._dynamic(factor):
                rest.append(factor)
            else:
                constant = build.times(constant, factor)
        return constant, rest

    def _function(self, expr: Expr, dynamic: Sequence[Var]) -> Reads:
        """One variable: the whole formula in one block. Several: one block over its arguments."""
        if isinstance(expr, Output):
            return self._output(expr)
        is_delay = isinstance(expr, Call) and expr.function in DELAYS
        if len(dynamic) == 1 and not _delays_in(expr):
            text = self._text(substitute(expr, {dynamic[0]: Var(("u",))}))
            if len(text) <= LONGEST:
                return self._add(Kind.FUNCTION, text, [dynamic[0]])
        arguments = [arg for arg in expr.args if self._dynamic(arg)]
        names = [Var((f"u{k}",)) for k in range(1, len(arguments) + 1)]
        if len(names) == 1:
            names = [Var(("u",))]
        inside = dict(zip(arguments, names, strict=True))
        label = self._text(expr.with_args(tuple(inside.get(a, a) for a in expr.args)))
        if isinstance(expr, Call) and len(label) > LONGEST:
            label = str(expr.function if isinstance(expr.function, str) else expr.function[-1])
        kind = Kind.DELAY if is_delay else Kind.FUNCTION
        return self._add(kind, label, [self.signal(arg) for arg in arguments])

    def _output(self, expr: Output) -> Reads:
        """A further output of a function reads what the function reads."""
        [call] = expr.args
        assert isinstance(call, Call)
        name = call.function if isinstance(call.function, str) else call.function[-1]
        reads = [self.signal(arg) for arg in call.args if self._dynamic(arg)]
        return self._add(Kind.FUNCTION, f"{name}, output {expr.data}", reads)

    # ------------------------------------------------------------ small parts

    def _add(
        self, kind: Kind, label: str, reads: Sequence[Reads], marks: Sequence[str] = ()
    ) -> int:
        all_marks = tuple(marks) or ("",) * len(reads)
        loop = -1 if kind is Kind.SOURCE else self.loop
        draft = _Draft(kind, label, "", tuple(reads), all_marks, self.owner, loop)
        self.drafts.append(draft)
        return len(self.drafts) - 1

    def _dynamic(self, expr: Expr) -> list[Var]:
        return [var for var in variables_in(expr) if var.name not in self.constants]

    def _text(self, expr: Expr) -> str:
        def name_text(name: Name) -> str:
            own = self.owner
            is_own = own and name[: len(own)] == own and len(name) > len(own)
            return show_name(name[len(own) :]) if is_own else self.hidden.words(name) or "s"

        return show(replace(expr, _whole), name_text=name_text)


def _terms(expr: Expr) -> list[tuple[int, Expr]]:
    """`a - (b - c)` as +a, -b, +c, from left to right."""
    found: list[tuple[int, Expr]] = []
    stack = [(1, expr)]
    while stack:
        sign, node = stack.pop()
        if isinstance(node, Binary) and node.op in "+-":
            stack.append((sign if node.op == "+" else -sign, node.right))
            stack.append((sign, node.left))
        elif isinstance(node, Unary) and node.op == "-":
            stack.append((-sign, node.args[0]))
        else:
            found.append((sign, node))
    return found


def _factors(expr: Expr) -> tuple[list[Expr], list[Expr]]:
    """(what multiplies, what divides), from left to right."""
    over: list[Expr] = []
    under: list[Expr] = []
    stack = [(False, expr)]
    while stack:
        is_divisor, node = stack.pop()
        if isinstance(node, Binary) and node.op in "*/":
            stack.append((is_divisor != (node.op == "/"), node.right))
            stack.append((is_divisor, node.left))
        elif isinstance(node, Unary) and node.op == "-":
            over.append(Integer(-1))
            stack.append((is_divisor, node.args[0]))
        else:
            (under if is_divisor else over).append(node)
    return over, under


def _whole(node: Expr) -> Expr | None:
    """`2` reads better than `2.0`."""
    is_whole = isinstance(node, Real) and node.value.is_integer() and abs(node.value) < 1e6
    return Integer(int(node.value)) if isinstance(node, Real) and is_whole else None


def _delays_in(expr: Expr) -> bool:
    return any(call.function in DELAYS for call in calls_in(expr))
