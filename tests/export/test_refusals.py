"""What a target cannot express is refused with a code, a cause and a cure."""

import pytest
from export_models import EXAMPLES, model_of

import freewheel as fw
from freewheel.export import KINDS, ExportOptions, export_model
from freewheel.export.supported import DRIVEN, ENDING

PROGRAMS = [kind for kind in KINDS if kind not in ("flat", "json", "modelica")]
LOOP = """
function f input Real x; output Real y; protected Real z;
algorithm z := x; for i in 1:3 loop z := z*x + i; end for; y := z; end f;
model Called Real x(start = 1, fixed = true); equation der(x) = -f(x); end Called;
"""
ITSELF = """
function f input Real x; output Real y;
algorithm if x > 1 then y := f(x - 1); else y := x; end if; end f;
model Called Real x(start = 1, fixed = true); equation der(x) = -f(x); end Called;
"""
FUNCTION = """
function f input Real x; output Real y; protected Real z[3];
algorithm for i in 1:3 loop z[i] := x + i; end for; y := sum(z); end f;
model Called Real x(start = 1, fixed = true); equation der(x) = -f(x); end Called;
"""
PENDULUM = """
model Cartesian parameter Real L = 1; Real x(start = 1), y, vx, vy, F;
equation der(x) = vx; der(y) = vy; der(vx) = -F*x; der(vy) = -F*y - 9.81; x^2 + y^2 = L^2;
annotation(experiment(StopTime = 1)); end Cartesian;
"""
TEXTS = """
model Texts Real x(start = 1, fixed = true); Real y;
equation der(x) = -y; y = mod(x, 0.3 + noEvent(abs(x))); end Texts;
"""


WORDS = {
    "G010": "ideal switches change the number of states",
    "G011": "looks into the past",
    "G012": "its states are chosen while it runs",
    "G013": "function `",
    "G016": "`terminate` ends a run",
}


def refused(model, kind):
    with pytest.raises(fw.CompileError) as failure:
        export_model(model, kind)
    (diagnostic,) = failure.value.diagnostics
    assert diagnostic.help
    assert f"`{kind}`" in diagnostic.message
    assert WORDS[diagnostic.code] in diagnostic.message
    return diagnostic.code


def model_from(tmp_path, text):
    path = tmp_path / "model.mo"
    path.write_text(text)
    return fw.load(path)


@pytest.mark.parametrize("kind", PROGRAMS)
def test_ideal_switches_that_change_the_states(kind):
    assert refused(fw.load(EXAMPLES / "switching" / "boost.mo"), kind) == "G010"


@pytest.mark.parametrize("kind", PROGRAMS)
def test_delays_and_pipes(kind):
    if kind not in DRIVEN:
        assert refused(fw.load(EXAMPLES / "delay_equation.mo"), kind) == "G011"
    assert refused(fw.load(EXAMPLES / "turning_pipe.mo"), kind) == "G011"


@pytest.mark.parametrize("kind", PROGRAMS)
def test_states_chosen_while_running(tmp_path, kind):
    assert refused(model_from(tmp_path, PENDULUM), kind) == "G012"


@pytest.mark.parametrize("kind", PROGRAMS)
def test_functions_that_stay_functions(tmp_path, kind):
    assert refused(model_from(tmp_path, FUNCTION), kind) == "G013"


@pytest.mark.parametrize("kind", ["desire", "simnon", "casadi"])
def test_functions_where_nothing_loops(tmp_path, kind):
    assert refused(model_from(tmp_path, LOOP), kind) == "G013"


def test_functions_that_call_themselves(tmp_path):
    assert refused(model_from(tmp_path, ITSELF), "c") == "G013"


def test_functions_in_the_dae_form_are_written_in_place(tmp_path):
    options = ExportOptions(form="dae")
    (text,) = export_model(model_from(tmp_path, LOOP), "dsblock-c", options).values()

    assert "for (k1_" in text[text.index("static int residuals") :]
    with pytest.raises(fw.CompileError) as failure:
        export_model(model_from(tmp_path, ITSELF), "dsblock-c", options)
    assert failure.value.diagnostics[0].code == "G013"


@pytest.mark.parametrize("kind", [kind for kind in PROGRAMS if kind not in ENDING])
def test_what_ends_a_run(tmp_path, kind):
    text = (
        "model Ends Real x(start = 1, fixed = true); equation der(x) = -x;"
        ' when x < 0.5 then terminate("half"); end when; end Ends;'
    )
    assert refused(model_from(tmp_path, text), kind) == "G016"


def test_an_operator_without_counterpart(tmp_path):
    text = TEXTS.replace("mod(x, 0.3 + noEvent(abs(x)))", "noEvent(mod(x, 0.3))")

    with pytest.raises(fw.CompileError) as failure:
        export_model(model_from(tmp_path, text), "desire")

    assert failure.value.diagnostics[0].code == "G017"
    assert "`mod` has no counterpart in `desire`" in failure.value.diagnostics[0].message


@pytest.mark.parametrize(
    ("kind", "options", "words"),
    [
        ("fortran", ExportOptions(), "there is no target `fortran`"),
        ("c", ExportOptions(eliminate="all"), "there is no elimination `all`"),
        ("dsblock-c", ExportOptions(form="pde"), "there is no form `pde`"),
        ("json", ExportOptions(stage="backend"), "there is no stage `backend`"),
    ],
)
def test_unknown_words_are_told_with_those_that_are_known(kind, options, words):
    with pytest.raises(fw.UsageError) as failure:
        export_model(model_of("limited"), kind, options)

    diagnostic = failure.value.diagnostics[0]
    assert diagnostic.code == "U091"
    assert diagnostic.message == words
    assert diagnostic.help.startswith("known are `")
