"""`freewheel check`: components with open connectors, and every class of a library."""

from __future__ import annotations

import json
import os

import pytest

from freewheel.api.model import Model
from freewheel.tools import progress
from freewheel.tools.cli import execute

MSL = os.environ.get("FREEWHEEL_MSL")
LIBRARIES = {"ours": (), **({"MSL": ("--library", MSL)} if MSL else {})}
EMBEDDED = ("Modelica", "BondGraph", "Hybrid", "PetriNets", "Complex")
# Wrong by the rule that a connector has as many flows as potentials: two Booleans without a direction.
UNBALANCED_IN_MSL = (
    "Modelica.Fluid.Examples.AST_BatchPlant.BaseClasses.ControllerUtilities.Port_IdleTanks"
)
CONNECTORS = """
  connector Pin Real v; flow Real i; end Pin;
  connector Frame Real r[2]; flow Real f[2]; end Frame;
  connector Port Real p; flow Real m; stream Real h; end Port;
  connector In = input Real;
  connector Out = output Real;
  expandable connector Bus end Bus;
"""
COMPONENTS = {
    "a resistor": "model M Pin p, n; equation p.i + n.i = 0; p.v - n.v = p.i; end M;",
    "a ground": "model M Pin p; equation p.v = 0; end M;",
    "a current source": "model M Pin p, n; equation p.i = 1; p.i + n.i = 0; end M;",
    "an amplifier without input current": "model M Pin p, n, o; equation p.v = n.v; p.i = 0; n.i = 0; end M;",
    "a capacitor": "model M Pin p, n; Real v; equation v = p.v - n.v; p.i = der(v); p.i + n.i = 0; end M;",
    "a mass in the plane": "model M Frame a; Real v[2]; equation v = der(a.r); der(v) = a.f; end M;",
    "an array of pins": "model M parameter Integer n = 3; Pin p[n]; equation sum(p.i) = 0;"
    " for k in 2:n loop p[k].v = p[1].v; end for; end M;",
    "a valve with streams": "model M Port a, b; equation a.m + b.m = 0; a.p - b.p = a.m;"
    " a.h = inStream(b.h); b.h = inStream(a.h); end M;",
    "a derivative": "block M In u; Out y; equation y = der(u); end M;",
    "a gain with a pin": "model M In u; Pin p; equation p.v = 2*u; end M;",
    "two resistors": "model R Pin p, n; equation p.i + n.i = 0; p.v - n.v = p.i; end R;"
    " model M Pin p, n; R a, b; equation connect(p, a.p); connect(a.n, b.p); connect(b.n, n); end M;",
    "inputs that are the same": "block M In u1, u2; Out y1, y2; equation u1 = u2; y1 = y2; end M;",
    "a pin that may be absent": "model M parameter Boolean has = false; Pin p, n; Pin h if has;"
    " equation p.i + n.i = 0; p.v - n.v = p.i; end M;",
    "a default for what is not connected": "model M Pin p; In u;"
    " equation if cardinality(u) == 0 then u = 0; end if; p.v = u; end M;",
    "a size that is not known": "model M parameter Integer n; Pin p[n]; equation p.v = zeros(n); end M;",
    "a signal from a bus": "block M Bus bus; Out y; equation connect(bus.speed, y); end M;",
    "a partial default": "partial model Law input Real u; Real y; end Law;"
    " model M Pin p; replaceable Law law(u = p.v); equation p.i = law.y; end M;",
    "a model around it": "partial model Field Real g; end Field;"
    " model M outer Field field; Pin p; equation p.v = field.g; end M;",
    "an external object": "class T extends ExternalObject;"
    ' function constructor output T t; external "C" t = make(); end constructor;'
    ' function destructor input T t; external "C" drop(t); end destructor; end T;'
    " model M T t = T(); Pin p; equation p.v = 0; end M;",
    "a switch": "model M Pin p, n; In u; Real s; equation p.i + n.i = 0;"
    " p.v - n.v = if u > 0 then 0 else s; p.i = if u > 0 then s else 0; end M;",
}


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("name", COMPONENTS)
def test_a_right_component_is_fine(name, here, capsys):
    (here / "Lib.mo").write_text(f"package Lib\n{CONNECTORS}\n{COMPONENTS[name]}\nend Lib;\n")

    assert execute(["check", "Lib.mo"]) == 0, capsys.readouterr().err


