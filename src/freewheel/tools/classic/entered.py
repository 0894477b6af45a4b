"""The model that a session works on: typed in, or read from a file.

    entry = Entry(); entry.add("model M"); ...; entry.is_whole

A text is whole when a `model` that is to be simulated has ended; classes may come before it. Where only
classes have ended so far, the next line tells whether the text goes on or a command follows.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from freewheel.api import Model
from freewheel.api.find import can_be_simulated
from freewheel.base.diagnostics import CompileError, Diagnostic, UsageError
from freewheel.base.source import Source
from freewheel.dymola.lexer import Token, lex
from freewheel.instance.library import Library
from freewheel.syntax.parser import read_source

TYPED = "typed.dym"
BEGINNINGS = ("model", "function", "table")  # of what a file holds
_GOES_ON = re.compile(r"\s*($|[^A-Za-z_@>\s])|\s*(model|function|table)\b")
_TURN = re.compile(r"\b(end|function|model|table)\b|[}]")  # what may end or begin something
_UNFINISHED = ("=", "+", "-", "*", "/", "**", "(", ",", "and", "or", "not", "if", "then", "else")


class Entry:
    """Lines of a model, until it is whole."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._is_open = False  # nothing yet
        self._in_formula = False  # of a function
        self._is_whole = False

    def add(self, line: str) -> None:
        self.lines.append(line)
        # Other lines change nothing; to look at the whole text each time makes long ones slow.
        if not self._is_open or self._in_formula or _TURN.search(line):
            self._look()

    @property
    def text(self) -> str:
        return "\n".join(self.lines) + "\n"

    @property
    def is_whole(self) -> bool:
        """Whether the last `end` closed a model that is no class."""
        return self._is_whole

    def ends_before(self, line: str) -> bool:
        """Whether the text is complete with its classes, since the line is a command."""
        if not self.lines and line.lstrip().startswith("@"):
            return False  # the file of the model
        return not self._is_open and _GOES_ON.match(line) is None

    def _look(self) -> None:
        self._is_open, self._is_whole, self._in_formula = True, False, False
        try:
            tokens = lex(Source.from_text(self.text, TYPED))
        except CompileError:  # a comment goes on, or the parser will tell
            return
        is_class = in_model = False
        for at, token in enumerate(tokens):
            if token.text == "model" and token.is_first:
                self._is_open, self._is_whole, in_model = True, False, True
                is_class = tokens[at + 1].text in ("type", "class")
            elif token.text in BEGINNINGS[1:] and token.is_first and not in_model:
                self._is_open = self._in_formula = _is_unfinished(tokens)
            elif token.text == "end" and self._is_open:
                self._is_open, self._is_whole, in_model = False, not is_class, False


def _is_unfinished(tokens: Sequence[Token]) -> bool:
    """Whether the formula at the end of a text needs another line."""
    texts = [token.text for token in tokens[:-1]]
    return texts[-1] in _UNFINISHED or texts.count("(") > texts.count(")")


@dataclass(frozen=True, slots=True)
class Taken:
    """What a text brought: a model, or classes only."""

    source: Source
    model: Model | None
    classes: tuple[str, ...]


def take_text(text: str, number: int, libraries: list[Path], before: Sequence[Source]) -> Taken:
    """A typed text, the first, second, ... of a session; `before` are those entered earlier."""
    name = TYPED if number == 1 else TYPED.replace(".", f"{number}.")
    return _taken(Source.from_text(text, name), libraries, before)


def take_file(path: Path, libraries: list[Path], before: Sequence[Source]) -> Taken:
    if not path.exists():
        raise UsageError(
            Diagnostic("U002", f"cannot read `{path}`: there is no such file", file=str(path))
        )
    return _taken(read_source(path), libraries, before)


def _taken(source: Source, libraries: list[Path], before: Sequence[Source]) -> Taken:
    library = Library(libraries, classic_before=before)
    entries = library.add_file(source)
    models = [entry for entry in entries if can_be_simulated(entry)]
    model = Model(library, models[-1].name) if models else None
    return Taken(source, model, tuple(str(entry.name[-1]) for entry in entries))
