"""What the classic language calls things differently: variables held between events, derivatives.

words_of(hybrid, literals)             variables of which equations ask for `pre(x)`; when-clauses
names_of_derivatives(ordered, first)   der(I0.Va) -> der(C1.Va), if only that was ever written
literals_in(flat)                      6.28318 -> 2*3.14159
"""

from __future__ import annotations

from collections.abc import Mapping

from freewheel.base.names import Name
from freewheel.flat.nodes import Equation, FlatModel
from freewheel.formula import build
from freewheel.formula.nodes import Binary, Expr, Integer, Real, Var
from freewheel.formula.walk import fold, replace, variables_in
from freewheel.structure.atoms import base_of, der_of, is_der, is_pre
from freewheel.structure.nodes import Hybrid, Ordered
from freewheel.structure.show_lines import Words
from freewheel.structure.when_lines import as_when, flags_in, jumps_in, rising


def words_of(hybrid: Hybrid, literals: Mapping[float, Expr]) -> Words:
    """For equations as they stand."""
    flags = flags_in(hybrid.discrete_equations)
    jumps = jumps_in(hybrid.actions, flags)
    jumping = frozenset(jump.target.name for jump in jumps)
    return Words(held_in(hybrid, flags), jumping, flags, literals=literals)


def held_in(hybrid: Hybrid, flags: Mapping[Expr, Expr]) -> frozenset[Name]:
    """`x` of every `pre(x)`, without quantities of our own, and without what only says that a
    condition becomes true, or that a variable keeps its value otherwise."""
    sides: list[Expr] = []
    for equation in (*hybrid.equations, *hybrid.discrete_equations):
        found = as_when(equation.right, equation.left, flags)
        sides += (equation.left, *(found or (equation.right,)))
    variables = variables_in(*(replace(side, rising) for side in sides))
    names = (base_of(var).name for var in variables if is_pre(var))
    return frozenset(name for name in names if not str(name[0]).startswith("$"))


def literals_in(flat: FlatModel) -> Mapping[float, Expr]:
    """Products and quotients of numbers in equations, by their value. Whole values are left out: too
    much else has them."""
    found: dict[float, Expr] = {}

    def visit(node: Expr, parts: tuple[float | None, ...]) -> float | None:
        if isinstance(node, Real | Integer):
            return float(node.value)
        if not isinstance(node, Binary) or node.op not in ("*", "/"):
            return None
        folded = build.binary_of(node.op, *node.args)
        if None in parts or not isinstance(folded, Real):
            return None
        if not folded.value.is_integer():
            found[folded.value] = node
        return folded.value

    memo: dict[Expr, float | None] = {}
    for equation in flat.equations:
        if isinstance(equation, Equation):
            fold(equation.left, visit, memo)
            fold(equation.right, visit, memo)
    return found


def has_plain_derivatives(ordered: Ordered) -> bool:
    """Whether there are derivatives of variables that are no states."""
    states = set(ordered.differential)
    return any(is_der(v) and base_of(v) not in states for v in ordered.chosen.unknowns)


def names_of_derivatives(ordered: Ordered, first: Ordered) -> Mapping[Name, Name]:
    """The classic session differentiates before it eliminates, so a derivative goes by the name of
    a variable in an equation that was differentiated. In: the model with and without aliases."""
    written = {base_of(var) for var in first.chosen.unknowns if is_der(var)}
    others: dict[Var, list[Var]] = {}  # stand-in -> the names that it stands for
    aliases = ordered.hybrid.aliases.aliases
    for variable in ordered.scalar.variables:
        alias = aliases.get(variable.name)
        if alias is not None and alias.stand_in is not None and alias.sign > 0:
            others.setdefault(alias.stand_in, []).append(Var(variable.name))
    found: dict[Name, Name] = {}
    for var in (v for v in ordered.chosen.unknowns if is_der(v)):
        names = [name for name in others.get(base_of(var), ()) if name in written]
        if names and base_of(var) not in written:
            found[var.name] = der_of(names[0]).name
    return found
