"""Find statuses that agree with the residuals they cause.

    agree(live, rules, evaluate)    # None: they agree; else the relations that go in circles

Equations that contain relations may have several branches, and only `evaluate` knows what a choice
of statuses leads to. Each way is taken where the one before runs in circles:

1. All statuses follow their residuals at once. Nearly always this settles in a round or two.
2. Only the first one that disagrees follows: the least-index rule, by which Murty's pivoting
   settles complementarity problems among coupled switches.
3. `otherwise`, if given: values with memory move on too, see `iterate.py`.
4. All choices for the few relations involved are tried, the nearest to the old one first. A
   Schmitt trigger needs this: its middle branch only leads back to the one that ceased to exist.
   Beyond the fold of a curve it finds the next branch that has a solution. A residual of exactly
   zero puts its relation on the corner between two branches.

If all fail, residuals that are zero but for rounding are forgiven.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import combinations, islice

import numpy as np

from freewheel.base.diagnostics import SimulationError
from freewheel.result.events import FOLLOWED, ITERATED
from freewheel.runtime.event.calendar import TIED
from freewheel.runtime.event.detect import Mask, changed
from freewheel.runtime.event.log import EventLog
from freewheel.runtime.kernels.follow import ENDED
from freewheel.runtime.live import LiveModel
from freewheel.runtime.model import FINE, Vector

UNSEEN = 1e-30  # the residual of a relation that matters to nobody now
MOST_CHOICES = 256  # 8 relations; of more relations, those that change only a few
FORGIVEN = (1e-13, 1e-11, 1e-9)  # of the size of a residual


@dataclass(frozen=True, slots=True)
class Rules:
    """How statuses follow residuals."""

    bands: Vector  # see `detect.changed`
    sizes: Vector  # how large each residual has been
    rises: Vector  # slopes of residuals of time alone, of others 0; reached zeros are passed
    limit: int  # of rounds
    log: EventLog | None = None


def disagreeing(live: LiveModel, rules: Rules) -> tuple[Mask, Vector]:
    """Which statuses the residuals in memory contradict, and the statuses they ask for."""
    residuals = live.memory[live.residual_slots]
    is_reached = np.abs(residuals) <= TIED * abs(live.time) * np.abs(rules.rises)
    residuals = np.where(is_reached, rules.rises, residuals)
    return changed(live.memory[live.statuses], residuals, rules.bands), np.sign(residuals)


def follow(live: LiveModel, rules: Rules, one_only: bool = False) -> Mask:
    """Set statuses by the residuals in memory; which ones changed."""
    mask, wanted = disagreeing(live, rules)
    if one_only and mask.any():
        first = int(np.argmax(mask))
        mask[:] = False
        mask[first] = True
    live.memory[live.statuses[mask]] = wanted[mask]
    return mask


def note_followers(live: LiveModel, rules: Rules, mask: Mask) -> None:
    """Into the event log: these changed, so the equations are evaluated again."""
    if rules.log is not None and mask.any():
        for i in np.flatnonzero(mask):
            residual = float(live.memory[live.residual_slots[i]])
            if abs(residual) != UNSEEN:
                rules.log.note(FOLLOWED, int(i), residual)
        rules.log.note(ITERATED)


def agree(
    live: LiveModel,
    rules: Rules,
    evaluate: Callable[[], None],
    otherwise: Callable[[], bool] | None = None,
) -> Mask | None:
    before = live.memory.copy()
    found = _agree(live, rules, evaluate, before, otherwise)
    if found is None:  # ways that were tried in vain are nobody's business
        note_followers(live, rules, live.memory[live.statuses] != before[live.statuses])
    return found


def _agree(
    live: LiveModel,
    rules: Rules,
    evaluate: Callable[[], None],
    before: Vector,
    otherwise: Callable[[], bool] | None,
) -> Mask | None:
    touched = np.zeros(len(live.statuses), dtype=np.bool_)
    sizes = rules.sizes.copy()  # at the start nothing has been seen before
    problem = _iterate(live, rules, evaluate, touched, sizes, before)
    if problem is None:
        return None
    live.memory[:] = before
    if otherwise is not None and otherwise():
        return None
    if _search(live, rules, evaluate, before, touched, sizes):
        return None
    wider = touched | _influenced(live, evaluate, before, touched)
    if (wider & ~touched).any() and _search(live, rules, evaluate, before, wider, sizes):
        return None
    if touched.any() and _forgive(live, replace(rules, sizes=sizes), evaluate, before, touched):
        return None
    if isinstance(problem, SimulationError):
        raise problem
    return touched


def _knows_where_it_ends(live: LiveModel) -> bool:
    """Whether a loop has lost its branch on the way: statuses may follow it as far as it went."""
    if not any(live.memory[first] == ENDED for _, first, _ in live.model.branches):
        return False
    return live.section("relations")(live.memory) == FINE


class _Circle(Exception):  # noqa: N818 -- an answer, not a mistake
    """Statuses came back to where they had been."""


def _iterate(
    live: LiveModel,
    rules: Rules,
    evaluate: Callable[[], None],
    touched: Mask,
    sizes: Vector,
    before: Vector,
) -> Exception | None:
    """Follow until nothing changes: None. Else why not; `touched` gathers who changed, `sizes` how
    large residuals are. `before` learns what loops remember of the left limit, which the first evaluation
    is: whatever is tried from there on, its equations have changed."""
    problem: Exception = _Circle()
    is_left = True
    for one_only in (False, True):
        seen: set[bytes] = set()
        for _ in range(rules.limit):
            is_solved = True
            try:
                evaluate()
            except SimulationError as failure:  # this choice has no solution: perhaps another has
                problem = failure
                is_solved = False
                if not _knows_where_it_ends(live):
                    break
            if is_left and is_solved:
                for _, first, stop in live.model.branches:
                    before[first:stop] = live.memory[first:stop]
            is_left = False
            np.fmax(sizes, np.abs(live.memory[live.residual_slots]), out=sizes)
            mask = follow(live, rules, one_only)
            if not mask.any():
                if is_solved:
                    return None
                break
            touched |= mask
            statuses = live.memory[live.statuses].tobytes()
            if statuses in seen:
                break
            seen.add(statuses)
    return problem


def _forgive(
    live: LiveModel, rules: Rules, evaluate: Callable[[], None], before: Vector, touched: Mask
) -> bool:
    """Where two branches meet, rounding may contradict both: let a residual that is small beside
    its usual size keep its status. The band lasts until the residual has left it."""
    old = rules.bands.copy()
    for share in FORGIVEN:
        rules.bands[touched] = np.maximum(old, share * rules.sizes)[touched]
        live.memory[:] = before
        if _iterate(live, rules, evaluate, touched.copy(), rules.sizes.copy(), before) is None:
            return True
    rules.bands[:] = old
    live.memory[:] = before
    return False


def _search(
    live: LiveModel,
    rules: Rules,
    evaluate: Callable[[], None],
    before: Vector,
    touched: Mask,
    sizes: Vector,
) -> bool:
    """Try all choices; true with the memory at the first that agrees, else as it was before."""
    slots = live.statuses[touched]
    for statuses in islice(_choices(before[slots]), MOST_CHOICES):
        live.memory[:] = before
        live.memory[slots] = statuses
        try:
            evaluate()
            if _is_cornered(live, rules, sizes):
                evaluate()
        except SimulationError:
            continue
        if not disagreeing(live, rules)[0].any():
            return True
    live.memory[:] = before
    return False


def _is_cornered(live: LiveModel, rules: Rules, sizes: Vector) -> bool:
    """Whether only relations disagree whose residuals are exactly zero: then they are at the corner
    between two branches, and their statuses are."""
    residuals = live.memory[live.residual_slots]
    np.fmax(sizes, np.abs(residuals), out=sizes)
    mask, _ = disagreeing(live, rules)
    if not mask.any() or residuals[mask].any():
        return False
    live.memory[live.statuses[mask]] = 0.0
    return True


def _influenced(
    live: LiveModel, evaluate: Callable[[], None], before: Vector, touched: Mask
) -> Mask:
    """Relations whose residuals move when the touched ones are chosen otherwise."""
    found: list[Vector] = []
    for sign in (1.0, -1.0):
        live.memory[:] = before
        live.memory[live.statuses[touched]] = sign
        try:
            evaluate()
        except SimulationError:
            continue
        found.append(live.memory[live.residual_slots])
    live.memory[:] = before
    if len(found) < 2:
        return np.ones(len(touched), dtype=np.bool_)
    return np.asarray(found[0] != found[1])


def _choices(old: Vector) -> Iterator[Vector]:
    """All combinations of +1 and -1, those with the fewest changes first."""
    base = np.where(old == 0.0, 1.0, old)
    for count in range(len(base) + 1):
        for flipped in combinations(range(len(base)), count):
            choice = base.copy()
            choice[list(flipped)] *= -1.0
            yield choice
