"""A mode's structure, found when it is first visited: numbers the kernels then use for ever.

In: the matrices of the mode. Out: its record (`switched_dae/memory.py`): index, operator of
the conserving restart, states and how they move, unknowns that nothing determines. Parts of the mode
that have nothing to do with each other are analysed one by one, so that the rounding of one is never
seen in another.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from freewheel.base.diagnostics import Diagnostic, SimulationError
from freewheel.machine.memory import address_of, memory_of
from freewheel.runtime.blas_threads import one_thread
from freewheel.runtime.model import Vector
from freewheel.runtime.switched_dae.consistent_restart import Restart, part_of, restart_of
from freewheel.runtime.switched_dae.equilibration import Balance, Labels, balance
from freewheel.runtime.switched_dae.memory import Mode
from freewheel.runtime.switched_dae.problem import CoreProblem
from freewheel.runtime.switched_dae.round_off import without_round_off
from freewheel.runtime.switched_dae.thresholds import ANALYSIS

FORGOTTEN = {"h_factored": 0.0, "are_good": 0, "by_logic": 0}  # at each analysis


@dataclass(frozen=True, slots=True)
class ModeFacts:
    """What a reader may want to know of a mode."""

    index: int
    states: int
    free: tuple[str, ...]  # unknowns without a value of their own
    contradicting: tuple[str, ...]  # equations that cannot all hold, should their sources differ


@dataclass(frozen=True, slots=True)
class Analysed:
    """Fields of the record of a mode."""

    lengths: dict[str, int]  # of its arrays
    scalars: dict[str, float]
    arrays: dict[str, Vector]
    facts: ModeFacts

    @property
    def numbers(self) -> int:
        return len(self.scalars) + sum(array.size for array in self.arrays.values())


def _values_of_matrices(core: CoreProblem, t: float, y: Vector, slope: Vector) -> Vector:
    """dF/dy, then dF/dy', by rows."""
    values = np.empty(2 * core.size * core.size)
    status = core.jacobians(core.memory, t, y, slope, values)
    if status != 0 or not np.isfinite(values).all():
        raise SimulationError(_without_values(core, t))
    return values


def _without_values(core: CoreProblem, t: float) -> Diagnostic:
    return Diagnostic(
        "R140",
        f"{core.name}: at time {t:.9g} s the equations of the ideal elements cannot be evaluated",
        help="a constraint may have reached a point where its states do not determine it (a pendulum in "
        "Cartesian coordinates does): describe it by other variables, an angle for instance",
    )


def analyse_mode(core: CoreProblem, t: float, y: Vector, slope: Vector, mode: Mode) -> ModeFacts:
    """Fill the record of the mode of the present bits. A linear mode that was met in a run before is
    not analysed again; which of its entries are rounding is a matter of this run, its length and its
    sizes, and is decided first."""
    values = _values_of_matrices(core, t, y, slope)
    np.maximum(core.seen, np.abs(y), out=core.seen)
    cleaned = without_round_off(core, t, y, slope, values)
    found: Analysed | None = core.known.of(cleaned) if core.is_linear else None
    if found is None:
        with one_thread():
            found = _analysed(core, cleaned)
        if core.is_linear:
            core.known.keep(cleaned, found, found.numbers)
    if core.filled.get(address_of(mode)) is not found:
        core.filled[address_of(mode)] = found
        _fill(mode, found)
    for name, number in FORGOTTEN.items():
        setattr(mode, name, number)
    mode.successor[:] = 0
    return found.facts


