"""The exported C program, compiled by gcc, gives our curves."""

import csv
import subprocess

import numpy as np
import pytest
from export_models import EVERY, assert_same_curves, model_of

from freewheel.export import export_model


def compiled(tmp_path, name):
    """The path of a program made from a model."""
    (text,) = export_model(model_of(name), "c").values()
    source, program = tmp_path / "model.c", tmp_path / "model"
    source.write_text(text)
    command = ["gcc", "-O1", "-std=c99", "-Wall", "-Wextra", "-Werror"]
    command += [str(source), "-lm", "-o", str(program)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return program


def run(program, *arguments):
    done = subprocess.run(
        [str(program), *arguments], capture_output=True, text=True, check=False, timeout=20
    )
    assert done.returncode == 0, done.stderr
    rows = list(csv.reader(done.stdout.splitlines()))
    table = np.array(rows[1:], dtype=float)
    return {name: table[:, k] for k, name in enumerate(rows[0])}


@pytest.mark.parametrize("name", EVERY)
def test_c_gives_our_curves(tmp_path, name):
    curves = run(compiled(tmp_path, name), "tolerance=1e-9")

    assert_same_curves(name, curves["time"], curves)


def test_parameters_and_the_end_are_arguments_of_the_program(tmp_path):
    program = compiled(tmp_path, "limited")
    curves = run(program, "high=0.5", "stop=3", "interval=0.5")

    assert curves["time"][-1] == 3.0
    assert curves["y"].max() == 0.5


def test_an_unknown_argument_is_refused(tmp_path):
    program = compiled(tmp_path, "limited")
    done = subprocess.run([str(program), "nothing=1"], capture_output=True, text=True, check=False)

    assert done.returncode == 2
    assert "nothing=1" in done.stderr


def test_the_end_of_a_run_is_an_event(tmp_path):
    curves = run(compiled(tmp_path, "stairs"))

    assert curves["late"][-2:].tolist() == [3.0, 7.0]
    assert curves["time"][-2:].tolist() == [2.0, 2.0]


def test_terminate_ends_the_run(tmp_path):
    curves = run(compiled(tmp_path, "ended"), "tolerance=1e-9")

    assert curves["time"][-1] == pytest.approx(0.5)
    assert curves["n"][-1] == 1.0


def test_inputs_are_arguments_too(tmp_path):
    curves = run(compiled(tmp_path, "driven"), "u=5", "tolerance=1e-9")

    assert curves["x"][-1] == pytest.approx(5 * (1 - np.exp(-1)))


def test_delays_look_back_at_what_was_computed(tmp_path):
    curves = run(compiled(tmp_path, "delayed"), "tolerance=1e-9")

    assert_same_curves("delayed", curves["time"], curves)


def test_a_parameter_that_it_divides_by_and_is_zero_is_told(tmp_path):
    program = compiled(tmp_path, "mass_spring_damper")
    done = subprocess.run(
        [str(program), "mass.m=0"], capture_output=True, text=True, check=False, timeout=20
    )

    assert done.returncode == 3
    assert "a parameter that is zero" in done.stderr
    assert len(done.stdout.splitlines()) == 1  # the names, no row
