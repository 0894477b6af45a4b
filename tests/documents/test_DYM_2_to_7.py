"""DYM-2 to DYM-7: the listings of Cellier and Elmqvist (1993) for `circuit` and `divider`."""

from __future__ import annotations

import numpy as np
from paper_listings import CIRCUITS, EXAMPLES, equations_of, listing, loaded, of_paper, section

import freewheel as fw
from freewheel.formula.nodes import Binary, Call, Expr, Integer, Var
from freewheel.formula.show import show
from freewheel.formula.solve_for import solve_for

CIRCUIT = """
U0     V = Va - Vb
R1     u = Va - Vb
       u = R * i
R2     u = Va - Vb
       u = R * i
C      u = Va - Vb
       C*der(u) = i
L      u = Va - Vb
       L*der(i) = u
Common V = 0
circuit U0.V = u
       y1 = C.u
       y2 = L.i
       R1.Vb = C.Va
       C.i = R1.i
       R1.Va = R2.Va
       U0.Va = R1.Va
       R2.i + R1.i = U0.i
       R2.Vb = L.Va
       L.i = R2.i
       C.Vb = L.Vb
       U0.Vb = C.Vb
       Common.V = U0.Vb
"""

PARTITIONED = """
U0     circuit.u = [R2.Va] - L.Vb
R1     [u] = R2.Va - C.Va
       u = R * [i]
R2     u = Va - [L.Va]
       [u] = R * L.i
C      u = [Va] - L.Vb
       C * [der(u)] = R1.i
L      [u] = Va - Vb
       L * [der(i)] = u
Common [L.Vb] = 0
circuit [y1] = C.u
       [y2] = L.i
       L.i + R1.i = [U0.i]
"""

SOLVED = """
Common L.Vb = 0
U0     R2.Va = circuit.u + L.Vb
C      Va = u + L.Vb
R1     u = R2.Va - C.Va
       i = u/R
C      der(u) = R1.i/C
R2     u = R * L.i
       L.Va = Va - u
L      u = Va - Vb
       der(i) = u/L
circuit U0.i = L.i + R1.i
       y1 = C.u
       y2 = L.i
"""


def test_DYM_2_the_23_equations_of_circuit_in_the_order_of_the_paper():
    found = equations_of(listing(CIRCUITS, "circuit", "flat"))

    assert len(found) == 23
    assert found == of_paper(CIRCUIT)


def test_DYM_3_thirteen_equations_are_left_without_aliases():
    found = equations_of(listing(CIRCUITS, "circuit", "aliases", eliminate="aliases"))
    unmarked = PARTITIONED.replace("[", "").replace("]", "")

    assert len(found) == 13
    assert found == of_paper(unmarked)


def test_DYM_4_each_equation_gives_the_variable_marked_in_the_paper():
    found = equations_of(listing(CIRCUITS, "circuit", "assigned", eliminate="aliases"))

    assert found == of_paper(PARTITIONED)


def test_DYM_5_the_solved_equations_are_those_of_the_paper_in_its_order():
    found = equations_of(listing(CIRCUITS, "circuit", "solved", eliminate="aliases"))

    assert found == of_paper(SOLVED)


def test_DYM_5_equation_4_of_the_paper_becomes_equation_5():
    a, b, c, d, e, f, g, x = (Var((letter,)) for letter in "abcdefgx")
    two = Integer(2)

    def plus(*terms: Expr) -> Expr:
        result = terms[0]
        for term in terms[1:]:
            result = Binary("+", result, term)
        return result

    angle = Binary("-", plus(Binary("/", x, b), Binary("*", c, x)), d)
    factor = plus(Call("exp", e), Integer(1))
    power = plus(a, Binary("*", Call("sin", angle), factor))
    left = Binary("-", Binary("^", Call("exp", power), two), f)

    solution = solve_for(left, Binary("*", two, g), x, principal=True)

    assert solution is not None
    expected = "(asin((log(sqrt(2*g + f)) - a)/(exp(e) + 1)) + d)/(1.0/b + c)"
    assert show(solution.value) == expected


