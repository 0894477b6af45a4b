"""HYB-8: many friction elements, one program: a pile of 50 blocks, a train of 50, a robot with six joints.

3^50 combinations of sticking and sliding are possible; those that come up are counted, and nothing else is
ever looked at. The pile is written twice, as a machine of six states and with clutches of the Modelica
library: both must end in the same places.
"""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from tests.quickest import quickest

import freewheel as fw

PILE = """
model Pile "n blocks on each other, the first on the ground, each pulled"
  import Modelica.Mechanics.Translational.*;
  parameter Integer n = {n};
  Components.Mass m[n](each m=1, each L=0, each s(start=0, fixed=true), each v(start=0, fixed=true));
  Hybrid.Mechanics.SixStateFriction f[n](
    Fs={{1.0*(n + 1 - i) for i in 1:n}}, Fd={{1.0*(n + 1 - i) for i in 1:n}}, each cf=0.1);
  Components.Fixed floor;
  Sources.Force pull[n](f={{3*sin((1 + 0.1*i)*time) for i in 1:n}});
equation
  connect(floor.flange, f[1].flange_a);
  for i in 1:n loop
    connect(f[i].flange_b, m[i].flange_a);
    connect(pull[i].flange, m[i].flange_b);
  end for;
  for i in 1:n - 1 loop
    connect(m[i].flange_b, f[i + 1].flange_a);
  end for;
end Pile;
"""
SHAFTS = """
model Shafts "the same with clutches"
  import Modelica.Mechanics.Rotational.*;
  parameter Integer n = {n};
  Components.Inertia m[n](each J=1, each phi(start=0, fixed=true), each w(start=0, fixed=true));
  Components.Clutch f[n](
    mu_pos={{[0, 1.0*(n + 1 - i); 1, 1.0*(n + 1 - i) + 0.1] for i in 1:n}}, each fn_max=1,
    each f_normalized=1);
  Components.Fixed floor;
  Sources.Torque pull[n](tau={{3*sin((1 + 0.1*i)*time) for i in 1:n}});
equation
  connect(floor.flange, f[1].flange_a);
  for i in 1:n loop
    connect(f[i].flange_b, m[i].flange_a);
    connect(pull[i].flange, m[i].flange_b);
  end for;
  for i in 1:n - 1 loop
    connect(m[i].flange_b, f[i + 1].flange_a);
  end for;
end Shafts;
"""
TRAIN = """
model Train "blocks on rough ground, springs between them, dragged by a plate through leaf springs"
  import Modelica.Mechanics.Translational.*;
  parameter Integer n = {n};
  Components.Mass m[n](each m=1, each L=0, each s(start=0, fixed=true), each v(start=0, fixed=true));
  Hybrid.Mechanics.SixStateFriction f[n](each Fs=1.2, each Fd=1.0, each cf=0.1);
  Components.Fixed floor;
  Components.Spring spring[n - 1](each c=20);
  Components.Spring leaf[n](c={{1 + 0.1*i for i in 1:n}});
  Sources.ConstantSpeed plate(v_fixed=0.3);
  Real work(start=0, fixed=true) "of the plate", lost(start=0, fixed=true) "by friction";
equation
  der(work) = sum(leaf.f)*0.3;
  der(lost) = f.f*f.v;
  for i in 1:n loop
    connect(floor.flange, f[i].flange_a);
    connect(f[i].flange_b, m[i].flange_a);
    connect(m[i].flange_b, leaf[i].flange_a);
    connect(leaf[i].flange_b, plate.flange);
  end for;
  for i in 1:n - 1 loop
    connect(m[i].flange_b, spring[i].flange_a);
    connect(spring[i].flange_b, m[i + 1].flange_a);
  end for;
end Train;
"""
ROBOT = """
model Arm "six hinged beams in a row, dry friction in each joint, driven by sines"
  parameter Integer n = 6;
  Modelica.Mechanics.Rotational.Components.Inertia beam[n](
    J={0.5*(n + 1 - i) for i in 1:n}, each phi(start=0, fixed=true), each w(start=0, fixed=true));
  Modelica.Mechanics.Rotational.Components.BearingFriction joint[n](
    tau_pos={[0, 0.6*(n + 1 - i); 1, 0.7*(n + 1 - i)] for i in 1:n}, each useSupport=true);
  Modelica.Mechanics.Rotational.Sources.Torque motor[n](
    tau={1.1*(n + 1 - i)*sin((1 + 0.37*i)*time) for i in 1:n}, each useSupport=true);
  Modelica.Mechanics.Rotational.Components.Fixed base;
equation
  for i in 1:n loop
    connect(joint[i].flange_b, beam[i].flange_a);
    connect(motor[i].flange, beam[i].flange_a);
    connect(if i == 1 then base.flange else beam[max(1, i - 1)].flange_b, joint[i].support);
  end for;
end Arm;
"""


def run(text: str, folder, stop: float, n: int = 50, **options):
    path = folder / "M.mo"
    path.write_text(text.format(n=n) if "{n}" in text else text)
    return fw.load(path).simulate(stop=stop, interval=0.02, **options)


