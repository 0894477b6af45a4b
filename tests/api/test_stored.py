"""A second run begins with what the first has compiled, and only if nothing has changed."""

from __future__ import annotations

from pathlib import Path

import pytest

from freewheel import SimulationError, UsageError, load
from freewheel.api.model import Model
from freewheel.api.stored import STORED

PACKAGE = "package Lib\n  constant Real k = 2;\nend Lib;\n"
MODEL = """
model M
  parameter Real a = 1;
  Real x(start = a, fixed = true);
equation
  der(x) = -Lib.k*x;
end M;
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("FREEWHEEL_CACHE", str(tmp_path / "cache"))
    (tmp_path / "Lib").mkdir()
    (tmp_path / "Lib" / "package.mo").write_text(PACKAGE)
    (tmp_path / "M.mo").write_text(MODEL)
    return tmp_path


def opened(folder: Path) -> Model:
    return load(folder / "M.mo", library=[folder / "Lib"])


def is_stored(model: Model) -> bool:
    return STORED in model.upto("backend").seconds


def final(model: Model) -> float:
    return float(model.simulate(stop=1.0, tol=1e-9).final("x"))


def test_the_second_run_is_not_translated_and_gives_the_same(folder: Path) -> None:
    first, second = opened(folder), opened(folder)
    values = final(first), final(second)

    assert not is_stored(first)
    assert is_stored(second)
    assert "flat" not in second.upto("backend").products
    assert values[0] == values[1] == pytest.approx(0.135335283, rel=1e-6)
    assert second.libraries() == first.libraries() != ()


@pytest.mark.parametrize(
    ("file", "text", "expected"),
    [
        ("M.mo", MODEL.replace("a = 1", "a = 3"), 3 * 0.135335283),
        ("Lib/package.mo", PACKAGE.replace("k = 2", "k = 1"), 0.367879441),
    ],
)
def test_a_changed_file_is_translated_anew(
    folder: Path, file: str, text: str, expected: float
) -> None:
    final(opened(folder))
    (folder / file).write_text(text)
    changed = opened(folder)

    assert final(changed) == pytest.approx(expected, rel=1e-6)
    assert not is_stored(changed)


def test_a_new_file_of_a_package_that_was_looked_into_is_seen(folder: Path) -> None:
    final(opened(folder))
    (folder / "Lib" / "New.mo").write_text("within Lib;\nmodel New\nend New;\n")

    assert not is_stored(opened(folder))


def test_modifiers_make_another_entry(folder: Path) -> None:
    final(opened(folder))
    changed = opened(folder).changed({"x.start": "5"})

    assert not is_stored(changed)


def test_damaged_entries_are_made_again(folder: Path) -> None:
    final(opened(folder))
    entries = sorted((folder / "cache" / "models").iterdir())
    assert len(entries) == 1
    whole = entries[0].read_bytes()
    for damaged in (b"", whole[:40], whole[:-1] + b"?", b"x" * len(whole)):
        entries[0].write_bytes(damaged)
        model = opened(folder)
        assert final(model) == pytest.approx(0.135335283, rel=1e-6)
        assert not is_stored(model)
        assert entries[0].read_bytes() == whole


def test_code_without_its_cache_is_made_again(folder: Path) -> None:
    final(opened(folder))
    for code in (folder / "cache" / "code").iterdir():
        code.unlink()
    model = opened(folder)

    assert final(model) == pytest.approx(0.135335283, rel=1e-6)
    assert is_stored(model)


def test_a_jacobian_is_kept_once_it_was_made(folder: Path) -> None:
    for expected in (None, None, "jacobian"):
        model = opened(folder)
        known = model.compiled().extras["machine"].known_jacobian()
        assert (known is None) == (expected is None)
        solver = "dopri5" if not (folder / "once").exists() else "radau"
        (folder / "once").touch()
        assert model.simulate(stop=1.0, solver=solver).final("x") == pytest.approx(0.1353, rel=1e-3)


def test_a_failure_of_a_stored_model_is_explained_as_before(folder: Path) -> None:
    text = MODEL.replace("equation", 'equation\n  assert(x > 0.5, "too small: " + String(a));')
    (folder / "M.mo").write_text(text)
    told = []
    opened(folder).simulate(stop=0.1)
    for _ in range(2):
        model = opened(folder)
        with pytest.raises(SimulationError) as failure:
            model.simulate(stop=1.0)
        told.append(str(failure.value))

    assert is_stored(model)
    assert told[0] == told[1]
    assert "too small: 1" in told[0]


def test_constants_from_outside_are_not_kept(folder: Path) -> None:
    text = """
    model M
      function size
        input String name;
        output Integer lines;
        external "C" lines = ModelicaInternal_countLines(name);
      end size;
      parameter Integer n = size("{data}") annotation(Evaluate = true);
      Real x[n](each start = 1, each fixed = true);
    equation
      for i in 1:n loop
        der(x[i]) = -x[i];
      end for;
    end M;
    """
    data = folder / "data.txt"
    (folder / "M.mo").write_text(text.replace("{data}", data.as_posix()))
    for lines in (2, 3):
        data.write_text("line\n" * lines)
        model = opened(folder)
        model.simulate(stop=0.1)
        assert len(model.compiled().states) == lines
        assert not is_stored(model)


@pytest.mark.parametrize(
    "equations",
    [
        "der(x) = -delay(x, 0.1);",
        "der(x) = if x < 0.5 then -1 else -x;",
        "der(x) = -x;\n  when sample(0.1, 0.2) then\n    reinit(x, 2*pre(x));\n  end when;",
    ],
    ids=["delay", "relation", "sample"],
)
def test_events_and_histories_are_kept_too(folder: Path, equations: str) -> None:
    text = f"model M\n  Real x(start = 1, fixed = true);\nequation\n  {equations}\nend M;\n"
    (folder / "M.mo").write_text(text)
    first, second = opened(folder), opened(folder)
    values = final(first), final(second)

    assert is_stored(second)
    assert values[0] == values[1]


def test_a_file_changed_during_the_run_is_told_when_its_equations_are_asked_for(
    folder: Path,
) -> None:
    """What fails is explained from the equations, and these are not those that ran any more."""
    text = "model M\n  Real x(start = 1, fixed = true);\nequation\n  der(x) = -sqrt(Lib.k - time);\nend M;\n"
    (folder / "M.mo").write_text(text)
    opened(folder).simulate(stop=1.0)
    model = opened(folder)
    assert is_stored(model)

    (folder / "Lib" / "package.mo").write_text(PACKAGE.replace("k = 2", "k = 1"))
    with pytest.raises(UsageError) as caught:
        model.simulate(stop=3.0)

    (told,) = caught.value.diagnostics
    assert told.code == "U012"
    assert told.message == "the files of `M` were changed while it was running"
    assert told.help == "run it again"
