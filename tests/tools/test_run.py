"""`freewheel run` around the simulation: what it passes on, writes, prints and keeps.

The model is a stand-in, so that these tests are about the command alone.
"""

import csv
import json
from pathlib import Path

import numpy as np
import pytest

import freewheel.api
from freewheel.base.diagnostics import Diagnostic, Severity, SimulationError
from freewheel.instance.library import PackageInfo
from freewheel.result.events import Event
from freewheel.result.formats import read_result
from freewheel.result.read_csv import read_csv
from freewheel.result.read_mat import read_mat
from freewheel.result.store import Column, Result
from freewheel.tools.cli import execute
from freewheel.tools.options import read_names


def decay(stop: float = 1.0) -> Result:
    time = np.linspace(0.0, stop, 5)
    return Result(
        "Decay",
        np.array([time, np.exp(-time)]),
        [Column("x", 1, unit="V"), Column("k", -1, offset=1.0, kind="parameter")],
        events=(Event(0.5, ("x < 0.7",)),),
        warnings=(Diagnostic("R101", "a note", severity=Severity.NOTE),),
        stats={"steps": 4, "seconds": 0.25},
    )


class StandIn:
    """A model that answers with a prepared result or failure and remembers what it was asked."""

    def __init__(self, outcome: Result | SimulationError) -> None:
        self.outcome = outcome
        self.asked: dict[str, object] = {}
        if isinstance(outcome, Result):
            outcome.remarks = (Diagnostic("N009", "a remark"),)
            outcome.translation = {"flat": 0.125}

    def libraries(self) -> tuple[PackageInfo, ...]:
        place = Path("lib/Modelica/package.mo")
        return (PackageInfo("Modelica", "4.1.0", place, "MODELICAPATH", used=True),)

    def simulate(self, **asked: object) -> Result:
        self.asked = asked
        if isinstance(self.outcome, SimulationError):
            raise self.outcome
        return self.outcome


@pytest.fixture
def stand_in(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)

    def install(outcome: Result | SimulationError) -> StandIn:
        model = StandIn(outcome)
        monkeypatch.setattr(freewheel.api, "load", lambda *args, **kwargs: model)
        return model

    return install


def test_options_reach_the_simulation(stand_in):
    model = stand_in(decay())
    arguments = "--start 1 --stop 2e-3 --tol 1e-8 --interval 0.5 --solver radau --param a.R=10"
    more = ["--param", "b={1, 2}", "--input", "u=sin(100*time)", "--input-hold", "held"]
    more += ["--max-events", "50", "--impulses", "error"]
    more += ["--quantum", "1e-3,1e-6", "--quantum", "x=0.1"]

    assert execute(["run", "x.mo", *arguments.split(), *more]) == 0

    model.asked.pop("progress")
    assert model.asked == {
        "start": 1.0,
        "stop": 2e-3,
        "tol": 1e-8,
        "interval": 0.5,
        "solver": "radau",
        "quantum": ("1e-3,1e-6", "x=0.1"),
        "params": {"a.R": "10", "b": "{1, 2}"},
        "inputs": {"u": "sin(100*time)"},
        "input_file": None,
        "input_hold": "held",
        "event_log": False,
        "root_solver": None,
        "event_detection": None,
        "step_control": None,
        "max_events": 50,
        "impulses": "error",
        "bounds": None,
        "max_steps": None,
        "store": [],
        "wanted": [],
    }


def test_what_was_not_said_stays_open(stand_in):
    model = stand_in(decay())

    assert execute(["run", "x.mo"]) == 0
    assert [model.asked[key] for key in ("start", "stop", "tol", "interval")] == [None] * 4


def test_the_table_holds_every_variable(stand_in, tmp_path, capsys):
    stand_in(decay())

    assert execute(["run", "x.mo", "--out", "r.csv"]) == 0

    text = (tmp_path / "r.csv").read_text()
    rows = list(csv.reader(text.splitlines()))
    assert text.splitlines()[0] == '"time","x","k"'
    assert [float(cell) for cell in rows[-1]] == [1.0, float(np.exp(-1.0)), 1.0]
    assert capsys.readouterr().out == (
        "Decay: 0 s to 1 s, 5 points, 1 event\n"
        "  with  Modelica 4.1.0 from lib/Modelica\n"
        "  csv   r.csv\n"
    )
    assert [p.name for p in tmp_path.iterdir()] == ["r.csv"]


def test_a_picture_is_drawn(stand_in, tmp_path, capsys):
    stand_in(decay())

    assert execute(["run", "x.mo", "--plot", "x"]) == 0
    assert (tmp_path / "Decay.png").read_bytes().startswith(b"\x89PNG")
    assert "  plot  Decay.png\n" in capsys.readouterr().out


def test_a_picture_of_something_unknown_is_a_wrong_call(stand_in, capsys):
    stand_in(decay())

    assert execute(["run", "x.mo", "--plot", "y", "--json"]) == 2
    assert json.loads(capsys.readouterr().out)["diagnostics"][0]["code"] == "U030"


def test_statistics_and_events_are_told_on_demand(stand_in, capsys):
    stand_in(decay())

    assert execute(["run", "x.mo", "--stats", "--event-log"]) == 0

    text = capsys.readouterr().out
    assert "  steps                    4\n" in text
    assert "  seconds in flat          0.125\n" in text
    assert "  x < 0.7 at time = 5.000E-01.\n  Continuing after event.\n" in text


