"""Damaged classes of a library, parsed and flattened: only a `FreewheelError` may come out.

A few hundred cases run each time, over the embedded library; 20,000 in the long run, over the
library in the directory that FREEWHEEL_MSL names, if it does. Every case has a number that makes
it again: `case(number, snippets)`.
"""

from __future__ import annotations

import itertools
import os
import random
import re
import signal
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest

from freewheel.base.diagnostics import FreewheelError, to_json, to_text
from freewheel.base.names import name_of
from freewheel.base.source import Source
from freewheel.flat.balance import count
from freewheel.flat.check import check
from freewheel.flat.flatten import flatten
from freewheel.flat.show import show
from freewheel.instance.instantiate import instantiate
from freewheel.instance.library import ClassEntry, Library
from freewheel.syntax.lexer import KEYWORDS

SECONDS = 20.0  # for one case; a thousandth of it is usual
SHORTEST, LONGEST = 150, 6000  # characters of a snippet
USABLE = ("model", "block", "class", "function", "record", "connector", "package")
TOKEN = re.compile(
    r'"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\'|[A-Za-z_]\w*|\d+(?:\.\d*)?(?:[eE][+-]?\d+)?|\s+|.',
    re.DOTALL,
)
OPERATORS = ["+", "-", "*", "/", "^", ".*", "=", ":=", "<", "==", "and", "or", "not", ":", ","]
GARBAGE = [
    "(", ")", "[", "]", "{", "}", ";", "end", "if", "then", "else", "for", "loop", "when", "each",
    "final", "redeclare", "replaceable", "extends", "protected", "equation", "algorithm", "input",
    "output", "parameter", "constant", "flow", "stream", "inner", "outer", "connect", "import",
    "annotation", "function", "der(x)", "1e400", "0", "-1", "{}", "x[1]", "\u00e9", "\\", "\"", "'",
    "/*", "//", "Real", "Integer", "true", "time", "size(x, 1)", "fill(0, 3)", ".", "...", "$",
]  # fmt: skip
NUMBERS = ["0", "1", "2", "-1", "1.5", "1e9", "1e-300", "99999999999999999999", "3.14", "1e400"]
SERIAL = itertools.count()  # a file may not define its class twice


class Snippet(NamedTuple):
    within: tuple[str, ...]
    name: str
    kind: str
    text: str
    entry: ClassEntry


class TooSlowError(Exception):
    """A case did not end in time."""


# ---------------------------------------------------------------- snippets


def snippets_of(library: Library, tops: list[str]) -> list[Snippet]:
    """Every class of the packages that is not too long, with the package around it."""
    found: list[Snippet] = []
    waiting = [entry for top in tops if (entry := library.top(top)) is not None]
    while waiting:
        entry = waiting.pop()
        for name in entry.nested_names():
            below = entry.nested(name)
            if below is None:
                continue
            waiting.append(below)
            text = below.source.text[below.tree.start : below.tree.end] + ";\n"
            if SHORTEST <= len(text) <= LONGEST and below.tree.kind in USABLE:
                found.append(Snippet(entry.name, name, below.tree.kind, text, below))
    return found


# ---------------------------------------------------------------- mutations


def mutated(text: str, rng: random.Random) -> str:
    tokens = TOKEN.findall(text)
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        tokens = rng.choice(MUTATIONS)(tokens, rng) or [" "]
    return "".join(tokens)


def words(tokens: list[str]) -> list[int]:
    """Where names stand; the words of the language are left alone here."""
    return [at for at, token in enumerate(tokens) if token[0].isalpha() and token not in KEYWORDS]


def visible(tokens: list[str], rng: random.Random) -> int:
    return rng.choice([at for at, token in enumerate(tokens) if not token.isspace()] or [0])


def deleted(tokens: list[str], rng: random.Random) -> list[str]:
    at = visible(tokens, rng)
    return tokens[:at] + tokens[at + rng.choice((1, 1, 2, 8)) :]


def doubled(tokens: list[str], rng: random.Random) -> list[str]:
    at = visible(tokens, rng)
    return [*tokens[: at + 1], " ", *tokens[at:]]


def swapped(tokens: list[str], rng: random.Random) -> list[str]:
    a, b = visible(tokens, rng), visible(tokens, rng)
    changed = list(tokens)
    changed[a], changed[b] = changed[b], changed[a]
    return changed


def renamed(tokens: list[str], rng: random.Random) -> list[str]:
    at = words(tokens)
    if not at:
        return tokens
    other = rng.choice((tokens[rng.choice(at)], tokens[rng.choice(at)], "x", "Real", "Foo", "time"))
    return [*tokens[: (a := rng.choice(at))], other, *tokens[a + 1 :]]


