"""The two arrays that all kernels share, laid out for a model and a method.

    space = Workspace(problem, relations=3, slots=[...])
    space.use(METHODS["rodas4"])
    space.w[HEAD:...], space.c[STEPS]

Places are those of `kernels/places.py`. Matrices are laid out only for methods that need them; sparse
factors lie at the end so that they can grow.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from freewheel.runtime.integrate.problem import Sparsity
from freewheel.runtime.kernels import places as at
from freewheel.runtime.kernels.sturm import CHAIN, POLYNOMIAL
from freewheel.runtime.matrix_plan import Integers as Integers
from freewheel.runtime.matrix_plan import Pattern as Pattern
from freewheel.runtime.matrix_plan import plan_of
from freewheel.runtime.methods import CompiledMethod
from freewheel.runtime.model import Vector

SPACE = 2  # times the fill of the order without pivoting


class Workspace:
    def __init__(self, n: int, relations: int, slots: Sequence[int]) -> None:
        self.n = n
        self.c: Integers = np.zeros(at.C_HEAD, dtype=np.int64)
        self.w: Vector = np.zeros(at.HEAD + at.VECTORS * n)
        self.c[at.N], self.c[at.RELATIONS], self.c[at.WIDTH] = n, relations, len(slots)
        self.c[at.AWAKE] = -1
        self._c_address = self._w_address = 0  # unknown
        self.has_matrix = False
        self.has_complex = False
        self.fill = 0
        self.integers(at.AT_SLOTS, slots)
        self.integers(at.AT_WHICH, [0] * (3 * relations))
        self.floats(at.AT_RESIDUALS, at.R_VECTORS * relations)
        self.floats(at.AT_CHAIN, POLYNOMIAL + CHAIN)

    # ------------------------------------------------------------ laying out

    def integers(self, place: int, values: Sequence[int] | Integers) -> None:
        """Append integers and note where they begin."""
        start = len(self.c)
        self.c = np.concatenate([self.c, np.asarray(values, dtype=np.int64)])
        self.c[place] = start
        self._c_address = 0

    def floats(self, place: int, count: int) -> None:
        start = len(self.w)
        self.w = np.concatenate([self.w, np.zeros(count)])
        self.c[place] = start
        self._w_address = 0

    # Asking numpy each time would take longer than a step.

    @property
    def c_address(self) -> int:
        if not self._c_address:
            self._c_address = self.c.__array_interface__["data"][0]
        return self._c_address

    @property
    def w_address(self) -> int:
        if not self._w_address:
            self._w_address = self.w.__array_interface__["data"][0]
        return self._w_address

    def vector(self, number: int) -> Vector:
        start = at.HEAD + number * self.n
        return self.w[start : start + self.n]

    def residuals(self, number: int) -> Vector:
        count = int(self.c[at.RELATIONS])
        start = int(self.c[at.AT_RESIDUALS]) + number * count
        return self.w[start : start + count]

    def which(self) -> npt.NDArray[np.bool_]:
        start, count = int(self.c[at.AT_WHICH]), int(self.c[at.RELATIONS])
        return np.asarray(self.c[start : start + count] == 1)

    # ------------------------------------------------------------ methods

    def use(
        self,
        method: CompiledMethod,
        sparsity: Sparsity | None,
        pattern: Pattern | None = None,
    ) -> None:
        """Make room for a method. `pattern` is that of a Jacobian the model itself computes."""
        self.c[at.ORDER] = method.order
        self.c[at.WEAK] = int(method.is_weak)
        if method.tableau is not None:
            self._tableau(method)
        if method.is_implicit and not self.has_matrix:
            self._matrix(sparsity, pattern)
        if method.is_complex and not self.has_complex:
            self._complex()

    def _tableau(self, method: CompiledMethod) -> None:
        tableau = method.tableau
        assert tableau is not None
        numbers = tableau.numbers
        self.c[at.STAGES] = len(tableau.c)
        start = int(self.c[at.AT_TABLEAU])
        if start and np.array_equal(self.w[start : start + len(numbers)], numbers):
            return  # methods may take turns
        self.floats(at.AT_TABLEAU, len(numbers))
        self.w[-len(numbers) :] = numbers

    def _matrix(self, sparsity: Sparsity | None, pattern: Pattern | None) -> None:
        n = self.n
        plan = plan_of(n, sparsity, pattern)
        self.has_matrix = True
        self.c[at.NONZEROS] = len(plan.rows)
        self.integers(at.AT_STARTS, plan.starts)
        self.integers(at.AT_ROWS, plan.rows)
        self.floats(at.AT_JACOBIAN, len(plan.rows))
        self.c[at.GROUPS] = len(plan.group_starts) - 1
        self.integers(at.AT_GROUP_STARTS, plan.group_starts)
        self.integers(at.AT_GROUP_COLUMNS, plan.group_columns)
        if plan.places is not None:
            self.c[at.ANALYTIC] = 1
            self.c[at.MODEL_NONZEROS] = len(plan.places)
            self.integers(at.AT_MAP, plan.places)
            self.floats(at.AT_VALUES, len(plan.places))
        if plan.order is not None:
            self._sparse(plan.order, plan.fill)
        else:
            self.integers(at.AT_PIVOTS, _zeros(n))
            self.floats(at.AT_FACTORS, n * n)

    def _sparse(self, order: Integers, fill: int) -> None:
        n = self.n
        self.c[at.SPARSE] = 1
        self.fill = SPACE * fill + 2 * n
        self.integers(at.AT_ORDER, order)
        for place, count in (
            (at.AT_INVERSE, n),
            (at.AT_L_STARTS, n + 1),
            (at.AT_U_STARTS, n + 1),
            (at.AT_SCRATCH, 4 * n),
        ):
            self.integers(place, _zeros(count))
        self.floats(at.AT_SPARSE, 2 * n)
        self._factors()

    def _factors(self) -> None:
        self.c[at.LU_SPACE] = self.fill
        self.c[at.HAVE_SYMBOLIC] = 0
        self.c[at.HAVE_FACTORS] = 0
        for place in (at.AT_L_ROWS, at.AT_U_ROWS):
            self.integers(place, _zeros(self.fill))
        for place in (at.AT_FACTORS, at.AT_U):
            self.floats(place, self.fill)
        if self.has_complex:
            self._complex()

    def _complex(self) -> None:
        self.has_complex = True
        if self.c[at.SPARSE] == 0:
            self.integers(at.AT_PIVOTS_COMPLEX, _zeros(self.n))
            self.floats(at.AT_FACTORS_RE, self.n * self.n)
            self.floats(at.AT_FACTORS_IM, self.n * self.n)
            return
        for place in (at.AT_FACTORS_RE, at.AT_FACTORS_IM, at.AT_U_RE, at.AT_U_IM):
            self.floats(place, self.fill)

    def grow_factors(self) -> None:
        """Twice the space for sparse factors; the old ones are left behind."""
        self.fill *= 2
        self.c[at.FAILED] = 0
        self._factors()


def _zeros(count: int) -> Integers:
    return np.zeros(count, dtype=np.int64)