def test_json_holds_everything(stand_in, capsys):
    stand_in(decay())

    assert execute(["run", "x.mo", "--json", "--stats", "--event-log", "--out", "r.csv"]) == 0

    value = json.loads(capsys.readouterr().out)
    assert value["model"] == "Decay"
    assert (value["start"], value["stop"], value["points"]) == (0.0, 1.0, 5)
    assert value["written"] == {"csv": "r.csv"}
    assert [library["origin"] for library in value["libraries"]] == ["MODELICAPATH"]
    assert value["stats"]["steps"] == 4
    expected = {"time": 0.5, "causes": ["x < 0.7"], "rounds": 1, "changes": []}
    assert value["events"] == [expected]
    assert [d["code"] for d in value["diagnostics"]] == ["N009", "R101"]


@pytest.mark.parametrize("place", ["absent/r.csv", "."])
def test_an_output_that_cannot_be_written_is_a_wrong_call(stand_in, place, capsys):
    stand_in(decay())

    assert execute(["run", "x.mo", "--out", place]) == 2
    assert "error[U010]" in capsys.readouterr().err


def test_a_read_only_output_stays_as_it_is(stand_in, tmp_path, capsys):
    stand_in(decay())
    path = tmp_path / "r.csv"
    path.write_text("old")
    path.chmod(0o444)

    assert execute(["run", "x.mo", "--out", "r.csv"]) == 2
    assert "error[U010]: cannot write `r.csv`: the file is read-only" in capsys.readouterr().err
    assert path.read_text() == "old"


def test_a_failed_simulation_keeps_its_curves(stand_in, tmp_path, capsys):
    problem = Diagnostic("R003", "the step size becomes too small")
    stand_in(SimulationError(problem, result=decay(stop=0.5)))

    assert execute(["run", "x.mo", "--out", "r.csv"]) == 3

    text = capsys.readouterr().err
    assert "error[R003]: the step size becomes too small" in text
    assert "the curves up to time 0.5 are in r.partial.csv (csv)" in text
    assert [p.name for p in tmp_path.iterdir()] == ["r.partial.csv"]
    assert len((tmp_path / "r.partial.csv").read_text().splitlines()) == 6


def test_an_interrupted_run_is_kept_unasked_and_says_130(stand_in, tmp_path, capsys):
    stopped = Diagnostic("R009", "interrupted at time 0.5")
    stand_in(SimulationError(stopped, result=decay(stop=0.5)))

    assert execute(["run", "x.mo"]) == 130

    assert "are in Decay.partial.csv (csv)" in capsys.readouterr().err
    assert read_csv(tmp_path / "Decay.partial.csv").time[-1] == 0.5


def test_what_a_failed_run_keeps_ends_before_the_first_nan(stand_in, tmp_path):
    problem = Diagnostic("R002", "x became nan")
    good = decay()
    data = good.data.copy()
    data[1, 3:] = np.nan
    broken = Result("Decay", data, list(good.columns.values()))
    stand_in(SimulationError(problem, result=broken))

    assert execute(["run", "x.mo", "--out", "r.mat"]) == 3
    assert read_mat(tmp_path / "r.partial.mat")["x"].tolist() == good["x"][:3].tolist()


@pytest.mark.parametrize(("name", "kind"), [("r.mat", "mat"), ("r.parquet", "parquet")])
def test_the_ending_chooses_the_kind_of_file(stand_in, tmp_path, capsys, name, kind):
    stand_in(decay())

    assert execute(["run", "x.mo", "--out", name]) == 0
    assert f"  {kind:<5} {name}\n" in capsys.readouterr().out
    assert read_result(tmp_path / name)["x"].tolist() == decay()["x"].tolist()


def test_step_sizes_are_drawn(stand_in, tmp_path, capsys):
    plain = decay()
    sizes = ((0.25, 0.25), (1.0, 0.75))
    columns = list(plain.columns.values())
    stand_in(Result("Decay", plain.data, columns, step_sizes=sizes))

    assert execute(["run", "x.mo", "--plot-steps", "steps.svg"]) == 0
    assert "<svg" in (tmp_path / "steps.svg").read_text()
    assert "  steps steps.svg\n" in capsys.readouterr().out


def test_without_steps_there_is_nothing_to_draw(stand_in, capsys):
    stand_in(decay())

    assert execute(["run", "x.mo", "--plot-steps", "steps.png"]) == 2
    assert "error[U033]: no step sizes were kept" in capsys.readouterr().err


def test_a_failed_simulation_as_json(stand_in, capsys):
    stand_in(SimulationError(Diagnostic("R003", "too small")))

    assert execute(["run", "x.mo", "--json"]) == 3
    found = json.loads(capsys.readouterr().out)["diagnostics"]
    assert [(d["stage"], d["code"]) for d in found] == [("runtime", "R003")]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("a", ["a"]),
        ("a, b.c", ["a", "b.c"]),
        ("x[1,2],y[3]", ["x[1,2]", "y[3]"]),
        (" , a,,", ["a"]),
        ("a, b, a", ["a", "b"]),
        ("", []),
    ],
)
def test_names_to_plot_are_told_apart(text, names):
    assert read_names(text) == names
