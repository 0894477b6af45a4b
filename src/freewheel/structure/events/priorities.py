"""Which when-clause comes first where several are due at once (Cellier and Kofman, section 9.3).

    when sample(0, 0.2) then a = pre(b); end when annotation(__Freewheel_priority = -1);
    -> flag 1 = sample;  waits = flag 1 has risen and flag 2 not yet;
       flag 2 = pre(waits) and nothing has changed in the round before;  a = if flag 2 rises then ...

At an event the discrete equations are repeated, values becoming pre values, until nothing changes. A
clause of lower priority waits until all that came before it, with its consequences, has settled, as if its
event were the next one in the calendar. At the start what is due is done in one round, in the order of data:
set points pass from the outer controllers to the inner ones (section 9.4).

A clause without a priority has priority 0 if it is a time event by itself, by `sample` or a relation of time;
any other is a consequence and never waits.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from freewheel.base.diagnostics import Diagnostic, Label, Severity
from freewheel.base.names import Name, show
from freewheel.flat.nodes import Equation, FlatModel, Variability
from freewheel.formula import build
from freewheel.formula.nodes import FALSE, TIME, Expr, Var
from freewheel.formula.walk import variables_in
from freewheel.structure.atoms import INITIAL, SAMPLE, pre_of, when_flag
from freewheel.structure.nodes import Condition, ScalarEquation, ScalarVariable

Sources = Mapping[Var, list[Var]]


def has_priorities(flat: FlatModel) -> bool:
    """Whether some when-clause has one."""
    stack: list[object] = [flat.equations, flat.algorithms]
    while stack:
        node = stack.pop()
        if isinstance(node, tuple):
            stack.extend(node)
        elif not isinstance(node, Equation | Expr):
            if getattr(node, "priority", None) is not None:
                return True
            parts = ("statements", "branches", "body", "otherwise")
            stack += [getattr(node, part, ()) for part in parts]
    return False


def is_time_event(condition: Expr, variables: Mapping[Name, ScalarVariable]) -> bool:
    """Whether only time makes it true: `sample(..)`, `time >= next`."""
    found = variables_in(condition)
    discrete = Variability.DISCRETE
    others = [variables[v.name] for v in found if v.name in variables]
    by_time = any(v is TIME or v.name[0] == SAMPLE for v in found)
    return by_time and all(variable.variability <= discrete for variable in others)


def in_turn(conditions: Sequence[Condition], watched: Sequence[Var]) -> list[Condition]:
    """Flags of clauses with a priority rise in their turn; `watched` are all discrete variables."""
    priorities = sorted({c.priority for c in conditions if c.priority is not None}, reverse=True)
    if len(priorities) < 2:
        return list(conditions)
    found = list(conditions)

    def flag(value: Expr) -> Var:
        made = when_flag(len(found) + 1)
        found.append(Condition(made, value))
        return made

    begun = flag(build.logical_not(INITIAL))
    is_quiet = flag(build.logical_not(_any([build.relation("<>", v, pre_of(v)) for v in watched])))
    first: list[Expr] = []  # those of higher priority that wait
    for priority in priorities[1:]:
        mine: list[Expr] = []
        free = build.logical_and(pre_of(is_quiet), build.logical_not(_any(first)))
        for number, condition in enumerate(conditions):
            if condition.priority != priority:
                continue
            assert isinstance(condition.value, Var)
            waits = when_flag(len(found) + 1)
            risen = build.logical_and(condition.value, build.logical_not(pre_of(condition.value)))
            open_ = build.logical_or(risen, pre_of(waits))
            done = build.logical_or(build.logical_not(pre_of(begun)), pre_of(condition.flag))
            flag(build.logical_and(open_, build.logical_not(done)))
            turn = build.logical_and(pre_of(waits), free)
            now = build.if_then_else(pre_of(begun), turn, condition.value)
            found[number] = replace(condition, value=now)
            mine.append(pre_of(waits))
        first += mine
    return found


def _any(parts: Sequence[Expr]) -> Expr:
    """By halves: a long row would be nested deeply."""
    if len(parts) < 2:
        return parts[0] if parts else FALSE
    middle = len(parts) // 2
    return build.logical_or(_any(parts[:middle]), _any(parts[middle:]))


def conflicts(
    conditions: Sequence[Condition], equations: Sequence[ScalarEquation]
) -> list[Diagnostic]:
    """Notes where a clause reads what one of lower priority gives."""
    ranked = {c.flag: c for c in conditions if c.priority is not None}
    if not ranked:
        return []
    given: dict[Var, Condition] = {}
    for equation in equations:
        mine = [ranked[v] for v in variables_in(equation.right) if v in ranked]
        if mine and isinstance(equation.left, Var):
            given[equation.left] = min(mine, key=_priority)
    sources = _sources(equations, given)
    return [
        _conflict(target, reader, read, given[read])
        for equation in equations
        if isinstance(target := equation.left, Var) and (reader := given.get(target)) is not None
        for read in _read(equation.right, sources, given)
        if _priority(given[read]) < _priority(reader)
    ]


def _priority(condition: Condition) -> int:
    return condition.priority or 0


def _sources(equations: Sequence[ScalarEquation], given: Mapping[Var, Condition]) -> Sources:
    """What is needed for the variables that equations `variable = expression` give."""
    found: dict[Var, list[Var]] = {}
    for equation in equations:
        for one, other in ((equation.left, equation.right), (equation.right, equation.left)):
            if isinstance(one, Var) and one not in given:
                found.setdefault(one, []).extend(variables_in(other))
    return found


def _read(expr: Expr, sources: Sources, given: Mapping[Var, Condition]) -> Iterator[Var]:
    """Variables of when-clauses that an expression needs, through other equations too."""
    seen: set[Var] = set()
    stack = list(variables_in(expr))
    while stack:
        var = stack.pop()
        if var in seen:
            continue
        seen.add(var)
        if var in given:
            yield var
        else:
            stack.extend(sources.get(var, ()))


def _conflict(target: Var, reader: Condition, read: Var, giver: Condition) -> Diagnostic:
    return Diagnostic(
        "E023",
        f"`{show(target.name)}` has priority {_priority(reader)} and needs `{show(read.name)}`, whose "
        f"priority is {_priority(giver)}: where both are due at once it takes the value from before",
        (Label(reader.span, "comes first"), Label(giver.span, "comes later")),
        help="if the new value is meant, let the one that gives it have the higher priority",
        severity=Severity.NOTE,
    )
