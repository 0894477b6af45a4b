"""Voltage, current and power spectrum of a locomotive under phase and burst control (section 9.2).

python examples/train_spectrum.py train.png
"""

import sys

import matplotlib.pyplot as plt
import numpy as np

import freewheel as fw

PERIOD = 3 / 50  # s
FIRST, LAST = 8 * PERIOD, 24 * PERIOD  # whole bursts, after the start
CASES = (
    ("PhaseControl", "Phase control, 90 degrees", {"alpha": np.pi / 2}, 12 * PERIOD),
    ("BurstControl", "Burst control, 5 of 8 periods", {}, 20 * PERIOD),
)


def spectrum(result):
    """Frequencies, and the share of each in the mean square of the power, percent."""
    n = 16 * 240
    t = FIRST + (LAST - FIRST) * np.arange(n) / n
    c = np.abs(np.fft.rfft(np.interp(t, result["time"], result["P"])))
    c[1:] *= np.sqrt(2)
    return np.arange(len(c)) / (LAST - FIRST), 100 * c**2 / np.sum(c**2)


figure, axes = plt.subplots(2, 2, figsize=(10, 6), layout="constrained")
for (name, title, params, until), (curves, bars) in zip(CASES, axes, strict=True):
    result = fw.load(f"Hybrid.Examples.{name}").simulate(interval=PERIOD / 240, params=params)
    curves.plot(result["time"], result["v"] / 1e3, label="v [kV]")
    curves.plot(result["time"], result["i"] / 1e3, label="i [kA]")
    curves.set(title=title, xlabel="time [s]", xlim=(FIRST, until))
    curves.legend(fontsize=8, loc="lower right")
    frequency, share = spectrum(result)
    low = frequency < 100
    bars.bar(frequency[low], share[low], width=0.9)
    bars.axvline(50, color="tab:red", linewidth=1, linestyle="--")
    bars.text(51, 0.8 * share.max(), "50 Hz", color="tab:red")
    bars.set(xlabel="frequency [Hz]", ylabel="share of the mean square of P [%]")
    curves.grid(alpha=0.3)
    bars.grid(alpha=0.3)
figure.savefig(sys.argv[1] if len(sys.argv) > 1 else "train.png", dpi=90)
