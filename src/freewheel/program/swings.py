"""How fast quantities swing that relations look at: `sin` and `cos` of what moves with time.

    u = 10*sin(2*pi*f*time),  u > 9.5        ->        abs(2*pi*f)        in rad/s

Error control sees states only. Between two looks at a relation a fast sine may have crossed zero many times;
so no step may be longer than a share of its period (`runtime/integrators/step_control.py`). The argument of
each sine is differentiated by time, through algebraic variables; where states move it, by their derivatives.
The result is a formula: a frequency may be a parameter, or change at an event.

Frequencies of factors add up, as in `sin(a)*sin(b)`, and those of terms do not. Sines of states turn as
their states say, and the fastest counts: error control follows what is made of them.

Not known are frequencies inside functions of the model, and of arguments that a loop of equations gives.
"""

from __future__ import annotations

from collections.abc import Iterable, Set
from functools import reduce

from freewheel.base.diagnostics import CompileError
from freewheel.formula import build
from freewheel.formula.differentiate import Differentiation
from freewheel.formula.nodes import ONE, TIME, ZERO, Binary, Call, Expr, Integer, Real, Var
from freewheel.formula.walk import calls_in, fold, variables_in
from freewheel.program.dependence import Dependence, expressions_of
from freewheel.structure.atoms import DER, der_of
from freewheel.structure.nodes import Solved

_SWINGING = ("sin", "cos", "tan")
_PRODUCTS = ("*", ".*", "/", "./")
_TWO = Real(2.0)


def swing_of(exprs: Iterable[Expr], dependence: Dependence, states: Set[Var]) -> Expr:
    """Radians per second of the fastest; zero where nothing is known to swing."""
    roots = tuple(exprs)
    numbers = dependence.needed(variables_in(*roots))
    inside = [e for n in numbers for e in expressions_of(dependence.blocks[n])]
    if not any(call.function in _SWINGING for call in calls_in(*roots, *inside)):
        return ZERO
    swings = _Swings(dependence, states)
    for n in numbers:
        swings.see_block(n)
    return _fastest([*map(swings.of, roots), *swings.turning])


def _faster(a: Expr, b: Expr) -> Expr:
    if a is b or build.is_zero(b):
        return a
    return b if build.is_zero(a) else build.call("max", a, b)


def _fastest(rates: Iterable[Expr]) -> Expr:
    none: Expr = ZERO
    return reduce(_faster, dict.fromkeys(rates), none)


class _Swings:
    def __init__(self, dependence: Dependence, states: Set[Var]) -> None:
        self.dependence = dependence
        self.states = states
        self.memo: dict[Expr, Expr] = {}  # of variables too, in the order of blocks
        self.turning: list[Expr] = []  # of sines of states
        self.rates = Differentiation(self._rate_of_variable, is_time=False)
        self.rates.memo[TIME] = ONE
        self.seen: dict[int, bool] = {}  # of blocks: whether the rates of their targets are known

    def of(self, expr: Expr) -> Expr:
        return fold(expr, self._visit, self.memo)

    def see_block(self, number: int) -> None:
        block = self.dependence.blocks[number]
        swing = _fastest(map(self.of, expressions_of(block)))
        targets = (block.target,) if isinstance(block, Solved) else block.unknowns
        self.memo.update((target, swing) for target in targets)

    def _visit(self, node: Expr, parts: tuple[Expr, ...]) -> Expr:
        match node:
            case Call(data=function) if function in _SWINGING:
                return build.plus(self._turns(node.args[0]), parts[0])
            case Call(data="abs"):
                return build.times(_TWO, parts[0])
            case Binary(data=op) if op in _PRODUCTS:
                return build.plus(*parts)
            case Binary(data="^") if isinstance(node.right, Integer | Real):
                return build.times(Real(max(abs(node.right.value), 1.0)), parts[0])
            case _:
                return _fastest(parts)

    def _turns(self, phase: Expr) -> Expr:
        """Of a phase that time moves; those that states move are noted."""
        rate = self._rate(phase)
        if rate is None or build.is_zero(rate):
            return ZERO
        size = build.call("abs", rate)
        if any(var.name[0] == DER for var in variables_in(rate)):
            self.turning.append(size)
            return ZERO
        return size

    def _rate(self, phase: Expr) -> Expr | None:
        """By time; None: not known."""
        numbers = self.dependence.needed(variables_in(phase))
        if not all(self._see_rate(n) for n in numbers):
            return None
        return self._derivative(phase)

    def _derivative(self, expr: Expr) -> Expr | None:
        try:
            return self.rates.of(expr)
        except CompileError:  # what has no derivative has no frequency
            return None

    def _see_rate(self, number: int) -> bool:
        known = self.seen.get(number)
        if known is None:
            block = self.dependence.blocks[number]
            known = False
            if isinstance(block, Solved) and all(
                self.seen[n] for n in self.dependence.edges[number]
            ):
                rate = self._derivative(block.value)
                known = rate is not None
                self.rates.memo[block.target] = rate or ZERO
            self.seen[number] = known
        return known

    def _rate_of_variable(self, var: Var) -> Expr:
        return der_of(var) if var in self.states else ZERO
