"""Parameters that make elements ideal or leaky, and models with ideal elements kept on disk."""

from __future__ import annotations

from pathlib import Path

import pytest

from freewheel.api import load
from freewheel.api.compiled_parameters import with_parameters
from freewheel.api.stored import STORED

CIRCUITS = Path(__file__).parents[1] / "structure" / "circuits.mo"


def test_zero_makes_a_diode_ideal_and_needs_a_new_translation() -> None:
    leaky = load(CIRCUITS, model="Circuits.LeakyHalfWaveL")
    assert not leaky.compiled().core.is_there
    changed, numbers = with_parameters(leaky, {"D.Ron": 0, "D.Goff": 0, "L.L": 0.02})

    assert (numbers, set(changed.numbers)) == ({"L.L": 0.02}, {"D.Ron", "D.Goff"})
    assert changed.compiled().core.is_there


def test_a_leak_makes_an_ideal_diode_ordinary() -> None:
    ideal = load(CIRCUITS, model="Circuits.HalfWaveL")
    assert ideal.compiled().core.is_there
    changed, _ = with_parameters(ideal, {"D.Ron": 1e-5, "D.Goff": "1e-5"})

    assert not changed.compiled().core.is_there


def test_another_leak_is_only_data() -> None:
    leaky = load(CIRCUITS, model="Circuits.LeakyHalfWaveL")
    params = {"D.Ron": 1e-4, "u0.phase": 0.5}

    assert with_parameters(leaky, params) == (leaky, params)


def test_ideal_and_nearly_ideal_agree() -> None:
    ideal = load(CIRCUITS, model="Circuits.HalfWaveL").simulate(stop=0.05)
    model = load(CIRCUITS, model="Circuits.LeakyHalfWaveL")
    same = model.simulate(stop=0.05, params={"D.Ron": 0, "D.Goff": 0})
    leaky = model.simulate(stop=0.05)

    assert same["C.v"][-1] == pytest.approx(ideal["C.v"][-1], rel=1e-9)
    assert leaky["C.v"][-1] == pytest.approx(ideal["C.v"][-1], rel=1e-3)


def test_the_second_run_has_its_core_from_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FREEWHEEL_CACHE", str(tmp_path))
    first, second = (load(CIRCUITS, model="Circuits.Boost") for _ in range(2))
    values = [model.simulate(stop=1e-3)["C.v"] for model in (first, second)]

    assert STORED not in first.upto("backend").seconds
    assert STORED in second.upto("backend").seconds
    assert "flat" not in second.upto("backend").products
    assert list(values[0]) == list(values[1])
