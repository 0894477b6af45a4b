"""Wrong calls, from the command line and from Python: told before the run, with the way out."""

from __future__ import annotations

import json

import numpy as np
import pytest

import freewheel as fw
from freewheel import UsageError
from freewheel.tools.cli import execute

TANK = """
model Tank
  type Mode = enumeration(Idle, Heating);
  parameter Real area(min = 0) = 2 "Area";
  parameter Integer n = 2;
  parameter String title = "tank";
  parameter Boolean open = true;
  parameter Mode mode = Mode.Idle;
  record Size Real width = 1; Real height = 1; end Size;
  parameter Size size;
  parameter Real k[2] = {1, 2};
  final parameter Real half = 0.5;
  constant Real g = 9.81;
  input Real inflow;
  Real level(start = 1, fixed = true);
equation
  area*der(level) = inflow - half*k[1]*n*(if open then 1 else 0)*level;
end Tank;
"""

CALLS = (
    (["--plot", "levle"], "U030", "did you mean `level`"),
    (["--store", "levle"], "U030", "did you mean `level`"),
    (["--out", "r.xlsx"], "U121", ".csv"),
    (["--out", "r.h5"], "U121", ".parquet"),
    (["--out", "missing/r.csv"], "U010", "there is no folder"),
    (["--out", "."], "U010", "directory"),
    (["--plot-file", "r.doc"], "U034", "png"),
    (["--plot-steps", "missing/s.png"], "U010", "there is no folder"),
    (["--out", ""], "U001", "the name of a file is missing"),
    (["--out", "-"], "U001", "`/dev/stdout`"),
    (["--stop", "10s"], "U001", "'10s' is not a number"),
    (["--input", "u.csv"], "U005", "--input-file u.csv"),
    (["--input", "sin(time)"], "U005", "--input u=sin(time)"),
    (["--input", "inflow=sin(2*pi*time)"], "U124", "Modelica.Constants.pi"),
    (["--param", "area=1,n=3"], "U124", "an option of its own"),
    (["--param", "area=1,5"], "U124", "a decimal number has a point: 1.5"),
    (["--param", "size=3"], "U124", "it has parts: give those, `size.width`"),
    (["--param", "k[3]=1"], "U025", "`k` is an array of 2"),
    (["--param", "area"], "U005", "name=value"),
    (["--param", "aera=1"], "U025", "did you mean `area`?"),
    (["--param", "area=big"], "U124", "`big` is not declared"),
    (["--param", "area=true"], "U124", "it is a Real"),
    (["--param", "area=nan"], "U124", "a finite number"),
    (["--param", "n=1.5"], "U124", "it is an Integer"),
    (["--param", "open=3"], "U124", "true or false"),
    (["--param", "open=True"], "U124", "a Boolean is written `true`"),
    (["--param", "open=no"], "U124", "a Boolean is written `false`"),
    (["--input", "inflow=nan"], "U124", "a finite number is needed"),
    (["--input", "inflow=-Inf"], "U124", "a finite number is needed"),
    (["--param", "mode=Heatin"], "U124", "did you mean `Heating`?"),
    (["--param", "mode=3"], "U124", "Idle, Heating"),
    (["--param", "k=3"], "U124", "dimensions do not match"),
    (["--param", "level=3"], "U125", "`level.start`"),
    (["--param", "inflow=3"], "U125", "--input inflow=EXPRESSION"),
    (["--param", "half=3"], "U125", "remove `final`"),
    (["--param", "g=3"], "U125", "declare it as a parameter"),
    (["--param", "area=1", "--param", "area=2"], "U006", "keep one of them"),
    (["--input", "flow=1"], "U026", "`inflow`"),
    (["--input", "inflow=sin("], "U124", "given for `inflow`"),
    (["--input-file", "missing.csv"], "U024", "cannot be read"),
    (["--input-file", "/dev/zero"], "U024", "it is a device"),
    (["--solver", "dassl"], "U020", "`ida`"),
    (["--solver", "ode45"], "U020", "`dopri5`"),
    (["--solver", "ode15s"], "U020", "`cvode`"),
    (["--stop", "-1"], "U021", "after the start time"),
    (["--tol", "2"], "U022", "1e-6"),
    (["--interval", "0"], "U023", "500 intervals"),
    (["--stoptime", "3"], "U001", "--stop TIME"),
    (["--stop-time", "3"], "U001", "--stop TIME"),
    (["--tolerance", "3"], "U001", "--tol NUMBER"),
    (["--stop", "3s"], "U001", "--help"),
    (["--plot", "level inflow"], "U030", "by a comma"),
    (["--plot", "LEVEL"], "U030", "did you mean `level`"),
    (["--plot", "title"], "U030", "is a String"),
    (["--input", "inflow=sin(t)"], "U124", "called `time`"),
    (["--input", "inflow=data.csv"], "U124", "--input-file data.csv"),
    (["--input-file", "data.xlsx"], "U024", "cannot be read"),
    (["--max-steps", "0"], "U001", "--help"),
    (["--bounds", "maybe"], "U001", "--help"),
    (["-m", "Tnak"], "U004", "`Tank`"),
)


