"""Document 002, section 9.19: delays (P9.3), travelling discontinuities (R9.2), noise (R9.4)."""

from __future__ import annotations

from math import factorial

import numpy as np
import pytest

import freewheel as fw


@pytest.fixture
def model(tmp_path):
    def load(text: str, backend: str = "llvm") -> fw.Model:
        file = tmp_path / "M.mo"
        file.write_text(f"model M\n{text}\nend M;\n", encoding="utf-8")
        return fw.load(file, backend=backend)

    return load


# ---------------------------------------------------------------- EVT-14

# Equation P9.3a with a feedback loop: x2' = x1(t - 1), x1' = -x2. Neither steps nor output points
# lie one delay apart.
LOOP = """Real x1(start = 1, fixed = true); Real x2(start = 0, fixed = true);
equation der(x2) = delay(x1, 1); der(x1) = -x2;"""


def exact_x1(t):
    x = np.ones_like(t)
    for k in range(1, 15):
        x += (-1) ** k * np.maximum(t - (k - 1), 0.0) ** (2 * k) / factorial(2 * k)
    return x


@pytest.mark.parametrize(
    "solver", ["dopri5", "rkf45", "rodas4", "radau", "lobatto", "cvode", "ida"]
)
def test_EVT_14_feedback_over_a_delay_with_every_kind_of_method(model, solver):
    result = model(LOOP).simulate(stop=8, tol=1e-8, interval=0.037, solver=solver)
    t, x = np.array(result["time"]), np.array(result["x1"])

    assert np.abs(x - exact_x1(t)).max() < 2e-6


def test_EVT_14_both_backends_reach_the_tolerance(model):
    for backend in ("python", "llvm"):
        result = model(LOOP, backend).simulate(stop=8, tol=1e-8, interval=0.037)
        t, x = np.array(result["time"]), np.array(result["x1"])

        assert np.abs(x - exact_x1(t)).max() < 1e-7


# ---------------------------------------------------------------- EVT-16

NOISE = """inner Modelica.Blocks.Noise.GlobalSeed globalSeed;
Modelica.Blocks.Noise.NormalNoise wind(samplePeriod = 0.01, sigma = 1);
Real v(start = 0, fixed = true);
equation der(v) = wind.y - v;"""


def samples(result, period: float, count: int):
    t = np.array(result["time"])
    middles = (np.arange(count) + 0.5) * period
    return np.array(result["wind.y"])[np.searchsorted(t, middles)]


def test_EVT_16_noise_is_not_entangled_with_the_step_size(model):
    loaded = model(NOISE)
    runs = [
        loaded.simulate(stop=10, tol=1e-3, interval=0.001),
        loaded.simulate(stop=10, tol=1e-9, interval=0.001, solver="rodas4"),
        loaded.simulate(stop=10, interval=0.001, solver="rk4"),
    ]
    first, *others = [samples(run, 0.01, 1000) for run in runs]

    assert all(np.array_equal(first, other) for other in others)
    assert runs[0].stats["steps"] <= 3 * 1001
    assert runs[0].final("v") == pytest.approx(runs[1].final("v"), abs=1e-3)


def test_EVT_16_the_spectrum_is_flat_up_to_the_sampling_rate(model):
    result = model(NOISE).simulate(stop=40, tol=1e-3, interval=0.005)
    power = np.abs(np.fft.rfft(samples(result, 0.01, 4000)))[1:] ** 2 / 4000
    quarters = [part.mean() for part in np.array_split(power, 4)]

    assert quarters == pytest.approx([1.0] * 4, abs=0.15)


# ---------------------------------------------------------------- EVT-17


def test_EVT_17_a_front_stays_sharp_and_arrives_exactly(model):
    """A front enters at 0.3 and leaves where x has grown by one; upwind cells smear it."""
    text = """parameter Integer n = 40; Real x(start = 0, fixed = true); Real u; Real a; Real b;
        Real cell[n](each start = 0, each fixed = true); Real v = 1 + 0.5*sin(time);
        equation der(x) = v; u = if time >= 0.3 then 1 else 0;
        (a, b) = spatialDistribution(u, 0, x, true);
        der(cell[1]) = n*v*(u - cell[1]);
        for i in 2:n loop der(cell[i]) = n*v*(cell[i - 1] - cell[i]); end for;"""
    result = model(text).simulate(stop=2, tol=1e-8)
    t, b, smeared = (np.array(result[name]) for name in ("time", "b", "cell[40]"))

    def place(time: float) -> float:
        return time + 0.5 * (1 - np.cos(time))

    leaves = t[np.argmax(b)]
    assert set(b) == {0.0, 1.0}
    assert place(leaves) - place(0.3) == pytest.approx(1.0, abs=1e-9)
    assert ((smeared > 0.05) & (smeared < 0.95)).sum() > 50
    assert smeared[np.argmax(b)] == pytest.approx(0.5, abs=0.1)
