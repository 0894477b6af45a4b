"""Characters to tokens.

In: text. Out: `Tokens`, four parallel lists (text, kind, start, end of each token), the comments,
and what was wrong. `lex("a = 1;").texts` begins `["a", "=", "1", ";", ""]`; the empty text at the
end stands for the end of the file.

Speed decides the shape: one `re.split` with a capturing group cuts the whole file at C speed, and
offsets, kinds and comments come from list operations, so no Python statement runs per token.
"""

from __future__ import annotations

import re
from itertools import accumulate, compress
from sys import intern
from typing import NamedTuple

from freewheel.base.diagnostics import Diagnostic, Label
from freewheel.base.source import Source, Span
from freewheel.syntax.nodes import Comment

IDENT, NUMBER, STRING, KEYWORD, SYMBOL, ANNOTATION, END_OF_FILE, COMMENT = range(8)

# `time` is a keyword only by name: it is looked up like any variable.
KEYWORDS = frozenset((
    "algorithm", "and", "annotation", "block", "break", "class", "connect", "connector",
    "constant", "constrainedby", "der", "discrete", "each", "else", "elseif", "elsewhen",
    "encapsulated", "end", "enumeration", "equation", "expandable", "extends", "external",
    "false", "final", "flow", "for", "function", "if", "import", "impure", "in", "initial",
    "inner", "input", "loop", "model", "not", "operator", "or", "outer", "output",
    "package", "parameter", "partial", "protected", "public", "pure", "record", "redeclare",
    "replaceable", "return", "stream", "then", "true", "type", "when", "while", "within",
))  # fmt: skip

# Possessive repetition (`*+`) keeps every alternative linear in the length of the text. A string or
# comment that is never closed runs to the end of the file, where `_is_open` finds it.
_STRING = r'"[^"\\]*+(?:\\.[^"\\]*+)*+(?:"|\\?\Z)'
_COMMENT = r"//[^\n]*+|/\*.*?(?:\*/|\Z)"
_QUOTED = r"'[^'\\\n]*+(?:\\[^\n][^'\\\n]*+)*+'"
_TOKEN = (
    rf"[A-Za-z_][A-Za-z_0-9]*+|{_STRING}|{_COMMENT}"
    r"|[0-9]++(?:\.[0-9]*+)?(?:[eE][+-]?[0-9]++)?|\.[0-9]++(?:[eE][+-]?[0-9]++)?"
    rf"|[<>=:]=|<>|\.[*+\-/^]|[-+*/^()\[\]{{}},;:=<>.]|{_QUOTED}"
)

# A whole annotation as one token: brackets up to this depth, none in the libraries we know is
# deeper. Anything else is lexed and parsed like all other text.
_ANNOTATION_DEPTH = 14


def _annotation_pattern() -> str:
    plain = r"[^()\"'/]++"
    inside = rf"(?:{plain})?+"
    for _ in range(_ANNOTATION_DEPTH):
        inside = rf"(?:{plain}|{_STRING}|{_COMMENT}|/|{_QUOTED}|\({inside}\))*+"
    return rf"annotation\s*+\({inside}\)"


_CUT = re.compile(f"({_annotation_pattern()}|{_TOKEN})", re.DOTALL)
_BLANK = " \t\r\n\f\v\ufeff\u00a0"
_IS_CODE = [True, True, True, True, True, True, True, False].__getitem__


class _KindOf(dict[str, int]):
    """The kind of a token by its text, remembered; long texts are not kept."""

    def __missing__(self, text: str) -> int:
        first = text[0]
        if first == '"':
            return STRING
        if first == "/" and text[1:2] in ("/", "*") and len(text) > 1:
            return COMMENT
        if first.isalpha() or first == "_":
            if text[-1] == ")":
                return ANNOTATION
            kind = KEYWORD if text in KEYWORDS else IDENT
        elif first == "'":
            kind = IDENT
        else:
            kind = NUMBER if first.isdigit() or text[1:2].isdigit() else SYMBOL
        if len(self) > 200_000:
            self.clear()
        self[text] = kind
        return kind


_kind_of = _KindOf().__getitem__


