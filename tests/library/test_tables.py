"""Tables of the embedded library on files, and the functions of files and texts."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest
from scipy.interpolate import Akima1DInterpolator
from scipy.io import savemat

import freewheel as fw
from freewheel.base.diagnostics import FreewheelError

DATA = np.array([[0.0, 0.0, 5.0], [1.0, 2.0, 5.0], [4.0, 8.0, 1.0]])
GRID = np.array([[0.0, 0.0, 1.0], [0.0, 0.0, 1.0], [2.0, 4.0, 5.0]])  # 2 u1 + u2
TEXT = "#1\n# data\ndouble other(1,1)\n7\nfloat tab(3, 3) # first\n0, 0, 5\n1; 2; 5 # next\n4 8 1\n"
PLANE = "double plane(3,3)\n0 0 1\n0 0 1\n2 4 5\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a model with its data; the working folder is another one."""
    place = tmp_path / "model"
    place.mkdir()
    (place / "t.txt").write_text(TEXT + PLANE)
    lines = [";".join(str(x) for x in row) for row in DATA]
    (place / "t.csv").write_text("\n".join(["time;a;b", *lines]))
    savemat(place / "v4.mat", {"tab": DATA, "plane": GRID}, format="4")
    savemat(place / "v6.mat", {"tab": DATA, "plane": GRID}, format="5")
    savemat(place / "v7.mat", {"tab": DATA, "plane": GRID}, format="5", do_compression=True)
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    return place


def run(folder: Path, text: str, **options):
    (folder / "model.mo").write_text(text)
    return fw.load(folder / "model.mo").simulate(**options)


def block(name: str, file: str, more: str = "") -> str:
    csv = 'delimiter=";", nHeaderLines=1,' if file.endswith("csv") else 'tableName="tab",'
    return f'Modelica.Blocks.{name} t(tableOnFile=true, fileName="{file}", {csv} columns={{2,3}}{more});'


@pytest.mark.parametrize("file", ["t.txt", "t.csv", "v4.mat", "v6.mat", "v7.mat"])
def test_a_time_table_on_a_file_beside_the_model(folder, file):
    result = run(folder, f"model M {block('Sources.CombiTimeTable', file)} end M;", stop=5)

    assert result.at("t.y[1]", [0.5, 3.0, 5.0]) == pytest.approx([1.0, 6.0, 10.0])
    assert result.at("t.y[2]", [0.5, 2.5]) == pytest.approx([5.0, 3.0])
    assert result.at("t.t_max", 0) == 4.0


@pytest.mark.parametrize("name", ["CombiTable1Dv", "CombiTable1D"])
def test_a_table_with_several_inputs_on_a_file(folder, name):
    text = f"model M {block(f'Tables.{name}', 't.txt')} equation t.u = {{time, time/2}}; end M;"
    result = run(folder, text, stop=4)

    assert result.at("t.y[1]", 3.0) == pytest.approx(6.0)
    assert result.at("t.y[2]", 4.0) == pytest.approx(5.0 - 4.0 / 3)


def test_a_smooth_table_equals_scipy(folder):
    smooth = ", smoothness=Modelica.Blocks.Types.Smoothness.ContinuousDerivative"
    text = f"model M {block('Tables.CombiTable1Ds', 't.txt', smooth)} equation t.u = time; end M;"
    result = run(folder, text, stop=4)
    oracle = Akima1DInterpolator(DATA[:, 0], DATA[:, 1])

    assert result["t.y[1]"] == pytest.approx(oracle(result.time), abs=1e-9)


def test_a_smooth_table_is_differentiated_twice(folder):
    """A force of inertia along a table needs its second derivative."""
    smooth = ", smoothness=Modelica.Blocks.Types.Smoothness.ContinuousDerivative"
    text = f"""model M {block("Tables.CombiTable1Ds", "t.txt", smooth)}
      Real v = der(t.y[1]); Real a = der(v); equation t.u = time^2/2; end M;"""
    result = run(folder, text, stop=2)
    t = result.time[:-1]
    oracle = Akima1DInterpolator(DATA[:, 0], DATA[:, 1])
    bend = oracle(t**2 / 2, 2) * t**2 + oracle(t**2 / 2, 1)

    # A point between two pieces has two second derivatives.
    apart = np.abs(t - np.sqrt(2)) > 1e-6
    assert result["a"][:-1][apart] == pytest.approx(bend[apart], abs=1e-8)


@pytest.mark.parametrize("file", ["t.txt", "v4.mat", "v7.mat"])
@pytest.mark.parametrize("name", ["CombiTable2Ds", "CombiTable2D"])
def test_a_table_over_a_grid_on_a_file(folder, file, name):
    text = f"""model M
      Modelica.Blocks.Tables.{name} t(tableOnFile=true, fileName="{file}", tableName="plane");
    equation t.u1 = time; t.u2 = time/2; end M;"""

    assert run(folder, text, stop=1).final("t.y") == pytest.approx(2.5)


