"""States chosen while running: new combinations of variables where the old ones turn bad.

    choices = StateChoices(live)
    choices.choose()               # after `relations`, at a point that counts; the states have new values
    choices.closure                # the same for the time loop

With G the gradient of the constraints, the states become coordinates along which the variables are
free to move: single variables where these lie well, those of higher rank (StateSelect) as long as they
serve, else along an orthonormal base of the null space of G. The variables themselves do not change, so
nothing is lost; see structure/index/dynamic_states.py for what is watched.

The base comes from Householder's factorisation of the transposed gradient (Golub, Van Loan, Matrix
Computations, 5.2), the variables that lie well from modified Gram and Schmidt with column pivoting.
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
from freewheel.runtime.thresholds import LARGEST

if TYPE_CHECKING:
    from freewheel.base.slots import ChoiceSlots
    from freewheel.runtime.live import LiveModel

MAX_DETERMINANT = 3  # constraints: up to here a determinant is watched, beyond it a matrix
GOOD = 0.8  # product of cosines from which single variables are states
SERVES = 0.6  # likewise of those that the modeller prefers: they are given up at 0.5
TIED = 1e-9  # squares of lengths that differ by less are one: ties go to the first


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
    triangle: Floats = array("constraints * constraints")
    reflector: Floats = array("size * constraints")
    left: Floats = array("size * size")
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
    """The gradient with rows of length one; 1: it is not finite, and whoever asks next will find out why."""
    n = choice.size
    for i in range(choice.constraints):
        total = 0.0
        for j in range(n):
            value = m[choice.gradient_slots[i * n + j]]
            if not abs(value) <= LARGEST:
                return 1
            choice.rows[i * n + j] = value
            total += value * value
        length = sqrt(total)
        if length > 0.0:
            for j in range(n):
                choice.rows[i * n + j] /= length
    return 0


@state_choice.kernel
def reflect(n: Int, first: Int, v: Floats, row: Floats) -> None:
    """row -= 2 v (v . row), entries from `first` on; v has length one there, or is zero."""
    total = 0.0
    for k in range(first, n):
        total += v[k] * row[k]
    for k in range(first, n):
        row[k] -= 2.0 * total * v[k]


@state_choice.kernel
def factorise(choice: ChoiceOfStates) -> None:
    """rows = triangle' * (first rows of base); the other rows of the base are along the constraints."""
    n = choice.size
    c = choice.constraints
    work = choice.left
    for i in range(c):
        for j in range(n):
            work[i * n + j] = choice.rows[i * n + j]
    for i in range(c):
        v = choice.reflector[i * n :]
        row = work[i * n :]
        total = 0.0
        for k in range(i, n):
            total += row[k] * row[k]
        length = sqrt(total)
        signed = -length if row[i] >= 0.0 else length
        for k in range(n):
            v[k] = row[k] if k >= i else 0.0
        v[i] -= signed
        total = 0.0
        for k in range(i, n):
            total += v[k] * v[k]
        for k in range(i, n):
            v[k] = v[k] / sqrt(total) if total > 0.0 else 0.0
        for other in range(i, c):
            reflect(n, i, v, work[other * n :])
    for i in range(c):
        for j in range(c):
            choice.triangle[j * c + i] = work[i * n + j] if j <= i else 0.0
    for j in range(n):  # columns of the orthogonal factor
        row = choice.base[j * n :]
        for k in range(n):
            row[k] = 1.0 if k == j else 0.0
        for back in range(c):
            i = c - 1 - back
            reflect(n, i, choice.reflector[i * n :], row)


@state_choice.kernel
def most_free(choice: ChoiceOfStates, by_rank: Int) -> Float:
    """Mark as many variables as there are directions, each time the one that moves most apart from the
    others, `by_rank` only where ranks are equal; the size of their determinant."""
    n = choice.size
    c = choice.constraints
    f = n - c
    left = choice.left
    determinant = 1.0
    for k in range(f * n):
        left[k] = choice.base[c * n + k]
    for j in range(n):
        choice.is_free[j] = 0
    for _ in range(f):
        best = -1
        largest = 0.0
        for j in range(n):
            total = 0.0
            for i in range(f):
                total += left[i * n + j] * left[i * n + j]
            if choice.is_free[j] == 0:
                higher = 0 if best < 0 else by_rank * (choice.ranks[j] - choice.ranks[best])
                if best < 0 or higher > 0 or (higher == 0 and total > largest + TIED):
                    best = j
                    largest = total
        choice.is_free[best] = 1
        length = sqrt(largest)
        determinant *= length
        if length > 0.0:
            project_out(n, f, left, best, length)
    return determinant


@state_choice.kernel
def project_out(n: Int, f: Int, left: Floats, column: Int, length: Float) -> None:
    """left -= d (d' left), with the direction d of one column."""
    for j in range(n):
        if j != column:
            total = 0.0
            for i in range(f):
                total += left[i * n + column] * left[i * n + j]
            total /= length * length
            for i in range(f):
                left[i * n + j] -= total * left[i * n + column]
    for i in range(f):
        left[i * n + column] = 0.0


@state_choice.kernel
def take_single_variables(choice: ChoiceOfStates) -> None:
    """The base becomes one of unit vectors: first those that are not free."""
    n = choice.size
    for k in range(n * n):
        choice.base[k] = 0.0
    row = 0
    for j in range(n):
        if choice.is_free[j] == 0:
            choice.base[row * n + j] = 1.0
            row += 1
    for j in range(n):
        if choice.is_free[j] == 1:
            choice.base[row * n + j] = 1.0
            row += 1


@state_choice.kernel
def begins_negative(choice: ChoiceOfStates) -> Int:
    """Sign of the determinant of the gradient across the constraints."""
    n = choice.size
    c = choice.constraints
    for i in range(c):
        for j in range(c):
            total = 0.0
            for k in range(n):
                total += choice.rows[i * n + k] * choice.base[j * n + k]
            choice.square[i * c + j] = total
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
def has_ranks(choice: ChoiceOfStates) -> Int:
    """1: some variables had better be states than others."""
    for j in range(1, choice.size):
        if choice.ranks[j] != choice.ranks[0]:
            return 1
    return 0


@state_choice.kernel
def find_base(choice: ChoiceOfStates) -> None:
    """What is watched, then the states in terms of the variables, as rows of the base."""
    n = choice.size
    factorise(choice)
    if choice.constraints > MAX_DETERMINANT:
        watch_matrix(choice)
        return
    if (most_free(choice, 1) >= SERVES and has_ranks(choice) == 1) or most_free(choice, 0) >= GOOD:
        take_single_variables(choice)
    if begins_negative(choice) == 1:  # what is watched begins positive
        for k in range(n):
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


# ---------------------------------------------------------------- as Python sees it


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
