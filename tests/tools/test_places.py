"""No command writes over a file that its call reads, or two results into one file."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from freewheel.tools.cli import execute

LAG = """model Lag
  input Real u;
  Real x(start = 1, fixed = true);
equation
  der(x) = u - x;
end Lag;
"""
CALLS = (
    "blocks lag.mo --svg lag.mo",
    "blocks lag.mo --diagram --svg lag.mo",
    "blocks Lag --library lag.mo --svg lag.mo",
    "equations lag.mo --out lag.mo",
    "export lag.mo --to c --out lag.mo",
    "flatten lag.mo --out lag.mo",
    "flatten lag.mo --out ./folder/../lag.mo",
    "flatten lag.mo --out link.txt",
    "bondgraph lag.mo --svg lag.mo",
    "bondgraph lag.mo --text lag.mo",
    "bondgraph lag.mo --modelica lag.mo",
    "devs lag.mo --ma lag.mo",
    "devs lag.mo --out lag.mo",
    "devs lag.mo --log lag.mo",
    "devs lag.mo --ev in.ev --out in.ev",
    "run lag.mo --out link.csv",
    "run lag.mo --input-file in.csv --out in.csv",
    "run lag.mo --input u=1 --plot x --plot-file r.svg --plot-steps r.svg",
    "bondgraph lag.mo --svg r.svg --text r.svg",
)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()
    (tmp_path / "lag.mo").write_text(LAG)
    (tmp_path / "in.csv").write_text('"time","u"\n0,1\n1,2\n')
    (tmp_path / "in.ev").write_text("00:00:01:00 u 1\n")
    for name in ("link.csv", "link.txt"):
        os.symlink("lag.mo", tmp_path / name)
    return tmp_path


def _contents(folder: Path) -> dict[str, str]:
    return {path.name: path.read_text() for path in folder.iterdir() if path.is_file()}


@pytest.mark.parametrize("call", CALLS)
def test_what_is_read_is_not_replaced(
    folder: Path, capsys: pytest.CaptureFixture[str], call: str
) -> None:
    before = _contents(folder)
    assert execute(call.split()) == 2
    told = capsys.readouterr().err
    assert "error[U010]: cannot write" in told
    assert "that file" in told or "already" in told
    assert _contents(folder) == before


def test_an_earlier_result_is_replaced(folder: Path) -> None:
    for _ in range(2):
        assert execute(["flatten", "lag.mo", "--out", "flat.mo"]) == 0
        assert execute(["run", "lag.mo", "--input-file", "in.csv", "--out", "r.csv"]) == 0
    assert (folder / "lag.mo").read_text() == LAG


def test_a_device_takes_everything(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    execute(["bondgraph", "lag.mo", "--svg", "/dev/null", "--text", "/dev/null"])
    assert "U010" not in capsys.readouterr().err
