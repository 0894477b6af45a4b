"""Conditional components, structural parameters, recursive structures."""

from __future__ import annotations

PART = "model Part parameter Real k = 1; Real x = k; end Part;"


def test_a_component_whose_condition_is_false_is_not_there(flat):
    text = PART + "model M parameter Boolean b = false; Part p if b; Part q if not b; end M;"
    printed = flat(text)

    assert printed.names == ["b", "q.k", "q.x"]
    assert printed.variable("b").is_structural


def test_a_condition_may_compute(flat):
    text = (
        PART
        + """type Kind = enumeration(a, b);
      model M parameter Integer n = 3; parameter Kind kind = Kind.b;
      Part p if n > 2 and kind == Kind.b; Part q if n > 3; end M;"""
    )

    assert flat(text).names[2:] == ["p.k", "p.x"]


def test_a_conditional_array(flat):
    text = PART + "model M parameter Boolean b = true; Part p[2] if b; end M;"

    assert flat(text).names[1:] == ["p[1].k", "p[1].x", "p[2].k", "p[2].x"]


def test_what_is_modified_inside_a_missing_component_does_not_matter(flat):
    text = PART + "model M parameter Boolean b = false; Part p(k = 1/0) if b; end M;"

    assert flat(text).names == ["b"]


def test_using_a_missing_component_is_refused(refused, place):
    text = PART + "model M parameter Boolean b = false; Part p if b; Real y = p.x; end M;"
    found = refused(text)

    assert found.code == "N020"
    assert place(found) == "p.x"


def test_a_condition_must_be_known(refused):
    text = PART + "model M Boolean b = time > 1; Part p if b; end M;"

    assert refused(text).code == "N033"


def test_a_condition_must_be_a_truth_value(refused):
    assert refused(PART + "model M Part p if 1; end M;").code == "N042"


def test_a_condition_given_from_outside(flat):
    text = PART + "model M parameter Boolean b = false; Part p if b; end M;"

    assert flat(text, changes={"b": "true"}).names == ["b", "p.k", "p.x"]


def test_a_recursive_structure_ended_by_a_condition(flat):
    text = """model Tree parameter Integer depth = 2; Tree left(depth = depth - 1) if depth > 0;
      Real x = depth; end Tree; model M Tree t; end M;"""

    assert [n for n in flat(text).names if n.endswith("x")] == [
        "t.left.left.x",
        "t.left.x",
        "t.x",
    ]


def test_a_recursive_class_is_refused(refused):
    assert refused("model A A a; end A; model M A a; end M;").code == "N007"


def test_structural_parameters_are_marked_and_others_are_not(flat):
    text = """model M parameter Integer n = 2; parameter Integer m = n; parameter Real k = 3;
      Real x[m] = k*ones(m); end M;"""
    printed = flat(text)

    assert [v.is_structural for v in printed.model.variables[:3]] == [True, True, False]


def test_a_partial_class_cannot_be_a_component(refused):
    assert refused("partial model A end A; model M A a; end M;").code == "N018"


def test_a_package_cannot_be_a_component(refused):
    assert refused("package A end A; model M A a; end M;").code == "N017"


def test_a_value_that_depends_on_itself_is_refused(refused):
    text = "model M parameter Integer n = m; parameter Integer m = n; Real x[n] = ones(n); end M;"

    assert refused(text).code == "N032"


def test_input_and_output_matter_only_at_the_top(flat):
    text = """block Gain input Real u; output Real y; equation y = u; end Gain;
      model M input Real a; output Real b; Gain g(u = a); equation b = g.y; end M;"""
    printed = flat(text)

    assert printed.variables == ["input Real a", "output Real b", "Real g.u", "Real g.y"]
    assert "g.u = a" in printed.equations
