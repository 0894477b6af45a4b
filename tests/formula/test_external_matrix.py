"""Matrices in MATLAB files by C name."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from freewheel.base.access import running
from freewheel.base.diagnostics import CompileError
from freewheel.formula.external import EXTERNALS
from freewheel.formula.values import array_of


@pytest.fixture(autouse=True)
def a_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A run in the folder of the test's files, which may read and write there."""
    monkeypatch.chdir(tmp_path)
    with running(lambda: (str(tmp_path),)):
        yield


A = array_of([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
B = array_of([[7.0]])


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    name = str(tmp_path / "m.mat")
    write = EXTERNALS["ModelicaIO_writeRealMatrix"]
    assert write(name, "A", A, 2, 3, False, "4")
    assert write(name, "B", B, 1, 1, True, "4")

    assert EXTERNALS["ModelicaIO_readMatrixSizes"](name, "A") == array_of([2, 3])
    assert EXTERNALS["ModelicaIO_readRealMatrix"](name, "A", 2, 3, False) == A
    assert EXTERNALS["ModelicaIO_readRealMatrix"](name, "B", 1, 1, False) == B
    assert write(name, "B", B, 1, 1, False, "4")
    with pytest.raises(CompileError, match="no matrix `A`"):
        EXTERNALS["ModelicaIO_readMatrixSizes"](name, "A")


def test_wrong_files_and_sizes_are_told(tmp_path: Path) -> None:
    name = str(tmp_path / "m.mat")
    with pytest.raises(CompileError, match="cannot read"):
        EXTERNALS["ModelicaIO_readMatrixSizes"](name, "A")
    EXTERNALS["ModelicaIO_writeRealMatrix"](name, "A", A, 2, 3, False, "4")
    with pytest.raises(CompileError, match="is not 3 by 3"):
        EXTERNALS["ModelicaIO_readRealMatrix"](name, "A", 3, 3, False)
