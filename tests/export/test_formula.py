"""Formulas as text of a language: read back by that language they mean the same."""

import math
import random
import subprocess

import pytest

from freewheel.export.c_text import C
from freewheel.export.formula import FormulaText
from freewheel.export.fortran_text import FORTRAN
from freewheel.export.python import PYTHON
from freewheel.export.simulink import MATLAB
from freewheel.formula.nodes import Binary, Boolean, Call, Expr, If, Integer, Real, Unary, Var

X, Y = Var(("x",)), Var(("y",))


def text(expr: Expr, dialect=C) -> str:
    return FormulaText(dialect, lambda var: str(var.name[0])).number(expr)


def minus(expr):
    return Unary("-", expr)


@pytest.mark.parametrize(
    ("expr", "expected"),
    [
        (minus(minus(X)), "-(-x)"),
        (Binary("/", minus(minus(X)), Y), "(-(-x))/y"),
        (minus(Real(-2.0)), "-(-2.0)"),
        (Binary("-", X, minus(Y)), "x - (-y)"),
        (Binary("-", X, Binary("-", Y, X)), "x - (y - x)"),
        (Binary("*", X, minus(Y)), "x*(-y)"),
        (Binary("/", X, Binary("*", Y, X)), "x/(y*x)"),
        (Binary("^", minus(X), Integer(2)), "pow((-x), 2.0)"),
        (minus(Binary("+", X, Y)), "-(x + y)"),
        (Binary("*", Boolean(True), X), "1.0*x"),
        (If(Binary("<", X, Y), X, Real(1.0)), "((x < y) ? x : 1.0)"),
        (Binary("+", X, Binary(">", X, Y)), "x + (x > y ? 1.0 : 0.0)"),
        (Call("semiLinear", minus(X), Y, X), "((-x) >= 0.0 ? (-x)*y : (-x)*x)"),
    ],
)
def test_brackets_stand_where_c_needs_them(expr, expected):
    assert text(expr) == expected


def test_integer_exponents_stay_integers_where_a_base_may_be_negative():
    square = Binary("^", X, Integer(2))

    assert text(square, FORTRAN) == "x**2"
    assert text(Binary("^", X, Real(-3.0)), FORTRAN) == "x**(-3)"
    assert text(Binary("^", X, Real(0.5)), FORTRAN) == "x**0.5D0"
    assert text(square, MATLAB) == "x^2.0"


def random_formula(rng: random.Random, depth: int) -> Expr:
    if depth == 0 or rng.random() < 0.1:
        return rng.choice([X, Y, Real(rng.choice([-2.5, 0.5, 3.0])), Integer(rng.choice([-1, 2]))])
    a, b = random_formula(rng, depth - 1), random_formula(rng, depth - 1)
    kind = rng.randrange(8)
    if kind == 0:
        return Unary("-", a)
    if kind == 1:
        return If(Binary(rng.choice(["<", ">=", "<>"]), a, b), b, a)
    if kind == 2:
        return Call(rng.choice(["sin", "abs"]), a)
    if kind == 3:
        return Call(rng.choice(["min", "max"]), a, b)
    if kind == 4:
        condition = Binary(
            rng.choice(["and", "or"]), Binary("<", a, b), Unary("not", Binary(">", b, X))
        )
        return If(condition, a, b)
    return Binary(rng.choice(["+", "-", "*"]), a, b)


def value(expr: Expr, x: float, y: float):
    match expr:
        case Real() | Integer():
            return expr.value
        case Var():
            return x if expr is X else y
        case If():
            return value(expr.args[1 if value(expr.args[0], x, y) else 2], x, y)
        case Unary():
            inner = value(expr.args[0], x, y)
            return (not inner) if expr.op == "not" else -inner
        case Call():
            parts = [value(part, x, y) for part in expr.args]
            return {"sin": math.sin, "abs": abs, "min": min, "max": max}[str(expr.function)](*parts)
    a, b = (value(part, x, y) for part in expr.args)
    return {
        "+": lambda: a + b, "-": lambda: a - b, "*": lambda: a * b, "<": lambda: a < b,
        ">": lambda: a > b, ">=": lambda: a >= b, "<>": lambda: a != b,
        "and": lambda: a and b, "or": lambda: a or b,
    }[expr.data]()  # fmt: skip


def test_random_formulas_mean_the_same_in_c(tmp_path):
    formulas = [random_formula(random.Random(seed), 5) for seed in range(200)]
    lines = "".join(f'    printf("%.17g\\n", (double)({text(expr)}));\n' for expr in formulas)
    head = (
        "#include <math.h>\n#include <stdio.h>\nint main(void)\n{\n    double x = 0.7, y = -1.3;\n"
    )
    (tmp_path / "all.c").write_text(head + lines + "    return 0;\n}\n")
    subprocess.run(["gcc", "-w", "all.c", "-lm", "-o", "all"], cwd=tmp_path, check=True)
    done = subprocess.run([str(tmp_path / "all")], capture_output=True, text=True, check=True)

    found = [float(line) for line in done.stdout.split()]
    assert found == pytest.approx([value(e, 0.7, -1.3) for e in formulas], rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("seed", range(40))
def test_random_formulas_mean_the_same_in_python(seed):
    rng = random.Random(seed)
    expr = random_formula(rng, 5)
    names = {"x": 0.7, "y": -1.3, "sin": math.sin}

    assert eval(text(expr, PYTHON), names) == pytest.approx(
        value(expr, 0.7, -1.3), rel=1e-12, abs=1e-12
    )
