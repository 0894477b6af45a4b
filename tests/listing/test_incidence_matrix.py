"""The incidence matrix before and after sorting, and its picture."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree

import pytest

from freewheel.listing.incidence_matrix.draw import draw
from freewheel.listing.incidence_matrix.make import Place, block_matrix
from freewheel.structure.analyse import analyse
from freewheel.tools.cli import execute

DIVIDER = (
    "R1 parameter 100.0; R2 parameter 20.0; u input; u1; u2; i; y",
    "y == 2*u2 + 1; u1 == R1*i; u2 == R2*i; u1 + u2 == u",
)


def divider(flat_model):
    return block_matrix(analyse(flat_model(*DIVIDER)))


def chain(flat_model, n):
    names = "; ".join(f"x{k}" for k in range(n)) + "; y"
    rows = [f"x{k} == 2*x{k - 1} + time" for k in range(n - 1, 0, -1)]
    return block_matrix(
        analyse(flat_model(names, "; ".join([*rows, "x0 == time + 1", "y == 1*x3"])))
    )


def test_the_diagonal_is_what_each_equation_is_solved_for(flat_model):
    matrix = divider(flat_model)

    assert matrix.after.given == (0, 1, 2, 3)
    assert matrix.blocks == (Place(0, 3, torn=1), Place(3, 4))
    assert matrix.after.column_names[3] == "y"
    assert set(matrix.after.column_names[:3]) == {"u1", "u2", "i"}


def test_before_sorting_equations_stand_as_written(flat_model):
    before = divider(flat_model).before

    assert before.row_names[0] == "y = 2*u2 + 1"
    assert [before.column_names[c] for c in before.rows[0]] == ["y", "u2"] or [
        before.column_names[c] for c in before.rows[0]
    ] == ["u2", "y"]


def test_sorting_makes_the_matrix_lower_triangular_outside_of_loops(flat_model):
    matrix = chain(flat_model, 30)

    assert all(column <= row for row, held in enumerate(matrix.after.rows) for column in held)
    assert any(column > row for row, held in enumerate(matrix.before.rows) for column in held)


def test_a_torn_loop_is_triangular_but_for_its_last_columns(flat_model):
    matrix = divider(flat_model)
    [loop] = matrix.loops

    for row in range(loop.first, loop.end):
        above = [c for c in matrix.after.rows[row] if c > row]
        assert all(c >= loop.end - loop.torn for c in above)


@pytest.mark.parametrize("size", [10, 400])
def test_the_picture_is_well_formed_and_holds_every_entry_twice(flat_model, size):
    matrix = chain(flat_model, size)
    text = draw(matrix)
    root = ElementTree.fromstring(text)

    squares = sum(len(re.findall("z", path)) for path in re.findall(r'd="([^"]*)"', text))
    assert squares == 2 * sum(len(row) for row in matrix.before.rows)
    assert float(root.attrib["width"]) < 2500


def test_small_pictures_have_names_and_frames(flat_model):
    text = draw(divider(flat_model))

    assert "y = 2*u2 + 1" in text
    assert text.count('stroke-width="1.5"') == 1  # one loop, framed after sorting only


def test_large_pictures_have_no_names(flat_model):
    assert "x3 =" not in draw(chain(flat_model, 400))


def test_the_command_draws_and_counts(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "m.mo").write_text(
        "model M\n  Real x(start=1), y, z;\nequation\n  der(x) = -y;\n"
        "  y = x + 2*z;\n  z = y - 3*x;\nend M;\n"
    )

    assert execute(["blocks", "m.mo", "--svg", "m.svg"]) == 0
    first, second, third = capsys.readouterr().out.splitlines()
    assert first == "M: 3 equations in 2 blocks, 1 of them a loop; 1 state"
    assert second.startswith("  linear loop of 2, iterates on ")
    assert third == "  svg   m.svg"
    assert (tmp_path / "m.svg").read_text().startswith("<svg")


def test_the_command_knows_the_start_up_system(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "m.mo").write_text(
        "model M\n  Real x;\ninitial equation\n  der(x) = 0;\nequation\n  der(x) = 2 - x;\nend M;\n"
    )

    assert execute(["blocks", "m.mo", "--initial", "--json"]) == 0
    assert '"der(x)"' in capsys.readouterr().out
