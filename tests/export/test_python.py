"""The exported Python module runs over NumPy alone and gives our curves."""

import importlib.util
import subprocess
import sys

import numpy as np
import pytest
from export_models import ALL, assert_same_curves, model_of, smooth_ones_are_long

from freewheel.export import export_model


def module_of(tmp_path, name):
    ((file, text),) = export_model(model_of(name), "python").items()
    path = tmp_path / file
    path.write_text(text)
    spec = importlib.util.spec_from_file_location(f"exported_{name}", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", smooth_ones_are_long(ALL))
def test_python_gives_our_curves(tmp_path, name):
    curves = module_of(tmp_path, name).simulate(tolerance=1e-8)

    assert_same_curves(name, curves["time"], curves)


def test_parameters_are_arguments(tmp_path):
    curves = module_of(tmp_path, "bouncing").simulate(stop=0.5, g=0.0)

    assert curves["h"].max() == curves["h"].min() == 1.0


def test_it_imports_nothing_but_numpy_and_the_standard_library(tmp_path):
    (text,) = export_model(model_of("limited"), "python").values()
    (tmp_path / "limited.py").write_text(text)
    code = "import sys, limited; print(any(m.startswith('freewheel') for m in sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False
    )

    assert done.stdout.strip() == "False", done.stderr


def test_terminate_ends_the_run(tmp_path):
    curves = module_of(tmp_path, "ended").simulate()

    assert curves["time"][-1] == pytest.approx(0.5)
    assert curves["n"][-1] == 1.0


def test_inputs_are_arguments_too(tmp_path):
    curves = module_of(tmp_path, "driven").simulate(u=5, tolerance=1e-9)

    assert curves["x"][-1] == pytest.approx(5 * (1 - np.exp(-1)))


def test_delays_look_back_at_what_was_computed(tmp_path):
    module = module_of(tmp_path, "delayed")
    for _ in range(2):  # a second run begins without a past
        curves = module.simulate(tolerance=1e-8)

        assert_same_curves("delayed", curves["time"], curves)


def test_a_parameter_that_it_divides_by_and_is_zero_is_told(tmp_path):
    module = module_of(tmp_path, "mass_spring_damper")

    with pytest.raises(ArithmeticError, match=r"parameters that are zero: .*mass\.m"):
        module.simulate(**{"mass.m": 0.0})
