"""Expressions: what each text means, and that printing gives it back."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from freewheel.base.diagnostics import CompileError
from freewheel.syntax.expression_nodes import (
    ArrayLiteral,
    Binary,
    Call,
    Colon,
    ComponentRef,
    Comprehension,
    EndExpr,
    FieldAccess,
    Generator,
    IfExpr,
    MatrixLiteral,
    Number,
    PartialFunction,
    Range,
    Str,
    Subscripted,
    TupleExpr,
    Unary,
)
from freewheel.syntax.parser import parse_expression
from freewheel.syntax.show_expressions import show_expression

# Text as written, and the same with every operation in brackets.
MEANINGS = [
    ("a + b*c", "a + (b*c)"),
    ("a - b - c", "(a - b) - c"),
    ("-a*b", "-(a*b)"),
    ("-a + b", "(-a) + b"),
    ("-a^2", "-(a^2)"),
    ("not a == b", "not (a == b)"),
    ("a or b and not c", "a or (b and (not c))"),
    ("a + b < c*d", "(a + b) < (c*d)"),
    ("a .* b ./ c .^ d", "(a .* b) ./ (c .^ d)"),
    ("1:n + 1", "1:(n + 1)"),
    ("if a then b else c + d", "if a then b else (c + d)"),
    ("a/b/c", "(a/b)/c"),
]


@pytest.mark.parametrize(("text", "bracketed"), MEANINGS)
def test_operators_bind_as_the_grammar_says(text, bracketed):
    assert show_expression(parse_expression(text)) == text
    assert show_expression(parse_expression(bracketed)) == text


KINDS = [
    ("1", Number),
    ("1.5e-3", Number),
    (".5", Number),
    ('"text"', Str),
    ("a.b[1].c", ComponentRef),
    (".Modelica.Constants.pi", ComponentRef),
    ("f(a, b, c=d)", Call),
    ("der(x)", Call),
    ("initial()", Call),
    ("f(function g(a=1), x)", Call),
    ("sum(x[i] for i in 1:3)", Call),
    ("{1, 2, 3}", ArrayLiteral),
    ("{}", ArrayLiteral),
    ("[1, 2; 3, 4]", MatrixLiteral),
    ("{i*j for i in 1:3, j in 1:2}", Comprehension),
    ("1:2:9", Range),
    ("if a then b elseif c then d else e", IfExpr),
    ("-x", Unary),
    ("a + b", Binary),
    ("(a, , b)", TupleExpr),
    ("(a + b)[1, :]", Subscripted),
    ("(f(x)).re", FieldAccess),
]


@pytest.mark.parametrize(("text", "kind"), KINDS)
def test_every_form_parses_and_prints_unchanged(text, kind):
    node = parse_expression(text)

    assert type(node) is kind
    assert show_expression(node) == text
    assert (node.start, node.end) == (0, len(text))


def test_parts_of_a_call():
    call = parse_expression("f(function g(a=1), x, n=2)")

    assert isinstance(call, Call)
    assert call.function.names == ("f",)
    assert isinstance(call.args[0], PartialFunction)
    assert call.args[0].function.parts == ("g",)
    assert call.named[0].name == "n"


def test_reduction_holds_a_generator():
    call = parse_expression("sum(x for i in 1:3, j)")

    assert isinstance(call, Call)
    generator = call.args[0]
    assert isinstance(generator, Generator)
    assert [iterator.name for iterator in generator.iterators] == ["i", "j"]
    assert generator.iterators[1].range is None


def test_subscripts_know_colon_and_end():
    reference = parse_expression("x[:, end, end - 1]")

    assert isinstance(reference, ComponentRef)
    colon, last, before = reference.parts[0].subscripts
    assert isinstance(colon, Colon)
    assert isinstance(last, EndExpr)
    assert isinstance(before, Binary)
    assert isinstance(before.left, EndExpr)


def test_else_if_is_one_more_branch():
    chained = parse_expression("if a then 1 else if b then 2 else 3")

    assert isinstance(chained, IfExpr)
    assert len(chained.branches) == 2
    assert show_expression(chained) == "if a then 1 elseif b then 2 else 3"


def test_bracketed_if_in_else_stays_inside():
    text = "if a then 1 else (if b then 2 else 3)"

    assert show_expression(parse_expression(text)) == text


def test_numbers_are_integer_or_real_by_their_look():
    looks = {"3": True, "3.": False, "3e0": False, "0.5": False}

    for text, is_integer in looks.items():
        number = parse_expression(text)
        assert isinstance(number, Number)
        assert number.is_integer is is_integer
        assert number.value == float(text)


def test_strings_decode_their_escapes():
    string = parse_expression(r'"a\"b\\n\n\t"')

    assert isinstance(string, Str)
    assert string.value == 'a"b\\n\n\t'


def test_a_sum_of_many_terms_prints():
    text = " + ".join(f"x{i}" for i in range(3000))

    assert show_expression(parse_expression(text)) == text


def test_a_long_chain_of_else_if_is_not_deep():
    text = "".join(f"if c{i} then {i} else " for i in range(500)) + "0"
    node = parse_expression(text)

    assert isinstance(node, IfExpr)
    assert len(node.branches) == 500


WRONG = [
    ("a < b < c", "S013", 7),
    ("a^b^c", "S013", 4),
    ("a*-b", "S013", 3),
    ("a + ", "S004", 5),
    ("f(x", "S004", 4),
    ("(1 + 2", "S004", 7),
    ("a b", "S004", 3),
    ("x[end] + end", "S004", 10),
    ("f(a=1, b)", "S014", 8),
    ("if a then b", "S004", 12),
    ("2 if", "S004", 3),
    ("", "S004", 1),
    ("model", "S004", 1),
    ("a.model", "S008", 3),
]


@pytest.mark.parametrize(("text", "code", "column"), WRONG)
def test_wrong_expressions_are_told_with_their_place(text, code, column):
    with pytest.raises(CompileError) as caught:
        parse_expression(text)

    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.code == code
    assert diagnostic.labels[0].span.column == column


# ---------------------------------------------------------------- generated expressions

_names = st.sampled_from(["a", "b", "x1", "'q u'", "m.n", "v[1]"])
_leaves = st.one_of(_names, st.sampled_from(["1", "2.5", "1e-3", "true", '"s"', "der(x)"]))


def _grow(inner):
    binary = st.sampled_from(
        ["or", "and", "<", ">=", "==", "<>", "+", "-", ".+", "*", "/", "./", "^", ".^"]
    )
    return st.one_of(
        st.tuples(inner, binary, inner).map(lambda t: f"({t[0]}) {t[1]} ({t[2]})"),
        inner.map(lambda e: f"-({e})"),
        inner.map(lambda e: f"not ({e})"),
        st.tuples(inner, inner, inner).map(lambda t: f"if {t[0]} then {t[1]} else ({t[2]})"),
        st.lists(inner, min_size=1, max_size=3).map(lambda es: "{" + ", ".join(es) + "}"),
        st.tuples(inner, inner).map(lambda t: f"({t[0]}):({t[1]})"),
        inner.map(lambda e: f"f({e}, k={e})"),
        inner.map(lambda e: f"({e})[1]"),
    )


@settings(max_examples=300, deadline=None)
@given(st.recursive(_leaves, _grow, max_leaves=12))
def test_printing_is_the_inverse_of_parsing(text):
    once = show_expression(parse_expression(text))
    again = parse_expression(once)

    assert show_expression(again) == once
    assert _shape(again) == _shape(parse_expression(text))


def _shape(node):
    """A tree without its places."""
    if not isinstance(node, tuple):
        return node
    if not hasattr(node, "_fields"):
        return tuple(_shape(item) for item in node)
    kept = [
        value
        for name, value in zip(node._fields, node, strict=True)
        if name not in ("start", "end")
    ]
    return (type(node).__name__, *[_shape(value) for value in kept])
