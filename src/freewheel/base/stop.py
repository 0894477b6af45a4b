"""Being asked to stop, by Ctrl-C or by a limit: noted at once, answered where nothing is lost.

    with lasting():                      # by `freewheel run`
        with holding(simulation):        # by a run of a model
            ...
            if is_asked():               # where its rows are whole
                raise KeyboardInterrupt

Python raises KeyboardInterrupt between any two of its instructions, in the middle of book-keeping too,
and not at all while machine code works. While something is held that is worth keeping, the handler of
the command (`tools/watch.py`) therefore raises nothing. The question is noted here, the work is told,
machine code sees it by a word in its memory, and the answer is given where it does no harm. Work that
does not answer in time loses the process to the thread of the watch, which keeps what there is in its
place. Without a watch (a call from Python) the first Ctrl-C is noted in the same way while a run lasts; the
second one raises at once.
"""

from __future__ import annotations

from _thread import allocate_lock, get_ident
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from signal import SIGINT, default_int_handler, getsignal, signal
from threading import main_thread
from time import sleep
from typing import Any, Protocol

FOREVER = 3600.0  # seconds


class Held(Protocol):
    """Work whose result so far is worth keeping. All are called by other threads, at any time."""

    def stop_soon(self) -> None: ...

    def so_far(self) -> Any: ...

    def points(self) -> Any:
        """A matrix with a row for each point that will not change any more."""
        ...

    def keep_near(self, written: Callable[[], int | None]) -> None:
        """From now on store no more points than those written and some: the end would wait for the others.
        None: it does not matter any more."""
        ...


class CutShort(KeyboardInterrupt):
    """A table was asked to end while it was written: its first rows are there."""

    def __init__(self, rows: int) -> None:
        super().__init__(rows)
        self.rows = rows


class _State:
    """One for the process, as there is one keyboard. The main thread and that of the watch share it."""

    def __init__(self) -> None:
        self.is_watched = False
        self.questions = 0
        self.is_raised = False  # an exception is on its way to whoever ends the command
        self.answers = 0
        self.depth = 0  # of `holding`
        self.lasts = False
        self.began = False  # something was held since it lasts
        self.held: Held | None = None
        self.works = 0  # that were held
        self.is_taken = False  # by the watch: it will end the process
        self.lock = allocate_lock()


_state = _State()


def watched() -> None:
    """Somebody answers for signals."""
    _state.is_watched = True


def is_watched() -> bool:
    """Whether this is a command, not a call from Python."""
    return _state.is_watched


def ask() -> None:
    _state.questions += 1
    held = _state.held
    if held is not None:
        held.stop_soon()


def questions() -> int:
    """How often a stop was asked for."""
    return _state.questions


def is_asked() -> bool:
    return _state.questions > 0


def raise_if_asked() -> None:
    """By the main thread, where it keeps by itself what there is."""
    if is_asked():
        claim()
        answer()
        raise KeyboardInterrupt


def answers() -> int:
    return _state.answers


def answer() -> None:
    """The main thread has stopped what it did."""
    _state.answers += 1


def forget() -> None:
    """The question is answered and something else begins."""
    _state.answers += 1
    _state.questions, _state.is_raised = 0, False


def may_raise() -> bool:
    """By the handler of signals: whether it is to raise KeyboardInterrupt, which is done once."""
    if is_held() or _state.is_raised:
        return False
    _state.is_raised = True
    return True


# ---------------------------------------------------------------- what is worth keeping


def is_held() -> bool:
    """Whether the handler of signals must raise nothing."""
    return _state.depth > 0 or _state.began


@contextmanager
def holding(held: Held) -> Iterator[None]:
    """As long as the scope lasts no exception comes from outside."""
    if not _state.is_watched:
        with _noting(held):
            yield
        return
    _state.depth += 1
    _state.works += 1
    _state.held, _state.began = held, _state.lasts
    try:
        yield
    finally:
        give_way()
        _state.depth -= 1
        if not _state.lasts:
            _state.held = None


@contextmanager
def _noting(held: Held) -> Iterator[None]:
    """In the main thread of a program that has no handler of its own."""
    is_main = get_ident() == main_thread().ident
    if not is_main or getsignal(SIGINT) is not default_int_handler:
        yield
        return

    def note(number: int, frame: object) -> None:
        _state.questions += 1
        held.stop_soon()
        if _state.questions > 1:
            raise KeyboardInterrupt

    asked_before, answered_before = _state.questions, _state.answers
    signal(SIGINT, note)
    try:
        yield
        if _state.questions > asked_before and _state.answers == answered_before:
            raise KeyboardInterrupt  # it came too late for the run to answer
    finally:
        signal(SIGINT, default_int_handler)
        _state.questions = asked_before


@contextmanager
def lasting() -> Iterator[None]:
    """What is held in this scope stays so to its end: a result must get from a run to a file."""
    _state.lasts = _state.is_watched
    try:
        yield
    finally:
        give_way()
        _state.lasts = _state.began = False
        _state.held = None


def held() -> tuple[Held | None, int]:
    """What is held now, and the number of this or the last work that was: a model may be run twice."""
    return _state.held, _state.works


def claim() -> None:
    """By the main thread: it keeps what there is by itself. Others do so only after they have taken over."""
    if get_ident() != main_thread().ident:
        return
    with _state.lock:
        _state.held = None
    give_way()


def take_over() -> Held | None:
    """By the watch: what there is to keep, if anything. The main thread goes no further then."""
    with _state.lock:
        found, _state.held = _state.held, None
        _state.is_taken = found is not None
    return found


def give_way() -> None:
    """Wait for the end of the process, if another thread has it in its hands."""
    while _state.is_taken:
        sleep(FOREVER)
