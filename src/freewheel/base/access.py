"""What a model may do to the world outside: files, commands, environment.

    with looking(lambda: ("/home/ann/models",)):        # a model is translated
        to_read("table.txt")                            # a path, or `RefusedError`
    with running(folders, granted=("files",)):          # a model runs
        to_write("log.txt")

While a model is only translated it writes nothing and reads in its own and its libraries' folders.
While it runs it also writes in the working folder, and reads what it has written there. Everything
else needs a word of `--allow`; see docs/safety.md. Before either nothing is allowed.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field

from freewheel.base.diagnostics import CompileError, Diagnostic, SimulationError, UsageError
from freewheel.base.limits import no_memory

FILES, COMMANDS, EXTERNAL = WORDS = ("files", "commands", "external")
MAX_SHOWN = 200  # characters of a name in a message
Folders = Callable[[], Iterable[str]]


@dataclass(frozen=True, slots=True)
class Access:
    """The rules that hold at the moment."""

    is_run: bool = False
    folders: Folders = tuple  # where a model may read
    working: str = ""  # where a run may write
    written: set[str] = field(default_factory=set)  # by this run


_access: ContextVar[Access] = ContextVar("access", default=Access())  # noqa: B039
_granted: ContextVar[frozenset[str]] = ContextVar("granted", default=frozenset())


class RefusedError(Exception):
    """A model asked for what it may not do. No numerical failure: no smaller step mends it."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__(diagnostic.message)
        self.diagnostic = diagnostic


# ---------------------------------------------------------------- scopes


@contextmanager
def granting(words: Iterable[str]) -> Iterator[None]:
    """Further words of `--allow`, as long as the scope lasts."""
    token = _granted.set(_granted.get() | _checked(words))
    try:
        yield
    finally:
        _granted.reset(token)


def grant(words: Iterable[str]) -> None:
    """These words and no others, from now on: the call of a whole command."""
    _granted.set(_checked(words))


def granted() -> frozenset[str]:
    """The words of `--allow` that hold."""
    return _granted.get()


def _checked(words: Iterable[str]) -> frozenset[str]:
    if isinstance(words, str):
        words = (words,)
    chosen = frozenset(words)
    unknown = sorted(chosen.difference(WORDS))
    if unknown:
        raise UsageError(
            Diagnostic(
                "U102",
                f"`{unknown[0]}` cannot be allowed: there is no such word",
                help=f"the words are {', '.join(f'`{word}`' for word in WORDS)}",
            )
        )
    return chosen


@contextmanager
def looking(folders: Folders) -> Iterator[None]:
    """A model is checked, flattened or translated."""
    token = _access.set(Access(folders=folders))
    try:
        yield
    except RefusedError as refused:
        raise CompileError(refused.diagnostic) from None
    except MemoryError:
        raise CompileError(no_memory("U112")) from None
    finally:
        _access.reset(token)


def look_in(folders: Folders) -> None:
    """Models of these folders are looked at from now on, wherever no scope says more."""
    _access.set(Access(folders=folders))


@contextmanager
def running(folders: Folders | None = None) -> Iterator[None]:
    """A model is simulated; by default one of the folders that are looked at."""
    token = _access.set(Access(True, folders or _access.get().folders, _working_folder()))
    try:
        yield
    except RefusedError as refused:
        raise SimulationError(refused.diagnostic) from None
    except MemoryError:
        raise SimulationError(no_memory("R162")) from None
    finally:
        _access.reset(token)


def _working_folder() -> str:
    try:
        return os.path.realpath(os.getcwd())
    except OSError:  # it was removed: there is no place to write in
        return ""


# ---------------------------------------------------------------- questions


def is_run() -> bool:
    return _access.get().is_run


def to_read(name: str) -> str:
    """The real path of a file or folder whose content a model asks for."""
    path = _real(name)
    if FILES in _granted.get():
        return path
    access = _access.get()
    if path not in access.written and not _is_inside(path, access.folders()):
        raise _refused_file("read", name, "outside the folders of the model and its libraries")
    if os.path.exists(path) and not os.path.isdir(path) and not _is_regular(path):
        raise _refused_file("read", name, "no regular file")
    return path


def beside(name: str) -> str:
    """A relative name that the working folder does not have: the file of that name beside the model, or
    in the first folder of its libraries that has it. Whether it may be read is asked afterwards."""
    if os.path.isabs(name) or os.path.exists(name):
        return name
    places = (os.path.join(folder, name) for folder in _access.get().folders() if folder)
    return next((place for place in places if os.path.exists(place)), name)


def to_look(name: str) -> str:
    """The real path of something of which a model asks whether and what it is."""
    access = _access.get()
    path = _real(name)
    if access.is_run and _is_inside(path, (access.working,)):
        return path
    if FILES in _granted.get() or _is_inside(path, access.folders()):
        return path
    raise _refused_file("look at", name, "outside the folders of the model and its libraries")


def to_write(name: str) -> str:
    """The real path of a file that a model makes or changes; only runs do so."""
    return _changed("write", name)


def to_remove(name: str) -> str:
    """The real path of a file that a model removes; only runs do so."""
    return _changed("remove", name)


def need(word: str, what: str, is_effect: bool) -> None:
    """Something that has a word of its own: a command, the environment. Effects are for runs."""
    if is_effect and not is_run():
        raise _only_in_runs(what)
    if word not in _granted.get():
        raise _refused(f"{what} is refused", word)


# ---------------------------------------------------------------- paths


def _changed(verb: str, name: str) -> str:
    access = _access.get()
    if not access.is_run:
        raise _only_in_runs(f"to {verb} `{name}`")
    path = _real(name)
    if FILES not in _granted.get():
        if not _is_inside(path, (access.working,)):
            raise _refused_file(verb, name, "outside the working folder")
        inner = path[len(access.working) :].split(os.sep)
        if any(part.startswith(".") for part in inner):
            raise _refused_file(verb, name, "a hidden file, or in a hidden folder")
        if os.path.lexists(path) and not _is_regular(path, most_names=1):
            raise _refused_file(verb, name, "no regular file, or has a second name elsewhere")
    access.written.add(path)
    return path


def _real(name: str) -> str:
    """Links followed, `..` resolved. `~` and `$HOME` mean nothing here."""
    try:
        return os.path.realpath(name)
    except (OSError, ValueError):  # a null character, a circle of links
        raise _refused_file("use", name, "no name of a file") from None


def _is_inside(path: str, folders: Iterable[str]) -> bool:
    roots = (os.path.realpath(folder).rstrip(os.sep) for folder in folders if folder)
    return any(path == root or path.startswith(root + os.sep) for root in roots)


def _is_regular(path: str, most_names: int = 0) -> bool:
    status = os.stat(path)
    return stat.S_ISREG(status.st_mode) and (not most_names or status.st_nlink <= most_names)


# ---------------------------------------------------------------- words


def _only_in_runs(what: str) -> RefusedError:
    return RefusedError(
        Diagnostic(
            "U100",
            f"{what} is refused while the model is only translated",
            help="a function that changes something outside belongs to the run: call it in a `when`"
            " equation, not for a constant, a size or a condition",
        )
    )


def _refused_file(verb: str, name: str, reason: str) -> RefusedError:
    shown = name if len(name) <= MAX_SHOWN else f"{name[:MAX_SHOWN]}..."
    return _refused(f"the model may not {verb} `{shown}`: it is {reason}", FILES)


def _refused(message: str, word: str) -> RefusedError:
    code = "R160" if is_run() else "U101"
    help = f"if you trust the model, say so: `--allow {word}`"
    return RefusedError(Diagnostic(code, message, help=help))
