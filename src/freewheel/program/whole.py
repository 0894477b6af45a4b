"""Large regular models without taking their arrays apart: equations of arrays become groups of rows.

    whole = whole_of(flat)          # None: the model is small, or not of this kind
    whole.groups[1].shape           the formula of one for-equation
    whole.groups[1].table           which states and parameters each of its rows reads

Scalarisation makes every element of an array a variable with equations of its own, which takes
milliseconds each. Here `for i in 2:N loop der(u[i]) = f(u[i - 1], u[i], p[i]) end for` stays one formula
over places and a table with one line per element, computed by vector operations; so does
`der(u[2:N]) = u[1:N - 1] - u[2:N]`. The model must give each derivative explicitly; algebraic variables are
put in their places, branches that the iterator decides are taken; no events.
"""

from __future__ import annotations

from collections.abc import Iterator as Iterating
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt

from freewheel.base.diagnostics import CompileError
from freewheel.base.names import Name, show
from freewheel.flat.nodes import (
    AnyEquation,
    Causality,
    Equation,
    FlatModel,
    ForEquation,
    Variability,
    Variable,
)
from freewheel.formula import build
from freewheel.formula.evaluate import NotConstant
from freewheel.formula.nodes import (
    TIME,
    Binary,
    Call,
    Expr,
    If,
    Index,
    Integer,
    Iterator,
    Reduction,
    Var,
)
from freewheel.formula.shape import Dimensions, Shapes
from freewheel.formula.types import REAL
from freewheel.formula.walk import (
    bind_iterators,
    contains,
    free_iterators,
    nodes_of,
    substitute,
    variables_in,
)
from freewheel.program.corners import corners_of
from freewheel.program.elementwise import Elements
from freewheel.program.nodes import Program
from freewheel.program.row_groups import Group, Integers, Leaves, Rounds, joined, reference
from freewheel.program.vector_values import NotRegular, Numbers, VectorValues
from freewheel.program.whole_slots import WholeSlots

FROM = 2000  # elements: below, taking the model apart costs little and tells more
DEEPEST = 20  # algebraic variables in algebraic variables
# Numbers read by rows, per element of the model. A row that reads all states makes a table of n^2 numbers:
# taken apart, what the rows have in common is computed once.
READS = 64
# Groups: so many at least are allowed, and more where each has this many rows on average. A formula that
# stands for fewer is not worth a function of its own.
GROUPS = 64
ROWS = 10
ONCE = Rounds(1, {})

_CHAINED = {"sum": build.plus, "product": build.times}


@dataclass(frozen=True, slots=True, eq=False)
class Whole:
    program: Program  # names, slots and start values; its sections are empty
    groups: tuple[Group, ...]  # derivatives
    outputs: tuple[Group, ...]  # algebraic variables, in an order in which each knows what it reads


@dataclass(frozen=True, slots=True)
class _Axis:
    """Which places of a dimension an equation gives: those of an iterator, moved by `shift`."""

    first: int
    last: int
    iterator: str = ""  # none: there is one place
    shift: int = 0


@dataclass(slots=True)
class _Piece:
    """`name[places] = value` for a box of places."""

    axes: tuple[_Axis, ...]
    left: Expr
    value: Expr
    rounds: Rounds


def whole_of(flat: FlatModel, least: int = FROM) -> Whole | None:
    """None where the usual way is the better or the only one."""
    if flat.algorithms or flat.initial_equations or flat.initial_algorithms:
        return None
    elements = sum(prod(v.dims) for v in flat.variables if v.dims)
    if elements < least:
        return None
    try:
        with np.errstate(all="ignore"):
            return _Whole(flat, elements).all()
    except (NotRegular, NotConstant, CompileError):  # whoever takes it apart says what is wrong
        return None


