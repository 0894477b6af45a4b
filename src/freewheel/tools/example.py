"""`freewheel example list|copy`: the models that come with Freewheel, for use and to change.

freewheel example copy rectifier        # examples/rectifier.mo
freewheel example copy --all            # all of them, into the folder `examples`
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

from freewheel.base.diagnostics import Diagnostic, UsageError
from freewheel.base.files import replacing
from freewheel.tools.options import with_json
from freewheel.tools.report import print_json
from freewheel.tools.terminal import echo

if TYPE_CHECKING:
    from freewheel.api.examples import Example

HOME = "examples"  # the default folder of copies, as the documentation calls it
TITLE_WIDTH = 90
SHOWN_FILES = 3


@click.group(no_args_is_help=False)
def example() -> None:
    """List the examples that come with Freewheel, and copy them."""


@example.command("list")
@with_json
def list_examples(as_json: bool) -> None:
    """List names and titles."""
    from freewheel.api.examples import examples

    known = examples()
    if as_json:
        print_json({"examples": [_described(one) for one in known]})
        return
    width = max((len(one.name) for one in known), default=0)
    for one in known:
        echo(f"{one.name:<{width}}  {_short(one.title)}")


@example.command("copy")
@click.argument("names", nargs=-1, metavar="NAME [DIR]")
@click.option("--all", "is_all", is_flag=True, help="Copy all examples: `--all [DIR]`.")
@click.option("--force", is_flag=True, help="Replace files that differ.")
@with_json
def copy(names: tuple[str, ...], is_all: bool, force: bool, as_json: bool) -> None:
    """Copy an example into the folder DIR, by default `examples`.

    Files that are there already and differ are left alone unless --force is given.
    """
    from freewheel.api.examples import examples, find_example

    most = 1 if is_all else 2
    if len(names) > most or not (names or is_all):
        raise click.UsageError("expected NAME [DIR], or --all [DIR]")
    chosen = examples() if is_all else (find_example(names[0]),)
    directory = Path(names[most - 1]) if len(names) == most else Path(HOME)
    copies = {directory / one.file: one for one in chosen}
    _write(copies, force)
    if as_json:
        files = [{"file": str(path), **_described(one)} for path, one in copies.items()]
        print_json({"copied": files})
    elif is_all:
        echo(f"{len(copies)} examples are in {directory}")
    else:
        for path, one in copies.items():
            echo(f"{path}  {_short(one.title)}")


def _write(copies: Mapping[Path, Example], force: bool) -> None:
    """All or none: what would be overwritten is found before anything is written."""
    texts = {path: one.path.read_bytes() for path, one in copies.items()}
    different = {path: text for path, text in texts.items() if not _is_same(path, text)}
    taken = [path for path in different if path.exists()]
    if taken and not force:
        raise _taken(taken)
    for path, text in different.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        with replacing(path, "wb") as stream:
            stream.write(text)


def _is_same(path: Path, text: bytes) -> bool:
    return path.is_file() and path.read_bytes() == text


def _taken(paths: list[Path]) -> UsageError:
    shown = ", ".join(f"`{path}`" for path in paths[:SHOWN_FILES])
    others = f" and {len(paths) - SHOWN_FILES} more" if len(paths) > SHOWN_FILES else ""
    verb = "exists and differs" if len(paths) == 1 else "exist and differ"
    return UsageError(
        Diagnostic(
            "U129",
            f"{shown}{others} {verb} from the example",
            help="copy into another folder, or replace with --force",
            file=str(paths[0]),
        )
    )


def _described(one: Example) -> dict[str, str]:
    return {"name": one.name, "title": one.title, "comment": one.comment}


def _short(title: str) -> str:
    return title if len(title) <= TITLE_WIDTH else title[: TITLE_WIDTH - 3].rstrip() + "..."
