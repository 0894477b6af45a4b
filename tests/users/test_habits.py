"""More mistakes of first users, by habits of other languages and tools, with what each message says.

Rows as in `test_mistakes.py`: a text, the exit code of `freewheel run`, code and line of the first message,
and words that tell the cause or the cure.
"""

from __future__ import annotations

import json

import pytest

from freewheel.tools.cli import execute

HABITS = (
    (
        "derivative of an Integer",
        ("model M\n  Integer n = 3;\n  Real y = der(n);\nend M;"),
        1,
        "N060",
        3,
        "an Integer has no derivative",
    ),
    (
        "start value without fixed",
        ("model M\n  Real x;\nequation\n  der(x) = -x;\nend M;"),
        0,
        "E020",
        2,
        "set `fixed = true`",
    ),
    (
        "missing ground",
        (
            "model M\n"
            "  Modelica.Electrical.Analog.Sources.ConstantVoltage V(V=10);\n"
            "  Modelica.Electrical.Analog.Basic.Resistor R(R=1);\n"
            "  Modelica.Electrical.Analog.Basic.Capacitor C(C=1);\n"
            "equation\n"
            "  connect(V.p, R.p);\n"
            "  connect(R.n, C.p);\n"
            "  connect(C.n, V.n);\n"
            "end M;"
        ),
        1,
        "E031",
        2,
        "Basic.Ground",
    ),
    (
        "input of a block left open",
        (
            "model M\n"
            "  Modelica.Blocks.Continuous.Integrator I;\n"
            "  Modelica.Blocks.Sources.Sine s(f=1);\n"
            "end M;"
        ),
        1,
        "E001",
        2,
        "connect `I.u`",
    ),
    (
        "output to output",
        (
            "model M\n"
            "  Modelica.Blocks.Sources.Sine a(f=1), b(f=2);\n"
            "equation\n"
            "  connect(a.y, b.y);\n"
            "end M;"
        ),
        1,
        "F016",
        4,
        "connect outputs to inputs",
    ),
    (
        "two outputs to one input",
        (
            "model M\n"
            "  Modelica.Blocks.Sources.Sine a(f=1), b(f=2);\n"
            "  Modelica.Blocks.Math.Gain g(k=2);\n"
            "equation\n"
            "  connect(a.y, g.u);\n"
            "  connect(b.y, g.u);\n"
            "end M;"
        ),
        1,
        "F016",
        6,
        "only one output to each",
    ),
    (
        "misspelt attribute",
        ("model M\n  Modelica.Electrical.Analog.Basic.Capacitor C(C=1, v(strat=1));\nend M;"),
        1,
        "N010",
        2,
        "did you mean `start`?",
    ),
    (
        "semicolon between modifiers",
        ("model M\n  Modelica.Electrical.Analog.Basic.Resistor R(R=1; T=300);\nend M;"),
        1,
        "S004",
        2,
        "separated by commas",
    ),
    (
        "start without parentheses",
        ("model M\n  Real x start=1;\nequation\n  der(x) = -x;\nend M;"),
        1,
        "S004",
        2,
        "`x(start = ...)`",
    ),
    (
        "initial value as x(0)",
        ("model M\n  Real x;\nequation\n  der(x) = -x;\n  x(0) = 1;\nend M;"),
        1,
        "N061",
        5,
        "`x(start = 1, fixed = true)`",
    ),
    (
        "initial without equation",
        ("model M\n  Real x;\nequation\n  der(x) = -x;\n  initial x = 1;\nend M;"),
        1,
        "S004",
        5,
        "`initial equation`",
    ),
    (
        "sizes of a matrix product",
        (
            "model M\n"
            "  Real A[2,3] = ones(2,3);\n"
            "  Real B[2,3] = ones(2,3);\n"
            "  Real C[2,3] = A*B;\n"
            "end M;"
        ),
        1,
        "N040",
        4,
        "`.*` multiplies element by element",
    ),
    (
        "subscript too large",
        ("model M\n  Real x[3] = {1,2,3};\n  Real y = x[4];\nend M;"),
        1,
        "N034",
        3,
        "subscript 4 is outside 1..3",
    ),
    (
        "size without a value",
        ("model M\n  parameter Integer n;\n  Real x[n] = fill(1, n);\nend M;"),
        1,
        "N033",
        3,
        "give `n` a value",
    ),
    (
        "size that varies",
        (
            "model M\n"
            "  Integer n = integer(time) + 1;\n"
            "  Real x[n];\n"
            "equation\n"
            "  x = fill(1, n);\n"
            "end M;"
        ),
        1,
        "N033",
        3,
        "make it a constant or a parameter",
    ),
    (
        "rows of unequal length",
        "model M\n  Real A[2,2] = [1, 2; 3];\nend M;",
        1,
        "N040",
        2,
        "all rows the same length",
    ),
    (
        "brackets for a vector",
        "model M\n  Real v[3] = [1, 2, 3];\nend M;",
        1,
        "N040",
        2,
        "`{1, 2, 3}`",
    ),
    (
        "power of a vector",
        ("model M\n  Real v[3] = {1,2,3};\n  Real w[3] = v^2;\nend M;"),
        1,
        "N040",
        3,
        "`.^` takes the power of each element",
    ),
    (
        "prime for transposed",
        ("model M\n  Real A[2,2] = [1,2;3,4];\n  Real B[2,2] = A';\nend M;"),
        1,
        "S001",
        3,
        "`transpose(A)`",
    ),
    (
        "end without a word",
        ("model M\n  Real x[2];\nequation\n  for i in 1:2 loop\n    x[i] = i;\n  end\nend M;"),
        1,
        "S007",
        6,
        "`end for;`",
    ),
    (
        "if without then",
        (
            "model M\n"
            "  Real x;\n"
            "equation\n"
            "  if time > 1\n"
            "    x = 1;\n"
            "  else\n"
            "    x = 2;\n"
            "  end if;\n"
            "end M;"
        ),
        1,
        "S004",
        5,
        "followed by `then`",
    ),
    ("percent comment", "model M\n  Real x = 1; % one\nend M;", 1, "S001", 2, "`//` for comments"),
    ("tilde for not", "model M\n  Boolean b = ~(time > 1);\nend M;", 1, "S001", 2, "use `not`"),
    (
        "misspelt function",
        "model M\n  Real x[3] = zero(3);\nend M;",
        1,
        "N062",
        2,
        "did you mean `zeros`?",
    ),
    (
        "Python's True",
        "model M\n  parameter Boolean b = True;\nend M;",
        1,
        "N001",
        2,
        "written `true`",
    ),
    (
        "Python's for",
        ("model M\n  Real x[2];\nequation\n  for i in range(2):\n    x[i] = i;\nend M;"),
        1,
        "S004",
        5,
        "`for i in 1:3 loop",
    ),
    (
        "elif",
        (
            "model M\n"
            "  Real x;\n"
            "equation\n"
            "  if time > 1 then\n"
            "    x = 1;\n"
            "  elif time > 0.5 then\n"
            "    x = 2;\n"
            "  else\n"
            "    x = 3;\n"
            "  end if;\n"
            "end M;"
        ),
        1,
        "S004",
        6,
        "`elseif`",
    ),
    (
        "question mark",
        "model M\n  Real x = time > 1 ? 1 : 2;\nend M;",
        1,
        "S001",
        2,
        "`if c then a else b`",
    ),
    ("braces around a model", "model M {\n  Real x = 1;\n}", 1, "S004", 1, "no braces"),
    (
        "C's for",
        (
            "model M\n"
            "  Real s;\n"
            "algorithm\n"
            "  for (i = 0; i < 3; i++) {\n"
            "    s := s + i;\n"
            "  }\n"
            "end M;"
        ),
        1,
        "S004",
        4,
        "`for i in 1:3 loop",
    ),
    ("C's remainder", "model M\n  Integer n = 7 % 3;\nend M;", 1, "S001", 2, "`mod(a, b)`"),
    (
        "C's increment",
        ("model M\n  Integer n;\nalgorithm\n  n++;\nend M;"),
        1,
        "S004",
        4,
        "`n := n + 1`",
    ),
    (
        "suffix of a number",
        "model M\n  Real x = 1.5f;\nend M;",
        1,
        "S004",
        2,
        "a number has no suffix",
    ),
    ("exponent with d", "model M\n  Real x = 1.5d-3;\nend M;", 1, "S004", 2, "`1.5e-3`"),
    (
        "unit behind a number",
        "model M\n  parameter Real R = 10 Ohm;\nend M;",
        1,
        "S004",
        2,
        '`R(unit = "Ohm")`',
    ),
    ("blank in a number", "model M\n  parameter Real R = 10 000;\nend M;", 1, "S004", 2, "`10000`"),
    ("missing operator", "model M\n  Real x = 2 time;\nend M;", 1, "S004", 2, "`2*time`"),
    (
        "product without operator",
        "model M\n  Real x = 2(time + 1);\nend M;",
        1,
        "S004",
        2,
        "`2*(...)`",
    ),
    (
        "misspelt unit attribute",
        'model M\n  parameter Real R(units="Ohm") = 10;\nend M;',
        1,
        "N010",
        2,
        "did you mean `unit`",
    ),
    (
        "unknown unit",
        ('model M\n  parameter Real R(unit="Ohms") = 10;\n  Real x(unit="V") = R*time;\nend M;'),
        0,
        "F204",
        2,
        "is not understood",
    ),
    (
        "kilograms for newtons",
        ("model M\n  Modelica.Units.SI.Mass m = 1;\n  Modelica.Units.SI.Force F = m*3;\nend M;"),
        0,
        "F202",
        3,
        "in N and kg",
    ),
    (
        "degrees for radians",
        (
            "model M\n"
            "  Modelica.Units.SI.Angle phi = 90;\n"
            "  Modelica.Units.NonSI.Angle_deg d = phi;\n"
            "end M;"
        ),
        0,
        "F202",
        3,
        "deg and rad are set equal without conversion",
    ),
    (
        "degrees Celsius for kelvin",
        (
            "model M\n"
            "  Modelica.Units.NonSI.Temperature_degC T = 20;\n"
            "  Modelica.Units.SI.Temperature K = T;\n"
            "end M;"
        ),
        0,
        "F202",
        3,
        "K and degC are set equal",
    ),
    (
        "division by zero at the start",
        (
            "model M\n"
            "  Real x(start=0, fixed=true);\n"
            "  Real y = 1/x;\n"
            "equation\n"
            "  der(x) = 1;\n"
            "end M;"
        ),
        3,
        "R122",
        3,
        "division by zero",
    ),
    (
        "no solution at the start",
        ("model M\n  Real x(start=1);\nequation\n  x^2 = -1 - time;\nend M;"),
        3,
        "R124",
        4,
        "give better start values",
    ),
    (
        "logarithm of a negative start",
        (
            "model M\n"
            "  Real x(start=-1, fixed=true);\n"
            "  Real y = log(x);\n"
            "equation\n"
            "  der(x) = 1;\n"
            "end M;"
        ),
        3,
        "R122",
        3,
        "here it is -1",
    ),
    (
        "arc sine beyond one",
        "model M\n  Real y = asin(2*time);\nend M;",
        3,
        "R122",
        2,
        "from -1 to 1",
    ),
    (
        "package without end",
        ("package P\n  model M\n    Real x = 1;\n  end M;\n"),
        1,
        "S007",
        5,
        "add `end P;`",
    ),
    (
        "model inside a model that has no end",
        ("model A\n  Real x = 1;\nmodel B\n  Real y = 1;\nend B;\n"),
        1,
        "S007",
        6,
        "add `end A;`",
    ),
    (
        "unknown base class",
        ("model M\n  extends Base;\n  Real x = 1;\nend M;"),
        1,
        "N002",
        2,
        "--library",
    ),
    (
        "misspelt package",
        "model M\n  Real x = Modelica.Constant.pi;\nend M;",
        1,
        "N003",
        2,
        "did you mean `Constants`?",
    ),
    (
        "within an unknown package",
        ("within P;\nmodel M\n  Real x = 1;\nend M;"),
        1,
        "N920",
        1,
        "remove the `within` clause",
    ),
    (
        "derivative assigned",
        ("model M\n  Real x;\nalgorithm\n  der(x) := 1;\nend M;"),
        1,
        "S004",
        4,
        "below `equation`",
    ),
    (
        "equation and assignment",
        ("model M\n  Real x;\nequation\n  x = 1;\nalgorithm\n  x := 2;\nend M;"),
        1,
        "E002",
        5,
        "remove one of these equations",
    ),
    (
        "unbalanced if-equation",
        (
            "model M\n"
            "  Real x, y;\n"
            "equation\n"
            "  if time > 1 then\n"
            "    x = 1;\n"
            "    y = 2;\n"
            "  else\n"
            "    x = 2;\n"
            "  end if;\n"
            "end M;"
        ),
        1,
        "E009",
        4,
        "the same number of equations",
    ),
    (
        "when inside when",
        (
            "model M\n"
            "  Real x;\n"
            "equation\n"
            "  when time > 1 then\n"
            "    x = 1;\n"
            "    when time > 2 then\n"
            "      x = 2;\n"
            "    end when;\n"
            "  end when;\n"
            "end M;"
        ),
        1,
        "E013",
        6,
        "`elsewhen`",
    ),
    (
        "derivative in a when",
        (
            "model M\n"
            "  Real x(start=0, fixed=true);\n"
            "equation\n"
            "  when time > 1 then\n"
            "    der(x) = 1;\n"
            "  end when;\n"
            "end M;"
        ),
        1,
        "E013",
        5,
        "write `variable = expression`",
    ),
    (
        "sample with one argument",
        (
            "model M\n"
            "  discrete Real x;\n"
            "equation\n"
            "  when sample(0.1) then\n"
            "    x = time;\n"
            "  end when;\n"
            "end M;"
        ),
        1,
        "N042",
        4,
        "`sample(start, interval)`",
    ),
    (
        "reflection without end",
        (
            "model M\n"
            "  Real x(start=0.5, fixed=true);\n"
            "equation\n"
            "  when x < 0 then\n"
            "    reinit(x, -x);\n"
            "  end when;\n"
            "  der(x) = -1;\n"
            "end M;"
        ),
        3,
        "R007",
        4,
        "switches back and forth",
    ),
    (
        "variable of the model in a function",
        (
            "model M\n"
            "  function f\n"
            "    input Real x;\n"
            "    output Real y;\n"
            "  algorithm\n"
            "    z := x;\n"
            "  end f;\n"
            "  Real z = f(time);\n"
            "end M;"
        ),
        1,
        "N090",
        6,
        "as an argument",
    ),
    (
        "named arguments of max",
        ("model M\n  Real z = max(a=1, b=2);\n  Real q = atan2(y=1, x=2, z=3);\nend M;"),
        1,
        "N060",
        2,
        "`max(x, y)`",
    ),
    ("argument missing", "model M\n  Real z = atan2(1);\nend M;", 1, "N060", 2, "`atan2(y, x)`"),
    (
        "equation in a function",
        (
            "model M\n"
            "  function f\n"
            "    input Real x;\n"
            "    output Real y;\n"
            "  equation\n"
            "    y = x;\n"
            "  end f;\n"
            "  Real z = f(time);\n"
            "end M;"
        ),
        1,
        "N021",
        5,
        "a function has an algorithm",
    ),
    (
        "model called",
        ("model A\n  Real x = 1;\nend A;\nmodel M\n  Real y = A(1);\nend M;"),
        1,
        "N061",
        5,
        "call a function or a record",
    ),
    (
        "constant without value",
        ("model M\n  constant Real c;\n  Real x = c;\nend M;"),
        1,
        "N037",
        2,
        "where it is declared",
    ),
    (
        "parameters in a circle",
        ("model M\n  parameter Real a = b;\n  parameter Real b = a;\n  Real x = a;\nend M;"),
        1,
        "E004",
        2,
        "a value of its own",
    ),
    (
        "final modified",
        (
            "model A\n"
            "  final parameter Real p = 1;\n"
            "  Real x = p;\n"
            "end A;\n"
            "model M\n"
            "  A a(p=2);\n"
            "end M;"
        ),
        1,
        "N013",
        6,
        "the word `final`",
    ),
    (
        "protected variable",
        ("model A\nprotected\n  Real x = 1;\nend A;\nmodel M\n  A a;\n  Real y = a.x;\nend M;"),
        1,
        "N022",
        7,
        "`a.x` is protected",
    ),
    (
        "redeclared without replaceable",
        (
            "model A\n"
            "  Real x = 1;\n"
            "end A;\n"
            "model B\n"
            "  A a;\n"
            "end B;\n"
            "model M\n"
            "  B b(redeclare A a);\n"
            "end M;"
        ),
        1,
        "N016",
        8,
        "write `replaceable`",
    ),
    (
        "literal without its type",
        ("model M\n  type E = enumeration(on, off);\n  parameter E e = on;\nend M;"),
        1,
        "N001",
        3,
        "write `E.on`",
    ),
    (
        "text for a number",
        'model M\n  parameter Real x = "3";\nend M;',
        1,
        "N041",
        2,
        "without quotes",
    ),
    (
        "number for a Boolean",
        "model M\n  parameter Boolean b = 1;\nend M;",
        1,
        "N041",
        2,
        "`true` or `false`",
    ),
    (
        "bracket left open",
        "model M\n  Real x[2] = {1, 2;\nend M;",
        1,
        "S004",
        2,
        "close the bracket",
    ),
    (
        "comma too many",
        ("model M\n  Modelica.Electrical.Analog.Basic.Resistor R(R=1,);\nend M;"),
        1,
        "S004",
        2,
        "remove the comma",
    ),
    (
        "declaration below equation",
        ("model M\n  Real x;\nequation\n  x = 1;\n  Real y = 2;\nend M;"),
        1,
        "S004",
        5,
        "before the word `equation`",
    ),
    (
        "annotation left open",
        ("model M\n  Real x = 1;\n  annotation(experiment(StopTime=1);\nend M;"),
        1,
        "S004",
        4,
        "opened here",
    ),
    (
        "stop time before start time",
        ("model M\n  Real x = 1;\n  annotation(experiment(StartTime=2, StopTime=1));\nend M;"),
        2,
        "U021",
        None,
        "after the start time",
    ),
    (
        "script of commands",
        'simulateModel("M", stopTime=10);\n',
        1,
        "S004",
        1,
        "`freewheel run FILE --stop 10`",
    ),
    (
        "commands behind a model",
        ('model M\n  Real x = 1;\nend M;\nsimulateModel("M", stopTime=10);\nplot({"x"});\n'),
        1,
        "S004",
        4,
        "`freewheel run FILE --stop 10`",
    ),
    (
        "connector without flow",
        (
            "connector P\n"
            "  Real v;\n"
            "  Real i;\n"
            "end P;\n"
            "model M\n"
            "  P a, b;\n"
            "equation\n"
            "  connect(a, b);\n"
            "end M;"
        ),
        1,
        "E001",
        2,
        "give it an equation",
    ),
    (
        "unstable model",
        ("model M\n  Real x(start=1, fixed=true);\nequation\n  der(x) = 1000*x;\nend M;"),
        3,
        "R003",
        4,
        "changes fastest",
    ),
    (
        "equation of parameters",
        ("model M\n  parameter Real a = 1, b = 2;\n  Real x = time;\nequation\n  a = b;\nend M;"),
        1,
        "E002",
        5,
        "not by an equation",
    ),
    (
        "short circuit",
        (
            "model M\n"
            "  Modelica.Electrical.Analog.Sources.ConstantVoltage V(V=10);\n"
            "  Modelica.Electrical.Analog.Basic.Ground g;\n"
            "equation\n"
            "  connect(V.p, g.p);\n"
            "  connect(V.n, g.p);\n"
            "end M;"
        ),
        1,
        "E038",
        2,
        "`V` is short-circuited",
    ),
    (
        "sources in parallel",
        (
            "model M\n"
            "  Modelica.Electrical.Analog.Sources.ConstantVoltage V(V=10), W(V=5);\n"
            "  Modelica.Electrical.Analog.Basic.Ground g;\n"
            "equation\n"
            "  connect(V.p, W.p);\n"
            "  connect(V.n, g.p);\n"
            "  connect(W.n, g.p);\n"
            "end M;"
        ),
        1,
        "E038",
        2,
        "voltage sources in a loop: `V` and `W`",
    ),
    (
        "each missing",
        ("model M\n  Modelica.Electrical.Analog.Basic.Resistor R[3](R=10);\nend M;"),
        1,
        "N043",
        2,
        "write `each`",
    ),
    (
        "too few values for an array",
        ("model M\n  Modelica.Electrical.Analog.Basic.Resistor R[3](R={1,2});\nend M;"),
        1,
        "N034",
        2,
        "as many values",
    ),
    ("long minus sign", "model M\n  Real x = 3 − 1;\nend M;", 1, "S001", 2, "plain minus sign"),
    ("umlaut in a name", "model M\n  Real größe = 1;\nend M;", 1, "S001", 2, "letters a to z"),
    ("dash in a name", "model M\n  Real my-var = 1;\nend M;", 1, "S004", 2, "`my_var`"),
    (
        "name that begins with a digit",
        "model M\n  Real 2x = 1;\nend M;",
        1,
        "S004",
        2,
        "begins with a letter",
    ),
    (
        "assert without a text",
        ("model M\n  Real x = time;\nequation\n  assert(x < 2);\nend M;"),
        1,
        "N060",
        4,
        "`message` is missing",
    ),
    (
        "time assigned",
        ("model M\n  Real x;\nequation\n  time = 1;\n  x = 2;\nend M;"),
        1,
        "E002",
        4,
        "the time of the simulation",
    ),
    ("t for time", "model M\n  Real x = sin(t);\nend M;", 1, "N001", 2, "called `time`"),
    (
        "value and equation",
        ("model M\n  Real x = 1;\nequation\n  x = 2;\nend M;"),
        1,
        "E002",
        4,
        "remove one of these equations",
    ),
    (
        "while in an equation",
        ("model M\n  Real x;\nequation\n  while x < 1 loop\n    x = x + 1;\n  end while;\nend M;"),
        1,
        "S016",
        4,
        "below `algorithm`",
    ),
    (
        "break outside of a loop",
        ("model M\n  Real x;\nalgorithm\n  x := 1;\n  break;\nend M;"),
        1,
        "N075",
        5,
        "outside of a loop",
    ),
    (
        "print",
        ('model M\n  Real x = time;\nequation\n  print("hello");\nend M;'),
        1,
        "N062",
        4,
        "Modelica.Utilities.Streams.print",
    ),
    (
        "length of an array",
        ("model M\n  Real x[3] = {1, 2, 3};\n  Real n = length(x);\nend M;"),
        1,
        "N062",
        3,
        "`size(x, 1)`",
    ),
    (
        "semicolon after then",
        (
            "model M\n"
            "  Real x;\n"
            "equation\n"
            "  if time > 1 then;\n"
            "    x = 1;\n"
            "  else\n"
            "    x = 2;\n"
            "  end if;\n"
            "end M;"
        ),
        1,
        "S004",
        4,
        "remove the `;`",
    ),
    (
        "two dots for a range",
        (
            "model M\n"
            "  Real x[3];\n"
            "equation\n"
            "  for i in 1..3 loop\n"
            "    x[i] = i;\n"
            "  end for;\n"
            "end M;"
        ),
        1,
        "S004",
        4,
        "`1:3`",
    ),
)


