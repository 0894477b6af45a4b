"""The way in: the same text each time, files that are whole, names that are clear."""

import subprocess
import sys

import pytest
from export_models import HERE, model_of

import freewheel as fw
from freewheel.export import KINDS, export_model
from freewheel.export.naming import NameRules, names_for

SUPPORTED = [kind for kind in KINDS if kind != "modelica"]


def test_the_same_model_gives_the_same_text_whatever_the_seed_of_hashes():
    code = (
        "import sys, freewheel as fw\n"
        f"model = fw.load({str(HERE)!r}, model='Sampled')\n"
        f"for kind in {SUPPORTED!r}:\n"
        "    sys.stdout.write(''.join(model.export(kind).values()))"
    )
    runs = [
        subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True,
            env={"PYTHONHASHSEED": seed, "PATH": "/usr/bin:/bin"},
        ).stdout
        for seed in ("1", "2")
    ]  # fmt: skip

    assert len(runs[0]) > 10_000
    assert runs[0] == runs[1]


def test_files_go_into_a_directory_that_is_made(tmp_path):
    texts = model_of("limited").export("json", tmp_path / "new" / "place")

    written = sorted(path.name for path in (tmp_path / "new" / "place").iterdir())
    assert written == sorted(texts)


def test_a_single_text_goes_to_a_file_of_that_name(tmp_path):
    texts = model_of("limited").export("c", tmp_path / "mine.c")

    assert (tmp_path / "mine.c").read_text() == texts["Limited.c"]
    assert [path.name for path in tmp_path.iterdir()] == ["mine.c"]


def test_a_place_that_cannot_be_made_is_told(tmp_path):
    (tmp_path / "file").write_text("")

    with pytest.raises(fw.UsageError) as failure:
        model_of("limited").export("json", tmp_path / "file" / "below")

    assert failure.value.diagnostics[0].code == "U010"


def test_options_of_the_run_go_into_the_program():
    text = model_of("limited").export("acsl", stop=3.0, interval=0.5)["Limited.csl"]

    assert "CONSTANT StopTime = 3.0" in text
    assert "CINTERVAL Cint = 0.5" in text


def test_parameters_changed_from_outside_are_in_the_text():
    changed = model_of("limited").changed({"high": "0.7"})

    assert "CONSTANT high = 0.7" in changed.export("acsl")["Limited.csl"]


def test_inputs_are_named_and_can_be_driven():
    circuit = fw.load(HERE.parents[2] / "examples" / "formula" / "circuits.mo", model="circuit")
    driven = circuit.changed({"u": "sin(1000*time)"})

    assert "! u is an input: give it a value." in circuit.export("acsl")["circuit.csl"]
    assert "u = SIN(1000.0*Time)" in driven.export("acsl", eliminate="aliases")["circuit.csl"]
    assert "/* m[v_u] = ...; */" in circuit.export("c")["circuit.c"]


@pytest.mark.parametrize(
    ("slots", "rules", "names"),
    [
        (("R2.Va", "C.Va", "L.Vb"), NameRules(dot="z", is_short=True), ("R2zVa", "CzVa", "Vb")),
        (("der(C.u)", "der(L.i)"), NameRules(dot="z", is_short=True), ("deru", "deri")),
        (("a.b[1].c", "a.b[2].c"), NameRules(), ("a_b1_c", "a_b2_c")),
        (("x", "X"), NameRules(ignores_case=True), ("x", "X_2")),
        (("if", "then"), NameRules(reserved=frozenset({"if"})), ("if_2", "then")),
        (("'a b'.c", "pre($when[1])"), NameRules(), ("a_b_c", "pre_when1")),
        (("R_actual",), NameRules(dot="z", filler=""), ("Ractual",)),
    ],
)
def test_names(slots, rules, names):
    assert names_for(slots, rules) == names


def test_every_kind_says_in_one_line_what_it_is():
    for kind, (_, _, line) in KINDS.items():
        assert 5 < len(line) < 70, kind

    assert set(export_model(model_of("limited"), "c")) == {"Limited.c"}


def test_names_of_programs_fit_their_language(tmp_path):
    long = "A" + "b" * 80
    path = tmp_path / "m.mo"
    path.write_text(
        f"model {long} Real x(start = 1, fixed = true); equation der(x) = -x; end {long};"
    )
    model = fw.load(path)

    assert list(model.export("simulink")) == [long[:63] + ".m"]
    assert f"PROGRAM {long[:31]}\n" in model.export("acsl")[long[:31] + ".csl"]
    path.write_text("model math Real x(start = 1, fixed = true); equation der(x) = -x; end math;")
    assert list(fw.load(path).export("python")) == ["math_model.py"]
