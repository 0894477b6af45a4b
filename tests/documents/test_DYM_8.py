"""DYM-8: which variables are states is the modeller's choice; what cannot be chosen is told."""

from __future__ import annotations

import pytest
from classic_models import talk

import freewheel as fw
from freewheel.base.diagnostics import FreewheelError

PARCAP = ("enter model @parcap.dym", "differentiate")


def test_DYM_8_a_second_state_is_refused_with_the_constraint():
    """The constraint is the one that `partition` names before differentiation."""
    *_, warning, listing = talk(
        *PARCAP, "variable state C1.u C2.u", "partition", "output solved equations"
    )

    assert warning == "-- C2.u cannot be a state: C2.Va = C1.Va ties it to C1.u."
    assert "C2      u = Va - Vb\n" in listing


@pytest.mark.parametrize("chosen", ["C1.u", "C2.u", "y"])
def test_DYM_8_one_state_is_had_without_a_word(chosen):
    *_, warning = talk(*PARCAP, f"variable state {chosen}", "partition")

    assert warning == ""


def test_DYM_8_what_is_always_zero_is_no_state():
    *_, warning = talk(*PARCAP, "variable state C1.u Common.V", "partition")

    assert warning == "-- Common.V cannot be a state: Common.V = 0 gives its value."


def test_DYM_8_a_run_tells_it_too():
    *_, report = talk(*PARCAP, "variable state C1.u C2.u", "simulate stop=1 i=1E-6")

    assert report.startswith("-- C2.u cannot be a state: C2.Va = C1.Va ties it to C1.u.\nparcap: ")


@pytest.mark.parametrize(
    ("commands", "told"),
    [
        (["variable state C1.C"], "it is a parameter, so it is known"),
        (["variable state i"], "it is an input, so it is known"),
        (["variable unknown I0.Va"], "it is unknown anyway"),
        (["variable known C1.derVa"], "there is no such derivative"),
        (["differentiate", "variable known C2.deru"], "every derivative is found"),
        (["variable unknown C2.u", "output solved equations"], "15 equations for 16 unknowns"),
        (["variable known C2.deru", "output solved equations"], "15 equations for 14 unknowns"),
        (["variable state nowhere"], "there is no variable `nowhere`"),
    ],
)
def test_DYM_8_what_contradicts_is_told(commands, told):
    with pytest.raises(FreewheelError) as caught:
        talk("enter model @parcap.dym", *commands)

    assert told in caught.value.diagnostics[0].message


def test_DYM_8_by_hand_the_cure_names_the_other_command():
    with pytest.raises(FreewheelError) as caught:
        talk("enter model @parcap.dym", "variable unknown C2.u", "output solved equations")

    assert "`variable known C2.deru`" in caught.value.diagnostics[0].help


def test_DYM_8_the_last_word_counts_and_is_told():
    *_, told = talk(*PARCAP, "variable state C1.u", "variable unknown C1.u")

    assert told == "-- C1.u is unknown now, no longer state."


def test_DYM_8_in_modelica_stateselect_always_is_told_as_well(tmp_path):
    path = tmp_path / "M.mo"
    path.write_text("""model M
  Real a(stateSelect=StateSelect.always, start=1), b(stateSelect=StateSelect.always);
equation
  der(a) + der(b) = -a;
  b = 2*a;
end M;
""")
    warnings = fw.load(path).upto("structure").ordered.warnings

    assert [w.message for w in warnings if w.code == "E024"] == [
        "`b` cannot be a state: `b = 2*a` ties it to `a`"
    ]
