"""Which names the Modelica Standard Library has, for messages about what the embedded one lacks.

names_in(("Modelica", "Blocks"))      ("Continuous", "Discrete", ...); () for what it does not have

The list is read when the first such message is made; `scripts/write_msl_names.py` writes it.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from freewheel.base.names import ClassName, show
from freewheel.base.near import near_names

EDITION = "4.1.0"
TOPS = ("Complex", "Modelica", "ModelicaServices")
FOLDER = Path(__file__).parent.parent / "library"
FILE = FOLDER / "msl_names.txt.gz"
WHERE = "give its folder with `--library DIR` or in MODELICAPATH"


def names_in(package: ClassName) -> tuple[str, ...]:
    """Classes and constants directly inside a class of the standard library."""
    return _below().get(package, ())


def standard_hint(package: ClassName, name: str, known: list[str]) -> str:
    """What to say about a name that a class of the embedded library lacks; empty for nothing.

    `known` are the names that the class has.
    """
    names = names_in(package)
    if name in names:
        return f"the Modelica Standard Library {EDITION} has `{show((*package, name))}`: {WHERE}"
    near = near_names(name, [*known, *names])
    if not near or near[0] in known or near[0] not in names:
        return ""
    return f"did you mean `{near[0]}`? The Modelica Standard Library {EDITION} has it: {WHERE}"


@cache
def _below() -> dict[ClassName, tuple[str, ...]]:
    import gzip  # only where needed

    found: dict[ClassName, list[str]] = {}
    around: list[str] = []
    for line in gzip.decompress(FILE.read_bytes()).decode().splitlines():
        name = line.lstrip(" ")
        del around[len(line) - len(name) :]
        found.setdefault(tuple(around), []).append(name)
        around.append(name)
    return {package: tuple(names) for package, names in found.items()}
