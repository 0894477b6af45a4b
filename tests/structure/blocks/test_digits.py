"""Tearing that loses digits is not done: ladders, in both languages, at 1 to 80 sections."""

from fractions import Fraction

import pytest

from freewheel.api.model import load, load_text
from freewheel.graphs.tearing import Torn
from freewheel.structure.blocks.tearing_digits import loses_digits


def ladder(tmp_path, count, across=100, down=20):
    path = tmp_path / "ladder.mo"
    path.write_text(f"""
model Ladder
  parameter Integer n = {count};
  Real v[n + 1], i[n + 1], j[n];
equation
  v[1] = 10;
  for k in 1:n loop
    v[k] - v[k + 1] = {across}*i[k];
    v[k + 1] = {down}*j[k];
    i[k] = i[k + 1] + j[k];
  end for;
  i[n + 1] = 0;
end Ladder;
""")
    return load(path)


def last_voltage(count, across=100, down=20):
    """Backwards from one volt at the end, in rational numbers."""
    v, i = Fraction(1), Fraction(0)
    for _ in range(count):
        i += v / down
        v += across * i
    return float(10 / v)


@pytest.mark.parametrize("count", [1, 5, 8, 10, 20, 80])
@pytest.mark.parametrize(("across", "down"), [(1, 1), (100, 20)])
def test_every_section_of_a_ladder_is_exact(tmp_path, count, across, down):
    result = ladder(tmp_path, count, across, down).simulate(stop=1)

    exact = last_voltage(count, across, down)
    assert result.final(f"v[{count + 1}]") == pytest.approx(exact, rel=1e-9)


def chain(count):
    """x[k+2] = x[k+1] + 2.5*x[k], the last one zero: x[0] guessed, all others follow and grow."""
    rows = [[(0, 1.0), (1, -1.0)]]
    rows += [[(k, 2.5), (k + 1, 1.0), (k + 2, -1.0)] for k in range(count - 2)]
    rows.append([(count - 2, 1.0), (count - 1, 1.0)])
    order = ((0, 1), *((k + 1, k + 2) for k in range(count - 2)))
    return rows, Torn((0,), order, (count - 1,))


def sums(count):
    """Each unknown is one more than the one before: nothing grows."""
    rows = [[(k, 1.0), (k + 1, -1.0)] for k in range(count - 1)]
    rows.append([(0, 1.0), (count - 1, 1.0)])
    return rows, Torn((0,), tuple((k, k + 1) for k in range(count - 1)), (count - 1,))


def test_sums_lose_nothing():
    assert not loses_digits(*sums(40), 40)


@pytest.mark.parametrize("unit", [1e-6, 1.0, 1e6])
def test_a_chain_that_amplifies_loses_digits_in_any_units(unit):
    rows, torn = chain(60)
    scaled = [[(c, a * unit ** (c % 3)) for c, a in row] for row in rows]

    assert not loses_digits(chain(8)[0], chain(8)[1], 8)
    assert loses_digits(scaled, torn, 60)


@pytest.mark.parametrize("resistance", [1e-13, 1e-9, 1e-3])
@pytest.mark.parametrize("sum_of_currents", ["1 - v = 0.2*(i + f)", "i = (1 - v)/0.2 - f"])
def test_what_is_divided_by_is_no_difference_without_digits(sum_of_currents, resistance):
    """A load of 2 ohm by its power beside a short circuit: i is 5 A less 5 A, and v = p/i hangs on it."""
    model = load_text(f"""model M
      Real v(start={5 * resistance}), i(start={2.5 * resistance}), p, f;
    equation
      {sum_of_currents};
      f = v/{resistance};
      p = 0.5*v^2;
      v = p/i;
    end M;""")
    exact = 5 / (5.5 + 1 / resistance)
    assert model.simulate(stop=1).final("v") == pytest.approx(exact, rel=1e-9)
    assert model.simulate(stop=1).final("i") == pytest.approx(exact / 2, rel=1e-9)
