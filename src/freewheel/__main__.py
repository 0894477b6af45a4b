"""`freewheel ...` and `python -m freewheel ...`."""

from __future__ import annotations

import signal


def main() -> None:
    """Ctrl-C ends the process at once, without a traceback, until the command can do better."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from freewheel.tools.cli import main as command

    command()


if __name__ == "__main__":
    main()
