"""Print lines per room and the longest files of `src/freewheel`; never fails.

Guidance from CONTRIBUTING: files of 100-400 lines, rethink at 600.
"""

from collections import Counter
from pathlib import Path

SOURCE = Path(__file__).resolve().parent.parent / "src" / "freewheel"
RETHINK = 600


def main() -> None:
    """Count the lines of every Python file and print two tables."""
    sizes = {
        path.relative_to(SOURCE): len(path.read_text(encoding="utf-8").splitlines())
        for path in sorted(SOURCE.rglob("*.py"))
    }
    rooms: Counter[str] = Counter()
    for path, lines in sizes.items():
        rooms[path.parts[0] if len(path.parts) > 1 else "(top)"] += lines
    print("lines per room:", ", ".join(f"{room} {rooms[room]}" for room in sorted(rooms)))
    for path, lines in sorted(sizes.items(), key=lambda item: (-item[1], str(item[0])))[:8]:
        print(f"  {lines:5d} {path}{'   rethink' if lines > RETHINK else ''}")


if __name__ == "__main__":
    main()
