"""Listings come in the order of the papers; the program keeps its own."""

from __future__ import annotations

from pathlib import Path

import pytest

import freewheel as fw
from freewheel.formula.walk import variables_in
from freewheel.graphs.components import first_visits
from freewheel.listing.equations.reading_order import pairs
from freewheel.listing.equations.solution import listed, running
from freewheel.structure.analyse import analyse
from freewheel.structure.nodes import Elimination, Loop, Solved

EXAMPLES = Path(__file__).parents[3] / "examples"


@pytest.fixture
def lines(tmp_path):
    def of(text: str, **options: object) -> list[str]:
        file = tmp_path / "M.mo"
        file.write_text(text)
        found = fw.load(file).equations("solved", **options).splitlines()
        return [" ".join(line.split()).removeprefix("M ") for line in found]

    return of


@pytest.fixture
def formulas(lines):
    return lambda text: [line for line in lines(text, eliminate="aliases") if " = " in line]


def test_derivatives_come_first_and_copied_outputs_last(formulas):
    assert formulas(
        """model M
          output Real y; Real a, b, x(start = 0, fixed = true);
        equation
          y = x; a = 2*time; b = 3*x; der(x) = b + 1;
        end M;"""
    ) == ["b = 3*x", "der(x) = b + 1", "a = 2*time", "y = x"]


def test_variables_of_a_formula_are_followed_from_left_to_right(formulas):
    assert formulas(
        """model M
          Real a, b, c, x(start = 0, fixed = true);
        equation
          a = 2*time; b = 3*time; der(x) = c; c = b - a;
        end M;"""
    ) == ["b = 3*time", "a = 2*time", "c = b - a", "der(x) = c"]


def test_a_loop_ends_with_the_equation_that_the_search_met_first(lines):
    found = lines(
        """model M
          parameter Real r = 2; Real a, b, c, x(start = 0, fixed = true);
        equation
          der(x) = a; a = x - b; b = r*c; c + a = r;
        end M;"""
    )
    start = found.index("UNKNOWN VARIABLES")

    assert found[start + 1 : start + 4] == ["b", "c", "a"]


def test_a_loop_that_is_cut_at_a_relation_keeps_its_order(lines):
    found = lines(
        """model M
          Real u, i, open;
        equation
          open = if u <= 0 then 1 else 0;
          0 = open*i + (1 - open)*u;
          u + 2*i = sin(time);
        end M;"""
    )

    assert "SYSTEM OF 2 SIMULTANEOUS EQUATIONS" in found
    assert found[1] == "open = if u <= 0 then 1 else 0"


def test_first_visits_follow_the_edges_in_their_order():
    assert first_visits([[2, 1], [3], [3], []], [0]) == [0, 2, 3, 1]
    assert first_visits([[1], [0], [0]], [2, 1]) == [2, 0, 1]


FILES = (
    "circuit.mo",
    "rectifier.mo",
    "sampled_drive.mo",
    "two_tanks.mo",
    "dymola/two_block.dym",
    "dymola/rectifier_loop.dym",
    "dymola/switch.dym",
)


@pytest.mark.parametrize("file", FILES)
@pytest.mark.parametrize("elimination", ["none", "aliases", "zeros"])
def test_nothing_is_used_before_it_is_known(file, elimination):
    """And nothing is lost. Parts of several blocks wait for each other: they keep their order."""
    ordered = analyse(fw.load(EXAMPLES / file).flatten(), Elimination(elimination))
    system, listing = running(ordered), listed(ordered)
    giver = {var: at for at, part in enumerate(listing.parts) for var in given_by(part.blocks)}

    assert set(giver) == set(given_by(system.blocks))
    assert {type(block) for block in listing.blocks} == {type(block) for block in system.blocks}
    for at, part in enumerate(listing.parts):
        for block in part.blocks:
            needed = [block.value] if isinstance(block, Solved) else []
            if isinstance(block, Loop):
                rows = (system.equations[row] for row in block.equations)
                needed = [side for row in rows for side in (row.left, row.right)]
            assert all(giver.get(var, at) <= at for var in variables_in(*needed))


def given_by(blocks):
    return [var for block in blocks for _, var in pairs(block)]
