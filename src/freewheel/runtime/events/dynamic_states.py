"""Dynamic state selection (dummy derivatives): new states where the old ones become singular.

    choices = StateChoices(live)
    choices.choose()               # after `relations`, at a point that counts; the states have new values
    choices.closure                # the same for the time loop

With G the gradient of the constraints, the states become coordinates of the null space of G: single variables
where these are well conditioned, preferred ones (StateSelect) as long as they serve, else an orthonormal
base. The variables themselves do not change. `structure/index/dynamic_states.py` defines the relation that
asks for this.

Gram-Schmidt (twice, for orthogonality) gives the rows of G as a triangle times orthonormal rows Q. The
Cholesky factor of the projector 1 - Q'Q, with pivoting, is an orthonormal base of the null space, its pivots
are the variables that are most free, and the product of its diagonal is their determinant.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import TYPE_CHECKING

from freewheel.machine.kernel import KernelModule
from freewheel.machine.kernel_nodes import Float, Floats, Int, Ints
from freewheel.machine.memory import Closure, Memory, address_of
from freewheel.machine.records import Records, array, record
from freewheel.runtime.linear.dense_lu import dense_lu, lu_factor
from freewheel.runtime.thresholds import CHOICE, LARGEST

if TYPE_CHECKING:
    from freewheel.base.slots import ChoiceSlots
    from freewheel.runtime.live import LiveModel

MAX_DETERMINANT = 3  # constraints: up to here a determinant is watched, beyond it a matrix


@record
class ChoiceOfStates:
    """For each order of differentiation l: `states[l] = pivots * variables[l]`. Matrices lie by rows."""

    constraints: Int
    size: Int  # variables
    orders: Int
    status_slot: Int  # of the relation that asks for a new choice
    variable_slots: Ints = array("orders * size")
    state_slots: Ints = array("orders * (size - constraints)")
    gradient_slots: Ints = array("constraints * size")
    pivot_slots: Ints = array("(size - constraints) * size")
    normal_slots: Ints = array("constraints * size")
    scales: Floats = array("size")
    ranks: Ints = array("size")
    rows: Floats = array("constraints * size")  # the gradient, rows of length one
    base: Floats = array("size * size")  # rows: across the constraints, then along them
    triangle: Floats = array("constraints * constraints")  # upper
    projector: Floats = array("size * size")
    is_free: Ints = array("size")
    square: Floats = array("constraints * constraints")
    exchanges: Ints = array("size")


@record
class Choices:
    count: Int
    choices: Records[ChoiceOfStates] = array("count")


state_choice = KernelModule("state_choice", dense_lu, exports=("choose_states",))


@state_choice.kernel
def take_rows(m: Floats, choice: ChoiceOfStates) -> Int:
    """The gradient with rows of length one; 1: it is not finite, which the next evaluation reports."""
    n = choice.size
    for i in range(choice.constraints):
        row = choice.rows[i * n :]
        for j in range(n):
            row[j] = m[choice.gradient_slots[i * n + j]]
            if not abs(row[j]) <= LARGEST:
                return 1
        length = sqrt(product(n, row, row))
        if length > 0.0:
            for j in range(n):
                row[j] /= length
    return 0


@state_choice.kernel
def product(n: Int, one: Floats, other: Floats) -> Float:
    total = 0.0
    for k in range(n):
        total += one[k] * other[k]
    return total


@state_choice.kernel
def orthonormalise(choice: ChoiceOfStates) -> None:
    """rows = triangle' * (first rows of base)"""
    n = choice.size
    c = choice.constraints
    for i in range(c):
        row = choice.base[i * n :]
        for k in range(n):
            row[k] = choice.rows[i * n + k]
        for j in range(c):
            choice.triangle[j * c + i] = 0.0
        for _ in range(2):
            for j in range(i):
                other = choice.base[j * n :]
                share = product(n, row, other)
                choice.triangle[j * c + i] += share
                for k in range(n):
                    row[k] -= share * other[k]
        length = sqrt(product(n, row, row))
        choice.triangle[i * c + i] = length
        for k in range(n):
            row[k] = row[k] / length if length > 0.0 else 0.0


@state_choice.kernel
def most_free(choice: ChoiceOfStates, by_rank: Int) -> Float:
    """Pivoted Cholesky factorisation of the projector into the other rows of the base; marks the pivots in
    `is_free`, `by_rank` only among variables of the highest rank, and returns their determinant."""
    n = choice.size
    c = choice.constraints
    left = choice.projector
    determinant = 1.0
    for j in range(n):
        choice.is_free[j] = 0
        for k in range(n):
            left[j * n + k] = 1.0 if j == k else 0.0
            for i in range(c):
                left[j * n + k] -= choice.base[i * n + j] * choice.base[i * n + k]
    for i in range(c, n):
        best = -1
        for j in range(n):
            if choice.is_free[j] == 0:
                higher = 0 if best < 0 else by_rank * (choice.ranks[j] - choice.ranks[best])
                is_more = best < 0 or left[j * n + j] > left[best * n + best] + CHOICE.tied
                if best < 0 or higher > 0 or (higher == 0 and is_more):
                    best = j
        choice.is_free[best] = 1
        length = sqrt(max(left[best * n + best], 0.0))
        determinant *= length
        row = choice.base[i * n :]
        for j in range(n):
            row[j] = left[best * n + j] / length if length > 0.0 else 0.0
        for j in range(n):
            for k in range(n):
                left[j * n + k] -= row[j] * row[k]
    return determinant


