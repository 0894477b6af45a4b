"""Three-dimensional mechanics against solutions that do not use the library.

A chain of hinges against Newton-Euler in numpy, a free body against what it must conserve, a four-bar
loop against its reduced equation, rotations against SciPy, a hinge made of constraints against a hinge.
"""

from __future__ import annotations

import numpy as np
import pytest
from rigid_chains import Link, accelerations
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

import freewheel as fw


@pytest.fixture
def run(tmp_path):
    def simulate(text: str, stop: float, **options):
        path = tmp_path / "M.mo"
        path.write_text(text)
        return fw.load(path).simulate(stop=stop, **{"tol": 1e-9, "interval": stop / 50, **options})

    return simulate


PENDULUM = """
model M "two links on hinges with crossed axes"
  import Modelica.Mechanics.MultiBody.*;
  inner World world;
  Joints.Revolute j1(n={0.6, 0, 0.8}, phi(start=0.3, fixed=true), w(start=1, fixed=true));
  Joints.Revolute j2(n={0, 1, 0}, phi(start=0.1, fixed=true), w(start=-2, fixed=true));
  Parts.BodyShape b1(r={0.5, 0.1, 0}, r_CM={0.25, 0, 0.1}, m=1, I_11=0.01, I_22=0.02, I_33=0.03,
    I_21=0.002);
  Parts.BodyShape b2(r={0, 0, 0}, r_CM={0.3, -0.1, 0}, m=2, I_11=0.02, I_22=0.05, I_33=0.04,
    I_32=0.003);
equation
  connect(world.frame_b, j1.frame_a);
  connect(j1.frame_b, b1.frame_a);
  connect(b1.frame_b, j2.frame_a);
  connect(j2.frame_b, b2.frame_a);
end M;
"""


def test_a_double_pendulum_in_space_follows_newton_and_euler(run):
    r = run(PENDULUM, 1.0)
    first = np.diag((0.01, 0.02, 0.03))
    first[0, 1] = first[1, 0] = 0.002
    second = np.diag((0.02, 0.05, 0.04))
    second[1, 2] = second[2, 1] = 0.003
    links = [
        Link((0.6, 0, 0.8), (0.5, 0.1, 0), (0.25, 0, 0.1), 1, first),
        Link((0, 1, 0), (0, 0, 0), (0.3, -0.1, 0), 2, second),
    ]

    def slope(_t, y):
        return np.r_[y[2:], accelerations(links, np.zeros(3), y[:2], y[2:], np.zeros(2))]

    exact = solve_ivp(
        slope, (0, 1), [0.3, 0.1, 1, -2], "DOP853", rtol=1e-9, atol=1e-11, dense_output=True
    ).sol(r.time)
    for k, name in enumerate(("j1.phi", "j2.phi", "j1.w", "j2.w")):
        assert r[name] == pytest.approx(exact[k], abs=1e-6)


TOP = """
model M "a body without a load: turns about its middle axis, which does not last"
  import Modelica.Mechanics.MultiBody.*;
  inner World world(gravityType=Types.GravityTypes.NoGravity);
  Parts.Body b(r_CM={0, 0, 0}, m=1, I_11=1, I_22=2, I_33=3, w_0_fixed=true,
    w_0_start={0.01, 2, 0.02}, angles_fixed=true, angles_start={0.3, 0.2, 0.1},
    r_0(each fixed=true), v_0(each fixed=true));
  Real momentum[3]=Frames.resolve1(b.frame_a.R, b.I*b.w_a);
  Real energy=b.w_a*(b.I*b.w_a)/2;
end M;
"""


def test_a_free_body_keeps_momentum_and_energy(run):
    r = run(TOP, 20.0)
    assert np.ptp(r["b.w_a[2]"]) > 3.5  # it tumbles
    for name in ("momentum[1]", "momentum[2]", "momentum[3]", "energy"):
        assert np.ptp(r[name]) < 1e-6

    def euler(_t, w):
        return [(2 - 3) * w[1] * w[2] / 1, (3 - 1) * w[2] * w[0] / 2, (1 - 2) * w[0] * w[1] / 3]

    start = [r[f"b.w_a[{i}]"][0] for i in (1, 2, 3)]
    exact = solve_ivp(
        euler, (0, 20), start, "DOP853", rtol=1e-11, atol=1e-13, dense_output=True
    ).sol(r.time)
    for i in (1, 2, 3):
        assert r[f"b.w_a[{i}]"] == pytest.approx(exact[i - 1], abs=1e-6)


