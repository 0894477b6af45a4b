"""From an exception to what the user sees: text or JSON, and an exit code.

In: an action that may raise. Out: 0 fine, 1 model error, 2 usage, 3 simulation failure.
Text goes to stderr; with `--json` one object goes to stdout:

    {"diagnostics": [{"stage": "flat", "code": "F011", "message": "...", "line": 4, ...}]}
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any

import click

from freewheel.base import stop
from freewheel.base.access import RefusedError
from freewheel.base.diagnostics import (
    CompileError,
    Diagnostic,
    FreewheelError,
    SimulationError,
    UsageError,
    render,
    shortened,
    to_json,
)
from freewheel.base.limits import no_memory
from freewheel.base.printable import printable_json
from freewheel.tools import watch
from freewheel.tools.terminal import echo

OK, MODEL_ERROR, USAGE, SIMULATION_FAILURE = 0, 1, 2, 3
INTERRUPTED = 130  # 128 + SIGINT, as shells expect
KEYBOARD = "R009"  # the diagnostic of a simulation stopped by Ctrl-C
BROKEN_PIPE = 141  # 128 + SIGPIPE
MAX_REASON = 300  # characters
# What other tools call them, in small letters without dashes.
OTHER_OPTIONS = {
    **dict.fromkeys(("stoptime", "tend", "end"), "--stop TIME"),
    **dict.fromkeys(("starttime", "tstart"), "--start TIME"),
    **dict.fromkeys(("tolerance", "reltol", "rtol"), "--tol NUMBER"),
    **dict.fromkeys(("method", "integrator"), "--solver NAME"),
    **dict.fromkeys(("output", "outputfile", "resultfile", "r"), "--out FILE"),
    **dict.fromkeys(("override", "set", "parameter", "p"), "--param NAME=VALUE"),
    **dict.fromkeys(("stepsize", "step", "dt", "outputinterval"), "--interval TIME"),
    **dict.fromkeys(("class", "modelname"), "-m CLASS"),
    **dict.fromkeys(("lib", "path"), "--library DIR"),
}
EXIT_CODES: dict[type[FreewheelError], int] = {
    CompileError: MODEL_ERROR,
    UsageError: USAGE,
    SimulationError: SIMULATION_FAILURE,
}


def guarded(action: Callable[[], Any], as_json: bool) -> int:
    """Run the action; turn whatever it raises into a report and an exit code."""
    try:
        code = action()
        sys.stdout.flush()
    except FreewheelError as failure:
        return _failed(failure, as_json)
    except click.exceptions.NoArgsIsHelpError as failure:  # `freewheel` alone
        echo(failure.format_message(), err=True)
        return USAGE
    except click.ClickException as failure:
        report([_usage(failure)], as_json)
        return USAGE
    except (KeyboardInterrupt, click.Abort) as failure:
        _unfreed.append(failure)
        return stopped(watch.reason(), as_json, MODEL_ERROR)
    except BrokenPipeError:
        # The reader (`| head`) has left; keep the interpreter from complaining at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return BROKEN_PIPE
    except RefusedError as failure:
        report([failure.diagnostic], as_json)
        return MODEL_ERROR
    except ImportError as failure:
        report([_not_loaded(failure)], as_json)
        return USAGE
    except MemoryError as failure:
        _unfreed.append(failure)
        report([no_memory("U112")], as_json)
        return MODEL_ERROR
    except OSError as failure:
        report([_refused_by_system(failure)], as_json)
        return USAGE
    except Exception as failure:
        if os.environ.get("FREEWHEEL_DEBUG") == "1":
            raise
        report([internal(failure)], as_json)
        return MODEL_ERROR
    finally:
        _tell_refusal(as_json)
    return code if isinstance(code, int) else OK


def _tell_refusal(as_json: bool) -> None:
    """That nothing is kept is no failure, only slow."""
    if "freewheel.base.kept" not in sys.modules:  # nobody asked; importing it takes time
        return
    from freewheel.base.kept import refusal

    told = refusal()
    if told is not None and not as_json:
        report([told], as_json)


# To free a large model would take longer than to end.
_unfreed: list[BaseException] = []


def _failed(failure: FreewheelError, as_json: bool) -> int:
    if any(d.code == KEYBOARD for d in failure.diagnostics):
        return stopped(watch.reason(), as_json, SIMULATION_FAILURE, failure.diagnostics)
    report(failure.diagnostics, as_json)
    return EXIT_CODES.get(type(failure), MODEL_ERROR)


def stopped(
    reason: Diagnostic | None, as_json: bool, code: int, told: Sequence[Diagnostic] = ()
) -> int:
    """By a limit, with the exit code of what failed; or by the user."""
    stop.answer()
    if reason is not None:
        report([reason], as_json)
        return code
    if told:
        report(told, as_json)
    else:
        echo("interrupted", err=True)
    return INTERRUPTED


def report(diagnostics: Iterable[Diagnostic], as_json: bool) -> None:
    """Show diagnostics: text on stderr, or one JSON object on stdout."""
    found = list(diagnostics)
    if as_json:
        print_json({"diagnostics": [to_json(d) for d in found]})
    elif found:
        with suppress(OSError):  # nowhere to say it: the exit code says it
            echo(render(found), err=True)


def print_json(value: Mapping[str, Any]) -> None:
    """One object, readable, in the order it was built."""
    echo(printable_json(json.dumps(value, indent=2, ensure_ascii=False)))


def _usage(failure: click.ClickException) -> Diagnostic:
    context = getattr(failure, "ctx", None)
    command = context.command_path if context is not None else "freewheel"
    if isinstance(failure, click.NoSuchOption):
        option = failure.option_name.lstrip("-").replace("-", "").replace("_", "").lower()
        if option in OTHER_OPTIONS:
            return Diagnostic(
                "U001",
                f"there is no option `{failure.option_name}`",
                help=f"use {OTHER_OPTIONS[option]}; see `{command} --help`",
            )
    message = failure.format_message().replace("is not a valid float", "is not a number")
    return Diagnostic("U001", message, help=f"see `{command} --help`")


def _refused_by_system(failure: OSError) -> Diagnostic:
    place = f"`{failure.filename}`: " if failure.filename is not None else ""
    return Diagnostic(
        "U113",
        f"the operating system reports an error: {place}{failure.strerror or failure}",
        help="check the path, its permissions and the space on the disk",
        file=str(failure.filename or ""),
    )


def _not_loaded(failure: ImportError) -> Diagnostic:
    """Other packages wrap what the system said in pages of advice."""
    first: BaseException = failure
    while first.__cause__ or first.__context__:
        first = first.__cause__ or first.__context__ or first
    return Diagnostic(
        "U113",
        f"a part of the program cannot be loaded: {shortened(str(first), MAX_REASON)}",
        help="give the program more memory (`ulimit -v`), or install it again",
    )


def internal(failure: Exception) -> Diagnostic:
    what = f"{type(failure).__name__}: {failure}".rstrip(": ")
    return Diagnostic(
        "X001",
        f"internal error: {what}",
        help="this is a bug in Freewheel, not a mistake in the model; please report it with the model"
        " (FREEWHEEL_DEBUG=1 shows the traceback)",
    )
