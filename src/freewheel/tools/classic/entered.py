"""The model that a session works on: typed in, or read from a file.

    entry = Entry(); entry.add("model M"); ...; entry.is_whole

A text is whole when a `model` that is to be simulated has ended; classes may come before it.
"""

from __future__ import annotations

from pathlib import Path

from freewheel.api import Model
from freewheel.api.find import can_be_simulated
from freewheel.base.diagnostics import CompileError, Diagnostic, UsageError
from freewheel.base.source import Source
from freewheel.dymola.lexer import lex
from freewheel.instance.library import Library
from freewheel.syntax.parser import read_source

TYPED = "typed.dym"


class Entry:
    """Lines of a model, until it is whole."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def add(self, line: str) -> None:
        self.lines.append(line)

    @property
    def text(self) -> str:
        return "\n".join(self.lines) + "\n"

    @property
    def is_whole(self) -> bool:
        """Whether the last `end` closed a model that is no class."""
        try:
            tokens = lex(Source.from_text(self.text, TYPED))
        except CompileError:  # a comment goes on, or the parser will tell
            return False
        is_open, is_class, is_done = False, False, False
        for at, token in enumerate(tokens):
            if token.text == "model" and token.is_first:
                is_open, is_done = True, False
                is_class = tokens[at + 1].text in ("type", "class")
            elif token.text == "end" and is_open:
                is_open, is_done = False, not is_class
        return is_done


def model_of_text(text: str, libraries: list[Path]) -> Model:
    return _model_of(Source.from_text(text, TYPED), libraries)


def model_of_file(path: Path, libraries: list[Path]) -> Model:
    if not path.exists():
        raise UsageError(
            Diagnostic("U002", f"cannot read `{path}`: there is no such file", file=str(path))
        )
    return _model_of(read_source(path), libraries)


def _model_of(source: Source, libraries: list[Path]) -> Model:
    library = Library(libraries)
    entries = [entry for entry in library.add_file(source) if can_be_simulated(entry)]
    if not entries:
        raise UsageError(
            Diagnostic(
                "U004",
                f"`{source.path}` holds classes, but no model",
                help="a model to work on begins with `model Name`, without `type` or `class`",
                file=source.path,
            )
        )
    return Model(library, entries[-1].name)
