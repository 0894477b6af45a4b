"""`freewheel example`: the examples inside, listed and copied."""

from __future__ import annotations

import json

import pytest

import freewheel as fw
from freewheel.api.examples import examples, folder
from freewheel.tools.cli import execute


@pytest.fixture(autouse=True)
def empty_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def call(capsys, *words):
    code = execute(["example", *words, "--json"])
    return code, json.loads(capsys.readouterr().out)


def test_the_list_has_names_and_titles(capsys):
    _, told = call(capsys, "list")

    titles = {one["name"]: one["title"] for one in told["examples"]}
    assert titles["switching/buck"] == "Step-down converter with an ideal switch and an ideal diode"
    assert titles["dymola/ball"] == "A continuous state jumps: the ball bounces"
    assert titles["devs/waiting_line"].startswith("Customers, a waiting line and a till")
    assert all(titles.values())


def test_the_list_as_text_fits_on_lines(capsys):
    execute(["example", "list"])

    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == len(examples())
    assert max(map(len, lines)) <= 130


@pytest.mark.parametrize("name", ["rectifier", "rectifier.mo", "examples/rectifier.mo"])
def test_a_copy_is_where_the_documentation_looks_for_it(empty_folder, capsys, name):
    code, told = call(capsys, "copy", name)

    assert code == 0
    assert told["copied"][0]["file"] == "examples/rectifier.mo"
    copy = empty_folder / "examples" / "rectifier.mo"
    assert copy.read_bytes() == (folder() / "rectifier.mo").read_bytes()


def test_a_copy_goes_into_the_folder_named(empty_folder, capsys):
    call(capsys, "copy", "buck", "mine")

    assert (empty_folder / "mine" / "switching" / "buck.mo").is_file()


def test_all_are_copied_with_their_folders(empty_folder, capsys):
    code, told = call(capsys, "copy", "--all")

    files = [empty_folder / "examples" / one.file for one in examples()]
    assert code == 0
    assert len(told["copied"]) == len(files) == sum(file.is_file() for file in files)


def test_changed_files_are_left_alone_unless_forced(empty_folder, capsys):
    call(capsys, "copy", "--all")
    changed, missing = empty_folder / "examples/rc.mo", empty_folder / "examples/circuit.mo"
    changed.write_text("mine")
    missing.unlink()

    code, told = call(capsys, "copy", "--all")
    assert (code, told["diagnostics"][0]["code"]) == (2, "U129")
    assert "`examples/rc.mo` exists and differs" in told["diagnostics"][0]["message"]
    assert changed.read_text() == "mine"
    assert not missing.exists()

    assert call(capsys, "copy", "--all", "--force")[0] == 0
    assert changed.read_bytes() == (folder() / "rc.mo").read_bytes()


def test_what_is_there_already_and_equal_is_no_mistake(capsys):
    assert call(capsys, "copy", "rc")[0] == 0
    assert call(capsys, "copy", "rc")[0] == 0


@pytest.mark.parametrize(
    ("words", "code", "help"),
    [
        (["copy", "rectifer"], "U128", "did you mean `rectifier`"),
        (["copy", "bukc"], "U128", "did you mean `buck`"),
        (["copy", "nothing like it"], "U128", "freewheel example list"),
        (["copy"], "U001", "--help"),
        (["copy", "--all", "a", "b"], "U001", "--help"),
        (["remove", "rc"], "U001", "--help"),
        ([], "U001", "--help"),
    ],
)
def test_wrong_calls(capsys, words, code, help):
    exit_code, told = call(capsys, *words)

    assert (exit_code, told["diagnostics"][0]["code"]) == (2, code)
    assert help in told["diagnostics"][0]["help"]


def test_a_folder_that_cannot_be_made(empty_folder, capsys):
    (empty_folder / "taken").write_text("a file")

    assert call(capsys, "copy", "rc", "taken")[0] == 2


def test_a_model_of_the_examples_in_python():
    assert fw.example("rc").simulate().final("c.v") == pytest.approx(9.9326, abs=1e-4)
    assert repr(fw.example("starts", model="Spring")) == "Model(Spring)"


@pytest.mark.parametrize(
    ("name", "words"), [("rcc", "did you mean"), ("thermostat", "is a Python program")]
)
def test_a_name_that_is_no_model_in_python(name, words):
    with pytest.raises(fw.UsageError, match=words):
        fw.example(name)


def test_running_an_example_that_is_not_copied_tells_how(capsys):
    execute(["run", "examples/rectifier.mo", "--json"])

    told = json.loads(capsys.readouterr().out)["diagnostics"][0]
    assert told["code"] == "U002"
    assert "`freewheel example copy rectifier`" in told["help"]


@pytest.mark.parametrize(
    ("words", "help"),
    [
        (["simulate", "x.mo"], "it is called `freewheel run`"),
        (["rnu", "x.mo"], "did you mean `run`?"),
        (["circuit.mo"], "`freewheel run circuit.mo`"),
        ([], "Commands:"),
    ],
)
def test_an_unknown_command_leads_to_the_right_one(capsys, words, help):
    assert execute(words) == 2
    assert help in capsys.readouterr().err
