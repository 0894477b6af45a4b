"""Conditions that join several relations on one variable, `s <= m and s >= -m`, are corners of one curve."""

from __future__ import annotations

import pytest

import freewheel as fw
from freewheel.structure.analyse import scalar_model
from freewheel.structure.blocks.incidence import expr_text
from freewheel.structure.switching.rewriting.joined_relations import with_single_relations

CLUTCH = """
model Clutch
  parameter Real mu = 50;
  Real w1(start={start}, fixed=true), w2(start=0, fixed=true), wr = w1 - w2, t, s;
  {declared}
equation
  0.2*der(w1) = 10 - t;
  10*der(w2) = t - 5;
  {curve}
end Clutch;
"""
BY_NAME = (
    "wr = if f then s - mu elseif b then s + mu else 0; t = if f then mu elseif b then -mu else s;"
)
STUCK = (
    "wr = if st then 0 elseif s > 0 then s - mu else s + mu;"
    " t = if st then s elseif s > 0 then mu else -mu;"
)
MODE = (
    "wr = if m == 1 then s - mu elseif m == -1 then s + mu else 0;"
    " t = if m == 1 then mu elseif m == -1 then -mu else s;"
)
NUMBER = "wr = m^2*(s - m*mu); t = m*mu + (1 - m^2)*s;"
THREE = "Integer m = if s > mu then 1 elseif s < -mu then -1 else 0;"
FORMS = {
    "one after the other": ("Boolean f = s > mu, b = not f and s < -mu;", BY_NAME),
    "stuck by and": ("Boolean st = s <= mu and s >= -mu;", STUCK),
    "stuck by not": ("Boolean st = not (s > mu or s < -mu);", STUCK),
    "abs": ("Boolean st = abs(s) <= mu;", STUCK),
    "turned abs": ("Boolean st = not mu < abs(s);", STUCK),
    "sign": (
        "",
        "wr = if abs(s) <= mu then 0 else s - sign(s)*mu;"
        " t = if abs(s) <= mu then s else sign(s)*mu;",
    ),
    "sign in a loop": ("", "t = if abs(s) <= mu then s else sign(s)*mu; wr = s - t;"),
    "number asked": (THREE, MODE),
    "number by name": (f"{THREE} Boolean f = m == 1, b = m == -1;", BY_NAME),
    "number as factor": (THREE, NUMBER),
    "number of Booleans": (
        "Boolean f = s > mu, b = s < -mu; Integer m = if f then 1 elseif b then -1 else 0;",
        NUMBER,
    ),
    "sum of numbers": (
        "Integer m = (if s > mu then 1 else 0) - (if s < -mu then 1 else 0);",
        NUMBER,
    ),
    "enumeration": (
        "type M = enumeration(b, st, f); M k = if s > mu then M.f elseif s < -mu then M.b else M.st;"
        " Integer m = Integer(k) - 2;",
        NUMBER,
    ),
    "tables": (
        "Integer m = if s > mu then 3 elseif s < -mu then 2 else 1;"
        " constant Real A[3] = {0, 1, 1}, B[3] = {0, -1, 1};",
        "wr = A[m]*s - B[m]*mu; t = B[m]*mu + (1 - A[m])*s;",
    ),
}


def loaded(declared: str, curve: str, folder, start: float = 36):
    path = folder / "M.mo"
    path.write_text(CLUTCH.format(declared=declared, curve=curve, start=start))
    return fw.load(path)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("start", [36, -20])
def test_a_sliding_clutch_slides_on_however_its_pieces_are_told(start, form, tmp_path):
    result = loaded(*FORMS[form], tmp_path, start).simulate(stop=6, tol=1e-9)

    sign = 1 if start > 0 else -1
    slopes = (10 - sign * 50) / 0.2, (sign * 50 - 5) / 10
    meet = start / (slopes[1] - slopes[0])
    assert not result.impulses
    assert [event.time for event in result.events] == [pytest.approx(meet, rel=1e-9)]
    assert result.final("w1") == pytest.approx(slopes[1] * meet + (6 - meet) / 2.04, rel=1e-9)


def rewritten(declared: str, curve: str, folder) -> str | None:
    model = loaded(declared, curve, folder)
    single = with_single_relations(scalar_model(model.upto("flat").flat))
    return None if single is None else expr_text(single.equations[-1].right)


def test_each_relation_is_asked_once(tmp_path):
    declared, curve = "Boolean st = s <= mu and s >= -mu;", "wr = 0; t = if st then s else 2*s;"
    nested = "if s <= mu then if s >= -mu then s else 2*s else 2*s"
    assert rewritten(declared, curve, tmp_path) == nested

    declared = "Boolean f = s > mu, b = not f and s < -mu;"
    curve = "wr = 0; t = if s > mu then 1 elseif b then 2 else 3;"
    assert rewritten(declared, curve, tmp_path) == "if s > mu then 1 elseif s < -mu then 2 else 3"


@pytest.mark.parametrize(
    ("declared", "condition"),
    [
        ("", "s > mu"),
        ("", "s > mu and w1 < 0"),
        ("", "time > 1 and time < 2"),
        ("Boolean fire = time > 1;", "s < 0 and not fire"),
        ("Boolean b(start=true); ", "s < 0 or pre(b) and s < 1"),
    ],
)
def test_other_conditions_stay(declared, condition, tmp_path):
    own = "b = time < 1;" if "Boolean b" in declared else ""
    curve = f"{own} wr = 0; t = if {condition} then s else 2*s;"
    assert rewritten(declared, curve, tmp_path) is None
