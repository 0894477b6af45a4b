"""Text to graph, the inverse of `show.py`. Every complaint names the line.

onward(read(Source.from_text(text)), Stage.CAUSAL)
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TypeVar

from freewheel.base.diagnostics import CompileError, error
from freewheel.base.source import Source, Span
from freewheel.bondgraph.check import check
from freewheel.bondgraph.nodes import (
    Bond,
    Domain,
    Element,
    End,
    Graph,
    Junction,
    Kind,
    Port,
    Signal,
    Stage,
    Stroke,
    Wire,
)

# A name may hold anything inside of quotes.
_TOKEN = re.compile(r"(?:'(?:[^'\\]|\\.)*'|[^\s,(){}'])+|[,(){}]")
_QUOTED = re.compile(r"'(?:[^'\\]|\\.)*'")
_ARROW = re.compile(r"([|~]?)--(?:>|-)([|~]?)")
_DIRECTIONS = ("in", "out")

_Word = TypeVar("_Word", Stage, Kind, Domain)


@dataclass
class _Parts:
    name: str = ""
    stage: Stage = Stage.GRAPH
    elements: list[Element] = field(default_factory=list)
    wires: list[Wire] = field(default_factory=list)
    junctions: list[Junction] = field(default_factory=list)
    bonds: list[Bond] = field(default_factory=list)
    names: set[str] = field(default_factory=set)

    def declare(self, name: str, line: _Line) -> None:
        if name in self.names:
            raise line.wrong(f"`{name}` is there already")
        self.names.add(name)


class _Line:
    """The words of one line, taken from left to right."""

    def __init__(self, source: Source, start: int, text: str) -> None:
        self.span = Span(source, start, start + len(text))
        self._tokens = _TOKEN.findall(text)
        self._at = 0

    @property
    def is_done(self) -> bool:
        return self._at >= len(self._tokens)

    def peek(self) -> str:
        return "" if self.is_done else self._tokens[self._at]

    def take(self, what: str) -> str:
        if self.is_done:
            raise self.wrong(f"{what} is missing at the end of the line")
        self._at += 1
        return str(self._tokens[self._at - 1])

    def expect(self, token: str) -> None:
        found = self.take(f"`{token}`")
        if found != token:
            raise self.wrong(f"`{token}` was expected, not `{found}`")

    def bracketed(self, begin: str, end: str) -> list[str]:
        """`(a, b)` as a list."""
        self.expect(begin)
        items: list[str] = []
        while self.peek() != end:
            if items:
                self.expect(",")
            items.append(self.take(f"`{end}`"))
        self.expect(end)
        return items

    def wrong(self, message: str) -> CompileError:
        return error(
            "E117",
            f"line {self.span.line} of the bond graph: {message}",
            self.span,
            help="lines are `element`, `wire`, `junction` or `bond`, as `freewheel bondgraph"
            " --text` writes them",
        )


def read(source: Source) -> Graph:
    """The graph that a text tells; lines that begin with `#` do not count."""
    parts = _Parts()
    start = 0
    for text in source.text.splitlines(keepends=True):
        line = _Line(source, start, "" if text.lstrip().startswith("#") else text.rstrip())
        start += len(text)
        if line.is_done:
            continue
        word = line.take("a word")
        if word not in _READERS:
            raise line.wrong(f"nothing begins with `{word}`")
        _READERS[word](parts, line)
        if not line.is_done:
            raise line.wrong(f"`{line.peek()}` is too much")
    graph = Graph(
        parts.name,
        parts.stage,
        tuple(parts.elements),
        tuple(parts.wires),
        tuple(parts.junctions),
        tuple(parts.bonds),
    )
    _check_names(graph, source)
    return graph


def _check_names(graph: Graph, source: Source) -> None:
    """What `check` asserts of our own graphs may be wrong in a text."""
    try:
        check(graph)
    except AssertionError as wrong:
        raise error(
            "E117",
            f"the bond graph is inconsistent at its stage `{graph.stage}`: {wrong}",
            Span(source, 0, 0),
            help="every bond joins two vertices that are declared once; `-->` from stage directed"
            " on, strokes at stage causal",
        ) from None


# ---------------------------------------------------------------- one kind of line each


def _name(parts: _Parts, line: _Line) -> None:
    parts.name = line.take("the name of the model")


def _stage(parts: _Parts, line: _Line) -> None:
    parts.stage = _word(Stage, line, "stage")


def _wire(parts: _Parts, line: _Line) -> None:
    left = line.take("a connector")
    line.expect("---")
    parts.wires.append(Wire(left, line.take("a connector"), line.span))


def _junction(parts: _Parts, line: _Line) -> None:
    name = line.take("the name of the junction")
    kind = _word(Kind, line, "kind")
    domain = _word(Domain, line, "domain")
    is_ground = line.peek() == "ground"
    if is_ground:
        line.take("")
    pins = line.bracketed("{", "}") if not line.is_done else []
    parts.declare(name, line)
    parts.junctions.append(Junction(name, kind, domain, is_ground, tuple(pins)))


def _element(parts: _Parts, line: _Line) -> None:
    name = line.take("the name of the element")
    element = Element(name, _word(Kind, line, "kind"), (), span=line.span)
    while line.peek() in list(Domain):
        domain = _word(Domain, line, "domain")
        element = replace(element, ports=(*element.ports, _port(domain, line)))
    if line.peek() == "modulated":
        line.take("")
        element = replace(element, is_modulated=True)
    if not line.is_done and "=" not in line.peek():
        signal = line.take("a signal")
        numbers = tuple(_number(item, line) for item in line.bracketed("(", ")"))
        element = replace(element, signal=Signal(signal, numbers))
    while not line.is_done:
        pair = _number(line.take("a number"), line)
        element = replace(element, parameters=(*element.parameters, pair))
    if not element.ports:
        raise line.wrong(f"`{name}` has no port, as in `electrical({name}.p, {name}.n, in)`")
    parts.declare(name, line)
    parts.elements.append(element)


def _port(domain: Domain, line: _Line) -> Port:
    items = line.bracketed("(", ")")
    if len(items) not in (2, 3) or items[-1] not in _DIRECTIONS:
        raise line.wrong("a port is `(positive, negative, in)` or `(positive, out)`")
    negative = items[1] if len(items) == 3 else ""
    return Port(items[0], negative, domain, items[-1] == "out")


def _bond(parts: _Parts, line: _Line) -> None:
    number = line.take("the number of the bond")
    if not number.isdigit():
        raise line.wrong(f"`{number}` is no number of a bond")
    tail = _end(line.take("a vertex"))
    arrow = line.take("an arrow")
    match = _ARROW.fullmatch(arrow)
    if match is None or (match[1] and match[2]):
        raise line.wrong(f"`{arrow}` is none of ---, -->, |--> and -->|")
    stroke = Stroke.TAIL if match[1] else Stroke.HEAD if match[2] else Stroke.NONE
    head = _end(line.take("a vertex"))
    for end in (tail, head):
        if end.vertex not in parts.names:
            raise line.wrong(f"there is no element or junction `{end.vertex}` above")
    parts.bonds.append(Bond(int(number), tail, head, ">" in arrow, stroke, "~" in arrow))


def _end(text: str) -> End:
    """`T:2`; a colon inside of quotes belongs to the name."""
    outside = _QUOTED.sub(lambda quoted: "x" * len(quoted[0]), text)
    at = outside.rfind(":")
    return End(text) if at < 0 else End(text[:at], text[at + 1 :])


def _number(text: str, line: _Line) -> tuple[str, float]:
    name, _, value = text.partition("=")
    try:
        number = float(value)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise line.wrong(f"`{text}` is not of the form name=number")
    return name, number


def _word(words: type[_Word], line: _Line, what: str) -> _Word:
    text = line.take(f"a {what}")
    try:
        return words(text)
    except ValueError:
        known = ", ".join(words)
        raise line.wrong(f"`{text}` is no {what}: {known}") from None


_READERS: dict[str, Callable[[_Parts, _Line], None]] = {
    "bondgraph": _name,
    "stage": _stage,
    "element": _element,
    "wire": _wire,
    "junction": _junction,
    "bond": _bond,
}
