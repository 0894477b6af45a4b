"""DYM-11: the ACSL program of Cellier and Elmqvist (1993) for `circuit`, statement by statement.

The paper's text with `.` for the dots of names (`R2zVa` is R2.Va); constants stand one per line here and
are compared as numbers. They come in the order of declaration, in the paper R2zR comes last.
"""

import re

from paper_listings import CIRCUITS

import freewheel as fw
from freewheel.export import ExportOptions, export_model

PAPER = """
PROGRAM circuit
VARIABLE Time, StartTime = 0.0
CONSTANT StopTime = 1.0
INITIAL
CONSTANT R1zR = 100.0, C = 0.1E-6, L = 1.5E-3
CONSTANT R2zR = 20.0
END
DYNAMIC
DERIVATIVE
PROCEDURAL
Vb = 0
R2zVa = u + Vb
CzVa = Czu + Vb
R1zu = R2zVa - CzVa
R1zi = R1zu/R1zR
deru = R1zi/C
R2zu = R2zR * Lzi
LzVa = R2zVa - R2zu
Lzu = LzVa - Vb
deri = Lzu/L
U0zi = Lzi + R1zi
y1 = Czu
y2 = Lzi
END
CONSTANT initCzu = 0
Czu = INTEG(deru, initCzu)
CONSTANT initLzi = 0
Lzi = INTEG(deri, initLzi)
END
TERMT (Time,GE,StopTime)
END
END
"""


def statements(text):
    """Without remarks and blanks; `a = 1, b = 2` are two constants, numbers are numbers."""
    found = []
    for line in text.splitlines():
        code = line.split("!")[0].strip()
        if not code:
            continue
        word, _, rest = code.partition(" ")
        if word == "CONSTANT":
            found += [f"CONSTANT {part.strip()}" for part in rest.split(",")]
        else:
            found.append(re.sub(r"[ .,]", "", code) if word == "TERMT" else code)
    return [
        re.sub(r"= *(\d[\d.E+-]*)$", lambda m: f"= {float(m[1])}", s).replace(" ", "")
        for s in found
    ]


def program(name="circuit", **options):
    model = fw.load(CIRCUITS, model=name)
    made = export_model(model, "acsl", ExportOptions(eliminate="aliases", **options))
    return made[f"{name}.csl"]


def test_DYM_11_the_program_for_circuit_has_the_statements_of_the_paper():
    found, paper = statements(program(stop=1.0)), statements(PAPER)
    end = paper.index("END")  # of INITIAL: before it stand the constants

    assert found[end:] == paper[end:]
    assert sorted(found[:end]) == sorted(paper[:end])


def test_DYM_11_sections_and_declarations_come_in_the_order_of_the_paper():
    words = (
        "PROGRAM",
        "INITIAL",
        "DYNAMIC",
        "DERIVATIVE",
        "PROCEDURAL",
        "END",
        "TERMT",
        "Czu",
        "Lzi",
    )

    def frame(text):
        return [s for s in statements(text) if s.startswith(words) and "Va" not in s]

    assert frame(program(stop=1.0)) == frame(PAPER)


def test_DYM_11_every_variable_is_assigned_before_it_is_used():
    text = program(stop=1.0)
    body = text[text.index("PROCEDURAL") : text.index("END ! of PROCEDURAL")]
    known = {"u", "Czu", "Lzi", "R1zR", "R2zR", "C", "L"}
    for line in body.splitlines()[1:]:
        if "=" not in line:
            continue
        target, value = line.split("=")
        assert set(re.findall(r"[A-Za-z]\w*", value)) <= known
        known.add(target.strip())

    assert {"deru", "deri", "y1", "y2"} <= known


def test_DYM_11_equations_stand_under_the_component_that_brought_them():
    text = program(stop=1.0)

    assert "!   R1.\n        R1zu = R2zVa - CzVa\n        R1zi = R1zu/R1zR\n" in text
    assert "!SORTED AND SOLVED EQUATIONS\n!   Common.\n        Vb = 0\n" in text
