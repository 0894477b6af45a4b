"""The glossary: places it names exist, and file names use words of the field or of the glossary."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "src" / "freewheel"
GLOSSARY = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
ENTRIES = re.findall(r"^\| ([^|]+) \| ([^|]+) \| ([^|]+) \|$", GLOSSARY, re.MULTILINE)[2:]
# Words that say nothing to whoever knows the field.
PRIVATE = {
    "burst", "circles", "dips", "dust", "glance", "graded", "habits", "known", "latches", "live", "looks",
    "mend", "placing", "rivals", "settle", "told", "visits", "words",
}  # fmt: skip


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry[0])
def test_an_entry_has_a_word_of_the_field_and_a_place(entry: tuple[str, str, str]) -> None:
    _, field, meaning = entry
    assert field.strip()
    for name in re.findall(r"`([\w/]+\.py)`", meaning):
        assert (SOURCE / name).is_file(), name


def test_entries_are_sorted_and_no_word_is_there_twice() -> None:
    words = [entry[0] for entry in ENTRIES]
    assert words == sorted(set(words))


@pytest.mark.parametrize("room", ["runtime", "structure"])
def test_file_names_hold_no_private_words(room: str) -> None:
    words = {word for entry in ENTRIES for word in re.findall(r"\w+", entry[0])}
    defined = words | {f"{word}s" for word in words} | {f"{word}es" for word in words}
    names = {path: set(path.stem.split("_")) for path in (SOURCE / room).rglob("*.py")}
    assert [path.name for path, found in names.items() if found & PRIVATE - defined] == []


@pytest.mark.parametrize("room", ["runtime", "structure"])
def test_names_in_the_code_hold_no_private_words(room: str) -> None:
    """What is reported is not "told", and round-off is no "dust"; names from other rooms are theirs."""
    private = {"dust", "glance", "mend", "tell", "telling", "told"}
    found = [
        f"{path.relative_to(SOURCE)}: {name}"
        for path in sorted((SOURCE / room).rglob("*.py"))
        for name in defined_names(path)
        if set(name.lower().split("_")) & private
    ]
    assert found == []


def defined_names(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.id if isinstance(node, ast.Name) else node.attr
