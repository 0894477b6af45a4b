"""The part of a flat model that makes the signals of its sources, as a flat model of its own.

    V.v = sine.y,  sine.y = 3*sin(...)          the part for the source V; the circuit is left out

In: the flat model, and what each source gives as a formula. Out: a model whose variable `'source
k'` is what source k gives. A signal that depends on an effort or flow of the circuit is none of
time alone: `dependence` names the variable.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from freewheel.base.names import Name
from freewheel.flat.nodes import (
    Algorithm,
    AnyEquation,
    Equation,
    FlatModel,
    ForEquation,
    IfEquation,
    TupleEquation,
    Variability,
    Variable,
    WhenEquation,
)
from freewheel.flat.reached import parts_of
from freewheel.formula.nodes import Expr, Index, Var
from freewheel.formula.types import REAL
from freewheel.formula.walk import variables_in
from freewheel.graphs.matching import FREE, match
from freewheel.structure.scalarize.algorithms import assigned

Part = AnyEquation | Algorithm


@dataclass(frozen=True, slots=True)
class SignalPart:
    """`dependence` gives for a source the variable of the circuit on which it depends."""

    model: FlatModel
    outputs: Mapping[str, str]  # name of a source -> name of a variable
    dependence: Mapping[str, Name]


def signal_part(flat: FlatModel, drives: Mapping[str, Expr]) -> SignalPart:
    """What the sources need that do not depend on the circuit."""
    table = _Table(flat)
    needed: dict[Name, None] = {}
    outputs: dict[str, str] = {}
    dependence: dict[str, Name] = {}
    variables: list[Variable] = []
    equations: list[AnyEquation] = []
    for number, (source, drive) in enumerate(drives.items(), 1):
        reached, missing = table.reach(v.name for v in variables_in(drive))
        if missing is not None:
            dependence[source] = missing
            continue
        needed.update(dict.fromkeys(reached))
        name: Name = (f"'source {number}'",)
        variables.append(Variable(name, REAL))
        equations.append(Equation(Var(name), drive))
        outputs[source] = f"'source {number}'"
    parts = table.parts_for(needed)
    model = replace(
        flat,
        variables=(*(v for v in flat.variables if _is_fixed(v) or v.name in needed), *variables),
        equations=(*(p for p in parts if not isinstance(p, Algorithm)), *equations),
        algorithms=tuple(p for p in parts if isinstance(p, Algorithm)),
        initial_equations=tuple(e for e in flat.initial_equations if table.is_within(e, needed)),
        initial_algorithms=tuple(a for a in flat.initial_algorithms if table.is_within(a, needed)),
    )
    return SignalPart(model, outputs, dependence)


def _is_fixed(variable: Variable) -> bool:
    return variable.variability <= Variability.PARAMETER


class _Table:
    """Who computes what: equations without efforts and flows of connectors, matched with variables."""

    def __init__(self, flat: FlatModel) -> None:
        power = {v.name[:-1] for v in flat.variables if v.is_flow}
        unknown = [v.name for v in flat.variables if not _is_fixed(v) and v.name[:-1] not in power]
        self._number = {name: k for k, name in enumerate(unknown)}
        self._known = {v.name for v in flat.variables if _is_fixed(v)} | {("time",)}
        self._rows: list[list[int]] = []
        self._parts: list[Part] = []
        for part in (*flat.equations, *flat.algorithms):
            names = names_in(part)
            if not all(name in self._number or name in self._known for name in names):
                continue
            for candidates in _computed(part, names):
                self._rows.append([self._number[n] for n in candidates if n in self._number])
                self._parts.append(part)
        self._row_of = match(self._rows, len(unknown)).row_of_column

    def reach(self, start: Iterable[Name]) -> tuple[list[Name], Name | None]:
        """All variables that some depend on, or the one that nothing here computes."""
        found: dict[Name, None] = dict.fromkeys(n for n in start if n not in self._known)
        queue = list(found)
        for name in queue:
            column = self._number.get(name)
            row = FREE if column is None else self._row_of[column]
            if row == FREE:
                return [], name
            for each in names_in(self._parts[row]):
                if each not in self._known and each not in found:
                    found[each] = None
                    queue.append(each)
        return list(found), None

    def parts_for(self, needed: Iterable[Name]) -> list[Part]:
        rows = sorted({self._row_of[self._number[name]] for name in needed})
        kept: dict[int, Part] = {id(self._parts[row]): self._parts[row] for row in rows}
        return list(kept.values())

    def is_within(self, part: Part, needed: Mapping[Name, None]) -> bool:
        return all(name in needed or name in self._known for name in names_in(part))


def names_in(part: object) -> tuple[Name, ...]:
    """Variables and parameters of an equation or an algorithm."""
    roots = [each for each in parts_of(part) if isinstance(each, Expr)]
    return tuple(var.name for var in variables_in(*roots))


def _computed(part: Part, names: Sequence[Name]) -> Iterator[Sequence[Name]]:
    """For each thing that a part computes, the variables that it may be."""
    match part:
        case Equation():
            yield names
        case TupleEquation(outputs=outputs):
            yield from ((_base(each),) for each in outputs if each is not None)
        case ForEquation(body=body):
            for each in body:
                yield from _computed(each, names_in(each))
        case IfEquation(branches=branches):
            for each in branches[0][1]:
                yield from _computed(each, names)
        case WhenEquation(branches=branches):
            yield from ((name,) for name in _when_targets(branches))
        case Algorithm(statements=statements):
            yield from ((name,) for name in assigned(statements))
        case _:
            return


def _when_targets(branches: Sequence[tuple[Expr, Sequence[AnyEquation]]]) -> list[Name]:
    found: dict[Name, None] = {}
    for _, body in branches:
        for each in body:
            if isinstance(each, Equation):
                found[_base(each.left)] = None
            elif isinstance(each, TupleEquation):
                found.update((_base(o), None) for o in each.outputs if o is not None)
    return list(found)


def _base(expr: Expr) -> Name:
    """`x` of `x` and `x[2]`."""
    while isinstance(expr, Index):
        expr = expr.args[0]
    return expr.name if isinstance(expr, Var) else ()