def _analysed(core: CoreProblem, values: Vector) -> Analysed:
    n = core.size
    A, E = values.reshape(2, n, n)
    units, constant_e, constant_a = _units(core, E, A)
    index, levels, whole = _whole(constant_e, constant_a, units, core.is_linear)
    states, count = whole.states.shape[1], whole.open.shape[1]
    scaled = np.abs(A * units.rows[:, None] * units.columns)
    is_graded = core.is_linear and bool(((scaled > 0.0) & (scaled < ANALYSIS.graded)).any())
    seen, directions, labels = 0, np.zeros((0, n)), np.zeros(n, np.int64)
    if count > 0:
        directions, parts, seen = _open_directions(core, whole.open, units.column_part)
        labels[: len(parts)] = parts
    lengths = {
        "open_count": len(directions),
        "residuals": (levels + 1) * n if core.is_linear else 0,
        "linear_states": states if core.is_linear else 0,
        "factored": states if core.is_linear else n,
    }
    scalars: dict[str, float] = {
        "is_linear": int(core.is_linear),
        "is_singular": int(count > 0),
        "is_graded": int(is_graded),
        "index": index,
        "levels": levels,
        "tau": units.tau,
        "tied": whole.tied.shape[1],
        "states": states,
        "open": seen,
        "unseen": len(directions) - seen,
    }
    arrays = _dynamics(core, A, units, whole) | {
        "matrices": np.vstack([A, E]),
        "weights": np.abs(E).max(axis=0, initial=0.0) > 0.0,
        "level_scale": _level_scale(core, units, levels),
        "column": units.columns,
        "part": units.column_part,
        "row_part": units.row_part,
        "open_part": labels,
        "open_rows": directions * units.columns,
    }
    if not core.is_linear:
        arrays["analysed"] = arrays["matrices"]
    free, tied = _named(core.unknowns, whole.open), _named(core.equations, whole.tied)
    flat = {name: np.ravel(values) for name, values in arrays.items()}
    return Analysed(lengths, scalars, flat, ModeFacts(index, states, free, tied))


def _level_scale(core: CoreProblem, units: Balance, levels: int) -> Vector:
    found = np.zeros((3, core.size))
    for level in range(levels + 1):
        found[level] = units.row_tau**level * units.rows
        if not core.is_linear:  # rates of what only listens follow: nothing is measured by them
            found[level][list(core.listeners)] = 0.0
    return found


def _units(core: CoreProblem, E: Vector, A: Vector) -> tuple[Balance, Vector, Vector]:
    """And the matrices that are analysed. Where all but the rows of listeners is constant, these are
    parts of their own: what they listen to must not decide the units of what holds for ever."""
    if core.is_linear:
        return balance(E, A), E, A
    if core.is_steady:
        listeners = list(core.listeners)
        alone = np.ones(len(A))
        alone[listeners] = 0.0
        own = np.zeros_like(E)
        own[listeners, listeners] = E[listeners, listeners]
        constant_e, constant_a = alone[:, None] * E + own, alone[:, None] * A
        return balance(constant_e, constant_a), constant_e, constant_a
    np.maximum(core.usual, np.abs(A), out=core.usual)
    twofold = [element.unknown for element in core.elements]
    return balance(E, A, core.seen, twofold, core.usual), E, A


def _whole(E: Vector, A: Vector, units: Balance, is_linear: bool) -> tuple[int, int, Restart]:
    """Index, levels of the derivative array, and the restart of all parts together."""
    n = len(A)
    scaled_a = A * units.rows[:, None] * units.columns
    scaled_e = E * (units.rows / units.row_tau)[:, None] * units.columns
    places = [
        (np.flatnonzero(units.row_part == label), np.flatnonzero(units.column_part == label))
        for label in range(int(units.column_part.max(initial=-1)) + 1)
    ]
    parts = [
        part_of(scaled_e[np.ix_(r, c)], scaled_a[np.ix_(r, c)], is_graded=is_linear)
        for r, c in places
    ]
    index = max((part.index for part in parts), default=0)
    levels = min(max(index - 1, 0), ANALYSIS.highest - 1)
    found = [restart_of(part, levels) for part in parts]
    steps = []
    for derivative in range(levels + 2):
        step = np.zeros((n, (levels + 1) * n))
        for (rows, columns), restart in zip(places, found, strict=True):
            wide = np.concatenate([rows + level * n for level in range(levels + 1)])
            step[np.ix_(columns, wide)] = restart.steps[derivative]
        steps.append(step)
    return index, levels, Restart(
        steps,
        _spread(n, [(columns, r.states) for (_, columns), r in zip(places, found, strict=True)]),
        _spread(n, [(columns, r.read.T) for (_, columns), r in zip(places, found, strict=True)]).T,
        _spread(n, [(columns, r.open) for (_, columns), r in zip(places, found, strict=True)]),
        _spread(n, [(rows, r.tied) for (rows, _), r in zip(places, found, strict=True)]),
    )  # fmt: skip


