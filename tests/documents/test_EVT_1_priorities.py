"""EVT-1 and EVT-19, document 002, sections 9.3 and 9.4: tie-breaking rules that a user can set.

A car arrives at a traffic light that turns red at the same instant: which comes first? And four
controllers of different rates: at the start the task planner is executed first, then the path planner, the
trajectory planner and the stabilizer; later the inner control loops should rather come first.
"""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import freewheel as fw
from freewheel.base.diagnostics import Severity
from freewheel.tools.cli import execute

CROSSING = """
model Crossing "cars come each 5 s, the light changes each 10 s"
  parameter Integer light = 0, car = 0 "priorities";
  discrete Real changes(start = 10, fixed = true);
  Boolean red(start = false, fixed = true);
  Integer stopped(start = 0, fixed = true);
equation
  when time >= pre(changes) then
    red = not pre(red);
    changes = pre(changes) + 10;
  end when annotation(__Freewheel_priority = light);
  when sample(5, 5) then
    stopped = pre(stopped) + (if pre(red) then 1 else 0);
  end when annotation(__Freewheel_priority = car);
end Crossing;
"""

# The order in which four tasks of one instant run, as digits; each appends its own.
ORDER = """
model Order
  parameter Integer priority[4] = {0, 0, 0, 0};
  Integer log(start = 0, fixed = true);
  Boolean runs[4](each start = false, each fixed = true);
equation
  for i in 1:4 loop
    when sample(1, 1) then
      runs[i] = not pre(runs[i]);
    end when annotation(__Freewheel_priority = priority[i]);
  end for;
  when {change(runs[i]) for i in 1:4} then
    log = 10*pre(log) + (if change(runs[1]) then 1 else if change(runs[2]) then 2
      else if change(runs[3]) then 3 else 4);
  end when;
end Order;
"""

ROBOT = """
model Robot
  Hybrid.Signals.Multirate control(period = {0.01, 0.02, 0.1, 0.5}, priority = PRIORITY);
  Real x(start = 0, fixed = true);
equation
  control.goal = if time < 0.3 then 1 else 2;
  control.measured = 0;
  der(x) = control.y;
end Robot;
"""
TASKS = ("plan", "path", "trajectory", "stabilised")


@pytest.fixture(params=["llvm", "python"])
def load(tmp_path, request):
    def write(text: str) -> fw.Model:
        path = tmp_path / "m.mo"
        path.write_text(text)
        return fw.load(path, backend=request.param)

    return write


@pytest.mark.parametrize(
    ("light", "car", "stopped"), [(1, 0, 2), (0, 1, 2), (-1, -7, 2), (0, 0, 2)]
)
def test_EVT_1_the_car_or_the_light_comes_first(load, light, car, stopped):
    """It turns red at 10 s, green at 20 s. Light first: the cars of 10 s and 15 s stop. Car first, or both at
    once with values from before: those of 15 s and 20 s."""
    model = load(CROSSING)
    r = model.simulate(stop=22.0, params={"light": light, "car": car})
    first = r["time"][1:][np.diff(r["stopped"]) > 0]
    assert first.tolist() == ([10.0, 15.0] if light > car else [15.0, 20.0])
    assert r.final("stopped") == stopped


@pytest.mark.parametrize("priority", [*itertools.permutations((4, 3, 2, 1))][::5])
def test_EVT_1_four_tasks_of_one_instant_run_in_the_order_of_their_priorities(load, priority):
    model = load(ORDER)
    r = model.simulate(stop=1.5, params={"priority": "{" + ", ".join(map(str, priority)) + "}"})
    expected = sorted(range(1, 5), key=lambda i: -priority[i - 1])
    # The last round has one change only where the tasks run one by one.
    assert int(r.final("log")) == int("".join(map(str, expected)))


def changes(r: fw.Result, name: str) -> list[float]:
    return r["time"][1:][np.diff(r[f"control.{name}"]) != 0].tolist()


def test_EVT_1_without_priorities_a_new_goal_passes_all_tasks_at_once(load):
    model = load(ROBOT.replace("PRIORITY", "{0, 0, 0, 0}"))
    r = model.simulate(stop=1.0)
    assert [changes(r, name) for name in TASKS] == [[0.5]] * 4
    assert not model.remarks()


def test_EVT_1_inner_loops_first_do_not_wait_for_new_set_points(load):
    """At 0.5 s all four are due; each inner task runs before the one that gives its set point."""
    model = load(ROBOT.replace("PRIORITY", "{4, 3, 2, 1}"))
    r = model.simulate(stop=1.0)
    assert [changes(r, name) for name in TASKS] == [[0.5], [0.6], [0.62], [0.63]]
    notes = model.remarks()
    assert [note.code for note in notes] == ["E023"] * 3
    assert all(note.severity is Severity.NOTE for note in notes)


