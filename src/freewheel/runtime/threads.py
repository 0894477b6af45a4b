"""Linear algebra on small matrices by one thread.

    with one_thread():
        np.linalg.svd(matrix)

Libraries behind numpy share even small matrices among all cores; on a busy machine their threads then
wait for each other a hundred times longer than the work takes.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from functools import cache
from typing import Any

from threadpoolctl import ThreadpoolController


@cache
def _controller() -> ThreadpoolController:
    return ThreadpoolController()


def one_thread() -> AbstractContextManager[Any]:
    found: AbstractContextManager[Any] = _controller().limit(limits=1, user_api="blas")
    return found
