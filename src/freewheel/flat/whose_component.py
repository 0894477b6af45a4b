"""A mistake that shows inside a class of a library is told with the component of the user, too.

    error[R126]: the table `tab` cannot be read ...
      --> mine.mo:2:40         `t` is declared here
      --> Tables.mo:23:58      `t.tableID`

In: diagnostics and the instance. The component is found by the names of variables in the texts; nothing is
added where a place in the user's own file is named already.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace

from freewheel.base.diagnostics import Diagnostic, Label
from freewheel.base.names import Name, read, show
from freewheel.base.source import NOWHERE, Span
from freewheel.flat.open_inputs import component_places
from freewheel.instance.instantiate import Instance

_INDEX = r"(?:\[\d+(?:, ?\d+)*\])?"
_VARIABLE = re.compile(rf"[A-Za-z_]\w*{_INDEX}(?:\.[A-Za-z_]\w*{_INDEX})+")


def with_components(told: Iterable[Diagnostic], instance: Instance) -> tuple[Diagnostic, ...]:
    diagnostics = tuple(told)
    own = instance.node.definition.span.source.path
    if not any(_is_elsewhere(d, own) for d in diagnostics):
        return diagnostics
    places = component_places(instance)
    return tuple(_with_component(d, places, own) for d in diagnostics)


def _is_elsewhere(told: Diagnostic, own: str) -> bool:
    places = [label.span for label in told.labels if label.span is not NOWHERE]
    return bool(places) and all(span.source.path != own for span in places)


def _with_component(told: Diagnostic, places: Mapping[Name, Span], own: str) -> Diagnostic:
    if not _is_elsewhere(told, own):
        return told
    texts = [told.message, *(label.text for label in told.labels)]
    for found in (match for text in texts for match in _VARIABLE.findall(text)):
        name = read(found)
        for length in range(len(name), 0, -1):
            span = places.get(name[:length])
            if span is not None and span.source.path == own:
                label = Label(span, f"`{show(name[:length])}` is declared here")
                return replace(told, labels=_before_classes(told.labels, label))
    return told


def _before_classes(labels: tuple[Label, ...], label: Label) -> tuple[Label, ...]:
    """After a place in a file of data, where the mistake is."""
    places = [label.span.source.path.endswith(".mo") for label in labels]
    at = places.index(True) if True in places else len(labels)
    return (*labels[:at], label, *labels[at:])
