"""The rows of a large run on their way to a file while it goes on: when it ends there is little left to do.

    with writing_behind(Path("r.csv")) as behind:       # by `freewheel run`
        ...                                             # a run; the thread looks what it has
        behind.finish(result, Path("r.partial.mat"))    # or nothing is kept

To write a number takes some nanoseconds, so that a hundred million of them would keep whoever has pressed
Ctrl-C waiting for seconds. A thread writes them in time, as the trajectory file that they become then
(`result/write_mat.py`): the system copies them while compiled code goes on, which waits where it is faster
than that (`runtime/loop/recording.py`). What is left is a tenth of a second of work at most. Where `.mat` was
asked for this is the file itself, else what is kept of a run that is stopped. It has no name until it is
whole. Whatever goes wrong here (no space, no right to write) does no harm: files are written when the run
ends, as those of small runs are.
"""

from __future__ import annotations

from _thread import allocate_lock, start_new_thread
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import sleep
from typing import TYPE_CHECKING, Any

from freewheel.base import stop

if TYPE_CHECKING:
    from freewheel.base.files import Unnamed
    from freewheel.result.store import Result
    from freewheel.result.write_mat import GrowingMat

MANY = 4_000_000  # numbers; less is written within a tenth of a second
PERIOD = 0.05  # seconds between two looks: as often as compiled loops tell how far they are
OFTEN = 0.01  # seconds likewise, once there is a file: the run may wait for it


@contextmanager
def writing_behind(place: Path) -> Iterator[WriteBehind]:
    """`place`: where the curves of the run will go."""
    behind = WriteBehind(place)
    if stop.is_watched() and not _is_device(place):
        start_new_thread(behind.work, ())
    try:
        yield behind
    finally:
        behind.drop()


def _is_device(place: Path) -> bool:
    return place.exists() and not place.is_file()


class WriteBehind:
    """Shared by its own thread, the main one and that of the watch."""

    def __init__(self, place: Path) -> None:
        self._place = place
        self._lock = allocate_lock()
        self._is_over = False
        self._work = 0  # number of the run that the file belongs to
        self._unnamed: Unnamed | None = None
        self._file: GrowingMat | None = None
        self._is_stuck = False  # at a point that is not to be written

    @property
    def has_begun(self) -> bool:
        return self._file is not None

    def known(self) -> int:
        """Points of this run that are written: these are finite."""
        file = self._file
        return file.count if file is not None and self._work == stop.held()[1] else 0

    # ------------------------------------------------------------ the thread

    def work(self) -> None:
        try:
            while not self._is_over:
                sleep(OFTEN if self.has_begun else PERIOD)
                while self._step():
                    pass
        finally:  # nobody waits for a thread that is not there
            self.drop()

    def _step(self) -> bool:
        """Write some points, some milliseconds' worth; whether there are more."""
        with self._lock:
            held, work = stop.held()
            if self._is_over or held is None or (self._is_stuck and self._work == work):
                return False
            try:
                return self._is_ready(held, work) and self._write(held.points())
            except (OSError, MemoryError):
                self._drop()
                return False

    def _is_ready(self, held: stop.Held, work: int) -> bool:
        """Whether there is a file, or points enough to begin one."""
        if self._file is not None and self._work == work:
            return True
        self._close()  # of a run before this
        if held.points().size < MANY:
            return False
        from freewheel.base.files import Unnamed
        from freewheel.result.write_mat import GrowingMat

        self._unnamed = Unnamed(self._place.resolve().parent)
        self._file, self._work = GrowingMat(self._unnamed.stream, held.so_far().result), work
        self._is_stuck = False
        held.keep_near(self._written(self._file))
        return True

    def _written(self, file: GrowingMat) -> Callable[[], int | None]:
        """How far this file is, as long as it grows."""
        return lambda: None if self._file is not file or self._is_stuck else file.count

    def _write(self, points: Any) -> bool:
        import numpy as np

        file = self._file
        assert file is not None
        part = points[file.count : file.count + file.size]
        self._is_stuck = not np.isfinite(part).all()  # nothing from there on is kept
        if not len(part) or self._is_stuck:
            return False
        file.append(part)
        return file.count < len(points)

    # ------------------------------------------------------------ the end

    def finish(self, result: Result, path: Path, short: Path | None = None) -> bool:
        """Whether `path` has the curves now, else another way must be found. Asked to stop, it has points up
        to then under the name `short`, and `CutShort` tells how many."""
        from freewheel.result.finite import refuse_not_finite

        with self._lock:
            self._is_over, known = True, self.known()
            if self._unnamed is None or self._file is None or known == 0:
                return False
            refuse_not_finite(result, known)
            try:
                self._complete(result, path, short)
            except OSError:
                return False
            finally:
                self._close()
        return True

    def _complete(self, result: Result, path: Path, short: Path | None) -> None:
        assert self._unnamed is not None
        assert self._file is not None
        try:
            self._file.append_rest(result)
        except stop.CutShort:
            self._unnamed.become(short or path)
            raise
        self._file.end(result)
        self._unnamed.become(path)

    def drop(self) -> None:
        with self._lock:
            self._drop()

    def _drop(self) -> None:
        self._is_over = True
        self._close()

    def _close(self) -> None:
        if self._unnamed is not None:
            self._unnamed.drop()
        self._unnamed = self._file = None
