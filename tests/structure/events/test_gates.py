"""Relations matter only where somebody looks at them."""

from __future__ import annotations

from freewheel.base.source import Source
from freewheel.instance.library import Library
from freewheel.pipeline import Options, compile_model
from freewheel.structure.blocks.incidence import expr_text
from freewheel.structure.events.relation_guards import gates_of


def gates(body: str) -> dict[str, str | None]:
    """Relation -> when it matters."""
    library = Library([], use_modelicapath=False)
    library.add_file(Source.from_text(f"model M\n{body}\nend M;", "M.mo"))
    hybrid = compile_model(library, ("M",), Options(stop_after="structure")).ordered.hybrid
    found = zip(hybrid.crossings, gates_of(hybrid), strict=True)
    return {c.text: None if gate is None else expr_text(gate) for c, gate in found}


DECLARED = """
  Real x(start = 1, fixed = true), y(start = 0, fixed = true), u;
  Boolean a(start = false, fixed = true), b(start = true, fixed = true);
  parameter Boolean p = true;
"""


def test_a_memory_decides_whether_a_relation_is_looked_at():
    found = gates(
        DECLARED
        + """
        equation
          a = pre(b) and x > 0 or pre(a) and not x <= 0;
          b = not a and y < 1;
          u = if a then 1 else if y > 2 then 2 else 3;
          der(x) = u; der(y) = 1;
        """
    )
    assert found == {"x > 0": "pre(a) or pre(b)", "y < 1": "not a", "y > 2": "not a"}


def test_one_relation_never_hides_another_one():
    """In `x > 0 or y > 0` each makes the other one unimportant; both may change unseen."""
    found = gates(
        DECLARED
        + """
        equation
          a = x > 0 or y > 0;
          b = true;
          u = if a then 1 else 2;
          der(x) = u; der(y) = 1;
        """
    )
    assert found == {"x > 0": None, "y > 0": None}


def test_a_second_use_without_condition_counts():
    found = gates(
        DECLARED
        + """
        equation
          a = pre(b) and x > 0;
          b = true;
          u = if x > 0 then 1 else 2;
          der(x) = u; der(y) = 1;
        """
    )
    assert found == {"x > 0": None}


def test_what_counts_at_the_start_only_makes_no_events():
    found = gates(
        DECLARED
        + """
        equation
          a = initial() and x > 0 or pre(a) and y > 3;
          b = true;
          u = if a then 1 else 2;
          der(x) = u; der(y) = 1;
        """
    )
    assert found == {"x > 0": "false", "y > 3": "pre(a)"}
