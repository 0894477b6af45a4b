"""Where classes live on disk, and the tree of classes read from there.

In: directories. Out: a `Library` that finds a class by its full name and reads only the files on
the way. `Library([Path("MSL-4.1.0")]).find(("Modelica", "Blocks", "Sources", "Sine"))` reads three
files called `package.mo` or `Sources.mo`.

A top-level name is looked for among the files added by the user, then in the directories given,
then in those of the environment variable MODELICAPATH, beside the packages given, and last in the
library that comes with the program. Rules: Modelica 3.6, "Mapping Package/Class Structures to a
Hierarchical File System" and "The Modelica Library Path MODELICAPATH".
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from freewheel.base.diagnostics import CompileError, Diagnostic, UsageError, shortened
from freewheel.base.names import ClassName, show
from freewheel.base.source import Source, Span
from freewheel.dymola.files import Cuts, is_classic
from freewheel.instance.cache import load, tree_of
from freewheel.instance.diagnostics.names import (
    defined_twice_in_file,
    no_enclosing_package,
    wrong_class_in_file,
    wrong_within,
)
from freewheel.instance.places import Found, Place, package_files, package_order
from freewheel.instance.read_log import ReadLog
from freewheel.instance.versions import uses_of, version_of
from freewheel.syntax.nodes import ClassDef, LongBody, NestedClass, StoredFile


@dataclass(frozen=True, slots=True)
class PackageInfo:
    """A top-level class that can be found, for `freewheel library list`."""

    name: str
    version: str  # of its annotation, empty if it has none
    path: Path
    origin: str  # "library", "MODELICAPATH", "neighbour", "embedded" or "file"
    used: bool  # whether anything of it was read so far


class ClassEntry:
    """One class of the class tree, created once. Classes below it are read when asked for."""

    __slots__ = ("_below", "_files", "_in_tree", "log", "name", "parent", "source", "tree")

    def __init__(
        self,
        name: ClassName,
        tree: ClassDef,
        source: Source,
        parent: ClassEntry | None,
        log: ReadLog,
        folder: Path | None = None,
    ) -> None:
        self.name = name
        self.tree = tree
        self.source = source
        self.parent = parent
        self.log = log
        self._files: dict[str, Path] = {} if folder is None else package_files(folder)
        if folder is not None:
            log.note_folder(folder, self._files)
        self._below: dict[str, ClassEntry | None] = {}
        self._in_tree: dict[str, ClassDef] | None = None

    def __repr__(self) -> str:
        return f"ClassEntry({show(self.name)})"

    def nested(self, ident: str) -> ClassEntry | None:
        """The class of that name declared directly inside, on disk or in the text."""
        if ident not in self._below:
            self._below[ident] = self._read(ident)
        return self._below[ident]

    def nested_names(self) -> tuple[str, ...]:
        """Classes directly inside: in the order of `package.order`, else as declared."""
        declared = self._declared()
        added = [name for name, entry in self._below.items() if entry is not None]
        known = dict.fromkeys((*declared, *sorted(self._files), *added))
        folder = Path(self.source.path).parent if self._files else None
        first = package_order(folder) if folder is not None else ()
        return tuple(dict.fromkeys([name for name in first if name in known] + list(known)))

    def version(self) -> str:
        """The version in the annotation, empty if there is none."""
        return version_of(self.tree, self.source)

    def uses(self) -> dict[str, str]:
        """The libraries and versions that the annotation `uses` names."""
        return uses_of(self.tree, self.source)

    def adopt(self, entry: ClassEntry) -> None:
        """Put a class of another file below this one, in place of one of the same name."""
        self._below[entry.name[-1]] = entry

    def _declared(self) -> dict[str, ClassDef]:
        if self._in_tree is None:
            body = self.tree.body
            elements = body.elements if isinstance(body, LongBody) else ()
            found: dict[str, ClassDef] = {}
            for element in elements:
                if isinstance(element, NestedClass):
                    found.setdefault(element.definition.name, element.definition)
            self._in_tree = found
        return self._in_tree

    def _read(self, ident: str) -> ClassEntry | None:
        tree = self._declared().get(ident)
        if tree is not None:
            return ClassEntry((*self.name, ident), tree, self.source, self, self.log)
        path = self._files.get(ident)
        return None if path is None else _read_class(path, ident, self, self.log)


class Library:
    """Every class that can be found, by name."""

    def __init__(
        self,
        directories: Sequence[Path],
        embedded: bool = True,
        use_modelicapath: bool = True,
        cuts: Cuts = Cuts.EQUATIONS,
        classic_before: Sequence[Source] = (),
    ) -> None:
        self._made_with = (tuple(directories), embedded, use_modelicapath, cuts, classic_before)
        self._sources: list[Source] = []  # users' files as they were added
        self._tops: dict[str, ClassEntry | None] = {}
        self._added: dict[str, ClassEntry] = {}
        self._wanted: dict[str, str] = {}  # versions that users' files ask for
        self._given: list[str] = []  # paths and texts of users' files
        self.log = ReadLog()
        for directory in directories:
            if not directory.exists():
                raise _no_such_directory(directory)
        self.directories = tuple(directories)
        self.classic: dict[str, Source] = {}  # classic files as written, by path
        self.classic_before = tuple(classic_before)  # files whose classes are known already
        self._cuts = cuts  # what becomes of those of classic files
        self._places = _places(directories, embedded, use_modelicapath)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickled as where it looks and what was added; classes are read again."""
        return _made_again, (self._made_with, tuple(self._sources))

    def __repr__(self) -> str:
        places = ", ".join(shortened(str(place)) for place in self.directories)
        return f"Library({places})"

    def top(self, ident: str) -> ClassEntry | None:
        """The top-level class or package of that name."""
        if ident in self._added:
            return self._added[ident]
        if ident not in self._tops:
            found = self._find_top(ident)
            self._tops[ident] = (
                None if found is None else _read_class(found.path, ident, None, self.log)
            )
        return self._tops[ident]

    def find(self, name: ClassName) -> ClassEntry | None:
        """A class by its full name; inherited classes are not looked at."""
        entry = self.top(name[0]) if name else None
        for ident in name[1:]:
            if entry is None:
                return None
            entry = entry.nested(ident)
        return entry

    def add_file(self, source: Source) -> tuple[ClassEntry, ...]:
        """The classes of a user's file. They win over those of the libraries."""
        self._sources.append(source)
        if not is_classic(source.path):
            return self._add_tree(source, tree_of(source))
        from freewheel.dymola.lower_file import lower_file

        # A classic file brings the classes of its library along; the user's own come first.
        units = lower_file(source, self.directories, self._cuts, self.classic_before)
        self.classic[source.path] = source
        own, *_ = [self._add_tree(unit, file) for unit, file in units]
        return own

    def _add_tree(self, source: Source, file: StoredFile) -> tuple[ClassEntry, ...]:
        self._given += [str(Path(source.path).absolute()), source.path, source.text]
        parent = self._package_of(file, source)
        added = []
        for tree in file.classes:
            name = (*parent.name, tree.name) if parent is not None else (tree.name,)
            folder = _folder_of(Path(source.path), tree)
            entry = ClassEntry(name, tree, source, parent, self.log, folder)
            if parent is None:
                self._refuse_second(entry)
                self._added[tree.name] = entry
                self._wanted.update(entry.uses())
            else:
                parent.adopt(entry)
            added.append(entry)
        return tuple(added)

    def identity(self) -> list[str]:
        """Texts that say where classes are looked for and what is given besides; with the content of
        everything in `log` they determine every answer."""
        places = [str(place.path.absolute()) + place.contents() for place in self._places]
        return [*places, *self._given, self._cuts.value]

    def packages(self) -> tuple[PackageInfo, ...]:
        """All top-level classes in the order they are searched; each name once."""
        infos: dict[str, PackageInfo] = {}
        for ident, entry in self._added.items():
            path = Path(entry.source.path)
            infos[ident] = PackageInfo(ident, entry.version(), path, "file", True)
        for place in self._places:
            for found in place.all():
                if found.name not in infos:
                    infos[found.name] = self._info(found)
        return tuple(infos.values())

    def used(self) -> tuple[PackageInfo, ...]:
        """The packages that were read so far, files added by the user aside."""
        read = [ident for ident, entry in self._tops.items() if entry is not None]
        places = [self._find_top(ident) for ident in sorted(read)]
        return tuple(self._info(found) for found in places if found is not None)

    def folders(self) -> dict[str, Path]:
        """The directories of all top-level classes, for URIs of resources; nothing is read."""
        folders: dict[str, Path] = {}
        for ident, entry in self._added.items():
            folders[ident] = Path(entry.source.path).absolute().parent
        for place in self._places:
            for found in place.all():
                best = self._find_top(found.name) or found
                folders.setdefault(found.name, best.path.absolute().parent)
        return folders

    def readable(self) -> tuple[str, ...]:
        """The folders in which models may read data: those of users' files and of libraries."""
        given = [Path(path).parent for path in self.files_given()]
        found = [one for place in self._places for one in place.all() if _has_folder(one)]
        places = (*given, *(one.path.absolute().parent for one in found))
        return tuple(dict.fromkeys(str(folder) for folder in places))

    def files_given(self) -> list[str]:
        """Absolute paths of users' files."""
        return self._given[::3]

    def _info(self, found: Found) -> PackageInfo:
        used = self._tops.get(found.name) is not None
        try:
            entry = self.top(found.name)
        except CompileError:  # a list of what is there goes on; using it will tell the error
            entry = None
        version = found.version if entry is None else entry.version()
        return PackageInfo(found.name, version, found.path, found.origin, used)

    def _find_top(self, ident: str) -> Found | None:
        for place in self._places:
            found = place.find(ident, self._wanted.get(ident, ""))
            if found is not None:
                return found
        return None

    def _refuse_second(self, entry: ClassEntry) -> None:
        first = self._added.get(entry.name[0])
        if first is None or first.source.path != entry.source.path:
            return
        raise defined_twice_in_file(entry.name[0], _name_span(entry), _name_span(first))

    def _package_of(self, file: StoredFile, source: Source) -> ClassEntry | None:
        """The package that `within` names. A file of a directory package brings it along."""
        within = file.within
        if within is None or not within.parts:
            return None
        if self.top(within.parts[0]) is None:
            root = _root_package(Path(source.path))
            if root is not None:
                self._places = (Place(root, "file"), *self._places)
                self._tops.clear()
        parent = self.find(within.parts)
        if parent is not None:
            return parent
        raise no_enclosing_package(show(within.parts), Span(source, within.start, within.end))


