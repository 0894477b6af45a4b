"""From what the user typed to a class."""

from pathlib import Path

import pytest

import freewheel as fw
from freewheel.api import models_in
from freewheel.base.names import show

PARTS_FIRST = """
connector Pin Real v; flow Real i; end Pin;
partial model Base Real x; end Base;
model Part extends Base; equation x = 1; end Part;
model Whole Part p; end Whole;
function f input Real u; output Real y; algorithm y := u; end f;
"""

PACKAGE = """
package P
  model A Real x = 1; end A;
  package Inner
    model B Real x = 2; end B;
    partial model C Real x; end C;
  end Inner;
end P;
"""


@pytest.fixture
def file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def write(text: str, name: str = "m.mo") -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    return write


def test_the_last_model_of_a_file_is_meant(file):
    assert fw.load(file(PARTS_FIRST)).name == ("Whole",)


def test_another_class_can_be_named(file):
    assert fw.load(file(PARTS_FIRST), model="Part").name == ("Part",)


@pytest.mark.parametrize("name", ["P.Inner.B", "Inner.B", "B"])
def test_a_class_in_a_package_is_named_by_its_end(file, name):
    assert fw.load(file(PACKAGE), model=name).name == ("P", "Inner", "B")


def test_all_models_of_a_file(file):
    names = [show(model.name) for model in models_in(file(PARTS_FIRST))]

    assert names == ["Part", "Whole"]


def test_all_models_of_a_package(file):
    names = [show(model.name) for model in models_in(file(PACKAGE))]

    assert names == ["P.A", "P.Inner.B"]


@pytest.mark.parametrize(
    ("text", "model", "message", "help"),
    [
        (PACKAGE, None, "holds several models", "choose with -m: `P.A`, `P.Inner.B`"),
        (PACKAGE, "X", "holds no class `X`", "choose with -m: `P.A`, `P.Inner.B`"),
        (
            "function f end f;",
            None,
            "holds no model that can be simulated: `f` is a function",
            "write a model that uses `f`",
        ),
        (
            "partial model M end M;",
            None,
            "holds no model that can be simulated: `M` is partial",
            "extend it: `model Example extends M; ... end Example;`",
        ),
    ],
)
def test_an_unclear_file_is_a_wrong_call(file, text, model, message, help):
    path = file(text)

    with pytest.raises(fw.UsageError) as caught:
        fw.load(path, model=model)

    [diagnostic] = caught.value.diagnostics
    assert diagnostic.code == "U004"
    assert diagnostic.message == f"`{path}` {message}"
    assert diagnostic.help == help


def test_a_directory_that_is_a_package(file, tmp_path):
    file("package P end P;", "P/package.mo")
    file("within P; model A Real x = 1; end A;", "P/A.mo")

    assert fw.load(tmp_path / "P", model="A").name == ("P", "A")
    assert [model.name for model in models_in(tmp_path / "P")] == [("P", "A")]


def test_a_directory_that_is_none(tmp_path):
    with pytest.raises(fw.UsageError) as caught:
        fw.load(tmp_path)

    assert caught.value.diagnostics[0].code == "U004"


def test_a_name_is_looked_up_in_a_library(file, tmp_path):
    file("package P end P;", "lib/P/package.mo")
    file("within P; model A Real x = 1; end A;", "lib/P/A.mo")

    model = fw.load("P.A", library=[tmp_path / "lib"])

    assert [v.name for v in model.flatten().variables] == [("x",)]


def test_a_class_that_nobody_has_is_a_wrong_call():
    with pytest.raises(fw.UsageError) as caught:
        fw.load("Does.Not.Exist")

    assert caught.value.diagnostics[0].code == "U003"


def test_a_name_without_its_ending_leads_to_the_file(file):
    file("model Tank Real x = 1; end Tank;", "tank.mo")

    with pytest.raises(fw.UsageError, match="did you mean the file"):
        fw.load("tank")


def test_a_long_nonsense_target_is_taken_for_a_name():
    with pytest.raises(fw.UsageError) as caught:
        fw.load("x" * 5000)

    assert len(str(caught.value)) < 500
