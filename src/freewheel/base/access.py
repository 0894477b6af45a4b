"""What a model may do to the world outside: files, commands, environment.

    with looking(lambda: ("/home/ann/models",)):        # a model is translated
        to_read("table.txt")                            # a path, or `RefusedError`
    with running(folders, granted=("files",)):          # a model runs
        to_write("log.txt")

While a model is only translated it writes nothing and reads in its own and its libraries' folders.
While it runs it also writes in the working folder, and reads the files that it has made there.
Everything else needs a word of `--allow`; see docs/safety.md. Outside of both nothing is allowed.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from freewheel.base.diagnostics import CompileError, Diagnostic, SimulationError, UsageError
from freewheel.base.limits import no_memory

FILES, COMMANDS, EXTERNAL = WORDS = ("files", "commands", "external")
MAX_SHOWN = 200  # characters of a name in a message
Folders = Callable[[], Iterable[str]]


class Access:
    """The rules that hold at the moment. No dataclass, as `tools/watch.py` has none."""

    def __init__(self, is_run: bool = False, folders: Folders = tuple, here: str = "") -> None:
        self.is_run = is_run
        self.folders = folders  # where a model may read
        self.here = here  # the working folder when the run began
        self.made: set[str] = set()  # files whose content is all from this run

    @property
    def working(self) -> str:
        """Where a run may write."""
        return os.path.realpath(self.here) if self.here else ""


_access: ContextVar[Access] = ContextVar("access", default=Access())  # noqa: B039
_granted: ContextVar[frozenset[str]] = ContextVar("granted", default=frozenset())
_only_reads: ContextVar[bool] = ContextVar("only reads", default=False)


class RefusedError(Exception):
    """A model asked for what it may not do. No numerical failure: no smaller step mends it."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__(diagnostic.message)
        self.diagnostic = diagnostic


# ---------------------------------------------------------------- scopes


@contextmanager
def granting(words: Iterable[str]) -> Iterator[None]:
    """Further words of `--allow`, as long as the scope lasts."""
    token = _granted.set(_granted.get() | _checked(words) if words else _granted.get())
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
    except RecursionError:
        raise CompileError(_TOO_DEEP) from None
    finally:
        _access.reset(token)


_TOO_DEEP = Diagnostic(
    "N050", "the model is nested too deeply", help="split long expressions by variables"
)


@contextmanager
def only_reading() -> Iterator[None]:
    """Runs in this scope change nothing: they are part of a command that only looks."""
    token = _only_reads.set(True)
    try:
        yield
    finally:
        _only_reads.reset(token)


@contextmanager
def running(folders: Folders = tuple) -> Iterator[None]:
    """A model is simulated."""
    token = _access.set(Access(True, folders, _here()))
    try:
        yield
    except RefusedError as refused:
        raise SimulationError(refused.diagnostic) from None
    except MemoryError:
        raise SimulationError(no_memory("R162")) from None
    finally:
        _access.reset(token)


def _here() -> str:
    try:
        return os.getcwd()
    except OSError:  # it was removed: there is no place to write in
        return ""


# ---------------------------------------------------------------- questions


def is_run() -> bool:
    return _access.get().is_run


def to_read(name: str) -> str:
    """The real path of a file or folder whose content a model asks for."""
    path = _real(name)
    access = _access.get()
    is_ours = path in access.made or FILES in _granted.get()
    if not is_ours and not _is_inside(path, access.folders()):
        raise _refused_file("read", name, "outside the folders of the model and its libraries")
    if os.path.exists(path) and not os.path.isdir(path) and not _is_regular(path):
        raise _refused_file("read", name, "no regular file", "pipes and devices are never read")
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


def to_write(name: str, is_new: bool = False) -> str:
    """The real path of a file that a model makes or changes; only runs do so. What was in it before
    does not become readable by that, unless it `is_new`: begins empty."""
    path = _changed("write", name)
    if not os.path.lexists(path) or (is_new and os.access(path, os.W_OK)):
        _access.get().made.add(path)
    return path


def to_remove(name: str) -> str:
    """The real path of a file that a model removes; only runs do so."""
    return _changed("remove", name)


def need(word: str, what: str, is_effect: bool) -> None:
    """Something that has a word of its own: a command, the environment. Effects are for runs."""
    if is_effect:
        _require_run(what)
    if word not in _granted.get():
        raise _refused(f"{what} is refused", word)


# ---------------------------------------------------------------- paths


def _changed(verb: str, name: str) -> str:
    access = _access.get()
    _require_run(f"to {verb} `{short(name)}`")
    path = _real(name)
    if FILES not in _granted.get():
        if not _is_inside(path, (access.working,)):
            raise _refused_file(verb, name, "outside the working folder")
        inner = path[len(access.working) :].split(os.sep)
        if any(part.startswith(".") for part in inner):
            raise _refused_file(verb, name, "a hidden file, or in a hidden folder")
        if os.path.lexists(path) and not _is_regular(path, most_names=1):
            raise _refused_file(verb, name, "no regular file, or has a second name elsewhere")
    return path


def _require_run(what: str) -> None:
    """Effects belong to runs whose purpose they are, whatever is allowed."""
    if not is_run():
        raise _only_in_runs(what)
    if _only_reads.get():
        message = f"{what} is refused: this command only looks"
        raise RefusedError(
            Diagnostic("R160", message, help="`freewheel run` is the command for models that do so")
        )


def _real(name: str) -> str:
    """Links followed, `..` resolved. `~` and `$HOME` mean nothing here."""
    try:
        return os.path.realpath(name)
    except (OSError, ValueError):  # a null character, a circle of links
        raise _refused_file("use", name, "no name of a file", "give the path of a file") from None


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


def _refused_file(verb: str, name: str, reason: str, help: str = "") -> RefusedError:
    """`help`: where no permission changes it."""
    return _refused(f"the model may not {verb} `{short(name)}`: it is {reason}", FILES, help)


def short(text: str) -> str:
    return text if len(text) <= MAX_SHOWN else f"{text[:MAX_SHOWN]}..."


def _refused(message: str, word: str, help: str = "") -> RefusedError:
    code = "R160" if is_run() else "U101"
    help = help or f"if you trust the model, say so: `--allow {word}`"
    return RefusedError(Diagnostic(code, message, help=help))
