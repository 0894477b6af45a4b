"""Tables of files on the pages of rooms are those that `scripts/write_room_tables.py` writes."""

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]
ROOMS = sorted((ROOT / "docs" / "rooms").glob("*.md"))


def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location(
        "tables", ROOT / "scripts" / "write_room_tables.py"
    )
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("page", ROOMS, ids=lambda page: page.stem)
def test_the_table_of_files_is_that_of_the_room(page: Path) -> None:
    assert page.read_text(encoding="utf-8") == script().renewed(page), "run `make docs`"


@pytest.mark.parametrize("page", ROOMS, ids=lambda page: page.stem)
def test_every_room_of_python_files_has_a_table_that_says_something_of_each(page: Path) -> None:
    files = sorted((ROOT / "src" / "freewheel" / page.stem).rglob("*.py"))
    assert not files or script().BEGIN in page.read_text(encoding="utf-8")
    assert all(len(script().subject(path)) > 8 for path in files)