def test_HYB_8_a_pile_of_fifty_blocks(tmp_path):
    pile = run(PILE, tmp_path, 1.5)
    shafts = run(SHAFTS, tmp_path, 1.5)
    assert pile.stats["solver"] == shafts.stats["solver"] == "dopri5"  # nothing is implicit
    for k in (1, 25, 50):
        assert pile.final(f"m[{k}].s") == pytest.approx(shafts.final(f"m[{k}].phi"), abs=1e-6)
    assert len(pile.events) == pytest.approx(len(shafts.events), rel=0.02)
    assert len(pile.events) > 50
    assert 0 < pile.stats["modes visited"] <= 4 * len(pile.events)
    assert not [w for w in pile.warnings if w.code == "R137"]


def test_HYB_8_a_train_of_fifty_blocks_keeps_its_energy_balance(tmp_path):
    r = run(TRAIN, tmp_path, 8.0, tol=1e-7)
    n = 50
    v = np.array([r[f"m[{i}].v"] for i in range(1, n + 1)])
    stored = (v**2).sum(axis=0) / 2
    for i in range(1, n):
        stored = stored + 20 * r[f"spring[{i}].s_rel"] ** 2 / 2
    for i in range(1, n + 1):
        stored = stored + (1 + 0.1 * i) * r[f"leaf[{i}].s_rel"] ** 2 / 2
    assert np.max(np.abs(r["work"] - stored - r["lost"])) < 1e-5 * np.max(r["work"])
    assert r.stats["modes visited"] < 200
    sticks = np.array([r[f"f[{i}].Sticking"] for i in range(1, n + 1)]) > 0.5
    assert np.max(np.abs(v[sticks])) < 1e-12


def test_HYB_8_translation_takes_time_in_proportion(tmp_path):
    """Processor time; five times the elements, less than ten times the time."""
    took = {}
    for n in (10, 50):
        path = tmp_path / f"M{n}.mo"
        path.write_text(TRAIN.format(n=n))
        took[n] = quickest(lambda path=path: fw.load(path).upto("structure"))
    assert took[50] < 10 * took[10]


def test_HYB_8_a_robot_with_friction_in_six_joints(tmp_path):
    text = ROBOT.replace(
        "    connect(if i == 1 then base.flange else beam[max(1, i - 1)].flange_b, joint[i].support);\n",
        "",
    ).replace(
        "  end for;\nend Arm;",
        """  end for;
  connect(base.flange, joint[1].support);
  connect(base.flange, motor[1].support);
  for i in 2:n loop
    connect(beam[i - 1].flange_b, joint[i].support);
    connect(beam[i - 1].flange_b, motor[i].support);
  end for;
end Arm;""",
    )
    r = run(text, tmp_path, 10.0, tol=1e-7)
    assert len(r.events) > 20
    assert r.stats["modes visited"] < 3**6 / 4
    locked = np.array([r[f"joint[{i}].locked"] for i in range(1, 7)]) > 0.5
    speed = np.array([r[f"joint[{i}].w"] for i in range(1, 7)])
    assert locked.any(axis=1).sum() >= 4
    assert np.max(np.abs(speed[locked])) < 1e-12


HELD = """
model Held "blocks on rough ground, each rubbing on its neighbours too: at rest no force is unique"
  import Modelica.Mechanics.Translational.*;
  parameter Integer n = {n};
  Components.Mass m[n](each m=1, each L=0, each s(start=0, fixed=true), each v(start=0, fixed=true));
  Hybrid.Mechanics.SixStateFriction f[n](each Fs=1, each Fd=1, each cf=0.1, each resets=false);
  Hybrid.Mechanics.SixStateFriction g[n - 1](each Fs=0.5, each Fd=0.5, each cf=0.1, each resets=false);
  Components.Fixed floor;
  Sources.Force pull[n](f={{2*sin((1 + 0.1*i)*time) for i in 1:n}});
equation
  for i in 1:n loop
    connect(floor.flange, f[i].flange_a);
    connect(f[i].flange_b, m[i].flange_a);
    connect(pull[i].flange, m[i].flange_b);
  end for;
  for i in 1:n - 1 loop
    connect(m[i].flange_b, g[i].flange_a);
    connect(g[i].flange_b, m[i + 1].flange_a);
  end for;
end Held;
"""


@pytest.mark.parametrize("tolerance", [1e-4, 1e-6, 1e-8])
def test_HYB_8_six_blocks_held_several_times_over_set_out_together(tmp_path, tolerance):
    """All of them at once, as soon as no forces within the bounds hold them: where the pulls together
    are as large as the ground's friction. They set out with no acceleration at first."""
    r = run(HELD, tmp_path, 2.0, n=6, tol=tolerance)
    first = r.events[0].time
    assert sum(2 * np.sin((1 + 0.1 * i) * first) for i in range(1, 7)) == pytest.approx(6, abs=1e-8)
    alone = (r.time > first + 1e-6) & (r.time < r.events[1].time)
    speeds = np.array([r[f"m[{i}].v"][alone] for i in range(1, 7)])
    assert np.max(np.abs(speeds - speeds[0])) < 1e-10
    assert np.all(np.diff(speeds[0]) >= 0)
    assert len(r.events) < 10

    def rate(t, v):
        return sum(2 * np.sin((1 + 0.1 * i) * t) - 1 - 0.1 * v for i in range(1, 7)) / 6

    times = r.time[alone]
    exact = solve_ivp(rate, (first, times[-1]), [0.0], "DOP853", times, rtol=1e-12, atol=1e-14).y[0]
    assert np.max(np.abs(speeds[0] - exact)) < tolerance * np.max(exact)
