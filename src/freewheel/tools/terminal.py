"""The one way in which commands print: nothing that a file, a name or a model says is obeyed by a
terminal (`base.printable`).

    echo("circuit: 27 unknowns, 27 equations")
"""

from __future__ import annotations

import os
import sys

import click

from freewheel.base.printable import printable


def echo(text: object = "", *, err: bool = False, nl: bool = True) -> None:
    """A line on stdout, or on stderr."""
    click.echo(printable(str(text)), err=err, nl=nl)


def print_anything() -> None:
    """A terminal that knows few characters shows the others by their numbers. What was closed before we
    came (`>&-`) is written nowhere."""
    sys.stdin = sys.stdin or open(os.devnull)  # noqa: SIM115 -- as long as the process lives
    sys.stdout = sys.stdout or open(os.devnull, "w")  # noqa: SIM115
    sys.stderr = sys.stderr or open(os.devnull, "w")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")