@state_choice.kernel
def take_single_variables(choice: ChoiceOfStates) -> None:
    """The base becomes one of unit vectors: first those that are not free."""
    n = choice.size
    row = 0
    for is_free in range(2):
        for j in range(n):
            if choice.is_free[j] == is_free:
                for k in range(n):
                    choice.base[row * n + k] = 1.0 if k == j else 0.0
                row += 1


@state_choice.kernel
def begins_negative(choice: ChoiceOfStates) -> Int:
    """Sign of the determinant of the gradient across the constraints."""
    n = choice.size
    c = choice.constraints
    for i in range(c):
        for j in range(c):
            choice.square[i * c + j] = product(n, choice.rows[i * n :], choice.base[j * n :])
    if lu_factor(c, choice.square, choice.exchanges) != 0:
        return 0
    negative = 0
    for k in range(c):
        if choice.exchanges[k] != k:
            negative = 1 - negative
        if choice.square[k * c + k] < 0.0:
            negative = 1 - negative
    return negative


@state_choice.kernel
def watch_matrix(choice: ChoiceOfStates) -> None:
    """The first rows of the base become those of the transposed pseudo-inverse of the gradient."""
    n = choice.size
    c = choice.constraints
    for back in range(c):
        i = c - 1 - back
        pivot = choice.triangle[i * c + i]
        for k in range(n):
            total = choice.base[i * n + k]
            for j in range(i + 1, c):
                total -= choice.triangle[i * c + j] * choice.base[j * n + k]
            choice.base[i * n + k] = total / pivot if pivot != 0.0 else 0.0


@state_choice.kernel
def find_base(choice: ChoiceOfStates) -> None:
    """What is watched, then the states in terms of the variables, as rows of the base."""
    has_ranks = 0
    for j in range(1, choice.size):
        if choice.ranks[j] != choice.ranks[0]:
            has_ranks = 1
    orthonormalise(choice)
    if choice.constraints > MAX_DETERMINANT:
        most_free(choice, 0)
        watch_matrix(choice)
        return
    if (has_ranks == 1 and most_free(choice, 1) >= CHOICE.serves) or most_free(
        choice, 0
    ) >= CHOICE.good:
        take_single_variables(choice)
    if begins_negative(choice) == 1:  # what is watched begins positive
        for k in range(choice.size):
            choice.base[k] = -choice.base[k]


@state_choice.kernel
def choose(m: Floats, choice: ChoiceOfStates) -> None:
    if take_rows(m, choice) != 0:
        return
    find_base(choice)
    n = choice.size
    c = choice.constraints
    f = n - c
    for k in range(c * n):
        m[choice.normal_slots[k]] = choice.base[k]
    for i in range(f):
        for j in range(n):
            m[choice.pivot_slots[i * n + j]] = choice.base[(c + i) * n + j] / choice.scales[j]
    for order in range(choice.orders):
        for i in range(f):
            total = 0.0
            for j in range(n):
                total += m[choice.pivot_slots[i * n + j]] * m[choice.variable_slots[order * n + j]]
            m[choice.state_slots[order * f + i]] = total
    m[choice.status_slot] = 1.0


@state_choice.kernel
def choose_states(m: Floats, choices: Choices) -> Int:
    for k in range(choices.count):
        choose(m, choices.choices[k])
    return 0


# ---------------------------------------------------------------- allocation


class StateChoices:
    def __init__(self, live: LiveModel) -> None:
        self._live = live
        self.record = allocated(live.records, live.model.choices)
        self.closure = Closure(self.record, state_choice.address("choose_states"), choose_states)
        self._choose = state_choice.callable("choose_states")

    def choose(self) -> None:
        self._choose(self._live.address, address_of(self.record))


def allocated(memory: Memory, choices: Sequence[ChoiceSlots]) -> Choices:
    record = memory.new(Choices, count=len(choices))
    for number, choice in enumerate(choices):
        place = record.choices[number]
        memory.lay_out(
            place,
            constraints=len(choice.gradient),
            size=len(choice.scales),
            orders=len(choice.variables),
        )
        place.status_slot = choice.status
        place.scales[:] = choice.scales
        place.ranks[:] = choice.ranks
        for places, slots in (
            (place.variable_slots, choice.variables),
            (place.state_slots, choice.states),
            (place.gradient_slots, choice.gradient),
            (place.pivot_slots, choice.pivots),
            (place.normal_slots, choice.normals),
        ):
            places[:] = [slot for row in slots for slot in row]
    return record
