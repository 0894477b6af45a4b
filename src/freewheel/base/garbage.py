"""No garbage collection while trees and equations grow.

with no_garbage_collection():
    tree = parse(source)
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

from freewheel.base.stop import is_watched

MANY = 500_000  # objects, which are looked through in some hundredths of a second


@contextmanager
def no_garbage_collection() -> Iterator[None]:
    """A compilation makes millions of objects that stay and hardly a cycle; looking for cycles among them
    again and again took a fifth of its time, and more than half of that of the parser. The first look
    afterwards is one long step that nothing can interrupt: a command, which soon ends, leaves it out
    where they are many."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            if is_watched() and gc.get_count()[0] > MANY:
                gc.freeze()
            gc.enable()