def _spread(n: int, pieces: list[tuple[Labels, Vector]]) -> Vector:
    """Columns of all pieces side by side, each in its own rows."""
    whole = np.zeros((n, sum(piece.shape[1] for _, piece in pieces)))
    first = 0
    for rows, piece in pieces:
        whole[rows, first : first + piece.shape[1]] = piece
        first += piece.shape[1]
    return whole


def _fill(mode: Mode, found: Analysed) -> None:
    """Into the record of the mode."""
    memory_of(mode).resize(mode, **found.lengths)
    for name, number in found.scalars.items():
        setattr(mode, name, number)
    memory_of(mode).fill(mode, found.arrays)


def _dynamics(core: CoreProblem, A: Vector, units: Balance, whole: Restart) -> dict[str, Vector]:
    """In the units of the model: the restart; of a linear mode its states' equations as well."""
    n, levels = core.size, len(whole.steps) - 2
    whole = replace(whole, steps=[_exact(step) for step in whole.steps])
    of_rows = np.concatenate([units.row_tau**level * units.rows for level in range(levels + 1)])
    steps = [
        (units.columns / units.column_tau**derivative)[:, None] * step * of_rows
        for derivative, step in enumerate(whole.steps)
    ]
    states, read = units.columns[:, None] * whole.states, whole.read / units.columns
    if not core.is_linear:
        steps[0][list(core.listeners)] = 0.0  # they never jump, whatever else is open
        operator = np.zeros((4 * n, 3 * n))
        operator[: len(steps) * n, : (levels + 1) * n] = np.vstack(steps)
        gauge = _gauge(whole) / units.rows[:, None] / units.columns
        return {"restart": operator, "gauge": gauge, "projector": states @ read}
    for _ in range(2):  # rank decisions leave a little that is not consistent
        states = states - steps[0][:, :n] @ (A @ states)
    slower = (units.tau / units.column_tau)[:, None]
    rates = _exact(whole.read @ (slower * whole.steps[1])) * (of_rows / units.tau)
    motion = _exact(-units.tau * rates[:, :n] @ A @ states) / units.tau
    return {
        "to_y": steps[0].T,
        "to_slope": steps[1].T,
        "to_states": rates.T,
        "follow": states.T,
        "motion": motion,
    }


def _exact(operator: Vector) -> Vector:
    """In balanced units: what is rounding is nothing, so that what rests does not creep."""
    return np.where(np.abs(operator) < ANALYSIS.round_off, 0.0, operator)


def _gauge(whole: Restart) -> Vector:
    """Added to the matrices of a step: what nothing determines stays where it is."""
    count = min(whole.tied.shape[1], whole.open.shape[1])
    return np.asarray(whole.tied[:, :count] @ whole.open[:, :count].T)


def _open_directions(
    core: CoreProblem, open_: Vector, part_of: Labels
) -> tuple[Vector, list[int], int]:
    """The open directions as rows, with their parts: those that some element of the same part sees, as
    long as the elements see them and at right angles, how many, then the others."""
    places = np.array([element.unknown for element in core.elements], np.int64)
    seen: list[tuple[int, Vector]] = []
    unseen: list[tuple[int, Vector]] = []
    for label in sorted(set(part_of[np.abs(open_).max(axis=1) > 0.0].tolist())):
        inside = np.where((part_of == label)[:, None], open_, 0.0)
        base, sizes, _ = np.linalg.svd(inside, full_matrices=False)
        base = np.where((part_of == label)[:, None], base[:, sizes > ANALYSIS.free], 0.0)
        _, sizes, right = np.linalg.svd(base[places], full_matrices=True)
        rank = int((sizes > ANALYSIS.free).sum())
        seen += [(label, row) for row in (base @ right[:rank].T / sizes[:rank]).T]
        unseen += [(label, row) for row in (base @ right[rank:].T).T]
    both = seen + unseen
    return np.array([row for _, row in both]), [label for label, _ in both], len(seen)


def _named(names: tuple[str, ...], directions: Vector) -> tuple[str, ...]:
    if directions.shape[1] == 0:
        return ()
    return tuple(
        n for n, row in zip(names, directions, strict=True) if np.abs(row).max() > ANALYSIS.regular
    )
