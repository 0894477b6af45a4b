"""A `.dym` file to files of Modelica's tree: the door of this room.

    lower_file(read_source(Path("circuit.dym")), libraries)
        [(source, StoredFile) of circuit.dym, (source, StoredFile) of the library's classes it uses]

A class is looked for in the file itself, then in files entered before it in a session, then in the
`.dym` files given as libraries, then in `library/classic.dym`, which comes with the program and holds the
classes of the documents.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from pathlib import Path

from freewheel.base.diagnostics import error
from freewheel.base.source import Source, Span
from freewheel.dymola.book import Book
from freewheel.dymola.cut_connectors import Shape, connector_class, shape_of
from freewheel.dymola.files import LIBRARY, SUFFIX, Cuts, is_classic
from freewheel.dymola.functions import Notes, called_functions, lower_functions, slopes_asked_for
from freewheel.dymola.given import given_terminals
from freewheel.dymola.join import join_cuts
from freewheel.dymola.kinds import logical_variables
from freewheel.dymola.lower import Facts, lower_class
from freewheel.dymola.nodes import ClassicFile, FunctionDef
from freewheel.dymola.parser import read
from freewheel.dymola.whole import whole_variables
from freewheel.syntax.nodes import ClassDef, StoredFile
from freewheel.syntax.parser import read_source


def lower_file(
    source: Source,
    directories: Sequence[Path] = (),
    cuts: Cuts = Cuts.EQUATIONS,
    before: Sequence[Source] = (),
) -> list[tuple[Source, StoredFile]]:
    """The user's file first; models to be simulated stand behind the classes of a file."""
    try:
        return _lower(source, directories, cuts, before)
    except RecursionError:
        span = Span(source, 0, 0)
        cure = "give parts of the longest expression names of their own"
        raise error("S009", "an expression is nested too deep", span, help=cure) from None


def _lower(
    source: Source, directories: Sequence[Path], cuts: Cuts, before: Sequence[Source]
) -> list[tuple[Source, StoredFile]]:
    own = read(source)
    known = [(unit, read(unit)) for unit in reversed(before)]
    files = [(source, own), *known, *_libraries(directories)]
    book = Book(files)
    names = book.reachable(model.name.text for model in own.models)
    sets = {name: join_cuts(book, name) for name in names}
    taken = frozenset(one for name in names for kind in _declared(book, name) for one in kind)
    given = given_terminals(book, names) if cuts is Cuts.CONNECTORS else frozenset()
    logical = logical_variables(book, names, sets)
    whole = whole_variables(book, names, logical)
    facts = Facts(book, sets, logical, whole, cuts, taken, given)
    lowered = {name: lower_class(facts, name) for name in names}
    connectors = _connectors(facts, names) if cuts is Cuts.CONNECTORS else []
    called = called_functions(book, own, names)
    asked = slopes_asked_for(book, own, names)
    result = []
    for unit, file in files:
        used = [
            model
            for model in sorted(file.models, key=lambda m: not m.is_class)
            if model.name.text in lowered and book.get(model.name.text).source is unit
        ]
        classes = [lowered[model.name.text] for model in used]
        functions = [
            function
            for function in file.functions
            if unit is source
            or (function.name in called and book.functions[function.name][1] is unit)
        ]
        if unit is source:
            classes = [*connectors, *classes]
        if classes or functions:
            result.append(_stored(unit, functions, classes, asked))
    return result


def _declared(book: Book, name: str) -> tuple[Iterable[str], Iterable[str]]:
    members = book.members(name)
    return members.variables, members.submodels


def _stored(
    source: Source, functions: list[FunctionDef], classes: list[ClassDef], asked: Set[str]
) -> tuple[Source, StoredFile]:
    notes = Notes(source)
    lowered = lower_functions(functions, source, notes, asked)
    extended = notes.source()
    tree = StoredFile(0, len(extended.text), None, (*lowered, *classes), ())
    return extended, tree


def _libraries(directories: Iterable[Path]) -> list[tuple[Source, ClassicFile]]:
    """Files with classes, in the order in which they are searched."""
    paths: list[Path] = []
    for place in directories:
        if place.is_dir():
            paths += sorted(place.glob(f"*{SUFFIX}"))
        elif is_classic(place):
            paths.append(place)
    return [(source, read(source)) for source in map(read_source, [*paths, LIBRARY])]


def _connectors(facts: Facts, names: Sequence[str]) -> list[ClassDef]:
    """One for each shape of cut, in the order of use."""
    shapes: dict[Shape, None] = {}
    for name in names:
        members = facts.book.members(name)
        logical = frozenset(
            v for v, declared in members.owner.items() if (declared, v) in facts.logical
        )
        for cut in facts.book.get(name).model.cuts:
            if not cut.parts:
                shapes[shape_of(cut, logical)] = None
    return [connector_class(shape) for shape in shapes]
