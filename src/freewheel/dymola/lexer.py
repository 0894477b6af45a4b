r"""Characters of a `.dym` file to tokens.

    lex(Source.from_text("u = Va - Vb {Ohm}"))      words u, Va, Vb and the signs between them

Comments stand in braces. A token knows whether it is the first of its line: the language has no
semicolons, so where an equation could go on or end, the line decides.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from freewheel.base.diagnostics import CompileError, Diagnostic, Label
from freewheel.base.source import Source, Span

WORD, NUMBER, SYMBOL, END_OF_FILE = "word", "number", "symbol", "end of file"

KEYWORDS = frozenset((
    "model", "end", "cut", "main", "path", "local", "terminal", "parameter", "constant", "submodel",
    "node", "input", "output", "connect", "init", "function", "if", "then", "else", "elseif", "when",
    "endwhen", "and", "or", "not",
))  # fmt: skip

TIME = "Time"  # what time is called

# Names that are taken in Modelica, here those of variables like others.
MEANT_OTHERWISE = {"time": "'time'"}

_TOKEN = re.compile(
    r"(?P<blank>[ \t\r\f\v\u00a0]+)"
    r"|(?P<line>\n)"
    r"|(?P<comment>\{[^}]*\}?)"
    r"|(?P<word>[A-Za-z_][A-Za-z_0-9]*)"
    r"|(?P<number>[0-9]+(?:\.(?!\.)[0-9]*)?(?:[eE][+-]?[0-9]+)?|\.[0-9]+(?:[eE][+-]?[0-9]+)?)"
    r"|(?P<symbol>\*\*|//|<=|>=|<>|==|[-+*/^\\()\[\]<>,;=.@])"
)
_TAIL = re.compile(r"[A-Za-z_0-9.]+")  # where it follows a number without a blank
_MOST_STRAY = 10
_CURES = {
    "!": "comments stand in braces: `{like this}`",
    "%": "comments stand in braces: `{like this}`",
    "#": "comments stand in braces: `{like this}`",
    '"': "comments stand in braces: `{like this}`; there are no strings",
    "}": "there is no `{` before it that begins a comment",
    "&": "write `and`",
    "|": "write `or`, and `//` for a parallel connection",
    ":": "an equation has `=`",
}


class Token(NamedTuple):
    """A piece of text that the grammar knows."""

    text: str
    kind: str
    start: int
    end: int
    is_first: bool  # of its line


def lex(source: Source) -> list[Token]:
    """All tokens and an end of file; stray characters and open comments are errors."""
    tokens: list[Token] = []
    problems: list[Diagnostic] = []
    text = source.text
    at, is_first = 0, True
    while at < len(text):
        found = _TOKEN.match(text, at)
        if found is None:
            problems.append(_stray(source, at))
            at += 1
            continue
        kind, piece = str(found.lastgroup), found[0]
        if kind == "number" and (rest := _TAIL.match(text, found.end())):
            problems.append(_no_number(source, at, rest.end()))
            at = rest.end()
            continue
        at = found.end()
        if kind == "line":
            is_first = True
        elif kind == "comment":
            if not piece.endswith("}"):
                problems.append(_open_comment(source, found.start()))
            is_first = is_first or "\n" in piece
        elif kind != "blank":
            piece = MEANT_OTHERWISE.get(piece, piece)
            tokens.append(Token(piece, kind, found.start(), at, is_first))
            is_first = False
    if problems:
        raise CompileError(*problems[:_MOST_STRAY])
    tokens.append(Token("", END_OF_FILE, len(text), len(text), True))
    return tokens


def _stray(source: Source, at: int) -> Diagnostic:
    character = source.text[at]
    shown = f"`{character}`" if character.isprintable() else f"U+{ord(character):04X}"
    return Diagnostic(
        "S001",
        f"the character {shown} does not belong to the language",
        (Label(Span(source, at, at + 1)),),
        help=_CURES.get(character, "remove it"),
    )


def _no_number(source: Source, start: int, end: int) -> Diagnostic:
    return Diagnostic(
        "S004",
        f"`{source.text[start:end]}` is no number",
        (Label(Span(source, start, end)),),
        help="numbers are written like 15, 1.5, .15 or 1.5E-3; names do not begin with a digit",
    )


def _open_comment(source: Source, at: int) -> Diagnostic:
    return Diagnostic(
        "S003",
        "this comment is never closed",
        (Label(Span(source, at, at + 1), "it begins here"),),
        help="end it with `}`",
    )
