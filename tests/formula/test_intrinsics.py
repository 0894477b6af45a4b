"""The table of built-in functions: its columns agree with each other, and there is no other table."""

import ast
import math
import subprocess
import sys
from pathlib import Path

import pytest

import freewheel
from freewheel.formula.build import filled
from freewheel.formula.differentiate import Differentiation
from freewheel.formula.evaluate import evaluate
from freewheel.formula.intrinsics import INTRINSICS, ROWS
from freewheel.formula.nodes import Call, Real, Var

SOURCE = Path(freewheel.__file__).parent
POINTS = (-0.7, -0.2, 0.3, 0.9)
LANGUAGES = {"c", "python", "simulink", "simnon", "desire", "acsl", "fortran", "casadi"}
# The subset of Python that kernels are written in; it knows no models and stands below `formula`.
KERNEL_LANGUAGE = "machine/kernel_values.py"
# Two or three names are a case that some rule treats apart; more are a property: a column.
MOST = 3


def at(expr, **values):
    return float(evaluate(expr, lambda name: values[name[0]]))


def points_of(row):
    return [x for x in POINTS if row.domain is None or row.domain[1](x)]


def tables_in(tree):
    """Displays that name more than a few functions: line, names."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Dict):
            parts = [*node.keys, *node.values]
        elif isinstance(node, ast.Set | ast.Tuple | ast.List):
            parts = node.elts
        else:
            continue
        words = {part.value for part in parts if isinstance(part, ast.Constant)}
        names = sorted(INTRINSICS.keys() & words)
        if len(names) > MOST:
            yield node.lineno, names


def test_no_other_table_of_built_in_functions_exists():
    found = {
        path.relative_to(SOURCE).as_posix(): list(tables_in(ast.parse(path.read_text("utf-8"))))
        for path in sorted(SOURCE.rglob("*.py"))
    }

    assert found.pop(KERNEL_LANGUAGE)
    assert {path: tables for path, tables in found.items() if tables} == {}


def test_a_table_is_found_in_any_display():
    for text in ('{"sin": 1, "cos": 2, "tan": 3, "exp": 4}', '("sin", "cos", "tan", "exp")'):
        assert list(tables_in(ast.parse(text))) == [(1, ["cos", "exp", "sin", "tan"])]


@pytest.mark.parametrize(
    "row", [r for r in ROWS if r.derivative or r.divisor], ids=lambda row: row.name
)
def test_the_derivative_is_that_of_the_value(row):
    x = Var(("x",))
    slope = Differentiation(lambda var: Real(1.0)).of(Call(row.name, x))

    for point in points_of(row):
        step = 1e-6
        expected = (row.value(point + step) - row.value(point - step)) / (2 * step)
        assert at(slope, x=point) == pytest.approx(expected, rel=1e-7)


@pytest.mark.parametrize("row", [r for r in ROWS if r.slope], ids=lambda row: row.name)
def test_the_slope_is_the_derivative_as_a_number(row):
    for point in points_of(row):
        step = 1e-6
        expected = (row.value(point + step) - row.value(point - step)) / (2 * step)
        assert row.slope(point) == pytest.approx(expected, rel=1e-7)


@pytest.mark.parametrize("row", [r for r in ROWS if r.inverse], ids=lambda row: row.name)
def test_the_inverse_undoes_the_function(row):
    for point in points_of(row):
        value = row.value(point)
        again = at(filled(row.inverse.formula, Var(("y",))), y=value)
        assert row.value(again) == pytest.approx(value, rel=1e-12)
        assert row.inverse.lowest is None or value >= row.inverse.lowest
        assert row.inverse.highest is None or value <= row.inverse.highest


@pytest.mark.parametrize("row", [r for r in ROWS if r.domain], ids=lambda row: row.name)
def test_outside_of_its_domain_a_function_has_no_value(row):
    outside = [x for x in (-2.0, -0.5, 0.0, 0.5, 2.0) if not row.domain[1](x)]

    assert outside
    for point in outside:
        with pytest.raises(ValueError, match=r"domain|expected"):
            row.value(point)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_a_row_is_whole(row):
    assert row.written.keys() <= LANGUAGES
    assert all(row.written.values())
    assert row.arity == 1 or row.called.startswith(f"{row.name}(")
    assert math.isfinite(row.value(*(0.5, 0.25, 0.125)[: row.arity]))
    assert row.has_corners or not row.makes_events
    assert row.has_corners or not row.is_step


A_NEW_ROW = """
import math
from freewheel.formula import intrinsics
from freewheel.formula.nodes import ONE, Binary, Call, Integer

size = Call("sqrt", Binary("+", ONE, Binary("^", intrinsics.X, Integer(2))))
row = intrinsics.Intrinsic(
    name="asinh", value=math.asinh, unit="number", llvm="asinh", divisor=size,
    inverse=intrinsics.Inverse(formula=Call("sinh", intrinsics.X)), written={"c": "asinh"},
)
intrinsics.ROWS += (row,)
intrinsics.INTRINSICS = {each.name: each for each in intrinsics.ROWS}

import freewheel as fw

TEXT = '''model M
  Real x(start = 2, fixed = true); Real y; Real z; parameter Real p = asinh(1);
equation
  der(x) = -asinh(x);
  y = asinh(x);
  asinh(z) = time;
  annotation(experiment(StopTime = 1));
end M;'''
for backend in ("llvm", "python"):
    result = fw.load_text(TEXT, backend=backend).simulate(tol=1e-9)
    assert abs(result["y"][-1] - math.asinh(result["x"][-1])) < 1e-12
    assert abs(result["z"][-1] - math.sinh(1.0)) < 1e-12
    assert result["p"][-1] == math.asinh(1.0)
text = "".join(fw.load_text(TEXT).export("c").values())
assert "asinh(" in text
print("done")
"""


def test_a_function_is_added_by_one_row():
    """Front end, folding, derivatives, solving, both backends and exports go by the table."""
    run = subprocess.run(
        [sys.executable, "-c", A_NEW_ROW], capture_output=True, text=True, timeout=120, check=False
    )

    assert (run.stdout, run.returncode) == ("done\n", 0), run.stderr
