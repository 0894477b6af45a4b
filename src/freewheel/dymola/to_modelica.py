"""A `.dym` file as Modelica text: one class per class, cuts as connectors, `connect` as `connect`.

    to_modelica(read_source(Path("divider.dym")))
        connector Cut ... end Cut; model resistor ... end resistor; ... model divider ... end divider;

The classes of the library that the file uses stand in front of its own. A comment right before a model
becomes its description. Names that Modelica keeps for itself stand in quotes.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any

from freewheel.base.keywords import KEYWORDS, PREDEFINED
from freewheel.base.source import Source
from freewheel.dymola.files import Cuts
from freewheel.dymola.lower_file import lower_file
from freewheel.syntax.expression_nodes import Call, RefPart, TypeName
from freewheel.syntax.nodes import ClassDef, Component, DerBody, ElementMod, Extends, LongBody
from freewheel.syntax.show import show_class
from freewheel.syntax.text_nodes import Description

_COMMENT = re.compile(r"\{([^{}]*)\}\s*\Z")
_RULED = re.compile(r"-{4,}")
_CALLED = (("der",), ("initial",))  # keywords that are


def to_modelica(
    source: Source,
    directories: Sequence[Path] = (),
    driven: Collection[tuple[str, str]] = (),
    before: Sequence[Source] = (),
) -> str:
    """The whole file; parts before wholes. `driven` names (class, input) where the input is to be a
    plain variable, since a class written behind this text gives its value."""
    units = lower_file(source, directories, Cuts.CONNECTORS, before)
    (own, tree), *libraries = units
    connectors = [c for c in tree.classes if c.kind == "connector"]
    rest = [c for c in tree.classes if c.kind != "connector"]
    ordered = [(own, connector) for connector in connectors]
    ordered += [(unit, c) for unit, file in libraries for c in file.classes]
    ordered += [(own, definition) for definition in rest]
    return "\n".join(_class_text(definition, unit, driven) for unit, definition in ordered)


def _class_text(definition: ClassDef, source: Source, driven: Collection[tuple[str, str]]) -> str:
    if definition.description is None:
        text = _told(source.text[: definition.start])
        if text:
            description = Description(definition.start, definition.start, text, None)
            definition = definition._replace(description=description)
    if definition.kind == "class":
        definition = definition._replace(kind="model")
    return show_class(_quoted(_plain(_with_short_names(definition), driven)), source)


def _plain(definition: ClassDef, driven: Collection[tuple[str, str]]) -> ClassDef:
    """The class with inputs that are driven as plain variables."""
    body = definition.body
    if isinstance(body, DerBody):
        return definition
    assert isinstance(body, LongBody)
    elements = tuple(
        element._replace(prefixes=element.prefixes._replace(causality=""))
        if isinstance(element, Component) and (definition.name, element.name) in driven
        else element
        for element in body.elements
    )
    return definition._replace(body=body._replace(elements=elements))


def _told(before: str) -> str:
    """The comment that stands right before a model; a ruled heading is none."""
    found = _COMMENT.search(before)
    if found is None or _RULED.search(found[1]):
        return ""
    text = " ".join(found[1].split()).rstrip(".")
    return text.replace("\\", "\\\\").replace('"', '\\"')


def _with_short_names(definition: ClassDef) -> ClassDef:
    """`Resistor` for `.Resistor`, unless a component has that name."""
    body = definition.body
    if isinstance(body, DerBody):
        return definition
    assert isinstance(body, LongBody)
    names = {safe_name(element.name) for element in body.elements if isinstance(element, Component)}
    elements = []
    for element in body.elements:
        assert isinstance(element, Component | Extends)
        if element.type.parts[0] not in names:
            element = element._replace(type=element.type._replace(absolute=False))
        # The printer follows source positions; here bases and connectors stand before plain variables.
        elements.append(element._replace(start=definition.start))
    return definition._replace(body=body._replace(elements=tuple(elements)))


def _quoted(node: Any) -> Any:
    """Names that mean something else in Modelica in quotes."""
    if not isinstance(node, tuple):
        return node
    if isinstance(node, Call) and node.function.names in _CALLED:
        return node._replace(args=tuple(map(_quoted, node.args)))
    fields = getattr(node, "_fields", None)
    values = [_quoted(value) for value in node]
    if fields is None:
        return tuple(values)
    made = type(node)(*values)
    if isinstance(made, RefPart | Component | ClassDef):
        return made._replace(name=safe_name(made.name))
    if isinstance(made, ElementMod):
        return made._replace(name=tuple(safe_name(name) for name in made.name))
    if isinstance(made, TypeName) and made.parts[0] not in PREDEFINED:
        return made._replace(parts=tuple(safe_name(part) for part in made.parts))
    return made


def safe_name(name: str) -> str:
    return f"'{name}'" if name in PREDEFINED or name in KEYWORDS else name
