"""What vanishes is taken out of sums, so that nothing seems free that is not."""

from pathlib import Path

import pytest

from freewheel.api import load
from freewheel.flat.nodes import Variability
from freewheel.formula.nodes import ZERO, Binary, Expr, Integer, Var
from freewheel.formula.types import REAL
from freewheel.formula.walk import variables_in
from freewheel.structure.nodes import ScalarEquation, ScalarVariable
from freewheel.structure.simplify.vanishing_sums import without_vanishing_sums

a, b, c, z = (Var((name,)) for name in "abcz")
TABLE = {v.name: ScalarVariable(v.name, REAL, Variability.CONTINUOUS) for v in (a, b, c, z)}


def plus(*parts: Expr) -> Expr:
    total = parts[0]
    for part in parts[1:]:
        total = Binary("+", total, part)
    return total


def test_a_sum_inside_another_one_goes() -> None:
    star = ScalarEquation(plus(a, b, c), ZERO)
    current = ScalarEquation(Binary("*", Integer(-3), z), plus(a, b, c))
    first, second = without_vanishing_sums([star, current], TABLE)
    assert first is star
    assert variables_in(second.left, second.right) == (z,)


@pytest.mark.parametrize(
    "other",
    [
        plus(z, a, b, Binary("*", Integer(2), c)),  # not in proportion
        plus(z, a, b),  # not all of it
        plus(z, Binary("*", a, b), c),  # no sum
        plus(a, b, c),  # the same once more: this is for others to say
    ],
)
def test_everything_else_stays(other: Expr) -> None:
    star, equation = ScalarEquation(plus(a, b, c), ZERO), ScalarEquation(other, ZERO)
    assert without_vanishing_sums([star, equation], TABLE) == [star, equation]


STAR = """
model Star "Three currents that meet in a point, and the part they have in common"
  parameter Real L = 0.1;
  final parameter Real ratio = 1;
  Real i[3], p[3], zero, v0, x(start = 1, fixed = true);
equation
  ratio*i[1] = -p[1];
  ratio*i[2] = -p[2];
  ratio*i[3] = -p[3];
  sum(p) = 0;
  3*zero = sum(i);
  v0 = L*der(zero);
  i[1] = x + zero;
  i[2] = v0 - 2*x;
  der(x) = -x;
end Star;
"""


def test_a_state_that_must_be_zero_is_none(tmp_path: Path) -> None:
    file = tmp_path / "Star.mo"
    file.write_text(STAR)
    model = load(file)
    assert [state.name for state in model.compiled().state_infos] == ["x"]
    result = model.simulate(stop=1.0)
    assert result.final("zero") == 0.0
    assert result.final("i[3]") == pytest.approx(result.final("x"), rel=1e-9)
