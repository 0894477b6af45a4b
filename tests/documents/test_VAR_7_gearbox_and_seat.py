"""VAR-7: the examples of the conclusions of document 004, a shift gearbox and an ejection seat.

Exact solutions: the gearbox is a chain of exponentials with momentum conserved at each engagement, the seat
without drag a chain of parabolas. With drag an explicit method of order 8 at 1e-12 is the judge.
"""

from __future__ import annotations

from math import cos, exp, sin, sqrt
from pathlib import Path

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import freewheel as fw

EXAMPLES = Path(__file__).parents[2] / "examples" / "variable_structure"
GEARBOX, SEAT = EXAMPLES / "shift_gearbox.mo", EXAMPLES / "ejection_seat.mo"

RATIOS = (3.6, 2.1, 1.4, 1.0, 0.8)
PERIOD, PAUSE = 2.0, 0.25
ENGINE, TORQUE, DRAG = 0.2, 120.0, 40.0
CAR, SLOPE, RESISTANCE = 10.0, 20.0, 0.3


def quiet(times: np.ndarray) -> np.ndarray:
    """Without the two rows of each event."""
    again = times[1:] == times[:-1]
    return ~(np.append(again, False) | np.insert(again, 0, False))


# ---------------------------------------------------------------- gearbox


def relaxed(
    w: float, inertia: float, torque: float, span: np.ndarray | float
) -> np.ndarray | float:
    """inertia*w' = torque - RESISTANCE*w."""
    end = torque / RESISTANCE
    return end + (w - end) * np.exp(-RESISTANCE / inertia * np.asarray(span))


def shifted(ratios: tuple[float, ...], times: np.ndarray) -> tuple[np.ndarray, np.ndarray, list]:
    """Speeds of engine and car, right limits; and (time, momentum that the engine gains)."""
    engine, car, impulses = np.empty_like(times), np.empty_like(times), []
    we, wc, k = 150.0, 0.0, 0
    while k * PERIOD <= times[-1]:
        ratio = ratios[min(k, len(ratios) - 1)]
        joint = (ratio * ENGINE * we + CAR * wc) / (ratio**2 * ENGINE + CAR)
        impulses.append((k * PERIOD, ENGINE * (ratio * joint - we)))
        begin, end = k * PERIOD, (k + 1) * PERIOD - PAUSE
        here = (times >= begin) & (times < end)
        inertia, torque = CAR + ratio**2 * ENGINE, ratio * TORQUE - SLOPE
        car[here] = relaxed(joint, inertia, torque, times[here] - begin)
        engine[here] = ratio * car[here]
        wc = float(relaxed(joint, inertia, torque, end - begin))
        we = ratio * wc
        here = (times >= end) & (times < begin + PERIOD)
        engine[here] = we - DRAG / ENGINE * (times[here] - end)
        car[here] = relaxed(wc, CAR, -SLOPE, times[here] - end)
        we, wc = we - DRAG / ENGINE * PAUSE, float(relaxed(wc, CAR, -SLOPE, PAUSE))
        k += 1
    return engine, car, impulses


def driven(ratios: tuple[float, ...], folder: Path, **options):
    path = folder / "Box.mo"
    given = "{" + ", ".join(map(repr, ratios)) + "}"
    path.write_text(
        f"{GEARBOX.read_text()}\nmodel Box\n  extends ShiftGearbox.Drive(ratio = {given});\nend Box;\n"
    )
    return fw.load(path, model="Box").simulate(stop=PERIOD * len(ratios), **options)


