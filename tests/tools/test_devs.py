"""`freewheel devs`: from Modelica or a `.ma` file to events, files and logs."""

import json
import math
from pathlib import Path

import pytest

from freewheel.base.source import Source
from freewheel.devs.cdpp.event_files import read_events
from freewheel.devs.cdpp.log import read_log
from freewheel.tools.cli import execute

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
EC = str(EXAMPLES / "mcd_fig8.mo")

TWO_PORTS = """
model TwoPorts
  Modelica.Electrical.Analog.Sources.StepVoltage V(V=10, startTime=0.1);
  Modelica.Electrical.Analog.Basic.Resistor R(R=2);
  Modelica.Electrical.Analog.Ideal.IdealTransformer T(n=4);
  Modelica.Electrical.Analog.Basic.Capacitor C(C=0.2);
  Modelica.Electrical.Analog.Ideal.IdealGyrator G(G=0.5);
  Modelica.Electrical.Analog.Basic.Resistor R2(R=3);
  Modelica.Electrical.Analog.Basic.Capacitor C2(C=0.3);
  Modelica.Electrical.Analog.Basic.Ground g1, g2, g3;
equation
  connect(V.p, R.p); connect(R.n, T.p1); connect(T.n1, V.n); connect(V.n, g1.p);
  connect(T.p2, C.p); connect(T.n2, C.n); connect(C.n, g2.p);
  connect(C.p, G.p1); connect(C.n, G.n1);
  connect(G.p2, R2.p); connect(R2.n, C2.p); connect(C2.n, G.n2); connect(G.n2, g3.p);
end TwoPorts;
"""


def text_of(path):
    return Source.from_text(path.read_text(encoding="utf-8"), str(path))


def test_a_circuit_becomes_a_file_that_runs_the_same(tmp_path, capsys):
    first, second, model = tmp_path / "a.out", tmp_path / "b.out", tmp_path / "ec.ma"

    assert execute(["devs", EC, "--stop", "2", "--ma", str(model), "--out", str(first)]) == 0
    assert execute(["devs", str(model), "--stop", "2", "--out", str(second)]) == 0

    told = capsys.readouterr().out
    assert "mcd_fig8.mo: 6 components, 13 links;" in told
    assert second.read_text() == first.read_text().lower()
    assert read_events(text_of(first))[0] == (0.0, "v", 200.0)


@pytest.mark.parametrize("coordinator", ["classic", "parallel"])
def test_a_log_holds_every_message(tmp_path, coordinator):
    log, out = tmp_path / "run.log", tmp_path / "run.out"
    words = ["devs", EC, "--coordinator", coordinator, "--log", str(log), "--out", str(out)]

    assert execute([*words, "--stop", "1"]) == 0

    messages = read_log(text_of(log))
    leaving = [m for m in messages if m.kind == "Y" and m.target.name == "Root"]
    events = read_events(text_of(out))
    assert [(m.time, m.port.lower(), m.value) for m in leaving] == list(events)


def test_the_stop_time_is_that_of_the_model(tmp_path, capsys):
    assert execute(["devs", EC, "--json"]) == 0

    told = json.loads(capsys.readouterr().out)
    assert told["stop"] == 10.0
    assert told["components"] == 6


def test_quanta_may_be_given_by_element(tmp_path):
    model = tmp_path / "ec.ma"
    words = ["--quantum", "0.5", "--quantum", "C=0.25", "--window", "I=0.125", "--ma", str(model)]

    assert execute(["devs", EC, *words]) == 0

    text = model.read_text()
    assert "quantum : 0.25\nhystWindow : 0.25" in text
    assert "quantum : 0.5\nhystWindow : 0.125" in text


def test_transformers_and_gyrators_agree_with_the_equations_of_the_library(tmp_path):
    """Values of `freewheel run` at t = 2."""
    place, out = tmp_path / "TwoPorts.mo", tmp_path / "a.out"
    place.write_text(TWO_PORTS, encoding="utf-8")

    assert execute(["devs", str(place), "--stop", "2", "--quantum", "1e-3", "--out", str(out)]) == 0

    last = {port: value for _, port, value in read_events(text_of(out))}
    assert last["c"] == pytest.approx(1.914972683, abs=5e-3)
    assert last["c2"] == pytest.approx(6.561088640, abs=5e-3)


def test_events_from_outside_enter_a_file(tmp_path):
    model, events, out = tmp_path / "c.ma", tmp_path / "c.ev", tmp_path / "c.out"
    model.write_text(
        "[top]\ncomponents : c@QBGCapacitorFlowIn\nin : push\nout : level\n"
        "link : push f1p@c\nlink : e1p@c level\n[c]\nc : 2\nquantum : 1\nhystwindow : 1\n"
    )
    events.write_text("00:00:01:000 push 4\n00:00:02:250 push -8\n")

    words = ["devs", str(model), "--ev", str(events), "--out", str(out), "--stop", "10"]
    assert execute(words) == 0

    assert read_events(text_of(out))[:5] == (
        (0.0, "level", 0.0),
        (1.5, "level", 1.0),
        (2.0, "level", 2.0),
        (2.625, "level", 1.0),
        (2.875, "level", 0.0),
    )