LIBRARY = """package Lib
  connector Pin Real v; flow Real i; end Pin;
  model Res Pin p, n; equation p.i + n.i = 0; p.v - n.v = p.i; end Res;
  model Bad Pin p, n; equation p.i + n.i = 0; end Bad;
  function f input Real x; output Real y = z; end f;
  package Inner constant Real c = 1; type T = Real(unit = "V"); end Inner;
end Lib;
"""


def test_all_classes_of_a_package_are_told_in_sums(here, capsys):
    (here / "Lib.mo").write_text(LIBRARY)

    assert execute(["check", "Lib.mo"]) == 1

    shown = capsys.readouterr()
    *lines, sums = shown.out.splitlines()
    assert lines == ["Lib.Res: 4 unknowns, 4 equations", "Lib.Bad: wrong", "Lib.f: wrong"]
    assert sums.startswith("7 checked, 2 wrong (E001: 1, N001: 1), in ")
    assert "error[E001]" in shown.err


def test_every_class_is_listed_on_request(here, capsys):
    (here / "Lib.mo").write_text(LIBRARY)

    execute(["check", "Lib.mo", "--all"])

    names = [line.partition(":")[0] for line in capsys.readouterr().out.splitlines()[:-1]]
    assert names == ["Lib", *(f"Lib.{n}" for n in ("Pin", "Res", "Bad", "f", "Inner", "Inner.T"))]


def test_the_sums_as_json(here, capsys):
    (here / "Lib.mo").write_text(LIBRARY)

    execute(["check", "Lib.mo", "--json"])

    value = json.loads(capsys.readouterr().out)
    counts = value["counts"]
    assert (counts["checked"], counts["fine"], counts["wrong"]) == (7, 5, 2)
    assert counts["errors"] == {"E001": 1, "N001": 1}
    assert value["seconds"] > 0
    assert [d["class"] for d in value["diagnostics"]] == ["Lib.Bad", "Lib.f"]


def test_several_processes_find_the_same(here, capsys):
    (here / "Lib.mo").write_text(LIBRARY)
    (here / "More.mo").write_text(LIBRARY.replace("Lib", "More"))

    def checked(*words: str) -> list[object]:
        assert execute(["check", ".", "--json", *words]) == 1
        value = json.loads(capsys.readouterr().out)
        return [value["checked"], value["diagnostics"], value["counts"]]

    assert checked("--jobs", "2") == checked()


def test_a_failure_of_the_program_at_one_class_is_not_the_end(here, capsys, monkeypatch):
    (here / "Lib.mo").write_text(LIBRARY)
    sound = Model.check

    def failing(model: Model):
        if model.name[-1] == "Res":
            raise RuntimeError("out of luck")
        return sound(model)

    monkeypatch.setattr(Model, "check", failing)

    assert execute(["check", "Lib.mo"]) == 1

    shown = capsys.readouterr()
    assert "7 checked, 3 wrong" in shown.out
    assert "error[X001]: internal error: RuntimeError: out of luck" in shown.err


def test_a_mistake_of_a_base_class_is_told_once(here, capsys):
    (here / "P.mo").write_text(
        "package P\n  model A Real x = y; end A;\n  model B extends A; end B;\nend P;\n"
    )

    assert execute(["check", "P.mo"]) == 1

    shown = capsys.readouterr()
    assert shown.out.splitlines()[:2] == ["P.A: wrong", "P.B: wrong (see above)"]
    assert shown.err.count("error[N001]") == 1


def test_a_changed_file_is_read_again(here):
    for text, status in (("model M Real x = 1; end M;", 0), ("model M Real x; end M;", 1)):
        (here / "M.mo").write_text(text)
        assert execute(["check", "M.mo"]) == status


def test_progress_is_shown_on_a_terminal(here, monkeypatch):
    (here / "Lib.mo").write_text(LIBRARY)
    told: list[float] = []

    class Bar(progress._Bar):
        def tell(self, fraction: float) -> None:
            told.append(fraction)

    monkeypatch.setattr(progress, "_Bar", Bar)
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)

    execute(["check", "Lib.mo"])

    assert len(told) == 7
    assert told[-1] == 1.0


