"""Places for what a command writes: none of them is a file that the same call reads, or names twice.

@click.command(cls=WritingCommand)
@click.option("--svg", type=PLACE, metavar="FILE", help="Draw into this file.")

`freewheel blocks a.mo --svg a.mo` would draw the picture in the place of the model. Every other value of the
call that names a file is taken for something to read, so that an option added later is looked at unasked.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import click

from freewheel.base.diagnostics import Diagnostic, UsageError


class Place(click.Path):
    """The name of a file that the command writes."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if value == "":
            self.fail("the name of a file is missing.", param, ctx)
        if value == "-":
            self.fail("`-` names no file; `/dev/stdout` is the terminal or a pipe.", param, ctx)
        return super().convert(value, param, ctx)


PLACE = Place(readable=False)


class WritingCommand(click.Command):
    """A command that looks at its places before it begins."""

    def invoke(self, ctx: click.Context) -> Any:
        _require_apart(ctx)
        return super().invoke(ctx)


def _require_apart(ctx: click.Context) -> None:
    taken = [(file, "the call reads that file") for file in _files_read(ctx)]
    for option, place in _places(ctx):
        for other, reason in taken:
            if _is_same(place, other):
                raise _refused(place, f"{reason}, as `{other}`" if other != place else reason)
        taken.append((place, f"`{option}` writes to it already"))


def _places(ctx: click.Context) -> Iterator[tuple[str, str]]:
    for param in ctx.command.params:
        value = ctx.params.get(param.name or "")
        if isinstance(param.type, Place) and value:
            yield param.opts[0], value


def _files_read(ctx: click.Context) -> Iterator[str]:
    for param in ctx.command.params:
        value = ctx.params.get(param.name or "")
        values = value if isinstance(value, tuple) else (value,)
        if not isinstance(param.type, Place):
            yield from (one for one in values if isinstance(one, str) and os.path.isfile(one))


def _is_same(place: str, other: str) -> bool:
    """Links are followed. Devices may be written to twice; a file with a second name (hard link) is replaced
    under one name and stays under the other."""
    if os.path.exists(place) and not os.path.isfile(place):
        return False
    return os.path.realpath(place) == os.path.realpath(other)


def _refused(place: str, reason: str) -> UsageError:
    return UsageError(
        Diagnostic(
            "U010",
            f"cannot write `{place}`: {reason}",
            help="choose another place for the output",
            file=place,
        )
    )