@pytest.mark.parametrize("priority", ["{0, 0, 0, 0}", "{4, 3, 2, 1}", "{1, 2, 3, 4}"])
def test_EVT_1_at_the_start_set_points_pass_inwards_whatever_the_priorities(load, priority):
    r = load(ROBOT.replace("PRIORITY", priority)).simulate(stop=0.05)
    assert [r[f"control.{name}"][0] for name in TASKS] == [1.0, 1.0, 1.0, 4.0]


def test_EVT_1_a_component_has_a_priority_for_all_that_is_inside(load):
    """The annotation of the clause goes before that of the component around it."""
    text = """
    model M
      model Counter
        input Integer u;
        Integer y(start = 0, fixed = true);
      equation
        when sample(1, 1) then
          y = pre(u) + 1;
        end when;
      end Counter;
      Counter first annotation(__Freewheel_priority = 2);
      Counter second annotation(__Freewheel_priority = 1);
    equation
      first.u = second.y;
      second.u = first.y;
    end M;
    """
    r = load(text).simulate(stop=2.5)
    # first sees 0, second sees what first has written: 1, 2; then 3, 4.
    assert (r.final("first.y"), r.final("second.y")) == (3.0, 4.0)
    swapped = text.replace("= 2)", "= 0)")
    r = load(swapped).simulate(stop=2.5)
    assert (r.final("first.y"), r.final("second.y")) == (4.0, 3.0)


def test_EVT_1_consequences_of_the_first_settle_before_the_second_begins(load):
    """Three when-clauses hand a value on, a round each; the sample of lower priority sees the last one."""
    text = """
    model M
      Integer a(start = 0, fixed = true), b(start = 0, fixed = true), c(start = 0, fixed = true);
      Integer seen(start = -1, fixed = true);
    equation
      when sample(1, 1) then
        a = pre(a) + 1;
      end when annotation(__Freewheel_priority = FIRST);
      when change(a) then
        b = pre(a);
      end when;
      when change(b) then
        c = pre(b);
      end when;
      when sample(1, 1) then
        seen = pre(a) + 10*pre(b) + 100*pre(c);
      end when;
    end M;
    """
    seen = []
    for first in ("1", "-1"):
        r = load(text.replace("FIRST", first)).simulate(stop=2.5)
        seen.append([int(x) for x in dict.fromkeys(r["seen"])])
    # b and c take values of the round before: they are one behind and two behind.
    assert seen == [[-1, 1, 12], [-1, 0, 1]]


def test_EVT_1_priorities_hold_in_algorithms_too(load):
    text = """
    model M
      Integer a(start = 0, fixed = true), b(start = 0, fixed = true);
    algorithm
      when sample(1, 1) then
        a := pre(b) + 1;
      end when annotation(__Freewheel_priority = A);
    algorithm
      when sample(1, 1) then
        b := pre(a) + 1;
      end when annotation(__Freewheel_priority = 0);
    end M;
    """
    ends = []
    for priority in ("1", "0", "-1"):
        r = load(text.replace("A)", f"{priority})")).simulate(stop=1.5)
        ends.append((r.final("a"), r.final("b")))
    assert ends == [(1.0, 2.0), (1.0, 1.0), (2.0, 1.0)]


def test_EVT_1_an_event_alone_is_the_same_with_any_priority(load):
    text = """
    model M
      Integer n(start = 0, fixed = true), k(start = 0, fixed = true);
      Real x(start = 0, fixed = true);
    equation
      der(x) = n;
      when {time >= 0.25, x > 0.4} then
        n = pre(n) + 1;
      end when ANNOTATION;
      when sample(7, 7) then
        k = pre(k) + 1;
      end when;
    end M;
    """
    first = load(text.replace("ANNOTATION", ""))
    later = load(text.replace("ANNOTATION", "annotation(__Freewheel_priority = -3)"))
    one, two = first.simulate(stop=2.0, tol=1e-9), later.simulate(stop=2.0, tol=1e-9)
    assert one.final("x") == two.final("x")
    assert [e.time for e in one.events] == [e.time for e in two.events]


def test_EVT_1_priorities_stay_in_the_flat_model(load, tmp_path, capsys):
    load(CROSSING)
    flat = tmp_path / "flat.mo"
    assert execute(["export", str(tmp_path / "m.mo"), "--to", "flat", "--out", str(flat)]) == 0
    capsys.readouterr()
    assert "end when annotation(__Freewheel_priority = light);" in flat.read_text()
    r = fw.load(flat).simulate(stop=12.0, params={"light": 1})
    assert r.final("stopped") == 1


@pytest.mark.parametrize("solver", ["qss2", "cvode", "lobatto", "euler"])
def test_EVT_1_priorities_hold_for_every_kind_of_method(tmp_path, solver):
    path = tmp_path / "robot.mo"
    path.write_text(ROBOT.replace("PRIORITY", "{4, 3, 2, 1}"))
    r = fw.load(path).simulate(stop=1.0, solver=solver)
    assert [changes(r, name) for name in TASKS] == [[0.5], [0.6], [0.62], [0.63]]
