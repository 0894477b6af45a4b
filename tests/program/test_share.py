"""Common subexpressions: computed once, and never where they do not exist."""

from __future__ import annotations

from freewheel.formula.nodes import Binary, Call, Expr, If, Integer, Output, Real, Unary, Var
from freewheel.formula.show import show
from freewheel.program.nodes import Act, Assign, SolveNonlinear, Step, slot_var
from freewheel.program.share import share

X, Y = slot_var(1), slot_var(2)
ROOT = Call("sqrt", X)
POSITIVE = Binary(">", X, Real(0.0))


def texts(steps: tuple[Step, ...]) -> list[str]:
    result = []
    for step in steps:
        assert isinstance(step, Assign)
        guard = "" if step.guard is None else f" where {show(step.guard)}"
        result.append(f"{show(step.target)} := {show(step.value)}{guard}")
    return result


def assign(slot: int, value: Expr) -> Assign:
    return Assign(slot_var(slot), value)


def test_an_expression_used_twice_is_computed_once() -> None:
    steps, following = share([assign(3, Binary("*", ROOT, Y)), assign(4, Binary("+", ROOT, Y))])

    assert texts(steps) == ["t[1] := sqrt([1])", "[3] := t[1]*[2]", "[4] := t[1] + [2]"]
    assert following == 2


def test_what_is_used_once_stays_in_place() -> None:
    steps, _ = share([assign(3, Binary("*", ROOT, Y))])

    assert len(steps) == 1


def test_inside_a_branch_it_is_computed_under_its_condition() -> None:
    value = If(POSITIVE, Binary("+", ROOT, Binary("/", Y, ROOT)), Real(0.0))

    steps, _ = share([assign(3, value)])

    assert texts(steps)[0] == "t[1] := sqrt([1]) where [1] > 0.0"


def test_branches_of_different_conditions_share_nothing() -> None:
    other = Binary(">", Y, Real(0.0))
    steps, _ = share([assign(3, If(POSITIVE, ROOT, Y)), assign(4, If(other, ROOT, X))])

    assert all(
        "sqrt" not in text.split(":=")[0] and not text.startswith("t") for text in texts(steps)
    )


def test_an_action_shares_with_the_branches_its_guard_names() -> None:
    other = Binary(">", Y, Real(0.0))
    value = If(POSITIVE, If(other, X, ROOT), Y)
    guard = Binary("and", POSITIVE, Unary("not", other))

    steps, _ = share([assign(3, value), Act("assert", guard, Binary(">", ROOT, Y), None)])

    *before, act = steps
    roots = [text for text in texts(tuple(before)) if "sqrt" in text]
    assert roots == ["t[3] := sqrt([1]) where t[1] and not t[2]"]
    assert isinstance(act, Act)
    assert act.value == Binary(">", Var(("t", 3)), Y)


def test_both_branches_of_one_condition_share() -> None:
    value = If(POSITIVE, Binary("+", ROOT, Y), Binary("-", ROOT, Y))

    steps, _ = share([assign(3, value)])

    assert texts(steps)[0] == "t[1] := sqrt([1])"


def test_a_use_outside_moves_the_temporary_out() -> None:
    inside = If(POSITIVE, Binary("+", ROOT, ROOT), Y)

    steps, _ = share([assign(3, inside), assign(4, ROOT)])

    assert texts(steps)[0] == "t[1] := sqrt([1])"


def test_a_nonlinear_loop_shares_inside_itself() -> None:
    residual = Binary("-", Binary("*", ROOT, ROOT), Y)
    loop = SolveNonlinear((1,), (), (residual,), (0.0,), (1.0,))

    steps, _ = share([assign(3, ROOT), loop])

    assert isinstance(steps[1], SolveNonlinear)
    assert texts(steps[1].inner) == ["t[1] := sqrt([1])"]
    assert texts((steps[0],)) == ["[3] := sqrt([1])"]


def test_a_shared_call_of_a_function_keeps_all_outputs() -> None:

    call = Call(("lib", "f"), X)
    steps, _ = share([assign(3, Output(1, call)), assign(4, Output(2, call))])

    assert isinstance(steps[0], Assign)
    assert steps[0].target == Var(("tuple", 1))


def test_a_deep_sum_needs_no_recursion() -> None:
    total: Expr = X
    for k in range(5_000):
        total = Binary("+", total, Integer(k))

    steps, _ = share([assign(3, total), assign(4, total)])

    assert len(steps) == 3
