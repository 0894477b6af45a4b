"""The compiled writer of numbers against `repr`, and against itself run by CPython."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from freewheel.result import number_text
from freewheel.result.number_text import LARGEST, SMALLEST, can_write, powers_of_ten, table_text
from freewheel.result.store import Column, Result
from freewheel.result.write_csv import MANY

CORNERS = [
    *(0.0, 1.0, -1.0, 0.1, 0.3, 0.1 + 0.2, 1 / 3, 2 / 3, 2.0**0.5, 4.35, 99999.5),
    *(1e-4, 9.9e-5, 1e-5, 1e15, 999999999999999.9, 9999999999999998.0, 1e16, 1e17, 1e21, 1e22),
    *(1e23, 9.999999999999999e22, 123456789012345678.0, 1e100, 1.5e-200, SMALLEST, LARGEST),
]


def texts(values: list[float], whole: int = 0) -> list[str]:
    data = np.array([values])
    table = table_text(data, np.array([0]), np.ones(1), np.zeros(1), np.array([whole]))
    return table.decode().split("\n")[:-1]


@pytest.mark.parametrize("value", CORNERS)
def test_corners_look_as_repr_writes_them(value):
    assert texts([value]) == [repr(value)]


def test_many_numbers_look_as_repr_writes_them():
    draw = random.Random(7)
    values = [draw.gauss(0.0, 1.0) for _ in range(20_000)]
    values += [draw.uniform(-1.0, 1.0) * 10.0 ** draw.randint(-270, 270) for _ in range(20_000)]
    values += [round(draw.uniform(0.0, 1e3), draw.randint(0, 9)) for _ in range(20_000)]
    values += [2.0**k for k in range(-900, 900)] + [10.0**k for k in range(-279, 280)]
    written = texts(values)
    other = [text for text, value in zip(written, values, strict=True) if text != repr(value)]

    assert [float(text) for text in written] == values
    assert len(other) < 1e-2 * len(values)  # digits exactly half a unit away are not taken


@settings(max_examples=200, deadline=None)
@given(st.floats(allow_nan=False, allow_infinity=False))
def test_any_number_in_reach_reads_back_exactly(value):
    if can_write(np.array([value])):
        assert float(texts([value])[0]) == value


def test_whole_numbers_have_no_fraction():
    assert texts([3.0, 0.0, -2.0, 120.0, -0.0], whole=1) == ["3", "0", "-2", "120", "0"]  # no `-0`


def test_numbers_out_of_reach_are_seen():
    assert can_write(np.array([0.0, 1.0, -1e280]))
    assert not can_write(np.array([1e-300]))
    assert not can_write(np.array([1e300]))


@pytest.mark.parametrize("value", [0.1, -1234.5678, 2.0 / 3.0, 6.02214076e23, 1e-7])
def test_the_same_kernel_runs_in_cpython(value):
    out, digits = np.zeros(8, dtype=np.int64), np.zeros(32, dtype=np.int64)
    count = number_text.put_number(out, 0, value, 0, digits, powers_of_ten())

    assert out.view(np.uint8)[:count].tobytes().decode() == repr(value)


def test_large_and_small_tables_are_written_alike(tmp_path):
    """Both ways of writing give the same text for the same rows."""
    count = MANY // 4 + 1
    time = np.linspace(0.0, 1.0, count)
    data = np.array([time, np.sin(time), np.floor(4 * time)])
    columns = [
        Column("x", 1),
        Column("y", 1, sign=-1.0),
        Column("n", 2, kind="discrete", type="Integer"),
        Column("p", offset=0.1, kind="parameter"),
        Column("on", offset=1.0, kind="parameter", type="Boolean"),
    ]
    whole = Result("M", data, columns)
    whole.to_csv(tmp_path / "large.csv")
    whole.until(50).to_csv(tmp_path / "small.csv")
    lines = (tmp_path / "large.csv").read_text().splitlines()

    assert lines[:51] == (tmp_path / "small.csv").read_text().splitlines()
    assert len(lines) == count + 1
