"""Rows that cannot be differentiated: their derivatives by differences, as functions of the same form.

    row_rates_3(m, table, s, t, out):  value at t, t + h and t - h  ->  value, slope, curvature

Polynomials of records tell their values at any time, so that a row can be looked at a little later and
earlier. `h` is the same for all rows of a module and set before a run (`set_stride`). The slope by the
row's own state moves the record's value to both sides and puts it back.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from freewheel.backend.llvm_body import Body, literal
from freewheel.backend.thresholds import DIFFERENCES
from freewheel.machine.records import record_type
from freewheel.runtime.qss.memory import QuantizedState

if TYPE_CHECKING:
    from freewheel.backend.llvm_module import Module

STATE = record_type(QuantizedState)
ARGUMENTS = "ptr %m, ptr %table, ptr %s, double %t, ptr %out"
STRIDE = "@stride = internal global double 0x3EB0C6F7A0B5ED8D"  # 1e-6
SET_STRIDE = (
    "define void @set_stride(double %h) #0 {\n  store double %h, ptr @stride\n  ret void\n}\n"
)


def write_stride(module: Module) -> None:
    """What all functions here share; once in a module."""
    module.around.definitions.append(STRIDE)
    module.around.functions.append(SET_STRIDE)


def write_by_differences(
    module: Module, name: str, value: str, order: int, results: int, with_own: bool
) -> None:
    """`value` names the function that gives the row alone."""
    body = Body(module.around, name, ARGUMENTS)
    after, before = body.array(1), body.array(1)
    _call(body, value, "%t", "%out")
    if order > 1:
        h = body.new("load double, ptr @stride")
        _call(body, value, body.new(f"fadd double %t, {h}"), after)
        _call(body, value, body.new(f"fsub double %t, {h}"), before)
        one, other = (body.new(f"load double, ptr {place}") for place in (after, before))
        rise = body.new(f"fsub double {one}, {other}")
        twice = body.new(f"fadd double {h}, {h}")
        _store(body, 1, body.new(f"fdiv double {rise}, {twice}"))
        if order > 2:
            here = body.new("load double, ptr %out")
            both = body.new(f"fadd double {one}, {other}")
            double = body.new(f"fadd double {here}, {here}")
            bend = body.new(f"fsub double {both}, {double}")
            square = body.new(f"fmul double {h}, {h}")
            _store(body, 2, body.new(f"fdiv double {bend}, {square}"))
    if with_own:
        _own_slope(body, value, order, after, before)
    for k in range(order, results):
        _store(body, k, literal(0.0))
    body.finish("ret i64 0")


def _own_slope(body: Body, value: str, order: int, after: str, before: str) -> None:
    place = state_field(body, body.new("load i64, ptr %table"), "q0")
    held = body.new(f"load double, ptr {place}")
    body.around.declare("double @llvm.fabs.f64(double)")
    size = body.new(f"call double @llvm.fabs.f64(double {held})")
    share = body.new(f"fmul double {size}, {literal(DIFFERENCES.moved)}")
    moved = body.new(f"fadd double {share}, {literal(DIFFERENCES.least_moved)}")
    results = []
    for sign, target in (("fadd", after), ("fsub", before)):
        body.add(f"store double {body.new(f'{sign} double {held}, {moved}')}, ptr {place}")
        # Whatever it says, the record is put back before anybody leaves.
        results.append(_status(body, value, "%t", target))
    body.add(f"store double {held}, ptr {place}")
    for status in results:
        body.fail_if(body.new(f"icmp ne i64 {status}, 0"))
    one, other = (body.new(f"load double, ptr {at}") for at in (after, before))
    rise = body.new(f"fsub double {one}, {other}")
    twice = body.new(f"fadd double {moved}, {moved}")
    _store(body, order, body.new(f"fdiv double {rise}, {twice}"))


def state_field(body: Body, number: str, name: str) -> str:
    """Where a field of a record is in `%s`."""
    record = body.new(f"mul i64 {number}, {STATE.size}")
    place = body.new(f"add i64 {record}, {STATE.fields[name].offset}")
    return body.new(f"getelementptr inbounds i8, ptr %s, i64 {place}")


def _status(body: Body, value: str, t: str, out: str) -> str:
    return body.new(f"call i64 @{value}(ptr %m, ptr %table, ptr %s, double {t}, ptr {out})")


def _call(body: Body, value: str, t: str, out: str) -> None:
    body.fail_if(body.new(f"icmp ne i64 {_status(body, value, t, out)}, 0"))


def _store(body: Body, place: int, operand: str) -> None:
    body.add(f"store double {operand}, ptr {body.at('%out', place)}")
