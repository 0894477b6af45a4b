"""`freewheel library list`: which packages are found, where, and in which version."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from freewheel.tools.options import with_json, with_library
from freewheel.tools.report import print_json
from freewheel.tools.terminal import echo


@click.group(no_args_is_help=False)
def library() -> None:
    """Show where libraries come from."""


@library.command("list")
@with_library
@with_json
def list_packages(libraries: Sequence[str], as_json: bool) -> None:
    """List the packages in the order in which they are searched.

    First --library, then the folders of MODELICAPATH, then the library inside Freewheel.
    """
    from freewheel.instance.library import Library

    rows = [
        {
            "name": package.name,
            "version": package.version,
            "path": str(package.path),
            "origin": package.origin,
        }
        for package in Library([Path(place) for place in libraries]).packages()
    ]
    if as_json:
        print_json({"packages": rows})
        return
    width = max((len(row["name"]) for row in rows), default=0)
    for row in rows:
        version = row["version"] or "no version"
        echo(f"{row['name']:<{width}}  {version}  {row['origin']}  {row['path']}")
