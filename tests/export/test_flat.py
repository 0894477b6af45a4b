"""Flat Modelica reads back and simulates the same."""

import numpy as np
import pytest
from export_models import ALL, model_of, ours

import freewheel as fw
from freewheel.export import export_model


@pytest.mark.parametrize("name", ALL)
def test_flat_modelica_reads_back_and_simulates_the_same(tmp_path, name):
    ((file, text),) = export_model(model_of(name), "flat").items()
    (tmp_path / file).write_text(text)
    again, here = fw.load(tmp_path / file).simulate(tol=1e-9), ours(name)
    states = [info.name for info in model_of(name).compiled().state_infos]

    assert len(again["time"]) == len(here["time"])
    for state in states:
        quoted = state if "." not in state else f"'{state}'"
        assert np.allclose(
            again[quoted], here[state], rtol=1e-6, atol=1e-9 + 1e-6 * np.abs(here[state]).max()
        )
