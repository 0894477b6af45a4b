"""Large texts are cut window by window: the same tokens, and no step that takes long."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.quickest import quickest

import freewheel
from freewheel.base.diagnostics import CompileError
from freewheel.base.source import Source
from freewheel.syntax import lexer
from freewheel.syntax.lexer import Tokens, lex

LIBRARY = sorted((Path(freewheel.__file__).parent / "library").rglob("*.mo"))
AWKWARD = """model 'my model' "a text with \\" and // in it"
  Real a.b, 'q r' = 1.5e-3; /* a comment; "x" */ // another
  annotation (Icon(graphics = {Text(extent = {{-1, -1}, {1, 1}}, textString = "%name; )")}));
  annotation(deep((((((((((((((((1)))))))))))))))));
equation a.b <= 'q r' and.x; § §; x = ´; "open
"""


def cut(text: str, window: int, monkeypatch: pytest.MonkeyPatch) -> Tokens:
    monkeypatch.setattr(lexer, "WINDOW", window)
    return lex(Source.from_text(text))


@pytest.mark.parametrize("window", [1, 2, 7, 40, 300, 5000])
def test_windows_make_no_difference(window: int, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [AWKWARD, 3 * AWKWARD] + [path.read_text() for path in LIBRARY[:: 1 + 300 // window]]
    for text in texts:
        whole = cut(text, 1 << 40, monkeypatch)
        assert cut(text, window, monkeypatch) == whole


TOO_LONG = {
    "string": 'model M parameter String s = "{}"; end M;',
    "comment": "model M /* {} */ end M;",
    "line": "model M // {}",
    "name": "model M Real {}; end M;",
    "number": "model M Real x = {}; end M;",
    "blanks": "model M{} end M;",
}


@pytest.mark.parametrize("kind", TOO_LONG)
def test_what_is_too_long_is_refused(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    letter = {"blanks": " ", "number": "1"}.get(kind, "x")
    text = TOO_LONG[kind].format(letter * 100_000)
    monkeypatch.setattr(lexer, "LONGEST", 1 << 14)
    with pytest.raises(CompileError) as caught:
        cut(text, 1 << 10, monkeypatch)
    assert caught.value.diagnostics[0].code == "S017"
    assert "characters and more without an end" in caught.value.diagnostics[0].message
    assert "a file of their own" in caught.value.diagnostics[0].help
    monkeypatch.setattr(lexer, "LONGEST", 1 << 20)
    assert len(cut(text, 1 << 10, monkeypatch).texts) >= 3


@pytest.mark.parametrize("end", ["", "§", "'"])
def test_blanks_are_passed_once(end: str) -> None:
    """Quadratic time would be some seconds."""
    source = Source.from_text("model M end M;" + 100_000 * " " + end)
    assert quickest(lambda: lex(source)) < 1.0
