"""`Modelica.Blocks.Continuous.Filter` against the poles and frequency responses of SciPy."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import signal

import freewheel as fw

DROP = 10 ** (-3 / 20)  # the gain of -3 dB
FAMILIES = ("CriticalDamping", "Bessel", "Butterworth", "ChebyshevI")


def text(family: str, kind: str, order: int, more: str = "", u: str = "0") -> str:
    types = "Modelica.Blocks.Types"
    return f"""model M
      Modelica.Blocks.Continuous.Filter f(
        analogFilter={types}.AnalogFilter.{family}, filterType={types}.FilterType.{kind},
        order={order}, f_cut=3, f_min=2{more});
    equation
      f.u = {u};
    end M;"""


def run(tmp_path, source: str, **options):
    path = tmp_path / "model.mo"
    path.write_text(source)
    return fw.load(path).simulate(**options)


def amplitude(tmp_path, frequency: float, *args, stop: float = 12.0, **more) -> float:
    """Of the settled answer to a sine of amplitude 1, by its Fourier coefficient over the last second."""
    source = text(*args, u=f"sin(2*Modelica.Constants.pi*{frequency}*time)", **more)
    result = run(tmp_path, source, stop=stop, tol=1e-9, interval=0.001)
    t = np.linspace(stop - 1, stop, 1001)[:-1]
    y = result.at("f.y", t)
    return abs(2 * np.mean(y * np.exp(-2j * np.pi * frequency * t)))


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("order", [2, 5])
def test_the_gain_at_the_cut_off_frequency(family, order, tmp_path):
    expected = np.sqrt(0.5) if family == "Butterworth" else DROP

    assert amplitude(tmp_path, 3, family, "LowPass", order) == pytest.approx(expected, abs=1e-6)
    assert amplitude(tmp_path, 3, family, "HighPass", order) == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize(
    ("family", "prototype", "orders"),
    [
        ("Bessel", lambda n: signal.besselap(n, norm="delay"), range(1, 16)),
        ("Butterworth", signal.buttap, range(1, 11)),
        ("ChebyshevI", lambda n: signal.cheb1ap(n, 1.0), range(1, 11)),
    ],
)
def test_poles(family, prototype, orders, tmp_path):
    kind = f"Modelica.Blocks.Types.AnalogFilter.{family}"
    parts = [
        f"Modelica.Blocks.Continuous.Filter f{n}(analogFilter={kind}, order={n}, f_cut=3, "
        "normalized=false, A_ripple=1, u=0);"
        for n in orders
    ]
    result = run(tmp_path, f"model M {' '.join(parts)} end M;")
    for n in orders:
        _, poles, _ = prototype(n)
        assert pole_list(result, n) == pytest.approx(sorted_poles(poles), rel=1e-9)


def pole_list(result, order: int) -> list[complex]:
    """Poles with the cut-off frequency at 1 rad/s."""
    w, name = 2 * np.pi * 3, f"f{order}"
    found = [result.final(f"{name}.r[{i + 1}]") / w + 0j for i in range(order % 2)]
    for i in range(1, order // 2 + 1):
        a, b = result.final(f"{name}.a[{i}]") / w, result.final(f"{name}.b[{i}]") / w
        found += [a + 1j * b, a - 1j * b]
    return sorted_poles(found)


def sorted_poles(poles) -> list[complex]:
    return sorted(poles, key=lambda p: (p.imag, p.real))


@pytest.mark.parametrize("order", [1, 2, 3])
def test_bands_of_butterworth_filters(order, tmp_path):
    """The upper end of the band passes half of the power, its middle all or nothing."""
    args = (tmp_path, 3, "Butterworth")
    assert amplitude(*args, "BandPass", order) == pytest.approx(np.sqrt(0.5), abs=1e-6)
    edge = amplitude(tmp_path, 50, "Butterworth", "BandStop", order)
    assert edge == pytest.approx(1, abs=0.01)
    b, a = signal.butter(order, [2, 3], "bandpass", analog=True)
    _, response = signal.freqs(b, a, [4.0])
    assert amplitude(tmp_path, 4, "Butterworth", "BandPass", order) == pytest.approx(
        abs(response[0]), abs=1e-6
    )


@pytest.mark.parametrize("family", FAMILIES)
def test_a_low_pass_begins_as_it_is_told(family, tmp_path):
    init = "Modelica.Blocks.Types.Init"
    steady = run(tmp_path, text(family, "LowPass", 3, ", gain=2", u="1"))
    output = run(
        tmp_path, text(family, "LowPass", 3, f", init={init}.InitialOutput, y_start=0.2", u="1")
    )
    state = run(
        tmp_path,
        text(family, "LowPass", 3, f", init={init}.InitialState, x_start={{0.1,0.2,0.3}}", u="1"),
    )

    assert steady["f.y"] == pytest.approx(2.0)
    assert output.at("f.y", 0) == pytest.approx(0.2)
    assert [state.at(f"f.x[{k}]", 0) for k in (1, 2, 3)] == pytest.approx([0.1, 0.2, 0.3])


def test_impossible_bands_are_refused(tmp_path):
    with pytest.raises(fw.FreewheelError, match="not complex"):
        run(tmp_path, text("Bessel", "BandPass", 9, ", normalized=false"))
    with pytest.raises(fw.FreewheelError, match="0 < f_min < f_cut"):
        run(tmp_path, text("Butterworth", "BandPass", 2).replace("f_min=2", "f_min=4"))
