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
    free: list[Mapping[str, Any]] = field(default_factory=list)


@contextmanager
def own_code(model: CompiledModel) -> Iterator[CompiledModel]:
    """The model with code that nobody else runs, which remembers nothing of the runs before."""
    code = _taken(model)
    try:
        own = model if code is None else replace(model, **code)
        if own.forget is not None:
            own.forget()
        yield own
    finally:
        _give_back(model.copies, code)


def _taken(model: CompiledModel) -> Mapping[str, Any] | None:
    """None: that of the model itself."""
    copies = model.copies
    with copies.lock:
        if not copies.is_lent:
            copies.is_lent = True
            return None
        if copies.free:
            return copies.free.pop()
    assert model.another is not None, "a model that can be run can be run twice"
    with making:
        made = model.another()
    return {name: getattr(made, name) for name in CODE}


def _give_back(copies: Copies, code: Mapping[str, Any] | None) -> None:
    with copies.lock:
        if code is None:
            copies.is_lent = False
        else:
            copies.free.append(code)
