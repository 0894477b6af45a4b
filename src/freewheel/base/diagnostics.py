"""What went wrong, where, why and what to do: `Diagnostic`, `Label`, `CompileError`.

A modeller's mistake is a `Diagnostic`; it prints as

    error[S012]: Pendulum: 3 equations for 4 unknowns
      --> Pendulum.mo:14:8
      14 |   Real T "cable force";
         |        ^ nothing determines `T`
    help: give it an equation, or make it a parameter or an input
    rule: Modelica 3.6, "Balanced Models"

Codes: first letter the stage (S syntax, N instance, F flat, E structure, G export, R runtime, U usage,
X internal), then three digits. `docs/errors.md` lists them all.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

from freewheel.base.printable import printable
from freewheel.base.source import Span


class Severity(Enum):
    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


STAGE_OF_CODE = {
    "S": "syntax",
    "N": "instance",
    "F": "flat",
    "E": "structure",
    "G": "export",
    "R": "runtime",
    "U": "usage",
    "X": "internal",
}


@dataclass(frozen=True, slots=True)
class Label:
    """A place and what is to be said about it."""

    span: Span
    text: str = ""


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One finding, shown to the modeller as text or JSON."""

    code: str
    message: str
    labels: tuple[Label, ...] = ()
    help: str = ""
    rule: str = ""
    severity: Severity = Severity.ERROR
    file: str = ""  # where there is a file but no place in it (unreadable, not UTF-8)

    @property
    def stage(self) -> str:
        return STAGE_OF_CODE[self.code[0]]

    def __repr__(self) -> str:
        return f"<{self.severity.value} {self.code}: {shortened(self.message)}>"


MOST_OF_A_LINE = 60


def shortened(text: str, length: int = MOST_OF_A_LINE) -> str:
    """On one line, its middle left out where it is long."""
    text = " ".join(text.split())
    if len(text) <= length:
        return text
    half = (length - 3) // 2
    return f"{text[:half]}...{text[-half:]}"


def counted(number: int, noun: str) -> str:
    """`1 equation`, `2 equations`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


class FreewheelError(Exception):
    """A failure that is told by its diagnostics; never shown as a traceback."""

    def __init__(self, *diagnostics: Diagnostic) -> None:
        super().__init__(*diagnostics)
        self.diagnostics: tuple[Diagnostic, ...] = diagnostics

    def __str__(self) -> str:
        """What a traceback and a notebook show: cause, place and cure."""
        return render(self.diagnostics)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), self.diagnostics, self.__dict__


class CompileError(FreewheelError):
    """The model is wrong (exit code 1)."""


class IncompleteError(CompileError):
    """The class cannot be simulated as it stands, but whoever uses it may add what is missing: a value
    of a parameter, a class in place of a replaceable partial one. As a class it is not wrong."""


class UsageError(FreewheelError):
    """The call is wrong (exit code 2)."""


class SimulationError(FreewheelError):
    """The simulation failed (exit code 3). `result` holds what was computed until then, if anything."""

    def __init__(self, *diagnostics: Diagnostic, result: Any = None) -> None:
        super().__init__(*diagnostics)
        self.result = result


def error(
    code: str,
    message: str,
    span: Span | None = None,
    text: str = "",
    help: str = "",
    rule: str = "",
) -> CompileError:
    """The common case in one line: `raise error("N003", "...", span, help="...")`."""
    labels = (Label(span, text),) if span is not None else ()
    return CompileError(Diagnostic(code, message, labels, help, rule))


def incomplete(
    code: str, message: str, span: Span | None = None, help: str = "", rule: str = ""
) -> IncompleteError:
    """The same for what a user of the class may add."""
    return IncompleteError(*error(code, message, span, help=help, rule=rule).diagnostics)


MAX_SHOWN_WIDTH = 160
MAX_SHOWN_TEXT = 10_000  # characters of a message: some pages


def to_text(diagnostic: Diagnostic) -> str:
    """Several lines, fit for a terminal whatever the model's texts hold."""
    lines = [f"{diagnostic.severity.value}[{diagnostic.code}]: {_cut(diagnostic.message)}"]
    if not diagnostic.labels and diagnostic.file:
        lines.append(f"  --> {diagnostic.file}")
    for label in _distinct(diagnostic.labels):
        lines.extend(_label_lines(label))
    if diagnostic.help:
        lines.append(f"help: {_cut(diagnostic.help)}")
    if diagnostic.rule:
        lines.append(f"rule: {diagnostic.rule}")
    return printable("\n".join(lines))


def _distinct(labels: Sequence[Label]) -> list[Label]:
    """Each place once with each text: elements of an array are declared at one place, and a place without
    words says nothing beside the same place with some."""
    explained = {label.span for label in labels if label.text}
    kept = (label for label in labels if label.text or label.span not in explained)
    return list(dict.fromkeys(kept))


def _cut(text: str) -> str:
    """The beginning of what no terminal could show: a name or a message of megabytes."""
    return text if len(text) <= MAX_SHOWN_TEXT else f"{text[:MAX_SHOWN_TEXT]}..."


def _label_lines(label: Label) -> list[str]:
    span = label.span
    line, column = span.source.line_and_column(span.start)
    lines = [f"  --> {span.source.path}:{line}:{column}"]
    text = span.source.line_text(line)
    shown, caret = _window(text, column - 1)
    if shown.strip():
        width = max(1, min(span.end - span.start, len(shown) - caret))
        gutter = f"{line:>4} | "
        lines.append(gutter + shown)
        lines.append(
            " " * (len(gutter) - 2)
            + "| "
            + " " * caret
            + "^" * width
            + f" {_cut(label.text)}".rstrip()
        )
    elif label.text:
        lines.append(f"       {_cut(label.text)}")
    return lines


def _window(text: str, at: int) -> tuple[str, int]:
    """Cut a very long line around the place; tabs become one blank so that carets stand right."""
    text = text.replace("\t", " ")
    if len(text) <= MAX_SHOWN_WIDTH:
        return text, at
    start = max(0, min(at - MAX_SHOWN_WIDTH // 2, len(text) - MAX_SHOWN_WIDTH))
    return text[start : start + MAX_SHOWN_WIDTH], at - start


def to_json(diagnostic: Diagnostic) -> dict[str, Any]:
    """The form of `--json`: plain values, one place (the first label)."""
    span = diagnostic.labels[0].span if diagnostic.labels else None
    line, column = span.source.line_and_column(span.start) if span else (None, None)
    return {
        "stage": diagnostic.stage,
        "code": diagnostic.code,
        "severity": diagnostic.severity.value,
        "message": diagnostic.message,
        "file": span.source.path if span else (diagnostic.file or None),
        "line": line,
        "column": column,
        "labels": [_label_json(label) for label in diagnostic.labels],
        "help": diagnostic.help or None,
        "rule": diagnostic.rule or None,
    }


def _label_json(label: Label) -> dict[str, Any]:
    line, column = label.span.source.line_and_column(label.span.start)
    return {"file": label.span.source.path, "line": line, "column": column, "text": label.text}


def render(diagnostics: Sequence[Diagnostic]) -> str:
    return "\n\n".join(to_text(d) for d in diagnostics)
