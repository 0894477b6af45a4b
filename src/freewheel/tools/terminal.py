"""The one way in which commands print: nothing that a file, a name or a model says is obeyed by a
terminal (`base.printable`).

    echo("circuit: 27 unknowns, 27 equations")
"""

from __future__ import annotations

import sys

import click

from freewheel.base.printable import printable


def echo(text: object = "", *, err: bool = False, nl: bool = True) -> None:
    """A line on stdout, or on stderr."""
    click.echo(printable(str(text)), err=err, nl=nl)


def print_anything() -> None:
    """A terminal that knows few characters shows the others by their numbers."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")