DIODE = """
model M
  Modelica.Electrical.Analog.Sources.SineVoltage V(V=1, f=1);
  Modelica.Electrical.Analog.Ideal.IdealDiode D;
  Modelica.Electrical.Analog.Basic.Resistor R(R=1);
  Modelica.Electrical.Analog.Basic.Ground g;
equation
  connect(V.p, D.p); connect(D.n, R.p); connect(R.n, V.n); connect(V.n, g.p);
end M;
"""
# A state gives way: the model has an implicit part.
IDEAL = """
model M
  Modelica.Electrical.Analog.Sources.SineVoltage V(V=1, f=1);
  Modelica.Electrical.Analog.Ideal.IdealDiode D(Ron=0, Goff=0, Vknee=0);
  Modelica.Electrical.Analog.Basic.Inductor L(L=1);
  Modelica.Electrical.Analog.Basic.Ground g;
equation
  connect(V.p, D.p); connect(D.n, L.p); connect(L.n, V.n); connect(V.n, g.p);
end M;
"""
MOVED = """
model M
  import Modelica.Mechanics.Rotational.*;
  Components.Inertia J(J=1);
  Components.SpringDamper c(c=5, d=1);
  Sources.Position s(exact=true);
  Modelica.Blocks.Sources.Sine q(f=0.5);
equation
  connect(q.y, s.phi_ref); connect(s.flange, c.flange_a); connect(c.flange_b, J.flange_a);
end M;
"""
DIVIDER = """
model M
  Modelica.Electrical.Analog.Sources.ConstantVoltage V(V=1);
  Modelica.Electrical.Analog.Basic.Resistor R1(R=1), R2(R=1);
  Modelica.Electrical.Analog.Basic.Ground g;
equation
  connect(V.p, R1.p); connect(R1.n, R2.p); connect(R2.n, V.n); connect(V.n, g.p);
end M;
"""


COUPLED = """
model M
  Modelica.Electrical.Analog.Sources.StepVoltage V(V=1);
  Modelica.Electrical.Analog.Basic.Resistor R;
  Modelica.Electrical.Analog.Basic.Capacitor C1, C2;
  Modelica.Electrical.Analog.Basic.Ground g;
equation
  connect(V.p, R.p); connect(R.n, C1.p); connect(C1.p, C2.p); connect(C1.n, V.n); connect(C2.n, V.n);
  connect(V.n, g.p);
end M;
"""
SHORTED = """
model M
  Modelica.Electrical.Analog.Sources.StepVoltage V(V=1), W(V=2);
  Modelica.Electrical.Analog.Basic.Ground g;
equation
  connect(V.p, W.p); connect(V.n, W.n); connect(V.n, g.p);
end M;
"""


def last_values(path, *words):
    out = path.with_suffix(".out")
    assert execute(["devs", str(path), *words, "--out", str(out)]) == 0
    return {port: value for _, port, value in read_events(text_of(out))}


def test_an_algebraic_loop_is_solved(tmp_path):
    place = tmp_path / "M.mo"
    place.write_text(DIVIDER, encoding="utf-8")

    last = last_values(place, "--stop", "1")

    assert last["r1_f1p"] == pytest.approx(last["v"] / 2.0)


@pytest.mark.parametrize("order", ["1", "2", "3"])
def test_a_dependent_storage_is_shown_with_the_one_that_decides_it(order, tmp_path):
    """Two farad behind one ohm: 1 - exp(-1/2) after a second."""
    place = tmp_path / "M.mo"
    place.write_text(COUPLED, encoding="utf-8")

    last = last_values(place, "--stop", "1", "--quantum", "1e-3", "--order", order)

    assert last["c1"] == last["c2"]
    first = last["c1"] if order == "1" else last["c1"].at(0.0)
    assert first == pytest.approx(1.0 - math.exp(-0.5), abs=0.1 if order == "3" else 0.03)


def test_a_higher_order_has_fewer_events(tmp_path, capsys):
    counts = []
    for order in ("1", "2", "3"):
        assert execute(["devs", EC, "--order", order, "--quantum", "1e-5", "--json"]) == 0
        counts.append(json.loads(capsys.readouterr().out)["outputs"])

    assert counts[0] > 100 * counts[1] > 100 * counts[2]


