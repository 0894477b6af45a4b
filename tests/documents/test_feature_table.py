"""Every feature of the five documents is on the page, and its tests are named after it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

HERE = Path(__file__).parent
PAGE = HERE.parents[1] / "docs" / "features.md"
COUNTS = {"DYM": 14, "HYB": 10, "EVT": 20, "VAR": 7, "MCD": 9}
IDS = [f"{group}-{n}" for group, count in COUNTS.items() for n in range(1, count + 1)]
ROW = re.compile(r"^\| ([A-Z]{3}-\d+) \| (.+?) \| (.+?) \| (.+?) \|$", re.MULTILINE)
ROWS = {found[0]: found[1:] for found in ROW.findall(PAGE.read_text(encoding="utf-8"))}


def files_of(feature: str) -> list[list[Path]]:
    """Of each name in the row; `*` stands for anything."""
    return [sorted(HERE.glob(name)) for name in re.findall(r"`(test_[^`]+)`", ROWS[feature][1])]


def functions_of(path: Path, feature: str) -> list[str]:
    """Functions of a file that are named after a feature."""
    name = feature.replace("-", "_")
    return re.findall(rf"^def (test_(?:\w+_)?{name}_\w+)\(", path.read_text("utf-8"), re.MULTILINE)


def in_file_name(path: Path, feature: str) -> bool:
    """`test_EVT_2_to_4` is named after three features, `test_EVT_14_16_17` as well."""
    group, number = feature.split("-")
    found = re.match(rf"test_{group}((?:_(?:to|and|\d+))+)", path.stem)
    if found is None:
        return False
    words = found[1].strip("_").split("_")
    numbers = {int(word) for word in words if word.isdigit()}
    if "to" in words:
        at = words.index("to")
        numbers.update(range(int(words[at - 1]), int(words[at + 1]) + 1))
    return int(number) in numbers


def test_the_page_lists_each_feature_once_and_in_order():
    found = [row[0] for row in ROW.findall(PAGE.read_text(encoding="utf-8"))]

    assert found == IDS


@pytest.mark.parametrize("feature", IDS)
def test_each_feature_has_tests_named_after_it(feature):
    groups = files_of(feature)

    assert groups
    assert all(groups), f"{feature}: a file of its row does not exist"
    files = [path for group in groups for path in group]
    assert any(functions_of(path, feature) or in_file_name(path, feature) for path in files)


@pytest.mark.parametrize("feature", IDS)
def test_each_feature_says_how_it_stands(feature):
    assert all(cell.strip() for cell in ROWS[feature])


def test_each_file_of_tests_is_named_after_a_feature_or_on_the_page():
    page = PAGE.read_text(encoding="utf-8")
    files = set(HERE.glob("test_*.py")) - {Path(__file__)}

    others = [f for f in files if not any(in_file_name(f, feature) for feature in IDS)]
    assert sorted(f.name for f in others if f"`{f.name}`" not in page) == []


@pytest.mark.parametrize(
    ("name", "features"),
    [
        ("test_EVT_2_to_4.py", {2, 3, 4}),
        ("test_EVT_14_16_17.py", {14, 16, 17}),
        ("test_VAR_7_gearbox_and_seat.py", {7}),
        ("test_VAR_2_on_the_bond_graph.py", {2}),
        ("test_EVT_11_and_12.py", {11, 12}),
    ],
)
def test_names_of_files_tell_their_features(name, features):
    group = name[5:8]
    found = {n for n in range(1, 21) if in_file_name(Path(name), f"{group}-{n}")}

    assert found == features
