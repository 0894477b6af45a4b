"""Each syntax error: its code, place, message and cure; several in one go; never a traceback."""

import pytest

from freewheel.base.diagnostics import CompileError
from freewheel.base.source import Source
from freewheel.syntax.parser import parse, read_source


def problems(text, **options):
    with pytest.raises(CompileError) as caught:
        parse(Source.from_text(text), **options)
    return caught.value.diagnostics


def told(text, **options):
    """(code, line, column) of each diagnostic."""
    found = problems(text, **options)
    spans = [d.labels[0].span for d in found]
    return [(d.code, span.line, span.column) for d, span in zip(found, spans, strict=True)]


# text, code, line, column, a piece of the message, a piece of the cure
BROKEN = [
    ("model M\n  Real x = 1 # 2;\nend M;", "S001", 2, 14, "`#`", "//"),
    ("model M\n  Real \0x;\nend M;", "S001", 2, 8, "U+0000", "remove"),
    ("model M\n  Real größe;\nend M;", "S001", 2, 10, "`ö`", "letters"),
    ("model M\n  Real 'x;\nend M;", "S001", 2, 8, "never closed", "same line"),
    ('model M\n  String s = "abc;\nend M;', "S002", 2, 14, "string is never closed", '"'),
    ("model M\n  /* no end\nend M;", "S003", 2, 3, "comment is never closed", "*/"),
    ("model M\n  Real x = (1 + ;\nend M;", "S004", 2, 17, "expected an expression", ""),
    ("model M\n  Real x = (1 + 2;\nend M;", "S004", 2, 18, "`)` to close `(`", ""),
    ("model M\n  Real x = a b;\nend M;", "S004", 2, 14, "expected `;`, found `b`", ""),
    ("modell M\nend M;", "S004", 1, 1, "expected a class", ""),
    ("model M\n  Real x\n  Real y;\nend M;", "S005", 2, 9, "`;` is missing", "`;`"),
    ("model M end M", "S005", 1, 14, "`;` is missing", "`;`"),
    ("model M\n  Real x;\nend N;", "S006", 3, 5, "expected `end M`, found `end N`", "end M;"),
    ("model M\n  Real x;\n", "S007", 3, 1, "class `M` of line 1 is never closed", "end M;"),
    (
        "model M\nequation\n  if a then\n    x = 1;\nend M;",
        "S007", 5, 1, "expected `end if`, found `end M`", "elseif",
    ),
    (
        "model M\nequation\n  for i in 1:3 loop\n    x = 1;\n  end if;\nend M;",
        "S007", 5, 3, "expected `end for`, found `end if`", "end for;",
    ),
    ("model M\n  Real x;\n  end for;\nend M;", "S007", 3, 7, "no open `for`", ""),
    ("model M\n  Real loop;\nend M;", "S008", 2, 8, "`loop` is a keyword", "another name"),
    ("model M\nequation\n  a = b == c < d;\nend M;", "S013", 3, 14, "do not chain", "and"),
    ("model M\n  Real x = 2*-3;\nend M;", "S013", 2, 14, "cannot follow", "brackets"),
    ("model M\n  Real x = f(a=1, b);\nend M;", "S014", 2, 19, "positional", "first"),
    ("model M\n  extends B(input x = 1);\nend M;", "S014", 2, 13, "needs `redeclare`", ""),
    ("model M\n  parameter constant Real x;\nend M;", "S015", 2, 13, "contradicts", "one"),
    ("model M\n  final final Real x;\nend M;", "S015", 2, 9, "written twice", "one"),
    ("model M\n  Real x;\n  x = 1;\nend M;", "S016", 3, 5, "among the declarations", "equation"),
    ("model M\nequation\n  x := 1;\nend M;", "S016", 3, 5, "equation uses `=`", "algorithm"),
    ("model M\nequation\n  x == 1;\nend M;", "S016", 3, 3, "`==` compares", "`=`"),
    ("model M\nalgorithm\n  x = 1;\nend M;", "S016", 3, 5, "statement uses `:=`", "equation"),
    ("model M\nalgorithm\n  connect(a, b);\nend M;", "S016", 3, 3, "is an equation", "equation"),
    ("model M\nalgorithm\n  (a, 1) := f();\nend M;", "S016", 3, 3, "only a variable", ""),
    ("model M\nequation\n  x + 1;\nend M;", "S004", 3, 8, "an equation has two sides", ""),
    ("operator package P end P;", "S004", 1, 1, "not a kind of class", "encapsulated"),
    ("model M\n  Real x = if a then 1;\nend M;", "S004", 2, 23, "every case", ""),
]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "code", "line", "column", "message", "cure"), BROKEN, ids=lambda v: None
)
def test_one_error(text, code, line, column, message, cure):
    (diagnostic,) = problems(text)
    span = diagnostic.labels[0].span

    assert (diagnostic.code, span.line, span.column) == (code, line, column)
    assert message in diagnostic.message
    assert cure in diagnostic.help


