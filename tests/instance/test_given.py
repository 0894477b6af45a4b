"""Values given from outside to parts of arrays and records, also where they decide sizes and branches."""

from __future__ import annotations

import pytest

LADDER = """
record Data Integer n = 1; Real k[2] = {1, 2}; end Data;
model Cell parameter Integer n = 0; Real x[n] = fill(time, n); Real s(start = 1); end Cell;
model M
  parameter Integer m[3] = {0, 1, 2};
  parameter Boolean on[2] = fill(false, 2);
  parameter Real A[2, 2] = {{1, 2}, {3, 4}};
  parameter Data d = Data(n = 2, k = {5, 6});
  parameter Data e[2] = {Data(n = 1), Data(n = 2)};
  Cell c[3](n = m);
  Cell p[d.n](each n = 1);
  Real y[m[3]] = fill(time, m[3]);
  Real z[e[2].n] = fill(time, e[2].n);
  Real w;
equation
  if on[1] then w = 1; else w = 2; end if;
end M;
"""


def sizes(printed, name):
    return next(v.dims for v in printed.model.variables if ".".join(map(str, v.name)) == name)


@pytest.mark.parametrize(
    ("given", "name", "expected"),
    [
        ({"m[3]": "4"}, "y", (4,)),
        ({"m[1]": "1"}, "c.1.x", (1,)),
        ({"c[2].n": "5"}, "c.2.x", (5,)),
        ({"c[2].n": "5", "c[1].n": "3"}, "c.1.x", (3,)),
        ({"c[2].n": "5"}, "c.3.x", (2,)),
        ({"m[3]": "4", "c[3].n": "0"}, "y", (4,)),
        ({"e[2].n": "3"}, "z", (3,)),
    ],
)
def test_an_element_that_decides_a_size(flat, given, name, expected):
    assert sizes(flat(LADDER, changes=given), name) == expected


def test_a_field_that_decides_a_size_comes_before_the_value_of_its_record(flat):
    printed = flat(LADDER, changes={"d.n": "3"})

    assert "p[3].x" in printed.names
    assert printed.value("d.k") == "{5, 6}"


def test_an_element_that_decides_a_branch(flat):
    assert "w = 1" in flat(LADDER, changes={"on[1]": "true"}).equations
    assert "w = 2" in flat(LADDER, changes={"on[2]": "true"}).equations


def test_an_element_of_a_matrix_and_an_attribute_behind_an_array(flat):
    printed = flat(LADDER, changes={"A[1, 2]": "7.5", "c[2].s.start": "3"})

    assert printed.value("A") == "{{1, 7.5}, {3, 4}}"
    starts = [v.attributes.start for v in printed.model.variables if v.name[-1] == "s"]
    assert [str(start.data) for start in starts[:3]] == ["1", "3", "1"]


@pytest.mark.parametrize("name", ["m[4]", "c[4].n", "q[1]", "m[1, 1]"])
def test_an_element_that_is_not_there(refused, name):
    assert refused(LADDER, changes={name: "1"}).code == "N010"


@pytest.mark.parametrize("value", ["true", "1.5"])
def test_an_element_of_another_type(refused, value):
    assert refused(LADDER, changes={"m[1]": value}).code == "N041"


def test_an_element_of_an_array_without_a_value(refused):
    text = "model M parameter Real k[2]; Real x = k[1]*time; end M;"

    assert refused(text, changes={"k[1]": "3"}).code == "N033"
