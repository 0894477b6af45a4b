"""What the Tab key offers in a session: commands, switches, variables, files.

complete("output so", session)      ["solved", "sorted"]
"""

from __future__ import annotations

from pathlib import Path

from freewheel.base.names import show
from freewheel.tools.classic.session import COMMANDS, Session
from freewheel.tools.classic.settings import KINDS, SWITCHES

_SECOND = {
    "enter": ("model",),
    "output": ("equations", "sorted equations", "solved equations", "model"),
    "set": tuple(SWITCHES),
    "variable": KINDS,
    "help": tuple(COMMANDS),
}
_WITH_VARIABLES = ("variable", "plot", "print", "simulate")


def complete(line: str, session: Session) -> list[str]:
    """Words that could stand at the end of the line."""
    words = line.split()
    begun = "" if line.endswith(" ") or not words else words[-1]
    before = words if not begun else words[:-1]
    if begun.startswith("@"):
        return ["@" + name for name in _files(begun[1:], session.folder)]
    if not before:
        return [name for name in COMMANDS if name.startswith(begun)]
    return [word for word in _offered(before, session) if word.lower().startswith(begun.lower())]


def _offered(before: list[str], session: Session) -> list[str]:
    command = before[0].lower()
    offered: list[str] = []
    if len(before) == 1:
        offered += _SECOND.get(command, ())
    if command == "set" and len(before) == 2:
        offered += ["on", "off"]
    if command == "language":
        from freewheel.export import KINDS as LANGUAGES

        offered += LANGUAGES
    if command in _WITH_VARIABLES and session.entered is not None:
        offered += [show(v.name) for v in session.entered.flatten().variables]
    if command == "outfile":
        offered += _files("", session.folder)
    return offered


def _files(begun: str, folder: Path) -> list[str]:
    place = folder / begun
    parent = place if begun.endswith("/") or not begun else place.parent
    head = begun if begun.endswith("/") else begun.rpartition("/")[0] + "/" * ("/" in begun)
    if not parent.is_dir():
        return []
    names = sorted(
        child.name + "/" * child.is_dir() for child in parent.iterdir() if child.name[0] != "."
    )
    return [head + name for name in names if (head + name).startswith(begun)]
