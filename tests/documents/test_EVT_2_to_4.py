"""EVT-2, EVT-3, EVT-4 and eq. 9.31: state events of section 9.5, isolated, located, not missed."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from several_crossings import SEVERAL

import freewheel as fw
from freewheel.runtime.events import polynomial_zeros as sturm
from freewheel.runtime.events import root_solvers as roots
from freewheel.runtime.events.root_solvers import ROOT_SOLVERS

SHORT = """
model Short "lives for a twentieth of the step that passes over it"
  Real x(start = 0.25, fixed = true);
  Boolean below = x < 0.000625;
  Integer times(start = 0, fixed = true);
equation
  der(x) = 2*(time - 0.5);
  when below then
    times = pre(times) + 1;
  end when;
end Short;
"""

TOUCH = """
model Touch "eq. 9.31: x only just reaches both thresholds"
  parameter Real x1 = -1, x2 = 3;
  Real x = (x2 - x1)/2*sin(time) + (x1 + x2)/2;
  Integer region;
  Real area(start = 0, fixed = true);
equation
  region = if x < x1 then -1 elseif x <= x2 then 0 else 1;
  der(area) = region;
end Touch;
"""


@pytest.fixture
def load(tmp_path):
    def write(text: str) -> fw.Model:
        path = tmp_path / "m.mo"
        path.write_text(text)
        return fw.load(path)

    return write


@pytest.mark.parametrize("solver", ["illinois", "golden"])
def test_EVT_2_several_crossings_of_one_step_are_isolated(load, solver):
    r = load(SEVERAL).simulate(stop=1.0, tol=1e-8, root_solver=solver)
    seen = [r.final(f"seen[{i}]") for i in range(1, 5)]
    assert seen == pytest.approx([0.61, 0.23, 0.87, 0.42], abs=1e-8)


@pytest.mark.parametrize("solver", ROOT_SOLVERS)
def test_EVT_3_every_root_solver_locates_them(load, solver):
    r = load(SEVERAL).simulate(stop=1.0, tol=1e-8, root_solver=solver)
    seen = [r.final(f"seen[{i}]") for i in range(1, 5)]
    assert seen == pytest.approx([0.61, 0.23, 0.87, 0.42], abs=1e-8)


def test_EVT_3_golden_section_needs_the_most_evaluations(load):
    model = load(SEVERAL)
    cost = {
        name: model.simulate(stop=1.0, tol=1e-8, root_solver=name).stats[
            "of these to locate events"
        ]
        for name in ("golden", "illinois", "dense")
    }
    assert cost["dense"] < cost["illinois"] < cost["golden"]


@pytest.mark.parametrize("detection", ["slopes", "sturm"])
def test_EVT_4_an_event_that_lives_shortly_is_found(load, detection):
    r = load(SHORT).simulate(stop=1.0, interval=1.0, tol=1e-6, event_detection=detection)
    assert r.final("times") == 1
    times = sorted({event.time for event in r.events if event.time > 0})
    assert times == pytest.approx([0.475, 0.525], abs=1e-9)


def test_EVT_4_signs_alone_miss_what_lies_between(tmp_path):
    """The same parabola, off the middle of a step that may be long: the fourth power is integrated
    without error, so nothing holds the step down."""
    path = tmp_path / "off.mo"
    path.write_text(SHORT.replace("2*(time - 0.5)", "2*(time - 0.7)").replace("0.25,", "0.49,"))
    missed = fw.load(path).simulate(stop=1.0, interval=1.0, tol=1e-4, event_detection="ends")
    found = fw.load(path).simulate(stop=1.0, interval=1.0, tol=1e-4)
    assert (missed.final("times"), found.final("times")) == (0, 1)


def test_EVT_5_a_threshold_that_is_only_touched_is_not_crossed(load):
    r = load(TOUCH).simulate(stop=20.0, tol=1e-8)
    assert np.all(r["region"] == 0)
    assert abs(r.final("area")) < 1e-6


# ---------------------------------------------------------------- within one step, section 9.5.1

ONE_STEP = """
model OneStep "Fig. 9.12: three functions, two of them cross within one step; all are integrated exactly"
  Real f1(start = 2, fixed = true), f2(start = -1, fixed = true), f3(start = -2.5, fixed = true);
  Real seen[3](each start = -1, each fixed = true);
