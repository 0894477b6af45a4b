"""Changes a user asks for from outside: a class that extends the model with modifiers.

In: a class, `{"R1.R": "50", "u": "sin(100*time)"}`. Out: the name of a class so modified, and,
after flattening, a model that carries the old name and whose driven inputs are plain variables.

    model 'Circuit changed 1a2b3c4d'
      extends .Circuit(R1.R = 50, u = sin(100*time));
    end 'Circuit changed 1a2b3c4d';

Written as Modelica, a value may be anything the language allows (`2*pi`, `{1, 2}`, an enumeration
literal, an expression of `time`), structural parameters work like all others, and a mistake is
diagnosed by the same rooms as a mistake in a file.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from zlib import crc32

from freewheel.base.names import ClassName, show
from freewheel.base.source import Source
from freewheel.flat.nodes import Causality, FlatModel, Variable
from freewheel.instance.library import ClassEntry, Library

QUOTE = "'"
PLACE = "<command line>"  # where diagnostics say the text stands


def changed_class(library: Library, name: ClassName, changes: Mapping[str, str]) -> ClassName:
    """The class with its modifiers, added to the library once; the class itself without any."""
    entry = library.find(name)
    if not changes or entry is None:
        return name
    modifiers = ", ".join(f"{target} = {value}" for target, value in changes.items())
    # Quoted identifiers may hold anything; the number keeps two sets of changes apart.
    ident = f"'{name[-1].strip(QUOTE)} changed {crc32(modifiers.encode()):08x}'"
    if library.top(ident) is None:
        library.add_file(Source.from_text(_text(entry, ident, modifiers), PLACE))
    return (ident,)


def named_back(flat: FlatModel, name: ClassName, driven: Collection[str]) -> FlatModel:
    """The flat model under its own name; an input that is driven is no longer free."""
    if not driven:
        return flat
    variables = tuple(_released(variable, driven) for variable in flat.variables)
    return replace(flat, name=name, variables=variables)


def _released(variable: Variable, driven: Collection[str]) -> Variable:
    if variable.causality is not Causality.INPUT or show(variable.name) not in driven:
        return variable
    return replace(variable, causality=Causality.LOCAL)


def _text(entry: ClassEntry, ident: str, modifiers: str) -> str:
    return (
        f"model {ident}\n  extends .{show(entry.name)}({modifiers});\n"
        f"{_annotation(entry)}end {ident};\n"
    )


def _annotation(entry: ClassEntry) -> str:
    """The model's own annotation: `experiment` is not inherited, and it must still hold."""
    description = entry.tree.description
    if description is None or description.annotation is None:
        return ""
    annotation = description.annotation
    return f"  {entry.source.text[annotation.start : annotation.end]};\n"
