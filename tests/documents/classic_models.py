"""What the tests of classic models share: the examples by name, and sessions as text in, text out."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import freewheel as fw
from freewheel.tools.classic.session import Session

EXAMPLES = Path(__file__).parents[2] / "examples" / "dymola"


@cache
def classic(name: str, model: str | None = None) -> fw.Model:
    return fw.load(EXAMPLES / f"{name}.dym", model=model)


def talk(*lines: str, folder: Path = EXAMPLES) -> list[str]:
    """What a session answers to each line."""
    answers: list[str] = []
    session = Session(lambda text: answers.append(text), folder=folder)
    told: list[str] = []
    for line in lines:
        answers.clear()
        session.feed(line)
        told.append("\n".join(answers))
    session.finish()
    return told
