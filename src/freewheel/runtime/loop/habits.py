"""What the runs of a model have needed so far: room for rows and notes, steps between two breaths.

    habits = habits_of(model)
    rows = np.empty((habits.rows, width))

The next run begins with as much. Each time that the loop comes back to Python for more room it waits for the
lock of Python, which another run may have. No result depends on it: rows, notes and steps are the same
whatever room there was.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from freewheel.runtime.model import CompiledModel, once

FIRST_ROWS = 1024
FIRST_SIZES = 1024
FIRST_NUMBERS = 4096  # of the event log
FIRST_BUDGET = (
    100  # steps of a small model; those of a large one take as long as factors of its matrix
)
SMALL = 60  # states
MOST_KEPT = 4_000_000  # numbers, 32 MB: the system gives memory when it is written to


@dataclass(slots=True)
class Habits:
    rows: int
    sizes: int  # of steps
    numbers: int
    first_budget: int  # steps
    budgets: dict[str, int] = field(default_factory=dict)  # by method, whose steps differ in cost

    def budget(self, method: str) -> int:
        return self.budgets.get(method, self.first_budget)

    def saw_rows(self, count: int, width: int) -> None:
        if count * width <= MOST_KEPT:
            self.rows = max(self.rows, count)

    def saw_sizes(self, count: int) -> None:
        if 2 * count <= MOST_KEPT:
            self.sizes = max(self.sizes, count)

    def saw_numbers(self, count: int) -> None:
        if count <= MOST_KEPT:
            self.numbers = max(self.numbers, count)


def habits_of(model: CompiledModel) -> Habits:
    return once(_new, model)


def _new(model: CompiledModel) -> Habits:
    budget = FIRST_BUDGET / (1.0 + (len(model.states) / SMALL) ** 3)
    return Habits(FIRST_ROWS, FIRST_SIZES, FIRST_NUMBERS, max(1, int(budget)))
