"""The store, its text form, comparison, frames and pictures."""

from __future__ import annotations

import builtins

import numpy as np
import pytest
from tests.quickest import quickest

from freewheel.base.diagnostics import SimulationError, UsageError
from freewheel.result.compare import compare, sampled
from freewheel.result.events import Event
from freewheel.result.read_csv import read_csv
from freewheel.result.store import Column, Result


def sample_result() -> Result:
    """time, x = t**2, a discrete step at 0.5 with two rows, aliases and a parameter."""
    time = np.array([0.0, 0.25, 0.5, 0.5, 0.75, 1.0])
    data = np.array([time, time**2, [0.0, 0.0, 0.0, 1.0, 1.0, 1.0]])
    columns = [
        Column("a.x", 1, unit="m", comment="position"),
        Column("b.x[1]", 1),
        Column("minus", 1, sign=-1.0),
        Column("shifted", 1, sign=2.0, offset=1.0),
        Column("on", 2, kind="discrete", type="Boolean"),
        Column("R", -1, offset=0.1, kind="parameter", unit="Ohm"),
        Column("n", -1, offset=3.0, kind="constant", type="Integer"),
    ]
    return Result("Sample", data, columns)


def test_curves_by_name_share_what_is_stored():
    r = sample_result()

    assert r["a.x"].tolist() == [0.0, 0.0625, 0.25, 0.25, 0.5625, 1.0]
    assert np.shares_memory(r["a.x"], r["b.x[1]"])
    assert r["minus"].tolist() == (-r["a.x"]).tolist()
    assert r["shifted"].tolist() == (2 * r["a.x"] + 1).tolist()
    assert r["R"].tolist() == [0.1] * 6
    assert r["time"] is not None
    assert r.names()[0] == "a.x"
    assert "time" in r
    assert "nothing" not in r
    assert len(r) == 6


def test_what_is_stored_cannot_be_changed():
    with pytest.raises(ValueError, match="read-only"):
        sample_result()["a.x"][0] = 5.0


def test_final_and_intermediate_values():
    r = sample_result()

    assert r.final("shifted") == 3.0
    assert r.final("R") == 0.1
    assert r.at("a.x", 0.375) == pytest.approx(0.15625)
    assert r.at("on", 0.49) == 0.0
    assert r.at("on", 0.5) == 1.0
    assert r.at("a.x", 1.0) == 1.0


def test_an_unknown_name_gets_close_matches():
    with pytest.raises(UsageError) as caught:
        sample_result()["a.y"]

    assert caught.value.diagnostics[0].code == "U030"
    assert "`a.x`" in caught.value.diagnostics[0].help


def test_labels_carry_unit_and_comment():
    assert sample_result().label("a.x") == "a.x [m], position"


def test_an_event_says_when_and_why():
    assert str(Event(0.5, ("Expression u > 1 became 1.0E-12 (> 0)",))) == (
        "Expression u > 1 became 1.0E-12 (> 0) at time = 0.5"
    )


# ---------------------------------------------------------------- text


def test_a_table_has_a_quoted_header_and_all_variables(tmp_path):
    file = tmp_path / "r.csv"
    sample_result().to_csv(file)
    lines = file.read_text(encoding="utf-8").splitlines()

    assert lines[0] == '"time","a.x","b.x[1]","minus","shifted","on","R","n"'
    assert lines[2] == "0.25,0.0625,0.0625,-0.0625,1.125,0,0.1,3"
    assert lines[4].split(",")[5] == "1"
    assert len(lines) == 7


def test_numbers_survive_the_round_trip_exactly(tmp_path):
    random = np.random.default_rng(1)
    values = random.standard_normal(500) * 10.0 ** random.integers(-300, 300, size=500)
    data = np.array([np.arange(500.0), values])
    file = tmp_path / "r.csv"
    Result("Random", data, [Column("x", 1)]).to_csv(file)

    back = read_csv(file)

    assert np.array_equal(back["x"], values)
    assert back.names() == ["x"]


def test_a_failed_write_leaves_the_old_file(tmp_path):
    file = tmp_path / "r.csv"
    file.write_text("old", encoding="utf-8")
    data = np.array([[0.0, 1.0], [1.0, np.nan]])

    with pytest.raises(SimulationError) as caught:
        Result("Broken", data, [Column("x", 1)]).to_csv(file)

    assert caught.value.diagnostics[0].code == "R102"
    assert "`x` is nan at time 1" in caught.value.diagnostics[0].message
    assert file.read_text(encoding="utf-8") == "old"
    assert [p.name for p in tmp_path.iterdir()] == ["r.csv"]


