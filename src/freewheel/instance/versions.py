"""What a package's annotation says about versions.

In: a class and its source. Out: its version, and the versions of the libraries it uses.
`annotation(version="1.0", uses(Modelica(version="4.0.0")))` gives `"1.0"` and
`{"Modelica": "4.0.0"}`.
"""

from __future__ import annotations

from collections.abc import Sequence

from freewheel.base.source import Source
from freewheel.syntax.expression_nodes import Str
from freewheel.syntax.nodes import Argument, ClassDef, ElementMod, Modification
from freewheel.syntax.parser import parse_annotation


def version_of(tree: ClassDef, source: Source) -> str:
    """The version, empty if the annotation names none."""
    return _text(_argument(_annotation(tree, source), "version"))


def uses_of(tree: ClassDef, source: Source) -> dict[str, str]:
    """Names and versions in `uses`, in the order written."""
    uses = _argument(_annotation(tree, source), "uses")
    libraries = () if uses is None or uses.modification is None else uses.modification.args
    found: dict[str, str] = {}
    for library in libraries:
        if isinstance(library, ElementMod):
            inside = () if library.modification is None else library.modification.args
            found[".".join(library.name)] = _text(_argument(inside, "version"))
    return found


def _annotation(tree: ClassDef, source: Source) -> Sequence[Argument]:
    description = tree.description
    if description is None or description.annotation is None:
        return ()
    return parse_annotation(source, description.annotation).args


def _argument(arguments: Sequence[Argument], name: str) -> ElementMod | None:
    for argument in arguments:
        if isinstance(argument, ElementMod) and argument.name == (name,):
            return argument
    return None


def _text(argument: ElementMod | None) -> str:
    modification: Modification | None = None if argument is None else argument.modification
    value = None if modification is None else modification.binding
    return value.value if isinstance(value, Str) else ""
