"""Locals of functions get their first values in the order of dependence, not of declaration."""

from __future__ import annotations

import pytest

from freewheel.api import load

LOCALS = "protected Real v = 1/r; Real r = 2*x + 1;"


@pytest.mark.parametrize("backend", ["llvm", "python"])
@pytest.mark.parametrize(
    "annotation", ["", "annotation(Inline = true);", "annotation(LateInline = true);"]
)
def test_a_local_may_be_used_before_it_is_declared(tmp_path, backend, annotation):
    path = tmp_path / "M.mo"
    path.write_text(f"""
    model M
      function f input Real x; output Real y; {LOCALS} algorithm y := v*x; {annotation} end f;
      Real y = f(time);
      Real rate = der(y);
    end M;""")
    result = load(path, backend=backend).simulate(stop=1.0)

    assert result["y"][-1] == pytest.approx(1 / 3, rel=1e-12)
    assert result["rate"][-1] == pytest.approx(1 / 9, rel=1e-9)
