"""Write the tables of files into `docs/rooms`: each file and the first sentence of its docstring.

    python scripts/write_room_tables.py            # a test compares what this would write

A table stands between two marks of a page; folders of a room follow its own files, each under its name.
"""

from __future__ import annotations

import ast
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "src" / "freewheel"
PAGES = ROOT / "docs" / "rooms"
BEGIN = "<!-- files: written by scripts/write_room_tables.py -->"
END = "<!-- end of files -->"
SENTENCE = re.compile(r"(?<!e\.g)(?<!i\.e)[.:](?=\s|$)")


def main() -> None:
    """Write all pages anew."""
    for page in sorted(PAGES.glob("*.md")):
        page.write_text(renewed(page), encoding="utf-8")


def renewed(page: Path) -> str:
    """The text of a page with its table as the room is now."""
    text = page.read_text(encoding="utf-8")
    if BEGIN not in text:
        return text
    head, rest = text.split(BEGIN)
    return f"{head}{BEGIN}\n{table(SOURCE / page.stem)}{END}{rest.split(END)[1]}"


def table(room: Path) -> str:
    """One row per file; a table of its own for each folder."""
    files = sorted(room.rglob("*.py"), key=lambda path: (path.parent, path.name))
    folders = dict.fromkeys(path.parent for path in files)
    parts = [_folder(folder, room, [p for p in files if p.parent == folder]) for folder in folders]
    return "\n".join(part for part in parts if part)


def _folder(folder: Path, room: Path, files: list[Path]) -> str:
    rows = [f"| `{path.name}` | {subject(path)} |" for path in files if path.stem != "__init__"]
    if not rows:
        return ""
    name = folder.relative_to(room).as_posix()
    title = "" if folder == room else f"\n**`{name}/`**: {subject(folder / '__init__.py')}\n\n"
    return title + "\n".join(["| file | what it is about |", "|---|---|", *rows]) + "\n"


def subject(path: Path) -> str:
    """The first sentence of a docstring."""
    text = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    paragraph = " ".join(text.split("\n\n")[0].split())
    end = SENTENCE.search(paragraph)
    sentence = paragraph
    if end is not None and paragraph[end.start()] == ".":
        sentence = paragraph[: end.start()]
    elif end is not None:  # a colon: up to the full stop behind it
        later = re.search(r"\.(?=\s|$)", paragraph)
        sentence = paragraph[: later.start()] if later else paragraph
    return sentence.replace("|", "\\|")


if __name__ == "__main__":
    main()
