"""Where Newton's method looks first: `min` and `max` of the unknowns of a loop, as declared.

Real p(min = 0)    ->    (0.0, inf)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import inf

from freewheel.base.names import Name
from freewheel.formula.nodes import Expr, Var
from freewheel.formula.walk import variables_in
from freewheel.structure.nodes import ScalarVariable
from freewheel.structure.values import ParameterValues

FAR = 1e30  # bounds beyond it say nothing


def bounds_of(
    unknowns: Sequence[Var], variables: Mapping[Name, ScalarVariable], values: ParameterValues
) -> tuple[tuple[float, float], ...]:
    """(low, high) of each; nothing where none has any."""
    found = [_bounds(variables.get(var.name), values) for var in unknowns]
    return tuple(found) if any(pair != (-inf, inf) for pair in found) else ()


def _bounds(variable: ScalarVariable | None, values: ParameterValues) -> tuple[float, float]:
    if variable is None:
        return -inf, inf
    low, high = (_limit(expr, values) for expr in (variable.minimum, variable.maximum))
    pair = (-inf if low is None else low, inf if high is None else high)
    return pair if pair[0] < pair[1] else (-inf, inf)


def _limit(expr: Expr | None, values: ParameterValues) -> float | None:
    """Numbers only: a parameter may change from run to run."""
    found = None if expr is None or variables_in(expr) else values.number(expr)
    return None if found is None or abs(found) > FAR else found
