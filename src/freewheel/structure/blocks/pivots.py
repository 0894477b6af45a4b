"""Parameters that must not become zero in the form the equations were solved in.

    u = R*i  solved for i        R        i = u/R divides by it
    a loop of R1*i, R2*i, ...    R1, R2   entries of its matrix: a zero may ask for other states
    (a - b)*x = y                a - b    a sum of products
    x = y + k*z                  k        with k = 0 one variable stands for x and y
    f(L)*x = y                   L        a guess: zeros of functions are not looked for

In come the solved blocks, out come sums of products of parameters. A run that makes one of them zero, or
one that was zero something else, takes another form: the model is translated with these values. An
implicit core is not concerned: index, states and pivots of its modes are found from numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from freewheel.formula import build
from freewheel.formula.nodes import Binary, Call, Expr, If, Integer, Real, Unary, Var
from freewheel.formula.walk import nodes_of, substitute, variables_in
from freewheel.structure.atoms import is_der
from freewheel.structure.nodes import Pivot, ScalarEquation, Solved, Sorted
from freewheel.structure.values import ParameterValues

Product = tuple[float, tuple[Var, ...]]


def pivots_of(
    written: Sequence[ScalarEquation],
    simulation: Sorted,
    others: Sequence[Sorted | None],
    values: ParameterValues,
) -> tuple[Pivot, ...]:
    """Of all systems of a model, each once; `written` are its equations before any is differentiated."""
    coefficients: dict[Expr, None] = dict.fromkeys(_of_ties(written, values))
    for system in (simulation, *others):
        for block in () if system is None else system.blocks:
            coefficients.update(dict.fromkeys(block.divisors))
    given = {block.target: block.value for block in simulation.blocks if isinstance(block, Solved)}
    return tuple(dict.fromkeys(p for c in coefficients for p in _factors(c, given, values)))


def _of_ties(equations: Sequence[ScalarEquation], values: ParameterValues) -> Iterator[Expr]:
    """Factors of unknowns in equations without rates."""
    for equation in equations:
        inside = variables_in(equation.left, equation.right)
        if any(map(is_der, inside)):
            continue
        moving = {var for var in inside if values.number(var) is None}
        if len(moving) in (0, len(inside)):
            continue
        for node in nodes_of(equation.left, equation.right):
            if isinstance(node, Binary) and node.op == "*":
                for factor, other in (node.args, node.args[::-1]):
                    if not moving.isdisjoint(variables_in(other)):
                        yield factor


def _factors(expr: Expr, given: Mapping[Var, Expr], values: ParameterValues) -> Iterator[Pivot]:
    """The factors that are parameter expressions; a product is zero where one of them is. Factors that are
    variables are looked up in `given`, where each needs only what comes before it."""
    stack = [expr]
    while stack:
        node = stack.pop()
        if isinstance(node, Var):
            if values.number(node) is not None:
                yield ((1.0, (node,)),)
            elif node in given:
                stack.append(given[node])
        elif isinstance(node, Unary) and node.op == "-":
            stack.append(node.args[0])
        elif isinstance(node, Binary) and node.op == "*":
            stack.extend(node.args)
        elif isinstance(node, Binary) and node.op in ("/", "^"):
            stack.append(node.left)
        elif isinstance(node, Binary) and node.op in ("+", "-"):
            inner: dict[Expr, Expr] = {v: given[v] for v in variables_in(node) if v in given}
            yield from _sums(substitute(node, inner) if inner else node, values)
        elif isinstance(node, If | Call):
            # `sin(L)`, `max(L, 0)`, `if L > 0 then L else 0`: zero most likely where a part of it is.
            stack.extend(node.args[1:] if isinstance(node, If) else node.args)


def _sums(expr: Expr, values: ParameterValues) -> Iterator[Pivot]:
    if all(values.number(var) is not None for var in variables_in(expr)):
        products = _products(expr)
        if products is not None:
            yield tuple(products)


def _products(expr: Expr) -> list[Product] | None:
    """A polynomial, multiplied out; None where it is none."""
    if isinstance(expr, Var):
        return [(1.0, (expr,))]
    if isinstance(expr, Real | Integer):
        return [(float(expr.value), ())]
    if isinstance(expr, Unary) and expr.op == "-":
        return _scaled(_products(expr.args[0]), -1.0)
    if not isinstance(expr, Binary):
        return None
    left, right = _products(expr.left), _products(expr.right)
    if left is None or right is None:
        return None
    if expr.op in ("+", "-"):
        return [*left, *(_scaled(right, 1.0 if expr.op == "+" else -1.0) or ())]
    if expr.op == "*":
        return [(a * b, (*v, *w)) for a, v in left for b, w in right]
    if expr.op == "/" and build.is_number(expr.right) and not build.is_zero(expr.right):
        return _scaled(left, 1.0 / right[0][0])
    return None


def _scaled(products: Iterable[Product] | None, factor: float) -> list[Product] | None:
    return None if products is None else [(factor * a, v) for a, v in products]
