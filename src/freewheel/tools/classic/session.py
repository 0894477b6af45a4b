"""A session of the classic language: commands go in, listings, programs and curves come out.

    session = Session(print)
    for line in ("enter model", "@circuit.dym", "set Eliminate on", "output equations"):
        session.feed(line)

Commands are those of the transcripts of Cellier and Elmqvist (1993). Words may be shortened as long as
they stay unique; `@file` reads further lines from a file, and inside of `enter model` the model. Classes
entered stay known to the models entered behind them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from freewheel.api import Model
from freewheel.base.access import looking, running, to_write
from freewheel.base.diagnostics import Diagnostic, UsageError
from freewheel.base.files import read_regular
from freewheel.base.names import Name, read, show
from freewheel.base.source import Source
from freewheel.flat.nodes import Causality, Variability
from freewheel.listing.equations.by_hand import differentiated_in
from freewheel.tools.classic import listing
from freewheel.tools.classic.entered import BEGINNINGS, Entry, Taken, take_file, take_text
from freewheel.tools.classic.output import Outlet
from freewheel.tools.classic.settings import KINDS, SWITCHES, Settings, unknown
from freewheel.tools.classic.simulate import Curves, simulate

COMMANDS = {
    "enter": "enter model                    read a model: type it, or name its file with @FILE",
    "output": "output [sorted|solved] equations | model\n"
    "                               print equations, or the program in the language chosen",
    "set": "set SWITCH on|off              how equations are treated and shown",
    "partition": "partition                      find which variable each equation gives",
    "differentiate": "differentiate                  differentiate constraints between states",
    "variable": "variable state|known|unknown NAME ...\n"
    "                               choose states, or causality by hand",
    "language": "language NAME [ode|dae]        of `output model`: acsl, desire, dsblock, ...",
    "outfile": "outfile [FILE]                 further output goes there; without a name to the screen",
    "simulate": "simulate [NAME=VALUE ...]      run; stop, start, tol, interval, parameters, inputs",
    "plot": "plot NAME ... [FILE.png]       draw curves of the last run",
    "print": "print NAME ...                 values at the beginning and at the end of the last run",
    "help": "help [COMMAND]                 this list",
    "stop": "stop                           leave; also quit and exit",
}
NICKNAMES = {"dsblock": "dsblock-f77"}  # the papers write DSblock in Fortran
_LEAVING = ("stop", "quit", "exit")
MOST_SCRIPTS = 20  # inside each other
_SPLIT = re.compile(r"[,\s]+")
_PROMPT = re.compile(r"\s*>\s?")  # of a transcript


class Session:
    """One user at work. `write` takes lines for the screen."""

    def __init__(
        self,
        write: Callable[[str], None],
        libraries: Sequence[Path] = (),
        folder: Path = Path(),
        is_typed: bool = True,
    ) -> None:
        self.is_typed = is_typed  # by the user; else lines come from a file
        self.outlet = Outlet(write)
        self.libraries = list(libraries)
        self.folder = folder
        self.settings = Settings()
        self.entered: Model | None = None
        self.curves: Curves | None = None
        self.is_done = False
        self._entry: Entry | None = None
        self._texts: list[Source] = []  # entered so far
        self._scripts: list[Path] = []  # that are being read, the innermost last

    @property
    def prompt(self) -> str:
        """`>` as in the transcripts, a dash while a model is read."""
        return "> " if self._entry is None else "- "

    # ------------------------------------------------------------ lines

    def feed(self, line: str) -> None:
        """One line: a command, or a line of the model that is being entered."""
        if self._entry is not None and self._entry.ends_before(line):
            self.finish()
        if self._entry is None:
            line = _PROMPT.sub("", line, count=1) if _PROMPT.match(line) else line
            if _first_word(line) in BEGINNINGS:
                self._entry = Entry()
        if self._entry is None or (";" in line and re.search(r"\bend\b", line)):
            self._run_all(_commands(line))
        else:
            self._model_line(self._entry, line)

    def finish(self) -> None:
        """No more lines of a model: what is still open is told."""
        if self._entry is not None:
            entry, self._entry = self._entry, None
            self._take(take_text(entry.text, self._number, self.libraries, self._texts))

    def abandon(self) -> bool:
        """Forget the model that is being entered, if there is one."""
        was_open, self._entry = self._entry is not None, None
        return was_open

    def _run_all(self, commands: list[str]) -> None:
        for command in commands:
            if self.is_done:
                return
            if self._entry is None and _first_word(command) not in BEGINNINGS:
                self.run(command)
            else:  # a model may stand on the line of its command
                self._entry = self._entry or Entry()
                self._model_line(self._entry, command)

    def run(self, command: str) -> None:
        if command.startswith("@"):
            self._run_file(self._found(command[1:].strip()))
            return
        word, _, rest = command.partition(" ")
        name = _completed(word.lower(), tuple(dict.fromkeys((*COMMANDS, *_LEAVING))), "command")
        if name in _LEAVING:
            self.is_done = True
            return
        action: Callable[[str], None] = getattr(self, f"do_{name}")
        with looking(self._readable):
            action(rest.strip())

    def _readable(self) -> tuple[str, ...]:
        return () if self.entered is None else self.entered.library.readable()

    def _run_file(self, path: Path) -> None:
        if len(self._scripts) >= MOST_SCRIPTS:
            raise UsageError(
                Diagnostic(
                    "U072",
                    f"`{path}` reads itself, directly or through other files",
                    file=str(path),
                )
            )
        self._scripts.append(path)
        try:
            for line in _read(path).splitlines():
                if not self.is_done:
                    self.feed(line)
        finally:
            self._scripts.pop()

    def _found(self, name: str) -> Path:
        """A file named in a command: as seen from here, else from where the script stands."""
        place = self.folder / name
        if self._scripts and not place.exists():
            return self._scripts[-1].parent / name
        return place

    def _written(self, name: str) -> Path:
        """A file for output. A script may be somebody else's: it writes where a run may write."""
        place = self.folder / name
        if self._scripts or not self.is_typed:
            with running():
                to_write(str(place))
        return place

    def _model_line(self, entry: Entry, line: str) -> None:
        if line.strip().startswith("@"):
            self._entry = None
            path = self._found(line.strip()[1:].strip())
            self._take(take_file(path, self.libraries, self._texts))
            return
        entry.add(line)
        if entry.is_whole:
            self.finish()

    @property
    def _number(self) -> int:
        return len(self._texts) + 1

    def _take(self, taken: Taken) -> None:
        if taken.model is None:
            self._texts.append(taken.source)
            self.outlet.screen(f"-- Classes: {', '.join(taken.classes)}")
            return
        taken.model.flatten()  # errors are told now, not at the first question
        self._texts.append(taken.source)
        self.entered = taken.model
        self.curves = None
        self.settings = replace(
            self.settings, variables={}, is_partitioned=False, is_differentiated=False
        )

    # ------------------------------------------------------------ commands

    def do_enter(self, rest: str) -> None:
        word, _, place = rest.partition(" ")
        if word.startswith("@"):
            word, place = "", rest
        elif word and not "model".startswith(word):
            raise _usage("enter", f"`enter {rest}` is not understood")
        self._entry = Entry()
        place = place.strip()
        if place.endswith(".dym"):  # a file was meant, the @ forgotten
            place = f"@{place.removeprefix('@')}"
        if place:
            self._model_line(self._entry, place)

    def do_output(self, rest: str) -> None:
        words = rest.lower().split()
        if not words:
            raise _usage("output", "what should be printed?")
        first = _completed(
            words[0], ("equations", "sorted", "solved", "model", "program"), "output"
        )
        more = words[2:] if first in ("sorted", "solved") else words[1:]
        if more or not "equations".startswith((words[1:] or [""])[0]):
            raise _usage("output", f"`output {rest}` is not understood")
        model = self.model
        if first in ("model", "program"):
            self.outlet.write(self._program(model))
        elif first == "sorted":
            self.outlet.write(listing.sorted_equations(model, self.settings))
        elif first == "solved":
            self.outlet.write(listing.solved_equations(model, self.settings))
        else:
            self.outlet.write(listing.equations(model, self.settings))

    def do_set(self, rest: str) -> None:
        words = rest.split()
        if not words:
            for name, (_, line) in SWITCHES.items():
                value = "on" if self.settings.is_on(name) else "off"
                self.outlet.write(f"{name:<16} {value:<4} {line}\n")
            return
        if len(words) != 2 or words[1].lower() not in ("on", "off"):
            raise _usage("set", f"`set {rest}` is not of the form `set Eliminate on`")
        self.settings = self.settings.with_switch(words[0], words[1].lower() == "on")

    def do_partition(self, rest: str) -> None:
        _alone("partition", rest)
        self.settings = replace(self.settings, is_partitioned=True)
        warning = listing.warning_of_partition(self.model, self.settings)
        if warning:
            self.outlet.screen(warning)

    def do_differentiate(self, rest: str) -> None:
        _alone("differentiate", rest)
        self.settings = replace(self.settings, is_differentiated=True, is_partitioned=False)
        model = self.model
        added = listing.added_equations(model, replace(self.settings, switches=Settings().switches))
        self.outlet.screen(f"-- Equations added by differentiation: {len(added)}\n")

    def do_variable(self, rest: str) -> None:
        words = [word for word in _SPLIT.split(rest) if word]
        if not words:
            for name, kind in self.settings.variables.items():
                shown = show(name[:-1]) + " (derivative)" if kind == "known" else show(name)
                self.outlet.write(f"{kind:<8} {shown}\n")
            return
        kind = _completed(words[0].lower(), KINDS, "kind of variable")
        if len(words) == 1:
            raise _usage("variable", f"`variable {kind}` names no variable")
        for word in words[1:]:
            self.settings = self.settings.with_variable(self._variable(word, kind), kind)

    def do_language(self, rest: str) -> None:
        from freewheel.export import KINDS as LANGUAGES
        from freewheel.export.kinds import IMPLICIT, no_residuals
        from freewheel.export.options import FORMS

        names = tuple(LANGUAGES)
        if not rest:
            self.outlet.write(", ".join(names) + f"; now {self.settings.language}\n")
            return
        name, *forms = rest.lower().split()
        if name in NICKNAMES and name not in names:
            name = NICKNAMES[name]
        name = _completed(name, names, "language")
        if len(forms) > 1:
            raise _usage("language", f"`language {rest}` is not understood")
        form = _completed(forms[0], FORMS, "form") if forms else "ode"
        if form == "dae" and name not in IMPLICIT:
            raise no_residuals(name)
        self.settings = replace(self.settings, language=name, form=form)

    def do_outfile(self, rest: str) -> None:
        self.outlet.direct(self._written(rest) if rest else None)

    def do_simulate(self, rest: str) -> None:
        self.curves = simulate(self.model, rest, self.settings)
        warning = listing.states_that_cannot_be(self.model) if self.settings.variables else ""
        self.outlet.screen(warning + self.curves.report())

    def do_plot(self, rest: str) -> None:
        words = [word for word in _SPLIT.split(rest) if word]
        self.outlet.screen(self._curves().plot(words, self._written) + "\n")

    def do_print(self, rest: str) -> None:
        words = [word for word in _SPLIT.split(rest) if word]
        self.outlet.write(self._curves().values(words))

    def do_help(self, rest: str) -> None:
        if rest:
            word = rest.split()[0].lower()
            name = "stop" if word in _LEAVING else _completed(word, tuple(COMMANDS), "command")
            self.outlet.screen(COMMANDS[name] + "\n")
            if name == "set":
                lines = [f"  {switch:<16} {line}\n" for switch, (_, line) in SWITCHES.items()]
                self.outlet.screen("".join(lines))
            return
        self.outlet.screen("\n".join(COMMANDS.values()) + "\n")

    # ------------------------------------------------------------ what they need

    @property
    def model(self) -> Model:
        """The model entered, with the states that were chosen."""
        if self.entered is None:
            raise UsageError(
                Diagnostic("U071", "there is no model yet", help="`enter model`, then `@FILE`")
            )
        return self.entered.changed(self.settings.state_selection())

    def _program(self, model: Model) -> str:
        settings = self.settings
        texts = model.export(
            settings.language,
            eliminate=settings.elimination,
            form=settings.form,
            loops=settings.loops,
            share=settings.is_on("SubExpr"),
        )
        return "\n".join(texts.values())

    def _curves(self) -> Curves:
        if self.curves is None:
            raise UsageError(
                Diagnostic("U071", "nothing has been simulated yet", help="`simulate stop=1`")
            )
        return self.curves

    def _variable(self, word: str, kind: str) -> Name:
        """`C2.deru` and `der(C2.u)` mean the derivative of `C2.u`."""
        names = {v.name for v in self.model.flatten().variables}
        inside = re.fullmatch(r"der\((.+)\)", word)
        name = read(inside[1] if inside else word)
        is_derivative = inside is not None
        if name not in names and str(name[-1]).startswith("der"):
            name, is_derivative = (*name[:-1], str(name[-1])[3:]), True
        if name not in names:
            raise unknown("variable", word, tuple(sorted(map(show, names))))
        if is_derivative is not (kind == "known"):
            needed = "a derivative, such as `C2.deru`" if kind == "known" else "no derivative"
            raise _usage("variable", f"`variable {kind} {word}`: it is said of {needed}")
        self._check_kind(name, kind, word)
        return name

    def _check_kind(self, name: Name, kind: str, word: str) -> None:
        """What cannot be asked of a variable is told at once."""
        flat = self.model.flatten()
        variable = next(v for v in flat.variables if v.name == name)
        if variable.causality is Causality.INPUT or variable.variability < Variability.DISCRETE:
            what = "an input" if variable.causality is Causality.INPUT else "a parameter"
            raise _usage("variable", f"`variable {kind} {word}`: it is {what}, so it is known")
        if self.settings.is_differentiated and kind == "known":
            why = "after `differentiate` every derivative is found"
            raise _usage("variable", f"`variable known {word}`: {why}")
        by_hand = kind != "state" and not self.settings.is_differentiated
        if by_hand and name not in differentiated_in(flat):
            what = "it is unknown anyway" if kind == "unknown" else "there is no such derivative"
            raise _usage("variable", f"`variable {kind} {word}`: nothing differentiates it, {what}")
        before = self.settings.variables.get(name)
        if before is not None and kind not in (before, "known"):
            self.outlet.screen(f"-- {word} is {kind} now, no longer {before}.\n")


def _first_word(line: str) -> str:
    return line.split(maxsplit=1)[0] if line.strip() else ""


def _commands(line: str) -> list[str]:
    """Commands of a line; braces hold comments, semicolons separate."""
    plain = re.sub(r"\{[^}]*\}", "", line)
    return [part.strip() for part in plain.split(";") if part.strip()]


def _completed(word: str, known: Sequence[str], what: str) -> str:
    """The word, or the only one that begins like it."""
    if word in known:
        return word
    found = [name for name in known if name.startswith(word)]
    if len(found) == 1:
        return found[0]
    raise unknown(what, word, tuple(found) or tuple(known))


def _alone(command: str, rest: str) -> None:
    if rest:
        raise _usage(command, f"`{command} {rest}`: the command takes no words")


def _usage(command: str, message: str) -> UsageError:
    return UsageError(Diagnostic("U072", message, help=" ".join(COMMANDS[command].split())))


def _read(path: Path) -> str:
    try:
        return read_regular(path).decode("utf-8")
    except (OSError, UnicodeDecodeError) as problem:
        reason = getattr(problem, "strerror", None) or "not UTF-8 text"
        raise UsageError(
            Diagnostic("U002", f"cannot read `{path}`: {reason}", file=str(path))
        ) from None