FOUR_BAR = """
model M "crank, coupler, rocker and ground"
  import Modelica.Mechanics.MultiBody.*;
  inner World world;
  Joints.Revolute j1(phi(start=1.2, fixed=true), w(start=3, fixed=true),
    stateSelect=StateSelect.always);
  Joints.Revolute j2(phi(start=-1));
  Joints.Revolute j3(phi(start=1.6));
  Joints.RevolutePlanarLoopConstraint j4;
  Parts.BodyShape a(r={0.2, 0, 0}, r_CM={0.1, 0, 0}, m=1, I_33=0.01);
  Parts.BodyShape b(r={0.6, 0, 0}, r_CM={0.3, 0, 0}, m=2, I_33=0.05);
  Parts.BodyShape c(r={0.5, 0, 0}, r_CM={0.25, 0, 0}, m=1, I_33=0.02);
  Parts.Fixed f(r={0.5, 0, 0});
equation
  connect(world.frame_b, j1.frame_a);
  connect(j1.frame_b, a.frame_a);
  connect(a.frame_b, j2.frame_a);
  connect(j2.frame_b, b.frame_a);
  connect(f.frame_b, j3.frame_a);
  connect(j3.frame_b, c.frame_a);
  connect(c.frame_b, j4.frame_a);
  connect(b.frame_b, j4.frame_b);
end M;
"""


def closed(crank: float, guess: tuple[float, float]) -> np.ndarray:
    """Angles of coupler and rocker that close the loop, by Newton."""
    x = np.array(guess)
    for _ in range(50):
        gap = 0.2 * np.exp(1j * crank) + 0.6 * np.exp(1j * x[0]) - 0.5 - 0.5 * np.exp(1j * x[1])
        slopes = 0.6j * np.exp(1j * x[0]), -0.5j * np.exp(1j * x[1])
        jacobian = np.array([[s.real for s in slopes], [s.imag for s in slopes]])
        x = x - np.linalg.solve(jacobian, [gap.real, gap.imag])
    return x


def test_a_four_bar_loop_turns_as_its_reduced_equation_says(run):
    """One degree of freedom: J(q) q'' + J'(q) q'^2 / 2 = -V'(q), from energies by differences."""
    r = run(FOUR_BAR, 0.8)
    start = closed(1.2, (r["j1.phi"][0] + r["j2.phi"][0], r["j3.phi"][0]))

    def state(q, d=1e-5):
        x = closed(q, tuple(start))
        rate = (closed(q + d, tuple(x)) - closed(q - d, tuple(x))) / (2 * d)
        crank = 0.2 * np.exp(1j * q)
        middle = 1j * crank + 0.3j * np.exp(1j * x[0]) * rate[0]
        inertia = (
            0.01
            + 0.01
            + 2 * abs(middle) ** 2
            + 0.05 * rate[0] ** 2
            + (0.02 + 0.25**2) * rate[1] ** 2
        )
        height = crank.imag / 2 + 2 * (crank.imag + 0.3 * np.sin(x[0])) + 0.25 * np.sin(x[1])
        return inertia, 9.80665 * height

    def slope(_t, y, d=1e-4):
        (up, high), (down, low) = state(y[0] + d), state(y[0] - d)
        inertia = state(y[0])[0]
        return [y[1], (-(up - down) * y[1] ** 2 / 2 - (high - low)) / (2 * d) / inertia]

    exact = solve_ivp(slope, (0, 0.8), [1.2, 3.0], rtol=1e-7, atol=1e-9, dense_output=True).sol(
        r.time
    )
    assert np.ptp(r["j1.phi"]) > 0.5
    assert r["j1.phi"] == pytest.approx(exact[0], abs=2e-5)
    gap = np.hypot(
        r["c.frame_b.r_0[1]"] - r["b.frame_b.r_0[1]"], r["c.frame_b.r_0[2]"] - r["b.frame_b.r_0[2]"]
    )
    assert np.max(gap) < 1e-8


HINGE = """
model M "the same pendulum on a hinge and on constraints"
  import Modelica.Mechanics.MultiBody.*;
  inner World world(n={1, 0, 0});
  Joints.Revolute hinge(n={0, 1, 0}, phi(start=0.5, fixed=true), w(start=1, fixed=true));
  Parts.BodyBox plain(r={0, 0, 0.5}, width=0.05);
  Joints.FreeMotion free(angles_start={0, 0.5, 0}, w_rel_a_start={0, 1, 0}, enforceStates=true);
  Joints.Constraints.Revolute constraint(n={0, 1, 0});
  Parts.BodyBox held(r={0, 0, 0.5}, width=0.05);
  Sensors.RelativeAngles turned(sequence={1, 3, 2});
initial equation
  turned.angles[3] = 0.5;
  held.body.w_a[2] = 1;
equation
  connect(world.frame_b, hinge.frame_a);
  connect(hinge.frame_b, plain.frame_a);
  connect(world.frame_b, free.frame_a);
  connect(free.frame_b, held.frame_a);
  connect(world.frame_b, constraint.frame_a);
  connect(held.frame_a, constraint.frame_b);
  connect(world.frame_b, turned.frame_a);
  connect(held.frame_a, turned.frame_b);
end M;
"""