INPUT_FILES = (
    ("time,v\n0,1\n", "U026", "the inputs are `inflow`"),
    ("inflow\n1\n", "U024", "the first column is the time"),
    ("time;inflow\n0;1\n", "U024", "separate the columns by commas"),
    ("time\tinflow\n0\t1\n", "U024", "separate the columns by commas"),
    ("0,1\n1,2\n", "U024", "the first row names the columns"),
    ("time,inflow\n0,1\n1\n", "U024", "1 cells in row 3, the header has 2"),
    ("time,inflow\n0,high\n", "U024", "no number in row 2, column `inflow`"),
    ('time,inflow\n"0,5",1\n', "U024", "with a point"),
    ("time,inflow\n1,1\n0,1\n", "U024", "goes back in time"),
    ("time,inflow\n", "U024", "holds no data"),
    ("", "U024", "holds no data"),
)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tank.mo").write_text(TANK)
    return tmp_path


@pytest.fixture(scope="module")
def tank():
    return fw.load_text(TANK)


def run(capsys, *arguments):
    code = execute(["run", "tank.mo", *arguments, "--json"])
    return code, json.loads(capsys.readouterr().out)


@pytest.mark.parametrize(("arguments", "code", "words"), CALLS, ids=lambda x: " ".join(x))
def test_a_wrong_call_is_told_before_the_run(folder, capsys, arguments, code, words):
    exit_code, told = run(capsys, *arguments)

    first = told["diagnostics"][0]
    assert (exit_code, first["code"]) == (2, code)
    assert words in f"{first['message']} {first['help']}"
    assert [path.name for path in folder.iterdir()] == ["tank.mo"]


@pytest.mark.parametrize(("text", "code", "words"), INPUT_FILES)
def test_a_wrong_file_of_inputs(folder, capsys, text, code, words):
    (folder / "in.csv").write_text(text)

    exit_code, told = run(capsys, "--input-file", "in.csv")

    first = told["diagnostics"][0]
    assert (exit_code, first["code"]) == (2, code)
    assert words in f"{first['message']} {first['help']}"


@pytest.mark.parametrize(
    ("words", "code", "help"),
    [
        (["run", "tank"], "U003", "did you mean the file `tank.mo`?"),
        (["run", "Nowhere.Tank"], "U003", "--library"),
        (["run", "tnak.mo"], "U002", "did you mean `tank.mo`?"),
        (["check", "tank.moo"], "U003", "`tank.mo`"),
        (["run", "."], "U004", "name a .mo file"),
        (["run"], "U001", "--help"),
        (["simulate", "tank.mo"], "U001", "`freewheel run`"),
        (["tank.mo"], "U001", "`freewheel run tank.mo`"),
    ],
)
def test_a_target_or_command_that_is_none(folder, capsys, words, code, help):
    exit_code = execute([*words, "--json"])

    first = json.loads(capsys.readouterr().out)["diagnostics"][0]
    assert (exit_code, first["code"]) == (2, code)
    assert help in first["help"]


