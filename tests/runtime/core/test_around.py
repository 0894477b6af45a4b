"""An implicit core in the time loop of the house: what stands around it, and what it says."""

from __future__ import annotations

from math import exp, sqrt, tanh
from pathlib import Path

import numpy as np
import pytest

import freewheel as fw
from freewheel.base.diagnostics import SimulationError

MODELS = Path(__file__).parent / "around.mo"


def load(name: str) -> fw.Model:
    return fw.load(str(MODELS), model=f"Around.{name}")


def test_a_state_of_the_core_may_be_set_anew() -> None:
    result = load("Discharged").simulate()
    assert result.final("count") > 5
    jumps = np.flatnonzero(np.diff(result["count"]) > 0)
    assert np.allclose(result["C.v"][jumps], 6.0, rtol=1e-6)
    assert np.allclose(result["C.v"][jumps + 1], 2.0, rtol=1e-9)
    assert np.allclose(result["L.i"][jumps], result["L.i"][jumps + 1], rtol=1e-9)
    assert not result.impulses  # a reinit is no impulse


def test_what_listens_to_the_core_does_not_disturb_it() -> None:
    alone, with_others = load("Rectifier").simulate(), load("Listening").simulate()
    for t in np.arange(0.0, 0.1, 0.01):
        assert with_others.at("C.v", t) == pytest.approx(alone.at("C.v", t), abs=2e-6)
    late = [with_others.at("late", t) for t in (0.02, 0.04, 0.08)]
    assert late == pytest.approx(
        [with_others.at("C.v", t) for t in (0.015, 0.035, 0.075)], abs=1e-5
    )
    assert with_others.final("p") == pytest.approx(
        sum(with_others.final("C.v") ** k for k in (1, 2, 3))
    )


def test_inputs_move_within_the_steps_of_the_core(tmp_path: Path) -> None:
    times, values = [0.0, 0.01, 0.03, 0.05, 0.1], [0.0, 10.0, -10.0, 10.0, -20.0]
    file = tmp_path / "u.csv"
    rows = [f"{t},{u}" for t, u in zip(times, values, strict=True)]
    file.write_text("\n".join(['"time","u"', *rows]), encoding="utf-8")
    result = load("Driven").simulate(input_file=file, tol=1e-8)
    driven = np.interp(result.time, times, values)
    loop = result["L.v"] + result["D.v"] + result["R.v"]
    assert np.abs(loop - driven).max() < 1e-9
    # The first piece exactly: L i' + R i = 1000 t, i = 200 (t - tau) + 200 tau exp(-t/tau)
    tau, t = 0.01 / 5.0, 0.009
    assert result.at("L.i", t) == pytest.approx(
        200 * (t - tau) + 200 * tau * exp(-t / tau), rel=1e-6
    )
    assert (result["D.i"] > -1e-9).all()


def test_a_current_at_the_start_gives_the_flux() -> None:
    result = load("Saturating").simulate(tol=1e-8)
    assert result["i"][0] == pytest.approx(0.5, rel=1e-12)
    assert result["psi"][0] == pytest.approx(0.05 * tanh(0.25) + 0.005, rel=1e-12)
    assert np.abs(result["i"] * result["vd"]).max() < 1e-6  # it conducts or it blocks


def test_a_string_becomes_taut_where_the_ball_hangs_beside_its_way() -> None:
    result = load("FallingBall").simulate(tol=1e-8)
    (event,) = result.events
    assert event.time == pytest.approx(sqrt(2 * 0.8 / 9.81), abs=1e-9)
    speed = sqrt(2 * 9.81 * 0.8)
    after = int(np.searchsorted(result.time, event.time, side="right")) - 1
    along = 0.6 * speed  # what is left of the speed: across the string, (-0.8, -0.6)
    assert result["vx"][after] == pytest.approx(-0.8 * along, rel=1e-7)
    assert result["vy"][after] == pytest.approx(-0.6 * along, rel=1e-7)
    energy = (result["vx"] ** 2 + result["vy"] ** 2) / 2 + 9.81 * result["y"]
    assert np.abs(energy[after:] - energy[after]).max() < 1e-6 * 9.81
    assert np.abs(result["slack"][after:]).max() < 1e-9
    pull = {impulse.equation: impulse.strength for impulse in result.impulses}
    assert sorted(map(abs, pull.values())) == pytest.approx(
        [0.6 * 0.8 * speed, 0.64 * speed], rel=1e-7
    )


def test_logic_and_switches_that_chase_each_other_are_named() -> None:
    with pytest.raises(SimulationError) as failure:
        load("Restless").simulate()
    told = failure.value.diagnostics[0]
    assert told.code == "R134"
    assert "S.off" in told.message


def test_impulses_are_accepted_told_or_refused() -> None:
    model = load("Interrupted")
    flux = 1e-3 * 12.0 * (1.0 - exp(-2000.0 * 0.005))
    told = model.simulate()
    assert [(i.element, i.time) for i in told.impulses] == [("L", 0.005)]
    assert abs(told.impulses[0].strength) == pytest.approx(flux, rel=1e-6)
    assert [w.code for w in told.warnings].count("R131") == 1
    accepted = model.simulate(impulses="accept")
    assert accepted.impulses == told.impulses
    assert "R131" not in [w.code for w in accepted.warnings]
    with pytest.raises(SimulationError) as failure:
        model.simulate(impulses="error")
    assert failure.value.diagnostics[0].code == "R131"
    assert failure.value.result.time[-1] == pytest.approx(0.005)


def test_a_name_that_is_no_way_with_impulses() -> None:
    with pytest.raises(fw.UsageError):
        load("Interrupted").simulate(impulses="ignore")
