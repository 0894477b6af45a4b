"""The words of the classic language: `new(x)`, code that watches relations, numbers as written."""

from __future__ import annotations

import pytest

import freewheel as fw
from freewheel.structure.view import View, view


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


def test_a_condition_that_becomes_true_is_an_edge(listed):
    found = listed(
        """Integer n(start = 0, fixed = true); Boolean b;
        equation b = time > 1; when b then n = pre(n) + 1; end when;""",
        stage="solved",
    )

    assert "b = time > 1" in found
    assert "new(n) = if edge(b) then n + 1 else n" in found


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
