"""What the core says: warnings and the reasons of its failures, with the names of the elements."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from freewheel.base.diagnostics import Diagnostic, Severity
from freewheel.runtime.switched_dae.mode_analysis import ModeFacts
from freewheel.runtime.switched_dae.problem import CoreProblem

COMPONENT = re.compile(r"([A-Za-z_][\w.\[\],]*)\.[A-Za-z_]\w*")


def _listed(names: Sequence[str], most: int = 8) -> str:
    quoted = ", ".join(f"`{name}`" for name in names[:most])
    return quoted + (f" and {len(names) - most} more" if len(names) > most else "")


def _components(equations: Sequence[str]) -> list[str]:
    """Whose variables occur: `V` and `S` of `V.V = S.s*S.Ron`."""
    found = [name for equation in equations for name in COMPONENT.findall(equation)]
    return list(dict.fromkeys(found))


def _position(core: CoreProblem, bits: Sequence[bool]) -> str:
    on = [name for name, bit in zip(core.bit_names, bits, strict=True) if bit]
    off = [name for name, bit in zip(core.bit_names, bits, strict=True) if not bit]
    return f"on: {_listed(on) or 'none'}; off: {_listed(off) or 'none'}"


def floating(core: CoreProblem, facts: ModeFacts, time: float) -> Diagnostic:
    return Diagnostic(
        code="R130",
        message=f"from time {time:g} s on nothing determines {_listed(facts.free)} of {core.name}; "
        "the smallest values that fit are shown",
        help="a part of the circuit floats or a loop of ideal elements carries any current: ground "
        "it, or give one element a resistance, if these variables matter",
        severity=Severity.WARNING,
    )


def drowned(core: CoreProblem, leaks: Sequence[str]) -> Diagnostic:
    return Diagnostic(
        code="R139",
        message=f"{core.name}: {_listed(leaks)} are so small that rounding may hide what they do",
        help="make them zero, which is ideal and exact, or at least 1e-9",
        severity=Severity.WARNING,
    )


def impulse_warning(core: CoreProblem, times: Sequence[float], names: Sequence[str]) -> Diagnostic:
    first = f"at time {times[0]:.9g} s"
    when = first if len(times) == 1 else f"{first} and {len(times) - 1} times more"
    return Diagnostic(
        code="R131",
        message=f"{core.name}: an impulse in {_listed(names)} {when}",
        help="stored energy is lost at once; `--impulses accept` accepts it without a warning, "
        "`--impulses error` stops here",
        severity=Severity.WARNING,
    )


def inelastic(core: CoreProblem, turned: Sequence[str], time: float) -> Diagnostic:
    return Diagnostic(
        code="R142",
        message=f"{core.name}: the impulse at time {time:.9g} s, where {_listed(turned)} changes, is an "
        "assumption: an equation that holds for positions begins to bind velocities, and the impact is taken "
        "as inelastic",
        help="this applies to all such impulses of the run; for a rebound write "
        "`when ... then reinit(v, -e*pre(v)); end when`, or let the equation bind velocities",
        severity=Severity.NOTE,
    )


def impulse_error(core: CoreProblem, time: float, names: Sequence[str]) -> Diagnostic:
    return replace(impulse_warning(core, [time], names), severity=Severity.ERROR)


def fixed_not_kept(
    core: CoreProblem, values: Sequence[tuple[str, float, float]], time: float
) -> Diagnostic:
    """`values`: name, what is wished, what it is instead."""
    named = ", ".join(
        f"`{name}` = {wish:.9g} (it is {value:.9g})" for name, wish, value in values[:4]
    )
    more = f" and {len(values) - 4} more" if len(values) > 4 else ""
    return Diagnostic(
        code="R141",
        message=f"{core.name}: fixed start values do not hold at time {time:.9g} s: {named}{more}",
        help="in the mode at the start other equations give these values: remove `fixed = true`, or start "
        "with the values that they give",
        severity=Severity.WARNING,
    )


def contradiction(
    core: CoreProblem, facts: ModeFacts, bits: Sequence[bool], time: float
) -> Diagnostic:
    return Diagnostic(
        code="R132",
        message=f"{core.name}: at time {time:.9g} s the ideal switches leave no solution for "
        f"{_listed(_components(facts.contradicting)) or 'the model'}: "
        f"{_listed(facts.contradicting) or 'its equations'} contradict each other "
        f"({_position(core, bits)})",
        help="a voltage source is shorted, a current source is opened, or two speeds are imposed on "
        "one shaft: change the switching, or give one of the elements a resistance",
    )


def at_rest_nowhere(core: CoreProblem, names: Sequence[str], time: float) -> Diagnostic:
    return Diagnostic(
        code="R138",
        message=f"{core.name}: at time {time:.9g} s there is no steady start: no values of {_listed(names)} "
        "make "
        "their derivatives zero",
        help="sources that swing, or switches that are closed in one period and open in the next, have "
        "no rest: give start values instead of `der(..) = 0`",
    )


def no_mode(core: CoreProblem, bits: Sequence[bool], time: float) -> Diagnostic:
    return Diagnostic(
        code="R133",
        message=f"{core.name}: at time {time:.9g} s no position of the ideal elements satisfies all "
        f"of them (last tried: {_position(core, bits)})",
        help="a source may drive an element in its blocking direction, with no other path",
    )


def no_agreement(core: CoreProblem, bits: Sequence[bool], time: float) -> Diagnostic:
    return Diagnostic(
        code="R134",
        message=f"{core.name}: at time {time:.9g} s the model's own logic and its ideal switches do not "
        f"come to rest: each change of one makes the other change back ({_position(core, bits)})",
        help="add a hysteresis, or let the logic act on `pre(..)` of what it switches",
    )


def folded(core: CoreProblem, unknown: int, value: float, time: float) -> Diagnostic:
    name = core.unknowns[unknown]
    return Diagnostic(
        code="R146",
        message=f"{core.name}: at time {time:.9g} s the curve of `{name}` has a fold at {value:.9g}: "
        "what drives it goes on, the curve turns back, and none of its other pieces has a solution",
        help="in reality something is stored there: add a capacitor across the element (or an inductor in "
        "series with one that is given a voltage), or write the branch to which it jumps",
    )
