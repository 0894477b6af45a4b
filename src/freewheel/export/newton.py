"""A nonlinear loop as plain statements: Newton's method with differences, damped.

    x: 0 = x + exp(x) - a        repeat: r, its slope by a small step, x := x - share*r/slope

All languages with loops get the same iteration, so none needs a library. The unknowns begin with what
they hold, as everywhere in the house, and once more with their start values where that fails. A step that
makes the residuals grow is halved.
"""

from __future__ import annotations

from collections.abc import Sequence

from freewheel.export.nodes import Choose, Leave, Linear, Repeat, Set, Statement, local
from freewheel.formula.nodes import ONE, ZERO, Binary, Call, Expr, Real, Unary, Var
from freewheel.program.nodes import SolveNonlinear, slot_var

ROUNDS, HALVINGS = 60, 20
WIDE = 0.1
HUGE = 1e300
SHARE_OF_SIZE = 1e-7  # step of a difference, beside the size of the unknown
ENOUGH = 1e-11  # last step, beside the size of the unknown
FAILURE = "a nonlinear loop does not converge"


def newton(step: SolveNonlinear, inner: Sequence[Statement], mark: str) -> list[Statement]:
    """`inner` are the assignments of the loop as statements; `mark` makes its locals unique."""
    unknowns = [slot_var(slot) for slot in step.slots]
    count = range(len(unknowns))

    def own(word: str, *places: int) -> Var:
        return local("_".join((f"{word}{mark}", *(str(place + 1) for place in places))))

    def residuals(word: str) -> list[Statement]:
        found = [Set(own(word, k), value) for k, value in enumerate(step.residuals)]
        return [*inner, *found]

    def size(word: str) -> Expr:
        parts = [Call("abs", own(word, k)) for k in count]
        return _sum(parts)

    def column(k: int, share: float) -> list[Statement]:
        """Slopes along one unknown, by a step of this share of its size."""
        width = _larger(Call("abs", own("x", k)), Real(step.nominals[k]), share)
        found: list[Statement] = [Set(own("h", k), width)]
        found.append(Set(unknowns[k], Binary("+", own("x", k), own("h", k))))
        found += residuals("s")
        for row in count:
            slope = Binary("/", Binary("-", own("s", row), own("r", row)), own("h", k))
            found.append(Set(own("j", row, k), slope))
        return found

    # Where the last values lead nowhere the declared start values may: one more attempt from there.
    again: list[Statement] = [
        Set(x, Real(value)) for x, value in zip(unknowns, step.starts, strict=True)
    ]
    again += [Set(own("n"), Real(ROUNDS + 1.0)), *residuals("r")]
    is_lost = Unary("not", Binary("<", size("r"), Real(HUGE)))
    is_late = Binary("==", own("n"), Real(ROUNDS))
    is_first = Binary("<=", own("n"), Real(ROUNDS))
    body: list[Statement] = [Set(own("n"), Binary("+", own("n"), ONE)), *residuals("r")]
    body.append(Choose(((Binary("and", is_first, Binary("or", is_lost, is_late)), tuple(again)),)))
    body.append(Leave(Binary("==", size("r"), ZERO)))
    matrix: list[tuple[int, int, Expr]] = []
    for k in count:
        body.append(Set(own("x", k), unknowns[k]))
        body += column(k, SHARE_OF_SIZE)
        # At a point where nothing moves a wide step tells more: x^3 at zero.
        is_flat = Binary("==", _sum([Call("abs", own("j", row, k)) for row in count]), ZERO)
        body.append(
            Choose(
                (
                    (
                        is_flat,
                        tuple(column(k, WIDE)),
                    ),
                )
            )
        )
        matrix += [(row, k, own("j", row, k)) for row in count]
        body.append(Set(unknowns[k], own("x", k)))
    steps = tuple(own("d", k) for k in count)
    if len(steps) == 1:
        body.append(Set(steps[0], Binary("/", own("r", 0), own("j", 0, 0))))
    else:
        body.append(Linear(steps, tuple(matrix), tuple(own("r", k) for k in count)))
    body.append(Set(own("share"), ONE))
    tries: list[Statement] = [
        Set(unknowns[k], Binary("-", own("x", k), Binary("*", own("share"), steps[k])))
        for k in count
    ]
    tries += residuals("s")
    is_small = Binary("<", own("share"), Real(0.5**HALVINGS * 1.5))
    tries.append(Leave(Binary("or", Binary("<=", size("s"), size("r")), is_small)))
    tries.append(Set(own("share"), Binary("*", own("share"), Real(0.5))))
    body.append(Repeat(HALVINGS + 2, tuple(tries), FAILURE))
    body.append(Leave(_all_small(unknowns, steps, step.nominals)))
    return [Set(own("n"), ZERO), Repeat(2 * ROUNDS, tuple(body), FAILURE), *residuals("r")]


def _all_small(unknowns: Sequence[Var], steps: Sequence[Var], nominals: Sequence[float]) -> Expr:
    result: Expr | None = None
    for unknown, step, nominal in zip(unknowns, steps, nominals, strict=True):
        limit = _larger(Call("abs", unknown), Real(nominal), ENOUGH)
        one = Binary("<=", Call("abs", step), limit)
        result = one if result is None else Binary("and", result, one)
    assert result is not None
    return result


def _larger(left: Expr, right: Expr, factor: float) -> Expr:
    return Binary("*", Real(factor), Call("max", left, right))


def _sum(parts: Sequence[Expr]) -> Expr:
    result = parts[0]
    for part in parts[1:]:
        result = Binary("+", result, part)
    return result
