"""Large regular models without taking their arrays apart: for-equations become groups of rows.

    whole = whole_of(flat)          # None: the model is small, or not of this kind
    whole.groups[1].shape           the formula of one for-equation
    whole.groups[1].table           which states and parameters each of its rows reads

Scalarisation makes every element of an array a variable with equations of its own, which takes
milliseconds each. Here `for i in 2:N loop der(u[i]) = f(u[i - 1], u[i], p[i]) end for` stays one formula
over places and a table with one line per element, computed by vector operations. The model must give each
derivative explicitly; algebraic variables are put in their places, branches that the iterator decides are
taken; no events.
"""

from __future__ import annotations

from collections.abc import Iterator as Iterating
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

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
from freewheel.formula.nodes import (
    RELATIONS,
    TIME,
    Binary,
    Call,
    Expr,
    If,
    Index,
    Integer,
    Iterator,
    Var,
)
from freewheel.formula.types import REAL
from freewheel.formula.walk import (
    bind_iterators,
    contains,
    free_iterators,
    nodes_of,
    replace,
    substitute,
    variables_in,
)
from freewheel.program.corners import corners_of
from freewheel.program.describe import experiment_of
from freewheel.program.nodes import Info, Program, RangeSlots, StateSlots, slot_var
from freewheel.program.rows import Shape
from freewheel.program.section_names import SECTIONS
from freewheel.program.vector_values import NotRegular, Numbers, VectorValues

FROM = 2000  # states: below, taking the model apart costs little and tells more
DEEPEST = 20  # algebraic variables in algebraic variables

Integers = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Group:
    """Rows of one shape: states they integrate, and the lines of their table."""

    shape: Shape
    own: Integers
    table: Integers  # a line per row: records, then held numbers (slots, or numbers by their bits)
    is_number: tuple[bool, ...]  # of the held numbers


@dataclass(frozen=True, slots=True, eq=False)
class Whole:
    program: Program  # names, slots and start values; its section `derivatives` is empty
    groups: tuple[Group, ...]


@dataclass(slots=True)
class _Piece:
    """`name[place] = value` for some values of an iterator; `place = iterator + shift`."""

    first: int
    last: int
    shift: int
    index: str
    value: Expr


@dataclass(slots=True)
class _Slots:
    first: dict[Name, int] = field(default_factory=dict)
    names: list[str] = field(default_factory=list)
    start: list[npt.NDArray[np.float64]] = field(default_factory=list)
    size: int = 0

    def add(self, variable: Variable, values: Numbers) -> None:
        count = int(np.prod(variable.dims, dtype=np.int64))
        self.first[variable.name] = self.size
        self.names.extend(element_names(variable))
        full = np.broadcast_to(np.asarray(values, dtype=np.float64), variable.dims or (1,))
        self.start.append(full.reshape(-1))
        self.size += count


def element_names(variable: Variable) -> list[str]:
    name = show(variable.name)
    if not variable.dims:
        return [name]
    if len(variable.dims) == 1:
        return [f"{name}[{i}]" for i in range(1, variable.dims[0] + 1)]
    return [f"{name}[{','.join(str(i + 1) for i in at)}]" for at in np.ndindex(*variable.dims)]


def whole_of(flat: FlatModel, least: int = FROM) -> Whole | None:
    """None where the usual way is the better or the only one."""
    if flat.algorithms or flat.initial_equations or flat.initial_algorithms:
        return None
    elements = sum(int(np.prod(v.dims)) for v in flat.variables if v.dims)
    if elements < least:
        return None
    try:
        return _Whole(flat).all()
    except NotRegular:
        return None


