"""Random generators, spectra, files and messages by C name."""

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from freewheel.base.access import RefusedError, granting, looking, running
from freewheel.base.diagnostics import CompileError
from freewheel.formula.external import EXTERNALS
from freewheel.formula.values import ArrayValue, array_of


def run(name: str, *args: Any) -> Any:
    return EXTERNALS[name](*args)


def reference_64star(x: int) -> int:
    """The generator in its textbook form, on one 64 bit word."""
    word = 2**64
    x ^= x >> 12
    x = (x ^ (x << 25)) % word
    x ^= x >> 27
    return x * 2685821657736338717 % word


def test_the_small_generator_is_the_textbook_one() -> None:
    state, number = run("ModelicaRandom_xorshift64star", array_of([12345, -678]))
    expected = reference_64star(12345 + (2**32 - 678) * 2**32)
    low, high = (part % 2**32 for part in state.elements)
    assert low + high * 2**32 == expected
    signed = expected - 2**64 if expected >= 2**63 else expected
    assert number == pytest.approx(signed / 2**64 + 0.5)


@pytest.mark.parametrize(
    ("name", "size"),
    [
        ("ModelicaRandom_xorshift64star", 2),
        ("ModelicaRandom_xorshift128plus", 4),
        ("ModelicaRandom_xorshift1024star", 33),
    ],
)
def test_generators_fill_the_unit_interval_evenly(name: str, size: int) -> None:
    state = array_of([*(7919 * i + 1 for i in range(32)), 0][-size:])
    numbers = []
    for _ in range(2_000):
        state, number = run(name, state)
        assert isinstance(state, ArrayValue)
        assert state.dims == (size,)
        assert all(-(2**31) <= part < 2**31 for part in state.elements)
        numbers.append(number)
    late = numbers[500:]
    assert 0.0 < min(late) < 0.01 < 0.99 < max(late) < 1.0
    assert sum(late) / len(late) == pytest.approx(0.5, abs=0.05)


def test_the_generator_with_a_memory() -> None:
    state = array_of([*range(1, 33), 0])
    run("ModelicaRandom_setInternalState_xorshift1024star", state, 33, 4)
    numbers = [run("ModelicaRandom_impureRandom_xorshift1024star", 4) for _ in range(3)]
    expected = []
    for _ in range(3):
        state, number = run("ModelicaRandom_xorshift1024star", state)
        expected.append(number)
    assert numbers == expected
    with pytest.raises(CompileError):
        run("ModelicaRandom_impureRandom_xorshift1024star", 5)


def test_spectrum_of_a_sine() -> None:
    signal = array_of([3.0 * math.sin(2 * math.pi * 2 * k / 16) for k in range(16)])
    info, amplitudes, phases = run("ModelicaFFT_kiss_fftr", signal, 16, None, 66)
    assert info == 0
    assert amplitudes.elements[2] == pytest.approx(3.0 * 8 / 9)
    assert max(amplitudes.elements[3:]) == pytest.approx(0.0, abs=1e-12)
    assert phases.elements[2] == pytest.approx(-math.pi / 2)
    assert run("ModelicaFFT_kiss_fftr", array_of([1.0, 2.0, 3.0]), 3, None, 13)[0] == 1


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The working folder of a run, which is the model's folder, too."""
    monkeypatch.chdir(tmp_path)
    with running(lambda: (str(tmp_path),)):
        yield tmp_path