@pytest.mark.parametrize(
    ("text", "exit_code", "code", "line", "words"),
    [row[1:] for row in HABITS],
    ids=[row[0] for row in HABITS],
)
def test_the_message_tells_cause_place_and_cure(
    tmp_path, capsys, text, exit_code, code, line, words
):
    path = tmp_path / "m.mo"
    path.write_text(text, encoding="utf-8")

    status = execute(["run", str(path), "--json"])

    first = json.loads(capsys.readouterr().out)["diagnostics"][0]
    labels = [label["text"] for label in first["labels"]]
    assert (status, first["code"], first["line"]) == (exit_code, code, line)
    assert words in f"{first['message']} {first['help']} {labels}"


def test_a_problem_is_told_once(tmp_path, capsys):
    """What follows from it on later lines is left out."""
    path = tmp_path / "m.mo"
    for text in (
        "model M\n  Real x = 1; % one\nend M;",
        "model M\n  Real x;\nequation\n  if time > 1\n    x = 1;\n  else\n    x = 2;\n  end if;\nend M;",
        "model M\n  Real x[3];\nequation\n  for i in 1..3 loop\n    x[i] = i;\n  end for;\nend M;",
    ):
        path.write_text(text)
        execute(["check", str(path), "--json"])
        assert len(json.loads(capsys.readouterr().out)["diagnostics"]) == 1