@pytest.mark.parametrize(
    ("package", "arguments"),
    [("matplotlib", ["--plot", "level"]), ("pyarrow", ["--out", "r.parquet"])],
)
def test_a_missing_package_is_told_before_the_run(folder, capsys, monkeypatch, package, arguments):
    monkeypatch.setattr("freewheel.result.frame.find_spec", lambda name: None)
    monkeypatch.setattr("freewheel.api.Model.simulate", lambda *_, **__: pytest.fail("it ran"))

    exit_code, told = run(capsys, *arguments)

    assert (exit_code, told["diagnostics"][0]["code"]) == (2, "U032")
    assert package in told["diagnostics"][0]["message"]


def test_a_failed_run_stays_one_whatever_else_is_wrong(folder, capsys, monkeypatch):
    (folder / "tank.mo").write_text(
        "model Tank Real x(start = 1, fixed = true, min = 0.9); equation der(x) = -1; "
        'assert(x > 0.5, "empty"); end Tank;'
    )

    def broken(*_):
        raise fw.UsageError(diagnostic("U010"))

    monkeypatch.setattr("freewheel.result.formats.write_result", broken)
    exit_code, told = run(capsys, "--out", "r.csv")

    assert exit_code == 3
    assert [d["code"] for d in told["diagnostics"]] == ["R120", "R170", "U010"]


def diagnostic(code):
    from freewheel.base.diagnostics import Diagnostic

    return Diagnostic(code, "the disk is full")


PYTHON_CALLS = (
    (lambda m: m.simulate(tolerance=1e-6), "use `tol=`"),
    (lambda m: m.simulate(parameters={"n": 1}), "use `params=`"),
    (lambda m: m.simulate(stop_time=1), "use `stop=`"),
    (lambda m: m.simulate(method="radau"), "use `solver=`"),
    (lambda m: m.simulate(sotp=1), "did you mean `stop=`?"),
    (lambda m: m.simulate(number_of_intervals=9), "use `interval=(stop - start)/n`"),
    (lambda m: m.simulate(10), "call it with names"),
    (lambda m: m.simulate(stop="10"), "`stop` must be a number, not str '10'"),
    (lambda m: m.simulate(max_steps=1.5), "`max_steps` must be a whole number"),
    (lambda m: m.simulate(solver=3), "`solver` must be a text"),
    (lambda m: m.simulate(params=[1]), 'params={"R1.R": 50}'),
    (lambda m: m.simulate(params={"n": None}), "parameter `n` must be a number"),
    (lambda m: m.simulate(inputs=[1]), 'inputs={"u": "sin(time)"}'),
    (lambda m: m.simulate(inputs={"inflow": object()}), "a pair (times, values)"),
    (lambda m: m.simulate(inputs={"inflow": lambda t: "x"}), "gave 'x' at time 0"),
    (lambda m: fw.load("model M\nend M;"), "load_text() takes Modelica text"),
    (lambda m: fw.load(3), "a path or the name of a class, not int"),
    (lambda m: fw.load("tank.mo", libraries=["x"]), "use `library=`"),
    (lambda m: fw.load_text(3), "takes Modelica text, not int"),
    (lambda m: fw.load_text("tank.mo"), "load() takes a path"),
    (lambda m: fw.load("tank.mo", library=3), "a path or several, not int"),
    (lambda m: fw.example(3), "named by a text, not int"),
    (lambda m: m.simulate(input_hold="cubic"), "must be one of `linear`, `held`"),
    (lambda m: m.simulate(event_log="yes"), "must be True or False, not str 'yes'"),
    (lambda m: m.simulate(progress=3), "`progress` must be a function"),
    (lambda m: m.simulate(params={"area": 1j}), "not complex 1j"),
    (lambda m: m.equations("solvd"), "must be one of `flat`, `aliases`"),
    (lambda m: m.equations(eliminate="all"), "must be one of `none`, `aliases`"),
    (lambda m: m.upto("nothing"), "must be one of `instance`, `flat`"),
    (lambda m: m.simulate(inputs={"inflow": 1.0})[0], "named by a text, not int"),
    (lambda m: m.simulate(inputs={"inflow": 1.0}).at("level", "1 s"), "times must be numbers"),
)


