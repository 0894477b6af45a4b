"""Files of results: what is written can be read back, by us and by others."""

from __future__ import annotations

import DyMat
import numpy as np
import pytest
import scipy.io
from tests.quickest import quickest

import freewheel
from freewheel.base.diagnostics import SimulationError, UsageError
from freewheel.result.formats import read_result
from freewheel.result.mat4 import text_rows, write_matrix
from freewheel.result.read_mat import read_mat
from freewheel.result.store import Column, Result

KINDS = ("csv", "mat", "parquet")


def sample_result() -> Result:
    time = np.array([0.0, 0.25, 0.5, 0.5, 0.75, 1.0])
    data = np.array([time, np.sin(time), [0.0, 0.0, 0.0, 1.0, 1.0, 1.0]])
    columns = [
        Column("a.x", 1, unit="m", comment="position, größer"),
        Column("minus", 1, sign=-1.0),
        Column("shifted", 1, sign=2.0, offset=1.0),
        Column("on", 2, kind="discrete", type="Boolean", comment="a switch"),
        Column("R", -1, offset=0.1, kind="parameter", unit="Ohm"),
        Column("n", -1, offset=3.0, kind="constant", type="Integer"),
        Column("clock", 0),
    ]
    return Result("Sample", data, columns)


@pytest.mark.parametrize("kind", KINDS)
def test_all_numbers_come_back_exactly(tmp_path, kind):
    written, file = sample_result(), tmp_path / f"r.{kind}"
    written.to_file(file)
    read = freewheel.read_result(file)

    assert read.names() == written.names()
    for name in ("time", *written.names()):
        assert read[name].tolist() == written[name].tolist(), name


@pytest.mark.parametrize("kind", ["mat", "parquet"])
def test_units_types_and_kinds_come_back(tmp_path, kind):
    file = tmp_path / f"r.{kind}"
    sample_result().to_file(file)
    read = read_result(file)

    assert read.label("a.x") == "a.x [m], position, größer"
    assert read.column("on").type == "Boolean"
    assert read.column("on").kind == "discrete"
    assert (read.column("R").row, read.column("R").unit) == (-1, "Ohm")
    assert read.column("n").type == "Integer"


def test_aliases_share_their_row_in_a_mat_file(tmp_path):
    sample_result().to_file(tmp_path / "r.mat")
    read = read_mat(tmp_path / "r.mat")

    assert len(read.data) == 4  # time, x, shifted, on
    assert read.column("minus").row == read.column("a.x").row


def test_scipy_reads_the_mat_file(tmp_path):
    sample_result().to_file(tmp_path / "r.mat")
    found = scipy.io.loadmat(tmp_path / "r.mat")

    assert [line.strip() for line in found["Aclass"]] == ["Atrajectory", "1.1", "", "binTrans"]
    assert found["dataInfo"][:, 0].tolist() == [0, 1, 0, -1]
    assert found["data_1"].tolist() == [[0.0, 1.0], [0.1, 0.1], [3.0, 3.0]]
    assert found["data_2"][0].tolist() == sample_result().time.tolist()


def test_dymat_reads_the_mat_file(tmp_path):
    written = sample_result()
    written.to_file(tmp_path / "r.mat")
    found = DyMat.DyMatFile(str(tmp_path / "r.mat"))

    for name in ("a.x", "minus", "shifted", "on"):
        assert found.data(name).tolist() == written[name].tolist()
    assert found.data("R").tolist() == [0.1, 0.1]
    assert found.abscissa("a.x", valuesOnly=True).tolist() == written.time.tolist()
    assert found.description("on") == "a switch [:#(type=Boolean)]"


def test_a_mat_file_that_lies_the_other_way_is_read(tmp_path):
    path = tmp_path / "normal.mat"
    with open(path, "wb") as stream:
        head = ["Atrajectory", "1.1", "", "binNormal"]
        write_matrix(stream, "Aclass", text_rows(head), is_text=True)
        write_matrix(stream, "name", text_rows(["time", "x", "p"]), is_text=True)
        write_matrix(stream, "description", text_rows(["", "far [m|km]", ""]), is_text=True)
        info = np.array([[0, 1, 0, -1], [2, -2, 0, -1], [1, 2, 0, 0]], dtype="<i4")
        write_matrix(stream, "dataInfo", info)
        write_matrix(stream, "data_1", np.array([[0.0, 7.0], [1.0, 7.0]]))
        curves = np.array([[0.0, 1.0], [0.5, 2.0], [1.0, 3.0]], dtype="<f4")
        write_matrix(stream, "data_2", curves)
    read = read_mat(path)

    assert read["x"].tolist() == [-1.0, -2.0, -3.0]
    assert read.column("x").unit == "m"
    assert read.final("p") == 7.0


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_what_is_no_number_is_never_written(tmp_path, kind, bad):
    data = np.array([[0.0, 0.5, 1.0], [1.0, bad, 2.0]])
    result = Result("M", data, [Column("fine", 0), Column("y", 1)])

    with pytest.raises(SimulationError) as caught:
        result.to_file(tmp_path / f"r.{kind}")

    assert caught.value.diagnostics[0].code == "R102"
    assert f"`y` is {bad} at time 0.5" in caught.value.diagnostics[0].message
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("kind", "code"), [("csv", "U035"), ("mat", "U036"), ("parquet", "U037")])
@pytest.mark.parametrize("content", [b"", b"no result\n", bytes(range(256)) * 4])
def test_other_files_are_refused_with_a_reason(tmp_path, kind, code, content):
    path = tmp_path / f"r.{kind}"
    path.write_bytes(content)

    with pytest.raises(UsageError) as caught:
        read_result(path)
    assert caught.value.diagnostics[0].code == code


@pytest.mark.parametrize("kind", ["csv", "mat", "parquet"])
def test_a_file_that_is_not_there(tmp_path, kind):
    with pytest.raises(UsageError) as caught:
        read_result(tmp_path / f"r.{kind}")
    assert caught.value.diagnostics[0].code == "U002"


def test_a_cut_mat_file_is_refused(tmp_path):
    path = tmp_path / "r.mat"
    sample_result().to_file(path)
    path.write_bytes(path.read_bytes()[:-8])

    with pytest.raises(UsageError, match="ends within `data_2`"):
        read_result(path)


@pytest.mark.parametrize("kind", KINDS)
def test_a_large_result_is_written_quickly(tmp_path, kind):
    curves = np.random.default_rng(1).normal(size=(2000, 500))
    data = np.vstack([np.linspace(0.0, 1.0, 500), curves])
    result = Result("Large", data, [Column(f"a[{i}].b", i) for i in range(1, 2001)])
    result.to_file(tmp_path / f"warm.{kind}")

    assert quickest(lambda: result.to_file(tmp_path / f"r.{kind}")) < 2.0
