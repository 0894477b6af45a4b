"""Runs of one model in several threads go on at the same time and give what each gives alone, bit for bit."""

from __future__ import annotations

import random
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from threading import Barrier

import pytest
from threadpoolctl import ThreadpoolController

from freewheel.api.model import Model, load, load_text
from freewheel.result.store import Result
from freewheel.runtime.blas_threads import one_thread
from freewheel.runtime.own_code import own_code

ROOT = Path(__file__).parents[2]
RUNS = 200
Params = dict[str, float]

# What machine code keeps outside of the memory: a table, a text with numbers, an array too large for
# the stack, how deep a function has called itself.
SPEAKING = """
model Speaking
  function power "calls itself"
    input Real x;
    input Integer n;
    output Real y;
  algorithm
    y := if n == 0 then 1 else x*power(x, n - 1);
  end power;
  function large "more than fits on the stack"
    input Real x;
    output Real y;
  protected
    Real a[5000];
  algorithm
    for i in 1:5000 loop
      a[i] := x + i;
    end for;
    y := a[1] - a[5000] + 4999 + a[17] - 17;
  end large;
  parameter Real k = 1;
  Modelica.Blocks.Sources.CombiTimeTable table(table=[0, 0; 0.5, k; 1, -k]);
  Real x(start=k, fixed=true), y, z;
equation
  der(x) = table.y[1] - power(x, 3) + 0.01*y;
  y = large(x + time);
  z = noEvent(if x > 0 then sqrt(x) else 0);
  assert(x < 0.9*k, "x of k = " + String(k) + " is high", AssertionLevel.warning);
end Speaking;
"""

RING = """
model Ring "a linear loop with few entries: it is factored as a sparse one"
  parameter Integer n = 80;
  parameter Real p = 4, q = 1, r = 1;
  Real s(start=1, fixed=true), x[n];
equation
  der(s) = 0.1*x[1];
  for i in 1:n loop
    (p + 0.1*s)*x[i] + (q + 0.2*s)*x[mod(i, n) + 1] + (r - 0.3*s*i/n)*x[mod(i + 6, n) + 1]
      + 0.7*x[mod(i + 30, n) + 1] = 1 + i/n;
  end for;
  annotation(experiment(StopTime=1));
end Ring;
"""


def bits(result: Result) -> tuple[bytes, ...]:
    said = [warning.message for warning in result.warnings]
    return result.data.tobytes(), repr(said).encode(), repr(len(result.events)).encode()


def run(model: Model, params: Params, **settings: str) -> tuple[bytes, ...]:
    return bits(model.simulate(params=params, **settings))


def boosts(count: int) -> list[Params]:
    draw = random.Random(1).uniform
    return [
        {"load.R": draw(50, 500), "choke.L": draw(2e-5, 2e-4), "pwm.width": draw(20, 60)}
        for _ in range(count)
    ]


def clutches(count: int) -> list[Params]:
    draw = random.Random(2).uniform
    return [{"driving.J": draw(0.5, 5), "driven.J": draw(0.5, 5)} for _ in range(count)]


def in_threads(
    jobs: Sequence[tuple[Model, Params]], threads: int = 2, **settings: str
) -> list[tuple[bytes, ...]]:
    """Each thread has its share, in an order of its own; the first ones begin together."""
    together = Barrier(threads)

    def share(k: int) -> dict[int, tuple[bytes, ...]]:
        mine = list(range(k, len(jobs), threads))
        random.Random(k).shuffle(mine)
        together.wait()
        return {i: run(*jobs[i], **settings) for i in mine}

    with ThreadPoolExecutor(threads) as pool:
        found = {i: one for part in pool.map(share, range(threads)) for i, one in part.items()}
    return [found[i] for i in range(len(jobs))]


@pytest.fixture(scope="module")
def boost() -> Model:
    return load(ROOT / "examples/switching/boost.mo")


@pytest.fixture(scope="module")
def clutch() -> Model:
    return load("Modelica.Mechanics.Rotational.Examples.ClutchEngagement")


@pytest.fixture(scope="module")
def speaking() -> Model:
    return load_text(SPEAKING)