@pytest.mark.parametrize(("call", "words"), PYTHON_CALLS, ids=[words for _, words in PYTHON_CALLS])
def test_a_wrong_call_from_python_is_a_type_error_with_the_cure(tank, call, words):
    with pytest.raises(TypeError) as caught:
        call(tank)

    assert words in str(caught.value)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (([0, 1], [1, 2, 3]), "2 times and 3 values"),
        (([1, 0], [1, 2]), "the times decrease"),
        (([0, 1], [1, float("nan")]), "not a finite number"),
        ([1, 2, 3], "does not hold times and values"),
    ],
)
def test_wrong_data_of_an_input(tank, data, words):
    with pytest.raises(fw.UsageError) as caught:
        tank.simulate(inputs={"inflow": data})

    assert caught.value.diagnostics[0].code == "U126"
    assert words in str(caught.value)


def test_an_unknown_backend_and_too_few_steps():
    with pytest.raises(fw.UsageError) as backend:
        fw.load_text(TANK, backend="fortran")
    with pytest.raises(fw.UsageError) as steps:
        fw.load_text(TANK).simulate(max_steps=0)

    codes = [caught.value.diagnostics[0].code for caught in (backend, steps)]
    assert codes == ["U127", "U120"]


def test_a_number_of_numpy_without_dimensions_is_a_number(tank):
    result = tank.simulate(params={"area": np.array(4.0)}, inputs={"inflow": 1.0})

    assert result.final("area") == 4.0


@pytest.mark.parametrize("held", [False, True])
def test_data_that_do_not_cover_the_run_are_told(tank, held):
    def told(times):
        values = [1.0] * len(times)
        hold = "held" if held else "linear"
        result = tank.simulate(inputs={"inflow": (times, values)}, input_hold=hold)
        return [warning.code for warning in result.warnings]

    assert told([0, 1]) == []
    assert told([0.2, 1]) == ["R176"]
    assert told([0, 0.5]) == ([] if held else ["R176"])


def test_names_of_curves_are_given_one_by_one(tank):
    result = tank.simulate(inputs={"inflow": 1})
    with pytest.raises(TypeError, match="one by one"):
        result.plot(["level", "inflow"])


def test_a_file_of_results_that_is_not_there():
    with pytest.raises(fw.UsageError) as caught:
        fw.read_result("missing.csv")

    assert caught.value.diagnostics[0].code == "U002"


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("title", 3, 'it is a String: a text, as "3"'),
        ("area", True, "it is a Real: a number"),
        ("pipe[1].start", 1, "its start values are `pipe.start`"),
        ("k[3]", 1, "`k` is an array of 2"),
    ],
)
def test_values_in_python_are_told_by_type(name, value, words):
    with pytest.raises(UsageError) as caught:
        fw.load_text(TANK.replace("equation", "Real pipe[2]; equation pipe = k*level;")).simulate(
            params={name: value}
        )
    assert words in str(caught.value)


def test_a_text_of_digits_is_a_text():
    assert fw.load_text(TANK).simulate(params={"title": "3"}).texts["title"] == "3"


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("Modelica.Blocks.Examples.PID_Controller", "give its folder with `--library DIR`"),
        ("Modelica.Blocks.Examples.PID_Controler", "did you mean `PID_Controller`? The Modelica"),
        ("Modelica.Media.Water", "the Modelica Standard Library 4.1.0 has `Modelica.Media`"),
        ("Modelica.Blocks.Continous.PID", "did you mean `Continuous`?"),
    ],
)
def test_a_class_of_the_real_standard_library_is_known(name, words, capsys):
    assert execute(["run", name]) == 1
    assert words in capsys.readouterr().err
