"""Names that may have been meant."""

from __future__ import annotations

import pytest

from freewheel.base.near import did_you_mean, did_you_mean_or_list


@pytest.mark.parametrize(
    ("name", "known", "text"),
    [
        ("r", ["R", "T"], "did you mean `R`?"),
        ("q", ["R", "T"], ""),
        ("speeed", ["speed", "time"], "did you mean `speed`?"),
        ("ab", ["abc", "abd"], "did you mean `abd` or `abc`?"),
    ],
)
def test_the_same_letters_first_then_what_is_alike(name, known, text):
    assert did_you_mean(name, known) == text


@pytest.mark.parametrize(
    ("name", "known", "text"),
    [
        ("u3", ["u2", "level"], "did you mean `u2`?"),
        ("q", ["R", "T"], "the inputs are `R`, `T`"),
        ("q", [], "there are no inputs"),
        (
            "q",
            [f"x{k}" for k in range(20)],
            "there are 20 inputs, among them `x0`, `x1`, `x2`, `x3`, `x4`, `x5`",
        ),
    ],
)
def test_what_there_is_where_nothing_is_alike(name, known, text):
    assert did_you_mean_or_list(name, known, "inputs") == text
