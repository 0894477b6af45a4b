"""DYM-12: nonlinear loops are torn and solved by Newton; inputs are driven by formulas or data."""

from __future__ import annotations

import numpy as np
import pytest
from classic_models import EXAMPLES
from dsblock_driver import Block, built, slots_in_c
from paper_listings import CIRCUITS, loaded
from sksundae.ida import IDA

import freewheel as fw
from freewheel.export import ExportOptions, export_model
from freewheel.export.draft import program_as_listed
from freewheel.export.residuals import implicit_form
from freewheel.structure.nodes import Loop

# Two diodes in series with a resistor: one loop of five equations, cut at one variable.
DIODES = """
model Diodes
  parameter Real Is = 1e-9, Vt = 0.025, R = 100;
  input Real u;
  Real i, u1, u2, ur, um;
equation
  i = Is*(exp(u1/Vt) - 1);
  i = 2*Is*(exp(u2/Vt) - 1);
  ur = R*i;
  um = u - ur;
  um = u1 + u2;
end Diodes;
"""


def diodes(folder):
    path = folder / "diodes.mo"
    path.write_text(DIODES)
    return fw.load(path)


def test_DYM_12_a_nonlinear_loop_is_torn(tmp_path):
    blocks = diodes(tmp_path).upto("structure").ordered.simulation.blocks
    [loop] = [block for block in blocks if isinstance(block, Loop)]

    assert not loop.is_linear
    assert len(loop.unknowns) == 5
    assert len(loop.guesses) <= 2


def test_DYM_12_newton_solves_it_for_a_formula_as_input(tmp_path):
    result = diodes(tmp_path).simulate(stop=1.0, inputs={"u": "2*time"})
    current, voltage = np.asarray(result["i"]), 2.0 * np.asarray(result.time)
    drop = 0.025 * (np.log1p(current / 1e-9) + np.log1p(current / 2e-9))

    assert current[-1] > 5e-3
    assert np.abs(drop + 100 * current - voltage).max() < 1e-6


def test_DYM_12_data_drive_an_input(tmp_path):
    (tmp_path / "u.csv").write_text("time,u\n0,0\n0.5,12\n1,12\n")

    result = loaded(CIRCUITS, "divider").simulate(stop=1.0, input_file=tmp_path / "u.csv")

    assert np.isclose(np.interp(0.25, result.time, result["y"]), 1.0)
    assert np.isclose(result["y"][-1], 2.0)


# ---------------------------------------------------------------- the DAE form of a DSblock


def unknowns(model, **options) -> tuple[list[str], list[str]]:
    """(states, algebraic unknowns) that a DAE solver is given."""
    program = program_as_listed(model, ExportOptions(form="dae", **options))
    form = implicit_form(program, "dsblock-c")
    assert form.count == len(program.state_slots) + len(form.algebraic)
    return [s.name for s in program.state_slots], [program.names[k] for k in form.algebraic]


# A diode with a series resistor charges a capacitor: a loop of three equations, cut at one variable.
CHARGED = """
model Charged
  model Capacitor Real u(start=0, fixed=true), i; equation der(u) = 1e3*i; end Capacitor;
  model Diode Real u, i; equation i = 1e-9*(exp(u/0.025) - 1); end Diode;
  Capacitor C;
  Diode D;
  Real ur;
equation
  ur = 100*D.i;
  D.u + ur + C.u = sin(time);
  C.i = D.i;
end Charged;
"""


def superheater(state: str | None = None) -> fw.Model:
    model = fw.load(EXAMPLES / "superheater.dym")
    return model if state is None else model.changed({f"{state}.stateSelect": "StateSelect.always"})


def test_DYM_12_only_states_and_loop_variables_are_unknowns(tmp_path):
    assert unknowns(superheater()) == (["E"], ["h"])
    assert unknowns(loaded(CIRCUITS, "circuit")) == (["C.u", "L.i"], [])
    path = tmp_path / "charged.mo"
    path.write_text(CHARGED)
    assert unknowns(fw.load(path)) == (["C.u"], ["D.u"])


def test_DYM_12_with_the_enthalpy_as_state_nothing_is_iterated_on():
    """Eq. 11: der(h) follows, the loop of der(h) and der(r) is linear."""
    states, algebraic = unknowns(superheater("h"))
    assert states == ["h"]
    assert len(algebraic) <= 1
    assert unknowns(superheater("h"), loops="formulas") == (["h"], [])


@pytest.mark.parametrize(("state", "loops"), [(None, "torn"), ("h", "torn"), ("h", "formulas")])
def test_DYM_12_a_dae_solver_runs_the_superheater(tmp_path, state, loops):
    model = superheater(state)
    options = ExportOptions(form="dae", loops=loops)
    ((file, text),) = export_model(model, "dsblock-c", options).items()
    source = tmp_path / file
    source.write_text(text)
    made = Block(
        built("gcc", source, "-Wall", "-Werror"), source.stem, slots_in_c(text),
        program_as_listed(model, options).variables,
    )  # fmt: skip
    made.start()
    size = made.states + made.algebraic

    def residuals(t, y, yp, res):
        made.x[:size], made.xd[: made.states] = y, yp[: made.states]
        made.demand(2, t)
        res[:] = made.f[:size]

    solver = IDA(residuals, algebraic_idx=list(range(made.states, size)), rtol=1e-9, atol=1e-6)
    slopes = np.concatenate([made.xd[: made.states], np.zeros(made.algebraic)])
    times = np.linspace(0.0, 100.0, 101)
    found = solver.solve(times, made.x[:size].copy(), slopes)
    ours = model.simulate(stop=100.0, interval=1.0, tol=1e-9)
    names = [s.name for s in program_as_listed(model, options).state_slots]

    assert np.allclose(found.y[:, 0], ours[names[0]], rtol=1e-6)
    made.x[:size], made.xd[: made.states] = found.y[-1], found.yp[-1, : made.states]
    made.demand(3, 100.0)  # all variables, from what the solver has found
    assert np.isclose(made.curve([made.work], "h")[0], ours["h"][-1], rtol=1e-6)
