"""VAR-2: a rectifier of many levels. Twenty diodes have a million positions; those that come up are counted,
nothing else is looked at, and translation takes time in proportion to the number of elements.
"""

from __future__ import annotations

import numpy as np
import pytest
from tests.quickest import quickest

import freewheel as fw

ANALOG = "Modelica.Electrical.Analog"


def cascade(stages: int) -> str:
    """Two diodes and two capacitors in each stage (Cockcroft and Walton)."""
    parts = [
        f"{ANALOG}.Sources.SineVoltage U(V=100, f=50)",
        f"{ANALOG}.Basic.Ground ground",
        f"{ANALOG}.Basic.Resistor source(R=1), load(R=1e5)",
        'Real work(start=0, fixed=true) "of the source", lost(start=0, fixed=true) "in resistors"',
    ]
    pairs = [("U.n", "ground.p"), ("U.p", "source.p"), ("load.n", "ground.p")]
    upper, lower = "source.n", "ground.p"
    for k in range(1, stages + 1):
        parts.append(f"{ANALOG}.Basic.Capacitor A{k}(C=1e-4, v(start=0, fixed=true))")
        parts.append(f"{ANALOG}.Basic.Capacitor B{k}(C=1e-4, v(start=0, fixed=true))")
        parts.append(f"{ANALOG}.Ideal.IdealDiode D{k}(Ron=0, Goff=0, Vknee=0)")
        parts.append(f"{ANALOG}.Ideal.IdealDiode E{k}(Ron=0, Goff=0, Vknee=0)")
        pairs += [
            (upper, f"A{k}.p"),
            (lower, f"B{k}.p"),
            (lower, f"D{k}.p"),
            (f"D{k}.n", f"A{k}.n"),
        ]
        pairs += [(f"A{k}.n", f"E{k}.p"), (f"E{k}.n", f"B{k}.n")]
        upper, lower = f"A{k}.n", f"B{k}.n"
    pairs.append((lower, "load.p"))
    declared = "".join(f"  {part};\n" for part in parts)
    joined = "".join(f"  connect({a}, {b});\n" for a, b in pairs)
    balance = "  der(work) = -U.v*U.i;\n  der(lost) = source.v*source.i + load.v*load.i;\n"
    return f"model Cascade\n{declared}equation\n{joined}{balance}end Cascade;\n"


def test_VAR_2_twenty_diodes_visit_few_of_a_million_modes(tmp_path):
    path = tmp_path / "cascade.mo"
    path.write_text(cascade(10))
    r = fw.load(path).simulate(stop=0.1, interval=2e-4, tol=1e-7)
    names = [f"{letter}{k}.v" for letter in "AB" for k in range(1, 11)]
    stored = sum(1e-4 * r[name] ** 2 / 2 for name in names)
    assert r.stats["modes visited"] < 200
    assert len(r.events) > 30
    assert np.max(np.abs(r["work"] - stored - r["lost"])) < 1e-6 * np.max(r["work"])
    for k in range(1, 11):
        assert np.max(np.abs(np.minimum(np.abs(r[f"D{k}.v"]), np.abs(r[f"D{k}.i"])))) < 1e-8
        assert np.max(r[f"D{k}.v"]) < 1e-8
        assert np.min(r[f"D{k}.i"]) > -1e-8


def linear(volt: float, farad: float, ohm: float) -> str:
    """Without its meters, which make the implicit part bend."""
    lines = [line for line in cascade(10).splitlines() if "work" not in line and "lost" not in line]
    text = "\n".join(lines)
    for old, new in (
        ("V=100", f"V={volt}"),
        ("C=1e-4", f"C={farad}"),
        ("source(R=1)", f"source(R={ohm})"),
    ):
        text = text.replace(old, new)
    return text


@pytest.mark.parametrize(
    ("volt", "farad", "ohm"), [(100, 1e-4, 1), (325, 1e-5, 10), (10, 1e-3, 0.5)]
)
def test_VAR_2_stages_that_are_at_rest_stay_so(volt, farad, ohm, tmp_path):
    """Large slopes cancel in loops of capacitors without resistance; what rounding left of them in upper
    stages made diodes turn to and fro, or told of impulses."""
    path = tmp_path / "cascade.mo"
    path.write_text(linear(volt, farad, ohm))
    model = fw.load(path)

    loose, tight = (model.simulate(stop=0.1, interval=2e-4, tol=tol) for tol in (1e-6, 1e-9))

    assert abs(len(loose.events) - len(tight.events)) <= 2
    assert sum(abs(impulse.strength) for impulse in loose.impulses) < 1e-9 * farad * volt
    for k in range(1, 11):
        for name in (f"A{k}.v", f"B{k}.v"):
            assert abs(loose.final(name) - tight.final(name)) < 1e-6 * volt


def test_VAR_2_translation_takes_time_in_proportion(tmp_path):
    """Processor time; four times the diodes, less than eight times the time."""
    took = {}
    for stages in (5, 20):
        path = tmp_path / f"cascade{stages}.mo"
        path.write_text(cascade(stages))
        took[stages] = quickest(lambda path=path: fw.load(path).upto("structure"))
    assert took[20] < 8 * took[5]
