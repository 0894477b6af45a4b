"""When-clauses that say by edges what a condition says all the time.

    when s < 0 then mo = 1; elsewhen s >= 0 then mo = 0; end when

    ->  mo = if s < 0 or not pre(turned) then 1 else 0      of a start value of 1
        side = -1 or 1, where s is at the start
        turned = (initial() and side < 0) or pre(turned) or side*s < 0

Of two contrary conditions the one that became true last holds: after the first edge the value follows the
condition, and before that it stays at its start. With edges a switch moves only after its relation has
changed, and its new position has something to say about the relation again: where a diode turns both sides
are zero but for rounding, and the clauses run in circles. A condition makes it a curve with a latch, and its
position is chosen (curve_parameters.py). `side*s` is a relation of its own: the core turns the other one.

At an exact zero `s < 0` and `s > 0` are both false; there the first of both decides.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from freewheel.flat.nodes import Variability
from freewheel.formula import build
from freewheel.formula.nodes import FALSE, TRUE, ZERO, Binary, Boolean, Expr, If, Integer, Real, Var
from freewheel.formula.types import BOOLEAN, INTEGER, REAL
from freewheel.formula.walk import nodes_of, variables_in
from freewheel.formula.walk import replace as rewrite
from freewheel.structure.atoms import INITIAL, SIDE, TURNED, base_of, is_pre, pre_of
from freewheel.structure.blocks.incidence import equation_text
from freewheel.structure.nodes import ScalarEquation, ScalarModel, ScalarVariable
from freewheel.structure.switching.conditions import MAX_DEPTH, definitions
from freewheel.structure.switching.numbers.choices import settled
from freewheel.structure.values import ParameterValues

_ZERO_OF: dict[object, Expr] = {BOOLEAN: FALSE, INTEGER: Integer(0), REAL: Real(0.0)}
_BELOW, _ABOVE = ("<", "<="), (">", ">=")


@dataclass(frozen=True, slots=True)
class _Followed:
    """The variable has one value where the relation holds and another where it `fails`, after an edge; until
    then it is what it was, unless `from_start`."""

    relation: Binary
    holds: Expr
    fails: Expr
    from_start: bool
    is_open: bool  # both sides exclude zero


def with_conditions(model: ScalarModel) -> ScalarModel | None:
    """The model with such clauses as equations; None where there are none."""
    if not any(equation.target is not None for equation in model.equations):
        return None
    search = _Search(model)
    equations = [row for equation in model.equations for row in search.rows(equation)]
    if not search.found:
        return None
    return replace(
        model,
        variables=(*settled(model, search.decided), *search.hidden),
        equations=tuple(equations),
    )


class _Search:
    def __init__(self, model: ScalarModel) -> None:
        self.variables = {v.name: v for v in model.variables}
        self.values = ParameterValues(self.variables, model.functions)
        self.meaning: dict[Var, Expr] = {c.flag: c.value for c in model.conditions}
        self.meaning |= {
            var: formula
            for var, formula in definitions(model.equations)[0].items()
            if var.name in self.variables and self.variables[var.name].type == BOOLEAN
        }
        starts = (side for e in model.initial_equations for side in (e.left, e.right))
        self.begun = {base_of(v) if is_pre(v) else v for v in variables_in(*starts)}
        self.found = 0
        self.hidden: list[ScalarVariable] = []
        self.decided: set[Var] = set()

    def rows(self, equation: ScalarEquation) -> list[ScalarEquation]:
        """What says the same; the equation itself where it is no such clause."""
        followed = None if equation.target is None else self._followed(equation)
        if followed is None or equation.target is None:
            return [equation]
        condition: Expr = followed.relation
        latch: list[ScalarEquation] = []
        if not followed.from_start:
            begins = self._begins_with(equation.target, followed)
            if begins is None:
                return [equation]
            turned, latch = self._latch(equation, followed, begins)
            # With `pre`: once released the switch moves, and the relation may not hold any more.
            before = pre_of(turned)
            condition = (
                build.logical_or(condition, build.logical_not(before))
                if begins
                else build.logical_and(condition, before)
            )
        self.found += 1
        value = _choice(condition, followed.holds, followed.fails)
        spoken = equation_text(equation)
        return [replace(equation, right=value, is_when=False, spoken=spoken), *latch]

    def _latch(
        self, old: ScalarEquation, followed: _Followed, begins: bool
    ) -> tuple[Var, list[ScalarEquation]]:
        """(whether there has been an edge, the equations of that)."""
        assert old.target is not None
        turned, side = (Var((head, *old.target.name)) for head in (TURNED, SIDE))
        left, right = followed.relation.args
        is_below, is_strict = followed.relation.op in _BELOW, followed.relation.op in ("<", ">")
        # Where a zero belongs to neither side, the edge comes that the start value waits for.
        counts = begins if followed.is_open else not is_strict
        first = build.call("noEvent", Binary("<=" if is_below == counts else "<", left, right))
        at_start = If(INITIAL, If(first, Integer(-1), Integer(1)), pre_of(side))
        edge = Binary("<", build.times(pre_of(side), build.minus(left, right)), ZERO)
        # A start value that is right follows from the start on.
        is_right = first if is_below == begins else build.logical_not(first)
        follows = If(INITIAL, is_right, build.logical_or(pre_of(turned), edge))
        for var, kind, start in ((turned, BOOLEAN, FALSE), (side, INTEGER, Integer(1))):
            self.hidden.append(
                ScalarVariable(var.name, kind, Variability.DISCRETE, start=start, span=old.span)
            )
        return turned, [
            ScalarEquation(side, at_start, old.span, old.origin, target=side),
            ScalarEquation(turned, follows, old.span, old.origin, target=turned),
        ]

    def _begins_with(self, target: Var, followed: _Followed) -> bool | None:
        """Whether the start value is the one for a relation that holds; None for a third value."""
        if target in self.begun:
            return None
        variable = self.variables[target.name]
        start = _ZERO_OF.get(variable.type) if variable.start is None else variable.start
        if start is None:
            return None
        own, holds, fails = map(self.values.value, (start, followed.holds, followed.fails))
        if own is None or own not in (holds, fails):
            return None
        self.decided.update(variables_in(start, followed.holds, followed.fails))
        return own == holds

    def _followed(self, equation: ScalarEquation) -> _Followed | None:
        """By a table of all cases: the relation holds or fails, and did so or not."""
        target, formula = equation.target, equation.right
        relations = self._relations(formula)
        if target is None or not relations or equation.left is not target:
            return None
        relation = relations[0]
        sides = {side_of(other, relation) for other in relations}
        is_open = len(sides) == 2 and all(other.op in ("<", ">") for other in relations)
        case = _Case(self, relation, pre_of(target))
        holds, fails = case.end(formula, True, False), case.end(formula, False, True)
        keeps = [case.end(formula, now, now) is pre_of(target) for now in (True, False)]
        if not all(keeps) or holds is None or fails is None:
            return None
        if any(self.values.value(value) is None for value in (holds, fails)):
            return None
        first = [case.end(formula, now, now, initial=True) for now in (True, False)]
        if holds is FALSE:
            relation, holds, fails, first = _contrary(relation), fails, holds, first[::-1]
        if first == [holds, fails]:
            return _Followed(relation, holds, fails, True, is_open)
        is_kept = first == [pre_of(target), pre_of(target)]
        return _Followed(relation, holds, fails, False, is_open) if is_kept else None

    def _relations(self, formula: Expr) -> list[Binary]:
        """What conditions look at, as it is written first; nothing where that is more than one quantity."""
        found: dict[Binary, None] = {}
        waiting: list[Expr] = [formula]
        seen: set[Expr] = set()
        while waiting and len(seen) < MAX_DEPTH:
            for node in nodes_of(waiting.pop(0)):
                if isinstance(node, Binary) and node.op in (*_BELOW, *_ABOVE):
                    found[node] = None
                if isinstance(node, Var):
                    plain = base_of(node) if is_pre(node) else node
                    if plain in self.meaning and plain not in seen:
                        seen.add(plain)
                        waiting.append(self.meaning[plain])
        relations = list(found)
        is_one = all(side_of(relation, relations[0]) is not None for relation in relations)
        return relations if is_one else []


def side_of(relation: Binary, other: Binary) -> bool | None:
    """Whether a relation holds where the other one does, zeros apart; None where it compares other things."""
    is_same_way = (relation.op in _BELOW) == (other.op in _BELOW)
    if relation.args == other.args:
        return is_same_way
    return not is_same_way if relation.args == other.args[::-1] else None


class _Case:
    """Formulas where a relation has a value, and had one."""

    def __init__(self, search: _Search, relation: Binary, old: Var) -> None:
        self.search = search
        self.relation = relation
        self.old = old

    def end(self, formula: Expr, now: bool, before: bool, initial: bool = False) -> Expr | None:
        """Where a chain of choices ends."""
        while isinstance(formula, If):
            condition = self._decided(formula.args[0], now, before, initial)
            is_true = self.search.values.truth(condition)
            if is_true is None:
                return None
            formula = formula.args[1] if is_true else formula.args[2]
        return formula

    def _decided(self, condition: Expr, now: bool, before: bool, initial: bool) -> Expr:
        meaning = self.search.meaning

        def visit(node: Expr) -> Expr | None:
            if isinstance(node, Binary):
                holds = side_of(node, self.relation) if node.op in (*_BELOW, *_ABOVE) else None
                return None if holds is None else Boolean(now == holds)
            if node is INITIAL:
                return Boolean(initial)
            if not isinstance(node, Var):
                return None
            if not is_pre(node):
                known = meaning.get(node)
                return None if known is None else self._decided(known, now, before, initial)
            known = meaning.get(base_of(node))
            if known is None:
                return None
            # An edge inside, `change(b)`, is over before the next one comes.
            if any(is_pre(var) for var in variables_in(known)):
                return FALSE
            return self._decided(known, before, before, False)

        return rewrite(condition, visit)


def _contrary(relation: Binary) -> Binary:
    return Binary({"<": ">=", "<=": ">", ">": "<=", ">=": "<"}[relation.op], *relation.args)


def _choice(condition: Expr, holds: Expr, fails: Expr) -> Expr:
    """A Boolean is its condition."""
    return condition if holds is TRUE and fails is FALSE else If(condition, holds, fails)
