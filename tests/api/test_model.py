"""Questions to a model."""

from pathlib import Path

import freewheel as fw

CLOCKED = """
model Clocked
  Real x;
  Real y;
equation
  x = sample(time, Clock(0.1));
  y = hold(x);
end Clocked;
"""


def test_a_clocked_model_is_counted_without_a_warning(tmp_path: Path) -> None:
    file = tmp_path / "Clocked.mo"
    file.write_text(CLOCKED)

    balance = fw.load(file).check()

    assert (balance.unknowns, balance.equations) == (2, 2)
    assert balance.warnings == ()
