"""A model as one sorted list of equations, for languages without state events and iterations.

    y = if x > high then ..     the relation stands in the formula again, no status is kept
    when sample(0, Ts) ..       what one tick computes from the values before it

DESIRE and Simnon evaluate such formulas at each step. What needs memory beyond a sampled update, or a loop
that has no formula, is refused.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from freewheel.base.diagnostics import CompileError
from freewheel.export.draft import Exportable, draft_of, program_as_listed
from freewheel.export.nodes import Choose, Draft, Linear, Set, Statement
from freewheel.export.options import ExportOptions
from freewheel.export.started import started_memory
from freewheel.export.supported import refuse, refuse_loops
from freewheel.formula import build
from freewheel.formula.nodes import FALSE, TRUE, ZERO, Boolean, Expr, Integer, Real, Var
from freewheel.formula.walk import map_bottom_up, substitute, variables_in
from freewheel.graphs.components import components
from freewheel.program.nodes import Program, slot_var

LARGEST_SYSTEM = 3  # unknowns that are written as a quotient of determinants


@dataclass(frozen=True, slots=True)
class Tick:
    """At each sample: new values of discrete variables, from those before and from continuous ones."""

    interval: Expr
    length: float  # its value
    updates: tuple[Set, ...]


@dataclass(frozen=True, slots=True)
class PlainForm:
    draft: Draft
    parameters: tuple[Set, ...]  # that follow from others
    equations: tuple[Set, ...]  # sorted
    tick: Tick | None
    start: Mapping[int, float]  # of states and discrete variables

    def locals(self) -> list[str]:
        """Names that are taken already."""
        found = (one.target for one in (*self.parameters, *self.equations))
        return [str(var.name[1]) for var in found if var.name[0] == "local"]


def plain_form(model: Exportable, kind: str, options: ExportOptions) -> PlainForm:
    program = program_as_listed(model, options)
    draft = draft_of(program, kind, options, has_functions=False)
    used = [
        program.sections[name] for name in ("parameters", "derivatives", "relations", "outputs")
    ]
    refuse_loops(used, program.name, kind, LARGEST_SYSTEM)
    if program.reinits or len(program.samples) > 1:
        what = "`reinit`" if program.reinits else "several sample rates"
        raise _event(program, kind, f"{what} cannot be expressed")
    names = ("derivatives", "relations", "outputs")
    flat = [one for name in names for one in _flat(draft.routines[name])]
    tick = _tick(draft, kind)
    equations = _sorted(_without_statuses(flat, program), program, kind)
    parameters = tuple(_flat(draft.routines["parameters"]))
    return PlainForm(draft, parameters, equations, tick, _start(program))


def _event(program: Program, kind: str, why: str) -> CompileError:
    return refuse(
        "G016",
        f"{program.name}: {why} in `{kind}`",
        "export to a target with events: `acsl`, `c`, `dsblock-c`, `dsblock-f77`, `python`, `simulink`",
    )


def _flat(statements: Sequence[Statement]) -> list[Set]:
    """Guards disappear: both ways of a choice are formulas here."""
    found: list[Set] = []
    for statement in statements:
        match statement:
            case Set():
                found.append(statement)
            case Linear():
                found += _by_determinants(statement)
            case Choose(branches=((condition, (Set() as then,)),), otherwise=(Set() as other,)):
                value = build.if_then_else(condition, then.value, other.value)
                found.append(Set(then.target, value, then.origin))
            case _:
                raise AssertionError(statement)
    return found


# ---------------------------------------------------------------- linear systems


def _by_determinants(system: Linear) -> list[Set]:
    """Cramer's rule; small systems only."""
    size = len(system.targets)
    matrix: list[list[Expr]] = [[ZERO] * size for _ in range(size)]
    for row, column, entry in system.matrix:
        matrix[row][column] = entry
    divisor = _determinant(matrix)
    found: list[Set] = []
    for column, target in enumerate(system.targets):
        changed = [
            [system.right[row] if k == column else matrix[row][k] for k in range(size)]
            for row in range(size)
        ]
        found.append(Set(target, build.over(_determinant(changed), divisor)))
    return found


def _determinant(matrix: Sequence[Sequence[Expr]]) -> Expr:
    if len(matrix) == 1:
        return matrix[0][0]
    total: Expr = ZERO
    for column, entry in enumerate(matrix[0]):
        rest = [[*row[:column], *row[column + 1 :]] for row in matrix[1:]]
        term = build.times(entry, _determinant(rest))
        total = build.minus(total, term) if column % 2 else build.plus(total, term)
    return total


# ---------------------------------------------------------------- relations


