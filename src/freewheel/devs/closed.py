"""Closure under coupling: a tree of coupled models becomes numbered atomic models and routes.

In: a `Coupled`. Out: a `Closed`: atomic models in order of precedence and, for each of their
output ports, the input ports of atomic models where its events arrive. A coordinator that works on
it passes no message through a hierarchy.

    close(Coupled({"a": Clock()}, ("a.tick -> out",), outputs=("out",)))
    names ("a",), routes ({"tick": ((1, "out", None),)},): number 1, past the last, is outside
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from freewheel.base.diagnostics import CompileError, Diagnostic
from freewheel.devs.check import check
from freewheel.devs.nodes import Atomic, Component, Coupled, Port, Select

Translate: TypeAlias = Callable[[Any], Any]
Route: TypeAlias = tuple[int, str, Translate | None]  # who, which port, what becomes of the value
Routes: TypeAlias = Mapping[str, tuple[Route, ...]]
MOST_WAYS = 200_000  # two couplings side by side at each of 18 levels are more

_Place: TypeAlias = tuple[str, Port]  # path of a coupled model, a port as seen inside it


@dataclass(frozen=True, slots=True)
class Closed:
    """Atomic models side by side."""

    names: tuple[str, ...]  # dotted paths, in order of precedence
    models: tuple[Atomic[Any], ...]
    routes: tuple[Routes, ...]  # per model; target `len(models)` is the outside
    inputs: Routes  # where events from outside go
    outputs: tuple[str, ...]
    selects: Mapping[str, Select]  # path of a coupled model ("" is the whole) -> its choice


def close(model: Coupled) -> Closed:
    """Number the atomic models and follow every coupling to its ends."""
    check(model)
    atomics, inside = _parts(model)
    follow = _Follower(inside, {path: at for at, path in enumerate(atomics)})
    return Closed(
        names=tuple(atomics),
        models=tuple(atomics.values()),
        routes=tuple(
            {port: follow.from_component(path, port) for port in atomic.outputs}
            for path, atomic in atomics.items()
        ),
        inputs={port: follow.from_input("", port) for port in model.inputs},
        outputs=model.outputs,
        selects={path: each.select for path, each in inside.items() if each.select is not None},
    )


def _parts(model: Coupled) -> tuple[dict[str, Atomic[Any]], dict[str, Coupled]]:
    """Atomic and coupled models by their paths, in order of precedence."""
    atomics: dict[str, Atomic[Any]] = {}
    inside: dict[str, Coupled] = {"": model}
    waiting: list[tuple[str, Component]] = [("", model)]
    while waiting:
        path, component = waiting.pop()
        if not isinstance(component, Coupled):
            atomics[path] = component
            continue
        inside[path] = component
        prefix = f"{path}." if path else ""
        waiting += [
            (prefix + name, part) for name, part in reversed(list(component.components.items()))
        ]
    return atomics, inside


class _Follower:
    """Finds where events end up."""

    def __init__(self, inside: Mapping[str, Coupled], numbers: Mapping[str, int]) -> None:
        self.inside = inside
        self.numbers = numbers
        self.leaving: dict[_Place, list[tuple[Port, Translate | None]]] = {}
        for path, coupled in inside.items():
            for each in coupled.couplings:
                targets = self.leaving.setdefault((path, each.source), [])
                targets.append((each.target, each.translate))

    def from_component(self, path: str, port: str) -> tuple[Route, ...]:
        parent, _, name = path.rpartition(".")
        return self._ends((parent, Port(name, port)))

    def from_input(self, path: str, port: str) -> tuple[Route, ...]:
        return self._ends((path, Port("", port)))

    def _ends(self, first: _Place) -> tuple[Route, ...]:
        ends: list[Route] = []
        waiting: deque[tuple[_Place, Translate | None]] = deque([(first, None)])
        while waiting:
            place, before = waiting.popleft()
            path = place[0]
            for target, after in self.leaving.get(place, ()):
                translate = _composed(before, after)
                inner = f"{path}.{target.component}" if path else target.component
                if not target.component and not path:
                    ends.append((len(self.numbers), target.name, translate))
                elif not target.component:
                    parent, _, name = path.rpartition(".")
                    waiting.append(((parent, Port(name, target.name)), translate))
                elif inner in self.inside:
                    waiting.append(((inner, Port("", target.name)), translate))
                else:
                    ends.append((self.numbers[inner], target.name, translate))
            if len(ends) + len(waiting) > MOST_WAYS:
                raise _too_many(first)
        return tuple(ends)


def _too_many(first: _Place) -> CompileError:
    path, port = first
    name = ".".join(part for part in (path, port.component, port.name) if part)
    return CompileError(
        Diagnostic(
            "N089",
            f"an event at `{name}` would go more than {MOST_WAYS} ways",
            help="parallel couplings double the number of paths at every level of the hierarchy",
        )
    )


def _composed(first: Translate | None, then: Translate | None) -> Translate | None:
    if first is None or then is None:
        return first or then
    return lambda value: then(first(value))