class _Whole:
    def __init__(self, flat: FlatModel, elements: int) -> None:
        self.flat = flat
        self.variables = {v.name: v for v in flat.variables}
        if any(v.causality is not Causality.LOCAL for v in flat.variables):
            raise NotRegular
        self.reads_left = READS * elements
        self.known: dict[Name, Numbers] = {}
        self.values = VectorValues(self._parameter)
        self.slots = WholeSlots(flat, self.values)
        functions = {function.name: function for function in flat.functions}
        self.shapes = Shapes(self._dims, functions.get, self._size)
        self.elements = Elements(self.shapes)
        self.rates: list[tuple[Expr, Expr, Rounds]] = []  # state, its derivative
        self.others: list[tuple[Expr, Expr, Rounds]] = []  # both sides of an equation
        self.pieces: dict[Name, list[_Piece]] = {}
        self.ready: set[Name] = set()  # algebraic variables that are read from their slots
        self.decisive: set[Expr] = set()  # parameters that chose a branch or a size
        for equation in flat.equations:
            self._read(equation, ONCE)
        self.states = self._states()
        self.state_names = {v.name for v in self.states}
        for sides in self.others:
            self._define(*sides)
        self.algebraic = self._algebraic()

    # ------------------------------------------------------------ parameters and sizes

    def _parameter(self, name: Name) -> Numbers:
        if name not in self.known:
            variable = self.variables.get(name)
            if variable is None or variable.variability > Variability.PARAMETER:
                raise NotRegular
            binding = variable.binding or variable.attributes.start
            if binding is None:
                raise NotRegular
            self.known[name] = self.slots.finite(binding)
        return self.known[name]

    def _dims(self, name: Name) -> Dimensions:
        variable = self.variables.get(name)
        return () if variable is None else variable.dims

    def _size(self, name: Name) -> int:
        """A parameter that decides a size."""
        try:
            number = float(self._parameter(name))
        except NotRegular:
            raise NotConstant(name) from None
        if not number.is_integer():
            raise NotRegular
        self.decisive.add(Var(name))
        return int(number)

    # ------------------------------------------------------------ reading equations

    def _read(self, equation: AnyEquation, rounds: Rounds) -> None:
        if isinstance(equation, Equation):
            self._equation(equation, rounds)
        elif isinstance(equation, ForEquation):
            inner = self._repeated(rounds, (equation.index,), (equation.values,))
            for part in equation.body:
                self._read(part, inner)
        else:
            raise NotRegular

    def _repeated(self, rounds: Rounds, names: Sequence[str], ranges: Sequence[Expr]) -> Rounds:
        """Each row once for every value of further iterators."""
        for name, part in zip(names, ranges, strict=True):
            if free_iterators(part) or name in rounds.values:
                raise NotRegular
            values = self.values.range(part)
            columns = {k: np.repeat(v, len(values)) for k, v in rounds.values.items()}
            columns[name] = np.tile(values, rounds.count)
            rounds = Rounds(rounds.count * len(values), columns)
        return rounds

    def _truth(self, condition: Expr, rounds: Rounds) -> npt.NDArray[np.bool_]:
        self.decisive.update(variables_in(condition))
        mask: npt.NDArray[np.bool_] = self._column(condition, rounds) != 0.0
        return mask

    def _column(self, expr: Expr, rounds: Rounds) -> npt.NDArray[np.float64]:
        """The number in each row."""
        found = np.asarray(self.values.of(expr, rounds.values), dtype=np.float64)
        if found.shape not in ((), (rounds.count,)):
            raise NotRegular
        return np.broadcast_to(found, (rounds.count,))

    def _equation(self, equation: Equation, rounds: Rounds) -> None:
        left, right = equation.left, equation.right
        dims = self.shapes.of(left)
        if self.shapes.of(right) != dims:
            raise NotRegular
        names, ranges = self.elements.iterators(dims)
        rounds = self._repeated(rounds, names, ranges)
        at = tuple(map(Iterator, names))
        if rounds.count:
            self._scalar(self.elements.of(left, at), self.elements.of(right, at), rounds)

    def _scalar(self, left: Expr, right: Expr, rounds: Rounds) -> None:
        if contains(right, _is_rate):
            left, right = right, left
        if contains(right, _is_rate):
            raise NotRegular
        if isinstance(left, Binary) and left.op == "*" and _is_rate(left.right):
            factor, left = left.args
            right = build.over(right, factor)
        if _is_rate(left):
            self.rates.append((left.args[0], right, rounds))
        else:
            self.others.append((left, right, rounds))

    def _define(self, left: Expr, right: Expr, rounds: Rounds) -> None:
        """An algebraic variable."""
        if not self._is_unknown(left):
            left, right = right, left
        if not self._is_unknown(left):
            raise NotRegular
        name, subscripts = reference(left)
        if len(subscripts) != len(self.variables[name].dims):
            raise NotRegular
        axes = tuple(self._axis(part, rounds) for part in subscripts)
        moving = {axis.iterator for axis in axes if axis.iterator}
        # The box is full: each of its places in one row.
        if moving != set(rounds.values) or prod(a.last - a.first + 1 for a in axes) != rounds.count:
            raise NotRegular
        self.pieces.setdefault(name, []).append(_Piece(axes, left, right, rounds))

    def _is_unknown(self, side: Expr) -> bool:
        try:
            name, _ = reference(side)
        except NotRegular:
            return False
        variable = self.variables.get(name)
        is_known = variable is None or variable.variability is not Variability.CONTINUOUS
        return not is_known and name not in self.state_names

    def _axis(self, subscript: Expr, rounds: Rounds) -> _Axis:
        places = self._column(subscript, rounds)
        names = free_iterators(subscript)
        first, last = int(places.min()), int(places.max())
        if not names:
            return _Axis(first, last)
        if len(names) > 1:
            raise NotRegular
        shifts = places - rounds.values[names[0]]
        if np.any(shifts != shifts[0]) or len(np.unique(places)) != last - first + 1:
            raise NotRegular
        return _Axis(first, last, names[0], int(shifts[0]))

    def _states(self) -> list[Variable]:
        """Variables with derivatives, each of all its elements, in the order of the model."""
        given: dict[Name, int] = {}
        for state, _, rounds in self.rates:
            name, _ = reference(state)
            given[name] = given.get(name, 0) + rounds.count
        for name, count in given.items():
            variable = self.variables[name]
            if variable.type is not REAL or count != prod(variable.dims):
                raise NotRegular
        return [v for v in self.flat.variables if v.name in given]

    def _algebraic(self) -> list[Variable]:
        found = [
            v
            for v in self.flat.variables
            if v.variability > Variability.PARAMETER and v.name not in self.state_names
        ]
        if any(v.type is not REAL or v.name not in self.pieces for v in found if prod(v.dims)):
            raise NotRegular
        return found

    # ------------------------------------------------------------ slots

    def all(self) -> Whole:
        self.slots.add(Variable(("time",), REAL), 0.0)
        for variable in self.states:
            self.slots.add(variable, self.slots.start_of(variable))
        count = self.slots.size - 1
        self.record = {v.name: self.slots.first[v.name] - 1 for v in self.states}
        for variable in self.states:
            rate = Variable((f"der({show(variable.name)})",), REAL, variable.dims)
            self.slots.add(rate, 0.0)
        parameters = [v for v in self.flat.variables if v.variability <= Variability.PARAMETER]
        for variable in parameters:
            self.slots.add(variable, self._parameter(variable.name))
        first = self.slots.size
        for variable in self.algebraic:
            self.slots.add(variable, self.slots.start_of(variable))
        groups = joined(group for rate in self.rates for group in self._groups(*rate, self.record))
        _require_each(groups, 0, count)
        outputs = list(self._outputs())
        _require_each(outputs, first, self.slots.size)
        if len(groups) + len(outputs) > max(GROUPS, (count + self.slots.size - first) / ROWS):
            raise NotRegular
        bends = self._bends_in_time()
        program = self.slots.program(self.states, parameters, self.decisive, watches_time=bends)
        return Whole(program, tuple(groups), tuple(outputs))

    def _bends_in_time(self) -> bool:
        """Whether there are corners, and time goes into the equations: no row looks at its own corners."""
        exprs = [rate for _, rate, _ in self.rates]
        exprs += [piece.value for pieces in self.pieces.values() for piece in pieces]
        return TIME in variables_in(*exprs) and bool(corners_of(exprs, self._moves))

    def _moves(self, var: Var) -> bool:
        variable = self.variables.get(var.name)
        return variable is None or variable.variability > Variability.PARAMETER

    # ------------------------------------------------------------ rows

    def _outputs(self) -> Iterating[Group]:
        """Each variable behind those that it reads, where there is such an order; else these are put in
        their places too."""
        met: set[Name] = set()
        for variable in self.algebraic:
            stack = [variable.name]
            while stack:
                name = stack[-1]
                if name not in met:
                    met.add(name)
                    stack += [other for other in self._read_by(name) if other not in met]
                    continue
                stack.pop()
                if name not in self.ready:
                    yield from joined(self._output(name))
                    self.ready.add(name)

    def _read_by(self, name: Name) -> Iterating[Name]:
        """Algebraic variables in the equations of another one."""
        for piece in self.pieces.get(name, ()):
            for var in variables_in(piece.value):
                if var.name in self.pieces:
                    yield var.name

    def _output(self, name: Name) -> Iterating[Group]:
        for piece in self.pieces.get(name, ()):
            yield from self._groups(piece.left, piece.value, piece.rounds, self.slots.first)

    def _groups(
        self, target: Expr, value: Expr, rounds: Rounds, first: Mapping[Name, int]
    ) -> Iterating[Group]:
        """One group for each formula that remains when algebraic variables are put in their places."""
        for part, formula in self._expanded(value, rounds, 0):
            own = self._places(target, part, first)
            leaves = Leaves(self._places, part, self.record, self.slots.first)
            group = leaves.group(leaves.read(formula), own, first is self.record)
            self.reads_left -= group.table.size
            if self.reads_left < 0:
                raise NotRegular
            yield group

    def _expanded(self, expr: Expr, rounds: Rounds, depth: int) -> list[tuple[Rounds, Expr]]:
        if depth > DEEPEST:
            raise NotRegular
        nodes = list(nodes_of(expr))
        for node in reversed(nodes):  # outer ones first: a branch not taken may make no sense
            if isinstance(node, If):
                return self._branches(expr, node, rounds, depth)
            if isinstance(node, Reduction):
                long = substitute(expr, {node: self._written_out(node, rounds)})
                return self._expanded(long, rounds, depth + 1)
        found = next((n for n in nodes if self._is_algebraic(n)), None)
        if found is None:
            return [(rounds, expr)]
        return self._put(expr, found, rounds, depth)

    def _put(self, expr: Expr, node: Expr, rounds: Rounds, depth: int) -> list[tuple[Rounds, Expr]]:
        """An algebraic variable replaced by what it equals, which may differ from row to row."""
        name, subscripts = reference(node)
        if len(subscripts) != len(self.variables[name].dims):
            raise NotRegular
        places = [self._column(part, rounds) for part in subscripts]
        result: list[tuple[Rounds, Expr]] = []
        left = np.ones(rounds.count, dtype=bool)
        for piece in self.pieces[name]:
            mask = left.copy()
            for axis, column in zip(piece.axes, places, strict=True):
                mask &= (column >= axis.first) & (column <= axis.last)
            left &= ~mask
            if mask.any():
                formula = substitute(expr, {node: _bound(piece, subscripts)})
                result += self._expanded(formula, rounds.where(mask), depth + 1)
        if left.any():
            raise NotRegular
        return result

    def _written_out(self, node: Reduction, rounds: Rounds) -> Expr:
        """All terms, one after the other."""
        op, names = node.data
        if op not in _CHAINED or any(free_iterators(part) for part in node.args[1:]):
            raise NotRegular
        inner = self._repeated(ONCE, names, node.args[1:])
        if inner.count * rounds.count > self.reads_left or not inner.count:
            raise NotRegular
        result: Expr | None = None
        for k in range(inner.count):
            numbers = {name: build.number(float(inner.values[name][k])) for name in names}
            term = bind_iterators(node.args[0], numbers)
            result = term if result is None else _CHAINED[op](result, term)
        assert result is not None
        return result

    def _branches(
        self, expr: Expr, choice: If, rounds: Rounds, depth: int
    ) -> list[tuple[Rounds, Expr]]:
        """An `if` that only the iterator and parameters decide: rows take one branch each."""
        condition, then, otherwise = choice.args
        mask = self._truth(condition, rounds)
        result: list[tuple[Rounds, Expr]] = []
        for side, branch in ((mask, then), (~mask, otherwise)):
            if side.any():
                formula = substitute(expr, {choice: branch})
                result += self._expanded(formula, rounds.where(side), depth + 1)
        return result

    def _is_algebraic(self, node: Expr) -> bool:
        base = node.args[0] if isinstance(node, Index) else node
        if not isinstance(base, Var) or base.name in self.ready or base.name not in self.pieces:
            return False
        return isinstance(node, Index) or not self.variables[base.name].dims

    def _places(self, node: Expr, rounds: Rounds, first: Mapping[Name, int]) -> Integers:
        """Of a reference, in each row."""
        name, subscripts = reference(node)
        dims = self.variables[name].dims
        if len(subscripts) != len(dims):
            raise NotRegular
        place: Any = np.zeros(rounds.count, dtype=np.int64)
        for size, part in zip(dims, subscripts, strict=True):
            number = self._column(part, rounds)
            whole = np.rint(number).astype(np.int64)
            if np.any(whole != number) or np.any(whole < 1) or np.any(whole > size):
                raise NotRegular
            place = place * size + (whole - 1)
        found: Integers = place + first[name]
        return found


def _bound(piece: _Piece, subscripts: Sequence[Expr]) -> Expr:
    numbers = {
        axis.iterator: build.minus(part, Integer(axis.shift))
        for axis, part in zip(piece.axes, subscripts, strict=True)
        if axis.iterator
    }
    return bind_iterators(piece.value, numbers)


def _require_each(groups: Sequence[Group], first: int, end: int) -> None:
    """Each of the unknowns has one row."""
    done = np.concatenate([np.zeros(0, dtype=np.int64), *(group.own for group in groups)])
    if not np.array_equal(np.sort(done), np.arange(first, end)):
        raise NotRegular


def _is_rate(node: Expr) -> bool:
    return isinstance(node, Call) and node.data == "der"
