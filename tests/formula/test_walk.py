"""Walks visit shared nodes once and need no Python stack."""

from freewheel.formula.nodes import (
    Array,
    Binary,
    Call,
    Comprehension,
    Expr,
    Integer,
    Iterator,
    Range,
    Real,
    Reduction,
    Unary,
    Var,
)
from freewheel.formula.walk import (
    bind_iterators,
    calls_in,
    contains,
    fold,
    free_iterators,
    map_bottom_up,
    nodes_of,
    replace,
    size,
    substitute,
    variables_in,
)

a, b = Var(("a",)), Var(("b",))


def deep_sum(count: int) -> Expr:
    expr: Expr = a
    for _ in range(count):
        expr = Binary("+", expr, b)
    return expr


def doubled(times: int) -> Expr:
    expr: Expr = a
    for _ in range(times):
        expr = Binary("*", expr, expr)
    return expr


def test_fold_visits_a_shared_node_once() -> None:
    visits: list[Expr] = []

    def count(node: Expr, parts: tuple[int, ...]) -> int:
        visits.append(node)
        return sum(parts) or 1

    assert fold(doubled(100), count, {}) == 2**100
    assert len(visits) == 101


def test_deep_chains_do_not_hit_the_recursion_limit() -> None:
    chain = deep_sum(10_000)
    assert size(chain) == 10_002
    assert variables_in(chain) == (a, b)
    changed = substitute(chain, {a: Real(1.0)})
    assert variables_in(changed) == (b,)
    assert map_bottom_up(chain, lambda node: a if node is b else node) is not chain


def test_map_sees_children_already_mapped() -> None:
    swapped = map_bottom_up(Binary("+", a, Unary("-", b)), lambda n: {a: b, b: a}.get(n, n))
    assert swapped is Binary("+", b, Unary("-", a))


def test_substitution_does_not_search_what_it_put_in() -> None:
    assert substitute(Binary("+", a, b), {a: b, b: a}) is Binary("+", b, a)
    whole = Binary("+", a, b)
    assert substitute(whole, {whole: a, a: b}) is a


def test_replace_keeps_what_nobody_claims() -> None:
    expr = Array(a, Binary("+", a, b))
    assert replace(expr, lambda node: None) is expr
    assert replace(expr, lambda n: Real(0.0) if isinstance(n, Binary) else None) is Array(
        a, Real(0.0)
    )


def test_nodes_come_children_first_and_in_a_fixed_order() -> None:
    expr = Binary("+", b, Binary("*", a, b))
    assert list(nodes_of(expr)) == [b, a, Binary("*", a, b), expr]


def test_contains_by_node_and_by_kind() -> None:
    expr = Binary("+", a, Real(1.0))
    assert contains(expr, a)
    assert not contains(expr, b)
    assert contains(expr, lambda node: isinstance(node, Real))


def test_inner_iterators_hide_outer_ones() -> None:
    i, n = Iterator("i"), Integer(3)
    inner = Reduction("sum", ("i",), i, Range(Integer(1), Integer(1), i))
    expr = Binary("+", i, inner)
    assert free_iterators(expr) == ("i",)
    assert free_iterators(Comprehension(("i",), i, n)) == ()
    bound = bind_iterators(expr, {"i": n})
    assert bound is Binary("+", n, Reduction("sum", ("i",), i, Range(Integer(1), Integer(1), n)))


def test_nothing_holds_no_calls():
    assert calls_in() == ()


def test_calls_come_from_inside_out_also_through_wide_arrays() -> None:
    inner = [Call("sin", Var(("x", k))) for k in range(200)]
    wide = Array(*inner)
    outer = Call("max", wide)
    assert calls_in(Binary("+", outer, wide)) == (*inner, outer)
    assert calls_in(Binary("+", a, Array(*[b] * 200))) == ()