@pytest.mark.parametrize("name", EMBEDDED)
def test_every_class_of_the_embedded_library_is_right(name, here, capsys):
    status = execute(["check", name])

    shown = capsys.readouterr()
    assert " 0 wrong, in " in shown.out, shown.err
    assert status == 0


@pytest.mark.long
@pytest.mark.parametrize("library", LIBRARIES)
def test_every_class_of_the_standard_library_is_right(library, here, capsys):
    execute(["check", "Modelica", "--json", "--jobs", "2", *LIBRARIES[library]])

    value = json.loads(capsys.readouterr().out)
    wrong = [checked["name"] for checked in value["checked"] if not checked["ok"]]
    assert wrong == ([UNBALANCED_IN_MSL] if library == "MSL" else [])
    assert value["counts"]["checked"] > (5000 if library == "MSL" else 1500)


# ---------------------------------------------------------------- outer components


OUTER = """package P
  record Env Real T; Real p; end Env;
  connector Pin Real v; flow Real i; end Pin;
  model Variable outer Real g; Real x = g; end Variable;
  model Vector outer Real g[3]; Real x = sum(g); end Vector;
  model Record outer Env e; Real x = e.T + e.p; end Record;
  model Switch outer Boolean b; Integer n = if b then 1 else 2; end Switch;
  model Load outer Real g; Pin c; equation c.i = g*c.v; end Load;
  model Fixed outer constant Real p; Real x = p; end Fixed;
  model Giver outer Real g; equation g = 2*time; end Giver;
  model Box Pin c; Load load; equation connect(c, load.c); end Box;
  partial model Field Real h; end Field;
  model Probe outer Field f; Real x = f.h; end Probe;
  model Holder Pin c; Probe s; equation c.i = s.x*c.v; end Holder;
  model Whole inner Real g = time; Variable a; end Whole;
end P;
"""


@pytest.mark.parametrize(
    "name",
    [
        *(
            "Variable",
            "Vector",
            "Record",
            "Switch",
            "Load",
            "Fixed",
            "Giver",
            "Box",
            "Probe",
            "Holder",
        ),
        "Whole",
    ],
)
def test_values_of_inner_components_come_from_outside(name, tmp_path):
    file = tmp_path / "P.mo"
    file.write_text(OUTER)
    assert execute(["check", str(file), "-m", f"P.{name}"]) == 0


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("outer Real g; Real x; Real y; equation x = g;", "E001"),
        ("outer Real g; equation g = 1; g = 2;", "E002"),
        ("model A outer Real g; Real x = g; end A; A a;", "N008"),
        ("model A outer constant Real g; Real x = g; end A; A a;", "N008"),
    ],
)
def test_what_is_wrong_with_outer_components_is_told(text, code, tmp_path, capsys):
    file = tmp_path / "M.mo"
    file.write_text(f"model M {text} end M;")
    assert execute(["check", str(file), "-m", "M"]) == 1
    assert f"error[{code}]" in capsys.readouterr().err


MANY = """model M
  connector P Real v; flow Real i; end P;
  parameter Integer n = 30;
  P p[n]; Real q;
  {parts}
equation
  {equations}
end M;
"""


@pytest.mark.parametrize(
    ("parts", "equations", "status"),
    [
        ("", "for i in 2:n loop connect(p[1], p[i]); end for; q = p[1].v;", 0),
        ("", "for i in 1:n loop p[i].i = p[i].v; end for; q = sum(p.v);", 0),
        ("", "for i in 1:n loop p[i].i = p[i].v; end for; p[1].v = q; p[2].v = q;", 1),
        ("", "for i in 1:n loop p[i].i = p[i].v; p[i].v = 0; end for; q = 1;", 1),
        ("Real z;", "for i in 1:n loop p[i].i = p[i].v; end for; q = time;", 1),
        ("Real z;", "for i in 1:n loop p[i].i = z*p[i].v; end for; q = z;", 1),
        (
            "Real z;",
            "for i in 2:n loop p[i].i = p[i].v; end for; p[1].i = z; z = p[1].v; q = z;",
            0,
        ),
    ],
    ids=["star", "each", "two say one", "given inside", "free", "free among them", "behind"],
)
def test_many_open_connectors_are_judged_as_few(parts, equations, status, tmp_path):
    file = tmp_path / "M.mo"
    file.write_text(MANY.format(parts=parts, equations=equations))
    assert execute(["check", str(file)]) == status
