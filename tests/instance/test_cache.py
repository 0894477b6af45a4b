"""The cache of parsed trees: it saves parsing, and nothing in it can do harm."""

import os
import pickle

import pytest

from freewheel.base import kept
from freewheel.base.source import Source
from freewheel.instance import cache as room
from freewheel.syntax.parser import parse

TEXT = "model M\n" + "".join(f"  Real x{i} = {i} + 1;\n" for i in range(100)) + "end M;\n"
SOURCE = Source.from_text(TEXT)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("FREEWHEEL_CACHE", str(tmp_path / "cache"))
    room.cache_folder.cache_clear()
    yield tmp_path / "cache"
    room.cache_folder.cache_clear()


@pytest.fixture
def parsed(monkeypatch):
    """How often the parser was called."""
    calls = []

    def counting(source):
        calls.append(source)
        return parse(source)

    monkeypatch.setattr(room, "parse", counting)
    return calls


def entries(folder):
    return [path for path in folder.rglob("*") if path.is_file() and path.name != "key"]


def test_the_second_time_nothing_is_parsed(folder, parsed):
    first = room.tree_of(SOURCE)
    second = room.tree_of(Source.from_text(TEXT, "elsewhere.mo"))

    assert len(parsed) == 1
    assert first == second == parse(SOURCE)
    assert type(second.classes[0]) is type(first.classes[0])
    assert len(entries(folder)) == 1


def test_other_text_is_another_entry(folder, parsed):
    room.tree_of(SOURCE)
    room.tree_of(Source.from_text(TEXT + "// more"))

    assert len(parsed) == 2
    assert len(entries(folder)) == 2


def test_small_files_are_not_kept(folder, parsed):
    room.tree_of(Source.from_text("model M end M;"))

    assert len(parsed) == 1
    assert entries(folder) == []


@pytest.mark.parametrize("damage", [b"", b"\0" * 40, b"rubbish" * 100])
def test_a_damaged_entry_is_rebuilt(folder, parsed, damage):
    good = room.tree_of(SOURCE)
    (entry,) = entries(folder)
    entry.write_bytes(damage)

    assert room.tree_of(SOURCE) == good
    assert len(parsed) == 2
    assert entry.read_bytes() != damage


def test_a_cut_entry_is_rebuilt(folder, parsed):
    good = room.tree_of(SOURCE)
    (entry,) = entries(folder)
    entry.write_bytes(entry.read_bytes()[:-10])

    assert room.tree_of(SOURCE) == good
    assert len(parsed) == 2


class Hostile:
    def __reduce__(self):
        return os.mkdir, (os.environ["FREEWHEEL_CACHE"] + "/harm",)


@pytest.mark.parametrize("content", [Hostile(), ["no tree"], {"a": 1}])
def test_a_foreign_entry_runs_nothing(folder, parsed, content):
    good = room.tree_of(SOURCE)
    (entry,) = entries(folder)
    payload = pickle.dumps(content)
    entry.write_bytes(kept.sealed(entry.name, payload))

    assert room.tree_of(SOURCE) == good
    assert not (folder / "harm").exists()
    assert len(parsed) == 2


def test_another_parser_has_other_entries(folder, parsed, monkeypatch):
    room.tree_of(SOURCE)
    monkeypatch.setattr(room, "_parser_version", lambda: "another")
    room.cache_folder.cache_clear()
    room.tree_of(SOURCE)

    assert len(parsed) == 2


def test_without_a_place_to_write_it_still_parses(tmp_path, monkeypatch, parsed):
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    monkeypatch.setenv("FREEWHEEL_CACHE", str(blocked))
    room.cache_folder.cache_clear()

    assert room.tree_of(SOURCE).classes[0].name == "M"
    assert room.tree_of(SOURCE).classes[0].name == "M"
    assert len(parsed) == 2
    room.cache_folder.cache_clear()


def test_it_can_be_switched_off(monkeypatch, parsed):
    monkeypatch.setenv("FREEWHEEL_CACHE", "off")
    room.cache_folder.cache_clear()

    assert room.cache_folder() is None
    room.tree_of(SOURCE)
    room.tree_of(SOURCE)
    assert len(parsed) == 2
    room.cache_folder.cache_clear()


def test_a_user_without_a_home_has_no_cache(monkeypatch):
    def no_home():
        raise RuntimeError

    monkeypatch.delenv("FREEWHEEL_CACHE", raising=False)
    monkeypatch.setattr(kept, "_user_cache", no_home)
    room.cache_folder.cache_clear()

    assert room.cache_folder() is None
    room.cache_folder.cache_clear()


def test_a_very_deep_tree_is_not_kept_but_returned(folder, parsed):
    source = Source.from_text("model M Real x = " + "1 + " * 5000 + "1; end M;")

    assert room.tree_of(source).classes[0].name == "M"
    assert entries(folder) == []