def test_files(folder: Path) -> None:
    tmp_path = folder
    name = (tmp_path / "notes.txt").as_posix()
    assert run("ModelicaInternal_stat", name).literal == "NoFile"
    run("ModelicaInternal_print", "one", name)
    run("ModelicaInternal_print", "two", name)
    assert run("ModelicaInternal_stat", name).literal == "RegularFile"
    assert run("ModelicaInternal_stat", str(tmp_path)).literal == "Directory"
    assert run("ModelicaInternal_countLines", name) == 2
    assert run("ModelicaInternal_readLine", name, 2) == ("two", False)
    assert run("ModelicaInternal_readLine", name, 3) == ("", True)
    assert run("ModelicaInternal_readFile", name, 2) == array_of(["one", "two"])
    assert run("ModelicaInternal_getNumberOfFiles", str(tmp_path)) == 1
    assert run("ModelicaInternal_readDirectory", str(tmp_path), 1) == array_of(["notes.txt"])
    assert run("ModelicaInternal_fullPathName", name) == name
    assert run("ModelicaStreams_closeFile", name) == ()


def test_only_runs_remove_files(folder: Path) -> None:
    tmp_path = folder
    name = tmp_path / "notes.txt"
    name.write_text("one")
    remove = EXTERNALS["ModelicaInternal_removeFile"]
    with looking(lambda: (str(tmp_path),)), pytest.raises(RefusedError):
        remove(name.as_posix())
    assert name.exists()
    assert remove(name.as_posix()) == ()
    assert not name.exists()
    for other in (name, tmp_path):  # not there any more; a directory
        with pytest.raises((CompileError, RefusedError)):
            remove(other.as_posix())
    assert tmp_path.exists()


@pytest.mark.parametrize(
    ("uri", "path"),
    [
        ("modelica://Lib/Resources/a.txt", "/here/Lib/Resources/a.txt"),
        ("modelica://Lib.Sub/a.txt", "/here/Lib/Sub/a.txt"),
        ("Modelica://Other/a.txt", "/there/a.txt"),
        ("modelica://Lib/Resources/Data/", "/here/Lib/Resources/Data/"),
        ("modelica://Lib/Resources/Data", "/here/Lib/Resources/Data"),
        ("modelica://Lib.Sub/", "/here/Lib/Sub/"),
        ("/data/curves/", "/data/curves/"),
        ("/", "/"),
        ("file:///tmp/a.txt", "/tmp/a.txt"),
    ],
)
def test_resources_lie_in_the_directories_of_packages(uri: str, path: str) -> None:
    folders = "Lib=/here/Lib\nOther=/there\n"
    assert run("ModelicaInternal_fullPathName", uri, folders) == path


def test_a_resource_of_an_unknown_package_is_told() -> None:
    with pytest.raises(CompileError) as error:
        run("ModelicaInternal_fullPathName", "modelica://Nowhere/a.txt", "Lib=/here/Lib\n")
    assert "no package `Nowhere`" in error.value.diagnostics[0].message


def test_missing_files_are_told(folder: Path) -> None:
    tmp_path = folder
    for call in ("countLines", "getNumberOfFiles"):
        with pytest.raises(CompileError) as error:
            run(f"ModelicaInternal_{call}", str(tmp_path / "nowhere"))
        found = error.value.diagnostics[0]
        assert found.code == "N906"
        assert found.message.endswith("nowhere`: no such file or directory")


def test_a_file_that_is_no_text_is_told(folder: Path) -> None:
    (folder / "bytes").write_bytes(b"\xff\xfe")
    with pytest.raises(CompileError) as error:
        run("ModelicaInternal_countLines", str(folder / "bytes"))
    assert error.value.diagnostics[0].message.endswith("it is not UTF-8 text")


def test_messages_and_environment(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    run("ModelicaInternal_print", "looked at", "")
    with running():
        run("ModelicaInternal_print", "hello", "")
    assert capsys.readouterr().err == "hello\n"
    monkeypatch.setenv("FREEWHEEL_TEST", "a\\b")
    with pytest.raises(RefusedError):
        run("ModelicaInternal_getenv", "FREEWHEEL_TEST", True)
    with granting(("external",)):
        assert run("ModelicaInternal_getenv", "FREEWHEEL_TEST", True) == ("a/b", True)
        assert run("ModelicaInternal_getenv", "FREEWHEEL_NOT_SET", True) == ("", False)
    assert len(run("ModelicaInternal_getTime")) == 7
