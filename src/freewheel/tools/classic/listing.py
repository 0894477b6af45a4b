"""Listings of a session: the views of `freewheel equations` in the words of the classic language.

output equations             as entered, or with the unknown of each marked once partitioned
output sorted equations      in the order of evaluation
output solved equations      as formulas
"""

from __future__ import annotations

import re

from freewheel.api import Model
from freewheel.dymola.lower_equations import FUNCTIONS
from freewheel.listing.equations.view import View, view
from freewheel.pipeline import Options, compile_flat
from freewheel.structure.index.unmet_states import CODE as UNMET
from freewheel.tools.classic.settings import Settings

WATCHING = ("acsl", "dsblock-f77", "dsblock-c")  # languages whose code for events is listed
HEADINGS = ("-- The problem is singular.", "-- Equations:")
_SYSTEM = re.compile(r"(IMPLICIT )?SYSTEM OF \d+ SIMULTANEOUS|END OF SYSTEM OF SIMULTANEOUS")
_SOLUTION = re.compile(r"^SOLVED SYSTEM OF EQUATIONS\n(?:  .*\n)*", re.MULTILINE)
_FUNCTIONS = re.compile(r"\b(" + "|".join(FUNCTIONS.values()) + r")\(")
_CLASSIC = {modelica: classic for classic, modelica in FUNCTIONS.items()}
_POWER_OF_TEN = re.compile(r"\b(\d[\d.]*)e([+-]?)0*(\d+)\b")
_LOGICAL = re.compile(r"^.*\bQL\(.*$", re.MULTILINE)
_DERIVATIVE = re.compile(r"der\(((?:\w+\.)*)(\w+)\)")


def equations(model: Model, settings: Settings) -> str:
    """`output equations`"""
    if not settings.is_partitioned:
        early = "aliases" if settings.is_on("Eliminate") else "flat"
        return _text(model, settings, "augmented" if settings.is_differentiated else early)
    if settings.is_differentiated:
        text = _text(model, settings, "differentiated")
        return "".join(line for line in text.splitlines(True) if not line.startswith("-- States"))
    if settings.by_hand:
        return _text(model, settings, "sorted")
    text = _text(model, settings, "assigned")
    return text.partition(HEADINGS[1] + "\n")[2] or text


def warning_of_partition(model: Model, settings: Settings) -> str:
    """What `partition` says of a singular problem, nothing of any other."""
    if settings.by_hand:
        return ""
    if settings.is_differentiated:
        return states_that_cannot_be(model)
    text = _text(model, settings, "assigned")
    if not text.startswith(HEADINGS[0]):
        return ""
    return text.partition(HEADINGS[1] + "\n")[0]


def states_that_cannot_be(model: Model) -> str:
    """Equations as entered: what ties states is an equation that the modeller knows."""
    options = Options(stop_after="structure", eliminate="none")
    warnings = compile_flat(model.flatten(), options).ordered.warnings
    return "".join(f"-- {w.message.replace('`', '')}.\n" for w in warnings if w.code == UNMET)


def sorted_equations(model: Model, settings: Settings) -> str:
    """In the order of evaluation; a bar marks equations of an algebraic loop."""
    marked: list[str] = []
    is_inside = False
    for line in _text(model, settings, "sorted").splitlines():
        if _SYSTEM.match(line):
            is_inside = not line.startswith("END")
        else:
            marked.append(f"{'|' if is_inside else ' '} {line}")
    return "\n".join(marked) + "\n"


def solved_equations(model: Model, settings: Settings) -> str:
    """As formulas. Linear systems that are neither to be solved nor to be shown as matrices stay as
    they are."""
    text = _text(model, settings, "solved")
    if settings.is_on("SolveLinearSyst") or settings.is_on("MatrixExpr"):
        return text
    return _SOLUTION.sub("", text)


def added_equations(model: Model, settings: Settings) -> list[str]:
    """The lines that `differentiate` adds; they come last."""
    before = _text(model, settings, "flat").splitlines()
    after = _text(model, settings, "differentiated").splitlines()
    return after[len(before) + 1 :]


def _text(model: Model, settings: Settings, stage: str) -> str:
    wanted = View(
        stage,
        settings.listed,
        settings.shows_matrix,
        settings.is_on("SubExpr"),
        settings.is_on("EvaluateExpr"),
        settings.is_on("Surplus"),
        True,
        stage == "solved" and settings.language in WATCHING,
        settings.of_kind("known") if settings.by_hand else (),
        settings.of_kind("unknown") if settings.by_hand else (),
    )
    with_names = settings.is_differentiated or settings.language in WATCHING
    return classic_text(view(model.flatten(), wanted), with_names)


def classic_text(text: str, with_names: bool) -> str:
    """In the words of the classic language; derivatives get a name of their own once some of them
    are plain variables, and for languages that know no other: `C2.deru`."""
    text = re.sub(r"\btime\b", "Time", text).replace("^", "**").replace("elseif", "else if")
    text = re.sub(r"\b(true|false)\b", lambda found: found[0].capitalize(), text)
    text = _POWER_OF_TEN.sub(r"\1E\2\3", text)
    text = _FUNCTIONS.sub(lambda found: f"{_CLASSIC[found[1]]}(", text)
    text = _LOGICAL.sub(lambda found: _fortran(found[0]), text)
    return _DERIVATIVE.sub(r"\1der\2", text) if with_names else text


def _fortran(line: str) -> str:
    """A line with relations QL(i) has logical operators as they do."""
    line = re.sub(r"\bnot (QL\(\d+\)|[\w.]+)", r"(.NOT.\1)", line)
    return line.replace("not (", ".NOT.(").replace(" and ", ".AND.").replace(" or ", ".OR.")
