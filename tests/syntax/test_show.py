"""The printer: text in, text out; the tree survives, comments and annotations stay."""

import pytest

from freewheel.base.source import Source
from freewheel.syntax.check import check, same_tree
from freewheel.syntax.parser import parse
from freewheel.syntax.show import show, show_class

EVERYTHING = """within Lib.Sub;
// before the class
encapsulated partial model M "a model"
  extends Base(redeclare replaceable model X = Y constrainedby Z, each final a.b(start=3) = 4 "t");
  extends Other(break c, break connect(a, b), p=break);
  import A = B.C;
  import B.*;
  import B.{x, y};
  parameter Real[2] x[3](each min=0) = {1, 2, 3} "position" annotation(Dialog(tab="x"));
  replaceable Resistor r(R=1) if x > 0 constrainedby Foo "text"; // behind
protected
  inner outer flow Real f;
  type E = enumeration(a "first", b);
  type O = enumeration(:);
  /* a comment
     of two lines */
  function g = der(h, x);
  connector C = input Real[3](unit="m");
  model N
    Real y;
  end N;
public
  redeclare model extends R(a=1)
    Real z;
  end R;
initial equation
  x = 0;
equation
  der(x) = -x^2*(a + b)/c - (if a then 1 elseif b then 2 else 3); // behind
  if a then
    x = 1;
    // last in the branch
  elseif b then
    y = 2;
  else
    z = 3;
  end if;
  for i in 1:3, j loop
    a[i] = b[end, :];
  end for;
  when {initial(), a > b} then
    reinit(x, 3);
  elsewhen c then
    x = 3;
  end when "text";
  (a, , b) = f(x, y=3);
  connect(a.b[3], c) annotation(Line());
protected
  Real late;
algorithm
  (a) := f(function g(a=1), .A.b);
  x := sum(i for i in 1:3);
  while true loop
    break;
    return;
  end while;
  // last in the class
  annotation(Documentation(info="<html>
  as written
  </html>"));
end M;
function F
  input Real x;
  output Real y;
  external "C" y = f(x) annotation(Library="m");
end F;
"""


def test_what_is_laid_out_already_stays_as_it_is():
    source = Source.from_text(EVERYTHING)
    tree = parse(source, annotations=True)

    check(tree, source)
    assert show(tree, source) == EVERYTHING


def test_layout_and_comments():
    source = Source.from_text(
        "/*a*/ model M Real x,y; // both\n Real z /*in*/ = 1; equation // head\n"
        "x=1;/*b*/ end M; // end"
    )

    assert show(parse(source), source) == (
        "/*a*/\n"
        "model M\n"
        "  Real x;\n"
        "  Real y; // both\n"
        "  Real z = 1;\n"
        "  /*in*/\n"
        "equation\n"
        "  // head\n"
        "  x = 1; /*b*/\n"
        "end M; // end\n"
    )


CROWDED = [
    "model M Real x; // a\n// b\nReal y // c\n; end M; // d\n// e",
    "model M equation if a // 1\nthen x=1; // 2\nelse // 3\ny=2; // 4\nend if; // 5\nend M;",
    "model M // 1\n// 2\nprotected // 3\nReal x; public // 4\nReal y; // 5\nend M;",
    "package P /* a */ model M Real x; /* b */ end M; /* c */ end P; /* d */",
    "model M Real x = 1 // a\n // b\n + 2; // c\n end M;",
    'model M "text" // a\n annotation(x=1); // b\n end M;',
    "model M Real x annotation(a(\n  b=1)); end M;",
    "final model M end M;",
    "model M equation x = 1; public Real y; equation y = 1; protected Real z; end M;",
]


@pytest.mark.parametrize("text", CROWDED)
def test_printing_twice_changes_nothing(text):
    source = Source.from_text(text)
    tree = parse(source)
    once = Source.from_text(show(tree, source))
    again = parse(once)

    check(again, once)
    assert show(again, once) == once.text
    assert same_tree(tree, source, again, once)
    assert [c.text for c in tree.comments] == [c.text for c in again.comments]


def test_one_class_alone():
    source = Source.from_text("package P model M Real x; end M; end P;")
    package = parse(source).classes[0]
    inner = package.body.elements[0].definition

    assert show_class(inner, source) == "model M\n  Real x;\nend M;\n"


@pytest.mark.parametrize(
    ("left", "right", "same"),
    [
        ("model M Real x; end M;", "model M\n Real x;\nend M;", True),
        ("model M Real x; end M;", "model M Real y; end M;", False),
        ("model M Real x; end M;", "model M Real x, y; end M;", False),
        ("model M annotation(a=1); end M;", "model M annotation(a=2); end M;", False),
        ("model M algorithm break; end M;", "model M algorithm return; end M;", False),
    ],
)
def test_same_tree(left, right, same):
    a, b = Source.from_text(left), Source.from_text(right)

    assert same_tree(parse(a), a, parse(b), b) is same


def test_check_finds_a_place_outside_the_file():
    source = Source.from_text("model M end M;")
    tree = parse(source)

    with pytest.raises(AssertionError):
        check(tree._replace(end=99), source)


def test_several_annotations_of_a_class_are_printed_one_after_the_other():
    text = (
        "model M\n  Real x;\n  annotation(a=1);\nequation\n  x = 1;\n  annotation(b=2);\nend M;\n"
    )
    source = Source.from_text(text)
    printed = show(parse(source), source)

    assert "annotation(a=1);\n  annotation(b=2);\nend M;" in printed
    again = Source.from_text(printed)
    assert same_tree(parse(source), source, parse(again), again)
