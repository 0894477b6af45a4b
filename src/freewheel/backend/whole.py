"""A large regular model as machine code: one function per for-equation, a table of what its rows read.

    model = build_whole(whole)
    model.sections["derivatives"](memory)        # all rows of all groups
    model.quantized(2)                           # the same rows one by one

Everything else (names, start values, the time loop) is as for any model.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from freewheel.backend.llvm_body import Body
from freewheel.backend.llvm_rows import RowText, Wanted, inlined, module_for, rows_text, write_shape
from freewheel.backend.load import build
from freewheel.backend.quantized import follows_here, row_code
from freewheel.base.making import making
from freewheel.machine.jit import Code
from freewheel.program.row_corners import has_corners
from freewheel.program.row_groups import Group
from freewheel.program.row_rates import value_of_shape
from freewheel.program.whole import Whole
from freewheel.runtime.model import CompiledModel, Vector
from freewheel.runtime.qss.memory import NONLINEAR
from freewheel.runtime.qss.model import HandledEvents, Integers, QuantizedModel

if TYPE_CHECKING:
    from freewheel.backend.llvm import LlvmMachine

BIND = "define void @bind_groups(ptr %p) #0 {\n  store ptr %p, ptr @groups\n  ret void\n}\n"


def build_whole(whole: Whole) -> CompiledModel:
    model = build(whole.program, "llvm")
    machine: LlvmMachine = model.extras["machine"]
    parts = {"derivatives": whole.groups, "outputs": whole.outputs}
    code, alive = row_code(machine, whole.program, sections_text(whole, parts))
    first = whole.program.derivatives[0]
    tables = [
        *(_with_targets(group, group.own + first) for group in whole.groups),
        *(_with_targets(group, group.own) for group in whole.outputs),
    ]
    addresses = np.array([table.ctypes.data for table in tables], dtype=np.int64)
    code.function("bind_groups", "void", ("ptr",))(addresses.ctypes.data)
    made = {name: _section(code, name, (alive, tables, addresses)) for name in parts}
    return replace(
        model,
        sections={**model.sections, **made},
        addresses={**dict(model.addresses), **{name: code.address(name) for name in parts}},
        sparsity=_sparsity(whole),
        quantized=_quantized(whole, machine),
        another=lambda: build_whole(whole),
        extras={**model.extras, "whole": whole},
    )


def _section(code: Code, name: str, alive: object) -> Callable[[Vector], int]:
    function = code.function(name, "i64", ("ptr",))

    def section(memory: Vector) -> int:
        assert alive, "the tables live as long as the section"
        status: int = function(memory.__array_interface__["data"][0])
        return status

    return section


def _with_targets(group: Group, targets: Integers) -> Integers:
    """The table, with the slot that each row writes behind its line."""
    return np.ascontiguousarray(np.column_stack([group.table, targets]))


def _wanted(whole: Whole) -> list[Wanted]:
    return [Wanted(k, group.shape, group.is_number) for k, group in enumerate(whole.groups)]


def sections_text(whole: Whole, sections: Mapping[str, Sequence[Group]]) -> RowText:
    """`int64 derivatives(double* m)` and the like: a loop for each group."""
    program = whole.program
    groups = [group for listed in sections.values() for group in listed]
    known = [value_of_shape(group.shape, program) for group in groups]
    module = module_for(program, known)
    module.around.definitions.append("@groups = internal global ptr null")
    module.around.functions.append(BIND)
    for number, (group, part) in enumerate(zip(groups, known, strict=True)):
        one = Wanted(number, group.shape, group.is_number)
        write_shape(module, f"part_value_{number}", one, part, program.states[0])
    number = 0
    for name, own in sections.items():
        body = Body(module.around, name, "ptr %m")
        tables = body.new("load ptr, ptr @groups")
        now = body.new(f"load double, ptr {body.at('%m', program.time)}")
        for group in own:
            _loop(body, number, group, tables, now)
            number += 1
        body.finish("ret i64 0")
    return RowText(inlined(module.around.text()), module.calls, frozenset())


def _loop(body: Body, number: int, group: Group, listed: str, now: str) -> None:
    width = group.table.shape[1]
    place = body.new(f"getelementptr inbounds ptr, ptr {listed}, i64 {number}")
    table = body.new(f"load ptr, ptr {place}")
    before, head, done = body.block, body.label("next"), body.label("done")
    body.jump(head)
    body.begin(head)
    k, more, onward = body.label("%k"), body.label("%k"), body.label("go")
    body.add(f"{k} = phi i64 [ 0, %{before} ], [ {more}, %{onward} ]")
    start = body.new(f"mul i64 {k}, {width + 1}")
    line = body.new(f"getelementptr inbounds i64, ptr {table}, i64 {start}")
    end = body.new(f"getelementptr inbounds i64, ptr {line}, i64 {width}")
    out = body.new(f"getelementptr inbounds double, ptr %m, i64 {body.new(f'load i64, ptr {end}')}")
    arguments = f"ptr %m, ptr {line}, ptr %m, double {now}, ptr {out}"
    status = body.new(f"call i64 @part_value_{number}({arguments})")
    body.may_fail = True
    body.branch(body.new(f"icmp ne i64 {status}, 0"), "fail", onward)
    body.begin(onward)
    body.add(f"{more} = add i64 {k}, 1")
    body.branch(body.new(f"icmp eq i64 {more}, {len(group.own)}"), done, head)
    body.begin(done)


def _sparsity(whole: Whole) -> tuple[tuple[int, ...], ...]:
    """Per state: the derivatives it influences."""
    columns, rows = [], []
    for group in whole.groups:
        records = group.shape.records
        columns.append(group.table[:, :records].reshape(-1))
        rows.append(np.repeat(group.own, records))
    column, row = np.concatenate(columns), np.concatenate(rows)
    order = np.lexsort((row, column))
    count = len(whole.program.state_slots)
    cuts = np.cumsum(np.bincount(column, minlength=count))[:-1]
    parts = np.split(row[order], cuts)
    return tuple([tuple(dict.fromkeys(part.tolist())) for part in parts])


def _quantized(whole: Whole, machine: LlvmMachine) -> Callable[[int], QuantizedModel]:
    @cache
    def make(order: int) -> QuantizedModel:
        with making:
            made = rows_text(whole.program, _wanted(whole), order)
            code, alive = row_code(machine, whole.program, made)
            return _tables(whole, code, order, made, alive)

    return make


def _tables(
    whole: Whole, code: Code, order: int, made: RowText, alive: tuple[object, ...]
) -> QuantizedModel:
    """Rows in the order of states; each has a line of the table."""
    groups = whole.groups
    count = len(whole.program.state_slots)
    nothing = np.zeros(0, dtype=np.int64)
    group_of = np.empty(count, dtype=np.int64)
    line_of = np.empty(count, dtype=np.int64)
    for number, group in enumerate(groups):
        group_of[group.own] = number
        line_of[group.own] = np.arange(len(group.own))
    widths = np.array([group.table.shape[1] for group in groups], dtype=np.int64)[group_of]
    starts = np.concatenate([[0], np.cumsum(widths)]).astype(np.int64)
    table = np.empty(int(starts[-1]), dtype=np.int64)
    for number, group in enumerate(groups):
        mine = np.flatnonzero(group_of == number)
        width = group.table.shape[1]
        places = starts[mine][:, None] + np.arange(width)[None, :]
        table[places.reshape(-1)] = group.table[line_of[mine]].reshape(-1)

    def per_row(numbers: list[int]) -> Integers:
        found: Integers = np.array(numbers, dtype=np.int64)[group_of]
        return found

    kinds = range(len(groups))
    own = [code.address(f"row_own_{k}") if groups[k].shape.has_own else 0 for k in kinds]
    return QuantizedModel(
        order=order,
        states=count,
        relations=0,
        inputs=(),
        rates=per_row([code.address(f"row_rates_{k}") for k in kinds]),
        own=per_row(own),
        slopes=per_row([code.address(f"row_slopes_{k}") if k in made.slopes else 0 for k in kinds]),
        starts=starts,
        table=table,
        counts=per_row([group.shape.records for group in groups]),
        follows_time=per_row(
            [
                follows_here(g.shape, whole.program, order) or NONLINEAR * (k in made.curved)
                for k, g in enumerate(groups)
            ]
        ),
        corners=per_row([int(has_corners(group.shape)) for group in groups]),
        watched=nothing,
        reader_starts=np.zeros(1, dtype=np.int64),
        reader_rows=nothing,
        is_local=nothing,
        handled=HandledEvents.of((), np.zeros((0, 4), dtype=np.int64)),
        shapes=len(groups),
        set_stride=code.function("set_stride", "void", ("double",)),
        alive=alive,
    )
