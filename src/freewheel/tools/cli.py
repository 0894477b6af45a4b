"""The `freewheel` command."""

import click


@click.group()
def main() -> None:
    """Simulate Modelica models."""
