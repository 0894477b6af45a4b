"""DSblocks in C: the right side, crossing functions and events drive an integrator of SciPy."""

import ctypes

import numpy as np
import pytest
from dsblock_driver import Block, built, pointer, slots_in_c
from export_models import (
    ALL,
    EVENTS,
    assert_same_curves,
    grid_of,
    model_of,
    ours,
    smooth_ones_are_long,
    watched,
)
from hybrid_integrator import integrate
from sksundae.ida import IDA

from freewheel.export import ExportOptions, export_model
from freewheel.export.draft import program_as_listed

WARNINGS = ("-Wall", "-Wextra", "-Werror", "-std=c99")


def block(tmp_path, name, form="ode"):
    options = ExportOptions(form=form)
    ((file, text),) = export_model(model_of(name), "dsblock-c", options).items()
    source = tmp_path / file
    source.write_text(text)
    variables = program_as_listed(model_of(name), options).variables
    return Block(built("gcc", source, *WARNINGS), source.stem, slots_in_c(text), variables)


@pytest.mark.parametrize("name", smooth_ones_are_long(ALL))
def test_the_ode_form_gives_our_curves(tmp_path, name):
    made = block(tmp_path, name)
    times, rows = integrate(made, *grid_of(name))

    assert_same_curves(name, times, {v: made.curve(rows, v) for v in watched(name)})


@pytest.mark.parametrize("name", ["implicit", "coupled", "circuit", "rectifier"])
def test_the_dae_form_is_solved_by_our_curves(tmp_path, name):
    """Residuals of the DAE vanish along what the ODE form computes, loops included."""
    made = block(tmp_path, name, "dae")
    y = made.start()
    made.demand(2, 0.0)
    assert np.abs(made.f[: made.states + made.algebraic]).max() < 1e-9
    made.x[: made.states + made.algebraic] += 1e-3

    made.demand(2, 0.0)

    assert np.abs(made.f).max() > 1e-6
    assert len(y) == made.states


@pytest.mark.parametrize("name", ["implicit", "started"])
def test_a_dae_solver_gives_our_curves_from_the_dae_form(tmp_path, name):
    made = block(tmp_path, name, "dae")
    made.start()
    size = made.states + made.algebraic

    def residuals(t, y, yp, res):
        made.x[:size], made.xd[: made.states] = y, yp[: made.states]
        made.demand(2, t)
        res[:] = made.f[:size]

    solver = IDA(
        residuals, algebraic_idx=list(range(made.states, size)), rtol=1e-9, atol=1e-11,
        max_num_steps=20000,
    )  # fmt: skip
    slopes = np.concatenate([made.xd[: made.states], np.zeros(made.algebraic)])
    stop, interval = grid_of(name)
    times = np.arange(0.0, stop + interval / 2, interval)
    found = solver.solve(times, made.x[:size].copy(), slopes)
    states = [s.name for s in model_of(name).compiled().state_infos]
    result = ours(name)
    for k, state in enumerate(states):
        here = np.interp(found.t, result["time"], result[state])
        assert np.abs(found.y[:, k] - here).max() < 2e-5 * max(1.0, np.abs(here).max())


@pytest.mark.parametrize("name", EVENTS)
def test_there_is_a_pair_of_crossing_functions_per_relation(tmp_path, name):
    made = block(tmp_path, name)
    relations = program_as_listed(model_of(name), ExportOptions()).relations

    assert len(made.qzp) == len(made.qzn) == len(relations)


def test_a_residual_that_is_zero_stands_between_its_crossing_functions(tmp_path):
    made = block(tmp_path, "bouncing")
    made.start()
    made.demand(4, 0.0)
    assert made.qzp[0] == made.qzn[0] == 1.0  # the height: not zero
    made.x[0] = 0.0

    made.demand(5, 0.0)
    made.demand(4, 0.0)

    assert made.qzp[0] == 1e-38
    assert made.qzn[0] == -1e-38


def test_parameters_can_be_changed_in_the_work_array(tmp_path):
    made = block(tmp_path, "bouncing")
    made.work[made.slots["g"]] = 2.0
    made.start()

    made.demand(2, 0.0)

    assert made.xd[1] == -2.0
    assert isinstance(pointer(made.work), ctypes._Pointer)


def test_an_output_that_is_a_constant_has_its_place(tmp_path):
    made = block(tmp_path, "named")
    made.start()

    made.demand(3, 0.0)

    assert made.y[:3] == pytest.approx([3.0, -1.0, 10.0])
