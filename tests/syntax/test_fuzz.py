"""Damaged text: whatever is cut, doubled or swapped, only a `CompileError` comes out."""

import random

import pytest

from freewheel.base.diagnostics import CompileError, to_json, to_text
from freewheel.base.source import Source
from freewheel.syntax.check import check, same_tree
from freewheel.syntax.parser import parse
from freewheel.syntax.show import show

SEEDS = [
    """model Tank "water"
  parameter Real A(min=0, unit="m2") = 1 "area";
  Real h(start=2);
equation
  A*der(h) = -k*sqrt(h); // outflow
  annotation(experiment(StopTime=10));
end Tank;
""",
    """package P
  import SI = Modelica.Units.SI;
  connector Pin
    SI.Voltage v;
    flow SI.Current i;
  end Pin;
  partial model Two
    Pin p, n;
  equation
    p.i + n.i = 0;
  end Two;
  type E = enumeration(a "x", b);
end P;
""",
    """function f
  input Real x[:];
  output Real y = 0;
protected
  Integer n = size(x, 1);
algorithm
  for i in 1:n loop
    if x[i] > 0 then
      y := y + x[i]^2;
    elseif x[end] < 0 then
      break;
    else
      (y, ) := g(x, k=3);
    end if;
  end for;
end f;
""",
    """model M
  extends B(redeclare replaceable model X = Y(a=1) constrainedby Z, each final c(d=2));
  replaceable R r[3](each k=1) if use annotation(Dialog(tab="t"));
equation
  when {initial(), sample(0, 1)} then
    x = pre(x) + 1;
  elsewhen a then
    reinit(v, -e*pre(v));
  end when;
  connect(r[1].p, s.n) annotation(Line(points={{0,0},{1,1}}));
end M;
""",
]
SPLINTERS = [
    *"()[]{};:,.=+-*/^<>\"'#\\\n\0\u00e9", "end", "if", "then", "else", "equation", "algorithm",
    "model", "annotation", "/*", "*/", "//", ":=", "==", "<>", " for i in ", "within", "extends",
    "redeclare", "end M;", "1e", "0.5", '"', "\ufeff", "initial", "when",
]  # fmt: skip


def damage(text, chance):
    """A few cuts, copies, swaps and insertions at random places."""
    for _ in range(chance.randint(1, 6)):
        at = chance.randrange(len(text) + 1)
        length = chance.choice((1, 1, 3, 12, 60))
        how = chance.randrange(4)
        if how == 0:
            text = text[:at] + text[at + length :]
        elif how == 1:
            text = text[:at] + chance.choice(SPLINTERS) + text[at:]
        elif how == 2:
            text = text[:at] + text[at : at + length] * 2 + text[at + length :]
        else:
            other = chance.choice(SEEDS)
            start = chance.randrange(len(other))
            text = text[:at] + other[start : start + length] + text[at + length :]
    return text


def survive(seed):
    """Whether the damaged text still parses; what comes out is checked either way."""
    chance = random.Random(seed)
    source = Source.from_text(damage(chance.choice(SEEDS), chance))
    tree, diagnostics = outcome(source)
    for diagnostic in diagnostics:
        assert diagnostic.code.startswith("S")
        assert to_text(diagnostic)
        assert 1 <= to_json(diagnostic)["line"] <= source.text.count("\n") + 1
    if tree is None:
        assert diagnostics
        return False
    check(tree, source)
    printed = Source.from_text(show(tree, source))
    again = parse(printed)
    assert same_tree(tree, source, again, printed), source.text
    assert show(again, printed) == printed.text, source.text
    return True


def outcome(source):
    try:
        return parse(source, annotations=True), ()
    except CompileError as error:
        return None, error.diagnostics


def test_a_few_hundred_damaged_texts():
    survived = [survive(seed) for seed in range(800)]

    assert 0 < sum(survived) < len(survived)


@pytest.mark.long
def test_many_damaged_texts():
    survived = [survive(seed) for seed in range(800, 20_800)]

    assert 0 < sum(survived) < len(survived)