def _without_statuses(equations: Sequence[Set], program: Program) -> list[Set]:
    """Each status gives way to the residual it is the sign of."""
    residuals = {relation.residual for relation in program.relations}
    values = {s.target.name[0]: s.value for s in equations if s.target.name[0] in residuals}
    names: dict[Expr, Expr] = {
        slot_var(relation.status): values[relation.residual] for relation in program.relations
    }
    awake: dict[Expr, Expr] = {} if program.awake < 0 else {slot_var(program.awake): ZERO}
    memo: dict[Expr, Expr] = {}
    found: list[Set] = []
    for one in equations:
        if one.target.name[0] in residuals:
            continue
        value = _folded(substitute(substitute(one.value, names), awake), memo)
        found.append(Set(one.target, value, one.origin))
    return found


def _folded(expr: Expr, memo: dict[Expr, Expr]) -> Expr:
    return map_bottom_up(
        expr, lambda node: build.rebuilt(node, node.args) if node.args else node, memo
    )


def _sorted(every: Sequence[Set], program: Program, kind: str) -> tuple[Set, ...]:
    """What several sections compute stands once."""
    equations = list({one.target: one for one in every}.values())
    place = {one.target: k for k, one in enumerate(equations)}
    needs = [[place[v] for v in variables_in(one.value) if v in place] for one in equations]
    found: list[Set] = []
    for block in components(needs):
        if len(block) > 1 or block[0] in needs[block[0]]:
            raise _event(program, kind, "a relation is part of a loop, which needs a status")
        found.append(equations[block[0]])
    return tuple(found)


# ---------------------------------------------------------------- samples


def _tick(draft: Draft, kind: str) -> Tick | None:
    """What a sample computes. Anything else that changes at events is refused."""
    program = draft.program
    steps = _flat_discrete(draft, kind)
    if not program.discrete:
        return None
    flags = {sample[2] for sample in program.samples}
    held = _pass(steps, program, dict.fromkeys(flags, FALSE))
    for one in held:
        before = dict(program.discrete).get(_slot(one.target))
        if before is None or one.value is not slot_var(before):
            why = "values that change at events other than samples cannot be expressed"
            raise _event(program, kind, why)
    if not program.samples:
        return None
    start, interval, _, first, every, parts = program.samples[0]
    period = build.times(slot_var(interval), Real(every / parts))
    offset = build.times(slot_var(interval), Real(first / parts))
    begin, length = _value(draft, build.plus(slot_var(start), offset)), _value(draft, period)
    if begin != 0.0 or length is None or length <= 0.0:
        raise _event(program, kind, "samples that do not begin with the run cannot be expressed")
    updates = _pass(steps, program, dict.fromkeys(flags, TRUE))
    return Tick(period, length, tuple(updates))


def _value(draft: Draft, expr: Expr) -> float | None:
    """What follows from parameters, as they stand."""
    rules: dict[Expr, Expr] = {slot_var(k): Real(value) for k, value in enumerate(draft.memory)}
    for one in _flat(draft.routines["parameters"]):
        rules[one.target] = _folded(substitute(one.value, rules), {})
    found = _folded(substitute(expr, rules), {})
    return float(found.value) if isinstance(found, Real | Integer) else None


def _flat_discrete(draft: Draft, kind: str) -> list[Set]:
    statements = draft.routines["discrete"]
    if not all(isinstance(s, Set) for s in statements):
        raise _event(draft.program, kind, "loops among discrete equations cannot be expressed")
    return [s for s in statements if isinstance(s, Set)]


def _slot(var: Var) -> int:
    slot = var.name[0]
    return slot if isinstance(slot, int) else -1


def _pass(steps: Sequence[Set], program: Program, flags: Mapping[int, Boolean]) -> list[Set]:
    """The discrete equations with these flags, edges just risen; what is decided is folded away."""
    known: dict[Expr, Expr] = {slot_var(flag): value for flag, value in flags.items()}
    # An edge: before the tick the flag of a when-clause was false.
    known.update(
        (slot_var(pre), FALSE) for slot, pre in program.discrete if slot in program.boolean_slots
    )
    if program.awake >= 0:
        known[slot_var(program.awake)] = ZERO
    found: list[Set] = []
    for one in steps:
        value = _folded(substitute(one.value, known), {})
        is_local = one.target.name[0] == "local"
        if isinstance(value, Boolean) or _slot(one.target) == program.awake or is_local:
            known[one.target] = value
        else:
            found.append(Set(one.target, value))
    return found


def _start(program: Program) -> dict[int, float]:
    """Of states and discrete variables."""
    memory = started_memory(program)
    held = {slot for slot, _ in program.discrete} | {state.slot for state in program.state_slots}
    return {slot: memory[slot] for slot in sorted(held)}


def needed(parameters: Sequence[Set], *users: Expr) -> tuple[Set, ...]:
    """The dependent parameters that these formulas use, in order."""
    wanted = set(variables_in(*users)) if users else set()
    found: list[Set] = []
    for one in reversed(parameters):
        if one.target in wanted:
            wanted.update(variables_in(one.value))
            found.append(one)
    return tuple(reversed(found))
