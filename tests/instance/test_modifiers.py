"""Modifications: nested, dotted, each, final, on arrays, removed."""

from __future__ import annotations

import pytest

PARTS = """
model Leaf parameter Real p = 1; Real x(start = 0); equation der(x) = p; end Leaf;
model Node Leaf l; Leaf k; parameter Real q = 9; end Node;
"""


@pytest.mark.parametrize(
    ("declaration", "name", "value"),
    [
        ("Node n(l(p = 3));", "n.l.p", "3"),
        ("Node n(l.p = 3);", "n.l.p", "3"),
        ("Node n(l(p = 3), k(p = 4));", "n.k.p", "4"),
        ("parameter Real z = 2; Node n(l(p = z));", "n.l.p", "z"),
        ("Node n(final q = 3);", "n.q", "3"),
        ("Leaf l[3](p = {5, 6, 7});", "l[2].p", "6"),
        ("Leaf l[3](each p = 5);", "l[3].p", "5"),
        ("Leaf l[2, 2](p = {{1, 2}, {3, 4}});", "l[2,1].p", "3"),
        ("Node n[2](l(p = {5, 6}));", "n[2].l.p", "6"),
        ("Node n[2](each l(p = 5));", "n[1].l.p", "5"),
        ("Node n[2](l(each p = 5));", "n[2].l.p", "5"),
        ("Leaf l[3](p = 2*(1:3));", "l[3].p", "(2*(1:3))[3]"),
        ("parameter Real v[2] = {8, 9}; Leaf l[2](p = v);", "l[2].p", "v[2]"),
        ("Leaf l[2](p = {i^2 for i in 1:2});", "l[2].p", "2^2"),
    ],
)
def test_a_modification_arrives(flat, declaration, name, value):
    printed = flat(PARTS + f"model M {declaration} end M;")

    assert printed.value(name) == value


@pytest.mark.parametrize(
    ("declaration", "line"),
    [
        ("Leaf l(x(start = 5));", "Real l.x(start = 5)"),
        ("Leaf l(x.start = 5);", "Real l.x(start = 5)"),
        ('Leaf l(x(unit = "m", nominal = 10));', "Real l.x(start = 0, nominal = 10, unit = m)"),
        (
            "Leaf l(x(stateSelect = StateSelect.prefer));",
            "Real l.x(start = 0, stateSelect = prefer)",
        ),
        ("Leaf l(x(start = 1, fixed = true));", "Real l.x(start = 1, fixed = true)"),
    ],
)
def test_attributes_are_modified(flat, declaration, line):
    assert flat(PARTS + f"model M {declaration} end M;")["l.x"] == line


def test_attributes_of_an_array_variable(flat):
    text = "model M Real x[2](start = {1, 2}, each fixed = true); equation der(x) = -x; end M;"

    assert flat(text)["x"] == "Real[2] x(start = {1, 2}, fixed = true)"


def test_attributes_of_array_variables_in_an_array_of_components(flat):
    text = """
    model Part Real x[2](start = {1, 2}); equation der(x) = -x; end Part;
    model M Part p[2](x(start = {{3, 4}, {5, 6}})); end M;
    """
    printed = flat(text)

    assert printed["p[1].x"] == "Real[2] p[1].x(start = {3, 4})"
    assert printed["p[2].x"] == "Real[2] p[2].x(start = {5, 6})"


def test_one_value_for_an_array_of_components_needs_each(refused, place):
    found = refused(PARTS + "model M Leaf l[3](p = 5); end M;")

    assert found.code == "N043"
    assert place(found) == "5"


def test_a_value_for_too_few_elements_is_refused(refused):
    assert refused(PARTS + "model M Leaf l[3](p = {1, 2}); end M;").code == "N034"


def test_final_forbids_further_modification(refused, place):
    text = (
        PARTS + "model Sealed Leaf l(final p = 2); end Sealed; model M Sealed s(l(p = 3)); end M;"
    )
    found = refused(text)

    assert (found.code, found.message) == ("N013", "a final element cannot be modified")
    assert place(found) == "p = 3"


def test_a_final_declaration_forbids_modification(refused):
    text = "model A final parameter Real p = 1; end A; model M A a(p = 2); end M;"

    assert refused(text).code == "N013"


def test_final_shows_in_the_flat_model(flat):
    assert flat("model M final parameter Real p = 1; end M;")["p"] == "final parameter Real p = 1"


def test_modifying_twice_is_refused(refused):
    assert refused(PARTS + "model M Leaf l(p = 1, p = 2); end M;").code == "N012"


def test_different_attributes_may_be_modified_apart(flat):
    assert flat(PARTS + "model M Leaf l(x(start = 1), x(nominal = 2)); end M;")["l.x"] == (
        "Real l.x(start = 1, nominal = 2)"
    )


def test_break_takes_a_value_away(flat):
    """`= break` is new in 3.6: the inherited declaration equation is gone."""
    text = "model A parameter Real p = 1; Real x = 5; end A;"
    printed = flat(text + "model M A a(p = break, x = break); equation a.x = time; end M;")

    assert printed["a.p"] == "parameter Real a.p"
    assert printed.equations == ["a.x = time"]


def test_a_modification_keeps_the_scope_it_was_written_in(flat):
    text = (
        PARTS
        + """
    model Holder parameter Real p = 100; Leaf l(p = p); end Holder;
    model M parameter Real p = 3; Holder h(p = p + 1); end M;
    """
    )
    printed = flat(text)

    assert (printed.value("h.p"), printed.value("h.l.p")) == ("p + 1", "h.p")


def test_an_unknown_element_is_refused_with_a_near_name(refused, place):
    found = refused("model A parameter Real gain = 1; end A; model M A a(gian = 2); end M;")

    assert found.code == "N010"
    assert found.help == "did you mean `gain`?"
    assert place(found) == "gian = 2"


def test_an_unknown_attribute_is_refused(refused):
    found = refused("model M Real x(begin = 1) = 2; end M;")

    assert (found.code, found.message) == ("N010", "Real `x` has no attribute `begin`")


def test_values_from_outside_act_like_a_modification(flat):
    printed = flat(PARTS + "model M Node n; end M;", changes={"n.l.p": "2.5"})

    assert printed.value("n.l.p") == "2.5"


def test_a_whole_record_may_be_given(flat):
    text = """
    record R parameter Real a = 1; parameter Real b = 2; end R;
    model Part R r; Real x = r.a + r.b; end Part;
    model M parameter R mine(a = 7); Part p(r = mine); end M;
    """
    printed = flat(text)

    assert (printed.value("p.r.a"), printed.value("p.r.b")) == ("mine.a", "mine.b")


def test_a_conditional_value_may_depend_on_a_parameter(flat):
    text = PARTS + "model M parameter Boolean b = true; Leaf l(p = if b then 1 else 2); end M;"

    assert flat(text).value("l.p") == "if b then 1 else 2"