def renumbered(tokens: list[str], rng: random.Random) -> list[str]:
    at = [a for a, token in enumerate(tokens) if token[0].isdigit()]
    if not at:
        return tokens
    a = rng.choice(at)
    return [*tokens[:a], rng.choice(NUMBERS), *tokens[a + 1 :]]


def reoperated(tokens: list[str], rng: random.Random) -> list[str]:
    at = [a for a, token in enumerate(tokens) if token in "+-*/^=<>:,"]
    if not at:
        return tokens
    a = rng.choice(at)
    return [*tokens[:a], f" {rng.choice(OPERATORS)} ", *tokens[a + 1 :]]


def truncated(tokens: list[str], rng: random.Random) -> list[str]:
    return tokens[: 1 + visible(tokens, rng)]


def littered(tokens: list[str], rng: random.Random) -> list[str]:
    at = visible(tokens, rng)
    return [*tokens[:at], f" {rng.choice(GARBAGE)} ", *tokens[at:]]


def shuffled_lines(tokens: list[str], rng: random.Random) -> list[str]:
    lines = "".join(tokens).splitlines(keepends=True)
    a, b = rng.randrange(len(lines)), rng.randrange(len(lines))
    lines[a], lines[b] = rng.choice(((lines[b], lines[a]), (lines[b], lines[b]), (lines[a], "\n")))
    return TOKEN.findall("".join(lines))


MUTATIONS = (
    deleted, doubled, swapped, renamed, renamed, renamed, renamed, renamed, renamed, renumbered,
    renumbered, renumbered, reoperated, reoperated, truncated, littered, shuffled_lines,
)  # fmt: skip


# ---------------------------------------------------------------- one case


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Of the processor's time: how busy the machine is with other things does not matter."""

    def stop(*_: object) -> None:
        raise TooSlowError

    earlier = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, earlier)


def case(number: int, snippets: list[Snippet]) -> tuple[Snippet, str]:
    """The snippet of a case and its damaged text."""
    rng = random.Random(number)
    snippet = rng.choice(snippets)
    return snippet, mutated(snippet.text.replace("partial ", "", 1), rng)


def user_of(snippet: Snippet) -> str:
    """A model that uses the class, so that it is looked at whatever its kind."""
    name = ".".join((*snippet.within, snippet.name))
    if snippet.kind == "function":
        return f"model Fuzz Real y = {name}(1, 2); Real z = {name}(time); end Fuzz;"
    if snippet.kind == "package":
        return f"model Fuzz package P = {name}; extends P.Fuzz; end Fuzz;"
    return f"model Fuzz {name} x; end Fuzz;"


def look(library: Library, snippet: Snippet, text: str) -> str:
    """What became of a damaged class: `parsed`, `flattened`, or where it was refused."""
    parent = library.find(snippet.within)
    assert parent is not None
    reached = "syntax"
    try:
        library.add_file(Source.from_text(f"within {'.'.join(snippet.within)};\n{text}", "fuzz.mo"))
        library.add_file(Source.from_text(user_of(snippet), f"user {next(SERIAL)}"))
        reached = "instance"
        model = flatten(instantiate(library, name_of("Fuzz")))
        check(model)
        count(model)
        show(model)
        reached = "flattened"
    except FreewheelError as failure:
        for diagnostic in failure.diagnostics:
            to_text(diagnostic)
            to_json(diagnostic)
    finally:
        parent.adopt(snippet.entry)
    return reached


def survey(library: Library, snippets: list[Snippet], numbers: range) -> Counter[str]:
    """Run many cases; whatever else than a proper refusal comes out is told with its number."""
    reached: Counter[str] = Counter()
    mishaps: list[str] = []
    for number in numbers:
        snippet, text = case(number, snippets)
        try:
            with time_limit(SECONDS):
                reached[look(library, snippet, text)] += 1
        except Exception as mishap:  # the point of the test: nothing else may come out
            name = ".".join((*snippet.within, snippet.name))
            mishaps.append(f"case {number}, {name}: {type(mishap).__name__}: {mishap}"[:300])
            snippet.entry.parent.adopt(snippet.entry)
    assert mishaps == []
    return reached


def test_damaged_classes_of_the_embedded_library_are_refused_properly():
    library = Library([], use_modelicapath=False)
    snippets = snippets_of(library, ["Modelica", "Complex"])

    reached = survey(library, snippets, range(400))

    assert min(reached[place] for place in ("syntax", "instance", "flattened")) > 20


@pytest.mark.long
def test_twenty_thousand_damaged_classes():
    place = os.environ.get("FREEWHEEL_MSL")
    library = Library([Path(place)] if place else [], use_modelicapath=False)
    snippets = snippets_of(library, ["Modelica", "ModelicaTest"] if place else ["Modelica"])

    reached = survey(library, snippets, range(1000, 21_000))

    assert min(reached[place] for place in ("syntax", "instance", "flattened")) > 1000
