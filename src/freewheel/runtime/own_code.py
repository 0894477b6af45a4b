"""Machine code of its own for each of the runs of one model that go on at the same time.

    with own_code(model) as own:          # the model itself, unless another run has it
        run(own)

Machine code has working arrays, factors, tables, messages and counters of its own, and a copy of it is
made in less time than a translation takes: it is loaded once more from the object code. So there are as
many copies as runs have ever met, each used by one run at a time.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from threading import Lock
from typing import TYPE_CHECKING, Any

from freewheel.base.making import making

if TYPE_CHECKING:
    from freewheel.runtime.model import CompiledModel

# All of a `CompiledModel` that leads to code; everything else is data that nobody writes.
CODE = (
    *("sections", "addresses", "messages", "explain", "origin"),
    *("slopes", "quantized", "core", "forget", "remembered", "remember", "extras"),
)


@dataclass(slots=True)
class Copies:
    """Of the code of one model, that it has itself among them."""

    lock: Lock = field(default_factory=Lock)
    is_lent: bool = False  # that of the model itself
    # The models with the other ones, each with the facts of that it was made for: who that is.
    free: list[tuple[dict[Any, Any], CompiledModel]] = field(default_factory=list)


@contextmanager
def own_code(model: CompiledModel) -> Iterator[CompiledModel]:
    """The model with code that nobody else runs, which remembers nothing of the runs before."""
    own = _taken(model)
    try:
        if own.forget is not None:
            own.forget()
        yield own
    finally:
        _give_back(model, own)


def _taken(model: CompiledModel) -> CompiledModel:
    copies = model.copies
    with copies.lock:
        if not copies.is_lent:
            copies.is_lent = True
            return model
        known = copies.free.pop() if copies.free else None
    if known is not None and known[0] is model.facts:
        return known[1]
    code = _another_code(model) if known is None else _code_of(known[1])
    return replace(model, copies=Copies(), **code)


def _another_code(model: CompiledModel) -> Mapping[str, Any]:
    assert model.another is not None, "a model that can be run can be run twice"
    with making:
        return _code_of(model.another())


def _code_of(model: CompiledModel) -> Mapping[str, Any]:
    return {name: getattr(model, name) for name in CODE}


def _give_back(model: CompiledModel, own: CompiledModel) -> None:
    copies = model.copies
    with copies.lock:
        if own is model:
            copies.is_lent = False
        else:
            copies.free.append((model.facts, own))