class _Whole:
    def __init__(self, flat: FlatModel) -> None:
        self.flat = flat
        self.variables = {v.name: v for v in flat.variables}
        if any(v.causality is not Causality.LOCAL for v in flat.variables):
            raise NotRegular
        self.known: dict[Name, Numbers] = {}
        self.values = VectorValues(self._parameter)
        self.rates: list[tuple[Expr, Expr, str, Numbers]] = []  # state, rate, iterator, its values
        self.pieces: dict[Name, list[_Piece]] = {}
        self.decisive: set[Expr] = set()  # parameters that chose a branch
        for equation in flat.equations:
            self._read(equation)
        self.states = self._states()
        self.slots = _Slots()

    # ------------------------------------------------------------ reading equations

    def _parameter(self, name: Name) -> Numbers:
        if name not in self.known:
            variable = self.variables.get(name)
            if variable is None or variable.variability > Variability.PARAMETER:
                raise NotRegular
            binding = variable.binding or variable.attributes.start
            if binding is None:
                raise NotRegular
            self.known[name] = self.values.of(binding, {})
        return self.known[name]

    def _read(self, equation: AnyEquation) -> None:
        if isinstance(equation, Equation):
            self._scalar(equation, "", np.zeros(1))
            return
        if not isinstance(equation, ForEquation):
            raise NotRegular
        values = self.values.range(equation.values)
        for part in equation.body:
            if not isinstance(part, Equation):
                raise NotRegular
            self._scalar(part, equation.index, values)

    def _scalar(self, equation: Equation, index: str, values: Numbers) -> None:
        left, right = equation.left, equation.right
        if contains(right, _is_rate):
            left, right = right, left
        if contains(right, _is_rate):
            raise NotRegular
        if isinstance(left, Binary) and left.op == "*" and _is_rate(left.right):
            factor, left = left.args
            right = build.over(right, factor)
        if _is_rate(left):
            self.rates.append((left.args[0], right, index, values))
            return
        self._define(left, right, index, values)

    def _define(self, left: Expr, right: Expr, index: str, values: Numbers) -> None:
        """An algebraic variable."""
        name, subscripts = _reference(left)
        if self.variables[name].variability is not Variability.CONTINUOUS or not len(values):
            raise NotRegular
        pieces = self.pieces.setdefault(name, [])
        if not subscripts:
            if self.variables[name].dims:
                raise NotRegular
            pieces.append(_Piece(0, 0, 0, "", right))
            return
        if len(subscripts) != 1:
            raise NotRegular
        places = np.asarray(self.values.of(subscripts[0], {index: values})) + 0.0 * values
        if len(values) > 1 and np.any(np.diff(places) != 1.0):
            raise NotRegular
        shift = int(places[0] - values[0])
        pieces.append(_Piece(int(places[0]), int(places[-1]), shift, index, right))

    def _states(self) -> list[Variable]:
        """Variables with derivatives, each of all its elements, in the order of the model."""
        given: dict[Name, int] = {}
        for state, _, _, values in self.rates:
            name, _ = _reference(state)
            given[name] = given.get(name, 0) + len(values)
        for name, count in given.items():
            variable = self.variables[name]
            if variable.type is not REAL or count != int(np.prod(variable.dims, dtype=np.int64)):
                raise NotRegular
        return [v for v in self.flat.variables if v.name in given]

    # ------------------------------------------------------------ slots

    def all(self) -> Whole:
        time = Variable(("time",), REAL)
        self.slots.add(time, 0.0)
        for variable in self.states:
            self.slots.add(variable, self._start(variable))
        count = self.slots.size - 1
        self.record = {v.name: self.slots.first[v.name] - 1 for v in self.states}
        for variable in self.states:
            rate = Variable((f"der({show(variable.name)})",), REAL, variable.dims)
            self.slots.add(rate, 0.0)
        parameters = [v for v in self.flat.variables if v.variability <= Variability.PARAMETER]
        for variable in parameters:
            self.slots.add(variable, self._parameter(variable.name))
        groups = [group for rate in self.rates for group in self._groups(*rate)]
        done = np.concatenate([group.own for group in groups])
        if len(done) != count or len(np.unique(done)) != count:
            raise NotRegular
        return Whole(self._program(count, parameters), tuple(groups))

    def _start(self, variable: Variable) -> Numbers:
        start = variable.attributes.start
        return 0.0 if start is None else self.values.of(start, {})

    def _program(self, count: int, parameters: Sequence[Variable]) -> Program:
        slots = self.slots
        names = slots.names
        return Program(
            name=show(self.flat.name),
            start=tuple(np.concatenate(slots.start).tolist()),
            names=tuple(names),
            time=0,
            states=(1, 1 + count),
            derivatives=(1 + count, 1 + 2 * count),
            state_slots=tuple(
                [StateSlots(names[1 + k], 1 + k, 1 + count + k) for k in range(count)]
            ),
            variables=tuple(self._infos(parameters)),
            ranges=tuple(self._ranges(parameters)),
            inputs=(),
            parameters=self._settable(parameters),
            sections=dict.fromkeys(SECTIONS, ()),
            experiment=experiment_of(self.flat.experiment),
            functions=self.flat.functions,
            watches_time=self._bends_in_time(),
        )

    def _bends_in_time(self) -> bool:
        """Whether there are corners, and time goes into the equations: no row looks at its own corners."""
        exprs = [rate for _, rate, _, _ in self.rates]
        exprs += [piece.value for pieces in self.pieces.values() for piece in pieces]
        return TIME in variables_in(*exprs) and bool(corners_of(exprs, self._moves))

    def _moves(self, var: Var) -> bool:
        variable = self.variables.get(var.name)
        return variable is None or variable.variability > Variability.PARAMETER

    def _infos(self, parameters: Sequence[Variable]) -> Iterating[Info]:
        for variable in (*parameters, *self.states):
            kind = "parameter" if variable.variability <= Variability.PARAMETER else "continuous"
            first = self.slots.first[variable.name]
            for k, name in enumerate(element_names(variable)):
                yield Info(
                    name,
                    first + k,
                    kind=kind,
                    comment=variable.comment,
                    is_protected=variable.is_protected,
                )

    def _ranges(self, parameters: Sequence[Variable]) -> Iterating[RangeSlots]:
        for variable in (*parameters, *self.states):
            said = variable.attributes
            if said.minimum is None and said.maximum is None:
                continue
            kind = "parameter" if variable.variability <= Variability.PARAMETER else "continuous"
            first = self.slots.first[variable.name]
            names = list(element_names(variable))
            lowest = self._bounds(said.minimum, -np.inf, len(names))
            highest = self._bounds(said.maximum, np.inf, len(names))
            for k, name in enumerate(names):
                place = (name, first + k, 1.0, 0.0, kind)
                yield RangeSlots(*place, float(lowest[k]), float(highest[k]), span=variable.span)

    def _bounds(self, expr: Expr | None, unsaid: float, count: int) -> Numbers:
        number = unsaid if expr is None else self.values.of(expr, {})
        return np.broadcast_to(np.asarray(number, dtype=np.float64).reshape(-1), (count,))

    def _settable(self, parameters: Sequence[Variable]) -> dict[str, int]:
        """Those from which nothing else was computed beforehand."""
        used = set(self.decisive)
        for variable in self.flat.variables:
            said = variable.attributes
            for expr in (variable.binding, said.start, said.minimum, said.maximum):
                if expr is not None:
                    used.update(nodes_of(expr))
        return {
            show(v.name): self.slots.first[v.name]
            for v in parameters
            if not v.dims and not v.is_structural and not v.is_final and Var(v.name) not in used
        }

    # ------------------------------------------------------------ rows

    def _groups(self, state: Expr, rate: Expr, index: str, values: Numbers) -> list[Group]:
        """One group for each formula that remains when algebraic variables are put in their places."""
        found = []
        for part, formula in self._expanded(rate, index, values, 0):
            found.append(self._group(state, formula, index, part))
        return found

    def _expanded(
        self, expr: Expr, index: str, values: Numbers, depth: int
    ) -> list[tuple[Numbers, Expr]]:
        if depth > DEEPEST:
            raise NotRegular
        nodes = list(nodes_of(expr))
        for choice in reversed(nodes):  # outer ones first: a branch not taken may make no sense
            if isinstance(choice, If):
                return self._branches(expr, choice, index, values, depth)
        node = next((n for n in nodes if self._is_algebraic(n)), None)
        if node is None:
            return [(values, expr)]
        name, subscripts = _reference(node)
        result: list[tuple[Numbers, Expr]] = []
        left = np.ones(len(values), dtype=bool)
        for piece in self.pieces[name]:
            if subscripts:
                places = np.asarray(self.values.of(subscripts[0], {index: values})) + 0.0 * values
                mask = left & (places >= piece.first) & (places <= piece.last)
            else:
                mask = left.copy()
            left &= ~mask
            if mask.any():
                value = self._bound(piece, subscripts)
                formula = substitute(expr, {node: value})
                result += self._expanded(formula, index, values[mask], depth + 1)
        if left.any():
            raise NotRegular
        return result

    def _branches(
        self, expr: Expr, choice: If, index: str, values: Numbers, depth: int
    ) -> list[tuple[Numbers, Expr]]:
        """An `if` that only the iterator and parameters decide: rows take one branch each."""
        condition, then, otherwise = choice.args
        test = np.asarray(self.values.of(condition, {index: values})) != 0
        mask = np.broadcast_to(test, values.shape)
        self.decisive.update(variables_in(condition))
        result: list[tuple[Numbers, Expr]] = []
        for side, branch in ((mask, then), (~mask, otherwise)):
            if side.any():
                formula = substitute(expr, {choice: branch})
                result += self._expanded(formula, index, values[side], depth + 1)
        return result

    def _bound(self, piece: _Piece, subscripts: Sequence[Expr]) -> Expr:
        if not piece.index:
            return piece.value
        number = build.minus(subscripts[0], Integer(piece.shift))
        return bind_iterators(piece.value, {piece.index: number})

    def _is_algebraic(self, node: Expr) -> bool:
        if isinstance(node, Index) and isinstance(node.args[0], Var):
            return node.args[0].name in self.pieces
        if isinstance(node, Var) and node.name in self.pieces:
            return not self.variables[node.name].dims
        return False

    def _group(self, state: Expr, rate: Expr, index: str, values: Numbers) -> Group:
        own = self._places(state, index, values, self.record)
        leaves = _Leaves(self, index, values)
        formula = leaves.read(rate)
        return leaves.group(formula, own)

    def _places(self, node: Expr, index: str, values: Numbers, first: dict[Name, int]) -> Integers:
        """Of a reference, for each value of the iterator."""
        name, subscripts = _reference(node)
        dims = self.variables[name].dims
        if len(subscripts) != len(dims):
            raise NotRegular
        place: Any = np.zeros(len(values), dtype=np.int64)
        for size, part in zip(dims, subscripts, strict=True):
            number = np.asarray(self.values.of(part, {index: values})) + 0.0 * values
            whole = np.rint(number).astype(np.int64)
            if np.any(whole != number) or np.any(whole < 1) or np.any(whole > size):
                raise NotRegular
            place = place * size + (whole - 1)
        found: Integers = place + first[name]
        return found


