"""The transcripts of documents 003 and 000, typed into a session.

Answers are compared with the listings equation by equation (`of_paper`). Where we differ, the test says how:
the order of independent equations, and the name of a variable that has several (`Common.V` for `C.Vb`).
"""

from __future__ import annotations

import re

import pytest
from classic_models import EXAMPLES, talk
from paper_listings import equations_of, of_paper, section
from test_DYM_2_to_7 import CIRCUIT, PARTITIONED, SOLVED
from test_DYM_8_and_9 import ADDED, DIFFERENTIATED, WARNING
from test_DYM_8_and_9 import PARTITIONED as PARCAP_PARTITIONED
from test_DYM_11 import PAPER, statements

DIVIDER = """
U0     V = Va - Vb
R1     u = Va - Vb
       u = R * i
R2     u = Va - Vb
       u = R * i
Common V = 0
divider U0.V = u
       y = R2.u
       R1.Va = U0.Va
       R1.i = U0.i
       R2.Va = R1.Vb
       R2.i = R1.i
       Common.V = R2.Vb
       U0.Vb = Common.V
"""
PARCAP = """
C1     u = Va - Vb
       C*der(u) = i
C2     u = Va - Vb
       C*der(u) = i
I0     V = Va - Vb
       i = II
Common V = 0
parcap I0.II = i
       y = C1.u
       C2.Vb = C1.Vb
       Common.V = C2.Vb
       I0.Vb = Common.V
       C1.Va = I0.Va
       C2.Va = C1.Va
       C1.i + C2.i = I0.i
"""
BY_HAND = """
Common C1.Vb = 0
C1     I0.Va = u + Vb
C2     u = I0.Va - C1.Vb
       i = C*der(u)
parcap C1.i = i - C2.i
C1     der(u) = i/C
I0     V = Va - C1.Vb
parcap y = C1.u
"""
# `C.Vb` in the document; the name of the common node is left open.
SWITCH = """
Common [V] = 0
C      u = [Va] - Common.V
R1     [u] = Sw.Va - Common.V
       R*[i] = u
Circuit [Sw.i] + R1.i = i
Sw     0 = OpenSw*i + (1 - OpenSw)*[u]
       u = [Va] - C.Va
I0     [u] = Sw.Va - Common.V
R2     [u] = C.Va - Common.V
       R*[i] = u
Circuit [C.i] + R2.i = Sw.i
C      C*[der(u)] = i
"""
SYSTEM = ("SOLVED SYSTEM OF EQUATIONS", "END OF SYSTEM OF SIMULTANEOUS EQUATIONS")


def with_names(listing: str) -> str:
    """`der(C2.u)` has become a variable, `C2.deru`."""
    return re.sub(r"der\(((?:\w+\.)*)(\w+)\)", r"\1der\2", listing)


def test_DYM_2_to_5_circuit_from_the_model_as_typed_to_solved_equations():
    typed = (EXAMPLES / "circuit.dym").read_text(encoding="utf-8").splitlines()
    *_, entered, eliminated, partitioned, solved = (
        answer
        for answer in talk(
            "enter model", *typed, "output equations",
            "set Eliminate on", "output equations",
            "partition", "output equations", "output solved equations",
        )
        if answer
    )  # fmt: skip

    assert equations_of(entered) == of_paper(CIRCUIT)
    assert equations_of(eliminated) == of_paper(PARTITIONED.replace("[", "").replace("]", ""))
    assert equations_of(partitioned) == of_paper(PARTITIONED)
    assert sorted(equations_of(solved)) == sorted(of_paper(SOLVED))


def test_DYM_5_equation_4_becomes_equation_5():
    """Of several solutions the document takes the one on the principal branch, and so does the listing."""
    *_, answer = talk(
        "enter model",
        "model equation",
        "  parameter a = 0.1, b = 2, c = 3, d = 0.2, e = 0.5, f = 1, g = 4",
        "  local x",
        "  exp(a + sin(x/b + c*x - d)*(exp(e) + 1))**2 - f = 2*g",
        "end",
        "output solved equations",
    )

    assert "  x = (arcsin((ln(sqrt(2*g + f)) - a)/(exp(e) + 1)) + d)/(1.0/b + c)\n" in answer


def test_DYM_6_and_7_divider_with_its_loop_solved_and_as_a_matrix():
    *_, entered, _, _, solved, _, _, matrix = talk(
        "enter model", "@divider.dym", "output equations",
        "set Eliminate on", "partition", "output solved equations",
        "set SolveLinearSyst off", "set MatrixExpr on", "output solved equations",
    )  # fmt: skip

    assert equations_of(entered) == of_paper(DIVIDER)
    assert set(section(solved, *SYSTEM)) == {
        "Q101 = R1.R + R2.R",
        "R1.Vb = (R1.R*R2.Vb + R2.R*U0.Va)/Q101",
        "R2.u = (R2.R*U0.Va - R2.R*R2.Vb)/Q101",
        "U0.i = (U0.Va - R2.Vb)/Q101",
        "R1.u = (R1.R*U0.Va - R1.R*R2.Vb)/Q101",
    }
    entries = [line for line in matrix.splitlines() if re.match(r"  [Ab]\(", line)]
    assert sorted(line.split(" = ")[1] for line in entries) == sorted(
        ["-1", "1", "-R2.Vb", "1", "-R2.R", "-R1.R", "1", "1", "1", "U0.Va"]
    )


