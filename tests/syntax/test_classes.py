"""Classes, elements, modifications, equations and statements: text in, nodes out."""

import pytest

from freewheel.base.source import Source
from freewheel.syntax.equation_nodes import (
    Assign,
    Break,
    CallEquation,
    CallStatement,
    Connect,
    Equation,
    ForEquation,
    ForStatement,
    IfEquation,
    IfStatement,
    Return,
    TupleAssign,
    WhenEquation,
    WhenStatement,
    WhileStatement,
)
from freewheel.syntax.expression_nodes import NoBinding
from freewheel.syntax.nodes import (
    KINDS,
    AlgorithmSection,
    BreakConnect,
    BreakElement,
    Component,
    DerBody,
    ElementMod,
    EnumerationBody,
    EquationSection,
    Extends,
    Import,
    LongBody,
    NestedClass,
    Redeclaration,
    ShortBody,
)
from freewheel.syntax.parser import parse, parse_annotation


def one(text):
    return parse(Source.from_text(text)).classes[0]


def body(inside):
    result = one(f"model M {inside} end M;").body
    assert isinstance(result, LongBody)
    return result


def element(text):
    (found,) = body(text + ";").elements
    return found


def equation(text):
    (section,) = body("equation " + text + ";").sections
    assert isinstance(section, EquationSection)
    (found,) = section.equations
    return found


def statement(text):
    (section,) = body("algorithm " + text + ";").sections
    assert isinstance(section, AlgorithmSection)
    (found,) = section.statements
    return found


# ---------------------------------------------------------------- classes


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_class(kind):
    assert one(f"{kind} C end C;").kind == kind


def test_words_and_text_before_and_behind_a_class():
    found = one('final encapsulated partial model M "text" annotation(Icon()); end M;')

    assert (found.final, found.encapsulated, found.partial) == (True, True, True)
    assert found.description.value == "text"
    assert found.description.annotation is not None


def test_within_is_absent_empty_or_a_name():
    def within(text):
        return parse(Source.from_text(text + " model M end M;")).within

    assert within("") is None
    assert within("within;").parts == ()
    assert within("within A.B;").parts == ("A", "B")


def test_short_class():
    found = one('connector Pins = input Pin[3](each v=1) "three";')

    assert isinstance(found.body, ShortBody)
    assert found.body.prefixes.causality == "input"
    assert found.body.type.parts == ("Pin",)
    assert len(found.body.subscripts) == 1
    assert found.description.text == "three"


def test_enumerations():
    listed = one('type E = enumeration(a "first", b);').body
    left_open = one("type E = enumeration(:);").body

    assert isinstance(listed, EnumerationBody)
    assert [literal.name for literal in listed.literals] == ["a", "b"]
    assert listed.literals[0].description.text == "first"
    assert isinstance(left_open, EnumerationBody)
    assert left_open.literals is None


def test_partial_derivative():
    found = one("function g = der(P.f, x, y);").body

    assert isinstance(found, DerBody)
    assert (found.function.parts, found.variables) == (("P", "f"), ("x", "y"))


def test_class_extends():
    nested = element("redeclare model extends X(a=1) Real y; end X")

    assert isinstance(nested, NestedClass)
    assert nested.prefixes.redeclare
    assert nested.definition.name == "X"
    assert isinstance(nested.definition.body, LongBody)
    assert nested.definition.body.is_extension
    assert len(nested.definition.body.modification.args) == 1


def test_sections_keep_their_order_and_kind():
    found = body("equation x=1; initial equation x=2; algorithm y:=1; initial algorithm y:=2;")

    assert [(type(s), s.initial) for s in found.sections] == [
        (EquationSection, False),
        (EquationSection, True),
        (AlgorithmSection, False),
        (AlgorithmSection, True),
    ]


def test_public_and_protected():
    found = body("Real a; protected Real b; equation a=b; public Real c;")

    assert [(e.name, e.protected) for e in found.elements] == [
        ("a", False),
        ("b", True),
        ("c", False),
    ]


def test_external_function():
    text = 'function f external "C" y = c_name(x, size(x, 1)) annotation(Library="m"); end f;'
    external = one(text).body.external

    assert external.language == "C"
    assert external.result.names == ("y",)
    assert external.function == "c_name"
    assert len(external.args) == 2
    assert external.annotation is not None


def test_the_annotation_of_an_external_function_may_follow_its_semicolon():
    """As the standard library wrote it up to version 3.0, next to the annotation of the class."""
    text = (
        'function f annotation(Inline=true); external "C" y = s(u); annotation(Library="m"); end f;'
    )
    external = one(text).body.external

    assert external.function == "s"
    assert external.annotation is not None


def test_external_alone():
    external = one("function f external; end f;").body.external

    assert (external.language, external.function, external.args) == (None, None, ())


# ---------------------------------------------------------------- elements


@pytest.mark.parametrize(
    ("text", "name", "alias", "everything", "names"),
    [
        ("import A.B", ("A", "B"), None, False, ()),
        ("import C = A.B", ("A", "B"), "C", False, ()),
        ("import A.*", ("A",), None, True, ()),
        ("import A.{b, c}", ("A",), None, False, ("b", "c")),
    ],
)
def test_imports(text, name, alias, everything, names):
    found = element(text)

    assert isinstance(found, Import)
    assert found.name.parts == name
    assert (found.alias, found.everything, found.names) == (alias, everything, names)


def test_extends():
    found = element("extends .A.B(x=1) annotation(Evaluate=true)")

    assert isinstance(found, Extends)
    assert (found.type.parts, found.type.absolute) == (("A", "B"), True)
    assert found.modification.args[0].name == ("x",)
    assert found.annotation is not None


