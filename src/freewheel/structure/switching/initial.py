"""What a core means for the start: which of its variables can be given there.

C.v = 5          gives a state of the core the value it would like to have
L.i = 1          gives it to the state L.Psi, by L.Psi = L.i*Lact, which no switch changes
D.i = 1          must hold once the positions of all switches are known: it is checked then
der(C.v) = 0     is looked for while the run starts: rates follow from these positions
v = if time < 1 then 0 else 4      gives it to the state v, and its derivative to a state w = der(v)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set

from freewheel.base.names import Name
from freewheel.formula.nodes import Expr, Integer, Real, Var
from freewheel.formula.walk import variables_in
from freewheel.graphs.matching import coarse_parts, match
from freewheel.structure.atoms import der_of, is_der
from freewheel.structure.events.given_quantities import KnownQuantities
from freewheel.structure.nodes import Block, Hybrid, ScalarEquation, ScalarVariable, Solved
from freewheel.structure.switching.diagnostics import condition_not_met
from freewheel.structure.switching.nodes import Conflict, Core


def found_inside(core: Core) -> tuple[Var, ...]:
    """Algebraic variables of the core, and the rates of its states."""
    states = frozenset(core.differential)
    return (*(var for var in core.variables if var not in states), *map(der_of, core.differential))


def known_at_start(
    core: Core,
    equations: Sequence[ScalarEquation],
    hybrid: Hybrid,
    variables: Mapping[Name, ScalarVariable],
) -> list[ScalarEquation]:
    """Values of states of the core that follow from parameters and time, by constraints that jump later."""
    known = KnownQuantities(equations, hybrid, variables)
    found = {state: known.value(state) for state in core.differential}
    return [
        ScalarEquation(state, value, target=state)
        for state, value in found.items()
        if value is not None
        and not any(is_der(v) or v in core.turning for v in variables_in(value))
    ]


def brought_in(
    core: Core, equations: Sequence[ScalarEquation], conditions: Sequence[ScalarEquation]
) -> tuple[frozenset[int], tuple[Var, ...]]:
    """Rows of the core, and of what follows from it, that no switch changes, and their algebraic variables,
    as far as conditions lead to them: by these, states may be given through other variables. Of rates
    only those are part of it that follow from states in every position, as `w = der(phi)` says it."""
    states = frozenset(core.differential)
    rates = frozenset(map(der_of, core.differential))
    algebraic = frozenset(var for var in core.variables if var not in states)
    algebraic |= {part.target for part in core.followed}
    branching = {row for element in core.elements for row in element.equations}
    spoken = {
        row: variables_in(equations[row].left, equations[row].right)
        for row in (*core.equations, *(part.equation for part in core.followed))
        if row not in branching
    }
    given = _given_by_states(list(spoken.values()), algebraic | rates)
    rows_of: dict[Var, list[int]] = {}
    inside_of: dict[int, list[Var]] = {}
    for row, found in spoken.items():
        if given.issuperset(rates.intersection(found)):
            inside_of[row] = [var for var in found if var in algebraic or var in rates]
            for var in inside_of[row]:
                rows_of.setdefault(var, []).append(row)
    asked = [v for e in conditions for v in variables_in(e.left, e.right)]
    variables = dict.fromkeys(v for v in _through_shell(asked, core) if v in rows_of)
    rows: dict[int, None] = {}
    stack = list(variables)
    while stack:
        for row in rows_of.get(stack.pop(), ()):
            if row not in rows:
                rows[row] = None
                new = [var for var in inside_of[row] if var not in variables]
                variables.update(dict.fromkeys(new))
                stack += new
    return frozenset(rows), tuple(variables)


def _through_shell(asked: Sequence[Var], core: Core) -> list[Var]:
    """With all that they follow from by the equations around the core."""
    block_of = {var: block for block in core.shell.blocks for var in _unknowns_of(block)}
    found = dict.fromkeys(asked)
    waiting = list(found)
    for var in waiting:  # grows while it is read
        block = block_of.get(var)
        new = [] if block is None else [v for v in _read_by(block) if v not in found]
        found.update(dict.fromkeys(new))
        waiting += new
    return waiting


def _given_by_states(rows: Sequence[Sequence[Var]], unknowns: Set[Var]) -> frozenset[Var]:
    """Unknowns that these equations determine where the states are known: all but what is reached from one
    that no equation is left for (Dulmage-Mendelsohn)."""
    columns = list(dict.fromkeys(var for row in rows for var in row if var in unknowns))
    number = {var: k for k, var in enumerate(columns)}
    choices = [[number[var] for var in row if var in number] for row in rows]
    parts = coarse_parts(choices, len(columns), match(choices, len(columns)))
    return frozenset(columns).difference(columns[k] for k in parts.under_columns)


def without_idle(
    blocks: Sequence[Block], brought: Sequence[Var], core: Core, said: Set[int]
) -> list[Block]:
    """Without blocks for variables brought in that no state of the core needs: they are found later,
    with the positions of switches, and may have no solution before. `said`: conditions, which stay."""
    idle = frozenset(brought)
    wanted: set[Var] = set(core.differential)
    kept: list[Block] = []
    for block in reversed(blocks):
        given = _unknowns_of(block)
        own = (block.equation,) if isinstance(block, Solved) else block.equations
        is_needed = not wanted.isdisjoint(given)
        if idle.issuperset(given) and not is_needed and said.isdisjoint(own):
            continue
        kept.append(block)
        if is_needed:
            wanted.update(_read_by(block))
    return kept[::-1]


def _unknowns_of(block: Block) -> tuple[Var, ...]:
    return (block.target,) if isinstance(block, Solved) else block.unknowns


def _read_by(block: Block) -> tuple[Var, ...]:
    if isinstance(block, Solved):
        return variables_in(block.value)
    return variables_in(*block.residuals, *(step.value for step in block.inner))


def steady_states(
    surplus: Sequence[ScalarEquation], assumed: Sequence[ScalarEquation], core: Core
) -> dict[int, Var]:
    """Which of these conditions say `der(x) = 0` of a state of the core whose start value is open: the run
    looks for it. Any other condition on a rate is no mere check, and nothing would look for it."""
    rates = {der_of(state): state for state in core.differential}
    free = {equation.left for equation in assumed}
    found: dict[int, Var] = {}
    for place, equation in enumerate(surplus):
        inside = [v for v in variables_in(equation.left, equation.right) if v in rates]
        if not inside:
            continue
        state = rates[inside[0]]
        if _is_rest(equation, inside[0]) and state in free and state not in found.values():
            found[place] = state
        else:
            raise condition_not_met(equation, inside, core)
    return found


def follows_at_start(core: Core, assumed: Set[Expr]) -> tuple[Var, ...]:
    """States whose start value is only a guess, where constraints that hold in every position give them
    from states with given values."""
    always = [conflict for conflict in core.conflicts if not conflict.case]
    ties = [tied for conflict in always for tied in _tied_by(conflict, core)]
    guessed = tuple(dict.fromkeys(v for tied in ties for v in tied if v in assumed))
    choices = [[k for k, tied in enumerate(ties) if state in tied] for state in guessed]
    return guessed if match(choices, len(ties)).size == len(guessed) else ()


def _tied_by(conflict: Conflict, core: Core) -> list[frozenset[Var]]:
    """Each holds one state more: positions, and by the derivative of their constraint also speeds."""
    states, others = frozenset(conflict.states), frozenset(found_inside(core))
    spoken = [core.shell.equations[row] for row in conflict.rows]
    inside = [frozenset(variables_in(e.left, e.right)) for e in spoken]
    positions = frozenset().union(*(found & states for found in inside if found.isdisjoint(others)))
    return [tied for tied in (positions, states - positions) if tied]


def _is_rest(equation: ScalarEquation, rate: Var) -> bool:
    """`der(x) = 0`, either way round."""
    other = equation.right if equation.left == rate else equation.left
    is_zero = isinstance(other, Integer | Real) and other.value == 0
    return is_zero and rate in (equation.left, equation.right)