@pytest.mark.parametrize("tolerance", [1e-3, 1e-6, 1e-10])
def test_VAR_7_a_shift_gearbox_conserves_momentum_in_each_gear(tolerance):
    result = fw.load(GEARBOX, model="ShiftGearbox.Drive").simulate(tol=tolerance)

    times = np.asarray(result.time)
    rows = quiet(times)
    engine, car, impulses = shifted(RATIOS, times)
    allowed = 10 * tolerance + 1e-11
    assert np.abs(result["engine.w"] - engine)[rows].max() < allowed * np.abs(engine).max()
    assert np.abs(result["car.w"] - car)[rows].max() < allowed * np.abs(car).max()
    assert [e.time for e in result.events] == [
        t for k in range(5) for t in ((k + 1) * PERIOD - PAUSE, (k + 1) * PERIOD)
    ]
    ours = [(i.time, i.strength) for i in result.impulses if i.element == "engine"]
    assert [t for t, _ in ours] == [t for t, _ in impulses]
    assert [p for _, p in ours] == pytest.approx([p for _, p in impulses], rel=allowed * 10)


def test_VAR_7_each_gear_has_its_mode_and_neutral_one_more():
    result = fw.load(GEARBOX, model="ShiftGearbox.Drive").simulate()

    assert result.stats["modes visited"] == len(RATIOS) + 1
    assert result.stats["highest index"] == 2
    assert [w.code for w in result.warnings] == ["R131"]  # conservation decides: no choice (R142)


@pytest.mark.parametrize("count", [1, 10])
def test_VAR_7_any_number_of_gears(count, tmp_path):
    ratios = tuple(4.0 * 0.85**k for k in range(count))

    result = driven(ratios, tmp_path, tol=1e-8)

    times = np.asarray(result.time)
    rows = quiet(times)
    engine, car, _ = shifted(ratios, times)
    assert np.abs(result["engine.w"] - engine)[rows].max() < 1e-7 * np.abs(engine).max()
    assert np.abs(result["car.w"] - car)[rows].max() < 1e-7 * np.abs(car).max()


def test_VAR_7_two_gears_at_once_block_the_gearbox(tmp_path):
    """w = i1*v and w = i2*v leave zero only: all momentum is lost, which is said."""
    path = tmp_path / "Blocked.mo"
    text = GEARBOX.read_text()
    assert text.count("gear == k") == 1
    path.write_text(text.replace("gear == k", "gear == k or k == 2 and time >= 1"))
    result = fw.load(path, model="ShiftGearbox.Drive").simulate(stop=1.5)

    assert result.final("car.w") == pytest.approx(0.0, abs=1e-9)
    assert result.final("engine.w") == pytest.approx(0.0, abs=1e-9)
    assert "R131" in [w.code for w in result.warnings]
    assert any(i.time == 1.0 and i.element == "car" for i in result.impulses)


# ---------------------------------------------------------------- ejection seat

G, MASS, INERTIA, SPEED = 9.81, 180.0, 40.0, 200.0
LEAN, LENGTH, PUSH = 0.3, 1.2, 30000.0
THRUST, ARM, BURNING = 12000.0, 0.01, 0.4
AIR = 0.6


def left() -> tuple[float, float]:
    """When the rails end, and the speed along them."""
    a = PUSH / MASS - G * cos(LEAN)
    return sqrt(2 * LENGTH / a), sqrt(2 * LENGTH * a)


def flight(times: np.ndarray) -> dict[str, np.ndarray]:
    end, v = left()
    s = 0.5 * (v / end) * np.minimum(times, end) ** 2
    x, y, phi = SPEED * times - s * sin(LEAN), s * cos(LEAN), np.zeros_like(times)
    burnt = np.clip(times - end, 0.0, BURNING)
    free = np.clip(times - end, 0.0, None)
    coasting = np.clip(times - end - BURNING, 0.0, None)
    pushed = THRUST / MASS * (burnt**2 / 2 + burnt * coasting)
    x = x - (v * free + pushed) * sin(LEAN)
    y = y + (v * free + pushed) * cos(LEAN) - G * free**2 / 2
    phi = THRUST * ARM / INERTIA * (burnt**2 / 2 + burnt * coasting)
    return {"seat.x": x, "seat.y": y, "seat.phi": phi}