equation
  der(f1) = -0.2;
  der(f2) = 0.8;
  der(f3) = 2*(time - 0.5);
  when f1 < 0 then seen[1] = time; end when;
  when f2 > 0 then seen[2] = time; end when;
  when f3 > 0 then seen[3] = time; end when;
  annotation(experiment(StartTime = 1, StopTime = 31, Interval = 30));
end OneStep;
"""


@pytest.mark.parametrize("root_solver", ["illinois", "golden", "fibonacci"])
def test_EVT_2_crossings_of_one_step_are_found_one_by_one(load, root_solver):
    """A tenth of the run may be one step of 3 s: from 1 to 4 two functions cross, at 2.25 and at 2.158."""
    r = load(ONE_STEP).simulate(root_solver=root_solver, solver="dopri5")
    exact = [11.0, 2.25, 0.5 + np.sqrt(0.25 + 2.5)]  # f3 = (t - 0.5)^2 - 0.25 - 2.5
    seen = [r.final(f"seen[{i}]") for i in (1, 2, 3)]
    assert seen == pytest.approx(exact, rel=1e-12)
    events = sorted({e.time for e in r.events if e.time > 1})
    assert events == sorted(seen)
    # The step that the first event cuts would have gone beyond the second: steps without error grow tenfold.
    last = int(np.flatnonzero(r.step_sizes.sum(axis=1) == events[0])[0])
    begin, _ = r.step_sizes[last]
    assert begin + 10 * r.step_sizes[last - 1, 1] > events[1]


# ---------------------------------------------------------------- the printed formulas, section 9.5.2


def ends(k: float) -> tuple[float, float, float, float]:
    """f and df/dt of exp(k t) - 2 at t = 0 and t = 1: a zero at ln 2/k."""
    return (-1.0, k, float(np.exp(k)) - 2.0, k * float(np.exp(k)))


@pytest.mark.parametrize("k", [0.8, 1.3, 2.5])
def test_EVT_3_the_cubic_is_that_of_equation_9_12(k):
    f0, h0, f1, h1 = ends(k)
    matrix = np.array([[0, 0, 0, 1], [1, 1, 1, 1], [0, 0, 1, 0], [3, 2, 1, 0]], float)
    polynomial = np.linalg.solve(matrix, [f0, f1, h0, h1])
    zeros = [z.real for z in np.roots(polynomial) if abs(z.imag) < 1e-9 and 0 <= z.real <= 1]
    assert roots.zero_of_cubic(f0, h0, f1, h1) == pytest.approx(zeros[0], abs=1e-12)


@pytest.mark.parametrize("k", [0.8, 1.3, 2.5])
def test_EVT_3_inverse_hermite_is_that_of_equations_9_17_and_9_24(k):
    f0, h0, f1, h1 = ends(k)
    rows = [[f0**3, f0**2, f0, 1], [f1**3, f1**2, f1, 1]]
    rows += [[3 * f0**2, 2 * f0, 1, 0], [3 * f1**2, 2 * f1, 1, 0]]
    by_matrix = np.linalg.solve(np.array(rows), [0.0, 1.0, 1 / h0, 1 / h1])[3]  # (9.14)
    phi = -f0 / (f1 - f0)
    p2, p3 = -2 * phi**3 + 3 * phi**2, phi**3 - 2 * phi**2 + phi
    p4 = phi**3 - phi**2
    by_hermite = p2 + (f1 - f0) / h0 * p3 + (f1 - f0) / h1 * p4  # (9.24), (9.25)
    assert by_matrix == pytest.approx(by_hermite, rel=1e-12)
    assert roots.zero_of_inverse(f0, h0, f1, h1) == pytest.approx(by_matrix, rel=1e-12)


def test_EVT_3_inverse_hermite_may_leave_the_bracket_and_is_not_followed():
    """The text: convergence is no longer guaranteed. A flat end sends the guess outside."""
    outside = roots.zero_of_inverse(-1.0, 0.05, 1.0, 3.0)
    assert not 0.0 <= outside <= 1.0


@pytest.mark.parametrize(
    ("kind", "order"), [(roots.NEWTON, 2), (roots.CUBIC, 3), (roots.HERMITE, 3)]
)
def test_EVT_3_guesses_converge_at_least_as_fast_as_the_text_says(kind, order):
    """Newton quadratically, cubic interpolation cubically: errors of a bracket that shrinks by halves."""
    errors = []
    for width in (0.2, 0.1, 0.05):
        a, b = np.log(2.0) - 0.3 * width, np.log(2.0) + 0.7 * width
        values = [np.exp(a) - 2, width * np.exp(a), np.exp(b) - 2, width * np.exp(b)]
        share = roots.guess(kind, *map(float, values))
        errors.append(abs(a + share * width - np.log(2.0)))
    rates = [np.log2(errors[i] / errors[i + 1]) for i in (0, 1)]
    assert min(rates) > order - 0.2


def test_EVT_3_a_nordsieck_vector_finds_the_zero_in_one_go():
    """(9.26) to (9.29): Newton on the expansion at the end of the step, begun in its middle."""
    p = np.array([-0.3, 0.9, 0.4, -0.2, 0.1])
    zero = roots.zero_by_derivatives(p)
    assert np.polyval(p[::-1], zero) == pytest.approx(0.0, abs=1e-14)
    assert 0 < zero < 1


# ---------------------------------------------------------------- Sturm sequences, P9.2


def test_EVT_4_the_sequence_is_that_of_P9_2_and_counts_zeros():
    """p1 = p0', then minus the remainders; the changes of sign at both ends differ by the number of zeros."""
    random = np.random.default_rng(92)
    for _ in range(200):
        zeros = random.uniform(-1.0, 2.0, 4)
        p0 = np.poly(zeros)
        chain = [p0, np.polyder(p0)]
        while len(chain[-1]) > 1:
            chain.append(-np.polydiv(chain[-2], chain[-1])[1])
        counts = []
        for t in (0.0, 1.0):
            values = [np.polyval(p, t) for p in chain]
            counts.append(sum(a * b < 0 for a, b in pairwise(values)))
        inside = sum(0 < z <= 1 for z in zeros)
        assert counts[0] - counts[1] == inside
        ours = np.zeros(sturm.CHAIN)
        members = sturm.sequence(np.ascontiguousarray(p0[::-1]), 4, ours)
        assert sturm.zeros_between(ours, members, 0.0, 1.0) == inside


