"""`python -m freewheel ...` is the `freewheel` command."""

from freewheel.tools.cli import main

if __name__ == "__main__":
    main()
