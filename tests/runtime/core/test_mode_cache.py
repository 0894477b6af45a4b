"""Modes that were analysed in a run before: met again without work, and only where nothing has changed."""

import numpy as np
import pytest

import freewheel as fw
from freewheel.pipeline import Options, compile_model
from freewheel.runtime.settings import Settings
from freewheel.runtime.simulate import simulate
from freewheel.runtime.switched_dae import mode_analysis as analyse
from freewheel.runtime.switched_dae.mode_cache import MOST_NUMBERS, KnownModes

TEXT = """
model HalfWave
  Modelica.Electrical.Analog.Sources.SineVoltage U(V=10, f=50);
  Modelica.Electrical.Analog.Basic.Inductor L(L=0.01, i(start=0, fixed=true));
  Modelica.Electrical.Analog.Ideal.IdealDiode D(Ron=0, Goff=0, Vknee=0);
  Modelica.Electrical.Analog.Basic.Resistor R(R=50);
  Modelica.Electrical.Analog.Basic.Ground ground;
equation
  connect(U.p, L.p);
  connect(L.n, D.p);
  connect(D.n, R.p);
  connect(R.n, ground.p);
  connect(U.n, ground.p);
end HalfWave;
"""


@pytest.fixture
def analysed(monkeypatch):
    """How often a mode was analysed."""
    calls = []
    whole = analyse._analysed

    def counted(*arguments):
        calls.append(1)
        return whole(*arguments)

    monkeypatch.setattr(analyse, "_analysed", counted)
    return calls


@pytest.fixture
def halfwave(tmp_path):
    path = tmp_path / "halfwave.mo"
    path.write_text(TEXT)
    model = fw.load(path)
    return compile_model(model.library, model.name, Options()).model


def test_a_second_run_knows_the_modes_of_the_first(halfwave, analysed):
    settings = Settings.of(halfwave, stop=0.05)
    first = simulate(halfwave, settings)
    assert len(analysed) == 2
    second = simulate(halfwave, settings)
    assert len(analysed) == 2
    assert second.stats["modes visited"] == first.stats["modes visited"] == 2
    assert np.array_equal(first["L.i"], second["L.i"])


def test_another_inductance_makes_other_modes(halfwave, analysed):
    settings = Settings.of(halfwave, stop=0.05)
    simulate(halfwave, settings)
    other = simulate(halfwave, Settings.of(halfwave, stop=0.05, parameters={"L.L": 0.02}))
    assert len(analysed) == 4
    fresh = halfwave.core.known.found
    kept = dict(fresh)
    fresh.clear()
    alone = simulate(halfwave, Settings.of(halfwave, stop=0.05, parameters={"L.L": 0.02}))
    assert np.array_equal(other["L.i"], alone["L.i"])
    assert len(kept) == 4


def test_what_would_take_too_much_room_is_not_kept():
    known, matrices = KnownModes(), np.eye(2)
    known.keep(matrices, "small", 8)
    known.keep(2.0 * matrices, "large", MOST_NUMBERS)
    assert known.of(matrices) == "small"
    assert known.of(2.0 * matrices) is None


LEAK = """
model Leak
  Modelica.Electrical.Analog.Sources.ConstantVoltage U(V=1);
  Modelica.Electrical.Analog.Ideal.IdealDiode D(Ron=0, Goff=0, Vknee=0);
  Modelica.Electrical.Analog.Basic.Capacitor C(C=1, v(start=2, fixed=true));
  Modelica.Electrical.Analog.Basic.Conductor G(G=1e-12);
  Modelica.Electrical.Analog.Basic.Ground ground;
equation
  connect(U.p, D.p);
  connect(D.n, C.p);
  connect(D.n, G.p);
  connect(C.n, ground.p);
  connect(G.n, ground.p);
  connect(U.n, ground.p);
end Leak;
"""


def test_what_is_rounding_in_a_short_run_is_a_leak_in_a_long_one(tmp_path, analysed):
    path = tmp_path / "leak.mo"
    path.write_text(LEAK)
    model = fw.load(path)
    simulate(model.compiled(), Settings.of(model.compiled(), stop=1e-4))
    after = simulate(model.compiled(), Settings.of(model.compiled(), stop=2e11))
    assert len(analysed) == 2
    assert after.final("C.v") == pytest.approx(2 * np.exp(-0.2), rel=1e-6)
    simulate(model.compiled(), Settings.of(model.compiled(), stop=1e-4))
    assert len(analysed) == 2
