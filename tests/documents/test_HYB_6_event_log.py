"""HYB-6: the rectifier with an ideal diode, and its event log in the words of the hybrid paper.

The diode closes just after the start and opens at 8.708E-03; the exact time is that of the
half-wave rectifier's closed solution, 0.008708133048789 s, where the paper writes 3.14159 for pi.
"""

from __future__ import annotations

import json
import re
from math import cos, exp, pi, sin

import pytest

from freewheel.api import load
from freewheel.tools.cli import execute

RECTIFIER = """
model Rectifier "voltage source, resistor and ideal diode feeding a capacitor with load"
  model IdealDiode
    Real u, i;
    Boolean OpenSw(start = false, fixed = true);
  equation
    0 = if pre(OpenSw) then i else u;
    OpenSw = u <= 0 and not i > 0;
  end IdealDiode;
  parameter Real f = 50, Ri = 10, RL = 50, C = 0.001;
  parameter Real w = 2*3.14159*f;
  IdealDiode Diode;
  Real u0, y(start = 0, fixed = true);
equation
  u0 = sin(w*time);
  u0 = Ri*Diode.i + Diode.u + y;
  C*der(y) = Diode.i - y/RL;
  annotation(experiment(StopTime = 0.02));
end Rectifier;
"""
# As in the paper, numbers left out.
LOG = """
Expression Diode.u is initially # (== 0).
Expression Diode.i is initially # (== 0).
Variable Diode.OpenSw changed to True
Iterating to find consistent restart conditions.
Continuing after event.
Expression Diode.u became # (> 0) at time = #.
Variable Diode.OpenSw changed to False
Iterating to find consistent restart conditions.
Expression Diode.i became # (> 0) at time = #.
Iterating to find consistent restart conditions.
Continuing after event.
Expression Diode.i became # (< 0) at time = 8.708E-03.
Variable Diode.OpenSw changed to True
Iterating to find consistent restart conditions.
Expression Diode.u became # (< 0) at time = 8.708E-03.
Iterating to find consistent restart conditions.
Continuing after event.
""".strip().splitlines()
NUMBER = r"-?\d\.\d{3}E[+-]\d+"


@pytest.fixture
def rectifier(tmp_path):
    path = tmp_path / "Rectifier.mo"
    path.write_text(RECTIFIER)
    return path


def opening_time() -> float:
    """Where i = (sin(w*t) - y)/Ri becomes zero, y being the exact charging curve."""
    w, charge, rate = 2 * 3.14159 * 50, 1 / (10 * 0.001), 1 / (10 * 0.001) + 1 / (50 * 0.001)
    size = charge / (rate**2 + w**2)

    def current(t: float) -> float:
        y = size * (rate * sin(w * t) - w * cos(w * t) + w * exp(-rate * t))
        return sin(w * t) - y

    low, high = 0.005, 0.0099
    for _ in range(60):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if current(middle) > 0 else (low, middle)
    return low


@pytest.mark.parametrize("backend", ["llvm", "python"])
def test_HYB_6_the_event_log_equals_the_papers_line_by_line(rectifier, backend):
    result = load(rectifier, backend=backend).simulate(tol=1e-8, event_log=True)
    lines = list(result.events.log())

    assert len(lines) == len(LOG)
    for line, expected in zip(lines, LOG, strict=True):
        assert re.fullmatch(re.escape(expected).replace(r"\#", NUMBER), line), line


@pytest.mark.parametrize("backend", ["llvm", "python"])
def test_HYB_6_the_diode_opens_at_the_exact_time(rectifier, backend):
    result = load(rectifier, backend=backend).simulate(tol=1e-8)
    times = [event.time for event in result.events]

    assert times[0] < 1e-12
    assert times[1] == pytest.approx(opening_time(), rel=1e-9)
    assert opening_time() == pytest.approx(0.008708133048789 * pi / 3.14159, rel=1e-6)


def test_HYB_6_the_command_line_tells_the_log_as_text_and_as_json(rectifier, capsys):
    assert execute(["run", str(rectifier), "--event-log"]) == 0
    text = capsys.readouterr().out
    assert "  Iterating to find consistent restart conditions.\n" in text
    assert execute(["run", str(rectifier), "--event-log", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    events = told["events"]
    assert [note["name"] for note in told["events_at_start"][:2]] == ["Diode.u", "Diode.i"]
    assert [len(event["causes"]) for event in events] == [1, 1]
    assert events[1]["time"] == pytest.approx(0.008708, abs=1e-6)
    assert {"kind": "variable", "name": "Diode.OpenSw", "value": 1.0} in events[1]["changes"]


def test_HYB_6_a_relation_is_told_by_the_names_of_its_component(tmp_path):
    """However the variable is called after `a = b` were eliminated."""
    path = tmp_path / "Own.mo"
    path.write_text(
        """model Own
          connector Pin Real v; flow Real i; end Pin;
          model Source Pin p; equation p.v = sin(time); end Source;
          model Watch Pin p; Real u; Boolean high; equation u = p.v; p.i = 0; high = u > 0.5; end Watch;
          Source source; Watch watch;
        equation
          connect(source.p, watch.p);
        end Own;"""
    )
    result = load(path).simulate(stop=1.0, event_log=True)

    assert any("Expression watch.u - 0.5 became" in line for line in result.events.log())
