"""`delay(expr, T)` becomes a value out of a history that the simulation keeps.

    y = delay(x, T)     ->     $delayed 1 = x,  $lag 1 = T,  y = history($history, 1, time - T)

`$delayed` and `$lag` are hidden variables: what is remembered, and how far back is looked. Where
`T` can change, the delayed time may fall into the present step, so that the present value and the time are
further arguments. At the start there is no history but the present (phase.py).

Where the remembered signal jumps or bends, the delayed one does so later. Each line of history
watches for that: its crossings compare the point looked at with `$next` (and `$last` where `T` can
shrink and grow), the breaks around the piece in use; the simulation moves them on at events.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from freewheel.base.diagnostics import CompileError, error
from freewheel.base.source import Span
from freewheel.flat.nodes import Variability
from freewheel.formula import build
from freewheel.formula.nodes import TIME, ZERO, Call, Expr, Integer, Real, Var
from freewheel.formula.show import show
from freewheel.formula.types import REAL
from freewheel.formula.walk import replace, variables_in
from freewheel.structure.atoms import (
    HISTORY,
    delayed_of,
    lag_of,
    last_break_of,
    next_break_of,
    show_atom,
    status_of,
)
from freewheel.structure.events.diagnostics import (
    DELAY_RULE,
    longest_delay_missing,
    longest_delay_varies,
)
from freewheel.structure.nodes import Crossing, DelayLine, ScalarEquation, ScalarVariable


@dataclass(slots=True)
class DelayLines:
    """Collects the lines while operators are rewritten."""

    variability: Callable[[Var], Variability]
    number: Callable[[Expr], float | None]  # value of a parameter expression
    settle: Callable[[Expr], object]  # its parameters can no longer be changed
    found: dict[tuple[Expr, ...], Expr] = field(default_factory=dict)
    lines: list[DelayLine] = field(default_factory=list)

    def value(self, node: Call, span: Span) -> Expr:
        """What stands for the call."""
        known = self.found.get(node.args)
        if known is not None:
            return known
        signal, lag = node.args[0], node.args[1]
        longest = node.args[2] if len(node.args) > 2 else None
        is_fixed = self.is_fixed(lag)
        self._check(lag, longest, is_fixed, span)
        if is_fixed and self.number(lag) == 0.0:
            self.settle(build.relation("==", lag, Real(0.0)))
            return signal
        line = DelayLine(
            len(self.lines) + 1,
            signal,
            lag,
            lag if longest is None else longest,
            not is_fixed,
            f"delay({text_of(signal)}, {text_of(lag)})",
            span,
        )
        self.lines.append(line)
        self.found[node.args] = line_value(line)
        return self.found[node.args]

    def remembered(self, signal: Expr, text: str, span: Span) -> int:
        """The number of a line that somebody else looks at."""
        number = len(self.lines) + 1
        self.lines.append(DelayLine(number, signal, None, ZERO, False, text, span))
        return number

    def is_fixed(self, expr: Expr) -> bool:
        return all(self.variability(var) <= Variability.PARAMETER for var in variables_in(expr))

    def _check(self, lag: Expr, longest: Expr | None, is_fixed: bool, span: Span) -> None:
        if longest is None and not is_fixed:
            raise longest_delay_missing(text_of(lag), span)
        if longest is not None and not self.is_fixed(longest):
            raise longest_delay_varies(text_of(longest), span)
        if is_fixed:
            self._check_sign(lag, span)

    def _check_sign(self, lag: Expr, span: Span) -> None:
        value = self.number(lag)
        if value is not None and value < 0.0:
            raise negative(lag, value, span)


def negative(lag: Expr, value: float, span: Span) -> CompileError:
    return error(
        "E042",
        f"the delay time `{text_of(lag)}` is negative ({value:g})",
        span,
        help="a delay looks back: give a time of zero or more",
        rule=DELAY_RULE,
    )


def point_of(line: DelayLine) -> Expr:
    assert line.lag is not None
    return build.minus(TIME, lag_of(line.number) if line.is_variable else line.lag)


def line_value(line: DelayLine) -> Expr:
    present = (delayed_of(line.number), TIME) if line.is_variable else ()
    return Call("history", HISTORY, Integer(line.number), point_of(line), *present)


def hidden_variables(lines: tuple[DelayLine, ...]) -> list[ScalarVariable]:
    atoms = [atom for line in lines for atom, _ in _hidden(line)]
    return [ScalarVariable(atom.name, REAL, is_protected=True) for atom in atoms]


def hidden_equations(lines: tuple[DelayLine, ...]) -> list[ScalarEquation]:
    return [
        ScalarEquation(atom, value, line.span, target=atom)
        for line in lines
        for atom, value in _hidden(line)
    ]


def _hidden(line: DelayLine) -> list[tuple[Var, Expr]]:
    found = [(delayed_of(line.number), line.signal)]
    if line.lag is not None:
        found.append((lag_of(line.number), line.lag))
    return found


def line_crossings(lines: tuple[DelayLine, ...], first: int) -> list[Crossing]:
    """Watch the breaks around the piece in use; `first` crossings are there already."""
    result: list[Crossing] = []
    for line in lines:
        if line.lag is None:
            continue
        point = point_of(line)
        breaks = [next_break_of(line.number)]
        if line.is_variable:
            breaks.append(last_break_of(line.number))
        for at in breaks:
            status = status_of(first + len(result) + 1)
            result.append(
                Crossing(
                    status,
                    point,
                    at,
                    f"{line.text} meets a break of its signal",
                    not line.is_variable,
                    line.span,
                    f"time - {_in_sum(line.lag)} - (break of {_in_sum(line.signal)})",
                    is_watch=True,
                )
            )
    return result


def _in_sum(expr: Expr) -> str:
    return text_of(expr) if isinstance(expr, Var | Real | Integer) else f"({text_of(expr)})"


def readable(expr: Expr, lines: Sequence[DelayLine]) -> Expr:
    """With `delay(..)` as the modeller wrote it."""

    def visit(node: Expr) -> Expr | None:
        if not isinstance(node, Call) or node.function != "history":
            return None
        line = lines[node.args[1].data - 1]
        assert line.lag is not None
        return Call("delay", readable(line.signal, lines), line.lag)

    return replace(expr, visit)


def text_of(expr: Expr) -> str:
    return show(expr, name_text=show_atom)
