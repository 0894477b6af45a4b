"""The CasADi functions agree with our right side; CasADi's integrators give our curves."""

import importlib.util

import casadi as ca
import numpy as np
import pytest
from export_models import ALL, EVENTS, assert_same_curves, grid_of, model_of, watched

from freewheel.backend.load import build
from freewheel.export import ExportOptions, export_model
from freewheel.export.draft import program_as_listed

# Their unknowns are algebraic ones here; functions are refused.
WITH_LOOPS = ("implicit", "coupled", "clashing", "called", "two_block", "displayed")


def module_of(tmp_path, name):
    ((file, text),) = export_model(model_of(name), "casadi").items()
    path = tmp_path / file
    path.write_text(text)
    spec = importlib.util.spec_from_file_location(f"casadi_{name}", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    "name",
    ["circuit", "heated_room", "pendulum", "implicit", "coupled", "started", "displayed", "named"],
)
def test_integrators_of_casadi_give_our_curves(tmp_path, name):
    """Models whose statuses never change in the first half of the run."""
    module = module_of(tmp_path, name)
    made = module.model()
    x, z, u, p, q = module.start()
    stop, interval = grid_of(name)
    stop = stop / 4
    times = np.arange(0.0, stop + interval / 2, interval)
    tool = "idas" if len(z) else "cvodes"
    options = {"reltol": 1e-9, "abstol": 1e-11}
    run = ca.integrator("run", tool, made["dae"], 0.0, list(times[1:]), options)
    found = run(x0=x, z0=z, p=[*u, *p, *q])
    states = np.column_stack([np.array(x).reshape(-1, 1), np.array(found["xf"])])
    unknowns = np.column_stack([np.array(z).reshape(-1, 1), np.array(found["zf"])])
    table = np.column_stack(
        [
            np.array(made["variables"](t, states[:, k], unknowns[:, k], u, p, q)).ravel()
            for k, t in enumerate(times)
        ]
    )
    place = {row[0]: k for k, row in enumerate(module.VARIABLES)}

    assert_same_curves(name, times, {v: table[place[v]] for v in watched(name)})


@pytest.mark.parametrize("name", [n for n in ALL if n not in WITH_LOOPS])
def test_functions_agree_with_our_right_side(tmp_path, name):
    """At states a little off those of the start, with the discrete values of the start."""
    module = module_of(tmp_path, name)
    made = module.model()
    x, z, u, p, q = module.start()
    program = program_as_listed(model_of(name), ExportOptions())
    compiled = build(program, "python")
    rng = np.random.default_rng(7)
    moved = np.array(x) + 0.01 * rng.standard_normal(len(x)) * np.maximum(1.0, np.abs(x))
    memory = np.array(module.START[: len(program.start)])
    memory[program.time] = 0.37
    memory[compiled.states.slice] = moved
    for section in ("derivatives", "relations"):
        assert compiled.sections[section](memory) == 0

    rates = np.array(made["derivatives"](0.37, moved, z, u, p, q)).ravel()
    zeros = np.array(made["crossings"](0.37, moved, z, u, p, q)).ravel()

    assert rates == pytest.approx(memory[compiled.derivatives.slice], rel=1e-12, abs=1e-12)
    residuals = [memory[relation.residual] for relation in program.relations]
    assert zeros == pytest.approx(residuals, rel=1e-12, abs=1e-12)
    assert len(zeros) > 0 or name not in EVENTS or name == "sampled"