def test_EVT_4_figure_9_18_two_crossings_within_the_step_from_1_to_4(load):
    """f1 is positive at both ends and negative in between; its derivative changes sign. The event at 1.55 is
    found by both ways, and missed by signs at the ends."""
    text = """
    model Dip
      Real f1(start = 0.63525, fixed = true);
      discrete Real first(start = -1, fixed = true);
      Integer count(start = 0, fixed = true);
    equation
      der(f1) = 2*0.7*(time - 2.1);
      when f1 < 0 then
        first = time;
        count = pre(count) + 1;
      end when;
      annotation(experiment(StartTime = 1, StopTime = 31, Interval = 30));
    end Dip;
    """
    # f1 = 0.7*((t - 2.1)^2 - 0.55^2): zeros at 1.55 and 2.65.
    found = {}
    for way in ("ends", "slopes", "sturm"):
        r = load(text).simulate(event_detection=way, solver="dopri5", tol=1e-4)
        found[way] = (r.final("count"), r.final("first"))
    for way in ("slopes", "sturm"):
        assert found[way] == (1.0, pytest.approx(1.55, abs=1e-9))
    assert found["ends"][0] == 0


@pytest.mark.parametrize("solver", ["dopri5", "rkf45", "rodas4", "radau", "lobatto"])
@pytest.mark.parametrize("gap", [0.1, 1e-3, 1e-5])
def test_EVT_2_three_crossings_close_together_are_three_events(load, solver, gap):
    """A cubic: the second and the third zero lie close behind the event at the first."""
    model = load(
        """model Three
  parameter Real a = 1.2345, gap = 1;
  Real x(start = 0, fixed = true);
  Boolean above = (x - a)*(x - a - gap)*(x - a - 2*gap) > 0;
equation
  der(x) = 1;
end Three;"""
    )
    for tol in (1e-3, 1e-6, 1e-8, 1e-10):
        r = model.simulate(stop=10, tol=tol, solver=solver, params={"gap": gap})
        times = [(event.time - 1.2345) / gap for event in r.events]
        assert times == pytest.approx([0, 1, 2], abs=1e-4)
