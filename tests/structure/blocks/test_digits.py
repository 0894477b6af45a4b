"""Tearing that loses digits is not done: ladders, in both languages, at 1 to 80 sections."""

from fractions import Fraction

import pytest

from freewheel.api.model import load
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