def test_the_order_of_a_file_is_in_the_file(tmp_path, capsys):
    place = tmp_path / "ec.ma"
    assert execute(["devs", EC, "--order", "2", "--ma", str(place)]) == 0

    assert execute(["devs", str(place), "--order", "3"]) == 2

    assert "`--order` has no meaning" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "code", "message"),
    [
        (DIODE, "E083", "`D` is not in the library of quantized bond graphs"),
        (IDEAL, "E083", "`D` is not in the library of quantized bond graphs"),
        (MOVED, "E083", "`s` is not in the library of quantized bond graphs"),
        (SHORTED, "E113", "`W` and `V` are redundant or contradict"),
    ],
)
def test_what_cannot_be_quantized_is_named(tmp_path, capsys, text, code, message):
    place = tmp_path / "M.mo"
    place.write_text(text, encoding="utf-8")

    assert execute(["devs", str(place), "--json"]) == 1

    (told,) = json.loads(capsys.readouterr().out)["diagnostics"]
    assert told["code"] == code
    assert told["message"].startswith(message)
    assert told["labels"][0]["line"] > 1


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["--quantum", "x"], "U087"),
        (["--quantum", "Q=1"], "U087"),
        (["--quantum", "0"], "U083"),
        (["--quantum", "-1"], "U083"),
        (["--quantum", "nan"], "U083"),
        (["--quantum", "C=0"], "U083"),
        (["--window", "C=-1"], "U083"),
        (["--levels", "C=1,0"], "U083"),
        (["--levels", "C=1"], "U083"),
        (["--levels", "C=a,b"], "U087"),
        (["--levels", "0,1"], "U087"),
        (["--levels", "C=0,1", "--quantum", "C=1"], "U087"),
        (["--stop", "-1"], "U090"),
        (["--stop", "nan"], "U090"),
        (["--max-steps", "0"], "U001"),
        (["--ev", "nowhere.ev"], "U088"),
    ],
)
def test_a_wrong_call_is_told(capsys, words, code):
    assert execute(["devs", EC, *words, "--json"]) == 2

    assert json.loads(capsys.readouterr().out)["diagnostics"][0]["code"] == code


def test_a_quantum_that_cannot_be_is_told_with_its_element(capsys):
    assert execute(["devs", EC, "--quantum", "C=-2", "--json"]) == 2

    (told,) = json.loads(capsys.readouterr().out)["diagnostics"]
    assert told["message"] == "the quantizer of `C` cannot be made: its quantum is -2"


@pytest.mark.parametrize(
    ("words", "what"),
    [
        ([], "more than 1000 changes of levels"),
        (["--coordinator", "parallel"], "more than 1000 transitions"),
        (["--log", "flood.log"], "more than 1000 messages"),
    ],
)
def test_a_flood_of_events_is_stopped_and_the_element_named(
    tmp_path, monkeypatch, capsys, words, what
):
    monkeypatch.chdir(tmp_path)
    quantum = ["--quantum", "1e-9", "--max-steps", "1000"]

    assert execute(["devs", EC, *quantum, "--stop", "1", *words, "--json"]) == 3

    (told,) = json.loads(capsys.readouterr().out)["diagnostics"]
    assert told["code"] == "R204"
    assert told["message"].startswith(what)
    assert told["message"].endswith("most of them of `C`")
    assert not (tmp_path / "flood.log").exists()


def test_levels_need_not_be_equidistant(tmp_path):
    out = tmp_path / "ec.out"

    levels = ["--levels", "C=-1,0,0.001,0.003,0.01,0.03,0.1", "--window", "C=0.0005"]
    assert execute(["devs", EC, *levels, "--stop", "0.1", "--out", str(out)]) == 0

    values = [value for _, port, value in read_events(text_of(out)) if port.lower() == "c"]
    assert values == [0.0, 0.001, 0.003, 0.01, 0.03]


def test_a_file_that_says_its_quanta_takes_none_from_the_call(tmp_path, capsys):
    place = tmp_path / "x.ma"
    place.write_text("[top]\n")

    assert execute(["devs", str(place), "--quantum", "1", "--json"]) == 2
    assert json.loads(capsys.readouterr().out)["diagnostics"][0]["code"] == "U086"


CLOCK = """
from freewheel.devs import Atomic


class Clock(Atomic):
    outputs = ("tick",)

    def __init__(self, period):
        self.period = period

    def start(self):
        return 0

    def time_advance(self, state):
        return self.period

    def output(self, state):
        return (("tick", float(state)),)

    def internal(self, state):
        return state + 1


CLASSES = {"clock": lambda given: Clock(given.number("period"))}
"""


def test_a_file_may_use_classes_of_the_user(tmp_path, capsys):
    model, classes, out = tmp_path / "c.ma", tmp_path / "mine.py", tmp_path / "c.out"
    model.write_text("[top]\ncomponents : a@Clock\nout : o\nlink : tick@a o\n[a]\nperiod : 0.5\n")
    classes.write_text(CLOCK)

    words = ["devs", str(model), "--classes", str(classes), "--out", str(out)]
    assert execute(words) == 0
    assert out.read_text() == "00:00:00:500 o 0.0\n00:00:01:000 o 1.0\n"

    classes.write_text("CLASSES = 1")
    assert execute([*words, "--json"]) == 2
    assert "U089" in capsys.readouterr().out


