"""VAR-5: switching that makes no sense is told by the names of the components, with time and cure.

Shorted sources and opened current sources end the run (exit code 3); stored energy that has nowhere to go
is an impulse, which `--impulses` lets pass, warns about (the default) or refuses.
"""

from __future__ import annotations

import json
from math import pi, sin

import pytest
from netlists import Network, table

from freewheel.api import load
from freewheel.tools.cli import execute

RELAY = """
model Relay "a coil whose relay {title}"
  Modelica.Electrical.Analog.Sources.ConstantVoltage V(V=10);
  Modelica.Electrical.Analog.Basic.Resistor R(R=5);
  Modelica.Electrical.Analog.Basic.Inductor L(L=0.1, i(start=0, fixed=true));
  Modelica.Electrical.Analog.Ideal.IdealClosingSwitch S(Ron=0, Goff=0);
  Modelica.Electrical.Analog.Ideal.IdealDiode F(Ron=0, Goff=0, Vknee=0);
  Modelica.Electrical.Analog.Basic.Ground ground;
  Boolean closed(start=true, fixed=true);
equation
  {logic}
  S.control = closed;
  connect(V.p, S.p);
  connect(S.n, L.p);
  connect(F.n, L.p);
  connect(F.p, ground.p);
  connect(L.n, R.p);
  connect(R.n, ground.p);
  connect(V.n, ground.p);
  annotation(experiment(StopTime=0.1));
end Relay;
"""


def told(network: Network, folder, capsys, *options: str) -> tuple[int, str]:
    path = folder / f"{network.name}.mo"
    path.write_text(network.modelica())
    code = execute(["run", str(path), *options])
    captured = capsys.readouterr()
    return code, captured.out + captured.err


def shorted_by_a_switch() -> Network:
    c = Network("Shorted", 0.02)
    c.constant("V", "a", "0", 10.0)
    c.switch("S", "a", "0", table("0.01"))
    c.resistor("R", "a", "0", 5.0)
    return c


def shorted_by_two_switches() -> Network:
    c = Network("Shorted", 0.02)
    c.constant("V", "a", "0", 10.0)
    c.switch("S1", "a", "x", table("0.005"))
    c.switch("S2", "x", "0", table("0.01"))
    c.inductor("L", "x", "y", 0.01)
    c.resistor("R", "y", "0", 5.0)
    return c


def shorted_by_a_diode() -> Network:
    """The freewheeling diode is the wrong way round."""
    c = Network("Shorted", 0.02)
    c.constant("V", "a", "0", 10.0)
    c.switch("S", "a", "x", table("0.01"))
    c.diode("D", "x", "0")
    c.inductor("L", "x", "y", 0.01)
    c.resistor("R", "y", "0", 5.0)
    return c


def opened_current_source() -> Network:
    c = Network("Opened", 0.02)
    c.current("I", "0", "a", 2.0)
    c.switch("S", "a", "b", table("0.01", at_start=True))
    c.resistor("R", "b", "0", 5.0)
    return c


def joined_sources() -> Network:
    """They are equal when the diode begins to conduct, and contradict each other from then on."""
    c = Network("Joined", 0.02)
    c.sine("U", "a", "0", 10.0, 50.0)
    c.diode("D", "a", "b")
    c.constant("V", "b", "0", 10.0 * sin(2 * pi * 50 * 0.003))
    c.resistor("R", "a", "0", 3.0)
    return c


def at_the_start() -> list[tuple[Network, tuple[str, ...]]]:
    """What cannot be from the first instant on."""
    shorted = Network("Shorted", 0.02)
    shorted.constant("V", "a", "0", 10.0)
    shorted.switch("S", "a", "0", table("0.01", at_start=True))
    joined = Network("Joined", 0.02)
    joined.constant("V1", "a", "0", 10.0)
    joined.diode("D", "a", "b")
    joined.constant("V2", "b", "0", 5.0)
    blocked = Network("Blocked", 0.02)
    blocked.current("I", "a", "0", 2.0)
    blocked.diode("D", "a", "0")
    return [(shorted, ("V", "S")), (joined, ("V1", "V2", "D")), (blocked, ("I", "D"))]


@pytest.mark.parametrize("case", range(3))
def test_VAR_5_what_cannot_be_from_the_start_is_told_too(case, tmp_path, capsys):
    network, names = at_the_start()[case]

    code, text = told(network, tmp_path, capsys)

    assert code == 3
    assert "error[R132]" in text
    assert "at time 0 s" in text
    assert all(f"`{name}`" in text for name in names)
    assert "help: a voltage source is shorted, a current source is opened" in text


def test_VAR_5_sources_that_a_diode_joins_contradict_each_other_from_then_on(tmp_path, capsys):
    code, text = told(joined_sources(), tmp_path, capsys)

    assert code == 3
    assert "error[R132]: Joined: at time 0.003 s" in text
    assert all(f"`{name}`" in text for name in ("U", "V", "D"))


