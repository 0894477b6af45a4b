"""Linear loops of any size in formulas with names: values, growth, what has no such form."""

from __future__ import annotations

import random
from itertools import count

import numpy as np
import pytest

from freewheel.flat.nodes import Variability
from freewheel.formula import build
from freewheel.formula.evaluate import evaluate
from freewheel.formula.nodes import Expr, Integer, Real, Var
from freewheel.formula.types import REAL
from freewheel.formula.walk import size
from freewheel.listing.equations.elimination import eliminated_form
from freewheel.listing.equations.subexpressions import shared
from freewheel.structure.nodes import ScalarEquation, ScalarVariable
from freewheel.structure.values import ParameterValues


def names():
    numbers = count(101)
    return lambda: Var((f"Q{next(numbers)}",))


def parameters(numbers):
    """Numbers by name as parameters of a model; `s..` are no parameters."""
    return ParameterValues(
        {
            name: ScalarVariable(name, REAL, Variability.PARAMETER, binding=Real(value))
            for name, value in numbers.items()
            if not name[0].startswith("s")
        },
        (),
    )


def equations_of(entries, n):
    unknowns = [Var((f"x{k}",)) for k in range(n)]
    return [
        ScalarEquation(
            build.total(
                [build.mul(entries[r, c], unknowns[c]) for c in range(n) if (r, c) in entries]
            ),
            Var((f"b{r}",)),
        )
        for r in range(n)
    ], unknowns


def solved(entries, numbers, n):
    equations, unknowns = equations_of(entries, n)
    return eliminated_form(equations, unknowns, lambda atom: 0, parameters(numbers), names())


def values_of(form, numbers, n):
    """The formulas evaluated one after the other."""
    known = dict(numbers)
    for var, value in (*form.names, *form.values):
        known[var.name] = evaluate(value, known.__getitem__)
    return [known[f"x{k}",] for k in range(n)]


def drawn(source, n, switches):
    """(coefficients, numbers) of a sparse system; some are 1, some of `switches` rows no parameters."""
    entries: dict[tuple[int, int], Expr] = {}
    numbers: dict[tuple[str], float] = {}
    for row in range(n):
        for column in {row, (row + 1) % n, source.randrange(n)}:
            name = (f"{'s' if row < switches else 'a'}{row}_{column}",)
            numbers[name] = source.uniform(0.5, 2.0)
            entries[row, column] = Integer(1) if source.random() < 0.4 else Var(name)
        numbers[f"b{row}",] = source.uniform(-1.0, 1.0)
    return entries, numbers


@pytest.mark.parametrize(("most", "switches"), [(4, 0), (4, 2), (15, 0), (15, 3), (60, 1)])
def test_formulas_have_the_values_that_elimination_with_numbers_gives(most, switches):
    source, count_solved = random.Random(most + switches), 0
    for _ in range(30):
        n = source.randint(most // 2, most)
        entries, numbers = drawn(source, n, switches)
        matrix = np.zeros((n, n))
        for (row, column), entry in entries.items():
            matrix[row, column] = evaluate(entry, numbers.__getitem__)
        if np.linalg.cond(matrix) > 1e4:
            continue
        form = solved(entries, numbers, n)
        if form is not None:
            count_solved += 1
            right = [numbers[f"b{r}",] for r in range(n)]
            assert np.allclose(
                values_of(form, numbers, n), np.linalg.solve(matrix, right), rtol=1e-6
            )
    assert count_solved >= (1 if most == 60 else 8)


def ladder(n):
    """Conductances a[k] in series, each node with 1 to ground: sums on the diagonal."""
    entries: dict[tuple[int, int], Expr] = {}
    numbers: dict[tuple[str], float] = {("a0",): 3.0}
    for row in range(n):
        numbers[f"b{row}",], numbers[f"a{row + 1}",] = 1.0 + row, 2.0 + row % 3
        before, after = Var((f"a{row}",)), Var((f"a{row + 1}",))
        entries[row, row] = build.total([before, after, Integer(1)])
        if row > 0:
            entries[row, row - 1] = build.neg(before)
        if row < n - 1:
            entries[row, row + 1] = build.neg(after)
    return entries, numbers


def test_a_ladder_grows_in_proportion():
    lengths = {}
    for n in (10, 20, 40, 80, 160):
        form = solved(*ladder(n), n)
        lengths[n] = sum(size(value) for _, value in (*form.names, *form.values))

    assert lengths[20] < 2.3 * lengths[10]
    assert lengths[160] < 18 * lengths[10]


def test_a_singular_loop_has_no_formulas():
    a, b = Var(("a",)), Var(("b",))
    numbers = {("a",): 2.0, ("b",): 3.0, ("b0",): 1.0, ("b1",): 2.0}

    assert solved({(0, 0): a, (0, 1): b, (1, 0): a, (1, 1): b}, numbers, 2) is None


def test_a_parameter_that_is_zero_is_no_divisor():
    """x0 + a*x1 = b0, x0 - x1 = b1 with a = 0."""
    entries = {(0, 0): Var(("c",)), (0, 1): Var(("a",)), (1, 0): Var(("a",)), (1, 1): Var(("c",))}
    numbers = {("a",): 0.0, ("c",): 2.0, ("b0",): 1.0, ("b1",): 2.0}

    assert np.allclose(values_of(solved(entries, numbers, 2), numbers, 2), [0.5, 1.0])


def test_what_formulas_have_in_common_gets_a_name():
    a, b = Var(("a",)), Var(("b",))
    total = build.plus(a, b)
    given, found = shared([build.times(total, a), build.times(total, b), build.neg(a)], names())

    assert given == [(Var(("Q101",)), total)]
    assert found == [build.times(given[0][0], a), build.times(given[0][0], b), build.neg(a)]