class _Leaves:
    """What a formula reads, each different thing once."""

    def __init__(self, whole: _Whole, index: str, values: Numbers) -> None:
        self.whole, self.index, self.values = whole, index, values
        self.records: dict[bytes, Integers] = {}
        self.reads: dict[tuple[bool, bytes], Integers] = {}
        self.uses_time = False

    def read(self, expr: Expr) -> Expr:
        """The formula over names; what it holds is noted in order of occurrence."""
        return replace(expr, self._visit)

    def _visit(self, node: Expr) -> Expr | None:
        if isinstance(node, Binary) and node.op in RELATIONS:
            raise NotRegular  # an event, or one that `noEvent` forbids: for those who know events
        if isinstance(node, Call) and node.data in ("pre", "delay", "sample", "der", "initial"):
            raise NotRegular
        if node is TIME:
            self.uses_time = True
            return Var(("now",))
        if isinstance(node, Iterator):
            return self._read(self.values.astype(np.float64).view(np.int64), True)
        is_element = isinstance(node, Index) and isinstance(node.args[0], Var)
        if not is_element and not isinstance(node, Var):
            return None
        name, _ = _reference(node)
        if name in self.whole.record:
            return self._record(self._places(node, self.whole.record))
        if name not in self.whole.slots.first or free_iterators(node) not in ((), (self.index,)):
            raise NotRegular
        return self._read(self._places(node, self.whole.slots.first), False)

    def _places(self, node: Expr, first: dict[Name, int]) -> Integers:
        return self.whole._places(node, self.index, self.values, first)

    def _record(self, places: Integers) -> Var:
        key = places.tobytes()
        self.records.setdefault(key, places)
        return Var(("s", list(self.records).index(key)))

    def _read(self, places: Integers, is_number: bool) -> Var:
        key = (is_number, places.tobytes())
        self.reads.setdefault(key, places)
        return Var(("r", list(self.reads).index(key)))

    def group(self, formula: Expr, own: Integers) -> Group:
        """Names become numbers of places, the state itself first."""
        keys = list(self.records)
        has_own = own.tobytes() in self.records
        order = sorted(range(len(keys)), key=lambda k: keys[k] != own.tobytes())
        place = {old: new for new, old in enumerate(order)}
        records, reads = len(keys), len(self.reads)

        def final(node: Expr) -> Expr | None:
            if not isinstance(node, Var):
                return None
            kind, number = node.name[0], node.name[-1]
            if kind == "now":
                return slot_var(records + reads)
            assert isinstance(number, int)
            return slot_var(place[number] if kind == "s" else records + number)

        shape = Shape(
            (),
            replace(formula, final),
            has_own,
            records,
            reads,
            records + reads + 1,
            self.uses_time,
        )
        listed = [*(self.records[keys[old]] for old in order), *self.reads.values()]
        table = np.ascontiguousarray(np.column_stack(listed)) if listed else np.zeros((len(own), 0))
        return Group(
            shape, own, table.astype(np.int64), tuple(is_number for is_number, _ in self.reads)
        )


def _is_rate(node: Expr) -> bool:
    return isinstance(node, Call) and node.data == "der"


def _reference(node: Expr) -> tuple[Name, tuple[Expr, ...]]:
    if isinstance(node, Var):
        return node.name, ()
    if isinstance(node, Index) and isinstance(node.args[0], Var):
        return node.args[0].name, node.args[1:]
    raise NotRegular
