"""Names of the quantities that are not variables of the model but behave like variables.

From this room on, `der(x)`, `pre(x)`, the status of a relation or the flag of a when-clause are
plain `Var` nodes, so that matching, sorting and code generation know one kind of quantity only.
Their names begin with a part that no Modelica identifier can be:

    der_of(Var(("a", "x")))  is  Var(("$der", "a", "x"))      shown as  der(a.x)
"""

from __future__ import annotations

from freewheel.base.names import Name, show
from freewheel.formula.nodes import TIME, Expr, Var

DER = "$der"
PRE = "$pre"
STATUS = "$status"
WHEN = "$when"
SAMPLE = "$sample"
HELD = "$held"  # integer part that changes at events only
REINIT = "$reinit"  # ("$reinit", k) the flag, ("$new", k) the value
NEW = "$new"
STATE = "$state"  # ("$state", group, k): a combination of variables, chosen while running
PIVOT = "$pivot"  # ("$pivot", group, k, j): the share of variable j in it
NORMAL = "$normal"  # ("$normal", group, i, j): what is across them
DELAYED = "$delayed"  # ("$delayed", k): what line k of the history remembers
LAG = "$lag"  # ("$lag", k): how far back it looks
NEXT_BREAK = "$next"  # ("$next", k): where its signal breaks next, seen from the point looked at
LAST_BREAK = "$last"
CURVE = "$curve"  # ("$curve", ..): where a switch is that signs drive, see sign_switches.py
NATURAL = "$natural"  # ("$natural", "i + v"): what has the sign of it, see natural_maps.py
TURNED = "$turned"  # ("$turned", ..): whether a when-clause has set it yet, see edge_conditions.py
SIDE = "$side"  # ("$side", ..): where its relation was at the start
IS = "$is"  # ("$is", .., "1"): whether a variable has this value, see value_booleans.py
FORWARD = "$forward"  # ("$forward", k): 1.0 while pipe k flows from its left end to its right end

INITIAL = Var(("$initial",))
TERMINAL = Var(("$terminal",))
AWAKE = Var(("$awake",))  # 0 while the model starts, then 1: see events/relation_guards.py
HISTORY = Var(("$history",))  # stands for all that is remembered
SHARE = Var(("$lambda",))  # of the actual part of each `homotopy`, on the way to the start


def der_of(var: Var) -> Var:
    return Var((DER, *var.name))


def pre_of(var: Var) -> Var:
    return Var((PRE, *var.name))


def is_der(var: Var) -> bool:
    return var.name[0] == DER


def is_pre(var: Var) -> bool:
    return var.name[0] == PRE


def base_of(var: Var) -> Var:
    """`x` of `der(x)` or `pre(x)`."""
    return Var(var.name[1:])


def is_chosen_state(var: Var) -> bool:
    """A state made by dynamic_states.py, or a derivative of one."""
    head = next(part for part in var.name if part != DER)
    return head == STATE


def status_of(number: int) -> Var:
    return Var((STATUS, number))


def when_flag(number: int) -> Var:
    return Var((WHEN, number))


def sample_flag(number: int) -> Var:
    return Var((SAMPLE, number))


def held_of(number: int) -> Var:
    return Var((HELD, number))


def delayed_of(number: int) -> Var:
    return Var((DELAYED, number))


def lag_of(number: int) -> Var:
    return Var((LAG, number))


def next_break_of(number: int) -> Var:
    return Var((NEXT_BREAK, number))


def last_break_of(number: int) -> Var:
    return Var((LAST_BREAK, number))


def forward_of(number: int) -> Var:
    return Var((FORWARD, number))


def is_remembered(name: Name) -> bool:
    """Hidden variables that the simulation reads: no other may stand in for them."""
    return name[0] in (DELAYED, LAG, FORWARD)


def is_time(expr: Expr) -> bool:
    return expr is TIME


_OPERATORS = {DER: "der", PRE: "pre"}


def show_atom(name: Name) -> str:
    """What the modeller would write: `der(a.x)`, `pre(b)`; inner quantities keep their `$`."""
    if name and name[0] in (DER, PRE):
        return f"{_OPERATORS[str(name[0])]}({show_atom(name[1:])})"
    if name and name[0] == IS:
        return f"{show(name[1:-1])} == {name[-1]}"
    if name and name[0] == NATURAL:
        return str(name[-1])
    return show(name)
