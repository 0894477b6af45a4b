"""The record of the time loop (`loop/memory.py`), allocated for a model and a method.

    space = Workspace(problem.size, relations=3, slots=[...])
    space.use(METHODS["rodas4"], sparsity)
    space.loop.steps, space.loop.y

Matrices are allocated only for methods that need them; sparse factors can grow.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from freewheel.machine.memory import Memory, address_of
from freewheel.runtime.events.polynomial_zeros import CHAIN, POLYNOMIAL
from freewheel.runtime.integrators.problem import Sparsity
from freewheel.runtime.integrators.registry import CompiledMethod
from freewheel.runtime.loop.memory import Loop

if TYPE_CHECKING:
    from freewheel.runtime.linear.elimination_plan import Integers, Pattern

SPACE = 2  # times the fill of the order without pivoting


class Workspace:
    def __init__(
        self,
        n: int,
        relations: int,
        slots: Sequence[int] | Integers,
        checked: bool = False,
        memory: Memory | None = None,
        **lengths: int,
    ) -> None:
        """`checked`: arrays refuse subscripts outside, for kernels run by CPython. `memory`: where records
        lie that the loop refers to. `lengths`: of arrays that are known to be needed."""
        self.n = n
        self.memory = memory if memory is not None else Memory(checked)
        self.loop: Loop = self.memory.new(
            Loop,
            n=n,
            relation_count=relations,
            row_width=len(slots),
            stored_slots=slots,
            awake_slot=-1,
            pause_at=np.inf,
            chain_size=POLYNOMIAL + CHAIN,
            **lengths,
        )
        self.address = address_of(self.loop)
        self.has_matrix = False
        self.has_complex = False
        self.fill = 0

    @classmethod
    def found(cls, n: int, memory: Memory) -> Workspace:
        """In a memory that begins with what another run has laid out."""
        space = cls.__new__(cls)
        space.n, space.memory, space.loop = n, memory, memory.first(Loop)
        space.address = address_of(space.loop)
        loop = space.loop
        space.has_matrix, space.fill = loop.column_count > 0, loop.lu_space
        space.has_complex = loop.dense_rows_complex > 0 or loop.lu_space_complex > 0
        return space

    def resize(self, **lengths: int) -> None:
        """Arrays whose lengths these fields are get elements."""
        self.memory.resize(self.loop, **lengths)

    # ------------------------------------------------------------ methods

    def use(
        self,
        method: CompiledMethod,
        sparsity: Sparsity | None,
        pattern: Pattern | None = None,
    ) -> None:
        """Make room for a method. `pattern` is that of a Jacobian the model itself computes."""
        self.loop.error_order = method.order
        self.loop.is_weak = int(method.is_weak)
        if method.tableau is not None:
            numbers = method.tableau.numbers
            self.loop.stages = len(method.tableau.c)
            self.resize(tableau_size=len(numbers))
            np.asarray(self.loop.tableau)[:] = numbers
        if method.is_implicit and not self.has_matrix:
            self._matrix(sparsity, pattern)
        if method.is_complex and not self.has_complex:
            self._complex()

    def _matrix(self, sparsity: Sparsity | None, pattern: Pattern | None) -> None:
        from freewheel.runtime.linear.elimination_plan import plan_of

        loop, n = self.loop, self.n
        plan = plan_of(n, sparsity, pattern)
        self.has_matrix = True
        places = () if plan.places is None else plan.places
        is_sparse = plan.order is not None
        self.resize(
            column_count=n,
            nonzeros=len(plan.rows),
            groups=len(plan.group_starts) - 1,
            model_nonzeros=len(places),
            dense_rows=0 if is_sparse else n,
            sparse_columns=n if is_sparse else 0,
        )
        self.memory.fill(
            loop,
            {
                "column_starts": plan.starts,
                "row_numbers": plan.rows,
                "group_starts": plan.group_starts,
                "group_columns": plan.group_columns,
                "jacobian_map": places,
            },
        )
        loop.is_analytic = int(plan.places is not None)
        loop.is_sparse = int(is_sparse)
        if plan.order is None:
            return
        self.fill = SPACE * plan.fill + 2 * n
        np.asarray(loop.column_order)[:] = plan.order
        self._factors()

    def _factors(self) -> None:
        self.loop.have_symbolic = 0
        self.loop.have_factors = 0
        self.resize(lu_space=self.fill)
        if self.has_complex:
            self._complex()

    def _complex(self) -> None:
        self.has_complex = True
        if self.loop.is_sparse == 0:
            self.resize(dense_rows_complex=self.n)
        else:
            self.resize(lu_space_complex=self.fill)

    def grow_factors(self) -> None:
        """Twice the space for sparse factors; the old ones are left behind."""
        self.fill *= 2
        self.loop.failed_section = 0
        self._factors()
