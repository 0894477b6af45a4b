"""Plain values are put in the place where they are used."""

from __future__ import annotations

import pytest

import freewheel as fw
from freewheel.listing.equations.view import View, view


@pytest.fixture
def listed(tmp_path):
    def of(body: str) -> list[str]:
        file = tmp_path / "M.mo"
        file.write_text(f"model M {body} end M;")
        text = view(fw.load(file).flatten(), View("solved", "none", evaluate=True))
        return [" ".join(line.split()).removeprefix("M ") for line in text.splitlines()[1:-1]]

    return of


def test_zeros_and_other_names_have_no_line_of_their_own(listed):
    assert listed(
        """input Real u; output Real y; Real a, b, c, d;
        equation a = 0; b = u + a; c = -b; d = 2*c + a*time; y = d + 1;"""
    ) == ["d = -2*u", "y = d + 1"]


def test_outputs_and_derivatives_of_states_stay(listed):
    assert listed(
        """output Real y; Real v, x(start = 0, fixed = true);
        equation v = 3; der(x) = v; y = x;"""
    ) == ["der(x) = 3", "y = x"]


def test_a_loop_is_printed_as_it_stands_and_solved_with_what_is_known(listed):
    found = listed(
        """input Real u; parameter Real R = 2; Real z, a, i;
        equation z = 0; a = u - R*i + z; a = 3*i - z;"""
    )

    assert "[a] = u - R*i + z" in found
    assert "i = u/Q101" in found