def _has_folder(found: Found) -> bool:
    """A file beside a package that was given brings no folder of its own: it may lie in a home."""
    return found.origin != "neighbour" or found.path.name == "package.mo"


def _made_again(arguments: tuple[Any, ...], sources: tuple[Source, ...]) -> Library:
    library = Library(*arguments)
    for source in sources:
        library.add_file(source)
    return library


def _places(
    directories: Sequence[Path], embedded: bool, use_modelicapath: bool
) -> tuple[Place, ...]:
    places = [Place(place, "library") for place in directories if not is_classic(place)]
    if use_modelicapath:
        listed = os.environ.get("MODELICAPATH", "").split(os.pathsep)
        places += [Place(Path(text), "MODELICAPATH") for text in listed if text]
    # `--library MSL/Modelica` needs `MSL/Complex.mo` beside it.
    places += [Place(p.path.resolve().parent, "neighbour") for p in places if p.is_package]
    if embedded:
        places.append(Place(Path(__file__).parent.parent / "library", "embedded"))
    return tuple(places)


# ---------------------------------------------------------------- one file


def _read_class(path: Path, ident: str, parent: ClassEntry | None, log: ReadLog) -> ClassEntry:
    """The class stored in a file of a directory package, or at the top of a library directory."""
    source, file = load(path)
    log.note_file(path, source.text)
    _check_within(file, source, () if parent is None else parent.name)
    for tree in file.classes:
        if tree.name == ident:
            name = (ident,) if parent is None else (*parent.name, ident)
            return ClassEntry(name, tree, source, parent, log, _folder_of(path, tree))
    first = file.classes[0]
    span = Span(source, first.name_start, first.name_start + len(first.name))
    raise wrong_class_in_file(ident, first.name, span)


