"""How a finding is shown."""

from __future__ import annotations

from freewheel.base.diagnostics import Diagnostic, Label, counted, to_text
from freewheel.base.source import Source, Span

TEXT = Source.from_text("model M\n  Diode d[3];\nend M;\n", "m.mo")
HERE = Span(TEXT, 16, 17)
THERE = Span(TEXT, 6, 7)


def shown(*labels: Label) -> str:
    return to_text(Diagnostic("E112", "something", labels))


def test_a_place_is_shown_once_with_each_text() -> None:
    text = shown(Label(HERE, "changes"), Label(THERE, "holds it"), Label(HERE, "changes"))
    assert text.count("^ changes") == 1
    assert text.count("m.mo:2:9") == 1
    assert text.index("changes") < text.index("holds it")
    assert shown(Label(HERE, "one"), Label(HERE, "other")).count("m.mo:2:9") == 2


def test_a_place_without_words_is_left_out_beside_the_same_with_some() -> None:
    assert shown(Label(HERE), Label(HERE, "in V")).count("m.mo:2:9") == 1
    assert shown(Label(HERE), Label(THERE, "in V")).count("-->") == 2


def test_one_thing_is_not_several() -> None:
    assert [counted(n, "equation") for n in (0, 1, 2)] == [
        "0 equations",
        "1 equation",
        "2 equations",
    ]
