"""Random networks and drive trains with parameters that a run sets to zero.

Each must do what the same model with the zeros written in it does, and what numpy says where the equations
have one solution.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from random import Random

import numpy as np
import pytest
from zero_networks import Network, Train, random_network, random_train

import freewheel as fw
from freewheel.base.diagnostics import FreewheelError
from freewheel.result.store import Result

FAST, ALL = 8, 150  # of each kind
STOP = 1.0
TOLERANCE = 1e-9
AGREE = 1e-5  # of the largest value; the tolerance adds up over a run
KINDS = {"resistors": "RRA", "storages": "RRRAGCL"}
TOLD = (
    "E003",
    "E031",
    "E037",
    "E038",
    "R122",
    "R123",
)  # equations without a solution, or with many


def ran(path: Path, text: str, params: Mapping[str, float]) -> Result | str:
    """The result, or the code of what is wrong."""
    path.write_text(text)
    try:
        return fw.load(path).simulate(params=dict(params), stop=STOP, tol=TOLERANCE)
    except FreewheelError as failure:
        return failure.diagnostics[0].code


def both(path: Path, model: Network | Train, zeros: list[str]) -> tuple[Result | str, Result | str]:
    given = ran(path, model.text({}), {f"{name}.k": 0.0 for name in zeros})
    return given, ran(path, model.text(dict.fromkeys(zeros, 0.0)), {})


def some(model: Network | Train, seed: int) -> list[str]:
    random = Random(seed + 1)
    return random.sample(model.names, min(len(model.names), random.choice((1, 1, 2, 3))))


def same(given: Result, written: Result) -> None:
    for name in written.names():
        a, b = given.final(name), written.final(name)
        assert abs(a - b) <= AGREE * max(1.0, abs(b)), name


def judge_network(path: Path, seed: int, kinds: str) -> str:
    network = random_network(seed, kinds)
    zeros = some(network, seed)
    if not network.is_regular(()):
        return "never solvable"
    given, written = both(path, network, zeros)
    if isinstance(given, str) or isinstance(written, str):
        assert given == written
        assert given in TOLD
        assert not network.is_regular(zeros)
        return "told"
    same(given, written)
    if not network.is_regular(zeros):
        return "one of many"
    pins = {getattr(e, pin): f"{e.name}.{pin}.v" for e in network.elements for pin in "pn"}
    names = [pins[k] for k in range(1, network.nodes)] + [f"{e.name}.i" for e in network.elements]
    first, last = (np.array([given[name][k] for name in names]) for k in (0, -1))
    expected = network.solved(zeros, first, STOP, 200)
    assert np.abs(last - expected).max() <= AGREE * max(1.0, np.abs(expected).max())
    return "right"


def judge_train(path: Path, seed: int) -> str:
    train = random_train(seed)
    given, written = both(path, train, some(train, seed))
    if isinstance(given, str) or isinstance(written, str):
        assert given == written
        assert given in TOLD
        return "told"
    same(given, written)
    return "right"


@pytest.mark.parametrize("kinds", KINDS)
@pytest.mark.parametrize("seed", range(FAST))
def test_networks(tmp_path: Path, seed: int, kinds: str) -> None:
    judge_network(tmp_path / "network.mo", seed, KINDS[kinds])


@pytest.mark.parametrize("seed", range(FAST))
def test_drive_trains(tmp_path: Path, seed: int) -> None:
    judge_train(tmp_path / "train.mo", seed)


@pytest.mark.long
@pytest.mark.parametrize("kinds", KINDS)
def test_all_networks(tmp_path: Path, kinds: str) -> None:
    found = [judge_network(tmp_path / "network.mo", k, KINDS[kinds]) for k in range(ALL)]

    assert found.count("right") > ALL / 2


@pytest.mark.long
def test_all_drive_trains(tmp_path: Path) -> None:
    found = [judge_train(tmp_path / "train.mo", k) for k in range(ALL)]

    assert found.count("right") > ALL / 2