def _folder_of(path: Path, tree: ClassDef) -> Path | None:
    """The directory whose files are classes of this one."""
    return path.parent if path.name == "package.mo" and tree.kind == "package" else None


def _check_within(file: StoredFile, source: Source, expected: ClassName) -> None:
    if file.within is None or file.within.parts == expected:
        return
    wanted = f"within {show(expected)};" if expected else "within;"
    raise wrong_within(
        show(file.within.parts),
        wanted,
        Span(source, file.within.start, file.within.end),
    )


def _root_package(path: Path) -> Path | None:
    """The outermost directory package around a file."""
    root = None
    for folder in _folders_above(path):
        if not os.path.isfile(folder / "package.mo"):
            break
        root = folder
    return root


def _folders_above(path: Path) -> Iterator[Path]:
    folder = path.absolute().parent
    yield folder
    yield from folder.parents


def _name_span(entry: ClassEntry) -> Span:
    start = entry.tree.name_start
    return Span(entry.source, start, start + len(entry.tree.name))


def _no_such_directory(directory: Path) -> UsageError:
    return UsageError(
        Diagnostic(
            "U011",
            f"there is no library `{directory}`",
            help="--library takes a package's directory, a directory of packages, a .mo or a .dym file",
            file=str(directory),
        )
    )
