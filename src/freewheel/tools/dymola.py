"""`freewheel dymola [SCRIPT]`: the command session of the classic language.

freewheel dymola -c "enter model @circuit.dym; set Eliminate on; output solved equations"
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

import click

from freewheel.base import stop
from freewheel.base.diagnostics import FreewheelError, render
from freewheel.tools import watch
from freewheel.tools.options import with_allow, with_library
from freewheel.tools.terminal import echo

if TYPE_CHECKING:
    from freewheel.tools.classic.session import Session

HISTORY = ".freewheel_dymola_history"
GREETING = "Freewheel, the classic session. `help` lists the commands, `stop` leaves."


@click.command()
@click.argument("script", required=False, metavar="[SCRIPT]")
@click.option(
    "-c",
    "commands",
    multiple=True,
    metavar="COMMANDS",
    help="Run these, or those of a file, and stop.",
)
@with_library
@with_allow
def dymola(script: str | None, commands: Sequence[str], libraries: Sequence[str]) -> None:
    """Work on a classic model command by command, as in the papers.

    Without SCRIPT and -c commands are read from the keyboard. Commands are separated by `;` or
    lines; a script stops at the first error.
    """
    from freewheel.tools.classic.session import Session

    is_typed = bool(commands) or sys.stdin.isatty()
    session = Session(echo, [Path(place) for place in libraries], is_typed=is_typed)
    if commands or script is not None:
        lines = [line for text in commands for line in _lines_of(text)]
        for line in [*([f"@{script}"] if script is not None else []), *lines]:
            if not session.is_done:
                session.feed(line)
        session.finish()
    elif sys.stdin.isatty():
        _talk(session)
    else:
        for line in sys.stdin:
            if not session.is_done:
                session.feed(line.rstrip("\n"))
        session.finish()


def _lines_of(text: str) -> list[str]:
    """Of `-c`: the commands, or the file of which it is the name."""
    is_file = "\n" not in text and Path(text).is_file()
    return [f"@{text}"] if is_file else text.splitlines()


def _talk(session: Session) -> None:
    """Lines from the keyboard until `stop` or the end of input; errors are told, and on it goes."""
    echo(GREETING)
    watch.be_patient()
    with _keyboard(session):
        while not session.is_done:
            try:
                session.feed(input(session.prompt))
            except EOFError:
                echo()
                if not session.abandon():
                    return
                echo("the model was not entered; `stop` leaves")
            except KeyboardInterrupt:
                stop.forget()
                was_open = session.abandon()
                told = "the model was not entered" if was_open else "interrupted"
                echo(f"{told}; `stop` leaves")
            except FreewheelError as failure:
                stop.forget()
                echo(render(failure.diagnostics), err=True)


@contextmanager
def _keyboard(session: Session) -> Iterator[None]:
    """History kept in the home directory, and the Tab key, where the system has readline."""
    try:
        import readline
    except ImportError:  # a system without it: plain lines
        yield
        return
    from freewheel.tools.classic.complete import complete

    def offer(_: str, number: int) -> str | None:
        line = readline.get_line_buffer()[: readline.get_endidx()]
        found = complete(line, session)
        return found[number] if number < len(found) else None

    history = Path.home() / HISTORY
    readline.set_completer(offer)
    readline.set_completer_delims(" ")
    readline.parse_and_bind("tab: complete")
    with suppress(OSError):
        readline.read_history_file(history)
    try:
        yield
    finally:
        with suppress(OSError):
            readline.write_history_file(history)
