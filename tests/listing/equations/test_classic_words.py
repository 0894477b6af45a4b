"""The words of the classic language: `new(x)`, code that watches relations, numbers as written."""

from __future__ import annotations

import pytest

import freewheel as fw
from freewheel.listing.equations.view import View, view


@pytest.fixture
def listed(tmp_path):
    def of(body: str, is_classic: bool = True, **options: object) -> list[str]:
        file = tmp_path / "M.mo"
        file.write_text(f"model M {body} end M;")
        text = view(fw.load(file).flatten(), View(is_classic=is_classic, **options))
        return [" ".join(line.split()).removeprefix("M ") for line in text.splitlines()]

    return of


SWITCH = """
  Boolean open(start = false, fixed = true); Real u, i;
equation
  0 = if pre(open) then i else u;
  open = u <= 0 and not i > 0;
  u + 2*i = sin(2*3.14159*time);
"""


def test_the_value_after_an_event_is_new(listed):
    found = listed(SWITCH, stage="flat")

    assert "0 = if open then i else u" in found
    assert "new(open) = u <= 0 and not i > 0" in found


def test_a_when_clause_is_told_as_such(listed):
    found = listed(
        """Integer n(start = 0, fixed = true); Boolean b;
        equation b = time > 1; when b then n = pre(n) + 1; end when;""",
        stage="solved",
    )

    assert "b = time > 1" in found
    assert "when b then new(n) = n + 1 endwhen" in found


def test_a_when_with_two_branches_is_told_by_edges(listed):
    found = listed(
        """Integer n(start = 0, fixed = true); Boolean b, c;
        equation b = time > 1; c = time > 2;
          when b then n = 1; elsewhen c then n = 2; end when;""",
        stage="solved",
    )

    assert "new(n) = if edge(b) then 1 elseif edge(c) then 2 else n" in found


def test_what_a_state_jumps_to_is_listed(listed):
    body = """Real v(start = 1, fixed = true);
        equation der(v) = -1; when v < 0 then reinit(v, -pre(v)); end when;"""

    for stage in ("flat", "assigned", "sorted", "solved"):
        assert "when v < 0 then new(v) = -v endwhen" in listed(body, stage=stage)
    assert not any("when" in line for line in listed(body, is_classic=False, stage="flat"))


def test_products_of_numbers_are_shown_as_written(listed):
    assert "u + 2*i = sin(2*3.14159*time)" in listed(SWITCH, stage="flat")
    assert "u + 2*i = sin(6.28318*time)" in listed(SWITCH, is_classic=False, stage="flat")


def test_relations_as_code_come_once_before_the_line_that_reads_them(listed):
    found = listed(SWITCH, as_code=True)
    at = found.index("QRel(1) = u")

    assert found[at : at + 7] == [
        "QRel(1) = u",
        "If (Init .OR. Event) Then",
        "Call HandleEvent('u', QM(1), Qp(1), Qn(1), QRel(1), Init, PrintEvent, Time, AnyEvent)",
        "End If",
        "QZp(1) = QRel(1) - Qp(1)",
        "QZn(1) = QRel(1) - Qn(1)",
        "QL(1) = QM(1).LE.0",
    ]
    assert found[at + 13] == "QL(2) = QM(2).GT.0"
    assert found[at + 14] == "newopen = QL(1) and not QL(2)"


def test_outputs_that_are_copies_are_told_apart_in_code(listed):
    body = "output Real y; Real x(start = 0, fixed = true); equation der(x) = 1; y = x;"

    assert listed(body, as_code=True, eliminate="aliases")[-3:] == [
        "END OF SORTED AND SOLVED EQUATIONS",
        "ELIMINATED STATE DERIVATIVES AND OUTPUTS",
        "y = x",
    ]
