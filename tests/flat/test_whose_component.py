"""A mistake that shows inside a class of a library is told with the component of the user's model first."""

from __future__ import annotations

import pytest

from freewheel.api import load
from freewheel.base.diagnostics import FreewheelError

TABLE = "Modelica.Blocks.Sources.CombiTimeTable"
WRONG = {
    "no such file": (
        f'{TABLE} t(tableOnFile = true, tableName = "tab", fileName = "nowhere.txt")',
        "R111",
        "cannot be read",
    ),
    "not rising": (f"{TABLE} t(table = [0, 1; 1, 2; 0.5, 3])", "R111", "does not rise"),
    "no such column": (f"{TABLE} t(table = [0, 1; 1, 2], columns = {{5}})", "R111", "column 5"),
    "an assertion": (
        "Modelica.Blocks.Sources.TimeTable t(table = [1, 1; 2, 2])",
        "R120",
        "the first time of the table must be 0",
    ),
}


@pytest.mark.parametrize("case", WRONG)
def test_the_users_component_comes_first(case, tmp_path):
    declaration, code, words = WRONG[case]
    path = tmp_path / "m.mo"
    path.write_text(f"model M\n  {declaration};\nend M;\n", encoding="utf-8")

    with pytest.raises(FreewheelError) as caught:
        load(path).simulate()

    told = caught.value.diagnostics[0]
    first = told.labels[0]
    assert told.code == code
    assert words in told.message
    assert (first.span.source.path, first.span.line) == (str(path), 2)
    assert first.text == "`t` is declared here"
    assert any("library" in label.span.source.path for label in told.labels[1:])


def test_a_mistake_in_the_own_file_needs_no_component(tmp_path):
    path = tmp_path / "m.mo"
    path.write_text(
        "model P\n  Real x = 1/(time - 0.5*(time + time));\nend P;\nmodel M\n  P p;\nend M;\n",
        encoding="utf-8",
    )
    with pytest.raises(FreewheelError) as caught:
        load(path).simulate()

    assert [label.span.line for label in caught.value.diagnostics[0].labels] == [2]
