"""Is a class right? A model is put into a solvable order; one with open connectors is judged with what its
users will connect; everything else is read with all that belongs to it.

    check(model)      Balance(unknowns=4, equations=4, kind="model")
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from freewheel.base.access import looking
from freewheel.base.diagnostics import CompileError, Diagnostic, IncompleteError, Severity
from freewheel.base.garbage import no_garbage_collection
from freewheel.pipeline import Options, compile_flat, compile_model

if TYPE_CHECKING:
    from freewheel.api.model import Model

ADDED_INNER = "N009"  # whoever uses the class declares it
BY_USE = ("E006", "E063", "E064")  # the use of a class gives derivatives of inputs, and clocks
SINGULAR = "E003"
PARTIAL = "N018"
UNBALANCED = ("E001", "E002", "E003", "F040")
UNSUPPORTED = "E007"  # right Modelica that a later room cannot do yet


@dataclass(frozen=True, slots=True)
class Balance:
    """As many equations as unknowns, counted in scalars; what the front end remarked. Classes that are
    no models, and partial ones, are not counted."""

    unknowns: int
    equations: int
    warnings: tuple[Diagnostic, ...] = ()
    kind: str = "model"
    is_counted: bool = True  # nothing is left open that the numbers depend on


def check(model: Model) -> Balance:
    """Raises `CompileError` where the class is wrong."""
    from freewheel.flat.class_check import MODELS, check_class, kind_of
    from freewheel.flat.outside import is_part

    with no_garbage_collection(), looking(model.library.readable):
        kind, is_partial = kind_of(model.library, model.name)
        is_model = kind in MODELS and not is_partial
        try:
            if is_model:
                return _check_model(model, kind)
            warnings = check_class(model.library, model.name)
        except IncompleteError as failure:
            # a model that is no part of others and whose classes are complete is to be simulated
            is_whole = is_model and all(d.code != PARTIAL for d in failure.diagnostics)
            if is_whole and not is_part(model.upto("instance").instance):
                raise
            warnings = _as_warnings(failure.diagnostics)
        except CompileError as failure:
            # the language asks models and blocks to be balanced, not a plain `class`
            if kind != "class" or any(d.code not in UNBALANCED for d in failure.diagnostics):
                raise
            warnings = _as_warnings(failure.diagnostics)
    word = f"partial {kind}" if is_partial else kind
    return Balance(0, 0, warnings, word, is_counted=False)


def _check_model(model: Model, kind: str) -> Balance:
    from freewheel.flat.outside import is_part
    from freewheel.flat.units import check_units

    try:
        if is_part(model.upto("instance").instance):
            return _check_part(model, kind)
        ordered = model.upto("structure").ordered
    except CompileError as failure:
        return _check_of_the_language(model, kind, failure)
    units = check_units(model.flatten())
    counts = (ordered.unknown_count, ordered.equation_count)
    return Balance(*counts, (*ordered.warnings, *units), kind)


def _check_part(model: Model, kind: str) -> Balance:
    """A class that is made to be connected."""
    from freewheel.flat.flatten import LEFT_OPEN
    from freewheel.flat.local_balance import explained
    from freewheel.flat.outside import outside
    from freewheel.flat.units import check_units
    from freewheel.structure.diagnosis.open_component import check_component

    made = compile_model(model.library, model.name, replace(model.options("flat"), is_part=True))
    flat = made.flat
    given = outside(made.instance, flat)
    warnings = flat.warnings
    try:
        counts = check_component(flat, given)
    except CompileError as failure:
        codes = {d.code for d in failure.diagnostics}
        if made.instance.session.is_left_open and codes.issubset(LEFT_OPEN):
            raise IncompleteError(*failure.diagnostics) from None
        raise explained(failure, made.instance, flat, given.roots) from None
    if not given.flows and not given.bus:
        try:
            # with values of its inputs it can be simulated
            warnings = compile_flat(flat, Options(stop_after="structure")).ordered.warnings
        except CompileError as failure:
            by_use = (*BY_USE, SINGULAR) if counts.is_turned else BY_USE
            if any(d.code not in by_use for d in failure.diagnostics):
                raise
    told = tuple(w for w in warnings if w.code != ADDED_INNER)
    numbers = (counts.unknowns, counts.equations)
    return Balance(*numbers, (*told, *check_units(flat)), kind)


def _check_of_the_language(model: Model, kind: str, failure: CompileError) -> Balance:
    """A model that is right Modelica but uses what cannot be simulated yet is no wrong model:
    it is counted, and the missing part is a warning."""
    from freewheel.flat.balance import count
    from freewheel.flat.units import check_units

    if any(d.code != UNSUPPORTED for d in failure.diagnostics):
        raise failure
    flat = model.flatten()
    counts = count(flat)
    missing = _as_warnings(failure.diagnostics)
    warnings = (*flat.warnings, *missing, *check_units(flat))
    return Balance(counts.unknowns, counts.equations, warnings, kind)


def _as_warnings(diagnostics: Sequence[Diagnostic]) -> tuple[Diagnostic, ...]:
    return tuple(replace(d, severity=Severity.WARNING) for d in diagnostics)