class Tokens(NamedTuple):
    """Parallel lists, each with three end-of-file entries so that looking ahead is safe."""

    texts: list[str]
    kinds: list[int]
    starts: list[int]
    ends: list[int]
    comments: tuple[Comment, ...]
    problems: tuple[Diagnostic, ...]
    cut_short: bool  # something was never closed: tokens after it are missing


def lex(source: Source, start: int = 0, end: int = -1) -> Tokens:
    """Cut the text between `start` and `end` into tokens."""
    end = len(source.text) if end < 0 else end
    text = source.text if (start, end) == (0, len(source.text)) else source.text[start:end]
    parts = _CUT.split(text)
    edges = list(accumulate(map(len, parts), initial=start))
    texts = list(map(intern, parts[1::2]))
    kinds = list(map(_kind_of, texts))
    starts = edges[1:-1:2]
    ends = edges[2::2]
    problems: list[Diagnostic] = []
    if "".join(parts[0::2]).strip(_BLANK):
        problems.extend(_stray_characters(source, parts, edges))
    cut_short = bool(texts) and _is_open(texts[-1])
    if cut_short:
        problems.append(_never_closed(source, texts[-1], starts[-1]))
        del texts[-1], kinds[-1], starts[-1], ends[-1]
    comments: tuple[Comment, ...] = ()
    if COMMENT in kinds:
        keep = list(map(_IS_CODE, kinds))
        comments = tuple(
            Comment(starts[i], ends[i], texts[i].rstrip())
            for i, code in enumerate(keep)
            if not code
        )
        texts, kinds = list(compress(texts, keep)), list(compress(kinds, keep))
        starts, ends = list(compress(starts, keep)), list(compress(ends, keep))
    at = -1
    for _ in range(kinds.count(ANNOTATION)):
        at = kinds.index(ANNOTATION, at + 1)
        texts[at] = "annotation"
    texts += ["", "", ""]
    kinds += [END_OF_FILE] * 3
    starts += [end] * 3
    ends += [end] * 3
    return Tokens(texts, kinds, starts, ends, comments, tuple(problems), cut_short)


def _is_open(text: str) -> bool:
    """Whether the last token of a file is a string or comment that was never closed."""
    if text[0] == '"':
        return re.fullmatch(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"', text, re.DOTALL) is None
    return text.startswith("/*") and (len(text) < 4 or not text.endswith("*/"))


def _never_closed(source: Source, text: str, start: int) -> Diagnostic:
    is_string = text[0] == '"'
    what, mark = ("string", '"') if is_string else ("comment", "*/")
    return Diagnostic(
        "S002" if is_string else "S003",
        f"this {what} is never closed",
        (Label(Span(source, start, start + (1 if is_string else 2)), "it begins here"),),
        help=f"end it with `{mark}`"
        + ('; a quote inside a string is written `\\"`' if is_string else ""),
    )


_MOST_STRAY = 10


def _stray_characters(source: Source, parts: list[str], edges: list[int]) -> list[Diagnostic]:
    """One diagnostic for each gap between tokens that holds more than blanks."""
    found = []
    for i in range(0, len(parts), 2):
        rest = parts[i].strip(_BLANK)
        if not rest:
            continue
        start = edges[i] + parts[i].index(rest[0])
        found.append(_stray(source, rest[0], start))
        if len(found) == _MOST_STRAY:
            break
    return found


_CURES = {
    "!": "use `not` for negation and `<>` for `not equal`",
    "&": "use `and`, or `+` to join strings",
    "|": "use `or`",
    "%": "use `mod(a, b)`, and `//` for comments",
    "#": "use `//` for comments",
    "\\": "a backslash belongs inside a string or a quoted identifier",
    "'": "close the quoted identifier on the same line, as in `'my name'`",
}


def _stray(source: Source, character: str, start: int) -> Diagnostic:
    shown = f"`{character}`" if character.isprintable() else f"U+{ord(character):04X}"
    message = f"the character {shown} does not belong to the language"
    cure = _CURES.get(character, "remove it")
    if character == "'":
        message = "this quoted identifier is never closed"
    elif character.isalpha():
        cure = "identifiers use the letters a to z and A to Z, digits and `_`"
    return Diagnostic("S001", message, (Label(Span(source, start, start + 1)),), help=cure)
