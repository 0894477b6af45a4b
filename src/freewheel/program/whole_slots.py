"""Slots of models whose arrays stay whole, and what a program says of them.

slots = WholeSlots(flat, values)
slots.add(variable, slots.start_of(variable))      # all its elements, one after the other
slots.first[variable.name], slots.size
slots.program(states, parameters, decisive, watches_time=False)
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from collections.abc import Iterator as Iterating
from math import prod

import numpy as np
import numpy.typing as npt

from freewheel.base.names import Name, show
from freewheel.base.slots import Info, RangeSlots, StateSlots
from freewheel.flat.nodes import FlatModel, Variable
from freewheel.formula.nodes import Expr, Var
from freewheel.formula.types import Basic, EnumType
from freewheel.formula.walk import nodes_of
from freewheel.program.describe import experiment_of
from freewheel.program.nodes import Program
from freewheel.program.section_names import SECTIONS
from freewheel.program.vector_values import NotRegular, Numbers, VectorValues


class WholeSlots:
    def __init__(self, flat: FlatModel, values: VectorValues) -> None:
        self.flat = flat
        self.values = values
        self.first: dict[Name, int] = {}
        self.names: list[str] = []
        self.start: list[npt.NDArray[np.float64]] = []
        self.size = 0

    def add(self, variable: Variable, values: Numbers) -> None:
        self.first[variable.name] = self.size
        self.names.extend(element_names(variable))
        full = np.broadcast_to(np.asarray(values, dtype=np.float64), variable.dims or (1,))
        self.start.append(full.reshape(-1))
        self.size += prod(variable.dims)

    def finite(self, expr: Expr) -> Numbers:
        """What is no number is left to those who can tell why."""
        found = self.values.of(expr, {})
        if not np.all(np.isfinite(found)):
            raise NotRegular
        return found

    def start_of(self, variable: Variable) -> Numbers:
        """Without one, what is nearest to zero between `min` and `max` (program/describe.py)."""
        said = variable.attributes
        if said.start is not None:
            return self.finite(said.start)
        size = prod(variable.dims)
        low = self._bounds(said.minimum, -np.inf, size)
        high = self._bounds(said.maximum, np.inf, size)
        nearest: Numbers = np.where(low > 0.0, low, np.minimum(0.0, high))
        return nearest.reshape(variable.dims or (1,))

    def program(
        self,
        states: Sequence[Variable],
        parameters: Sequence[Variable],
        decisive: Collection[Expr],
        watches_time: bool,
    ) -> Program:
        """Its sections are empty. `decisive`: parameters that chose a branch or a size."""
        names, count = self.names, sum(prod(v.dims) for v in states)
        nominal = np.concatenate([self._nominal(v) for v in states]) if count else ()
        return Program(
            name=show(self.flat.name),
            start=tuple(np.concatenate(self.start).tolist()),
            names=tuple(names),
            time=0,
            states=(1, 1 + count),
            derivatives=(1 + count, 1 + 2 * count),
            state_slots=tuple(
                [
                    StateSlots(names[1 + k], 1 + k, 1 + count + k, float(nominal[k]))
                    for k in range(count)
                ]
            ),
            variables=tuple(self._infos()),
            ranges=tuple(self._ranges()),
            inputs=(),
            parameters=self._settable(parameters, decisive),
            sections=dict.fromkeys(SECTIONS, ()),
            experiment=experiment_of(self.flat.experiment),
            functions=self.flat.functions,
            watches_time=watches_time,
        )

    def _nominal(self, variable: Variable) -> Numbers:
        found = np.abs(self._bounds(variable.attributes.nominal, 1.0, prod(variable.dims)))
        return np.where(found == 0.0, 1.0, found)

    def _infos(self) -> Iterating[Info]:
        for variable in self.flat.variables:
            literals = variable.type.literals if isinstance(variable.type, EnumType) else ()
            first = self.first[variable.name]
            for k, name in enumerate(element_names(variable)):
                yield Info(
                    name,
                    first + k,
                    kind=_kind(variable),
                    type=variable.type.name if isinstance(variable.type, Basic) else "enumeration",
                    unit=variable.attributes.unit or "",
                    comment=variable.comment,
                    is_protected=variable.is_protected,
                    literals=literals,
                )

    def _ranges(self) -> Iterating[RangeSlots]:
        for variable in self.flat.variables:
            said = variable.attributes
            if said.minimum is None and said.maximum is None:
                continue
            first = self.first[variable.name]
            names = element_names(variable)
            lowest = self._bounds(said.minimum, -np.inf, len(names))
            highest = self._bounds(said.maximum, np.inf, len(names))
            for k, name in enumerate(names):
                place = (name, first + k, 1.0, 0.0, _kind(variable))
                yield RangeSlots(*place, float(lowest[k]), float(highest[k]), span=variable.span)

    def _bounds(self, expr: Expr | None, unsaid: float, count: int) -> Numbers:
        number = unsaid if expr is None else self.values.of(expr, {})
        return np.broadcast_to(np.asarray(number, dtype=np.float64).reshape(-1), (count,))

    def _settable(
        self, parameters: Sequence[Variable], decisive: Collection[Expr]
    ) -> dict[str, int]:
        """Those from which nothing else was computed beforehand."""
        used = set(decisive)
        for variable in self.flat.variables:
            said = variable.attributes
            for expr in (variable.binding, said.start, said.minimum, said.maximum, said.nominal):
                if expr is not None:
                    used.update(nodes_of(expr))
        return {
            show(v.name): self.first[v.name]
            for v in parameters
            if not v.dims and not v.is_structural and not v.is_final and Var(v.name) not in used
        }


def element_names(variable: Variable) -> list[str]:
    name = show(variable.name)
    if not variable.dims:
        return [name]
    if len(variable.dims) == 1:
        return [f"{name}[{i}]" for i in range(1, variable.dims[0] + 1)]
    return [f"{name}[{','.join(str(i + 1) for i in at)}]" for at in np.ndindex(*variable.dims)]


def _kind(variable: Variable) -> str:
    return {0: "constant", 1: "parameter"}.get(int(variable.variability), "continuous")
