"""Switches in words: what each element is, which states it takes away, and what stays implicit.

D: curve by `D.off`
    D.v = D.s*(if D.off then 1 else D.Ron)
  L.i is not a state while D.off = true
implicit: 5 equations with the state L.i
"""

from __future__ import annotations

from collections.abc import Sequence

from freewheel.listing.switches.report import ALWAYS, Fixed, Switch, Switches

MAX_NAMED = 8


def show_switches(report: Switches) -> str:
    if not report.switches and not report.left_out and not report.variables:
        return "no equation changes its unknowns: no switch changes the structure\n"
    lines: list[str] = []
    for switch in report.switches:
        lines += _switch(switch)
    together = [fixed for fixed in report.together if fixed.position != ALWAYS]
    if together:
        lines.append("only together:")
        lines += [f"  {_fixed(fixed)}" for fixed in together]
    for fixed in report.together:
        if fixed.position == ALWAYS:
            lines.append(f"{_listed(fixed.states)} are tied by constraints that jump at events")
    lines.append(_core(report))
    if report.left_out:
        noun = "switch takes" if report.left_out == 1 else "switches take"
        lines.append(f"{report.left_out} other {noun} no state away")
    return "\n".join(lines) + "\n"


def _switch(switch: Switch) -> list[str]:
    conditions = ", ".join(f"`{condition}`" for condition in switch.conditions)
    lines = [f"{switch.name}: {switch.kind} by {conditions}"]
    lines += [f"    {equation}" for equation in switch.equations]
    return lines + [f"  {_fixed(fixed)}" for fixed in switch.fixed]


def _fixed(fixed: Fixed) -> str:
    said: list[str] = []
    if fixed.states:
        verb = "is not a state" if len(fixed.states) == 1 else "are not all states"
        said.append(f"{_listed(fixed.states)} {verb}")
    if fixed.open:
        equations = ", ".join(f"`{text}`" for text in fixed.open[:MAX_NAMED])
        said.append(f"something is left open, since {equations} say too much,")
    return f"{'; '.join(said)} while {fixed.position}"


def _core(report: Switches) -> str:
    if not report.variables:
        return "no state depends on a switch: ordinary equations hold in every position"
    count = len(report.variables)
    if not report.states:
        return f"implicit: {count} equations for {_listed(report.variables, count)}"
    noun = "state" if len(report.states) == 1 else "states"
    others = [name for name in report.variables if name not in report.states]
    rest = f", and for {_listed(others, count)}" if others else ""
    return f"implicit: {count} equations with the {noun} {_listed(report.states, count)}{rest}"


def _listed(names: Sequence[str], most: int = MAX_NAMED) -> str:
    rest = len(names) - len(names[:most])
    return ", ".join(names[:most]) + (f" and {rest} more" if rest else "")
