"""What the tests of document 003 share: models of the paper and listings compared as sets of lines.

The paper leaves open in which order independent equations come, so listings are compared equation by
equation: each line as `component: text` without blanks.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import freewheel as fw

EXAMPLES = Path(__file__).parents[2] / "examples" / "formula"
CIRCUITS = EXAMPLES / "circuits.mo"
APPLICATIONS = EXAMPLES / "applications.mo"


@cache
def loaded(file: Path, model: str) -> fw.Model:
    return fw.load(file, model=model)


def listing(file: Path, model: str, stage: str, **options: object) -> str:
    return loaded(file, model).equations(stage, **options)


def equations_of(text: str) -> list[str]:
    """`R1: u=R*i` for every line with an equation, in order."""
    found: list[str] = []
    component = ""
    for line in text.splitlines():
        if "=" not in line or line.startswith("--"):
            continue
        label = re.match(r"(\S+)  ", line)
        component = label[1] if label else component
        body = line[label.end() :] if label else line
        found.append(f"{component}: {body.replace(' ', '')}")
    return found


def of_paper(text: str) -> list[str]:
    """The same from a listing as printed in the paper; `*` may have blanks around it there."""
    return equations_of(re.sub(r"^(\w+) +", r"\1  ", text.strip("\n"), flags=re.MULTILINE))


def section(text: str, first: str, last: str) -> list[str]:
    """The lines between two headings."""
    lines = text.splitlines()
    return [line.strip() for line in lines[lines.index(first) + 1 : lines.index(last)]]


def lines_of(text: str) -> list[str]:
    """A listing line by line, in order, headings and names of components included; blanks are put
    aside where the papers set them freely: around `*`, around `/`, and more than one of them."""
    found = (" ".join(line.split()) for line in text.splitlines())
    return [re.sub(r" *([*/]) *", r"\1", line) for line in found if line]
