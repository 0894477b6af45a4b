"""Why equations and unknowns do not fit together, reported with the failure itself.

    with_reasons(failure, instance, flat, as_written)    # E003, then E031: nothing fixes `V.p.v`

Counting and matching say that something is wrong (E001 to E003); linear algebra (`explain.py`) says what, and
its cure is the better one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType

from freewheel.base.diagnostics import CompileError, Diagnostic, Severity
from freewheel.flat.local_balance import SINGULAR
from freewheel.flat.nodes import FlatModel
from freewheel.flat.open_inputs import component_inputs, component_places
from freewheel.flat.outside import inner_values
from freewheel.instance.instantiate import Instance
from freewheel.structure.diagnosis.explain import Context, explain, faults_of_network
from freewheel.structure.nodes import Ordered

TOO_FEW = "E001"
MISSING = "E033"  # an equation is missing; the failure names the variables already


def with_reasons(
    failure: CompileError,
    instance: Instance,
    flat: FlatModel,
    as_written: Callable[[], Ordered],
    numbers: Mapping[str, float] = MappingProxyType({}),
) -> CompileError:
    """`numbers`: of parameters, instead of their own."""
    first, *others = failure.diagnostics
    if first.code not in SINGULAR:
        return failure
    lacking = [instance.session.inner_added[c.name].inner_missing() for c in inner_values(instance)]
    if lacking:
        return CompileError(*lacking)
    context = Context(component_inputs(instance, flat), component_places(instance), numbers)
    faults = faults_of_network(flat, context)  # called by their own names, they say it all
    if faults:
        return CompileError(*faults)
    reasons = _reasons(flat, context, as_written)
    if not reasons:
        return failure
    known = [reason for reason in reasons if reason.code != MISSING]
    first = replace(first, help=reasons[0].help)
    if not known and first.code == TOO_FEW:
        first = _naming(first, reasons)
    return CompileError(first, *others, *known)


def _naming(failure: Diagnostic, reasons: list[Diagnostic]) -> Diagnostic:
    """What is missing, an input left open say, comes before all that hangs on it."""
    counts = failure.message.partition(";")[0]
    causes = "; ".join(reason.message.partition("determines ")[2] for reason in reasons)
    labels = tuple(label for reason in reasons for label in reason.labels)
    return replace(
        failure, message=f"{counts}; not determined: {causes}", labels=labels or failure.labels
    )


def _reasons(
    flat: FlatModel, context: Context, as_written: Callable[[], Ordered]
) -> list[Diagnostic]:
    try:
        found = explain(flat, context, as_written)
    except CompileError:  # it fails as the model did
        return []
    return [d for d in found if d.severity is Severity.ERROR]