def test_DYM_6_divider_without_zeros_and_surplus_is_one_equation():
    *_, answer = talk(
        "enter model @divider.dym", "set EvaluateExpr on; set Surplus off",
        "output solved equations",
    )  # fmt: skip

    assert equations_of(answer) == ["divider: y=R2.R*u/(R1.R+R2.R)"]


def test_DYM_8_parcap_is_singular():
    _, _, entered, warning, partitioned = talk(
        "enter model", "@parcap.dym", "output equations", "partition", "output equations"
    )

    assert equations_of(entered) == of_paper(PARCAP)
    assert warning + "\n" == WARNING.removesuffix("-- Equations:\n")
    assert equations_of(partitioned) == of_paper(PARCAP_PARTITIONED)


def test_DYM_8_parcap_with_differential_causality_by_hand():
    *_, answer = talk(
        "enter model @parcap.dym",
        "variable unknown C2.u", "variable known C2.deru", "set Eliminate on",
        "partition", "output solved equations",
    )  # fmt: skip

    assert sorted(equations_of(answer)) == sorted(of_paper(BY_HAND))
    found = equations_of(answer)
    assert found.index("C2: i=C*der(u)") < found.index("parcap: C1.i=i-C2.i")


def test_DYM_8_parcap_differentiated():
    *_, added, _, _, answer = talk(
        "enter model @parcap.dym",
        "differentiate", "variable state C1.u", "partition", "output equations",
    )  # fmt: skip

    assert added == "-- Equations added by differentiation: 6"
    assert equations_of(answer)[:15] == of_paper(with_names(DIFFERENTIATED))
    assert sorted(equations_of(answer)[15:]) == sorted(of_paper(with_names(ADDED)))


def test_DYM_8_parcap_solved():
    """With zeros removed C2.u is C1.u for us, so its derivative is no unknown of its own."""
    lines = (
        "enter model @parcap.dym", "differentiate", "variable state C1.u",
        "set Eliminate on", "set SubExpr off",
    )  # fmt: skip
    *_, five = talk(*lines, "partition", "output solved equations")
    *_, three = talk(*lines, "set EvaluateExpr on", "partition", "output solved equations")

    assert "SYSTEM OF 5 SIMULTANEOUS EQUATIONS" in five
    assert {"C2.deru = i/(C1.C + C2.C)", "C1.deru = i/(C1.C + C2.C)"} <= set(section(five, *SYSTEM))
    assert set(section(three, *SYSTEM)) == {
        "C1.i = C1.C*i/(C1.C + C2.C)",
        "C2.i = C2.C*i/(C1.C + C2.C)",
        "C1.deru = i/(C1.C + C2.C)",
    }


def test_DYM_10_the_joint_moves_the_inertia():
    *_, answer = talk(
        "enter model @lever.dym", "differentiate", "variable state B.phi B.w",
        "set EvaluateExpr on", "output solved equations",
    )  # fmt: skip

    assert section(answer, *SYSTEM)[0] == "Q101 = B.J + B.m*B.d*B.d"


def test_DYM_10_the_superheater_with_either_state():
    """Equation 11 of document 003."""
    _, _, first, _, _, second = talk(
        "enter model @superheater.dym", "variable state E", "output solved equations",
        "enter model @superheater.dym", "differentiate; variable state h",
        "output solved equations",
    )  # fmt: skip

    assert "-- The system of equations is nonlinear." in first
    assert section(second, *SYSTEM)[0] == "Q101 = V*r + V*h*gDER(h)"
    assert "derh = derE/Q101" in section(second, *SYSTEM)


def test_DYM_10_the_junction_with_either_state():
    _, _, first, _, _, second = talk(
        "enter model @junction.dym", "variable state qc", "output solved equations",
        "enter model @junction.dym", "differentiate; variable state ud",
        "output solved equations",
    )  # fmt: skip

    assert "-- The system of equations is nonlinear." in first
    assert "derud = derqc/Q101" in section(second, *SYSTEM)


