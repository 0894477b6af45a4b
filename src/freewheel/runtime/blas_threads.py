"""Linear algebra on small matrices by one thread.

    with one_thread():
        np.linalg.svd(matrix)

Libraries behind numpy share even small matrices among all cores; on a busy machine their threads then
wait for each other a hundred times longer than the work takes.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from threading import Lock
from typing import Any

from threadpoolctl import ThreadpoolController


class _Limit:
    """The libraries have one number for the whole process: the first who comes sets it, the last who leaves
    puts it back."""

    def __init__(self) -> None:
        self.lock = Lock()
        self.inside = 0
        self.limiter: Any = None


_limit = _Limit()


@cache
def _controller() -> ThreadpoolController:
    return ThreadpoolController()


@contextmanager
def one_thread() -> Iterator[None]:
    with _limit.lock:
        if _limit.inside == 0:
            _limit.limiter = _controller().limit(limits=1, user_api="blas")
        _limit.inside += 1
    try:
        yield
    finally:
        with _limit.lock:
            _limit.inside -= 1
            if _limit.inside == 0:
                _limit.limiter.restore_original_limits()