@pytest.mark.parametrize(
    ("make", "names"),
    [
        (shorted_by_a_switch, ("V", "S")),
        (shorted_by_two_switches, ("V", "S1", "S2")),
        (shorted_by_a_diode, ("V", "S", "D")),
        (opened_current_source, ("I", "S")),
    ],
)
def test_VAR_5_what_no_circuit_can_do_is_told_with_names_time_and_cure(
    make, names, tmp_path, capsys
):
    code, text = told(make(), tmp_path, capsys)

    assert code == 3
    assert "error[R132]" in text
    assert "at time 0.01 s" in text
    for name in names:
        assert f"`{name}`" in text, name
    assert "help: " in text
    assert "resistance" in text
    assert "Traceback" not in text
    assert "X001" not in text


def test_VAR_5_what_was_computed_before_the_short_circuit_is_kept(tmp_path, capsys):
    file = tmp_path / "before.csv"

    code, text = told(shorted_by_two_switches(), tmp_path, capsys, "--out", str(file))

    assert code == 3
    assert "before.partial.csv" in text
    last = (tmp_path / "before.partial.csv").read_text().splitlines()[-1].split(",")
    assert float(last[0]) == pytest.approx(0.01, rel=1e-3)


def interrupted() -> Network:
    c = Network("Interrupted", 0.1)
    c.constant("V", "a", "0", 10.0)
    c.resistor("R", "a", "b", 5.0)
    c.inductor("L", "b", "x", 0.1)
    c.switch("S", "x", "0", table("0.04", "0.06", at_start=True))
    return c


def badly_started() -> Network:
    c = Network("BadStart", 0.1)
    c.sine("U", "a", "0", 10.0, 50.0, 1.0)
    c.diode("D", "a", "c")
    c.capacitor("C", "c", "0", 1e-3, 2.0)
    c.resistor("R", "c", "0", 50.0)
    return c


def badly_joined() -> Network:
    """Two capacitors that begin in parallel, at different voltages."""
    c = Network("BadlyJoined", 0.1)
    c.capacitor("C", "a", "0", 1e-3, 10.0)
    c.switch("S", "a", "b", table("0.05", at_start=True))
    c.capacitor("C2", "b", "0", 1e-3, 0.0)
    c.resistor("R", "b", "0", 50.0)
    return c


@pytest.mark.parametrize(
    ("make", "name", "time"),
    [
        (interrupted, "`L` at", "0.04"),
        (badly_started, "`C` at", "0"),
        (badly_joined, "`C`, `C2` at", "0"),
    ],
)
def test_VAR_5_impulses_are_warned_about_accepted_or_refused(make, name, time, tmp_path, capsys):
    code, text = told(make(), tmp_path, capsys)
    assert code == 0
    assert "warning[R131]" in text
    assert f"{name} time {time} s" in text

    code, text = told(make(), tmp_path, capsys, "--impulses", "accept")
    assert code == 0
    assert "R131" not in text
    assert f"impulse at {time} s" in text

    code, text = told(make(), tmp_path, capsys, "--impulses", "error")
    assert code == 3
    assert "error[R131]" in text
    assert f"{name} time {time} s" in text


def test_VAR_5_impulses_are_data_too(tmp_path, capsys):
    code, text = told(interrupted(), tmp_path, capsys, "--json")

    found = json.loads(text)["impulses"]
    assert code == 0
    assert [(i["time"], i["element"]) for i in found] == [(0.04, "L")]
    assert abs(found[0]["strength"]) == pytest.approx(0.1729329433526775, rel=1e-6)


@pytest.mark.parametrize("leak", ["0", "1e-5"])
def test_VAR_5_relays_slide_beside_ideal_elements(leak, tmp_path, capsys):
    """Both drive to the surface, which they reach at 1/7 s; there x and y fall by 6/17 per second (the
    reference `sliding_mode`). With leaks there is no implicit part."""
    text = """
model Relays
  Modelica.Electrical.Analog.Sources.SineVoltage V(V=10, f=50);
  Modelica.Electrical.Analog.Basic.Inductor L(L=1e-2, i(start=0, fixed=true));
  Modelica.Electrical.Analog.Ideal.IdealDiode D(Ron={leak}, Goff={leak}, Vknee=0);
  Modelica.Electrical.Analog.Basic.Resistor R(R=4);
  Modelica.Electrical.Analog.Basic.Ground g;
  Real x(start=1.5, fixed=true), y(start=1, fixed=true);
equation
  der(x) = if x > y then -2 else 2;
  der(y) = if y > x then -3 else 1.5;
  connect(V.p, L.p);
  connect(L.n, D.p);
  connect(D.n, R.p);
  connect(R.n, g.p);
  connect(V.n, g.p);
end Relays;
"""
    path = tmp_path / "Relays.mo"
    path.write_text(text.replace("{leak}", leak))
    assert execute(["run", str(path), "--stop", "0.3"]) == 0
    assert "sliding along the surface of `x > y` from time 0.142857143" in capsys.readouterr().err
    final = load(path).simulate(stop=0.3).final("x")
    assert final == pytest.approx(1.5 - 2 / 7 - 6 / 17 * (0.3 - 1 / 7), abs=1e-9)
