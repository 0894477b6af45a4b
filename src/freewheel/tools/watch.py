"""A thread beside the command: Ctrl-C is answered at once, memory and time have an end.

    begin()                                  # once, by `main`
    limit(seconds=10.0, memory=500e6)        # by options of the command

The main thread is asked to stop as by Ctrl-C, which keeps what a run has computed so far. Python
answers between two of its own instructions; while a compiler or a kernel works there are none. If
there is no answer within `GRACE` this thread says what there is to say and ends the process.
"""

from __future__ import annotations

import _thread
import gc
import os
import select
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from time import monotonic, process_time
from types import FrameType

from freewheel.base.diagnostics import Diagnostic

GRACE = 0.3  # seconds of work from the question to the end; half a second seems at once to a person
PATIENCE = 2.0  # seconds likewise, if the machine is busy with others
PERIOD = 0.05  # seconds between two looks at the memory
SHARE = 0.9  # of the machine's memory, where no limit is given
RESERVE = 512 * 2**20  # bytes between the limit that is told and the one that the system enforces

Farewell = Callable[[Diagnostic | None], int]  # prints why, and gives the exit code


@dataclass(slots=True)
class Watch:
    """What the two threads tell each other."""

    farewell: Farewell
    signals: int  # where the system writes the numbers of signals
    deadline: float = 0.0
    seconds: float = 0.0
    memory: float = 0.0
    reason: Diagnostic | None = None  # why it was this thread that asked for an end
    answers: int = 0  # of the main thread to questions of either kind
    is_over: bool = False  # the command is done


_watches: list[Watch] = []


def begin(farewell: Farewell) -> None:
    """Start the thread; without signals (a thread of somebody else's program) there is nothing to do."""
    if _watches:
        return
    read, write = os.pipe()
    os.set_blocking(write, False)
    signal.signal(signal.SIGINT, _interrupted)
    signal.set_wakeup_fd(write, warn_on_full_buffer=False)
    _watches.append(Watch(farewell, read))
    _thread.start_new_thread(_look, (_watches[0],))


def limit(seconds: float | None = None, memory: float | None = None) -> None:
    """Of the command from now on; `memory` in bytes."""
    for watch in _watches:
        if seconds is not None:
            watch.seconds, watch.deadline = seconds, monotonic() + seconds
        if memory is not None:
            watch.memory = memory
            _enforce(memory)


def end() -> None:
    """The command is done: neither a limit nor Ctrl-C changes its exit code any more."""
    with suppress(KeyboardInterrupt):  # asked for at the last moment
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    for watch in _watches:
        watch.is_over = True


def reason() -> Diagnostic | None:
    """Why the command was stopped, if not by the user."""
    return _watches[0].reason if _watches else None


def _interrupted(number: int, frame: FrameType | None) -> None:
    """The answer of the main thread. From now on nothing is looked through for garbage: that would
    take seconds where a large model was in the making."""
    gc.freeze()
    for watch in _watches:
        watch.answers += 1
    raise KeyboardInterrupt


# ---------------------------------------------------------------- the thread


def _look(watch: Watch) -> None:
    """Until the command ends."""
    asked: tuple[float, float] | None = None  # since when an answer is due
    answers = 0  # there were before
    while not watch.is_over:
        before = watch.answers
        ready, _, _ = select.select([watch.signals], [], [], PERIOD)
        if ready and signal.SIGINT in os.read(watch.signals, 64):
            asked, answers = asked or _now(), before
        elif not asked and watch.reason is None and not watch.is_over:
            watch.reason = _excess(watch)
            if watch.reason is not None:
                asked, answers = _now(), before
                _thread.interrupt_main()
        if watch.answers > answers:
            asked = None
        if asked and not watch.is_over and _is_due(asked):
            os._exit(watch.farewell(watch.reason))


def _now() -> tuple[float, float]:
    """By the work done and by the clock."""
    return process_time(), monotonic()


def _is_due(asked: tuple[float, float]) -> bool:
    work, clock = _now()
    return work > asked[0] + GRACE or clock > asked[1] + PATIENCE


def _excess(watch: Watch) -> Diagnostic | None:
    if watch.deadline and monotonic() > watch.deadline:
        return too_long(watch.seconds)
    if not watch.memory:
        watch.memory = SHARE * _machine_memory()
        _enforce(watch.memory)
    used = _used_memory()
    return too_much(watch.memory) if used > watch.memory else None


def too_long(seconds: float) -> Diagnostic:
    return Diagnostic(
        "R161",
        f"stopped after {seconds:g} s",
        help="this is the limit of --max-seconds",
    )


def too_much(memory: float) -> Diagnostic:
    return Diagnostic(
        "R162",
        f"stopped: more than {memory / 2**20:.0f} MB of memory are needed",
        help="look for arrays that are too large, or raise --max-memory",
    )


# ---------------------------------------------------------------- the system


def _used_memory() -> float:
    """Bytes of this process in memory."""
    try:
        with open("/proc/self/statm", "rb") as stream:
            return float(stream.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:  # no Linux
        return 0.0


def _machine_memory() -> float:
    """Bytes that the machine has, or that this process may have of it."""
    sizes = [float(sys.maxsize)]
    if hasattr(os, "sysconf"):
        sizes.append(float(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")))
    for place in ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"):
        try:
            with open(place, "rb") as stream:
                sizes.append(float(stream.read()))
        except (OSError, ValueError):  # no such group, or "max"
            continue
    return min(sizes)


def _enforce(memory: float) -> None:
    """One large request of memory is refused by the system, before anybody can look."""
    try:
        import resource
    except ImportError:  # no such limits
        return
    _, most = resource.getrlimit(resource.RLIMIT_DATA)
    wanted = int(memory) + RESERVE
    if most == resource.RLIM_INFINITY or wanted < most:
        resource.setrlimit(resource.RLIMIT_DATA, (wanted, most))
