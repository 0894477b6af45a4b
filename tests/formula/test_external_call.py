"""A model that declares a function of ours with other arguments or results is told so, at both times."""

from __future__ import annotations

import pytest

import freewheel as fw

WRONG = {
    "a number for a text": ("input Real x; output Real y", "y = ModelicaStrings_length(x)"),
    "too many arguments": ("input Real x; output Real y", 'y = ModelicaStrings_length("a", x)'),
    "too few arguments": ("input Real x; output Real y", "y = ModelicaStrings_length()"),
    "a text for a number": (
        "input Real x; output Real y",
        'y = ModelicaStrings_substring("abc", 1, 2)',
    ),
    "too many results": (
        "input Real x; output Real y; output Real z; output Real w",
        'y = ModelicaStrings_length("a", z, w)',
    ),
    "a command of numbers": ("input Real x; output Real y", "y = system(x)"),
    "no table": (
        "input Real x; output Real y",
        "y = ModelicaStandardTables_CombiTable1D_getValue(x, 1, x)",
    ),
    "a seed of reals": (
        "input Real x; output Real y",
        "y = ModelicaRandom_setInternalState_xorshift1024star(x, 3, x)",
    ),
}


def _model(declarations: str, call: str, variability: str, language: str = "C") -> str:
    return f"""model M
      function f {declarations}; external "{language}" {call}; end f;
      {variability} Real y = f({"2" if variability else "time"});
      Real z = time;
    end M;"""


@pytest.mark.parametrize("variability", ["constant", "parameter", ""])
@pytest.mark.parametrize("name", WRONG)
def test_other_arguments_are_told(name: str, variability: str) -> None:
    with pytest.raises(fw.FreewheelError) as caught:
        fw.load_text(_model(*WRONG[name], variability)).simulate()
    found = caught.value.diagnostics[0]
    assert found.code in ("N903", "R126")
    assert "M.f` declares the external function `" in found.message


@pytest.mark.parametrize("variability", ["constant", ""])
@pytest.mark.parametrize("call", ["dgesv(x, y)", "dgesv(1, 1, x, 1, 1, y, 1, 1)", "y = dlange(x)"])
def test_routines_of_other_shapes_are_told(call: str, variability: str) -> None:
    text = _model("input Real x; output Real y", call, variability, "FORTRAN 77")
    with pytest.raises(fw.FreewheelError) as caught:
        fw.load_text(text).simulate()
    assert "external function" in caught.value.diagnostics[0].message


def test_the_value_of_a_function_may_be_left() -> None:
    text = _model("input Real x; output Real y = x", 'ModelicaStrings_length("abc")', "constant")
    assert fw.load_text(text).simulate()["y"][-1] == 2.0


@pytest.mark.parametrize("variability", ["constant", ""])
def test_an_enumeration_may_be_taken_for_its_number(variability: str) -> None:
    text = _model(
        "input Real x; output Integer y", 'y = ModelicaStrings_compare("a", "b", true)', variability
    )
    assert fw.load_text(text).simulate()["y"][-1] == 1.0