def test_several_errors_are_told_at_once():
    text = """model M
  Real x
  Real y = (1;
  Real z;
  Real = 3;
equation
  x = 1 +;
  y = 2;
  if z then
    x := 4;
  end if;
algorithm
  z = 3;
end M;
model N
  Real for;
end N;
"""

    assert [line for _, line, _ in told(text)] == [2, 3, 5, 7, 10, 13, 16]


def test_an_open_class_ends_with_its_outer_class():
    assert told("package P\n  model M\n    Real x;\nend P;") == [("S006", 4, 5)]


def test_wrong_end_is_taken_as_meant():
    text = "package P\n  model A\n  end B;\n  model C\n    Real x y;\n  end C;\nend P;"

    assert told(text) == [("S006", 3, 7), ("S004", 5, 12)]


def test_after_many_errors_it_stops():
    text = "model M\n" + "  Real = 1;\n" * 100 + "end M;"

    assert len(problems(text)) == 20


@pytest.mark.parametrize("text", ["", "  \n\t", "// only a comment\n", "within A;\n"])
def test_a_file_without_a_class(text):
    ((code, line, column),) = told(text)

    assert (code, line, column) == ("S010", 1, 1)


DEEP = [
    "model M Real x = " + "(" * 5000 + "1" + ")" * 5000 + "; end M;",
    "model M Real x = " + "{" * 5000 + "1" + "}" * 5000 + "; end M;",
    "model M Real x = " + "a[" * 5000 + "1" + "]" * 5000 + "; end M;",
    "model M Real x = " + "f(" * 5000 + "1" + ")" * 5000 + "; end M;",
    "model M Real x(" + "a(" * 5000 + "b=1" + ")" * 5000 + "); end M;",
    "model M Real x = " + "if a then " * 5000 + "; end M;",
    "model M equation " + "if a then " * 5000 + "end M;",
    "model M Real x = f(" + "function g(a = " * 5000 + "; end M;",
    "model M " * 5000,
]


@pytest.mark.parametrize("text", DEEP, ids=lambda text: text[:22])
def test_nesting_has_a_limit(text):
    first = problems(text)[0]

    assert first.code == "S009"
    assert "nested too deep" in first.message


def test_annotations_are_checked_when_asked():
    text = "model M\n  Real x annotation(a(=1));\nend M;"

    assert parse(Source.from_text(text)).classes[0].name == "M"
    assert told(text, annotations=True) == [("S004", 2, 23)]


def test_a_byte_order_mark_is_no_error():
    assert parse(Source.from_text("\ufeffmodel M end M;")).classes[0].name == "M"


def test_a_line_of_ten_megabytes():
    text = "model M Real x = " + ("1" * 97 + " + ") * 100_000 + "; end M;"
    ((code, line, _),) = told(text)

    assert (code, line) == ("S004", 1)


def test_bytes_that_are_not_utf8(tmp_path):
    path = tmp_path / "latin.mo"
    path.write_bytes(b"model M\n  // gr\xf6\xdfe\nend M;")
    with pytest.raises(CompileError) as caught:
        read_source(path)
    (diagnostic,) = caught.value.diagnostics
    span = diagnostic.labels[0].span

    assert (diagnostic.code, span.line, span.column) == ("S011", 2, 8)
    assert "0xF6" in diagnostic.message
    assert "UTF-8" in diagnostic.help


def test_a_file_in_utf_16_is_called_so(tmp_path):
    path = tmp_path / "M.mo"
    path.write_text("model M end M;", encoding="utf-16")
    with pytest.raises(CompileError) as failure:
        read_source(path)
    assert "it is UTF-16" in failure.value.diagnostics[0].help


def test_a_file_that_cannot_be_read(tmp_path):
    with pytest.raises(CompileError) as caught:
        read_source(tmp_path / "missing.mo")
    (diagnostic,) = caught.value.diagnostics

    assert diagnostic.code == "S012"
    assert "missing.mo: no such file" in diagnostic.message
    assert "permissions" in diagnostic.help
    assert diagnostic.file.endswith("missing.mo")
