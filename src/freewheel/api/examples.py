"""The examples that come with Freewheel: models, classic models and Python programs.

    find_example("rectifier").title     # "Half-wave rectifier of Elmqvist, Cellier and Otter ..."
    example("switching/buck").simulate()

The wheel holds them in `freewheel/examples`; in a checkout they are the folder `examples` of the repository.
An example is named by its path without the ending; the last part will do where no other has it.
"""

from __future__ import annotations

import re
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, NamedTuple

import freewheel
from freewheel.base.diagnostics import Diagnostic, UsageError
from freewheel.base.near import did_you_mean

if TYPE_CHECKING:
    from freewheel.api.model import Model

KINDS = (".mo", ".dym", ".py")
# The first comment of a Modelica file (lines `// ...`), a classic file or a Python program.
COMMENT = r'((?:\s*//[^\n]*\n)+)|\{(.*?)\}|"""(.*?)(?:\n\n|""")'
SENTENCE = r"(.*?[.:])(?=\s+[A-Z`]|\s*$)"  # `Fig. 5 of` is no end of one


class Example(NamedTuple):
    name: str  # `switching/buck`
    file: PurePosixPath  # `switching/buck.mo`
    path: Path  # where it is installed

    @property
    def comment(self) -> str:
        """The comment at the top of the file, on one line."""
        found = re.match(COMMENT, self.path.read_text(encoding="utf-8"), re.DOTALL)
        text = "" if found is None else next(filter(None, found.groups()))
        return " ".join(text.replace("//", " ").split())

    @property
    def title(self) -> str:
        """The first sentence of the comment."""
        comment = self.comment
        found = re.match(SENTENCE, comment, re.DOTALL)
        return (comment if found is None else found[1]).rstrip(".:")


def folder() -> Path:
    """Where the examples are installed."""
    package = Path(freewheel.__file__).parent
    installed = package / "examples"
    return installed if installed.is_dir() else package.parent.parent / "examples"


def examples() -> tuple[Example, ...]:
    """All of them, in the order of their names; those at the top of the folder come first."""
    home = folder()
    files = (path for path in home.rglob("*") if path.suffix in KINDS)
    inside = (PurePosixPath(path.relative_to(home).as_posix()) for path in files)
    ordered = sorted(inside, key=lambda file: (len(file.parts), file))
    return tuple(Example(str(file.with_suffix("")), file, home / file) for file in ordered)


def find_example(name: str) -> Example:
    """By name, by file name (`rectifier.mo`) or by path (`examples/rectifier.mo`)."""
    if not isinstance(name, str):
        raise TypeError(f"an example is named by a text, not {type(name).__name__}")
    known = examples()
    wanted = name.removeprefix("examples/")
    exact = [example for example in known if wanted in (example.name, str(example.file))]
    last = [example for example in known if wanted in (example.file.stem, example.file.name)]
    if exact or len(last) == 1:
        return (exact or last)[0]
    if last:
        meant = " or ".join(f"`{example.name}`" for example in last)
        raise _unknown(f"several examples are called `{name}`", f"write {meant}")
    ends = {example.file.stem: example.name for example in known}
    names = [*(example.name for example in known), *ends]
    hint = did_you_mean(wanted, names) or "`freewheel example list` shows all"
    raise _unknown(f"there is no example `{name}`", hint)


def example(name: str, *, model: str | None = None) -> Model:
    """The model of an example: the last one of its file, or `model`."""
    from freewheel.api.model import load

    found = find_example(name)
    if found.path.suffix == ".py":
        raise _unknown(
            f"the example `{found.name}` is a Python program, not a model",
            f"`freewheel example copy {found.name}` copies it; run it with Python",
        )
    return load(found.path, model=model)


def _unknown(message: str, help: str) -> UsageError:
    return UsageError(Diagnostic("U128", message, help=help))
