"""Functions that pick records out of a package constant by an index known in a call only."""

from __future__ import annotations

import pytest

from freewheel.api import load

GASES = """
  record Gas Boolean known; String name; Real mass; Real c[2]; end Gas;
  constant Gas data[2] = {Gas(true, "N2", 28, {1, 2}), Gas(true, "O2", 32, {3, 4})};
"""


@pytest.mark.parametrize("backend", ["llvm", "python"])
@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("m := 0; for i in 1:size(y, 1) loop m := m + data[i].mass*y[i]; end for;", 69.6),
        ("m := sum(data[i].mass*y[i] for i in 1:size(y, 1));", 69.6),
        ("m := y*{data[i].mass for i in 1:size(y, 1)};", 69.6),
        (
            "m := 1; for i in 1:size(y, 1) loop"
            ' assert(data[i].known, "nothing known of " + data[i].name); end for;',
            1.0,
        ),
        (
            "m := sum(data[:].mass); for i in 1:size(y, 1) loop for j in 1:2 loop"
            " m := m + data[i].c[j]*data[j].mass; end for; end for;",
            364.0,
        ),
        ("m := 0; for i in 1:2 loop m := m + data[i].c[1]*y[i]; end for;", 6.2),
    ],
    ids=range(6),
)
def test_a_loop_index_picks_constant_records(tmp_path, backend, code, expected):
    path = tmp_path / "P.mo"
    path.write_text(f"""
    package P {GASES}
      function mix input Real y[:]; output Real m; algorithm {code} end mix;
      model M
        parameter Real y[3] = {{1, 2, 3}} "not the one of the function";
        Real m = mix({{0.2, time + 1}});
      end M;
    end P;""")
    result = load(path, model="P.M", backend=backend).simulate(interval=0.5)

    assert result["m"][-1] == pytest.approx(expected)
