"""Circuits with the diode of document 000: where several turn at once, or one with an inductor behind it."""

from __future__ import annotations

import numpy as np
import pytest

import freewheel as fw
from freewheel.structure.atoms import CURVE

SOURCE = "  submodel (VSource) U\n  submodel Common\n  output y\n  U.u0 = 10*sin(6*Time)\n"
BRIDGE = """
  submodel (Diode) D1, D2, D3, D4
  submodel (Resistor) R(R = 10), Ri(R = 1)
  node a b c p n
  connect Common at p, U from a to b, Ri from b to c, R from p to n
  connect D1 from a to p, D2 from c to p, D3 from n to a, D4 from n to c
  y = R.u
"""
TWO = """
  submodel (Diode) D1, D2
  submodel (Resistor) R1(R = 10), R2(R = 5), Ri(R = 1)
  connect Common - U - Ri - ((D1 - R1)//(\\D2 - R2)) - Common
  y = R1.u
"""
FREEWHEEL = """
  submodel (Diode) D1, D2
  submodel (Resistor) R(R = 10)
  submodel (Inductor) L(L = 0.5)
  connect Common - U - D1 - (\\D2//(R - L)) - Common
  y = R.u
"""
SERIES = """
  submodel (Diode) D
  submodel (Resistor) R(R = 10)
  submodel (Inductor) L(L = 0.5)
  connect Common - U - D - R - L - Common
  y = R.u
"""
ALONE = """
  submodel (Diode) D
  submodel (Resistor) R(R = 10)
  connect Common - U - D - R - Common
  y = R.u
"""


def circuit(tmp_path, text):
    path = tmp_path / "circuit.dym"
    path.write_text(f"model circuit\n{SOURCE}{text}end\n")
    return fw.load(path)


def curve(tmp_path, text):
    found = circuit(tmp_path, text).simulate(stop=3, tol=1e-9)
    return np.asarray(found["time"]), np.asarray(found["y"])


def test_a_bridge_rectifies_both_half_waves(tmp_path):
    t, y = curve(tmp_path, BRIDGE)

    assert y == pytest.approx(np.abs(10 * np.sin(6 * t)) * 10 / 11, abs=1e-9)


def test_two_diodes_share_the_half_waves(tmp_path):
    t, y = curve(tmp_path, TWO)

    assert y == pytest.approx(np.maximum(10 * np.sin(6 * t), 0) * 10 / 11, abs=1e-9)


def response(t, since=0.0):
    """Of R and L to the sine, from no current at `since`."""
    tau, w = 0.05, 6.0
    size, angle = 10 / np.hypot(1, w * tau), np.arctan(w * tau)
    steady = size * np.sin(w * t - angle)
    return steady - size * np.sin(w * since - angle) * np.exp(-(t - since) / tau)


def test_a_freewheeling_diode_takes_over_the_current(tmp_path):
    t, y = curve(tmp_path, FREEWHEEL)
    first, second = t < np.pi / 6, (t > np.pi / 6) & (t < np.pi / 3)
    handed_over = response(np.pi / 6)

    assert y[first] == pytest.approx(response(t[first]), abs=1e-7)
    assert y[second] == pytest.approx(
        handed_over * np.exp(-(t[second] - np.pi / 6) / 0.05), abs=1e-7
    )


def test_a_diode_before_an_inductor_lets_its_current_end(tmp_path):
    t, y = curve(tmp_path, SERIES)
    begun = t < np.pi / 3

    assert y[begun] == pytest.approx(np.maximum(response(t[begun]), 0), abs=1e-7)


def test_the_rectifier_of_the_document_stays_as_it_is_printed(tmp_path):
    """Alone and behind a resistor the diode's own iteration finds its position."""
    ordered = circuit(tmp_path, ALONE).upto("structure").ordered

    assert not any(variable.name[0] == CURVE for variable in ordered.scalar.variables)
