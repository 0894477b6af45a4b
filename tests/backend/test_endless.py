"""A function that never ends is an error at run time, not a hang."""

import pytest

import freewheel as fw

ENDLESS = """
model Endless
  function f
    input Real x;
    output Real y;
  algorithm
    y := x;
    while y < 10 loop
      y := y*1.0;
    end while;
  end f;
  Real z(start = 0, fixed = true);
equation
  der(z) = f(time);
end Endless;
"""


@pytest.mark.parametrize("backend", ["python", "llvm"])
def test_a_loop_without_end_is_stopped_and_named(backend, tmp_path):
    file = tmp_path / "Endless.mo"
    file.write_text(ENDLESS)

    with pytest.raises(fw.SimulationError, match=r"too long: `Endless\.f` was stopped"):
        fw.load(file, backend=backend).simulate(stop=1.0)
