"""DYM-6: formulas of linear loops share subexpressions, and grow with the loop."""

from __future__ import annotations

import re

import numpy as np
import pytest
from classic_ladders import ladder
from classic_models import talk

LISTED = ("set Eliminate on", "output solved equations")
SHORT = ("set EvaluateExpr on", "set Surplus off", "output solved equations")
PROGRAM = ("set Eliminate on", "language acsl", "output model")


def length(sections: int, commands: tuple[str, ...]) -> int:
    return len(talk(*ladder(sections).splitlines(), *commands)[-1])


@pytest.mark.parametrize("commands", [LISTED, SHORT, PROGRAM])
def test_DYM_6_listings_and_programs_of_ladders_grow_in_proportion(commands):
    ten, forty = length(10, commands), length(40, commands)

    assert ten < 6000
    assert forty < 5 * ten


@pytest.mark.long
@pytest.mark.parametrize("commands", [LISTED, SHORT, PROGRAM])
def test_DYM_6_so_do_large_ones(commands):
    lengths = [length(sections, commands) for sections in (20, 80, 320)]

    assert lengths[1] < 5 * lengths[0]
    assert lengths[2] < 5 * lengths[1]


@pytest.mark.parametrize("sections", [2, 3, 7])
def test_DYM_6_the_formulas_give_what_the_run_gives(sections):
    """Evaluated by Python, line by line."""
    *_, listing = talk(
        *ladder(sections).splitlines(), "set Eliminate on", "output solved equations"
    )
    block = listing.partition("SOLVED SYSTEM OF EQUATIONS\n")[2].partition("END OF SYSTEM")[0]
    known = {f"R{k}_R": 10.0 + k for k in range(1, sections + 1)}
    known |= {f"S{k}_R": 100.0 + k for k in range(1, sections + 1)}
    known |= {f"S{sections}_Vb": 0.0, "R1_Va": 12.0}
    for line in block.splitlines():
        target, _, value = line.strip().replace(".", "_").partition(" = ")
        known[target] = eval(value, {}, known)
    *_, told = talk(*ladder(sections).splitlines(), "simulate stop=1 u=12", "print y")

    assert np.isclose(known[f"S{sections}_u"], float(told.split()[1]), rtol=1e-8)


def test_DYM_6_a_name_is_used_more_than_once():
    *_, listing = talk(*ladder(7).splitlines(), *LISTED)
    names = re.findall(r"^  (Q\d+) = ", listing, re.MULTILINE)

    assert names == [f"Q{101 + k}" for k in range(len(names))]
    assert [name for name in names if len(re.findall(rf"\b{name}\b", listing)) < 2] == []
