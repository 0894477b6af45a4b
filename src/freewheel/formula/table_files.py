"""Tables on files: text (`double name(rows,columns)`), CSV, MATLAB up to version 7.

    read_table("data.txt", "tab", delimiter=",", header_lines=0)      rows of numbers

A relative name means a file of the working folder or, if there is none, one beside the model.
A mistake in a file of text is shown at its place in the file.
"""

from __future__ import annotations

import re
import struct
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path

from freewheel.base import access
from freewheel.base.diagnostics import Diagnostic, Label, SimulationError
from freewheel.base.near import did_you_mean
from freewheel.base.source import Source, Span
from freewheel.formula.table_curves import Row
from freewheel.formula.table_mat import read_mat

Matrix = tuple[Row, ...]
Word = tuple[str, int]  # with its offset

_HEAD = re.compile(r"\b(?:double|float)\s+(?P<name>[^\s(]+)\s*\(\s*(\d+)\s*,\s*(\d+)\s*\)")
_WORD = re.compile(r"#[^\n]*|(?P<word>[^\s,;#]+)")
_NEXT = ("double", "float")  # begins another table
SHOWN = 5  # names of tables in a message


def wrong_table(
    name: str, what: str, cure: str = "correct the table's data", place: Span | None = None
) -> SimulationError:
    labels = () if place is None else (Label(place),)
    named = "the table" if name in ("", "NoName") else f"the table `{name}`"
    return SimulationError(Diagnostic("R111", f"{named} {what}", labels, help=cure))


def read_table(file: str, name: str, delimiter: str, header_lines: int) -> Matrix:
    found = Path(access.beside(_without_scheme(file)))
    if not found.is_absolute() and not found.exists():
        raise wrong_table(name, f"cannot be read: there is no file `{file}`", _CURE)
    path = Path(access.to_read(str(found)))
    try:
        content = path.read_bytes()
    except OSError as problem:
        raise wrong_table(
            name, f"cannot be read from `{file}`: {problem.strerror}", _CURE
        ) from None
    if path.suffix.lower() == ".mat":
        return _mat(content, name, file)
    source = Source(str(path), content.decode("utf-8-sig", errors="replace"))
    if path.suffix.lower() == ".csv":
        return _csv(source, delimiter, header_lines, name)
    return _text(source, name, file)


_CURE = (
    "a relative name means a file of the working folder or beside the model; "
    "`Modelica.Utilities.Files.loadResource` finds resources of packages"
)


def _without_scheme(file: str) -> str:
    return file[len("file://") :] if file.lower().startswith("file://") else file


def _mat(content: bytes, name: str, file: str) -> Matrix:
    try:
        matrix = read_mat(content, name)
    except (ValueError, struct.error, zlib.error, IndexError) as problem:
        raise wrong_table(name, f"cannot be read from `{file}`: {problem}") from problem
    if matrix is None:
        raise wrong_table(name, f"is not in the file `{file}`")
    return matrix


def _csv(source: Source, delimiter: str, header_lines: int, name: str) -> Matrix:
    rows: list[Row] = []
    offset = 0
    for number, line in enumerate(source.text.splitlines(keepends=True)):
        if number >= header_lines and line.strip():
            rows.append(_row(_split(line, delimiter, offset), name, source))
            if len(rows[-1]) != len(rows[0]):
                place = Span(source, offset, offset + len(line.rstrip()))
                raise wrong_table(
                    name,
                    f"has {len(rows[0])} columns in its first row and {len(rows[-1])} here",
                    place=place,
                )
        offset += len(line)
    if not rows:
        raise wrong_table(name, f"holds no numbers: `{source.path}` has no rows")
    return tuple(rows)


def _split(line: str, delimiter: str, offset: int) -> Iterator[Word]:
    for word in line.rstrip("\r\n").split(delimiter):
        yield word, offset
        offset += len(word) + len(delimiter)


def _text(source: Source, name: str, file: str) -> Matrix:
    """`double name(rows, columns)` and then the numbers row by row; `#` begins a comment."""
    text = source.text
    if not text.startswith("#1"):
        raise wrong_table(
            name,
            f"in `{file}` is in no format that can be read (text, CSV, MATLAB can)",
            "a file of text begins with `#1`; the others end in `.csv` or `.mat`",
        )
    heads = {head["name"]: head for head in _HEAD.finditer(text)}
    head = heads.get(name)
    if head is None:
        raise wrong_table(name, f"is not in the file `{file}`", _others(name, list(heads)))
    rows, columns = int(head[2]), int(head[3])
    words: list[Word] = []
    for found in _WORD.finditer(text, head.end()):
        if len(words) == rows * columns or found["word"] in _NEXT:
            break
        if found["word"]:
            words.append((found["word"], found.start()))
    if len(words) < rows * columns:
        raise wrong_table(
            name,
            f"in `{file}` ends before its {rows} rows and {columns} columns: "
            f"it has {len(words)} of {rows * columns} numbers",
            place=Span(source, head.start(), head.end()),
        )
    return tuple(
        [_row(words[i : i + columns], name, source) for i in range(0, len(words), columns)]
    )


def _others(name: str, known: list[str]) -> str:
    some = ", ".join(f"`{other}`" for other in known[:SHOWN])
    return did_you_mean(name, known) or (f"it has {some}" if some else "it has no tables")


def _row(words: Iterable[Word], name: str, source: Source) -> Row:
    numbers: list[float] = []
    for word, offset in words:
        try:
            numbers.append(float(word))
        except ValueError:
            place = Span(source, offset, offset + max(len(word), 1))
            raise wrong_table(
                name, f"holds something that is not a number: `{word.strip()}`", place=place
            ) from None
    return tuple(numbers)
