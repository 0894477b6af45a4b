"""The `freewheel` command: a table of sub-commands, each loaded only when it is called.

In: command-line arguments. Out: an exit code.

    freewheel run circuit.mo --stop 1e-3 --out r.csv

The table keeps one line of help per command so that `freewheel --help` imports nothing of ours
(it has to answer in 0.15 s; numpy alone takes 0.08 s).
"""

from __future__ import annotations

import importlib
import os
import sys
from contextvars import copy_context

import click

from freewheel.base.diagnostics import Diagnostic, UsageError
from freewheel.tools import watch
from freewheel.tools.report import INTERRUPTED, SIMULATION_FAILURE, guarded, stopped
from freewheel.tools.terminal import echo, print_anything

# command -> (module, attribute, one line for `freewheel --help`)
COMMANDS = {
    "run": ("freewheel.tools.run", "run", "Simulate a model; write curves and pictures."),
    "check": ("freewheel.tools.check", "check", "Check a file, a class or a whole directory."),
    "flatten": ("freewheel.tools.flatten", "flatten", "Print the model as plain equations."),
    "equations": ("freewheel.tools.equations", "equations", "Print the equations of one stage."),
    "compare": ("freewheel.tools.compare", "compare", "Compare ideal elements with leaky ones."),
    "blocks": ("freewheel.tools.blocks", "blocks", "Draw the incidence matrix and its blocks."),
    "bondgraph": ("freewheel.tools.bondgraph", "bondgraph", "Draw the model as a bond graph."),
    "devs": ("freewheel.tools.devs", "devs", "Quantize a bond graph; run it as a DEVS model."),
    "export": ("freewheel.tools.export", "export", "Write the model for another simulator."),
    "dymola": ("freewheel.tools.dymola", "dymola", "The command session of the classic language."),
    "explain": ("freewheel.tools.explain", "explain", "Say what a diagnostic code means."),
    "example": ("freewheel.tools.example", "example", "List the examples inside; copy them."),
    "library": ("freewheel.tools.library", "library", "Show where libraries come from."),
}
# What other tools call them.
OTHER_WORDS = {
    **dict.fromkeys(("simulate", "sim", "simulatemodel", "plot"), "run"),
    **dict.fromkeys(("validate", "checkmodel", "lint", "parse"), "check"),
    **dict.fromkeys(("instantiate", "flat", "instantiatemodel"), "flatten"),
    "examples": "example",
    **dict.fromkeys(("libraries", "lib"), "library"),
    **dict.fromkeys(("translate", "convert", "generate"), "export"),
    "errors": "explain",
    "help": "--help",
}


class LazyGroup(click.Group):
    """A group that imports a command's module when the command is used."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module, attribute, _ = COMMANDS[cmd_name]
        command = getattr(importlib.import_module(module), attribute)
        assert isinstance(command, click.Command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """An unknown command is answered with the one that may have been meant."""
        name = args[0]
        if name in COMMANDS or name.startswith("-"):
            return super().resolve_command(ctx, args)
        from freewheel.base.near import did_you_mean

        if name.endswith((".mo", ".dym")):
            help = f"to simulate the file: `freewheel run {name}`"
        elif name.lower() in OTHER_WORDS:
            help = f"it is called `freewheel {OTHER_WORDS[name.lower()]}`"
        else:
            help = did_you_mean(name, COMMANDS) or "`freewheel --help` lists the commands"
        raise UsageError(Diagnostic("U001", f"there is no command `{name}`", help=help))

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, _, line) in COMMANDS.items()])


def _print_version(ctx: click.Context, _param: click.Parameter, value: bool) -> None:
    if not value or ctx.resilient_parsing:
        return
    from importlib.metadata import version

    echo(f"freewheel {version('freewheel')}")
    ctx.exit()


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--version", is_flag=True, is_eager=True, expose_value=False, callback=_print_version,
    help="Print the version and stop.",
)  # fmt: skip
def group() -> None:
    """Modelica text in, curves out.

    Exit codes: 0 fine, 1 the model is wrong, 2 the call is wrong, 3 the simulation failed.
    """


def execute(arguments: list[str]) -> int:
    """Run one command line and return its exit code; nothing escapes as a traceback. What the options
    allow ends with the command."""
    return copy_context().run(
        guarded,
        lambda: _invoke(arguments),
        as_json="--json" in arguments,
    )


def _invoke(arguments: list[str]) -> object:
    """As `group.main`, which would end the process where a reader (`| head`) has left."""
    try:
        with group.make_context("freewheel", list(arguments)) as context:
            return group.invoke(context)
    except click.exceptions.Exit as left:
        return left.exit_code


def main() -> None:
    """The command, for `freewheel.__main__`."""
    print_anything()
    as_json = "--json" in sys.argv
    watch.begin(lambda reason, told: stopped(reason, as_json, SIMULATION_FAILURE, told))
    code = execute(sys.argv[1:])
    if code == INTERRUPTED or watch.reason() is not None:  # without waiting for anything
        sys.stdout.flush()
        os._exit(code)
    watch.end()
    sys.exit(code)
