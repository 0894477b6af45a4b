"""Characters to tokens.

In: text. Out: `Tokens`, four parallel lists (text, kind, start, end of each token), the comments,
and what was wrong. `lex(Source.from_text("a.b = 1;")).texts` begins `["a.b", "=", "1", ";", ""]`;
the empty text at the end stands for the end of the file. A dotted name without blanks is one token.

Speed decides the shape: one `findall` cuts the whole file at C speed, each piece being a token with
the blanks before it, and a dictionary that remembers pieces tells text and kind. No Python
statement runs per token. A large file is cut window by window: nothing can interrupt one `findall`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import accumulate, compress, islice
from operator import sub
from string import ascii_letters, digits
from sys import intern
from typing import Any, NamedTuple

from freewheel.base.diagnostics import CompileError, Diagnostic, Label
from freewheel.base.keywords import KEYWORDS
from freewheel.base.source import Source, Span
from freewheel.syntax.text_nodes import Comment

IDENT, DOTTED, NUMBER, STRING, KEYWORD, SYMBOL, ANNOTATION, END_OF_FILE, COMMENT = range(9)

# Possessive repetition (`*+`) keeps every alternative linear in the length of the text. A string or
# comment that is never closed runs to the end of the file, where `_is_open` finds it.
_WORD = r"[A-Za-z_][A-Za-z_0-9]*+"
_STRING = r'"[^"\\]*+(?:\\.[^"\\]*+)*+(?:"|\\?\Z)'
_COMMENT = r"//[^\n]*+|/\*.*?(?:\*/|\Z)"
# Control characters belong to no name: it goes to terminals, headers of files, comments of programs.
# Separators of lines stand by themselves: a set with characters beyond U+00FF takes `re` longer to compile
# than all the rest, and this one occurs 45 times.
_CONTROL = r"\x00-\x1f\x7f-\x9f"
_LINE = r"(?!\u2028)(?!\u2029)"
_QUOTED = rf"'(?:{_LINE}[^'\\{_CONTROL}]|\\{_LINE}[^{_CONTROL}])*+'"
_SIMPLE = r"[-+*^()\[\]{},;]"  # begins no longer token, so it can be tried first
_REST = (
    rf"{_STRING}|[0-9][0-9]*+(?:\.[0-9]*+)?(?:[eE][+-]?[0-9]++)?"
    rf"|\.[0-9]++(?:[eE][+-]?[0-9]++)?|{_COMMENT}"
    rf"|[<>=:]=|<>|\.[*+\-/^]|[/:=<>.]|{_QUOTED}"
)
_BLANK = " \t\r\n\f\v\u00a0"

# A whole annotation as one token: brackets up to this depth, none in the libraries we know is
# deeper. Anything else is lexed and parsed like all other text.
_ANNOTATION_DEPTH = 14


def _annotation_pattern() -> str:
    plain = r"[^()\"'/]++"
    inside = rf"(?:{plain})?+"
    for _ in range(_ANNOTATION_DEPTH):
        inside = rf"(?:{plain}|{_STRING}|{_COMMENT}|/|{_QUOTED}|\({inside}\))*+"
    return rf"annotation\s*+\({inside}\)"


@cache  # compiled when a text must be read: where trees come from the cache, none is
def _piece() -> re.Pattern[str]:
    word = rf"{_WORD}(?:\.{_WORD})*+"
    return re.compile(
        rf"[{_BLANK}]*+(?:{_SIMPLE}|{_annotation_pattern()}|{word}|{_REST}|.)", re.DOTALL
    )


@cache
def _single_piece() -> re.Pattern[str]:
    """For texts where a keyword touches a dot, as in `and.A.b`: every word by itself."""
    return re.compile(
        rf"[{_BLANK}]*+(?:{_SIMPLE}|{_annotation_pattern()}|{_WORD}|{_REST}|.)", re.DOTALL
    )


_GLUED = 9  # the kind of a dotted name that contains a keyword,
_STRAY = 10  # and of a character that belongs to no token; blanks are never tried again for it
_SINGLE = frozenset(ascii_letters + digits + "_-+*^()[]{},;/:=<>.")


class _Pieces(dict[str, tuple[str, int]]):
    """Text and kind of a piece, remembered; strings, comments and annotations are not kept."""

    def __missing__(self, piece: str) -> tuple[str, int]:
        text = piece.lstrip(_BLANK)
        first = text[0]
        if len(text) == 1 and first not in _SINGLE and first != '"':
            return text, _STRAY
        if first == '"':
            return text, STRING
        if first == "/" and text[1:2] in ("/", "*") and len(text) > 1:
            return text, COMMENT
        if first.isalpha() or first == "_":
            if text[-1] == ")":
                return text, ANNOTATION
            kind = _kind_of_words(text)
        elif first == "'":
            kind = IDENT
        else:
            kind = NUMBER if first.isdigit() or text[1:2].isdigit() else SYMBOL
        if len(self) > 500_000:
            self.clear()
        self[piece] = found = (intern(text), kind)
        return found


def _kind_of_words(text: str) -> int:
    if "." not in text:
        return KEYWORD if text in KEYWORDS else IDENT
    return DOTTED if KEYWORDS.isdisjoint(text.split(".")) else _GLUED


_pieces = _Pieces().__getitem__


class Tokens(NamedTuple):
    """Parallel lists, each with three end-of-file entries so that looking ahead is safe."""

    texts: list[str]  # of an annotation only the word, of a dotted name all of it
    kinds: list[int]
    starts: list[int]
    ends: list[int]
    comments: tuple[Comment, ...]
    problems: tuple[Diagnostic, ...]
    cut_short: bool  # something was never closed: tokens after it are missing


def lex(source: Source, start: int = 0, end: int = -1) -> Tokens:
    """Cut the text between `start` and `end` into tokens."""
    end = len(source.text) if end < 0 else end
    if source.text.startswith("\ufeff", start):  # a byte-order mark
        start += 1
    text = source.text if (start, end) == (0, len(source.text)) else source.text[start:end]
    texts: list[str] = []
    kinds: list[int] = []
    ends = [start]
    for pieces in _windows(source, text, start):
        pairs = list(map(_pieces, pieces))
        texts += [text for text, _ in pairs]
        kinds += [kind for _, kind in pairs]
        ends += islice(accumulate(map(len, pieces), initial=ends[-1]), 1, None)
    problems: list[Diagnostic] = []
    codes = bytes(kinds)
    if _GLUED in codes or _STRAY in codes:
        texts, kinds, ends, problems = _lex_with_care(source, text, start)
    del ends[0]
    starts = list(map(sub, ends, map(len, texts)))
    cut_short = bool(texts) and _is_open(texts[-1])
    if cut_short:
        problems.append(_never_closed(source, texts[-1], starts[-1]))
        del texts[-1], kinds[-1], starts[-1], ends[-1]
    comments: tuple[Comment, ...] = ()
    places = _places(kinds, COMMENT)
    if places:
        comments = tuple([Comment(starts[i], ends[i], texts[i].rstrip()) for i in places])
        for column in (texts, kinds, starts, ends):
            _take_out(column, places)
    for i in _places(kinds, ANNOTATION):
        texts[i] = "annotation"
    texts += ["", "", ""]
    kinds += [END_OF_FILE] * 3
    starts += [end] * 3
    ends += [end] * 3
    return Tokens(texts, kinds, starts, ends, comments, tuple(problems), cut_short)


WINDOW = 1 << 18  # characters that are cut at a time, some milliseconds
LONGEST = 1 << 23  # characters of one token, some hundredths of a second


def _windows(source: Source, text: str, start: int) -> Iterator[list[str]]:
    """The pieces of the text, window by window. The last piece of a window may go on in the next one, and
    so may an annotation of which only parts were found: there the next window begins."""
    cut, last = _piece().findall, len(text.rstrip(_BLANK))
    at, size = 0, WINDOW
    while at + size < last:
        end = text.rfind("\n", at, at + size)  # no name goes beyond it
        end = end if end > at else text.rfind(" ", at, at + size)
        pieces = cut(text, at, at + len(text[at:end].rstrip(_BLANK))) if end > at else []
        first_open = _first_open(pieces)
        if first_open == 0 and size >= LONGEST:  # read it by its parts
            first_open = len(pieces) - 1
        del pieces[first_open:]
        if pieces:
            yield pieces
            at += sum(map(len, pieces))
            size = WINDOW
        elif size >= LONGEST:
            raise CompileError(_too_long(source, start + at))
        else:
            size *= 2
    yield cut(text, at, last)


def _first_open(pieces: list[str]) -> int:
    """The number of the first piece that may go on beyond the window."""
    for i in range(len(pieces) - 1, -1, -1):
        if pieces[i].endswith("annotation") and pieces[i].strip(_BLANK) == "annotation":
            return i
    return len(pieces) - 1


def _too_long(source: Source, start: int) -> Diagnostic:
    return Diagnostic(
        "S017",
        f"the text from here on has {LONGEST:,} characters and more without an end",
        (Label(Span(source, start, start + 1), "here"),),
        help="a string, a comment or a line may not be so long; data belong into a file of their own",
    )


def _places(kinds: list[int], kind: int) -> list[int]:
    """Where a rare kind stands; bytes are searched many times faster than a list."""
    found = []
    codes = bytes(kinds)
    at = codes.find(kind)
    while at >= 0:
        found.append(at)
        at = codes.find(kind, at + 1)
    return found


def _take_out(column: list[Any], places: list[int]) -> None:
    """Remove some entries; one by one is faster as long as they are few."""
    if len(places) < 50:
        for i in reversed(places):
            del column[i]
        return
    keep = [True] * len(column)
    for i in places:
        keep[i] = False
    column[:] = compress(column, keep)


def _lex_with_care(
    source: Source, text: str, start: int
) -> tuple[list[str], list[int], list[int], list[Diagnostic]]:
    """The rare case, token by token: characters that belong to no token, or `and.A.b`."""
    texts: list[str] = []
    kinds: list[int] = []
    ends = [start]
    problems: list[Diagnostic] = []
    stray = -1  # where the last of them ended
    for found in _single_piece().finditer(text, 0, len(text.rstrip(_BLANK))):
        piece_text, kind = _pieces(found[0])
        at = found.end() - 1
        if kind == _STRAY:
            if stray != at and len(problems) < _MOST_STRAY:
                problems.append(_stray(source, piece_text, start + at))
            stray = found.end()
            continue
        texts.append(piece_text)
        kinds.append(kind)
        ends.append(start + found.end())
    return texts, kinds, ends, problems


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

_CURES = {
    "!": "use `not` for negation and `<>` for `not equal`",
    "&": "use `and`, or `+` to join strings",
    "|": "use `or`",
    "%": "use `mod(a, b)`, and `//` for comments",
    "#": "use `//` for comments",
    "~": "use `not` for negation and `<>` for `not equal`",
    "?": "a choice is written `if c then a else b`",
    "\\": "a backslash belongs inside a string or a quoted identifier",
    **dict.fromkeys("“”„«»", 'texts are between plain quotes, `"text"`'),
    **dict.fromkeys("‘’`´", 'texts are between plain quotes, `"text"`'),
    **dict.fromkeys("–—−", "use the plain minus sign `-`"),
    **dict.fromkeys("·×∙", "use `*`"),
    "≤": "use `<=`",
    "≥": "use `>=`",
    "≠": "use `<>`",
    "²": "use `^2`",
    "°": "angles are in radian: multiply degrees by `Modelica.Constants.pi/180`",
    "'": "close the quoted identifier on the same line, as in `'my name'`",
}


def _stray(source: Source, character: str, start: int) -> Diagnostic:
    shown = f"`{character}`" if character.isprintable() else f"U+{ord(character):04X}"
    message = f"the character {shown} does not belong to the language"
    cure = _CURES.get(character, "remove it")
    if character == "'":
        message = "this quoted identifier is never closed"
        is_closed = re.compile(r"'[^'\n]*'").match(source.text, start)
        if is_closed and re.search(rf"[{_CONTROL}\u2028\u2029]", is_closed[0]):
            message, cure = "this quoted identifier holds a control character", "remove that"
        if start and source.text[start - 1].isalnum():
            cure += "; a derivative is written `der(x)`, a transposed matrix `transpose(A)`"
    elif character.isalpha():
        cure = "identifiers use the letters a to z and A to Z, digits and `_`"
    return Diagnostic("S001", message, (Label(Span(source, start, start + 1)),), help=cure)
