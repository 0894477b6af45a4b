"""A file that a docstring, a comment or a page names is there: files move, and their names in prose stay."""

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("src", "tests", "benchmarks", "scripts", "examples")
FILES = [path.relative_to(ROOT) for folder in FOLDERS for path in (ROOT / folder).rglob("*.py")]
# As prose tells them, by the last parts of their paths: `memory.py`, `loop/memory.py`, ...
KNOWN = {"/".join(path.parts[first:]) for path in FILES for first in range(len(path.parts))}
OTHERS = {"mine.py", "export/names.py", "xdevs.py"}  # which readers write, or other projects
NAME = re.compile(r"(?<![\w./*{}<-])((?:[\w-]+/)*[a-z]\w*\.py)\b")
ROOMS = sorted({path.parts[2] for path in FILES if path.parts[:2] == ("src", "freewheel")})
PAGES = sorted((ROOT / "docs").rglob("*.md"))


def prose_of(path: Path) -> Iterator[tuple[int, str]]:
    """Docstrings and comments, with their lines."""
    text = path.read_text(encoding="utf-8")
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
            told = ast.get_docstring(node, clean=False)
            if told is not None:
                yield from enumerate(told.split("\n"), start=node.body[0].lineno)


def lost_in(path: Path, prose: Iterator[tuple[int, str]]) -> list[str]:
    named = ((line, name) for line, text in prose for name in NAME.findall(text))
    at = path.relative_to(ROOT).as_posix()
    return [f"{at}:{line} {name}" for line, name in named if name not in KNOWN | OTHERS]


@pytest.mark.parametrize("room", ROOMS)
def test_every_file_that_a_room_names_is_there(room: str) -> None:
    place = ROOT / "src" / "freewheel" / room
    files = [place] if place.is_file() else sorted(place.rglob("*.py"))

    assert [lost for path in files for lost in lost_in(path, prose_of(path))] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_file_that_a_page_names_is_there(page: Path) -> None:
    lines = page.read_text(encoding="utf-8").split("\n")

    assert lost_in(page, enumerate(lines, start=1)) == []