FAILING = """
from freewheel.devs import Atomic


class Faulty(Atomic):
    outputs = ("o",)

    def start(self):
        return 0

    def time_advance(self, state):
        return 1.5

    def output(self, state):
        return (("o", 1 / state),)

    def internal(self, state):
        return state + 1


CLASSES = {"faulty": lambda given: Faulty(), "none": lambda given: None, "zero": lambda given: 1 / 0}
"""


@pytest.mark.parametrize(
    ("name", "log", "code", "message"),
    [
        (
            "faulty",
            [],
            "R206",
            "in the model `a` at t = 1.5: ZeroDivisionError: division by zero (line 15)",
        ),
        ("faulty", ["--log", "x.log"], "R206", "ZeroDivisionError: division by zero (line 15)"),
        ("zero", [], "R206", "ZeroDivisionError: division by zero (line 21)"),
        ("none", [], "N086", "the class `none` makes a NoneType, no atomic model"),
    ],
)
def test_a_class_of_the_user_that_fails_is_told_with_its_line(
    tmp_path, monkeypatch, capsys, name, log, code, message
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text(FAILING)
    (tmp_path / "x.ma").write_text(f"[top]\ncomponents : a@{name}\nout : o\nlink : o@a o\n")

    assert execute(["devs", "x.ma", "--classes", "mine.py", "--stop", "3", *log, "--json"]) != 0

    (told,) = json.loads(capsys.readouterr().out)["diagnostics"]
    assert told["code"] == code
    assert told["message"].endswith(message)


@pytest.mark.parametrize(
    "text", ["import nothing_like_this\n", "def broken(:\n", "raise OSError('x')\n"]
)
def test_a_python_file_that_fails_is_told(tmp_path, capsys, text):
    (tmp_path / "mine.py").write_text(text)
    (tmp_path / "x.ma").write_text("[top]\ncomponents : a@b\n")

    words = ["devs", str(tmp_path / "x.ma"), "--classes", str(tmp_path / "mine.py"), "--json"]
    assert execute(words) == 2

    (told,) = json.loads(capsys.readouterr().out)["diagnostics"]
    assert told["code"] == "U092"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (
            "BondGraph.Se U(effort=2*sign(time - 0.5)); BondGraph.R r(R=1); BondGraph.C c(C=1);"
            " BondGraph.Junction1 j(ni=1, no=2); equation connect(U.p, j.i[1]);"
            " connect(j.o[1], r.p); connect(j.o[2], c.p);",
            "near time 0.5 its signal jumps without an event",
        ),
        (
            "Modelica.Electrical.Analog.Sources.SineVoltage V(V=12, f=1);"
            " Modelica.Electrical.Analog.Basic.Transformer t(L1=0.3, L2=0.2, M=0.1);"
            " Modelica.Electrical.Analog.Basic.Resistor R(R=1), R2(R=3);"
            " Modelica.Electrical.Analog.Basic.Ground g, h; equation connect(V.p, R.p);"
            " connect(R.n, t.p1); connect(t.n1, V.n); connect(g.p, V.n); connect(t.p2, R2.p);"
            " connect(R2.n, t.n2); connect(h.p, t.n2);",
            "it is a field, its ports store energy together",
        ),
    ],
)
def test_what_cannot_be_quantized_tells_why(text, why, tmp_path, capsys):
    path = tmp_path / "m.mo"
    path.write_text(f"model M {text} end M;")

    assert execute(["devs", str(path)]) == 1
    printed = capsys.readouterr()
    assert "E083" in printed.err + printed.out
    assert why in printed.err + printed.out


def test_a_component_called_top_is_another_one_than_the_model(tmp_path):
    model, written, first, second = (tmp_path / name for name in ("m.mo", "m.ma", "a.out", "b.out"))
    model.write_text(
        "model M import Modelica.Electrical.Analog.*; Sources.ConstantVoltage top(V=3);"
        " Basic.Resistor out(R=1); Basic.Capacitor link(C=0.1); Basic.Ground g;"
        " equation connect(top.p, out.p); connect(out.n, link.p);"
        " connect(link.n, g.p); connect(top.n, g.p); end M;"
    )

    assert (
        execute(["devs", str(model), "--stop", "1", "--ma", str(written), "--out", str(first)]) == 0
    )
    assert execute(["devs", str(written), "--stop", "1", "--out", str(second)]) == 0

    assert second.read_text() == first.read_text()
    assert " link 2.9" in first.read_text()
