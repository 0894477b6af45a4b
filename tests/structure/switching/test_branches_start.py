"""What a core means for the start: conditions that reach its states, and starts that are guesses."""

from __future__ import annotations

import pytest

from freewheel.base.source import Source
from freewheel.formula.nodes import Var
from freewheel.instance.library import Library
from freewheel.pipeline import Options, compile_model
from freewheel.structure.atoms import der_of, show_atom
from freewheel.structure.nodes import Ordered
from freewheel.structure.switching.initial import _given_by_states

SHAFTS = """model M
  Real phi1(start=0, fixed=true), phi2(start=0, fixed=true), v1{v1}, v2{v2}, tau, a;
  Real rel(stateSelect=StateSelect.prefer), w(stateSelect=StateSelect.prefer);
equation
  v1 = der(phi1);
  v2 = der(phi2);
  rel = -phi2;
  w = der(rel);
  a = der(w);
  0.2*der(v1) = tau;
  5*der(v2) = -tau + 0.5*w;
  0 = if time < 1 then v1 - v2 else tau;
end M;"""
FIXED = "(start=10, fixed=true)"


def ordered(v1: str, v2: str) -> Ordered:
    library = Library([], use_modelicapath=False)
    text = SHAFTS.replace("{v1}", v1).replace("{v2}", v2)
    library.add_file(Source.from_text(text, "m.mo"))
    found = compile_model(library, ("M",), Options(stop_after="structure")).ordered
    assert found is not None
    return found


def test_rates_that_follow_from_states_are_known_in_every_position():
    w, phi, v, tau = (Var((name,)) for name in ("w", "phi", "v", "tau"))
    rate, force = der_of(phi), der_of(v)
    rows = [(w, rate), (rate, v), (force, tau)]
    assert _given_by_states(rows, {rate, v, force, tau}) == {rate, v}


@pytest.mark.parametrize(("v1", "v2", "guessed"), [(FIXED, FIXED, []), (FIXED, "", ["w"])])
def test_fixed_speeds_reach_the_preferred_state(v1, v2, guessed):
    found = ordered(v1, v2)
    assert "w" in [show_atom(state.name) for state in found.core.differential]
    assert [show_atom(state.name) for state in found.guessed] == guessed
    assert not found.initial.checks