def test_DYM_6_the_loop_of_the_divider_and_its_solution():
    text = listing(CIRCUITS, "divider", "solved", eliminate="aliases")

    assert "SYSTEM OF 4 SIMULTANEOUS EQUATIONS" in text
    assert section(text, "UNKNOWN VARIABLES", "EQUATIONS") == ["R1.Vb", "R2.u", "U0.i", "R1.u"]
    solved = section(text, "SOLVED SYSTEM OF EQUATIONS", "END OF SYSTEM OF SIMULTANEOUS EQUATIONS")
    assert solved == [
        "Q101 = R1.R + R2.R",
        "R1.Vb = (R1.R*R2.Vb + R2.R*U0.Va)/Q101",
        "R2.u = (R2.R*U0.Va - R2.R*R2.Vb)/Q101",
        "U0.i = (U0.Va - R2.Vb)/Q101",
        "R1.u = (R1.R*U0.Va - R1.R*R2.Vb)/Q101",
    ]
    around = [line for line in text.splitlines() if line.startswith(("Common", "U0", "divider"))]
    assert around == [
        "Common   R2.Vb = 0",
        "U0       Va = divider.u + R2.Vb",
        "divider  y = R2.u",
    ]


def test_DYM_6_without_zeros_and_surplus_one_equation_is_left():
    found = equations_of(listing(CIRCUITS, "divider", "solved", eliminate="surplus"))

    assert found == ["divider: y=R2.R*u/(R1.R+R2.R)"]


def test_DYM_7_the_loop_as_a_matrix_with_the_numbers_of_the_paper():
    text = listing(CIRCUITS, "divider", "solved", eliminate="aliases", matrix=True)

    assert [line.strip() for line in text.splitlines() if line.startswith(("  A(", "  b("))] == [
        "A(1,1) = -1",
        "A(1,2) = 1",
        "b(1) = -R2.Vb",
        "A(2,2) = 1",
        "A(2,3) = -R2.R",
        "A(3,3) = -R1.R",
        "A(3,4) = 1",
        "A(4,1) = 1",
        "A(4,4) = 1",
        "b(4) = U0.Va",
    ]


def test_DYM_7_the_matrix_has_the_solution_of_the_formulas():
    text = listing(CIRCUITS, "divider", "solved", eliminate="aliases", matrix=True)
    unknowns = section(text, "UNKNOWN VARIABLES", "EQUATIONS")
    numbers = {"R1.R": 100.0, "R2.R": 20.0, "R2.Vb": 0.0, "U0.Va": 12.0}
    matrix, right = np.zeros((4, 4)), np.zeros(4)
    for line in text.splitlines():
        if not line.startswith(("  A(", "  b(")):
            continue
        place, entry = line.strip().split(" = ")
        sign, name = (-1.0, entry[1:]) if entry.startswith("-") else (1.0, entry)
        value = sign * (numbers[name] if name in numbers else float(name))
        at = [int(k) - 1 for k in place[2:-1].split(",")]
        if place.startswith("A"):
            matrix[at[0], at[1]] = value
        else:
            right[at[0]] = value

    solution = dict(zip(unknowns, np.linalg.solve(matrix, right), strict=True))

    assert np.isclose(solution["U0.i"], 0.1)
    assert np.isclose(solution["R2.u"], 2.0)


def test_DYM_6_the_divider_divides():
    result = loaded(CIRCUITS, "divider").simulate(stop=1.0, inputs={"u": 12.0})

    assert np.allclose(result["y"], 12.0 * 20 / 120)


def test_DYM_6_the_divider_with_resistances_that_a_run_makes_zero():
    """The printed solution divides by R1.R + R2.R alone."""
    for file in (CIRCUITS, EXAMPLES.parent / "dymola" / "divider.dym"):
        model = loaded(file, "divider")
        for resistances in ((0.0, 20.0), (100.0, 0.0), (0.0, 1e-9)):
            params = dict(zip(("R1.R", "R2.R"), resistances, strict=True))
            result = model.simulate(stop=1.0, inputs={"u": 12.0}, params=params)
            assert np.allclose(result["y"], 12.0 * resistances[1] / sum(resistances))


def test_DYM_4_connected_components_of_the_library_get_the_same_causality():
    circuit = fw.load(EXAMPLES.parent / "circuit.mo")
    found = equations_of(circuit.equations("assigned", eliminate="aliases"))

    assert "R1: v=R_actual*[C.i]" in found  # the voltage is known: R1 gives a current
    assert "R2: [v]=R_actual*L.i" in found  # the current is known: R2 gives a voltage
