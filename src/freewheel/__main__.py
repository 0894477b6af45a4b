"""`freewheel ...` and `python -m freewheel ...`: the command."""

from __future__ import annotations

import gc
import signal


def main() -> None:
    """Until the command can do better, Ctrl-C ends the process at once, without a traceback. To start makes
    many objects that stay; looking for garbage among them took 50 ms."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    gc.set_threshold(100_000, 20, 20)
    from freewheel.tools.cli import main as command

    command()


if __name__ == "__main__":
    main()
