"""The folder of what is kept: trusted only if it is the user's own, entries only if sealed by them."""

import os
from pathlib import Path

import pytest

from freewheel.base import kept


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    place = tmp_path / "cache"
    monkeypatch.setenv("FREEWHEEL_CACHE", str(place))
    monkeypatch.delenv("FREEWHEEL_SHARED_CACHE", raising=False)
    kept._key.cache_clear()
    kept._refused.clear()
    return place


def test_the_folder_and_its_key_are_private(root: Path) -> None:
    assert kept.cache_root() == root
    assert os.stat(root).st_mode & 0o777 == 0o700
    assert os.stat(root / "key").st_mode & 0o777 == 0o600
    assert kept.refusal() is None


def test_a_seal_holds_for_one_name_and_one_content(root: Path) -> None:
    data = kept.sealed("a", b"content")
    assert kept.unsealed("a", data) == b"content"
    assert kept.unsealed("b", data) is None
    assert kept.unsealed("a", data[:-1] + b"T") is None
    assert kept.unsealed("a", b"") is None


def test_the_key_outlives_the_process_and_is_the_folders_own(root: Path) -> None:
    data = kept.sealed("a", b"content")
    kept._key.cache_clear()
    assert kept.unsealed("a", data) == b"content"
    (root / "key").unlink()
    kept._key.cache_clear()
    assert kept.unsealed("a", data) is None


@pytest.mark.parametrize("mode", [0o770, 0o777, 0o702])
def test_a_folder_that_others_may_write_is_refused(root: Path, mode: int) -> None:
    root.mkdir()
    root.chmod(mode)
    assert kept.cache_root() is None
    told = kept.refusal()
    assert told is not None
    assert told.code == "U110"
    assert "can be written by others" in told.message


def test_a_folder_of_another_user_is_refused(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root.mkdir()
    monkeypatch.setattr(os, "geteuid", lambda: 4711)
    assert kept.cache_root() is None
    told = kept.refusal()
    assert told is not None
    assert "belongs to another user" in told.message


def test_a_shared_folder_is_taken_if_told(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root.mkdir()
    root.chmod(0o777)
    monkeypatch.setenv("FREEWHEEL_SHARED_CACHE", "1")
    assert kept.cache_root() == root
    assert kept.unsealed("a", kept.sealed("a", b"x")) == b"x"
    assert not (root / "key").exists()


@pytest.mark.parametrize("mode", [0o644, 0o660])
def test_a_key_that_others_can_read_is_replaced(root: Path, mode: int) -> None:
    root.mkdir(mode=0o700)
    (root / "key").write_bytes(b"k" * 32)
    (root / "key").chmod(mode)
    assert kept.cache_root() == root
    assert (root / "key").read_bytes() != b"k" * 32


def test_a_link_is_no_key(root: Path, tmp_path: Path) -> None:
    root.mkdir(mode=0o700)
    (tmp_path / "known").write_bytes(b"k" * 32)
    (tmp_path / "known").chmod(0o600)
    (root / "key").symlink_to(tmp_path / "known")
    assert kept.cache_root() == root
    assert not (root / "key").is_symlink()
    assert (tmp_path / "known").read_bytes() == b"k" * 32


def test_without_a_home_nothing_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_home() -> Path:
        raise RuntimeError

    monkeypatch.delenv("FREEWHEEL_CACHE", raising=False)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    kept._refused.clear()
    monkeypatch.setattr(Path, "home", no_home)
    assert kept.cache_root() is None
    assert kept.refusal() is None
