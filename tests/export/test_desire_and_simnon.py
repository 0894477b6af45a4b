"""DESIRE and Simnon texts, read by interpreters of their own and integrated by SciPy, give our curves."""

import re

import numpy as np
import pytest
from desire_checker import Desire
from export_models import HERE, SMOOTH, assert_same_curves, grid_of, model_of, watched
from hybrid_integrator import integrate
from simnon_checker import Simnon

import freewheel as fw
from freewheel.export import ExportOptions, desire, export_model, simnon
from freewheel.export.draft import make_draft
from freewheel.export.naming import names_for

# Pulses have memory, which both languages lack.
MODELS = [
    *(name for name in SMOOTH if name != "mcd_fig26"),
    "coupled",
    "started",
    "limited",
    "sampled",
    "stepped",
    "summed",
    "named",
]
TARGETS = {"desire": (desire.RULES, Desire), "simnon": (simnon.RULES, Simnon)}


@pytest.mark.parametrize("kind", TARGETS)
@pytest.mark.parametrize("name", MODELS)
def test_the_text_gives_our_curves(name, kind):
    rules, read = TARGETS[kind]
    (text,) = export_model(model_of(name), kind).values()
    times, rows = integrate(read(text), *grid_of(name), tolerance=1e-8)
    draft = make_draft(model_of(name), kind, ExportOptions())
    names = names_for(draft.names, rules)

    def curve(variable):
        info = next(info for info in draft.program.variables if info.name == variable)
        values = np.array([row[names[info.slot].lower()] for row in rows])
        return info.sign * values + info.offset

    assert_same_curves(name, times, {v: curve(v) for v in watched(name)})


def test_there_are_twelve_models_and_three_with_events():
    assert len(MODELS) >= 12
    assert {"limited", "sampled", "stepped"} <= set(MODELS)


@pytest.mark.parametrize(
    ("kind", "right", "wrong"),
    [("desire", "-x - 0.2", "-x - 0.21"), ("simnon", "-x - 0.2", "-x - 0.21")],
)
def test_a_wrong_text_is_found(kind, right, wrong):
    (text,) = export_model(model_of("limited"), kind).values()
    assert right in text
    read = TARGETS[kind][1]
    times, rows = integrate(read(text.replace(right, wrong)), *grid_of("limited"), tolerance=1e-8)

    with pytest.raises(AssertionError, match="differs"):
        assert_same_curves(
            "limited", times, {v: [row[v] for row in rows] for v in watched("limited")}
        )


@pytest.mark.parametrize("kind", TARGETS)
@pytest.mark.parametrize(
    ("model", "code"),
    [
        ("Bouncing", "G016"),
        ("Hysteresis", "G016"),
        ("LeakyRectifier", "G016"),
        ("Implicit", "G015"),
    ],
)
def test_what_the_languages_cannot_express_is_refused(model, code, kind):
    with pytest.raises(fw.CompileError) as failure:
        export_model(fw.load(HERE, model=model), kind)

    assert failure.value.diagnostics[0].code == code
    assert "export to" in failure.value.diagnostics[0].help


def test_outputs_that_are_constants_or_copies_are_written():
    model = model_of("named")

    assert "\nthree = 3.0\nminus = -absz2\n" in export_model(model, "simnon")["Named.t"]
    (text,) = export_model(model, "desire").values()
    assert "\nthree=3.0\n" in text
    (text,) = export_model(model, "acsl").values()
    assert re.search("three = 3.0\n", text)
