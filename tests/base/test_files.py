"""A file is replaced as a whole or not at all."""

import os
import threading
from pathlib import Path

import pytest

from freewheel.base.diagnostics import UsageError
from freewheel.base.files import replacing, require_no_device


def test_new_content_appears_when_the_block_ends(tmp_path):
    path = tmp_path / "r.csv"
    with replacing(path) as stream:
        stream.write("a\r\nü")
        assert not path.exists()

    assert path.read_bytes() == "a\r\nü".encode()
    assert [p.name for p in tmp_path.iterdir()] == ["r.csv"]


def test_a_failure_leaves_the_old_file_and_no_litter(tmp_path):
    path = tmp_path / "r.csv"
    path.write_text("old")

    with pytest.raises(ZeroDivisionError), replacing(path) as stream:
        stream.write("half of the n" + str(1 / 0))

    assert path.read_text() == "old"
    assert [p.name for p in tmp_path.iterdir()] == ["r.csv"]


def test_permissions_are_kept(tmp_path):
    path = tmp_path / "r.csv"
    path.write_text("old")
    path.chmod(0o640)
    with replacing(path, "wb") as stream:
        stream.write(b"new")

    assert path.stat().st_mode & 0o777 == 0o640


def test_a_link_keeps_leading_to_its_file(tmp_path):
    (tmp_path / "real.csv").write_text("old")
    link = tmp_path / "link.csv"
    link.symlink_to("real.csv")
    with replacing(link) as stream:
        stream.write("new")

    assert link.is_symlink()
    assert (tmp_path / "real.csv").read_text() == "new"


def test_what_is_no_file_is_written_to_and_never_replaced(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    received: list[str] = []
    reader = threading.Thread(target=lambda: received.append(pipe.read_text()))
    reader.start()
    with replacing(pipe) as stream:
        stream.write("new")
    reader.join(timeout=10)

    assert received == ["new"]
    assert pipe.is_fifo()


def read_only(tmp_path):
    path = tmp_path / "r.csv"
    path.write_text("old")
    path.chmod(0o444)
    return path


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (read_only, "the file is read-only"),
        (lambda tmp_path: tmp_path, "it is a directory"),
        (lambda tmp_path: tmp_path / "absent" / "r.csv", "No such file or directory"),
    ],
    ids=["read-only", "directory", "absent directory"],
)
def test_what_cannot_be_written_is_a_usage_error(tmp_path, make, reason):
    path = make(tmp_path)

    with pytest.raises(UsageError) as caught, replacing(path) as stream:
        stream.write("new")

    [diagnostic] = caught.value.diagnostics
    assert diagnostic.code == "U010"
    assert diagnostic.message == f"cannot write `{path}`: {reason}"


def test_devices_are_no_tables(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    require_no_device(pipe)
    with pytest.raises(OSError, match="device"):
        require_no_device(Path("/dev/zero"))
