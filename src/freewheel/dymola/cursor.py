"""The position of the parser in the tokens of a `.dym` file, and its error messages.

c = Cursor(source); c.word("a name")        the identifier under the cursor, or a GrammarError
"""

from __future__ import annotations

import re

from freewheel.base.diagnostics import Diagnostic, Label
from freewheel.base.source import Source, Span
from freewheel.dymola.lexer import END_OF_FILE, KEYWORDS, NUMBER, WORD, Token, lex
from freewheel.dymola.nodes import Word
from freewheel.syntax.expression_nodes import ComponentRef, RefPart

MAX_NESTING = 100


class GrammarError(Exception):
    """Leaves the rules of one item; caught where the next item can begin."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__(diagnostic.message)
        self.diagnostic = diagnostic


class Cursor:
    """A position in the tokens of one file."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.tokens = lex(source)
        self.at = 0
        self.brackets = 0  # inside of brackets the line does not matter
        self.depth = 0
        self.ends_at_sign = False  # whether `-` at the beginning of a line begins an equation

    @property
    def here(self) -> Token:
        return self.tokens[self.at]

    @property
    def before(self) -> Token:
        return self.tokens[self.at - 1]

    def goes_on(self) -> bool:
        """Whether the token here stands on the line of the one before, or inside of brackets."""
        return self.brackets > 0 or not self.here.is_first

    def take(self) -> Token:
        token = self.here
        self.at += 1
        return token

    def takes(self, text: str) -> bool:
        """Step over the text if it is here."""
        if self.here.text != text:
            return False
        self.at += 1
        return True

    def expect(self, text: str, after: str = "") -> Token:
        if self.here.text != text:
            raise self.expected(f"`{text}`" + (f" after {after}" if after else ""))
        return self.take()

    def open(self, text: str, after: str) -> Token:
        token = self.expect(text, after)
        self.brackets += 1
        return token

    def close(self, text: str, opened: Token) -> None:
        if self.here.text != text:
            place = Label(Span(self.source, opened.start, opened.end), "opened here")
            raise self.expected(f"`{text}` to close `{opened.text}`", place)
        self.brackets -= 1
        self.at += 1

    def is_name(self) -> bool:
        return self.here.kind == WORD and self.here.text not in KEYWORDS

    def word(self, what: str) -> Word:
        if not self.is_name():
            raise self.expected(what)
        token = self.take()
        return Word(token.start, token.end, token.text)

    def reference(self, what: str) -> ComponentRef:
        """`a.b.c` without blanks around the dots."""
        first = self.word(what)
        parts = [RefPart(first.text)]
        while self.here.text == "." and self.here.start == self.before.end:
            self.at += 1
            parts.append(RefPart(self.word("a name after the dot").text))
        return ComponentRef(first.start, self.before.end, tuple(parts))

    def enter(self) -> None:
        self.depth += 1
        if self.depth > MAX_NESTING:
            cure = "give parts of the expression names of their own"
            raise self.fail("S009", f"nested too deep: more than {MAX_NESTING} levels", cure)

    def span(self, token: Token) -> Span:
        return Span(self.source, token.start, max(token.end, token.start + 1))

    def fail(self, code: str, message: str, help: str = "") -> GrammarError:
        return self.fail_at(code, message, self.span(self.here), help)

    def fail_at(self, code: str, message: str, span: Span, help: str = "") -> GrammarError:
        """At a place that was read already."""
        return GrammarError(Diagnostic(code, message, (Label(span),), help))

    def expected(self, what: str, *more: Label) -> GrammarError:
        """The token here is none of those the grammar allows."""
        token = self.here
        if token.text in KEYWORDS and what.startswith(("a name", "the name")):
            return self.fail(
                "S008", f"`{token.text}` is a keyword and cannot be a name", "choose another name"
            )
        message = f"expected {what}, found {_shown(token)}"
        labels = (Label(self.span(token), "unexpected"), *more)
        return GrammarError(Diagnostic("S004", message, labels, _cure(token, what)))


def _shown(token: Token) -> str:
    if token.kind == END_OF_FILE:
        return "the end of the file"
    if token.text in KEYWORDS:
        return f"the keyword `{token.text}`"
    return f"the number `{token.text}`" if token.kind == NUMBER else f"`{token.text}`"


_CURES = {
    ";": "lines end by themselves; `;` only separates equations on one line",
    "==": "`=` makes an equation, `==` compares",
    "=": "`=` makes an equation; conditions compare with `==`, `<`, `<=`, `>` or `>=`",
    "]": "there is no open bracket for it, or something is missing before it",
    ")": "there is no open bracket for it, or something is missing before it",
}


# What was expected, as it begins or ends, and how to write it.
_WANTED = (
    ("an expression", "a name, a number, a bracket or a sign is missing before it"),
    ("a submodel, a cut", "as in `connect R1 - C1 - Common` or `connect R1 from n1 to n2`"),
    ("a variable of the cut", "as in `cut WireA(Va/i)`: across variables, `/`, through variables"),
    ("the end of the formula", "one value is expected: join its parts with operators"),
    ("one `=`", "begin a new line for the next equation"),
    ("`cut` or `path`", "as in `main cut A(V/i)` or `main path P<A - B>`"),
    (
        "`model`",
        "a file holds `model ... end`, `function f(x) = ...` and `table f(x) = (0, 1), ...`",
    ),
    ("a number of the table", "points are pairs of numbers: `table f(x) = (0, 1), (2, 5)`"),
    ("`=` after the left side", "an equation is `left = right`; `local x` declares a variable"),
)


def _cure(token: Token, what: str) -> str:
    if token.kind == END_OF_FILE:
        return "a model ends with `end`, a when-equation with `endwhen`"
    if token.text.lower() in KEYWORDS and token.text not in KEYWORDS:
        return f"keywords are written in small letters: `{token.text.lower()}`"
    if token.text in _CURES:
        return _CURES[token.text]
    for words, cure in _WANTED:
        if what.startswith(words):
            return cure
    literal = re.match("`([^`]+)`", what)
    return f"write `{literal[1]}` before it" if literal else "give it one before this"
