"""EVT-8: switch equations as residuals of torn loops, equations 9.36-9.40 and 9.47-9.50 of document
002; both positions without division by zero."""

from __future__ import annotations

import numpy as np
import pytest
from paper_listings import EXAMPLES, listing, loaded, section

SWITCHES = EXAMPLES / "switches.mo"


def solution(model: str) -> dict[str, str]:
    text = listing(SWITCHES, model, "solved", share=False)
    found = section(text, "SOLVED SYSTEM OF EQUATIONS", "END OF SYSTEM OF SIMULTANEOUS EQUATIONS")
    return {name: value for name, _, value in (line.partition(" = ") for line in found)}


def torn(model: str) -> tuple[str, list[str]]:
    """(what it iterates on, its lines) of the one loop."""
    text = listing(SWITCHES, model, "blocks").splitlines()
    [start] = [k for k, line in enumerate(text) if "iterates on" in line]
    inside = [line.partition("  ")[2].strip() for line in text[start + 1 :]]
    end = next((k for k, line in enumerate(text[start + 1 :]) if line.startswith("BLOCK")), None)
    return text[start].rpartition("iterates on ")[2], inside[:end]


def test_EVT_8_the_divider_iterates_on_u2_with_the_switch_as_residual():
    guess, lines = torn("Switches.Divider")
    assert guess == "u2"
    assert set(lines[:-1]) == {"u1 = U0 - u2", "i1 = u1/R1", "i2 = u2/R2", "is = i1 - i2"}
    assert lines[-1] == "0 = mo*is + (1 - mo)*u2"


def test_EVT_8_equation_9_38():
    assert solution("Switches.Divider")["u2"] == "R2*mo*U0/(R1*mo + R2*mo + R1*R2*(mo - 1))"


def test_EVT_8_equations_9_39_and_9_40():
    result = loaded(SWITCHES, "Switches.Divider").simulate(tol=1e-9)
    times, u2, U0 = (np.asarray(v) for v in (result.time, result["u2"], result["U0"]))
    assert np.abs(u2[times > 0.5]).max() == 0
    before = times < 0.5
    assert np.abs(u2[before] - 3 / (1 + 3) * U0[before]).max() < 1e-15


def test_EVT_8_the_half_wave_iterates_on_s():
    guess, lines = torn("Switches.HalfWave")
    assert guess == "s"
    assert lines == ["i0 = (1 - mo)*s", "u1 = Ri*i0", "ud = u0 - u2 - u1", "0 = ud - mo*s"]


def test_EVT_8_equation_9_49():
    assert solution("Switches.HalfWave")["s"] == "(u0 - u2)/(mo + Ri*(1 - mo))"


def test_EVT_8_the_half_wave_runs_and_opens_when_it_must():
    result = loaded(SWITCHES, "Switches.HalfWave").simulate(tol=1e-9)
    times, mo = np.asarray(result.time), np.asarray(result["mo"])
    opens = times[np.flatnonzero(np.diff(mo) > 0) + 1]
    assert opens[0] == pytest.approx(0.008708133048789, abs=1e-9)
    assert np.asarray(result["u2"])[-1] == pytest.approx(0.45798816240656, abs=1e-8)
