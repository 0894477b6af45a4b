"""Which files hold which classes: names of files and directories only, nothing is parsed.

In: a directory of libraries, the directory of one package, or a `.mo` file. Out: the file that
defines a top-level class. `Place(Path("lib"), "library").find("Modelica")` may return
`lib/Modelica 4.1.0/package.mo`.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from freewheel.base.files import read_regular

_IDENT = r"[A-Za-z_][A-Za-z_0-9]*|'[^']*'"
# `Modelica`, `Modelica 4.1.0`: the version follows one blank.
_VERSIONED = re.compile(rf"(?P<name>{_IDENT})(?: (?P<version>\S.*))?")
_CLASS_NAME = re.compile(rf"\b(?:package|model|block|class|function|record)\s+(?P<name>{_IDENT})")


@dataclass(frozen=True, slots=True)
class Found:
    """A file that defines a top-level class."""

    name: str
    path: Path
    origin: str
    version: str = ""  # as the directory's name tells it


Candidates = dict[str, tuple[Found, ...]]  # by name, the best first


@dataclass(frozen=True)
class Place:
    """One entry of the list of places to search."""

    path: Path
    origin: str

    @property
    def is_package(self) -> bool:
        return _is_package(self.path)

    def find(self, ident: str, version: str = "") -> Found | None:
        """The file of a class: of the version asked for, else the best there is."""
        found = self._found.get(ident) or self._deeper.get(ident) or ()
        for candidate in found:
            if version and candidate.version == version:
                return candidate
        return found[0] if found else None

    def all(self) -> tuple[Found, ...]:
        """Every name once, with its best version."""
        return tuple([found[0] for found in (*self._found.values(), *self._deeper.values())])

    def contents(self) -> str:
        """Everything `find` could answer, as text."""
        found = [*self._found.values(), *self._deeper.values()]
        return "\n".join([f"{one.name} {one.path} {one.version}" for many in found for one in many])

    @cached_property
    def _found(self) -> Candidates:
        if os.path.isfile(self.path):
            return _by_name([_file(self.path, self.origin)])
        if self.is_package:
            return _by_name([_package(self.path.resolve(), self.origin)])
        return _inside(self.path, self.origin)

    @cached_property
    def _deeper(self) -> Candidates:
        """Packages one level further down, as in `lib/MSL-4.1.0/Modelica`."""
        if not os.path.isdir(self.path) or self.is_package:
            return {}
        deeper: Candidates = {}
        for name in _names(self.path):
            below = self.path / name
            if os.path.isdir(below) and not _is_package(below):
                for ident, found in _inside(below, self.origin).items():
                    if ident not in self._found:
                        deeper.setdefault(ident, found)
        return deeper


def package_files(folder: Path) -> dict[str, Path]:
    """The files of the classes stored directly in a package's directory, by class name."""
    files: dict[str, Path] = {}
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.endswith(".mo"):
                if entry.name != "package.mo":
                    files[entry.name[:-3]] = folder / entry.name
            elif "." not in entry.name and _is_package(entry.path) and not _leads_back(entry):
                files[entry.name] = folder / entry.name / "package.mo"
    return files


def _is_package(folder: Path | str) -> bool:
    """What may not be looked at is none (`Path.is_file` would raise)."""
    return os.path.isfile(os.path.join(folder, "package.mo"))


def _leads_back(entry: os.DirEntry[str]) -> bool:
    """Whether a link shows a folder around it: the package would contain itself."""
    if not entry.is_symlink():
        return False
    shown = os.path.realpath(entry.path)
    around = os.path.realpath(os.path.dirname(entry.path))
    return os.path.commonpath((shown, around)) == shown


def package_order(folder: Path) -> tuple[str, ...]:
    """The names in `package.order`, one on each line; empty if there is no such file."""
    try:
        text = _text(folder / "package.order")
    except OSError:
        return ()
    return tuple([line.strip() for line in text.splitlines() if line.strip()])


def _inside(folder: Path, origin: str) -> Candidates:
    """Packages and files in a directory."""
    found: list[Found] = []
    for name in _names(folder):
        path = folder / name
        if name.endswith(".mo") and name != "package.mo":
            if _VERSIONED.fullmatch(name[:-3]):
                found.append(_file(path, origin))
        elif _VERSIONED.fullmatch(name) and _is_package(path):
            found.append(_package(path, origin))
    return _by_name(found)


def _names(folder: Path) -> list[str]:
    try:
        return sorted(os.listdir(folder))
    except OSError:
        return []  # a directory of MODELICAPATH that is gone holds nothing


def _by_name(found: list[Found]) -> Candidates:
    """Of several versions the one without a number comes first, then the newest."""
    ordered = sorted(found, key=_rank, reverse=True)
    return {
        name: tuple([candidate for candidate in ordered if candidate.name == name])
        for name in dict.fromkeys([candidate.name for candidate in found])
    }


def _rank(found: Found) -> tuple[bool, list[int], str]:
    numbers = [int(digits) for digits in re.findall(r"\d+", found.version)]
    return not found.version, numbers, found.version


def _file(path: Path, origin: str) -> Found:
    match = _VERSIONED.fullmatch(path.stem)
    if match is None:
        return Found(_first_class(path) or path.stem, path, origin)
    return Found(match["name"], path, origin, match["version"] or "")


def _package(folder: Path, origin: str) -> Found:
    """A directory with an unusual name, such as a checkout `Modelica-master`, still counts."""
    path = folder / "package.mo"
    match = _VERSIONED.fullmatch(folder.name)
    if match is None:
        return Found(_first_class(path) or folder.name, path, origin)
    return Found(match["name"], path, origin, match["version"] or "")


def _text(path: Path) -> str:
    return read_regular(path).decode("utf-8-sig", errors="replace")


def _first_class(path: Path) -> str | None:
    try:
        text = _text(path)
    except OSError:
        return None
    match = _CLASS_NAME.search(text)
    return None if match is None else match["name"]
