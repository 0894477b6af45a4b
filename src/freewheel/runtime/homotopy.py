"""The initial system of a model that uses `homotopy`, by continuation where it is needed.

    run_initial(live)         # as live.run("initial"), but does not give up so soon

`initial` begins with the solution of the simplified system. Where that is too far away, the way in
between is followed: in `lambda*actual + (1 - lambda)*simplified` lambda grows from 0 to 1, each
solution being the guess for the next. The step is halved after a failure and doubled after two
successes. The last step is `initial` itself. A path that turns back cannot be followed so.
(Modelica 3.6, "Initialization, initial equation, and initial algorithm", on `homotopy`;
Allgower and Georg, Introduction to Numerical Continuation Methods, on embedding.)
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from freewheel.base.diagnostics import Diagnostic, Severity, SimulationError
from freewheel.runtime.diagnostics import section_failed
from freewheel.runtime.live import LiveModel
from freewheel.runtime.model import FINE, Homotopy
from freewheel.runtime.switched_dae.model import CORE_FAILED
from freewheel.runtime.thresholds import HOMOTOPY

R_CONTINUED = "R127"
R_PATH_ENDS = "R128"
R_CONTRADICTION = "R125"


def run_initial(live: LiveModel) -> None:
    """Raises where neither the direct step nor the path leads to a solution."""
    homotopy = live.model.homotopy
    if homotopy is None:
        live.core.run_initial(live)
        return
    before = live.memory.copy()
    status = live.section("initial")(live.memory)
    if status == FINE:
        return
    if status == CORE_FAILED:
        raise live.core.failure(live.time)
    problem = section_failed(live.model, "initial", status, live.time)
    if problem.diagnostics[0].code == R_CONTRADICTION:  # a solution was found, and refused
        raise problem
    live.memory[:] = before
    live.memory[homotopy.started] = 1.0
    if live.section("simplified")(live.memory) != FINE:
        raise _without_guess(problem)
    path = _Path(live, homotopy)
    path.follow()
    if not any(one.code == R_CONTINUED for one in live.warnings):
        live.warnings.append(_note(path.taken))


@dataclass(slots=True)
class _Path:
    live: LiveModel
    homotopy: Homotopy
    share: float = 0.0  # lambda, where the memory holds a solution
    taken: int = 0

    def follow(self) -> None:
        step, tried, was_fine = HOMOTOPY.first_step, 0, False
        while self.share < 1.0:
            there = min(1.0, self.share + step)
            failure = self.go(there)
            tried += 1
            if failure is None:
                step *= 2.0 if was_fine else 1.0
                was_fine = True
                continue
            step = 0.5 * (there - self.share)
            was_fine = False
            if step < HOMOTOPY.smallest_step or tried >= HOMOTOPY.most_trials:
                raise self.ends(there, failure)

    def go(self, there: float) -> Diagnostic | None:
        """One step; where it fails, the memory stays as it was. At the end it is a guess again:
        what is simplified may have no value there."""
        failure = self.run("between", there)
        if there == 1.0:
            failure = self.run("initial", there)
        if failure is None:
            self.share = there
            self.taken += 1
        return failure

    def run(self, section: str, share: float) -> Diagnostic | None:
        live = self.live
        before = live.memory.copy()
        live.forget_messages()
        live.memory[self.homotopy.share] = share
        status = live.section(section)(live.memory)
        if status == FINE:
            return None
        live.memory[:] = before
        if status == CORE_FAILED:
            return live.core.failure(live.time).diagnostics[0]
        assert live.model.explain is not None, "it has formulas"
        return live.model.explain(section, status)

    def ends(self, there: float, problem: Diagnostic) -> SimulationError:
        """The equations and values are those of the last trial."""
        message = (
            f"at time {self.live.time:.6g}: the path from the simplified to the actual parts of "
            f"`homotopy` can be followed to lambda = {self.share:.6g} only; with lambda = "
            f"{there:.6g}, {problem.message}"
        )
        help = (
            "the path turns back or ends there: choose simplified parts whose solution leads to the "
            "actual one, or give better start values"
        )
        return SimulationError(replace(problem, code=R_PATH_ENDS, message=message, help=help))


def _without_guess(problem: SimulationError) -> SimulationError:
    first = problem.diagnostics[0]
    tried = "with the simplified parts of `homotopy` no solution was found either"
    help = f"{first.help}; {tried}" if first.help else tried
    return SimulationError(replace(first, help=help), *problem.diagnostics[1:])


def _note(steps: int) -> Diagnostic:
    return Diagnostic(
        R_CONTINUED,
        "the start was found by continuation: from the solution with the simplified parts of "
        f"`homotopy`, lambda grew from 0 to 1 in {steps} steps",
        help="better start values, or simplified parts closer to the actual ones, start faster",
        severity=Severity.NOTE,
    )
