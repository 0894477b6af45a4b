"""`MaFile` to a `Coupled` that runs, and back.

Atomic classes are looked up in a table from lower-case class names to functions that make a model
from its parameters and from the ports that links use. A model that can be written into a file is a
`Described`: it tells its class and parameters.

    build(file, {"clock": lambda given: Clock(given.number("period", 1.0))})
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any, Protocol, TypeAlias, final, runtime_checkable

from freewheel.base.diagnostics import CompileError, Diagnostic, Label, UsageError, error
from freewheel.base.source import Span
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
from freewheel.devs.nodes import Atomic, Component, Coupled, Coupling, Port

MOST_LISTED = 12  # ports in a message


@runtime_checkable
class Described(Protocol):
    """An atomic model that a `.ma` file can name."""

    def description(self) -> tuple[str, Mapping[str, str]]:
        """Its class, and its parameters as text."""
        ...


@final
@dataclass
class Given:
    """The entries of a file for one atomic model; records which parameters were read."""

    name: str
    values: Mapping[str, MaValue]
    inputs: tuple[str, ...]  # ports that links lead to
    outputs: tuple[str, ...]  # and from
    span: Span
    asked: set[str] = field(default_factory=set)

    def text(self, key: str, default: str = "") -> str:
        self.asked.add(key)
        return self.values[key].text if key in self.values else default

    def number(self, key: str, default: float | None = None) -> float:
        """A number; there must be one if there is no default."""
        self.asked.add(key)
        if key not in self.values:
            if default is None:
                raise error(
                    "N084", f"`{self.name}` needs the parameter `{key}`", self.span,
                    help=f"add `{key} : value` to `[{self.name}]`",
                )  # fmt: skip
            return default
        value = self.values[key]
        try:
            return float(value.text)
        except ValueError:
            text = f"`{key}` of `{self.name}` is no number: `{value.text}`"
            raise error("N085", text, value.span) from None

    def numbers(self, key: str) -> tuple[float, ...]:
        self.asked.add(key)
        if key not in self.values:
            return ()
        try:
            return tuple(float(word) for word in self.values[key].text.split())
        except ValueError:
            text = f"`{key}` of `{self.name}` is no list of numbers"
            raise error("N085", text, self.values[key].span) from None

    def wrong(self, key: str, why: str) -> CompileError:
        """The parameter has a value that cannot be."""
        span = self.values[key].span if key in self.values else self.span
        return error("N085", f"`{key}` of `{self.name}`: {why}", span)

    def check_all_asked(self) -> None:
        for key, value in self.values.items():
            if key not in self.asked:
                known = ", ".join(f"`{name}`" for name in sorted(self.asked)) or "none"
                text = f"`{self.name}` has no parameter `{key}`"
                raise error("N084", text, value.span, help=f"its parameters are: {known}")


Classes: TypeAlias = Mapping[str, Callable[[Given], Atomic[Any]]]


def build(file: MaFile, classes: Classes) -> Coupled:
    """Inner coupled models first."""
    built: dict[str, Coupled] = {}
    for name in reversed(tuple(file.coupled)):
        coupled = file.coupled[name]
        used = _used_ports(coupled)
        components: dict[str, Component] = {
            each.name: built[each.name]
            if not each.class_name
            else _atomic(each, file.parameters.get(each.name, {}), used[each.name], classes)
            for each in coupled.components
        }
        _check_ports(coupled.links, components)
        built[name] = Coupled(
            components,
            [Coupling(_port(link.source), _port(link.target)) for link in coupled.links],
            coupled.inputs,
            coupled.outputs,
        )
    return built[TOP]


def _used_ports(coupled: MaCoupled) -> dict[str, tuple[dict[str, None], dict[str, None]]]:
    """Of each component the inputs and the outputs that links name, in their order."""
    used: dict[str, tuple[dict[str, None], dict[str, None]]] = {
        each.name: ({}, {}) for each in coupled.components
    }
    for link in coupled.links:
        if link.target.model:
            used[link.target.model][0].setdefault(link.target.port)
        if link.source.model:
            used[link.source.model][1].setdefault(link.source.port)
    return used


def _atomic(
    component: MaComponent,
    values: Mapping[str, MaValue],
    used: tuple[dict[str, None], dict[str, None]],
    classes: Classes,
) -> Atomic[Any]:
    if component.class_name not in classes:
        near = get_close_matches(component.class_name, sorted(classes), 1)
        known = ", ".join(f"`{name}`" for name in near or sorted(classes))
        text = f"there is no class `{component.class_name}`"
        cure = f"did you mean {known}?" if near else f"known are {known}"
        raise error("N086", text, component.span, help=cure)
    given = Given(component.name, values, tuple(used[0]), tuple(used[1]), component.span)
    made: object = classes[component.class_name](given)  # by a function of the user, perhaps
    if not isinstance(made, Atomic):
        what = type(made).__name__
        text = f"the class `{component.class_name}` makes a {what}, no atomic model"
        raise error("N086", text, component.span, help="let its function give an `Atomic`")
    given.check_all_asked()
    return made


def _check_ports(links: Sequence[MaLink], components: Mapping[str, Component]) -> None:
    inputs = {name: frozenset(each.inputs) for name, each in components.items()}
    outputs = {name: frozenset(each.outputs) for name, each in components.items()}
    for link in links:
        for end, kind, ports in ((link.source, "output", outputs), (link.target, "input", inputs)):
            if not end.model or end.port in ports[end.model]:
                continue
            component = components[end.model]
            known = component.outputs if kind == "output" else component.inputs
            listed = ", ".join(f"`{name}`" for name in known[:MOST_LISTED]) or "none"
            listed += " and more" if len(known) > MOST_LISTED else ""
            text = f"`{end.model}` has no {kind} `{end.port}`"
            label = Label(end.span)
            raise CompileError(Diagnostic("N081", text, (label,), f"its {kind}s are: {listed}"))


def _port(end: MaEnd) -> Port:
    return Port(end.model, end.port)


def as_ma(model: Coupled) -> MaFile:
    """The file that describes a model; every atomic model in it must be `Described`."""
    names = _file_names(model)
    coupled: dict[str, MaCoupled] = {}
    parameters: dict[str, Mapping[str, MaValue]] = {}
    written: list[str] = []  # words as the model spells them
    waiting: list[tuple[str, Coupled]] = [("", model)]
    while waiting:
        path, each = waiting.pop(0)
        components: list[MaComponent] = []
        own = {name: names[f"{path}.{name}"] for name in each.components}
        written += (*each.components, *each.inputs, *each.outputs)
        for name, part in each.components.items():
            if isinstance(part, Coupled):
                waiting.append((f"{path}.{name}", part))
                components.append(MaComponent(own[name]))
                continue
            class_name, values = _description(part, f"{path}.{name}")
            components.append(MaComponent(own[name], class_name.lower()))
            written += (class_name, *values, *values.values())
            if values:
                parameters[own[name]] = {k.lower(): MaValue(v.lower()) for k, v in values.items()}
        links = tuple(MaLink(_end(k.source, own), _end(k.target, own)) for k in each.couplings)
        coupled[names[path]] = MaCoupled(
            names[path],
            tuple(components),
            tuple(port.lower() for port in each.inputs),
            tuple(port.lower() for port in each.outputs),
            links,
        )
    words = [word for text in written for word in WORD.findall(text)]
    spelling = {word.lower(): word for word in reversed(words) if word.lower() != word}
    return MaFile(coupled, parameters, spelling)


def _description(part: Atomic[Any], path: str) -> tuple[str, Mapping[str, str]]:
    if not isinstance(part, Described):
        raise UsageError(
            Diagnostic(
                "U081",
                f"`{path[1:]}` cannot be written into a `.ma` file",
                help="give its class a method `description` that returns class and parameters",
            )
        )
    return part.description()


def _end(port: Port, names: Mapping[str, str]) -> MaEnd:
    return MaEnd(port.name.lower(), names[port.component] if port.component else "")


def _told(path: str) -> str:
    return f"`{path[1:]}`" if path else f"the whole model, `{TOP}`,"


def _file_names(model: Coupled) -> dict[str, str]:
    """Sections have no hierarchy: a name that occurs twice is written with its whole path."""
    paths: dict[str, str] = {"": TOP}
    waiting: list[tuple[str, Coupled]] = [("", model)]
    while waiting:
        path, each = waiting.pop(0)
        for name, part in each.components.items():
            paths[f"{path}.{name}"] = name.lower()
            if isinstance(part, Coupled):
                waiting.append((f"{path}.{name}", part))
    counts: dict[str, int] = {}
    for name in paths.values():
        counts[name] = counts.get(name, 0) + 1
    names = {
        path: name if counts[name] == 1 or not path else path[1:].replace(".", "_").lower()
        for path, name in paths.items()
    }
    taken: dict[str, str] = {}
    for path, name in names.items():
        if name in taken:
            raise UsageError(
                Diagnostic(
                    "U082",
                    f"{_told(taken[name])} and {_told(path)} have one name in a `.ma` file",
                    help="it does not distinguish small and capital letters; rename one of them",
                )
            )
        taken[name] = path
    return names