@pytest.mark.parametrize(
    "address",
    [
        '"modelica://P/t.txt"',
        '"modelica://P.Inner/t.txt"',
        'Modelica.Utilities.Files.loadResource("modelica://P/t.txt")',
        'Modelica.Utilities.Files.loadResource("t.txt")',
        '"file://" + Modelica.Utilities.Files.loadResource("modelica://P/t.txt")',
    ],
)
def test_addresses_of_files(folder, address):
    (folder / "Inner").mkdir()
    shutil.copy(folder / "t.txt", folder / "Inner")
    text = f"""package P model M
      Modelica.Blocks.Sources.CombiTimeTable t(
        tableOnFile=true, tableName="tab", fileName={address}, columns={{2}});
    end M; end P;"""

    assert run(folder, text, stop=1).final("t.y[1]") == pytest.approx(2.0)


def test_the_working_folder_comes_first(folder):
    (folder / "t.txt").rename(folder / "kept.txt")
    Path("t.txt").write_text("#1\ndouble tab(2,3)\n0 7 7\n1 7 7\n")
    text = f"model M {block('Sources.CombiTimeTable', 't.txt')} end M;"

    assert run(folder, text, allow=["files"]).final("t.y[1]") == 7.0
    with pytest.raises(FreewheelError, match="outside the folders of the model"):
        run(folder, text)


def refused(folder: Path, file: str, name: str = "tab"):
    text = f"""model M
      Modelica.Blocks.Sources.CombiTimeTable t(
        tableOnFile=true, tableName="{name}", fileName="{file}", columns={{2}});
    end M;"""
    with pytest.raises(FreewheelError) as caught:
        run(folder, text)
    return caught.value.diagnostics[0]


def test_a_missing_file_names_the_table_and_the_file(folder):
    found = refused(folder, "none.txt")

    assert "the table `tab` cannot be read: there is no file `none.txt`" in found.message
    assert found.labels[-1].text == "`t.tableID`"


def test_a_missing_table_gets_a_suggestion(folder):
    found = refused(folder, "t.txt", "tub")

    assert "the table `tub` is not in the file `t.txt`" in found.message
    assert found.help == "did you mean `tab`?"


@pytest.mark.parametrize(
    ("content", "message", "line"),
    [
        ("#1\ndouble tab(2,2)\n0 1\n1 x\n", "a number: `x`", 4),
        ("#1\n\ndouble tab(3,2)\n0 1\n1 2\ndouble b(1,1)\n", "it has 4 of 6 numbers", 3),
    ],
)
def test_wrong_data_are_shown_in_their_file(folder, content, message, line):
    (folder / "t.txt").write_text(content)
    found = refused(folder, "t.txt")
    place, component, _ = found.labels

    assert message in found.message
    assert component.text.endswith("is declared here")
    assert place.span.source.path == str(folder / "t.txt")
    assert place.span.source.line_and_column(place.span.start)[0] == line


@pytest.mark.parametrize(
    ("cells", "message"),
    [("0 1\n1 nan\n", "nan in row 2, column 2"), ("0 1\ninf 1\n", "inf in row 2, column 1")],
)
def test_cells_are_finite_numbers(folder, cells, message):
    (folder / "t.txt").write_text(f"#1\ndouble tab(2,2)\n{cells}")
    found = refused(folder, "t.txt")

    assert found.code == "R111"
    assert f"the table `tab` holds {message}" in found.message


def test_rows_of_a_csv_file_have_the_same_length(folder):
    (folder / "t.csv").write_text("0,1\n1,2,3\n")
    found = refused(folder, "t.csv")

    assert "has 2 columns in its first row and 3 here" in found.message
    assert found.labels[0].span.source.line_and_column(found.labels[0].span.start) == (2, 1)


def test_an_unknown_package_of_an_address_is_refused(folder):
    found = refused(folder, "modelica://Nowhere/t.txt")

    assert "there is no package `Nowhere`" in found.message


def test_functions_of_texts_and_files(folder):
    text = """model M
      import Modelica.Utilities.{Strings, Files, Streams};
      String folder;
      parameter Boolean right[:] = {
        Strings.findLast("a.b.c", ".") == 4, Strings.findLast("abc", "d") == 0,
        Strings.findLast("abAB", "AB", caseSensitive=false) == 3,
        Strings.count("abababa", "aba") == 2, Strings.count("xyz", "aba") == 0,
        Strings.replace("a-b-c", "-", "+") == "a+b+c",
        Strings.replace("a-b-c", "-", "", replaceAll=false) == "ab-c",
        Strings.replace("a-b-c", "-", "+", startIndex=3) == "a-b+c"};
      parameter String sorted[3] = Strings.sort({"b", "c", "a"});
      parameter Integer lines = Streams.countLines(Files.loadResource("t.csv"));
      Boolean there(start=false, fixed=true);
      String name;
      String extension;
    equation
      (folder, name, extension) = Files.splitPathName("/home/ann/data.txt");
      assert(folder == "/home/ann/" and name == "data" and extension == ".txt", "split");
      assert(sorted[1] == "a" and sorted[3] == "c", "sorted");
      when initial() then
        there = Files.exist(Files.loadResource("t.csv")) and not Files.exist("none.txt");
      end when;
    end M;"""
    result = run(folder, text)

    assert [result.final(f"right[{k}]") for k in range(1, 9)] == [1] * 8
    assert result.final("there") == 1
    assert result.final("lines") == 4
