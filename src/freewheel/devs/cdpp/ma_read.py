"""Text of a `.ma` file to `MaFile`.

The text is words: `[name]` begins a section, a word followed by `:` a statement, `%` a comment.
CD++ does not distinguish upper and lower case; all names and values are made lower-case here, and the
first spelling of each is kept for writing.

    read_ma(Source.from_text("[top]\ncomponents : a@Clock\nout : o\nlink : tick@a o\n"))
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from freewheel.base.diagnostics import CompileError, Diagnostic, Label, error
from freewheel.base.source import Source, Span
from freewheel.devs.cdpp.ma_nodes import (
    TOP,
    WORD,
    MaComponent,
    MaCoupled,
    MaEnd,
    MaFile,
    MaLink,
    MaValue,
)

DEEPEST = 2000  # coupled models in each other; paths of names grow with it
COUPLED_WORDS = ("components", "in", "out", "link")
_WORDS = re.compile(r"%[^\n]*|\[[^\]\n]*\]?|[^\s\[%]+")


@dataclass(frozen=True, slots=True)
class _Word:
    text: str
    span: Span


@dataclass(frozen=True, slots=True)
class _Statement:
    key: _Word
    values: tuple[_Word, ...]

    @property
    def span(self) -> Span:
        last = self.values[-1] if self.values else self.key
        return Span(self.key.span.source, self.key.span.start, last.span.end)


@dataclass(frozen=True, slots=True)
class _Section:
    name: _Word
    statements: tuple[_Statement, ...]

    @property
    def is_coupled(self) -> bool:
        return any(s.key.text == "components" for s in self.statements)


def read_ma(source: Source) -> MaFile:
    """Parse and check; raises `CompileError` with the place of every mistake found."""
    sections = _sections(source)
    if TOP not in sections:
        raise error(
            "S031",
            "the file has no section `[top]`",
            Span(source, 0, 0),
            help="begin the outermost coupled model with `[top]`",
        )
    coupled = _reachable(sections)
    atomics = {c.name for each in coupled.values() for c in each.components if c.class_name}
    parameters: dict[str, dict[str, MaValue]] = {}
    for name, section in sections.items():
        if name in coupled:
            continue
        if name not in atomics:
            raise error(
                "S036",
                f"no coupled model has a component `{name}`",
                section.name.span,
                help="name it in `components`, or remove the section",
            )
        parameters[name] = _parameters(section)
    _check_links(coupled)
    return MaFile(coupled, parameters, _spelling(source))


def _spelling(source: Source) -> dict[str, str]:
    found: dict[str, str] = {}
    for text in _WORDS.findall(source.text):
        if not text.startswith("%"):
            for word in WORD.findall(text):
                found.setdefault(word.lower(), word)
    return {lower: word for lower, word in found.items() if lower != word}


def _words(source: Source) -> Iterator[_Word]:
    for found in _WORDS.finditer(source.text):
        text = found.group()
        if text.startswith("%"):
            continue
        # `key:` is a key and a colon; colons inside of words belong to times.
        if text.endswith(":") and len(text) > 1 and not text.startswith("["):
            yield _Word(text[:-1].lower(), Span(source, found.start(), found.end() - 1))
            yield _Word(":", Span(source, found.end() - 1, found.end()))
        else:
            yield _Word(text.lower(), Span(source, found.start(), found.end()))


def _sections(source: Source) -> dict[str, _Section]:
    sections: dict[str, _Section] = {}
    for head, body in _grouped(source):
        name = _section_name(head)
        if name in sections:
            first = sections[name].name.span
            labels = (Label(head.span), Label(first, "the first one"))
            raise CompileError(
                Diagnostic("S032", f"there are two sections `[{name}]`", labels, "join them")
            )
        sections[name] = _Section(_Word(name, head.span), _statements(body))
    return sections


def _grouped(source: Source) -> Iterator[tuple[_Word, list[_Word]]]:
    head: _Word | None = None
    body: list[_Word] = []
    for word in _words(source):
        if word.text.startswith("["):
            if head is not None:
                yield head, body
            head, body = word, []
        elif head is None:
            raise error(
                "S030", f"`{word.text}` stands before the first section", word.span,
                help="begin the file with `[top]`",
            )  # fmt: skip
        else:
            body.append(word)
    if head is not None:
        yield head, body


def _section_name(head: _Word) -> str:
    name = head.text.removeprefix("[").removesuffix("]").strip()
    if not head.text.endswith("]") or not name:
        raise error(
            "S033", "a section begins with its name in brackets", head.span, help="write `[name]`"
        )
    return name


def _statements(words: list[_Word]) -> tuple[_Statement, ...]:
    if not words:
        return ()
    colons = [at for at, word in enumerate(words) if word.text == ":"]
    if not colons or colons[0] != 1:
        raise error(
            "S034", f"`{words[0].text}` is not of the form `name : value`", words[0].span,
            help="write `link : port@model port@model`, or `parameter : value`",
        )  # fmt: skip
    found = []
    for at, end in zip(colons, [*(c - 1 for c in colons[1:]), len(words)], strict=True):
        if end <= at:
            raise error("S034", "a colon has no name before it", words[at + 1].span)
        found.append(_Statement(words[at - 1], tuple(words[at + 1 : end])))
    return tuple(found)


def _reachable(sections: Mapping[str, _Section]) -> dict[str, MaCoupled]:
    """The coupled models that `top` holds, outer ones first."""
    found: dict[str, MaCoupled] = {}
    waiting = deque([(TOP, 0)])
    while waiting:
        name, depth = waiting.popleft()
        if name in found:
            continue
        found[name] = coupled = _coupled(sections[name])
        for component in coupled.components:
            if component.class_name:
                continue
            if component.name not in sections:
                raise error(
                    "S035",
                    f"`{component.name}` has neither a class nor a section",
                    component.span,
                    help=f"write `{component.name}@Class`, or add `[{component.name}]`",
                )
            if component.name in found:
                raise error("S035", f"`{component.name}` is used twice", component.span)
            if depth >= DEEPEST:
                raise error(
                    "S039",
                    f"`{component.name}` lies more than {DEEPEST} models deep",
                    component.span,
                    help="use fewer levels of coupled models",
                )
            waiting.append((component.name, depth + 1))
    return found


def _coupled(section: _Section) -> MaCoupled:
    words: dict[str, list[_Statement]] = {key: [] for key in COUPLED_WORDS}
    for statement in section.statements:
        if statement.key.text not in words:
            raise error(
                "S034",
                f"a coupled model has no `{statement.key.text}`",
                statement.key.span,
                help="it has components, in, out and link",
            )
        words[statement.key.text].append(statement)
    components = tuple(_component(w) for s in words["components"] for w in s.values)
    _check_names(components, section)
    return MaCoupled(
        section.name.text,
        components,
        tuple(word.text for s in words["in"] for word in s.values),
        tuple(word.text for s in words["out"] for word in s.values),
        tuple(_link(s) for s in words["link"]),
        section.name.span,
    )


def _component(word: _Word) -> MaComponent:
    name, at, class_name = word.text.partition("@")
    if not name or (at and not class_name):
        raise error(
            "S034", f"`{word.text}` is no component", word.span, help="write `name@Class` or `name`"
        )
    return MaComponent(name, class_name, word.span)


def _check_names(components: tuple[MaComponent, ...], section: _Section) -> None:
    if not components:
        raise error(
            "S034", f"`[{section.name.text}]` has no components", section.name.span,
            help="add `components : name@Class`",
        )  # fmt: skip
    seen: set[str] = set()
    for component in components:
        if component.name in seen:
            raise error(
                "S035", f"`{component.name}` is used twice", component.span,
                help="small and capital letters are the same in this format",
            )  # fmt: skip
        seen.add(component.name)


def _link(statement: _Statement) -> MaLink:
    if len(statement.values) != 2:
        raise error(
            "S034", f"a link has two ends, this one {len(statement.values)}", statement.span,
            help="write `link : port@model port@model`",
        )  # fmt: skip
    source, target = (_end(word) for word in statement.values)
    return MaLink(source, target)


def _end(word: _Word) -> MaEnd:
    port, at, model = word.text.partition("@")
    if not port or (at and not model):
        raise error("S034", f"`{word.text}` is no port", word.span, help="write `port@model`")
    return MaEnd(port, model, word.span)


def _parameters(section: _Section) -> dict[str, MaValue]:
    found: dict[str, MaValue] = {}
    for statement in section.statements:
        key = statement.key.text
        if key in found:
            raise error("S032", f"`{key}` is given twice", statement.key.span, help="keep one")
        found[key] = MaValue(" ".join(word.text for word in statement.values), statement.span)
    return found


def _check_links(coupled: Mapping[str, MaCoupled]) -> None:
    """Names of models and own ports; ports of atomic models are known by their classes only."""
    mistakes: list[Diagnostic] = []
    for each in coupled.values():
        names = {component.name for component in each.components}
        for link in each.links:
            for end, own, word in (
                (link.source, each.inputs, "in"),
                (link.target, each.outputs, "out"),
            ):
                if end.model and end.model not in names:
                    text = f"`{end.model}` is no component of `{each.name}`"
                    mistakes.append(Diagnostic("N080", text, (Label(end.span),)))
                if not end.model and end.port not in own:
                    text = f"`{each.name}` has no port `{end.port}`"
                    cure = f"add `{word} : {end.port}`, or write `{end.port}@model`"
                    mistakes.append(Diagnostic("N081", text, (Label(end.span),), cure))
    if mistakes:
        raise CompileError(*mistakes)
