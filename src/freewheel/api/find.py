"""From what the user typed to a class: a file, a directory or a dotted name.

In: `circuit.mo` or `Modelica.Blocks.Examples.PID_Controller`, and where libraries are. Out: a
`Library` and the name of the class meant.

A target is a path if it exists, ends in `.mo` or `.dym` or holds a slash; anything else names a class.
Of a file that holds several models the last one is meant, unless a name is given: files are mostly
written parts first, whole last.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from freewheel.base.diagnostics import Diagnostic, UsageError, shortened
from freewheel.base.files import require_regular
from freewheel.base.names import ClassName, name_of, show
from freewheel.base.near import did_you_mean
from freewheel.base.source import Source
from freewheel.dymola.files import Cuts, is_classic
from freewheel.instance.library import ClassEntry, Library
from freewheel.instance.places import Place
from freewheel.syntax.parser import read_source

SIMULATED = ("model", "block", "class")  # kinds of class that can be simulated
HOLDERS = ("package", "operator", "operator record")  # classes that are there for what is inside
TEXT = "the text"  # what a message calls it
SHOWN_NAMES = 8  # of a list of candidates in a message
HOW_TO_FIND = "give the file that holds it, or its library with --library or MODELICAPATH"


def is_path(target: str) -> bool:
    """Whether the target means a file or directory rather than a class."""
    return target.endswith((".mo", ".dym")) or os.sep in target or os.path.exists(target)


def find_class(
    target: str, model: str | None, directories: Sequence[Path], cuts: Cuts = Cuts.EQUATIONS
) -> tuple[Library, ClassName]:
    """The one class meant by a target and an optional `-m` name; `cuts` are those of `.dym` files."""
    if not is_path(target):
        # Inherited classes have a name but no entry of their own; the instance room finds them.
        library, name = (
            Library(directories),
            name_of(target if model is None else f"{target}.{model}"),
        )
        if library.top(name[0]) is None:
            raise _no_class(target)
        return library, name
    library, entries = open_path(Path(target), directories, cuts)
    if model is not None:
        return library, _named(entries, model, target)
    return library, _last_model(entries, target)


def find_models(target: str, directories: Sequence[Path]) -> tuple[Library, list[ClassName]]:
    """Every model that a file, a package or a class means."""
    if is_path(target):
        library, entries = open_path(Path(target), directories)
        return library, [entry.name for top in entries for entry in models_below(top)]
    library = Library(directories)
    name = name_of(target)
    if library.top(name[0]) is None:
        raise _no_class(target)
    top = library.find(name)
    if top is None or top.tree.kind != "package":
        return library, [name]
    return library, [entry.name for entry in models_below(top)]


def find_classes(target: str, directories: Sequence[Path]) -> tuple[Library, list[ClassEntry]]:
    """Every class that a file, a package or a class means, those inside models apart."""
    if is_path(target):
        library, entries = open_path(Path(target), directories)
        return library, [entry for top in entries for entry in classes_below(top)]
    library = Library(directories)
    name = name_of(target)
    if library.top(name[0]) is None:
        raise _no_class(target)
    top = library.find(name)
    return library, [] if top is None else list(classes_below(top))


def find_file(target: str, directories: Sequence[Path]) -> Path:
    """The file named, or the one a class was read from."""
    if is_path(target):
        _require_readable(Path(target))
        return Path(target)
    entry = Library(directories).find(name_of(target))
    if entry is None:
        raise UsageError(
            Diagnostic(
                "U003",
                f"no file was found for the class `{target}`",
                help="is its library on the path? `freewheel library list` shows what is found",
            )
        )
    return Path(entry.source.path)


def open_path(
    path: Path, directories: Sequence[Path], cuts: Cuts = Cuts.EQUATIONS
) -> tuple[Library, tuple[ClassEntry, ...]]:
    """A library that knows the file or package directory, and the classes at its top."""
    if os.path.isdir(path):
        library = Library((path, *directories))
        return library, _package_in(library, path)
    _require_readable(path)
    library = Library(directories, cuts=cuts)
    return library, library.add_file(read_source(path))


def find_in_text(
    text: str, model: str | None, directories: Sequence[Path]
) -> tuple[Library, ClassName]:
    """The one class meant of a text with classes."""
    library = Library(directories)
    entries = library.add_file(Source.from_text(text))
    if model is not None:
        return library, _named(entries, model, TEXT)
    return library, _last_model(entries, TEXT)


def models_below(entry: ClassEntry) -> Iterator[ClassEntry]:
    """What can be simulated: the class itself or, of a package, all inside, in the order written.

    Classes inside a model are its parts and are not listed.
    """
    waiting = [entry]
    while waiting:
        current = waiting.pop()
        if can_be_simulated(current):
            yield current
        else:
            waiting.extend(reversed(list(_children(current))))


def classes_below(entry: ClassEntry) -> Iterator[ClassEntry]:
    """The class itself and, of a package, all inside, in the order written. Classes inside a model are its
    parts: they are looked at with it. Of a classic file its models are meant."""
    if is_classic(entry.source.path):
        yield from models_below(entry)
        return
    waiting = [entry]
    while waiting:
        current = waiting.pop()
        yield current
        if current.tree.kind in HOLDERS:
            waiting.extend(reversed(list(_children(current))))


def can_be_simulated(entry: ClassEntry) -> bool:
    if is_classic(entry.source.path):
        return entry.tree.kind == "model"  # and not `model class`, which is a part of others
    return entry.tree.kind in SIMULATED and not entry.tree.partial


def _require_readable(path: Path) -> None:
    """A path given on the command line that cannot be read is a mistake of the call."""
    try:
        require_regular(path)
    except OSError as problem:
        raise UsageError(
            Diagnostic(
                "U002",
                f"cannot read `{path}`: {problem.strerror or problem}",
                help=_instead_of(path),
                file=str(path),
            )
        ) from problem


def _instead_of(path: Path) -> str:
    """What may have been meant by a path that cannot be read."""
    from freewheel.api.examples import examples

    if path.exists() or not path.parent.is_dir():
        near = ""
    else:
        near = did_you_mean(path.name, (other.name for other in path.parent.iterdir()))
    if near:
        return near
    inside = path.as_posix().removeprefix("examples/")
    for example in examples():
        if inside == str(example.file):
            return f"`freewheel example copy {example.name}` copies the example of this name"
    return "check the path and its permissions"


def _no_class(target: str) -> UsageError:
    """A target that is neither a file nor the name of a class."""
    folder = Path(target).parent
    files = [path for path in (folder.iterdir() if folder.is_dir() else ()) if is_path(str(path))]
    near = [f"`{path}`" for path in files if path.stem == Path(target).stem and path.is_file()]
    hint = f"did you mean the file {near[0]}?" if near else HOW_TO_FIND
    return UsageError(
        Diagnostic("U003", f"there is no file or class `{shortened(target)}`", help=hint)
    )


def _package_in(library: Library, path: Path) -> tuple[ClassEntry, ...]:
    place = Place(path, "library")
    if not place.is_package:
        raise UsageError(
            Diagnostic(
                "U004",
                f"`{path}` is a directory without a `package.mo`",
                help="name a .mo file, or a class together with --library",
                file=str(path),
            )
        )
    entry = library.top(place.all()[0].name)
    assert entry is not None, f"{path} is a package and the first place to look"
    return (entry,)


def _named(entries: Sequence[ClassEntry], model: str, target: str) -> ClassName:
    """`-m` names a class of the target by its full name or by the end of it."""
    wanted = name_of(model)
    inside = [entry for top in entries for entry in _all_below(top)]
    found = [entry for entry in inside if entry.name[-len(wanted) :] == wanted]
    exact = [entry for entry in found if entry.name == wanted]
    if len(exact) == 1 or len(found) == 1:
        return (exact or found)[0].name
    if found:
        raise _unclear(target, f"holds several classes `{model}`", found)
    candidates = [entry for top in entries for entry in models_below(top)]
    raise _unclear(target, f"holds no class `{model}`", candidates)


def _last_model(entries: Sequence[ClassEntry], target: str) -> ClassName:
    """The last model at the top of the file; inside a package only if it is alone."""
    tops = [entry for entry in entries if can_be_simulated(entry)]
    if tops:
        return tops[-1].name
    inner = [entry for top in entries for entry in models_below(top)]
    if len(inner) == 1:
        return inner[0].name
    if inner:
        raise _unclear(target, "holds several models", inner)
    raise _no_model(target, entries)


def _no_model(target: str, entries: Sequence[ClassEntry]) -> UsageError:
    """What is there instead."""
    first = entries[0]
    name, kind = show(first.name), first.tree.kind
    if first.tree.partial:
        what, help = "partial", f"extend it: `model Example extends {name}; ... end Example;`"
    else:
        what, help = f"a {kind}", f"write a model that uses `{name}`"
    message = f"`{target}` holds no model that can be simulated: `{name}` is {what}"
    return UsageError(Diagnostic("U004", message, help=help, file=target))


def _all_below(entry: ClassEntry) -> Iterator[ClassEntry]:
    """The class and all classes inside it, in the order written."""
    waiting = [entry]
    while waiting:
        current = waiting.pop()
        yield current
        waiting.extend(reversed(list(_children(current))))


def _children(entry: ClassEntry) -> Iterator[ClassEntry]:
    for name in entry.nested_names():
        child = entry.nested(name)
        if child is not None:
            yield child


def _unclear(target: str, problem: str, candidates: Sequence[ClassEntry]) -> UsageError:
    names = [show(entry.name) for entry in candidates]
    help = f"choose with -m: {_listed(names)}" if names else "a model, block or class is needed"
    return UsageError(Diagnostic("U004", f"`{target}` {problem}", help=help, file=target))


def _listed(names: Sequence[str]) -> str:
    shown = ", ".join(f"`{name}`" for name in names[:SHOWN_NAMES])
    return shown + (f" and {len(names) - SHOWN_NAMES} more" if len(names) > SHOWN_NAMES else "")
