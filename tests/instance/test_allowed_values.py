"""What stays allowed beside the rules about records, equality and `pre`."""

from __future__ import annotations

import pytest

from freewheel.api import load_text

RECORD = "record R Real a = 5; Real b = 6; end R; record Q R r; Real c = 1; end Q;"
PART = "model Part parameter R r(a = 20); Real x = r.a; end Part;"
RECORDS = {
    "a value for the whole replaces modified fields": (
        f"{PART} model M Part p(r = R(1, 2)); end M;",
        "p.x",
        1,
    ),
    "fields without a value for the whole": ("model M parameter R r(a = 20); end M;", "r.a", 20),
    "attributes of fields": ("model M parameter R r(a(min = 0)) = R(1, 2); end M;", "r.a", 1),
    "attributes of fields of fields": (
        "model M parameter Q q(r(a(min = 0))) = Q(R(3, 2), 1); end M;",
        "q.r.a",
        3,
    ),
    "defaults of the class": (
        "record D = R(a = 7); model M parameter D r = D(b = 1); end M;",
        "r.a",
        7,
    ),
    "fields of an extended record": (
        "record E extends R(a = 8); end E; model M parameter E r = E(1, 2); end M;",
        "r.a",
        1,
    ),
    "a record inside of another": ("model M parameter Q q(r = R(3, 4)); end M;", "q.r.b", 4),
}


@pytest.mark.parametrize("case", RECORDS)
def test_records_that_have_one_value(case):
    text, name, value = RECORDS[case]

    assert load_text(f"{RECORD} {text}", model="M").simulate()[name][-1] == value


def test_a_field_given_for_a_run_replaces_the_one_of_the_record():
    model = load_text(f"{RECORD} model M parameter R r = R(1, 2); end M;", model="M")

    assert model.simulate(params={"r.a": 4})["r.a"][-1] == 4


def test_functions_compare_reals():
    text = """function same input Real a; input Real b; output Boolean y; algorithm y := a == b; end same;
model M Boolean y = same(time, 0) or 2 == 2; end M;"""

    assert load_text(text).simulate()["y"][0] == 1


def test_the_largest_integer():
    assert load_text("model M Integer k = 9007199254740992; end M;").simulate()["k"][-1] == 2.0**53


def test_pre_of_a_state_in_when_clauses_and_at_the_start():
    text = """model M
  Real x(start = 1, fixed = true);
  discrete Real y(start = 0, fixed = true);
  Real z = pre(y);
  discrete Real w;
equation
  der(x) = -1;
  when x < 0.5 then
    y = pre(x);
    reinit(x, 2*pre(x));
  end when;
algorithm
  when x < 0.7 then
    w := pre(x);
  end when;
end M;"""
    result = load_text(text).simulate(stop=0.6)

    assert result["y"][-1] == pytest.approx(0.5)
    assert result["w"][-1] == pytest.approx(0.7)
    assert result["z"][-1] == pytest.approx(0.5)
