"""Systems whose modes have different states, in all forms and orders, against matrix exponentials."""

from __future__ import annotations

import random

import numpy as np
import pytest
from mode_systems import FORMS, ModeSystem, bent_path, draw, draw_bent

import freewheel as fw

ALLOWED = 2e-6  # of the largest value on the way


def run(text: str, stop: float, size: int, tmp_path) -> np.ndarray:
    path = tmp_path / "M.mo"
    path.write_text(text)
    result = fw.load(path).simulate(stop=stop, tol=1e-9)
    return np.array([result.final(f"x{k}") for k in range(size)])


def judge(system: ModeSystem, form: str, order: int, tmp_path) -> None:
    text = system.text(form, random.Random(order))
    found = run(text, sum(system.durations()), system.size, tmp_path)
    path = system.path()
    assert np.abs(found - path[-1]).max() < ALLOWED * max(1.0, np.abs(path).max()), text


def judge_bent(seed: int, tmp_path) -> None:
    system, bend = draw_bent(random.Random(seed))
    text = system.text(FORMS[seed % 4], random.Random(seed), bend)
    path = bent_path(system, bend)
    found = run(text, float(len(system.modes)), system.size, tmp_path)
    assert np.abs(found - path[-1]).max() < ALLOWED * max(1.0, np.abs(path).max()), text


@pytest.mark.parametrize("seed", range(40))
def test_modes_meet_their_exact_solution(seed, tmp_path):
    judge(draw(random.Random(seed)), FORMS[seed % 4], seed, tmp_path)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("seed", range(60, 63))
def test_forms_and_orders_agree(seed, form, tmp_path):
    for order in range(3):
        judge(draw(random.Random(seed)), form, order, tmp_path)


@pytest.mark.parametrize("seed", range(4))
def test_nonlinear_modes(seed, tmp_path):
    judge_bent(seed, tmp_path)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(1000, 2000))
def test_many_modes_meet_their_exact_solution(seed, tmp_path):
    judge(draw(random.Random(seed)), FORMS[seed % 4], seed, tmp_path)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(100, 200))
def test_many_nonlinear_modes(seed, tmp_path):
    judge_bent(seed, tmp_path)
