"""How large a model may become while it is translated.

    check_size(10**9, "the array `x` has", span)      # CompileError U111

The limit ends what would not end by itself: arrays of arrays, classes that double at each level. It is
far beyond what fits the memory of a usual machine, and `--max-size` moves it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from freewheel.base.diagnostics import CompileError, Diagnostic, error
from freewheel.base.source import NOWHERE, Span

DEFAULT_SIZE = 5_000_000  # scalars of a model, elements of an array, rounds of nested loops
_size: ContextVar[int] = ContextVar("size", default=DEFAULT_SIZE)


def max_size() -> int:
    return _size.get()


def set_max_size(size: int | None) -> None:
    """From now on; None: as usual."""
    _size.set(DEFAULT_SIZE if size is None else size)


@contextmanager
def sized(size: int) -> Iterator[None]:
    """Another limit, as long as the scope lasts."""
    token = _size.set(size)
    try:
        yield
    finally:
        _size.reset(token)


def no_memory(code: str) -> Diagnostic:
    return Diagnostic(
        code,
        "there is not enough memory",
        help="look for arrays that are too large, or raise --max-memory",
    )


def check_size(count: float, what: str, span: Span = NOWHERE, unit: str = "elements") -> None:
    """`what`: "the array `x` has"."""
    if count > max_size():
        raise too_large(count, what, span, unit)


def too_large(count: float, what: str, span: Span, unit: str) -> CompileError:
    shown = f"{count:,}" if isinstance(count, int) and count < 1e15 else f"about {count:.1e}"
    return error(
        "U111",
        f"{what} {shown} {unit}; at most {max_size():,} are translated",
        None if span is NOWHERE else span,
        help="check the sizes; if they are meant, raise the limit with --max-size",
    )