def test_writing_is_fast(tmp_path):
    """2,000 columns, half of them aliases or parameters, 500 rows: goal one second on a quiet
    machine; the bound here forgives a busy one."""
    data = np.random.default_rng(2).standard_normal((1001, 500))
    columns = [Column(f"v{i}", 1 + i) for i in range(1000)]
    columns += [Column(f"a{i}", 1 + i) for i in range(500)]
    columns += [Column(f"p{i}", -1, offset=i / 7) for i in range(500)]
    result = Result("Wide", data, columns)

    assert quickest(lambda: result.to_csv(tmp_path / "r.csv")) < 5.0


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "first column is not `time`"),
        ('"t","x"\n0,1\n', "first column is not `time`"),
        ('"time","x"\n0,1\n1\n', "columns"),
        ('"time","x"\n0,abc\n', "abc"),
    ],
)
def test_broken_tables_are_explained(tmp_path, text, message):
    file = tmp_path / "r.csv"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(UsageError, match=message) as caught:
        read_csv(file)

    assert caught.value.diagnostics[0].code == "U035"


def test_a_missing_table_is_explained(tmp_path):
    with pytest.raises(UsageError, match="not a table"):
        read_csv(tmp_path / "none.csv")


# ---------------------------------------------------------------- comparison


def curve(times, values) -> Result:
    return Result("C", np.array([times, values]), [Column("x", 1)])


def test_equal_curves_do_not_deviate():
    found = compare(sample_result(), sample_result())

    assert {d.deviation for d in found.values()} == {0.0}
    assert {d.outside for d in found.values()} == {0}


def test_the_largest_deviation_and_its_time():
    times = np.linspace(0.0, 1.0, 11)
    other = times.copy()
    other[7] += 0.25
    found = compare(curve(times, other), curve(times, times))["x"]

    assert found.deviation == pytest.approx(0.25)
    assert found.time == pytest.approx(0.7)
    assert found.relative == pytest.approx(0.25)
    assert found.outside == 1


def test_a_jump_a_little_late_is_inside_the_tube():
    early = curve(np.array([0.0, 0.5, 0.5, 1.0]), np.array([0.0, 0.0, 1.0, 1.0]))
    late = curve(np.array([0.0, 0.501, 0.501, 1.0]), np.array([0.0, 0.0, 1.0, 1.0]))
    much_later = curve(np.array([0.0, 0.6, 0.6, 1.0]), np.array([0.0, 0.0, 1.0, 1.0]))

    assert compare(early, late)["x"].outside == 0
    assert compare(early, late)["x"].deviation == pytest.approx(1.0)
    assert compare(early, much_later)["x"].outside > 0


def test_left_limits_meet_left_limits():
    times = np.array([0.0, 0.5, 0.5, 1.0])
    values = np.array([0.0, 1.0, 5.0, 5.0])

    assert sampled(times, values, np.array([0.5, 0.5])).tolist() == [1.0, 5.0]
    assert sampled(times, values, np.array([0.25, 0.75, 2.0])).tolist() == [0.5, 5.0, 5.0]


# ---------------------------------------------------------------- frames and pictures


def test_a_frame_has_time_as_its_index():
    frame = sample_result().to_pandas()

    assert frame.index.name == "time"
    assert frame["a.x"].iloc[-1] == 1.0


def test_a_picture_is_written_atomically(tmp_path):
    file = tmp_path / "p.png"
    figure = sample_result().plot("a.x", "on", file=file)

    assert file.read_bytes().startswith(b"\x89PNG")
    assert len(figure.axes) == 2
    assert [t.get_text() for t in figure.axes[0].get_legend().get_texts()] == ["a.x [m], position"]


def test_without_names_the_varying_curves_are_drawn():
    figure = sample_result().plot()

    assert sum(len(axes.lines) for axes in figure.axes) == 2


def test_an_unknown_kind_of_picture_is_refused(tmp_path):
    with pytest.raises(UsageError, match="cannot be written"):
        sample_result().plot("a.x", file=tmp_path / "p.docx")


@pytest.mark.parametrize(("package", "call"), [("pandas", "to_pandas"), ("matplotlib", "plot")])
def test_a_missing_package_is_named_with_the_cure(monkeypatch, package, call):
    real = builtins.__import__

    def without(name, *args, **kwargs):
        if name.split(".")[0] == package:
            raise ImportError(name)
        return real(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(UsageError) as caught:
        getattr(sample_result(), call)()

    assert caught.value.diagnostics[0].code == "U032"
    assert "freewheel[" in caught.value.diagnostics[0].help


@pytest.mark.parametrize("time", [-0.5, 1.5, float("nan")])
def test_a_time_outside_of_the_result_is_told(time):
    with pytest.raises(UsageError) as caught:
        sample_result().at("a.x", time)

    (told,) = caught.value.diagnostics
    assert told.code == "U031"
    assert told.message == f"time {time:g} is outside of the result (0 to 1)"
    assert told.help == "simulate further, or ask within these times"