def test_converters_and_clutches_in_two_threads(boost: Model, clutch: Model) -> None:
    pairs = zip(boosts(RUNS), clutches(RUNS), strict=True)
    jobs = [job for one, other in pairs for job in ((boost, one), (clutch, other))]

    alone = [run(*job) for job in jobs]

    assert len(set(alone)) == len(jobs)
    assert [run(*job) for job in jobs[::-1]][::-1] == alone
    assert in_threads(jobs) == alone


def test_two_runs_are_under_way_at_the_same_time(boost: Model) -> None:
    """Neither goes on before the other has begun."""
    together = Barrier(2)

    def once(params: Params) -> tuple[bytes, ...]:
        waits = iter([lambda: together.wait(timeout=60)])
        return bits(
            boost.simulate(params=params, progress=lambda share: next(waits, lambda: None)())
        )

    with ThreadPoolExecutor(2) as pool:
        found = list(pool.map(once, boosts(2)))

    assert found == [run(boost, params) for params in boosts(2)]


def test_a_run_inside_another_has_code_of_its_own(speaking: Model) -> None:
    """Whoever has the model's own code does not notice."""
    alone = run(speaking, {"k": 2.0})
    ready = speaking.compiled()

    with own_code(ready) as first, own_code(ready) as second:
        assert first is ready
        assert set(first.addresses.values()).isdisjoint(second.addresses.values())
        found = run(speaking, {"k": 2.0})

    assert found == alone
    assert b"x of k = 2" in alone[1]


@pytest.mark.parametrize("solver", ["dopri5", "rodas4", "radau", "qss2", "liqss2"])
def test_methods_in_two_threads(solver: str) -> None:
    """Jacobians and rows of copies are made while runs go on."""
    ring = load_text(RING)
    jobs = [(ring, {"p": 3.0 + i, "q": 3.0 - 0.1 * i}) for i in range(6)]
    found = in_threads(jobs, solver=solver)

    assert found == [run(*job, solver=solver) for job in jobs]


def test_copies_are_used_again(speaking: Model) -> None:
    ready = speaking.compiled()
    with own_code(ready), own_code(ready) as copy:
        pass
    with own_code(ready) as first, own_code(replace(ready, name="other")) as second:
        assert first is ready
        assert second.addresses is copy.addresses
        assert second.name == "other"


def test_tables_texts_and_functions_in_two_threads(speaking: Model) -> None:
    jobs = [(speaking, {"k": 1.0 + 0.01 * i}) for i in range(60)]
    alone = [run(*job) for job in jobs]

    assert in_threads(jobs, 4) == alone
    for k, (_, said, _) in enumerate(alone):
        assert said.count(b"x of k =") == 1, k


@pytest.mark.parametrize("backend", ["llvm", "python"])
def test_the_first_runs_may_translate(backend: str) -> None:
    """Nobody has compiled the model when both threads begin."""
    name = "Modelica.Mechanics.Rotational.Examples.ClutchEngagement"
    params = clutches(2)
    model = load(name, backend=backend)
    found = in_threads([(model, one) for one in params])

    assert found == [run(load(name, backend=backend), one) for one in params]


@pytest.mark.parametrize("solver", ["cvode", "ida"])
def test_multistep_methods_in_two_threads(clutch: Model, solver: str) -> None:
    jobs = [(clutch, params) for params in clutches(40)]
    alone = [run(*job, solver=solver) for job in jobs]

    assert in_threads(jobs, solver=solver) == alone


def test_factors_of_other_runs_are_forgotten() -> None:
    """A sparse loop keeps its pivots from call to call, of one run."""
    one, other = {"p": 1.0, "q": 10.0}, {"p": 10.0, "q": 1.0}
    fresh = run(load_text(RING), other)
    used = load_text(RING)
    run(used, one)

    assert run(used, other) == fresh
    jobs = [(used, other if i % 3 else one) for i in range(20)]
    assert in_threads(jobs) == [run(load_text(RING), one), fresh, fresh] * 6 + [
        run(load_text(RING), one),
        fresh,
    ]


def test_the_limit_of_linear_algebra_is_put_back_by_the_last() -> None:
    def threads() -> list[int]:
        return [one["num_threads"] for one in ThreadpoolController().select(user_api="blas").info()]

    before = threads()
    first, second = one_thread(), one_thread()
    first.__enter__()
    second.__enter__()
    first.__exit__(None, None, None)
    assert set(threads()) <= {1}
    second.__exit__(None, None, None)
    assert threads() == before
