"""Random signals of the embedded library: known distributions, independent of solver and steps."""

from math import erf, erfc

import numpy as np
import pytest

import freewheel

MODEL = """model N
  inner Modelica.Blocks.Noise.GlobalSeed globalSeed;
  Modelica.Blocks.Noise.UniformNoise u(samplePeriod = 0.001, y_min = -1, y_max = 3);
  Modelica.Blocks.Noise.NormalNoise n(samplePeriod = 0.001, mu = 1, sigma = 2);
  Modelica.Blocks.Noise.TruncatedNormalNoise t(samplePeriod = 0.001, y_min = -1, y_max = 3);
  Modelica.Blocks.Noise.BandLimitedWhiteNoise b(samplePeriod = 0.001, noisePower = 0.1);
  Modelica.Blocks.Noise.NormalNoise off(samplePeriod = 0.1, sigma = 1, enableNoise = false, y_off = 5);
  Real x(start = 0, fixed = true);
equation
  der(x) = n.y - 1;
end N;
"""


@pytest.fixture(scope="module")
def noisy(tmp_path_factory):
    file = tmp_path_factory.mktemp("noise") / "N.mo"
    file.write_text(MODEL, encoding="utf-8")
    return freewheel.load(file)


@pytest.fixture(scope="module")
def numbers(noisy):
    result = noisy.simulate(stop=4, interval=0.001)
    t = np.array(result["time"])
    last = np.append(np.diff(t) > 0, True)  # the row after each event
    return {name: np.array(result[f"{name}.y"])[last] for name in ("u", "n", "t", "b", "off")}


def test_distributions(numbers):
    assert numbers["u"].min() >= -1
    assert numbers["u"].max() <= 3
    assert numbers["u"].mean() == pytest.approx(1, abs=0.06)
    assert numbers["n"].mean() == pytest.approx(1, abs=0.1)
    assert numbers["n"].std() == pytest.approx(2, abs=0.08)
    assert numbers["t"].min() >= -1
    assert numbers["t"].max() <= 3
    assert numbers["t"].std() == pytest.approx(4 / 6, abs=0.03)
    assert numbers["b"].std() == pytest.approx(10, abs=0.4)
    assert set(numbers["off"]) == {5.0}


def test_neighbours_know_nothing_of_each_other(numbers):
    """Blocks differ by their names; numbers in a row are not alike."""
    n, b = numbers["n"] - 1, numbers["b"]

    assert abs(np.corrcoef(n[1:], n[:-1])[0, 1]) < 0.06
    assert abs(np.corrcoef(n, b)[0, 1]) < 0.06


def test_the_signal_does_not_depend_on_the_solver(noisy):
    rough = noisy.simulate(stop=0.5, tol=1e-3)
    fine = noisy.simulate(stop=0.5, tol=1e-9, solver="radau")

    assert rough.final("u.y") == fine.final("u.y")
    assert rough.final("n.y") == fine.final("n.y")
    assert rough.final("x") == pytest.approx(fine.final("x"), abs=1e-4)


def test_another_seed_makes_other_numbers(noisy):
    one = noisy.simulate(stop=0.1)
    other = noisy.simulate(stop=0.1, params={"globalSeed.fixedSeed": 5})

    assert one.final("u.y") != other.final("u.y")


def test_special_functions(tmp_path):
    file = tmp_path / "S.mo"
    file.write_text(
        """model S
          Real u = 6*time - 3;
          Real a = Modelica.Math.Special.erf(u); Real b = Modelica.Math.Special.erfc(3*u);
          Real c = Modelica.Math.Special.erfInv(Modelica.Math.Special.erf(u));
          Real d = Modelica.Math.Special.erfcInv(Modelica.Math.Special.erfc(u));
          Real e = Modelica.Math.Distributions.Normal.cumulative(
            Modelica.Math.Distributions.Normal.quantile(0.001 + 0.998*time, 2, 3), 2, 3);
          Real f = Modelica.Math.Distributions.TruncatedWeibull.cumulative(
            Modelica.Math.Distributions.TruncatedWeibull.quantile(time, 0.1, 2, 1, 1.5),
            0.1, 2, 1, 1.5);
        end S;""",
        encoding="utf-8",
    )
    result = freewheel.load(file).simulate(stop=1, interval=0.01)
    t, u = np.array(result["time"]), np.array(result["u"])

    assert result["a"] == pytest.approx([erf(x) for x in u], abs=2e-15)
    assert result["b"] == pytest.approx([erfc(3 * x) for x in u], rel=1e-12)
    assert result["c"] == pytest.approx(u, abs=1e-10)
    assert result["d"] == pytest.approx(u, abs=1e-10)
    assert result["e"] == pytest.approx(0.001 + 0.998 * t, abs=1e-13)
    assert result["f"] == pytest.approx(t, abs=1e-13)