@pytest.mark.parametrize("tolerance", [1e-3, 1e-6, 1e-10])
def test_VAR_7_an_ejection_seat_leaves_its_rails(tolerance):
    result = fw.load(SEAT, model="EjectionSeat.Ejection").simulate(tol=tolerance)

    end, v = left()
    for name, exact in flight(np.asarray(result.time)).items():
        error = np.abs(result[name] - exact).max()
        assert error < 10 * tolerance * max(1.0, np.abs(exact).max()) + 1e-11, name
    assert [e.time for e in result.events] == pytest.approx([end, end + BURNING], rel=1e-9)
    assert list(result.warnings) == []
    assert list(result.impulses) == []
    at = np.flatnonzero(np.asarray(result.time) == result.events[0].time)[-1]
    speed = np.hypot(result["seat.vx"][at] - SPEED, result["seat.vy"][at])
    assert speed == pytest.approx(v, rel=1e-8 + 10 * tolerance)


def test_VAR_7_the_rails_bear_what_their_second_derivatives_say():
    """One degree of freedom, then three: index 3, then 0."""
    result = fw.load(SEAT, model="EjectionSeat.Ejection").simulate(tol=1e-8)

    times = np.asarray(result.time)
    inside = (times > 0) & (times < 0.999 * left()[0])
    across = result["rails.across"]
    assert across[inside] == pytest.approx(MASS * G * sin(LEAN), rel=1e-6)
    assert across[times > 1.001 * left()[0]] == pytest.approx(0.0, abs=1e-9)
    assert np.abs(result["rails.d"][times < left()[0]]).max() < 1e-9
    assert result.stats["highest index"] == 3
    assert result.stats["modes visited"] == 2


@pytest.mark.parametrize("tolerance", [1e-4, 1e-7, 1e-10])
def test_VAR_7_a_seat_with_drag_passes_the_tail(tolerance):
    result = fw.load(SEAT, model="EjectionSeat.EjectionWithDrag").simulate(tol=tolerance)

    end, v = left()

    def rates(burns: bool):
        def right(t, s):
            _, _, vx, vy = s
            speed = np.hypot(vx, vy)
            force = THRUST if burns else 0.0
            return [
                vx,
                vy,
                (-force * sin(LEAN) - AIR * speed * vx) / MASS,
                (force * cos(LEAN) - AIR * speed * vy) / MASS - G,
            ]

        return right

    state = [
        SPEED * end - LENGTH * sin(LEAN),
        LENGTH * cos(LEAN),
        SPEED - v * sin(LEAN),
        v * cos(LEAN),
    ]
    times = np.asarray(result.time)
    options = {"method": "DOP853", "rtol": 1e-12, "atol": 1e-12, "dense_output": True}
    first = solve_ivp(rates(True), (end, end + BURNING), state, **options)
    second = solve_ivp(rates(False), (end + BURNING, 1.5), first.y[:, -1], **options)
    allowed = 20 * tolerance
    for part, begin, stop in ((first, end, end + BURNING), (second, end + BURNING, 1.5)):
        here = (times > begin + 1e-9) & (times < stop - 1e-9)
        exact = part.sol(times[here])
        for row, name in enumerate(("seat.x", "seat.y", "seat.vx", "seat.vy")):
            error = np.abs(result[name][here] - exact[row]).max()
            assert error < allowed * np.abs(exact[row]).max() + 1e-9, name
    # 18 m behind, where a tail of 3.6 m stands, the seat is higher
    above = np.interp(18.0, result["behind"], result["seat.y"])
    assert above > 3.6


def test_VAR_7_the_gearbox_forgets_no_exponential():
    """The judge itself: a run of one gear by the formula of its differential equation."""
    joint = 3.6 * ENGINE * 150 / (3.6**2 * ENGINE + CAR)
    end = (3.6 * TORQUE - SLOPE) / RESISTANCE
    wanted = end + (joint - end) * exp(-RESISTANCE / (CAR + 3.6**2 * ENGINE))

    assert shifted((3.6,), np.array([1.0]))[1][0] == pytest.approx(wanted, rel=1e-14)