def test_a_hinge_of_constraints_moves_like_a_hinge(run):
    """Here the choice of states settles a derivative of a quaternion on two levels."""
    r = run(HINGE, 1.0)
    for k in (1, 2, 3):
        name = f"frame_b.r_0[{k}]"
        assert r[f"held.{name}"] == pytest.approx(r[f"plain.{name}"], abs=1e-6)
    assert np.ptp(r["hinge.phi"]) > 0.5


ROTATIONS = """
model M "rotations by angles, axes and quaternions"
  import Modelica.Mechanics.MultiBody.Frames;
  parameter Integer sequence[3]={A, B, C};
  Real angles[3]={0.3 + time, -0.4 + 0.5*time, 1.1 - 0.2*time};
  Frames.Orientation R=Frames.axesRotations(sequence, angles, {1, 0.5, -0.2});
  Frames.Orientation S=Frames.planarRotation({0.6, 0, 0.8}, 0.7, 0);
  Frames.Orientation P=Frames.absoluteRotation(R, S);
  Frames.Orientation D=Frames.relativeRotation(P, R);
  Real back[3]=Frames.axesRotationsAngles(R, sequence, angles[1]);
  Real Q[4]=Frames.to_Q(P);
  Real again[3, 3]=Frames.Quaternions.to_T(Q);
  Real small[3]=Frames.Orientation.equalityConstraint(R, Frames.absoluteRotation(R, near));
  Frames.Orientation near=Frames.axesRotations({1, 2, 3}, {1e-5, -2e-5, 3e-5}, zeros(3));
end M;
"""


@pytest.mark.parametrize("sequence", [(1, 2, 3), (3, 1, 2), (3, 1, 3), (2, 1, 2)])
def test_rotations_agree_with_scipy(run, sequence):
    r = run(ROTATIONS.replace("{A, B, C}", "{" + ", ".join(map(str, sequence)) + "}"), 1.0)

    def matrix(name, k=-1):
        return np.array([[r[f"{name}.T[{i},{j}]"][k] for j in (1, 2, 3)] for i in (1, 2, 3)])

    letters = "".join("XYZ"[axis - 1] for axis in sequence)
    angles = [r[f"angles[{i}]"][-1] for i in (1, 2, 3)]
    turned = Rotation.from_euler(letters, angles)
    second = turned * Rotation.from_rotvec(np.array((0.6, 0, 0.8)) * 0.7)
    assert matrix("R") == pytest.approx(turned.as_matrix().T, abs=1e-12)
    assert matrix("P") == pytest.approx(second.as_matrix().T, abs=1e-12)
    assert [r[f"back[{i}]"][-1] for i in (1, 2, 3)] == pytest.approx(angles, abs=1e-10)
    q, exact = np.array([r[f"Q[{i}]"][-1] for i in (1, 2, 3, 4)]), second.as_quat()
    assert q * np.sign(q @ exact) == pytest.approx(exact, abs=1e-12)
    again = [[r[f"again[{i},{j}]"][-1] for j in (1, 2, 3)] for i in (1, 2, 3)]
    assert np.array(again) == pytest.approx(matrix("P"), abs=1e-12)
    assert [r[f"small[{i}]"][-1] for i in (1, 2, 3)] == pytest.approx((1e-5, -2e-5, 3e-5), abs=1e-9)
    # the angular velocity is that of the matrix: dT/dt = -skew(w) T
    k, h = 25, r.time[26] - r.time[24]
    rate = (matrix("R", 26) - matrix("R", 24)) / h
    skew = -rate @ matrix("R", k).T
    spin = [r[f"R.w[{i}]"][k] for i in (1, 2, 3)]
    assert spin == pytest.approx((skew[2, 1], skew[0, 2], skew[1, 0]), abs=1e-3)


TURNED = """
model M "the second of three angles stays at half a turn, up to rounding"
  import Modelica.Mechanics.MultiBody.Frames;
  Frames.Orientation R=Frames.axesRotations({3, 2, 1}, {2 + sin(7*time), 0, 5*time}, zeros(3));
  Real angles[3]=Frames.axesRotationsAngles(R, {3, 2, 1});
end M;
"""


def test_half_a_turn_does_not_change_its_sign_by_rounding(run):
    second = run(TURNED, 1.0, interval=0.001)["angles[2]"]
    assert np.max(abs(second)) == pytest.approx(np.pi)
    assert np.min(second) > -1e-12
