"""Remarks about a model with the parameters of a run."""

from __future__ import annotations

import freewheel as fw

TEXT = """model M
  parameter Real L=0.02, R=3;
  Real u=20*sin(314*time), i(start=0), v, s;
  Integer off=if s < 0 then 1 else 0;
equation
  u = L*der(i) + R*i + v;
  v = off*s;
  i = (1 - off)*s;
end M;
"""


def test_a_start_value_that_zero_makes_needless_is_not_remarked(tmp_path):
    path = tmp_path / "M.mo"
    path.write_text(TEXT)
    model = fw.load(path)

    with_state = model.simulate(stop=0.01).remarks
    without = model.simulate(stop=0.01, params={"L": 0}).remarks

    assert [remark.code for remark in with_state] == ["E020"]
    assert without == ()
