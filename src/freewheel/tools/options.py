"""Options that several commands share, and how their text is read.

@with_target            TARGET, -m/--model, --library, --json, --allow
read_pair("a.R=10")  == ("a.R", "10")
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import click

from freewheel.base import access
from freewheel.base.diagnostics import Diagnostic, UsageError
from freewheel.base.limits import DEFAULT_SIZE, set_max_size
from freewheel.tools import watch

Command = TypeVar("Command", bound=Callable[..., Any])


def with_json(command: Command) -> Command:
    """`--json`: the report as one JSON object on stdout, failures included."""
    return click.option("--json", "as_json", is_flag=True, help="Report as JSON on stdout.")(
        command
    )


def with_library(command: Command) -> Command:
    """`--library DIR`, repeatable, searched before MODELICAPATH and the embedded library."""
    return click.option(
        "--library",
        "libraries",
        multiple=True,
        metavar="DIR",
        help="A package, a folder of packages, a .mo or a .dym file; repeatable.",
    )(command)


def with_model(command: Command) -> Command:
    """`-m CLASS`: which class of a file is meant."""
    return click.option(
        "-m",
        "--model",
        "model",
        metavar="CLASS",
        help="The class to take from FILE (default: the last model in it).",
    )(command)


def _grant(ctx: click.Context, param: click.Parameter, words: Sequence[str]) -> None:
    access.grant(words)


def with_allow(command: Command) -> Command:
    """`--allow files`: what the model may do to the world outside, see docs/safety.md."""
    return click.option(
        "--allow",
        multiple=True,
        type=click.Choice(access.WORDS),
        expose_value=False,
        callback=_grant,
        help="Let the model read and write files anywhere, run commands, use the environment.",
    )(command)


def _limit_time(ctx: click.Context, param: click.Parameter, seconds: float | None) -> None:
    watch.limit(seconds=seconds)


def _limit_memory(ctx: click.Context, param: click.Parameter, megabytes: float | None) -> None:
    watch.limit(memory=None if megabytes is None else megabytes * 2**20)


def _limit_size(ctx: click.Context, param: click.Parameter, size: int | None) -> None:
    set_max_size(size)


def with_limits(command: Command) -> Command:
    """`--max-seconds`, `--max-memory`: of the whole command; `--max-size`: of the model."""
    command = click.option(
        "--max-size",
        type=click.IntRange(min=1),
        metavar="N",
        expose_value=False,
        callback=_limit_size,
        help=f"Variables and array elements allowed  [{DEFAULT_SIZE:,}].",
    )(command)
    for name, kind, callback, text in (
        ("--max-memory", "MB", _limit_memory, "Stop at this much memory  [nine tenths of it]."),
        ("--max-seconds", "S", _limit_time, "Stop after this time  [no limit]."),
    ):
        command = click.option(
            name,
            type=click.FloatRange(min=0, min_open=True),
            metavar=kind,
            expose_value=False,
            callback=callback,
            help=text,
        )(command)
    return command


def with_target(command: Command) -> Command:
    """The argument FILE|CLASS and everything needed to find its class."""
    command = with_model(with_library(with_json(with_limits(with_allow(command)))))
    return click.argument("target", metavar="FILE|CLASS")(command)


def read_pair(text: str, option: str) -> tuple[str, str]:
    """Split `name=value`; both sides must be there."""
    name, equals, value = text.partition("=")
    if not equals or not name.strip() or not value.strip():
        raise UsageError(
            Diagnostic(
                "U005",
                f"`{option} {text}` is not of the form name=value",
                help=_form(option, text),
            )
        )
    return name.strip(), value.strip()


def _form(option: str, text: str) -> str:
    if option == "--input":
        is_table = text.endswith(".csv")
        return (
            f"a table is --input-file {text}" if is_table else f"for example {option} u=sin(time)"
        )
    return f"for example {option} a.R=10"


def read_pairs(texts: Sequence[str], option: str) -> dict[str, str]:
    """All pairs of a repeatable option; a name given twice is a mistake."""
    pairs: dict[str, str] = {}
    for text in texts:
        name, value = read_pair(text, option)
        if name in pairs:
            raise UsageError(
                Diagnostic("U006", f"`{option} {name}=...` is given twice", help="keep one of them")
            )
        pairs[name] = value
    return pairs


def read_names(text: str) -> list[str]:
    """`a, x[1,2]` holds two names: a comma inside brackets belongs to its name. A name counts once."""
    pieces = re.split(r",(?![^\[\]]*\])", text)
    return list(dict.fromkeys(piece.strip() for piece in pieces if piece.strip()))
