"""Changes the user asks for from outside: a class that extends the model with modifiers.

In: a class, `{"R1.R": "50"}`. Out: Modelica text whose only class is the model so modified.

    model Changed
      extends .Circuit(R1.R = 50);
    end Changed;

Written as Modelica, a value may be anything the language allows (`2*pi`, `{1, 2}`, an enumeration
literal, an expression of `time` for an input), and structural parameters work like all others. A
mistake is diagnosed by the same rooms as a mistake in a file.
"""

from __future__ import annotations

from collections.abc import Mapping

from freewheel.base.names import ClassName, show
from freewheel.base.source import Source
from freewheel.instance.library import ClassEntry

CHANGED = "'changed from outside'"  # a quoted identifier, unlikely to be anybody's own


def changed_source(entry: ClassEntry, changes: Mapping[str, str]) -> Source:
    """A file with one class, `CHANGED`, that is the model with its modifiers."""
    modifiers = ", ".join(f"{name} = {value}" for name, value in changes.items())
    text = (
        f"model {CHANGED}\n  extends .{show(entry.name)}({modifiers});\n"
        f"{_annotation(entry)}end {CHANGED};\n"
    )
    return Source.from_text(text, "<command line>")


def changed_name() -> ClassName:
    return (CHANGED,)


def _annotation(entry: ClassEntry) -> str:
    """The model's own annotation: `experiment` is not inherited, and it must still hold."""
    description = entry.tree.description
    if description is None or description.annotation is None:
        return ""
    annotation = description.annotation
    return f"  {entry.source.text[annotation.start : annotation.end]};\n"
