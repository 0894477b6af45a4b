"""`freewheel ...` and `python -m freewheel ...`: the command."""

from __future__ import annotations

import gc


def main() -> None:
    """To start makes many objects that stay; looking for garbage among them took 50 ms."""
    gc.set_threshold(100_000, 20, 20)
    from freewheel.tools.cli import main as command

    command()


if __name__ == "__main__":
    main()
