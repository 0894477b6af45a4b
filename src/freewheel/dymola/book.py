"""Which classes there are, and everything that a class has, what it inherits included.

    book = Book(files);  book.members("Diode").cuts["A"]      inherited from TwoPort

In: the trees of the user's file and of the libraries, in the order in which a name is looked for. Out:
`Members`. Names that lead nowhere, classes that contain themselves and names said twice are found here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches

from freewheel.base.diagnostics import CompileError, Diagnostic, Label, error
from freewheel.base.source import Source, Span
from freewheel.dymola.nodes import (
    ClassicFile,
    Cut,
    FunctionDef,
    Model,
    Path,
    Submodel,
    Variable,
    Word,
)


@dataclass(frozen=True, slots=True)
class Owned:
    """A class and the file it stands in."""

    model: Model
    source: Source

    def span(self, start: int, end: int) -> Span:
        return Span(self.source, start, end)


@dataclass(frozen=True, slots=True)
class Members:
    """What a class has, by name. `owner` holds the class that declares a variable."""

    owner: dict[str, str] = field(default_factory=dict)
    variables: dict[str, Variable] = field(default_factory=dict)
    cuts: dict[str, Cut] = field(default_factory=dict)
    paths: dict[str, Path] = field(default_factory=dict)
    submodels: dict[str, Submodel] = field(default_factory=dict)
    nodes: dict[str, Word] = field(default_factory=dict)

    @property
    def main_path(self) -> Path | None:
        return next((path for path in self.paths.values() if path.is_main), None)

    @property
    def main_cut(self) -> Cut | None:
        return next((cut for cut in self.cuts.values() if cut.is_main), None)


class Book:
    """Classes by name: those of the first file win."""

    def __init__(self, files: Sequence[tuple[Source, ClassicFile]]) -> None:
        self._models: dict[str, Owned] = {}
        self.functions: dict[str, tuple[FunctionDef, Source]] = {}
        for source, file in files:
            _refuse_second(source, [model.name for model in file.models])
            _refuse_second(source, [Word(f.start, f.end, f.name) for f in file.functions])
            for model in file.models:
                self._models.setdefault(model.name.text, Owned(model, source))
            for function in file.functions:
                self.functions.setdefault(function.name, (function, source))
        self._members: dict[str, Members] = {}

    def get(self, name: str) -> Owned:
        """A class that is known to be there."""
        return self._models[name]

    def find(self, name: Word, source: Source) -> Owned:
        found = self._models.get(name.text)
        if found is not None:
            return found
        near = get_close_matches(name.text, self._models, 3)
        raise error(
            "S040",
            f"there is no class `{name.text}`",
            Span(source, name.start, name.end),
            help="did you mean " + " or ".join(f"`{n}`" for n in near) + "?"
            if near
            else f"write `model class {name.text} ... end`, or give its file with --library",
        )

    def reachable(self, names: Iterable[str]) -> list[str]:
        """The classes and all that they need, parts before wholes; none may contain itself."""
        done: dict[str, None] = {}
        for name in names:
            self._reach(name, (), done)
        return list(done)

    def _reach(self, name: str, above: tuple[str, ...], done: dict[str, None]) -> None:
        if name in done:
            return
        owned = self._models[name]
        for word in _needs(owned.model):
            if word.text in (*above, name):
                raise error(
                    "S041",
                    f"the class `{word.text}` contains itself",
                    owned.span(word.start, word.end),
                    help="remove this submodel or base class, or one on the way back: "
                    + " - ".join((*above, name, word.text)),
                )
            self.find(word, owned.source)
            self._reach(word.text, (*above, name), done)
        done[name] = None

    def lineage(self, name: str) -> Iterator[Owned]:
        """The class, its base class, and so on."""
        while True:
            owned = self._models[name]
            yield owned
            if owned.model.base is None:
                return
            name = owned.model.base.text

    def members(self, name: str) -> Members:
        """Everything of a class; bases first."""
        if name not in self._members:
            members = Members()
            for owned in reversed(list(self.lineage(name))):
                _add(members, owned)
            self._members[name] = members
        return self._members[name]


def _needs(model: Model) -> Iterator[Word]:
    if model.base is not None:
        yield model.base
    for submodel in model.submodels:
        yield submodel.class_name


def _refuse_second(source: Source, names: Sequence[Word]) -> None:
    first: dict[str, Word] = {}
    for name in names:
        if name.text in first:
            raise _twice(source, name, first[name.text])
        first[name.text] = name


def _twice(source: Source, again: Word, first: Word | None) -> CompileError:
    labels = [Label(Span(source, again.start, again.end), "again here")]
    if first is not None:
        labels.append(Label(Span(source, first.start, first.end), "first here"))
    return CompileError(
        Diagnostic(
            "S042",
            f"`{again.text}` is declared twice",
            tuple(labels),
            help="rename or remove one of them",
        )
    )


def _add(members: Members, owned: Owned) -> None:
    """One class on top of what it inherits. Variables of cuts are declared by being there."""
    model, source = owned.model, owned.source
    inherited = {**members.submodels, **members.nodes, **members.variables}
    _refuse_said_twice(source, (*model.variables, *model.submodels, *model.nodes), inherited)
    _refuse_said_twice(source, model.cuts, members.cuts)  # names of their own: the documents have
    _refuse_said_twice(source, model.paths, members.paths)  # a path `p` beside a variable `p`
    for word, items in (("cut", model.cuts), ("path", model.paths)):
        _refuse_second_main(owned, word, [item for item in items if item.is_main])
    for cut in model.cuts:
        for variable in (*cut.across, *cut.through):
            if variable.name in members.owner or not variable.name:
                continue
            start = variable.end - len(variable.name)
            declared = Variable(start, variable.end, "cut", variable.name, None)
            members.owner[variable.name] = model.name.text
            members.variables[variable.name] = declared
        members.cuts[cut.name] = cut
    for own in model.variables:
        members.owner.setdefault(own.name, model.name.text)
        members.variables[own.name] = own
    members.submodels.update((submodel.name, submodel) for submodel in model.submodels)
    members.nodes.update((node.text, node) for node in model.nodes)
    _check_parts(members, owned)
    members.paths.update((path.name, path) for path in model.paths)


def _refuse_said_twice(
    source: Source,
    items: Sequence[Variable | Submodel | Word | Cut | Path],
    inherited: Mapping[str, object],
) -> None:
    here: dict[str, Word] = {}
    for item in items:
        name = item.text if isinstance(item, Word) else item.name
        word = Word(item.start, item.start + len(name), name)
        if name in here or name in inherited:
            raise _twice(source, word, here.get(name))
        here[name] = word


def _refuse_second_main(owned: Owned, word: str, items: Sequence[Cut | Path]) -> None:
    if len(items) > 1:
        first, second = items[:2]
        raise CompileError(
            Diagnostic(
                "S042",
                f"`{owned.model.name.text}` has two main {word}s",
                (
                    Label(owned.span(second.start, second.end), "again here"),
                    Label(owned.span(first.start, first.end), "first here"),
                ),
                help=f"one {word} is the main one; write `{word}` for the others, on a line of its own",
            )
        )


def _check_parts(members: Members, owned: Owned) -> None:
    """Paths and hierarchical cuts name cuts."""
    words = [word for path in owned.model.paths for word in (path.first, path.last)]
    words += [word for cut in owned.model.cuts for word in cut.parts]
    for word in words:
        if word.text not in members.cuts:
            near = get_close_matches(word.text, members.cuts, 3)
            raise error(
                "S043",
                f"`{owned.model.name.text}` has no cut `{word.text}`",
                owned.span(word.start, word.end),
                help="did you mean " + " or ".join(f"`{n}`" for n in near) + "?"
                if near
                else f"declare it: `cut {word.text}(V/i)`",
            )
