"""How the pages of the documentation are read and compared.

- A `console` block holds `$ freewheel ...` lines, each followed by the output expected of it.
- A `python` block is executed; pages share one namespace. A `text` block right after it is its
  expected output.
- A line `...` in expected output stands for any number of lines, `...` inside a line for anything.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


class Step(NamedTuple):
    """One thing that a page tells its reader to do."""

    kind: str  # "command" or "python"
    text: str
    expected: str | None  # nothing is said of it: None

    @property
    def words(self) -> list[str]:
        """The arguments of the command."""
        words = shlex.split(self.text)
        assert words[0] == "freewheel", f"only freewheel commands are executed: {self.text}"
        return words[1:]

    def require(self, actual: str) -> None:
        if self.expected is not None:
            assert matches(actual, self.expected), (
                f"{self.text}\nprinted\n{actual}\ninstead of\n{self.expected}"
            )


def page_id(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def steps_of(page: Path) -> Iterator[Step]:
    blocks = BLOCK.findall(page.read_text(encoding="utf-8"))
    for index, (language, body) in enumerate(blocks):
        if language == "console":
            yield from _commands(body)
        elif language == "python":
            following = blocks[index + 1] if index + 1 < len(blocks) else ("", "")
            yield Step("python", body, following[1] if following[0] == "text" else None)


def _commands(block: str) -> Iterator[Step]:
    steps = re.split(r"^\$ ", block, flags=re.MULTILINE)
    assert not steps[0].strip(), "a console block begins with `$ `"
    for step in steps[1:]:
        command, _, expected = step.partition("\n")
        yield Step("command", command, expected)


def matches(actual: str, expected: str) -> bool:
    """Compare line by line, trailing blanks aside, with `...` as a wildcard."""
    pattern = ""
    for line in expected.rstrip().splitlines():
        if line.strip() == "...":
            pattern += r"(?:.*\n)*?"
        else:
            pieces = [re.escape(piece) for piece in line.rstrip().split("...")]
            pattern += ".*".join(pieces) + r"[ \t]*\n"
    return re.fullmatch(pattern, actual.rstrip() + "\n" if actual.strip() else "") is not None