def test_HYB_5_the_switch_equation_ends_up_in_the_loop():
    _, _, found, solved = talk(
        "enter model @switch.dym", "set Eliminate on",
        "output sorted equations", "output solved equations",
    )  # fmt: skip
    loop = [line[2:].split("  ")[-1].strip() for line in found.splitlines() if line[0] == "|"]
    unmarked = "\n".join(line[2:] for line in found.splitlines())

    # The document does not print the equations of Sw.OpenSw and y.
    printed = [x for x in equations_of(unmarked) if "OpenSw]" not in x and "[y]" not in x]
    assert sorted(printed) == sorted(of_paper(SWITCH))
    assert set(loop) == {  # the lines with a bar there; that of I0.u stands in no loop
        "[u] = Sw.Va - Common.V",
        "R*[i] = u",
        "[Sw.i] + R1.i = i",
        "u = [Va] - C.Va",
        "0 = OpenSw*i + (1 - OpenSw)*[u]",
    }
    # Q105 to Q108 there; C.Vb is Common.V here.
    assert section(solved, *SYSTEM) == [
        "Q101 = Sw.OpenSw - 1",
        "Q102 = R1.R*Q101",
        "Q103 = Q102 + Sw.OpenSw",
        "Q104 = R1.R*Sw.OpenSw",
        "Sw.i = (Q101*Common.V + Q102*i - Q101*C.Va)/Q103",
        "R1.u = (Q102*C.Va + Q104*i - Q102*Common.V)/Q103",
        "R1.i = (Q101*C.Va + i*Sw.OpenSw - Q101*Common.V)/Q103",
        "Sw.Va = (Q102*C.Va + Q104*i + Common.V*Sw.OpenSw)/Q103",
        "Sw.u = (Q104*i + Common.V*Sw.OpenSw - C.Va*Sw.OpenSw)/Q103",
    ]


@pytest.mark.parametrize("is_open", [True, False])
def test_HYB_6_the_rectifier_has_the_loop_of_the_document(is_open):
    """The document writes Q101 and Q102 for the two branches; ours chooses branch by branch. Both are
    evaluated with the same numbers."""
    _, _, answer = talk("enter model @rectifier.dym", "set Eliminate on", "output solved equations")
    paper = {
        "Q101": "1 if is_open else 0",
        "Q102": "0 if is_open else 1",
        "Q103": "R * Q102 - Q101",
        "Q104": "R * Q102",
        "Ri.u": "(Q104 * U - Q104 * D)/Q103",
        "Ri.Vb": "(Q104 * D - Q101 * U)/Q103",
        "Diode.u": "(Q101 * D - Q101 * U)/Q103",
        "U0.i": "(Q102 * U - Q102 * D)/Q103",
    }
    numbers = {"R": 10.0, "U": 0.7, "D": 0.2, "is_open": is_open}

    def values(formulas: dict[str, str]) -> dict[str, float]:
        known = dict(numbers)
        for name, formula in formulas.items():
            known[name.replace(".", "_")] = eval(formula, {}, known)
        return {name: known[name.replace(".", "_")] for name in formulas}

    ours = {}
    for line in section(answer, *SYSTEM):
        name, formula = line.split(" = ", 1)
        formula = re.sub(
            r"if pre\(Diode.OpenSwitch\) then (.+?) else ([^)]+)",
            r"(\1) if is_open else (\2)",
            formula,
        )
        for long, short in (("Ri.R", "R"), ("U0.Vb", "U"), ("Diode.Vb", "D")):
            formula = formula.replace(long, short)
        ours[name] = formula

    assert "SYSTEM OF 4 SIMULTANEOUS EQUATIONS" in answer
    expected = values(paper)
    found = values(ours)
    for name in ("Ri.u", "Ri.Vb", "Diode.u", "U0.i"):
        assert found[name] == pytest.approx(expected[name]), name
    assert "Diode      OpenSwitch = u <= 0 and not U0.i > 0" in answer


def test_HYB_6_the_event_log_of_the_rectifier():
    """`Diode.i` of the document is called U0.i, by which name it goes."""
    _, _, answer = talk(
        "enter model @rectifier.dym", "set PrintEvent on", "simulate stop=0.02 tol=1E-8"
    )

    assert [re.sub(r"-?\d\.\d{3}E[+-]\d+", "#", line) for line in answer.splitlines()[1:]] == [
        "Expression Diode.u is initially # (== 0).",
        "Expression U0.i is initially # (== 0).",
        "Variable Diode.OpenSwitch changed to True",
        "Iterating to find consistent restart conditions.",
        "Continuing after event.",
        "Expression Diode.u became # (> 0) at time = #.",
        "Variable Diode.OpenSwitch changed to False",
        "Iterating to find consistent restart conditions.",
        "Expression U0.i became # (> 0) at time = #.",
        "Iterating to find consistent restart conditions.",
        "Continuing after event.",
        "Expression U0.i became # (< 0) at time = #.",
        "Variable Diode.OpenSwitch changed to True",
        "Iterating to find consistent restart conditions.",
        "Expression Diode.u became # (< 0) at time = #.",
        "Iterating to find consistent restart conditions.",
        "Continuing after event.",
    ]
    assert answer.count("8.708E-03") == 2


def test_DYM_11_the_language_and_the_file_of_the_program(tmp_path):
    talk(
        f"enter model @{EXAMPLES / 'circuit.dym'}", "set Eliminate on",
        "language acsl", "outfile circuit.csl", "output model",
        folder=tmp_path,
    )  # fmt: skip

    program = statements((tmp_path / "circuit.csl").read_text(encoding="utf-8"))
    paper = statements(PAPER)
    assert sorted(program) == sorted(paper)
    for earlier, later in [
        ("R1zu=R2zVa-CzVa", "R1zi=R1zu/R1zR"),
        ("R1zi=R1zu/R1zR", "deru=R1zi/C"),
    ]:
        assert program.index(earlier) < program.index(later)
