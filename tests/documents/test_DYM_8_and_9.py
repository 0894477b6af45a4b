"""DYM-8 and DYM-9: `parcap`, two capacitors in parallel, from the warning to the solved loop."""

from __future__ import annotations

import numpy as np
from paper_listings import CIRCUITS, equations_of, listing, loaded, of_paper, section

WARNING = """\
-- The problem is singular.
-- Unassigned variables:
  C2.i
-- Additional constraint equations:
parcap  C2.Va = C1.Va
-- Equations:
"""

PARTITIONED = """
C1     u = [Va] - Vb
       C * [der(u)] = i
C2     u = [Va] - Vb
       C * [der(u)] = i
I0     [V] = Va - Vb
       [i] = II
Common [V] = 0
parcap [I0.II] = i
       [y] = C1.u
       C2.Vb = [C1.Vb]
       Common.V = [C2.Vb]
       [I0.Vb] = Common.V
       C1.Va = [I0.Va]
       C2.Va = C1.Va
       [C1.i] + C2.i = I0.i
"""

# The first fifteen as before but with the causality of one state; then the six that were added.
DIFFERENTIATED = """
C1     u = [Va] - Vb
       C * [der(u)] = i
C2     [u] = Va - Vb
       C * der(u) = [i]
I0     [V] = Va - Vb
       [i] = II
Common [V] = 0
parcap [I0.II] = i
       [y] = C1.u
       C2.Vb = [C1.Vb]
       Common.V = [C2.Vb]
       [I0.Vb] = Common.V
       C1.Va = [I0.Va]
       [C2.Va] = C1.Va
       [C1.i] + C2.i = I0.i
"""
ADDED = """
C1     der(u) = [der(Va)] - der(Vb)
parcap der(C2.Vb) = [der(C1.Vb)]
Common [der(V)] = 0.0
C2     [der(u)] = der(Va) - der(Vb)
parcap der(Common.V) = [der(C2.Vb)]
       [der(C2.Va)] = der(C1.Va)
"""


def test_DYM_8_the_warning_names_the_unassigned_variable_and_the_constraint():
    text = listing(CIRCUITS, "parcap", "assigned", eliminate="none")

    assert text.startswith(WARNING)
    assert equations_of(text.removeprefix(WARNING)) == of_paper(PARTITIONED)


def test_DYM_8_six_equations_are_added_and_every_equation_gives_something():
    text = listing(CIRCUITS, "parcap", "differentiated", eliminate="none")
    found = equations_of(text)

    assert text.startswith("-- States: C1.u\n")
    assert found[:15] == of_paper(DIFFERENTIATED)
    assert sorted(found[15:]) == sorted(of_paper(ADDED))


def test_DYM_8_the_loop_is_solved_without_names_for_subexpressions():
    text = listing(CIRCUITS, "parcap", "solved", share=False)
    solved = section(text, "SOLVED SYSTEM OF EQUATIONS", "END OF SYSTEM OF SIMULTANEOUS EQUATIONS")

    # Without aliases der(C2.u) and der(C1.Va) are der(C1.u): three of the five unknowns are left.
    assert set(solved) == {
        "C1.i = C1.C*i/(C1.C + C2.C)",
        "C2.i = C2.C*i/(C1.C + C2.C)",
        "der(C1.u) = i/(C1.C + C2.C)",
    }


def test_DYM_8_the_loop_of_five_equations_as_the_paper_isolates_it():
    text = listing(CIRCUITS, "parcap", "solved", eliminate="aliases", share=False)
    solved = section(text, "SOLVED SYSTEM OF EQUATIONS", "END OF SYSTEM OF SIMULTANEOUS EQUATIONS")

    assert "SYSTEM OF 5 SIMULTANEOUS EQUATIONS" in text
    assert {"der(C1.u) = i/(C1.C + C2.C)", "der(C2.u) = i/(C1.C + C2.C)"} <= set(solved)


def test_DYM_9_the_constraint_holds_and_the_charge_is_shared():
    result = loaded(CIRCUITS, "parcap").simulate(stop=1e-3, inputs={"i": 3e-4})
    voltage = 3e-4 / 0.3e-6 * np.asarray(result.time)

    assert np.abs(np.asarray(result["C1.u"]) - result["C2.u"]).max() == 0.0
    assert np.allclose(result["C1.u"], voltage, rtol=1e-7, atol=1e-12)
    assert np.allclose(result["C1.i"], 2e-4)
    assert np.allclose(result["C2.i"], 1e-4)
