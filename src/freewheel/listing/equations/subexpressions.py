"""Names for what formulas have in common, and none for what stands in one place only.

shared((a + b)*c, (a + b)*d)       Q101 = a + b;  Q101*c, Q101*d
inlined(Q101 = a + b; x = Q101*c)  x = (a + b)*c
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence

from freewheel.formula.nodes import Expr, Unary, Var
from freewheel.formula.walk import fold, nodes_of, size, substitute
from freewheel.listing.equations.closed_form import ClosedForm

Given = tuple[Var, Expr]  # a name and its formula
MAX_INLINE = (
    16  # operations and names of a formula that stands where it is used, if that is one place
)


def is_name(expr: Expr) -> bool:
    """Of a variable or a number, perhaps with a sign."""
    if isinstance(expr, Unary) and expr.op == "-":
        (expr,) = expr.args
    return not expr.args


def occurrences(exprs: Iterable[Expr]) -> Counter[Var]:
    """How often each variable is written."""
    found: Counter[Var] = Counter()
    memo: dict[Expr, Mapping[Var, int]] = {}

    def visit(node: Expr, parts: tuple[Mapping[Var, int], ...]) -> Mapping[Var, int]:
        total = Counter([node] if isinstance(node, Var) else [])
        for part in parts:
            total.update(part)
        return total

    for expr in exprs:
        found.update(fold(expr, visit, memo))
    return found


def shared(exprs: Sequence[Expr], new_name: Callable[[], Var]) -> tuple[list[Given], list[Expr]]:
    """(names for what several formulas have in common, the formulas with these names)."""
    users = Counter(part for node in nodes_of(*exprs) for part in node.args)
    users.update(exprs)
    names: list[Given] = []

    def visit(node: Expr, parts: tuple[Expr, ...]) -> Expr:
        made = node.with_args(parts) if parts else node
        if users[node] < 2 or is_name(node):
            return made
        names.append((new_name(), made))
        return names[-1][0]

    memo: dict[Expr, Expr] = {}
    found = [fold(expr, visit, memo) for expr in exprs]
    return names, found


def inlined(names: Sequence[Given], values: Sequence[Given]) -> ClosedForm:
    """Without names that are unused, or used once where their formula is short."""
    uses = occurrences(value for _, value in values)
    needed: list[Given] = []
    for name, value in reversed(names):  # later ones use earlier ones
        if uses[name]:
            needed.append((name, value))
            uses.update(occurrences([value]))
    place: dict[Expr, Expr] = {}
    kept: list[Given] = []
    for name, value in reversed(needed):
        value = substitute(value, place)
        if uses[name] == 1 and size(value) <= MAX_INLINE:
            place[name] = value
        else:
            kept.append((name, value))
    return ClosedForm(tuple(kept), tuple((var, substitute(v, place)) for var, v in values))


def numbered(form: ClosedForm, new_name: Callable[[], Var]) -> ClosedForm:
    new: dict[Expr, Expr] = {}
    names: list[Given] = []
    for name, value in form.names:
        number = new_name()
        names.append((number, substitute(value, new)))
        new[name] = number
    return ClosedForm(tuple(names), tuple((var, substitute(v, new)) for var, v in form.values))
