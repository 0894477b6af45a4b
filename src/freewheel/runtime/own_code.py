"""Machine code of its own for each of the runs of one model that go on at the same time.

    with own_code(model) as own:          # the model itself, unless another run has it
        run(own)

Machine code has working arrays, factors, tables, messages and counters of its own, and a copy of it is
made in less time than a translation takes: it is loaded once more from the object code. So there are as
many copies as runs have ever met, each used by one run at a time.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from threading import Lock
from typing import TYPE_CHECKING

from freewheel.base.making import making

if TYPE_CHECKING:
    from freewheel.runtime.model import CompiledModel

# All of a `CompiledModel` that leads to code; everything else is data that nobody writes.
CODE = (
    *("sections", "addresses", "messages", "explain", "origin"),
    *("slopes", "quantized", "core", "forget", "extras"),
)


@dataclass(slots=True)
class Copies:
    """Of the code of one model, that it has itself among them."""

    lock: Lock = field(default_factory=Lock)
    is_lent: bool = False  # that of the model itself
    free: list[CompiledModel] = field(default_factory=list)


@contextmanager
def own_code(model: CompiledModel) -> Iterator[CompiledModel]:
    """The model with code that nobody else runs, which remembers nothing of the runs before."""
    own = _taken(model)
    try:
        if own.forget is not None:
            own.forget()
        yield own
    finally:
        with model.copies.lock:
            if own is model:
                model.copies.is_lent = False
            else:
                model.copies.free.append(own)


def _taken(model: CompiledModel) -> CompiledModel:
    copies = model.copies
    with copies.lock:
        if not copies.is_lent:
            copies.is_lent = True
            return model
        if copies.free:
            return copies.free.pop()
    assert model.another is not None, "a model that can be run can be run twice"
    with making:
        made = model.another()
    return replace(model, **{name: getattr(made, name) for name in CODE})
