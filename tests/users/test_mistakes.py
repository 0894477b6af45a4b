"""Mistakes that first users make in a model, and the message each gets: code, line and cure.

Each row is a text, the exit code of `freewheel run`, the code and line of its first message and words that
tell the cause or the cure. Mistakes of calls are in `test_wrong_calls.py`.
"""

from __future__ import annotations

import json
from typing import NamedTuple

import pytest

from freewheel.tools.cli import execute


class Mistake(NamedTuple):
    name: str
    text: str
    exit_code: int
    code: str
    line: int | None
    words: str


MISTAKES = (
    Mistake(
        "missing semicolon",
        "model M\n  Real x\nequation\n  x = 1;\nend M;",
        1,
        "S005",
        2,
        "end each declaration",
    ),
    Mistake(
        "missing end",
        "model M\n  Real x;\nequation\n  x = 1;\n",
        1,
        "S007",
        5,
        "add `end M;`",
    ),
    Mistake(
        "wrong name after end",
        "model M\n  Real x = 1;\nend N;",
        1,
        "S006",
        3,
        "write `end M;`",
    ),
    Mistake(
        "assignment in an equation",
        "model M\n  Real x;\nequation\n  x := 1;\nend M;",
        1,
        "S016",
        4,
        "write `=`",
    ),
    Mistake(
        "equation in an algorithm",
        "model M\n  Real x;\nalgorithm\n  x = 1;\nend M;",
        1,
        "S016",
        4,
        "write `:=`",
    ),
    Mistake(
        "comparison as equation",
        "model M\n  Real x;\nequation\n  x == 1;\nend M;",
        1,
        "S016",
        4,
        "an equation uses `=`",
    ),
    Mistake(
        "unclosed string",
        'model M "text\n  Real x = 1;\nend M;',
        1,
        "S002",
        1,
        "it begins here",
    ),
    Mistake(
        "unclosed comment",
        "model M /* text\n  Real x = 1;\nend M;",
        1,
        "S003",
        1,
        "end it with `*/`",
    ),
    Mistake(
        "unbalanced parentheses",
        "model M\n  Real x;\nequation\n  x = (1 + 2;\nend M;",
        1,
        "S004",
        4,
        "opened here",
    ),
    Mistake(
        "keyword as name",
        "model M\n  Real end;\nequation\n  end = 1;\nend M;",
        1,
        "S008",
        2,
        "choose another name",
    ),
    Mistake(
        "typographic quotes",
        "model M “text”\n  Real x = 1;\nend M;",
        1,
        "S001",
        1,
        "plain quotes",
    ),
    Mistake(
        "decimal comma",
        "model M\n  parameter Real x = 1,5;\nend M;",
        1,
        "S004",
        2,
        "`1.5`",
    ),
    Mistake(
        "C operators",
        "model M\n  Boolean b = time > 1 && time < 2;\nend M;",
        1,
        "S001",
        2,
        "use `and`",
    ),
    Mistake(
        "C not",
        "model M\n  Boolean b = !(time > 1);\nend M;",
        1,
        "S001",
        2,
        "use `not`",
    ),
    Mistake(
        "not equal",
        "model M\n  Boolean b = integer(time) != 1;\nend M;",
        1,
        "S001",
        2,
        "`<>`",
    ),
    Mistake(
        "increment",
        "model M\n  Integer n;\nalgorithm\n  n += 1;\nend M;",
        1,
        "S004",
        4,
        "`n := n + 1`",
    ),
    Mistake(
        "python power",
        "model M\n  Real x = time**2;\nend M;",
        1,
        "S004",
        2,
        "`x^2`",
    ),
    Mistake(
        "else if",
        "model M\n"
        "  Real x;\n"
        "equation\n"
        "  if time > 1 then\n"
        "    x = 1;\n"
        "  else if time > 2 then\n"
        "    x = 2;\n"
        "  else\n"
        "    x = 3;\n"
        "  end if;\n"
        "end M;",
        1,
        "S007",
        11,
        "`elseif`, in one word",
    ),
    Mistake(
        "end missing after if",
        "model M\n"
        "  Real x;\n"
        "equation\n"
        "  if time > 1 then\n"
        "    x = 1;\n"
        "  else\n"
        "    x = 2;\n"
        "  end;\n"
        "end M;",
        1,
        "S007",
        8,
        "`end if;`",
    ),
    Mistake(
        "der without parentheses",
        "model M\n  Real x;\nequation\n  der x = 1;\nend M;",
        1,
        "S004",
        4,
        "`der(x)`",
    ),
    Mistake(
        "prime for der",
        "model M\n  Real x;\nequation\n  x' = 1;\nend M;",
        1,
        "S001",
        4,
        "`der(x)`",
    ),
    Mistake(
        "hash comment",
        "model M # text\n  Real x = 1;\nend M;",
        1,
        "S001",
        1,
        "use `//`",
    ),
    Mistake(
        "single quotes",
        "model M\n  parameter String s = 'abc';\nend M;",
        1,
        "N001",
        2,
        "double quotes",
    ),
    Mistake(
        "index from zero",
        "model M\n  Real x[3];\nequation\n  for i in 1:3 loop\n    x[i-1] = i;\n  end for;\nend M;",
        1,
        "N905",
        5,
        "run from 1",
    ),
    Mistake(
        "python index",
        "model M\n  Real x[3] = {1, 2, 3};\n  Real y = x(1);\nend M;",
        1,
        "N061",
        3,
        "`x[1]`",
    ),
    Mistake(
        "undeclared variable",
        "model M\n  Real speed;\nequation\n  der(speed) = -sped;\nend M;",
        1,
        "N001",
        4,
        "did you mean `speed`?",
    ),
    Mistake(
        "unknown class",
        "model M\n  Modelica.Electrical.Analog.Basic.Resistr R1;\nend M;",
        1,
        "N003",
        2,
        "`Resistor`",
    ),
    Mistake(
        "missing import",
        "model M\n  SI.Voltage v = 1;\nend M;",
        1,
        "N002",
        2,
        "import Modelica.Units.SI;",
    ),
    Mistake(
        "unknown member",
        "model M\n  Modelica.Electrical.Analog.Basic.Resistor R1(R=1);\n  Real y = R1.vv;\nend M;",
        1,
        "N003",
        3,
        "did you mean `v`?",
    ),
    Mistake(
        "lower-case type",
        "model M\n  real x = 1;\nend M;",
        1,
        "N002",
        2,
        "did you mean `Real`?",
    ),
    Mistake(
        "C type",
        "model M\n  double x = 1;\nend M;",
        1,
        "N002",
        2,
        "calls it `Real`",
    ),
    Mistake(
        "unknown function",
        "model M\n  Real x = sine(time);\nend M;",
        1,
        "N062",
        2,
        "`sin`",
    ),
    Mistake(
        "unknown modifier",
        "model M\n  Modelica.Electrical.Analog.Basic.Resistor R1(r=1);\nend M;",
        1,
        "N010",
        2,
        "did you mean `R`?",
    ),
    Mistake(
        "declared twice",
        "model M\n  Real x = 1;\n  Real x = 2;\nend M;",
        1,
        "N011",
        3,
        "first declared here",
    ),
    Mistake(
        "fraction for Integer",
        "model M\n  parameter Integer n = 1.5;\nend M;",
        1,
        "N041",
        2,
        "`integer(x)`",
    ),
    Mistake(
        "Real for Integer",
        "model M\n  Integer n = 2*time;\nend M;",
        1,
        "N041",
        2,
        "`integer(x)`",
    ),
    Mistake(
        "Boolean in arithmetic",
        "model M\n  Boolean b = time > 1;\n  Real x = 2*b;\nend M;",
        1,
        "N041",
        3,
        "`if b then 1 else 0`",
    ),
    Mistake(
        "number as condition",
        "model M\n  Real x = if time then 1 else 2;\nend M;",
        1,
        "N042",
        2,
        "compare it with something",
    ),
    Mistake(
        "text plus number",
        'model M\n  parameter Integer n = 3;\n  parameter String s = "n = " + n;\nend M;',
        1,
        "N041",
        3,
        "`String(x)`",
    ),
    Mistake(
        "array sizes",
        "model M\n  Real x[3] = {1, 2};\nend M;",
        1,
        "N040",
        2,
        "Real[3] against Integer[2]",
    ),
    Mistake(
        "scalar for an array",
        "model M\n  Real x[3](start=1);\nequation\n  der(x) = -1;\nend M;",
        1,
        "N040",
        4,
        "the same array sizes",
    ),
    Mistake(
        "too many arguments",
        "model M\n  Real x = sin(time, 2);\nend M;",
        1,
        "N060",
        2,
        "takes 1 argument, 2 given",
    ),
    Mistake(
        "units",
        "model M\n"
        "  Modelica.Units.SI.Voltage v = 1;\n"
        "  Modelica.Units.SI.Current i = 2;\n"
        "  Real s = v + i;\n"
        "end M;",
        0,
        "F201",
        4,
        "adds V and A",
    ),
    Mistake(
        "parameter follows a variable",
        "model M\n  Real x = time;\n  parameter Real p = x;\nend M;",
        1,
        "N044",
        3,
        "drop `parameter`",
    ),
    Mistake(
        "parameter without a value",
        "model M\n  parameter Real p;\n  Real x = p*time;\nend M;",
        0,
        "E005",
        2,
        "zero is used",
    ),
    Mistake(
        "division by a zero parameter",
        "model M\n  parameter Real p = 0;\n  Real x = 1/p;\nend M;",
        3,
        "R122",
        3,
        "p = 0",
    ),
    Mistake(
        "too few equations",
        "model M\n  Real x;\n  Real y;\nequation\n  x = time;\nend M;",
        1,
        "E001",
        3,
        "not determined: `y`",
    ),
    Mistake(
        "too many equations",
        "model M\n  Real x;\nequation\n  x = time;\n  x = 2*time;\nend M;",
        1,
        "E002",
        4,
        "`x = 2*time`",
    ),
    Mistake(
        "equation for a parameter",
        "model M\n  parameter Real p = 1;\nequation\n  p = 2;\nend M;",
        1,
        "E002",
        4,
        "`p` is a parameter",
    ),
    Mistake(
        "when without Boolean",
        "model M\n  Real x(start=0);\nequation\n  when time then\n    x = 1;\n  end when;\nend M;",
        1,
        "N042",
        4,
        "must be a Boolean",
    ),
    Mistake(
        "own value in a when",
        "model M\n"
        "  Integer n(start=0);\n"
        "equation\n"
        "  when sample(0, 0.1) then\n"
        "    n = n + 1;\n"
        "  end when;\n"
        "end M;",
        1,
        "E013",
        5,
        "`pre(n)`",
    ),
    Mistake(
        "conflicting start",
        "model M\n"
        "  Real x(start=1, fixed=true);\n"
        "initial equation\n"
        "  x = 2;\n"
        "equation\n"
        "  der(x) = -x;\n"
        "end M;",
        3,
        "R125",
        2,
        "`fixed = false`",
    ),
    Mistake(
        "value by itself",
        "model M\n  Real x;\nequation\n  x = x + 1;\nend M;",
        1,
        "E003",
        4,
        "`x = x + 1`",
    ),
    Mistake(
        "two whens",
        "model M\n"
        "  discrete Real x;\n"
        "equation\n"
        "  when time > 1 then\n"
        "    x = 1;\n"
        "  end when;\n"
        "  when time > 2 then\n"
        "    x = 2;\n"
        "  end when;\n"
        "end M;",
        1,
        "E021",
        4,
        "elsewhen",
    ),
    Mistake(
        "unlike connectors",
        "model M\n"
        "  Modelica.Electrical.Analog.Basic.Ground g;\n"
        "  Modelica.Mechanics.Rotational.Components.Fixed f;\n"
        "equation\n"
        "  connect(g.p, f.flange);\n"
        "end M;",
        1,
        "F011",
        5,
        "do not match",
    ),
    Mistake(
        "connect of components",
        "model M\n"
        "  Modelica.Electrical.Analog.Basic.Ground g;\n"
        "  Modelica.Electrical.Analog.Basic.Resistor R(R=1);\n"
        "equation\n"
        "  connect(R, g);\n"
        "end M;",
        1,
        "F010",
        5,
        "`R` is not a connector",
    ),
    Mistake(
        "connect of a missing connector",
        "model M\n"
        "  Modelica.Electrical.Analog.Basic.Ground g;\n"
        "  Modelica.Electrical.Analog.Basic.Resistor R(R=1);\n"
        "equation\n"
        "  connect(R.n, g.pin);\n"
        "end M;",
        1,
        "N003",
        5,
        "`g` has `p`",
    ),
    Mistake(
        "partial model",
        "partial model M\n  Real x = 1;\nend M;",
        2,
        "U004",
        None,
        "`M` is partial",
    ),
    Mistake(
        "function as model",
        "function f\n  input Real x;\n  output Real y;\nalgorithm\n  y := x;\nend f;",
        2,
        "U004",
        None,
        "`f` is a function",
    ),
    Mistake(
        "model in itself",
        "model M\n  M m;\nend M;",
        1,
        "N007",
        2,
        "break the circle",
    ),
    Mistake(
        "reinit outside of when",
        "model M\n"
        "  Real x(start=1, fixed=true);\n"
        "equation\n"
        "  der(x) = -1;\n"
        "  reinit(x, 2);\n"
        "end M;",
        1,
        "E014",
        5,
        "`when condition then",
    ),
    Mistake(
        "reinit of an algebraic variable",
        "model M\n"
        "  Real x(start=1, fixed=true);\n"
        "  Real y = 2*x;\n"
        "equation\n"
        "  der(x) = -1;\n"
        "  when x < 0 then\n"
        "    reinit(y, 2);\n"
        "  end when;\n"
        "end M;",
        1,
        "E014",
        7,
        "states here are `x`",
    ),
    Mistake(
        "equation after end of section",
        "model M\n  Real x;\n  x = 1;\nend M;",
        1,
        "S016",
        3,
        "the word `equation`",
    ),
    Mistake(
        "root of a negative number",
        "model M\n  Real x = sqrt(0.5 - time);\nend M;",
        3,
        "R122",
        2,
        "not negative",
    ),
    Mistake(
        "logarithm of zero",
        "model M\n  Real x = log(1 - time);\nend M;",
        3,
        "R122",
        2,
        "time = 1",
    ),
    Mistake(
        "finite escape",
        "model M\n"
        "  Real x(start=1, fixed=true);\n"
        "equation\n"
        "  der(x) = x^2;\n"
        "  annotation(experiment(StopTime=2));\n"
        "end M;",
        3,
        "R003",
        4,
        "may be singular there",
    ),
    Mistake(
        "failed assertion",
        "model M\n"
        "  Real x(start=1, fixed=true);\n"
        "equation\n"
        "  der(x) = -2;\n"
        '  assert(x > 0, "the tank is empty");\n'
        "end M;",
        3,
        "R120",
        5,
        "the tank is empty",
    ),
    Mistake(
        "bouncing without end",
        "model M\n  Boolean b(start=true);\nequation\n  b = not pre(b);\nend M;",
        3,
        "R006",
        4,
        "keep changing: `b`",
    ),
    Mistake(
        "out of range",
        "model M\n  Real h(start=1, fixed=true, min=0);\nequation\n  der(h) = -2;\nend M;",
        0,
        "R170",
        2,
        "below its min = 0",
    ),
    Mistake(
        "parameter out of range",
        "model M\n  parameter Real R(min=0) = -1;\n  Real x = R*time;\nend M;",
        0,
        "R171",
        2,
        "parameter `R` = -1",
    ),
    Mistake(
        "undriven input",
        "model M\n  input Real u;\n  Real x(start=0, fixed=true);\nequation\n  der(x) = u;\nend M;",
        0,
        "R173",
        None,
        "--input u=EXPRESSION",
    ),
    Mistake(
        "empty file",
        "",
        1,
        "S010",
        1,
        "`model M ... end M;`",
    ),
    Mistake(
        "a text that is no model",
        "hello world",
        1,
        "S004",
        1,
        "expected a class",
    ),
    Mistake(
        "pi",
        "model M\n  Real x = sin(2*pi*time);\nend M;",
        1,
        "N001",
        2,
        "import Modelica.Constants.pi;",
    ),
    Mistake(
        "trig in degrees",
        "model M\n  Real x = sind(90);\nend M;",
        1,
        "N062",
        2,
        "radian",
    ),
    Mistake(
        "range with dots",
        "model M\n  Real x[3];\nequation\n  for i = 1:3 loop\n    x[i] = i;\n  end for;\nend M;",
        1,
        "S004",
        4,
        "`for i in 1:3 loop`",
    ),
    Mistake(
        "return value",
        "model M\n"
        "  function f\n"
        "    input Real x;\n"
        "    output Real y;\n"
        "  algorithm\n"
        "    return 2*x;\n"
        "  end f;\n"
        "  Real z = f(time);\n"
        "end M;",
        1,
        "S004",
        6,
        "assign the output",
    ),
    Mistake(
        "assign to input of function",
        "model M\n"
        "  function f\n"
        "    input Real x;\n"
        "    output Real y;\n"
        "  algorithm\n"
        "    x := 2;\n"
        "    y := x;\n"
        "  end f;\n"
        "  Real z = f(time);\n"
        "end M;",
        1,
        "N071",
        6,
        "protected variable",
    ),
    Mistake(
        "missing output",
        "model M\n"
        "  function f\n"
        "    input Real x;\n"
        "  algorithm\n"
        "  end f;\n"
        "  Real z = f(time);\n"
        "end M;",
        1,
        "N072",
        6,
        "declare an output",
    ),
    Mistake(
        "a choice without else",
        "model M\n  Real x = if time > 1 then 2;\nend M;",
        1,
        "S004",
        2,
        "add `else` and the value",
    ),
    Mistake(
        "elif after a number",
        "model M\n  Real x = if time > 1 then 2 elif time > 2 then 3 else 4;\nend M;",
        1,
        "S004",
        2,
        "a further case is written `elseif`",
    ),
    Mistake(
        "rows in braces",
        "model M\n  Real A[2,2] = {1, 2; 3, 4};\nend M;",
        1,
        "S004",
        2,
        "rows of a matrix are written `[1, 2; 3, 4]`",
    ),
    Mistake(
        "a bracket left open",
        "model M\n  Real A[2] = {1, 2;\n  Real x;\nend M;",
        1,
        "S004",
        2,
        "close the bracket",
    ),
    Mistake(
        "a call with square brackets",
        "model M\n  Real x = sin[time];\nend M;",
        1,
        "N001",
        2,
        "`sin` is a function: its arguments stand in parentheses, `sin(x)`",
    ),
    Mistake(
        "a function without arguments",
        "model M\n  Real x = atan2;\nend M;",
        1,
        "N001",
        2,
        "`atan2(y, x)`",
    ),
    Mistake(
        "the imaginary unit",
        "model M\n  Complex z = 1 + 2*j;\nend M;",
        1,
        "N001",
        2,
        "`Modelica.ComplexMath.j`",
    ),
    Mistake(
        "an import below equation",
        "model M\n  Real x;\nequation\n  import Modelica.Constants.pi;\n  x = pi;\nend M;",
        1,
        "S004",
        4,
        "`import` and declarations stand before",
    ),
    Mistake(
        "a parameter below equation",
        "model M\n  Real x;\nequation\n  parameter Real p = 2;\n  x = p;\nend M;",
        1,
        "S004",
        4,
        "`parameter` and declarations stand before",
    ),
    Mistake(
        "an equation for a constant",
        "model M\n  constant Real c = 1;\nequation\n  c = 2;\nend M;",
        1,
        "E002",
        4,
        "the value of a constant is given in its declaration",
    ),
    Mistake(
        "two results of one function",
        "model M\n  Real x;\n  Real y;\nequation\n  (x, y) = sin(time);\nend M;",
        1,
        "N072",
        5,
        "2 variables for 1 output of `sin`",
    ),
    Mistake(
        "two results in an algorithm",
        "model M\n  Real x;\n  Real y;\nalgorithm\n  (x, y) := max(time, 1);\nend M;",
        1,
        "N072",
        5,
        "2 targets for 1 output of `max`",
    ),
    Mistake(
        "a literal of an enumeration",
        "model M\n  type E = enumeration(on, off);\n  E e = E.of;\nend M;",
        1,
        "N053",
        3,
        "did you mean `off` or `on`?",
    ),
    Mistake(
        "no literal of an enumeration",
        "model M\n  type E = enumeration(on, off);\n  E e = E.standby;\nend M;",
        1,
        "N053",
        3,
        "the literals are `on`, `off`",
    ),
    Mistake(
        "number for an enumeration",
        "model M\n  type E = enumeration(on, off);\n  E e = 1;\nend M;",
        1,
        "N041",
        3,
        "`M.E(n)` is the literal of number n",
    ),
    Mistake(
        "array plus number",
        "model M\n  Real a[3] = {1, 2, 3};\n  Real b[3] = a + 1;\nend M;",
        1,
        "N040",
        3,
        "`.+` works with each element",
    ),
    Mistake(
        "product of vectors",
        "model M\n  Real a[3] = {1, 2, 3};\n  Real b[3] = a*a;\nend M;",
        1,
        "N040",
        3,
        "`.*` multiplies arrays element by element",
    ),
    Mistake(
        "difference of texts",
        'model M\n  parameter String s = "a" - "b";\nend M;',
        1,
        "N041",
        2,
        "texts are only joined, by `+`",
    ),
    Mistake(
        "option of String",
        "model M\n  parameter String s = String(3, significantDigits=2);\nend M;",
        1,
        "N060",
        2,
        "has no option `significantDigits` for type Integer",
    ),
    Mistake(
        "derivative of a discrete variable",
        "model M\n  discrete Real x(start=1);\nequation\n  der(x) = 1;\nend M;",
        1,
        "N060",
        4,
        "changes at events only",
    ),
    Mistake(
        "connected inputs without a source",
        "model M\n"
        "  Modelica.Blocks.Math.Gain g(k=2);\n"
        "  Modelica.Blocks.Math.Gain h(k=3);\n"
        "equation\n"
        "  connect(g.u, h.u);\n"
        "end M;",
        1,
        "E001",
        2,
        "connect `g.u`, `h.u`, or give a value",
    ),
    Mistake(
        "outer without inner",
        "model A\n  outer Real g;\n  Real x = g;\nend A;\nmodel M\n  A a;\nend M;",
        1,
        "N008",
        2,
        "declare `inner Real g;`",
    ),
    Mistake(
        "a format with percent sign",
        'model M\n  parameter Real p = 3;\n  parameter String s = String(p, format="%.3f");\nend M;',
        1,
        "N060",
        3,
        "without the percent sign",
    ),
)


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda mistake: mistake.name)
def test_the_message_tells_cause_place_and_cure(mistake, tmp_path, capsys):
    path = tmp_path / "m.mo"
    path.write_text(mistake.text, encoding="utf-8")

    exit_code = execute(["run", str(path), "--json"])

    first = json.loads(capsys.readouterr().out)["diagnostics"][0]
    told = f"{first['message']} {first['help']} {[label['text'] for label in first['labels']]}"
    assert (exit_code, first["code"], first["line"]) == (
        mistake.exit_code,
        mistake.code,
        mistake.line,
    )
    assert mistake.words in told


def test_there_are_enough_of_them():
    assert len(MISTAKES) >= 60
