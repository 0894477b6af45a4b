"""EVT-1, document 002, section 9.4: the robot arm with four controllers at four rates, on clocks.

At the start all four are due at once. Each needs the set point of the one above it, so the task
planner must act first, then the path planner, the trajectory planner and the stabilizer: the order
follows from the equations, and clocks that are whole multiples of each other meet exactly.
"""

from __future__ import annotations

import numpy as np
import pytest

import freewheel

ROBOT = """
model Robot
  Real angle(start = 0, fixed = true), speed(start = 0, fixed = true);
  Clock stabilizing = Clock(1, 1000);
  Real task, path, trajectory, torque;
  Integer ticks[4](each start = 0);
equation
  task = sample(if time < 0.24 then 1 else 2, subSample(stabilizing, 100));
  path = superSample(task, 5);
  trajectory = superSample(path, 4);
  torque = 40*(superSample(trajectory, 5) - sample(angle)) - 10*sample(speed);
  when stabilizing then ticks[1] = previous(ticks[1]) + 1; end when;
  when subSample(stabilizing, 5) then ticks[2] = previous(ticks[2]) + 1; end when;
  when subSample(stabilizing, 20) then ticks[3] = previous(ticks[3]) + 1; end when;
  when subSample(stabilizing, 100) then ticks[4] = previous(ticks[4]) + 1; end when;
  der(angle) = speed;
  der(speed) = hold(torque);
end Robot;
"""


@pytest.fixture(params=["python", "llvm"])
def result(tmp_path, request) -> freewheel.Result:
    path = tmp_path / "Robot.mo"
    path.write_text(ROBOT)
    model = freewheel.load(path, backend=request.param)
    return model.simulate(stop=0.35, interval=0.35)


def test_EVT_1_set_points_pass_all_four_controllers_at_the_first_instant(result) -> None:
    assert result.time[0] == 0.0
    assert [result[name][0] for name in ("task", "path", "trajectory")] == [1, 1, 1]
    assert result["torque"][0] == 40  # 40*(1 - 0): the stabilizer knew the trajectory


def test_EVT_1_a_new_task_reaches_the_arm_at_the_instant_of_the_planner(result) -> None:
    """The task changes at 0.24; the task planner looks at 0.3."""
    change = np.flatnonzero(np.diff(result["task"])) + 1

    assert result.time[change].tolist() == [0.3]
    for name in ("path", "trajectory"):
        assert (np.flatnonzero(np.diff(result[name])) + 1).tolist() == change.tolist()


def test_EVT_1_rates_meet_in_common_events(result) -> None:
    assert [result.final(f"ticks[{k}]") for k in (1, 2, 3, 4)] == [351, 71, 18, 4]
    assert len(result.events) == 351  # the change of the task at 0.24 is at a tick too
