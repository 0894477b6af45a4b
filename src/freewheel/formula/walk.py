"""Walks over formulas: each shared node is visited once, and depth costs no Python stack.

In comes an expression, out comes whatever a small function makes of each node from the results of
its children. Everything that looks at or changes formulas is written with these few functions.

    fold(expr, lambda node, parts: 1 + max(parts, default=0))     # nesting depth
    substitute(expr, {Var(("a",)): Real(2.0)})
    variables_in(expr)                                            # in order of first occurrence
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from collections.abc import Iterator as Iterating
from typing import TypeVar

from freewheel.formula.nodes import (
    Call,
    Comprehension,
    Expr,
    If,
    Iterator,
    Reduction,
    Var,
    on_forget,
)

T = TypeVar("T")


def fold(expr: Expr, function: Callable[[Expr, tuple[T, ...]], T], memo: dict[Expr, T]) -> T:
    """Children first: `function(node, results of its children)` for every distinct node.

    `memo` holds the results; hand the same one in again to share work between expressions.
    """
    stack = [expr]
    while stack:
        node = stack[-1]
        if node in memo:
            stack.pop()
            continue
        pending = [child for child in node.args if child not in memo]
        if pending:
            stack.extend(reversed(pending))
            continue
        memo[node] = function(node, tuple([memo[child] for child in node.args]))
        stack.pop()
    return memo[expr]


def fold_parts(
    expr: Expr,
    parts_of: Callable[[Expr], tuple[Expr, ...]],
    function: Callable[[Expr, tuple[T, ...]], T],
    memo: dict[Expr, T],
) -> T:
    """`fold` over other parts than the children, e.g. all terms of a long sum at once."""
    known: dict[Expr, tuple[Expr, ...]] = {}
    stack = [expr]
    while stack:
        node = stack[-1]
        if node in memo:
            stack.pop()
            continue
        if node not in known:
            known[node] = parts_of(node)
        pending = [part for part in known[node] if part not in memo]
        if pending:
            stack.extend(reversed(pending))
            continue
        memo[node] = function(node, tuple([memo[part] for part in known[node]]))
        stack.pop()
    return memo[expr]


def map_bottom_up(
    expr: Expr, function: Callable[[Expr], Expr], memo: dict[Expr, Expr] | None = None
) -> Expr:
    """Rebuild from the leaves up; `function` sees each node with its children already mapped.

    As `fold`, but leaves take no turn on the stack: half of all nodes are leaves, and this is the
    busiest walk of all.
    """
    known = {} if memo is None else memo
    if not expr.args and expr not in known:
        known[expr] = function(expr)
    stack = [] if expr in known else [expr]
    while stack:
        node = stack[-1]
        if node in known:
            stack.pop()
            continue
        depth = len(stack)
        for child in reversed(node.args):
            if child not in known:
                if child.args:
                    stack.append(child)
                else:
                    known[child] = function(child)
        if len(stack) == depth:
            args = node.args
            parts = tuple([known[child] for child in args])
            known[node] = function(node if parts == args else node.with_args(parts))
            stack.pop()
    return known[expr]


def replace(
    expr: Expr,
    function: Callable[[Expr], Expr | None],
    memo: dict[Expr, Expr] | None = None,
) -> Expr:
    """Rebuild from the top down: where `function` answers, the answer stays and nothing below it
    is visited; where it answers `None`, the children are asked."""
    known = {} if memo is None else memo
    stack = [expr]
    while stack:
        node = stack[-1]
        if node in known:
            stack.pop()
            continue
        answer = function(node)
        if answer is None:
            depth = len(stack)
            for child in reversed(node.args):
                if child not in known:
                    if child.args:
                        stack.append(child)
                    else:  # leaves take no turn on the stack
                        known[child] = function(child) or child
            if len(stack) > depth:
                continue
            args = node.args
            parts = tuple([known[child] for child in args])
            answer = node if parts == args else node.with_args(parts)
        known[node] = answer
        stack.pop()
    return known[expr]


def substitute(
    expr: Expr, mapping: Mapping[Expr, Expr], memo: dict[Expr, Expr] | None = None
) -> Expr:
    """Put `mapping[node]` in the place of each node it names; what is put is not searched."""
    return replace(expr, mapping.get, memo)


def bind_iterators(expr: Expr, values: Mapping[str, Expr]) -> Expr:
    """Put values in the place of iterators; an inner iterator of the same name hides them."""

    def visit(node: Expr) -> Expr | None:
        if isinstance(node, Iterator):
            return values.get(node.data)
        hidden = iterator_names(node)
        if hidden and any(name in values for name in hidden):
            rest = {name: value for name, value in values.items() if name not in hidden}
            ranges = tuple(bind_iterators(part, values) for part in node.args[1:])
            return node.with_args((bind_iterators(node.args[0], rest), *ranges))
        return None

    return replace(expr, visit)


def iterator_names(node: Expr) -> tuple[str, ...]:
    """The iterators a node introduces for its body (`args[0]`)."""
    if isinstance(node, Comprehension):
        return node.data
    if isinstance(node, Reduction):
        return node.data[1]
    return ()


def nodes_of(*roots: Expr) -> Iterating[Expr]:
    """Every distinct node once, children before parents, in a fixed order."""
    is_done: dict[Expr, bool] = {}  # of nodes that were met
    stack = list(reversed(roots))
    while stack:
        node = stack.pop()
        done = is_done.get(node)
        if done is None and node.args:
            is_done[node] = False
            stack.append(node)
            stack.extend([child for child in reversed(node.args) if child not in is_done])
        elif not done:
            is_done[node] = True
            yield node


def variables_in(*roots: Expr) -> tuple[Var, ...]:
    """All variables, `time` included, in order of first occurrence."""
    known = _variables.get(roots)
    if known is None:
        known = _variables[roots] = _leaves(roots)
    return known


# Nodes never change, so answers are kept: a dozen passes ask for the same equations.
_variables: dict[tuple[Expr, ...], tuple[Var, ...]] = {}
WIDE = 100  # arguments: such an array is shared by all that is computed from it
on_forget(_variables.clear)


def _leaves(roots: tuple[Expr, ...]) -> tuple[Var, ...]:
    """Variables are leaves: no need to come back to a node after its children."""
    found: dict[Var, None] = {}
    seen: set[Expr] = set()
    stack = list(reversed(roots))
    while stack:
        node = stack.pop()
        args = node.args
        if not args:
            if isinstance(node, Var):
                found[node] = None
        elif len(args) > WIDE and node not in roots:
            found.update(dict.fromkeys(variables_in(node)))
        elif node not in seen:
            seen.add(node)
            stack.extend(args[::-1])
    return tuple(found)


def calls_in(*roots: Expr) -> tuple[Call, ...]:
    """All calls, inner ones before those around them."""
    known = _calls.get(roots)
    if known is None:
        if len(roots) != 1:
            known = tuple(dict.fromkeys(call for root in roots for call in calls_in(root)))
        else:
            known = _calls_below(*roots)
        _calls[roots] = known
    return known


def _calls_below(root: Expr) -> tuple[Call, ...]:
    """Most formulas hold one call or none: only for more their order is looked for."""
    found: dict[Call, None] = {}
    seen: set[Expr] = set()
    stack = [root]
    while stack:
        node = stack.pop()
        if isinstance(node, Call):
            found[node] = None
        if len(node.args) > WIDE and node is not root:
            found.update(dict.fromkeys(calls_in(node)))
        elif node.args and node not in seen:
            seen.add(node)
            stack.extend(node.args)
    if len(found) < 2:
        return tuple(found)
    return tuple(_calls_in_order(root))


def _calls_in_order(root: Expr) -> dict[Call, None]:
    """As `nodes_of`, but what is below wide arrays is asked for once."""
    found: dict[Call, None] = {}
    is_done: dict[Expr, bool] = {}
    stack = [root]
    while stack:
        node = stack.pop()
        done = is_done.get(node)
        if done is None and len(node.args) > WIDE and node is not root:
            is_done[node] = True
            found.update(dict.fromkeys(calls_in(node)))
        elif done is None and node.args:
            is_done[node] = False
            stack.append(node)
            stack.extend(reversed(node.args))
        elif not done:
            is_done[node] = True
            if isinstance(node, Call):
                found[node] = None
    return found


_calls: dict[tuple[Expr, ...], tuple[Call, ...]] = {}
on_forget(_calls.clear)


def has_choices(*roots: Expr) -> bool:
    """Does an `if` occur? Several passes ask that of every equation."""
    for root in roots:
        known = _has_choices.get(root)
        if known is None:
            known = _has_choices[root] = _finds_choice(root)
        if known:
            return True
    return False


def _finds_choice(root: Expr) -> bool:
    seen: set[Expr] = set()
    stack = [root]
    while stack:
        node = stack.pop()
        if isinstance(node, If):
            return True
        args = node.args
        if len(args) > WIDE and node is not root:
            if has_choices(node):
                return True
        elif node not in seen:
            seen.add(node)
            stack += [child for child in args if child.args]
    return False


_has_choices: dict[Expr, bool] = {}
on_forget(_has_choices.clear)


def free_iterators(expr: Expr) -> tuple[str, ...]:
    """Names of iterators used but not introduced in `expr`, sorted."""

    def visit(node: Expr, parts: tuple[frozenset[str], ...]) -> frozenset[str]:
        if isinstance(node, Iterator):
            return frozenset((node.data,))
        hidden = iterator_names(node)
        if hidden:
            return (parts[0] - frozenset(hidden)).union(*parts[1:])
        nothing: frozenset[str] = frozenset()
        return nothing.union(*parts)

    memo: dict[Expr, frozenset[str]] = {}
    free: frozenset[str] = fold(expr, visit, memo)
    return tuple(sorted(free))


def contains(expr: Expr, wanted: Expr | Callable[[Expr], bool]) -> bool:
    """Does a node, or any node of a kind, occur in `expr`?"""
    if isinstance(wanted, Var):
        return wanted in variables_in(expr)
    if isinstance(wanted, Expr):
        return any(node is wanted for node in nodes_of(expr))
    return any(wanted(node) for node in nodes_of(expr))


def size(*roots: Expr) -> int:
    """Number of distinct nodes."""
    return sum(1 for _ in nodes_of(*roots))