def test_one_component_for_each_name():
    first, second = body('parameter Real[2] a(min=0) = {1, 2} "t", b[3];').elements

    assert (first.name, second.name) == ("a", "b")
    assert first.prefixes is second.prefixes
    assert first.prefixes.variability == "parameter"
    assert len(first.type_subscripts) == len(second.type_subscripts) == 1
    assert len(second.subscripts) == 1
    assert first.description.text == "t"


def test_all_prefixes():
    found = element("redeclare final inner outer replaceable flow parameter input Real x")

    assert isinstance(found, Component)
    assert tuple(found.prefixes) == (
        True, True, True, True, True, False, "flow", "parameter", "input",
    )  # fmt: skip


def test_condition_and_constraint():
    found = element('replaceable Pin p(v=1) if use constrainedby Base(w=2) "text"')

    assert isinstance(found, Component)
    assert found.condition.names == ("use",)
    assert found.constraining.type.parts == ("Base",)
    assert found.constraining.description.text == "text"


# ---------------------------------------------------------------- modifications


def arguments(text):
    return element(f"extends B({text})").modification.args


def test_element_modifications():
    first, second = arguments('each final a.b(c=1) = 2 "t", d')

    assert isinstance(first, ElementMod)
    assert (first.each, first.final, first.name, first.text) == (True, True, ("a", "b"), "t")
    assert first.modification.binding.text == "2"
    assert first.modification.args[0].name == ("c",)
    assert second.modification is None


def test_redeclarations():
    text = "redeclare each final model X = Y(a=1), redeclare replaceable R r(R=1) constrainedby B"
    model, component = arguments(text)

    assert isinstance(model, Redeclaration)
    assert isinstance(model.element, NestedClass)
    assert (model.element.prefixes.each, model.element.prefixes.final) == (True, True)
    assert model.element.definition.name == "X"
    assert isinstance(component.element, Component)
    assert component.element.prefixes.replaceable
    assert component.element.constraining.type.parts == ("B",)


def test_selective_extension():
    by_name, connection, value = arguments("break a, break connect(b, c), d=break")

    assert isinstance(by_name, BreakElement)
    assert by_name.name == "a"
    assert isinstance(connection, BreakConnect)
    assert connection.connect.right.names == ("c",)
    assert isinstance(value.modification.binding, NoBinding)


def test_annotations_are_read_on_demand():
    source = Source.from_text('model M annotation(experiment(StopTime=2), Icon(x="(")); end M;')
    annotation = parse(source).classes[0].description.annotation
    experiment, icon = parse_annotation(source, annotation).args

    assert experiment.name == ("experiment",)
    stop = experiment.modification.args[0]
    assert (stop.name, stop.modification.binding.value) == (("StopTime",), 2)
    assert source.text[stop.start : stop.end] == "StopTime=2"
    assert icon.name == ("Icon",)


def test_a_very_deep_annotation_is_kept_whole():
    deep = "annotation(" + "a(" * 30 + "b=1 /* in */" + ")" * 31
    source = Source.from_text(f"model M {deep}; end M; // out")
    tree = parse(source)
    annotation = tree.classes[0].description.annotation

    assert source.text[annotation.start : annotation.end] == deep
    assert [comment.text for comment in tree.comments] == ["// out"]
    assert parse_annotation(source, annotation).args[0].name == ("a",)


# ---------------------------------------------------------------- equations and statements


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ('der(x) = -x "decay"', Equation),
        ("(a, b) = f(x)", Equation),
        ("connect(a.p[1], b.n)", Connect),
        ('assert(x > 0, "positive")', CallEquation),
        ("if a then x=1; elseif b then x=2; y=3; else x=4; end if", IfEquation),
        ("when {initial(), a > b} then x=1; elsewhen c then reinit(x, 1); end when", WhenEquation),
        ("for i in 1:3, j loop x[i, j]=1; end for", ForEquation),
    ],
)
def test_equations(text, kind):
    found = equation(text)

    assert type(found) is kind


def test_branches_of_an_if_equation():
    found = equation("if a then x=1; elseif b then x=2; y=3; else x=4; end if")

    assert isinstance(found, IfEquation)
    assert [len(branch.body) for branch in found.branches] == [1, 2]
    assert len(found.otherwise) == 1


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("x.y[1] := 2", Assign),
        ("(a, , b) := f(x)", TupleAssign),
        ("(a) := f(x)", TupleAssign),
        ('print("x")', CallStatement),
        ("if a then x:=1; elseif b then x:=2; else x:=3; end if", IfStatement),
        ("when a then x:=1; elsewhen b then x:=2; end when", WhenStatement),
        ("for i in 1:3 loop x:=i; end for", ForStatement),
        ("while a loop x:=1; end while", WhileStatement),
        ("break", Break),
        ("return", Return),
    ],
)
def test_statements(text, kind):
    found = statement(text)

    assert type(found) is kind


def test_spans_point_at_the_text():
    source = Source.from_text(
        "model M\n  Real x(start=1) = 2 if b;\nequation\n  x + 1 = y;\nend M;"
    )
    definition = parse(source).classes[0]
    component = definition.body.elements[0]
    found = definition.body.sections[0].equations[0]

    def text(node):
        return source.text[node.start : node.end]

    assert text(definition) == source.text.rstrip(";")
    assert text(component) == "x(start=1) = 2 if b"
    assert text(component.type) == "Real"
    assert text(component.modification) == "(start=1) = 2"
    assert text(found) == "x + 1 = y"
    assert text(found.left) == "x + 1"
