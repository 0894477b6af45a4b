"""A thread beside the command: Ctrl-C is answered at once, memory and time have an end.

    begin(farewell)                          # once, by `main`
    rescue(keep)                             # by a command whose run is worth keeping
    limit(seconds=10.0, memory=500e6)        # by options of the command

The main thread is asked to stop by an exception; while a run holds curves it is told otherwise
(`base/stop.py`). Python answers between two of its own instructions; while a compiler or a kernel works
there are none, and an exception may get lost where nothing can be raised. If there is no answer within
`GRACE` this thread keeps what the run has, says what there is to say and ends the process.
"""

from __future__ import annotations

import _thread
import gc
import os
import select
import signal
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from time import monotonic, process_time
from types import FrameType
from typing import Any

from freewheel.base import stop
from freewheel.base.diagnostics import Diagnostic

GRACE = 0.12  # seconds of work from the question to the end; a fifth of a second seems at once to a person
PATIENCE = 0.4  # seconds likewise, if the machine is busy with others
LONGER = 4.0  # times for a session, whose models would be lost with the process
ONE_PRESS = (
    0.2  # seconds: signals that come together are one question, as from a terminal and a wrapper
)
PERIOD = 0.05  # seconds between two looks at the memory
SOON = 0.01  # seconds between two looks whether there is an answer
SHARE = 0.9  # of the machine's memory, where no limit is given
RESERVE = 512 * 2**20  # bytes between the limit that is told and the one that the system enforces

# Prints why, and what else there is to tell; gives the exit code.
Farewell = Callable[[Diagnostic | None, Sequence[Diagnostic]], int]
Rescue = Callable[[Any], Sequence[Diagnostic]]  # keeps what a run has so far; what there is to tell


class Watch:
    """What the two threads tell each other. Written out, as `freewheel --help` waits for it: to make a
    dataclass takes a third of a millisecond."""

    def __init__(self, farewell: Farewell, signals: int) -> None:
        self.farewell = farewell
        self.signals = signals  # where the system writes the numbers of signals
        self.deadline = 0.0
        self.seconds = 0.0
        self.memory = 0.0
        self.reason: Diagnostic | None = None  # why it was this thread that asked for an end
        self.is_over = False  # the command is done
        self.rescue: Rescue | None = None
        self.longer = 1.0


_watches: list[Watch] = []


def begin(farewell: Farewell) -> None:
    """Start the thread; without signals (a thread of somebody else's program) there is nothing to do."""
    if _watches:
        return
    read, write = os.pipe()
    os.set_blocking(write, False)
    signal.signal(signal.SIGINT, _interrupted)
    signal.set_wakeup_fd(write, warn_on_full_buffer=False)
    stop.watched()
    _watches.append(Watch(farewell, read))
    _thread.start_new_thread(_look, (_watches[0],))


def rescue(keep: Rescue) -> None:
    """What to do with a run that does not answer."""
    for watch in _watches:
        watch.rescue = keep


def be_patient() -> None:
    """A session goes on after Ctrl-C."""
    for watch in _watches:
        watch.longer = LONGER


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
    """In the main thread. From now on nothing is looked through for garbage: that would take seconds where
    a large model was in the making."""
    gc.freeze()
    if stop.may_raise():
        raise KeyboardInterrupt


# ---------------------------------------------------------------- the thread


def _look(watch: Watch) -> None:
    """Until the command ends."""
    asked: tuple[float, float] | None = None  # since when an answer is due
    answers = 0  # there were before
    pressed = 0.0  # when Ctrl-C was last
    while not watch.is_over:
        before = stop.answers()
        ready, _, _ = select.select([watch.signals], [], [], SOON if asked else PERIOD)
        if ready and signal.SIGINT in os.read(watch.signals, 64):
            if monotonic() > pressed + ONE_PRESS:
                asked, answers = asked or _now(), before
                stop.ask()
            pressed = monotonic()
        elif not asked and watch.reason is None and not watch.is_over:
            watch.reason = _excess(watch)
            if watch.reason is not None:
                asked, answers = _now(), before
                _ask_main(watch)
        if stop.answers() > answers:
            asked = None
        if asked and not watch.is_over and _is_due(watch, asked):
            _end_without_answer(watch)
            asked = None


def _ask_main(watch: Watch) -> None:
    stop.ask()
    _thread.interrupt_main()
    os.read(watch.signals, 64)  # this was no press of a key


def _end_without_answer(watch: Watch) -> None:
    """At once, or after a run has been kept; that may be asked to end, too."""
    held = None if watch.rescue is None else stop.take_over()
    if held is None:
        _leave(watch, ())
    else:
        _thread.start_new_thread(_keep, (watch, held))


def _keep(watch: Watch, held: stop.Held) -> None:
    told: Sequence[Diagnostic] = ()
    try:
        assert watch.rescue is not None
        told = watch.rescue(held.so_far())
    finally:
        _leave(watch, told)


def _leave(watch: Watch, told: Sequence[Diagnostic]) -> None:
    files = sys.modules.get("freewheel.base.files")  # else nothing was written
    if files is not None:
        files.abandon()
    os._exit(watch.farewell(watch.reason, told))


def _now() -> tuple[float, float]:
    """By the work done and by the clock."""
    return process_time(), monotonic()


def _is_due(watch: Watch, asked: tuple[float, float]) -> bool:
    work, clock = _now()
    return work > asked[0] + watch.longer * GRACE or clock > asked[1] + watch.longer * PATIENCE


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
