"""Messages name what the modeller wrote, never a hidden quantity."""

from __future__ import annotations

import pytest

from freewheel.api import load_text
from freewheel.base.diagnostics import FreewheelError
from freewheel.structure.diagnosis.hidden_quantities import in_words

TEXTS = {"$status[1]": "time > 0.3", "$held[1]": "integer(3*time)", "$when[1]": "$status[1] > 0"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("y = 1", "y = 1"),
        ("b = $status[1] <= 0", "b = time <= 0.3"),
        ("n = $held[1] + 1", "n = integer(3*time) + 1"),
        (
            "if not $initial and ($when[1] and not pre($when[1])) then 1 else 2",
            "if edge(time > 0.3) then 1 else 2",
        ),
        ("if $initial then 1 else 2", "if initial() then 1 else 2"),
        ("$unknown[1]", "$unknown[1]"),
    ],
)
def test_hidden_names_become_words(text, expected):
    assert in_words(text, TEXTS) == expected


WRONG = {
    "a when-clause and an equation": (
        "Real y;",
        "when time > 0.3 then y = 1; end when; y = 2;",
        "E002",
        "`when time > 0.3 then y = 1`",
    ),
    "a vector of conditions": (
        "discrete Real y; Boolean b = time > 0.5;",
        "when {time > 0.3, y > 3} then y = pre(y) + 1; b = true; end when;",
        "E002",
        "`b = time > 0.5`, `when time > 0.3 or y > 3 then b = true`",
    ),
    "elsewhen": (
        "Integer n = 1;",
        "when time > 0.3 then n = 2; elsewhen time > 0.4 then n = 3; end when;",
        "E002",
        "`when time > 0.3 then n = 2 elsewhen time > 0.4 then n = 3`",
    ),
    "integer parts": (
        "Integer n;",
        "when sample(0, 0.1) then n = pre(n) + 1; end when; n = integer(2*time) + integer(3*time);",
        "E002",
        "`n = integer(2*time) + integer(3*time)`",
    ),
    "integer parts in a circle": (
        "Real x, y;",
        "x = integer(y) + 1; y = floor(x);",
        "R006",
        "the discrete equations do not settle",
    ),
    "a division": (
        "Real y;",
        "y = 1/(3 - integer(10*time));",
        "R122",
        "integer(10*time) = 3",
    ),
}


@pytest.mark.parametrize("case", WRONG)
def test_a_message_has_no_hidden_names(case):
    declarations, equations, code, words = WRONG[case]
    with pytest.raises(FreewheelError) as caught:
        load_text(f"model M\n  {declarations}\nequation\n  {equations}\nend M;\n").simulate()

    told = caught.value.diagnostics[0]
    texts = [told.message, told.help, *(label.text for label in told.labels)]
    assert told.code == code
    assert words in told.message
    assert not any("$" in text or "slot" in text for text in texts)


def test_an_assertion_tells_the_time():
    text = 'model M\n  Real x = time;\nequation\n  assert(x < 1, "too far");\nend M;\n'
    with pytest.raises(FreewheelError) as caught:
        load_text(text).simulate(stop=2)

    told = caught.value.diagnostics[0]
    assert told.code == "R120"
    assert told.message == "at time 2: assertion failed: too far"
