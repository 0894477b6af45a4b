"""Modifiers of constraining clauses: they hold for the declaration and for every redeclaration.

Modelica 3.6, "Constraining Type".
"""

from __future__ import annotations

import pytest

PUMPS = """
partial model Pump parameter Real speed = 1; parameter Real size = 1; Real q; end Pump;
model Gear extends Pump; equation q = speed*size; end Gear;
model Screw extends Pump; parameter Real pitch = 3; equation q = speed*size*pitch; end Screw;
"""


@pytest.mark.parametrize(
    ("declared", "used", "speed"),
    [
        ("Gear constrainedby Pump(speed = 2)", "", "2"),
        ("Gear(speed = 3) constrainedby Pump(speed = 2)", "", "3"),
        ("Gear(final speed = 3) constrainedby Pump(speed = 2, size = 4)", "", "3"),
        ("Gear constrainedby Pump(speed = 2)", "(speed = 5)", "5"),
        ("Gear(speed = 3)", "", "3"),
    ],
)
def test_a_class_declared_with_a_constraining_clause_has_its_modifiers(flat, declared, used, speed):
    text = f"{PUMPS} model M replaceable model P = {declared}; P p{used}; end M;"

    assert flat(text).value("p.speed") == speed


def test_a_long_class_with_a_constraining_clause_has_its_modifiers(flat):
    text = (
        PUMPS
        + """
        model M
          replaceable model P extends Pump(size = 7); equation q = 2*size; end P
            constrainedby Pump(speed = 2);
          P p;
        end M;"""
    )
    printed = flat(text)

    assert (printed.value("p.speed"), printed.value("p.size")) == ("2", "7")


@pytest.mark.parametrize(
    ("redeclared", "speed"),
    [("Screw", "2"), ("Screw(speed = 6)", "6"), ("Screw(size = 6)", "2")],
)
def test_a_redeclared_class_keeps_the_modifiers_it_does_not_give_itself(flat, redeclared, speed):
    text = (
        PUMPS
        + f"""
        model Station replaceable model P = Gear constrainedby Pump(speed = 2); P p; end Station;
        model M Station s(redeclare model P = {redeclared}); end M;"""
    )

    assert flat(text).value("s.p.speed") == speed


def test_a_record_type_and_a_package_are_constrained_alike(flat):
    text = """
    package Fluid constant Real rho = 1; end Fluid;
    package Water extends Fluid; end Water;
    record Data parameter Real a = 1; end Data;
    model M
      replaceable package Medium = Water constrainedby Fluid(rho = 1000);
      replaceable record D = Data constrainedby Data(a = 8);
      D d;
      Real m = Medium.rho*time;
    end M;"""
    printed = flat(text)

    assert printed.equations == ["m = 1000.0*time"]
    assert printed.value("d.a") == "8"


ARRAYS = (
    PUMPS
    + """
    model Station
      parameter Integer n = 3;
      replaceable model P = Gear constrainedby Pump(final speed = 6/n);
      P p[n];
    end Station;"""
)


@pytest.mark.parametrize(
    "model",
    [
        "model M extends Station; end M;",
        "model M extends Station(redeclare model P = Screw); end M;",
        "model M Station s[2](each n = 2); end M;",
        "model M Station s[2](redeclare each model P = Screw); end M;",
    ],
)
def test_modifiers_of_a_class_are_the_same_for_all_elements_of_an_array(flat, model):
    printed = flat(ARRAYS + model)

    values = {
        v.name: printed.value(n)
        for n, v in zip(printed.names, printed.model.variables, strict=True)
        if n.endswith("speed")
    }
    assert len(values) in (3, 4, 6)
    assert all(value.startswith("6/") for value in values.values())


def test_modifying_a_replaceable_class_from_outside_holds_for_all_elements(flat):
    text = (
        PUMPS
        + """
        model Station replaceable model P = Gear; P p[3]; end Station;
        model M Station s(P(speed = 4)); end M;"""
    )

    assert [flat(text).value(f"s.p[{k}].speed") for k in (1, 2, 3)] == ["4", "4", "4"]


def test_modifiers_of_the_array_are_still_handed_out_element_by_element(flat):
    text = ARRAYS + "model M Station s(p(size = {1, 2, 3})); end M;"

    assert [flat(text).value(f"s.p[{k}].size") for k in (1, 2, 3)] == ["1", "2", "3"]


CHAIN = (
    PUMPS
    + """
    partial model Base replaceable Pump p constrainedby Pump; end Base;
    model Fast extends Base(redeclare replaceable Pump p constrainedby Pump(speed = 2)); end Fast;
    partial model Body extends Base; redeclare replaceable Pump p constrainedby Pump(speed = 2); end Body;
    """
)


@pytest.mark.parametrize(
    ("model", "name", "speed"),
    [
        ("extends Fast(redeclare Gear p);", "p", "2"),
        ("Fast f(redeclare Gear p);", "f.p", "2"),
        ("extends Body(redeclare Gear p);", "p", "2"),
        ("extends Body; redeclare Gear p;", "p", "2"),
        ("extends Fast(redeclare Gear p(speed = 9));", "p", "9"),
        ("extends Fast(redeclare Gear p, p(speed = 9));", "p", "9"),
        ("extends Base(redeclare Gear p constrainedby Pump(speed = 4));", "p", "4"),
    ],
)
def test_the_constraining_clause_of_a_redeclaration_holds_for_the_next_one(
    flat, model, name, speed
):
    assert flat(f"{CHAIN} model M {model} end M;").value(f"{name}.speed") == speed


def test_three_redeclarations_on_top_of_each_other_add_up(flat):
    text = (
        CHAIN
        + """
        partial model Big extends Fast(redeclare replaceable Pump p constrainedby Pump(size = 5)); end Big;
        model M extends Big(redeclare Screw p); end M;"""
    )
    printed = flat(text)

    assert (printed.value("p.speed"), printed.value("p.size")) == ("2", "5")


def test_the_later_constraining_clause_wins(flat):
    text = (
        CHAIN
        + """
        partial model Big extends Fast(redeclare replaceable Pump p constrainedby Pump(speed = 5)); end Big;
        model M extends Big(redeclare Screw p); end M;"""
    )

    assert flat(text).value("p.speed") == "5"


def test_redeclared_classes_hand_on_their_constraining_clauses_too(flat):
    text = (
        PUMPS
        + """
        partial model Base replaceable model P = Pump; P p; end Base;
        model Fast extends Base(redeclare replaceable model P = Gear constrainedby Pump(speed = 2)); end Fast;
        model Default extends Fast; end Default;
        model M Default d; Fast f(redeclare model P = Screw); end M;"""
    )
    printed = flat(text)

    assert (printed.value("d.p.speed"), printed.value("f.p.speed")) == ("2", "2")


def test_a_final_modifier_of_the_constraining_clause_cannot_be_modified(refused):
    text = (
        PUMPS
        + "model M replaceable model P = Gear constrainedby Pump(final speed = 2); P p(speed = 3); end M;"
    )

    assert refused(text).code == "N013"
