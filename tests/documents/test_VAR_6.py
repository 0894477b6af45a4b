"""VAR-6: switches written with numbers, as documents 002 (equations 9.34, 9.47, 9.52) and 004 (section 3)
write them, and document 000 in its own language. Each runs as the same switch written with `if`: the same
curve, the same events."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from paper_listings import EXAMPLES, listing

import freewheel as fw
from freewheel.bondgraph.stages import bond_graph
from freewheel.result.store import Result

PI = "3.141592653589793"


def simulated(tmp_path: Path, text: str, suffix: str = "mo", **settings: object) -> Result:
    path = tmp_path / f"model.{suffix}"
    path.write_text(text)
    return fw.load(path).simulate(**settings)


def events(result: Result) -> list[float]:
    return [event.time for event in result.events]


# ---------------------------------------------------------------- document 002

HALF_WAVE = f"""
model HalfWave "equations 9.47; with line inductance, equations 9.52"
  parameter Real Ri = {{Ri}}, RL = 50, C = 1e-3, L = 0.01;
  Real u0 = 10*sin(100*{PI}*time), u1, u2(start = 0, fixed = true), uL, ud, i0{{start}}, iC, iR;
  {{declared}}
equation
  u1 = Ri*i0;
  u2 = RL*iR;
  iC = C*der(u2);
  uL = {{inductance}};
  u0 = uL + u1 + ud + u2;
  i0 = iC + iR;
  {{switch}}
  annotation(experiment(StopTime = 0.1, Tolerance = 1e-8));
end HalfWave;
"""
SIGNS = "ud <= 0 and not i0 > 0"
WITH_NUMBERS = {
    "9.34": (f"Integer mo(start = 1) = if {SIGNS} then 1 else 0;", "0 = mo*i0 + (1 - mo)*ud;"),
    "9.34 of a Real": (f"Real mo = if {SIGNS} then 1 else 0;", "0 = mo*i0 + (1 - mo)*ud;"),
    "9.47": ("Real s; Integer mo = if s < 0 then 1 else 0;", "ud = mo*s; i0 = (1 - mo)*s;"),
    "9.47 by signs": (
        f"Real s; Integer mo(start = 1) = if {SIGNS} then 1 else 0;",
        "ud = mo*s; i0 = (1 - mo)*s;",
    ),
}
WITH_IF = {
    "9.34": (f"Boolean open(start = true) = {SIGNS};", "0 = if open then i0 else ud;"),
    "9.47": (
        "Real s; Boolean open = s < 0;",
        "ud = if open then s else 0; i0 = if open then 0 else s;",
    ),
    "9.47 by signs": (
        f"Real s; Boolean open(start = true) = {SIGNS};",
        "ud = if open then s else 0; i0 = if open then 0 else s;",
    ),
}


def half_wave(switch: tuple[str, str], has_inductance: bool) -> str:
    return HALF_WAVE.format(
        Ri=1 if has_inductance else 10,
        start="(start = 0, fixed = true)" if has_inductance else "",
        inductance="L*der(i0)" if has_inductance else "0",
        declared=switch[0],
        switch=switch[1],
    )


@pytest.mark.parametrize("form", WITH_NUMBERS)
def test_VAR_6_the_half_wave_rectifier_has_the_events_of_the_if_form(form, tmp_path):
    """Document 002 itself has ten; a sign that rounding lets flicker around zero made 40, or 426."""
    number = simulated(tmp_path, half_wave(WITH_NUMBERS[form], False))
    other = WITH_IF.get(form, WITH_IF["9.34"])
    chosen = simulated(tmp_path, half_wave(other, False))

    assert len(events(number)) == 10
    assert events(number) == events(chosen)
    assert np.array_equal(number["u2"], chosen["u2"])


@pytest.mark.parametrize("form", [form for form in WITH_NUMBERS if form != "9.47 by signs"])
def test_VAR_6_with_line_inductance_equations_9_52_do_not_divide_by_zero(form, tmp_path):
    number = simulated(tmp_path, half_wave(WITH_NUMBERS[form], True))
    chosen = simulated(tmp_path, half_wave(WITH_IF["9.47"], True))

    assert len(events(number)) == 9
    assert events(number) == pytest.approx(events(chosen), abs=1e-12)
    assert number.final("u2") == pytest.approx(chosen.final("u2"), rel=1e-10)


def test_VAR_6_the_state_that_gives_way_is_named(tmp_path):
    path = tmp_path / "model.mo"
    path.write_text(half_wave(WITH_NUMBERS["9.47"], True))
    [switch] = fw.load(path).switches().switches

    assert (switch.kind, switch.conditions) == ("curve", ("mo == 1",))
    assert switch.equations == ("ud = mo*s", "i0 = (1 - mo)*s")
    assert [(fixed.position, fixed.states) for fixed in switch.fixed] == [("mo = 1", ("i0",))]


def test_VAR_6_a_switch_that_takes_no_state_away_is_found_too(tmp_path):
    path = tmp_path / "model.mo"
    path.write_text(half_wave(WITH_NUMBERS["9.47"], False))
    model = fw.load(path)

    assert model.switches().left_out == 1
    assert [s.conditions for s in model.switches(every=True).switches] == [("mo == 1",)]


def test_VAR_6_listings_keep_the_numbers():
    text = listing(EXAMPLES / "switches.mo", "Switches.HalfWave", "solved", share=False)

    assert "s = (u0 - u2)/(mo + Ri*(1 - mo))" in text
    assert "$" not in text


# ---------------------------------------------------------------- document 004

RECTIFIER = f"""
{{classes}}
model Rectifier
  parameter Real L = 0.01, C = 1e-3, R = 50;
  Real U0 = 10*sin(100*{PI}*time), uC(start = 0, fixed = true), i(start = 0, fixed = true), e;
  {{declared}}
equation
  L*der(i) = U0 - e - uC;
  C*der(uC) = i - uC/R;
  {{switch}}
  annotation(experiment(StopTime = 0.2, Tolerance = 1e-6));
end Rectifier;
"""
LAW = "0 = sw*i + (1 - sw)*e;"
ALONG = "e = m*s; i = (1 - m)*s;"
MODE = "type Mode = enumeration(open, closed);"
BLOCK = """
model Diode
  Real u, i, s, m = if s < 0 then 1 else 0;
equation
  u = m*s;
  i = (1 - m)*s;
end Diode;
"""
FORMS = {
    "section 3": ("Real sw = if e <= 0 and not i > 0 then 1 else 0;", LAW),
    "with its past": (
        "Integer sw(start = 1);",
        f"{LAW} sw = if not (e > 0 or (pre(sw) == 0 and i > 0)) then 1 else 0;",
    ),
    "what it was": (
        "Integer sw(start = 1, fixed = true);",
        "0 = pre(sw)*i + (1 - pre(sw))*e; sw = if e <= 0 and not i > 0 then 1 else 0;",
    ),
    "a fixed start": (
        "Real sw(start = 1, fixed = true) = if e <= 0 and not i > 0 then 1 else 0;",
        LAW,
    ),
    "of a Boolean": (
        "Boolean open = e <= 0 and not i > 0; Real sw = if open then 1 else 0;",
        LAW,
    ),
    "with other factors": (
        "Real sw = if e <= 0 and not i > 0 then 1 else 0;",
        "0 = -3*sw*i + 2*e - 2*sw*e;",
    ),
    "through equations": (
        "Real s, a, b, m; Boolean open = s < 0;",
        f"a = if open then 3 else 1; b = a - 1; 2*m = b; {ALONG}",
    ),
    "two numbers": (
        "Real s, m, n;",
        "m + n = 1; m = if s < 0 then 1 else 0; e = m*s; i = n*s;",
    ),
    "multiplied out": ("Real s; Integer m = if s < 0 then 1 else 0;", "e = m*s; i = s - m*s;"),
    "plus or minus one": (
        "Real s; Real m = if s < 0 then -1 else 1;",
        "e = (1 - m)/2*s; i = 0.5*(1 + m)*s;",
    ),
    "an enumeration": (
        "Real s; Mode m = if s < 0 then Mode.open else Mode.closed;",
        "e = (2 - Integer(m))*s; i = (Integer(m) - 1)*s;",
    ),
    "BooleanToReal": (
        "Real s; Modelica.Blocks.Math.BooleanToReal turn(u = s < 0); Real m = turn.y;",
        ALONG,
    ),
    "BooleanToInteger": (
        "Real s; Modelica.Blocks.Math.BooleanToInteger turn(u = s < 0); Integer m = turn.y;",
        ALONG,
    ),
    "in a component": ("Diode D;", "D.u = e; D.i = i;"),
    "an array": ("Real s; Integer m[2] = if s < 0 then {1, 0} else {0, 1};", "{e, i} = m*s;"),
    "an algorithm": (
        "Real s; Integer m;",
        f"{ALONG} algorithm m := 0; if s < 0 then m := 1; end if;",
    ),
    "noEvent": ("Real s; Real m = noEvent(if s < 0 then 1 else 0);", ALONG),
}


@pytest.mark.parametrize("form", FORMS)
def test_VAR_6_the_rectifier_of_document_004(form, tmp_path):
    """The numbers that the ideal diode of the library gives, see test_VAR_1_and_2.py."""
    declared, switch = FORMS[form]
    text = RECTIFIER.format(classes=f"{MODE} {BLOCK}", declared=declared, switch=switch)
    result = simulated(tmp_path, text)

    assert result.final("uC") == pytest.approx(7.414103491510, rel=1e-9)
    assert len(result.events) == 17
    assert result.events[0].time == pytest.approx(0.010119061496939, abs=1e-10)


FIRED = f"Boolean fire = sin(100*{PI}*time) > 0.5;"
THYRISTORS = {
    "if": (
        "Real s; Boolean off(start = true, fixed = true);",
        "e = if off then s else 0; i = if off then 0 else s; off = s < 0 or pre(off) and not fire;",
    ),
    "Integer": (
        "Real s; Integer off(start = 1, fixed = true);",
        "e = off*s; i = (1 - off)*s; off = if s < 0 or pre(off) == 1 and not fire then 1 else 0;",
    ),
    "one line each": (
        "Real s; Integer off(start = 1, fixed = true);",
        "e = off*s; i = (1 - off)*s; off = if s < 0 then 1 elseif fire then 0 else pre(off);",
    ),
    "discrete Real": (
        "Real s; discrete Real on(start = 0, fixed = true);",
        "e = (1 - on)*s; i = on*s; on = if s < 0 or pre(on) < 0.5 and not fire then 0 else 1;",
    ),
}


def test_VAR_6_a_thyristor_remembers_by_a_number(tmp_path):
    found = {}
    for form, (declared, switch) in THYRISTORS.items():
        text = RECTIFIER.format(classes="", declared=f"{declared} {FIRED}", switch=switch)
        result = simulated(tmp_path, text)
        found[form] = (result.final("uC"), events(result))

    for form in THYRISTORS:
        assert found[form][0] == pytest.approx(found["if"][0], rel=1e-10)
        assert found[form][1] == pytest.approx(found["if"][1], abs=1e-12)


# ---------------------------------------------------------------- numbers from outside

COIL = """
model Coil
  Real i(start = 0), u;
  {declared}
equation
  0.1*der(i) = 1 - u - i;
  {switch}
  annotation(experiment(StopTime = 1, Tolerance = 1e-8));
end Coil;
"""
TOGGLED = {
    "Boolean": (
        "Boolean sw(start = true, fixed = true);",
        "when sample(0.1, 0.1) then sw = not pre(sw); end when; 0 = if sw then i else u - i;",
    ),
    "Integer": (
        "Integer sw(start = 1, fixed = true);",
        "when sample(0.1, 0.1) then sw = 1 - pre(sw); end when; 0 = sw*i + (1 - sw)*(u - i);",
    ),
    "a counter to two": (
        "Integer k(start = 1, fixed = true); Real sw = k;",
        "when sample(0.1, 0.1) then k = mod(pre(k) + 1, 2); end when; 0 = sw*i + (1 - sw)*(u - i);",
    ),
    "by time": (
        "Real sw = if mod(floor(10*time + 1e-9), 2) < 0.5 then 1 else 0;",
        "0 = sw*i + (1 - sw)*(u - i);",
    ),
}


@pytest.mark.parametrize("form", TOGGLED)
def test_VAR_6_a_switch_on_a_clock(form, tmp_path):
    declared, switch = TOGGLED[form]
    result = simulated(tmp_path, COIL.format(declared=declared, switch=switch))
    times, i = np.asarray(result.time), np.asarray(result["i"])
    phase = times % 0.2 - 0.1
    inside = (np.abs(phase) > 1e-6) & (np.abs(phase) < 0.1 - 1e-6)
    exact = np.where(phase > 0, 0.5 * (1 - np.exp(-20 * phase)), 0.0)

    assert np.abs(i - exact)[inside].max() < 1e-7


MODES = {
    "number": "0 = (m - 1)*(m - 2)/2*i + m*(2 - m)*u + m*(m - 1)/2*(u - 3*i);",
    "if": "0 = if m == 0 then i elseif m == 1 then u else u - 3*i;",
    "two numbers": "0 = (1 - a)*(1 - b)*i + a*u + b*(u - 3*i);",
}


@pytest.mark.parametrize("form", MODES)
def test_VAR_6_three_positions(form, tmp_path):
    """Open, closed, closed through a resistance, open."""
    declared = (
        "Integer m = if time < 0.2 then 0 elseif time < 0.5 then 1 elseif time < 0.8 then 2 else 0;"
        " Integer a = if m == 1 then 1 else 0, b = if m == 2 then 1 else 0;"
    )
    result = simulated(tmp_path, COIL.format(declared=declared, switch=MODES[form]))
    times, i = np.asarray(result.time), np.asarray(result["i"])
    last = 1 - np.exp(-3)
    exact = np.select(
        [times < 0.2, times < 0.5, times < 0.8],
        [
            0 * times,
            1 - np.exp(-10 * (times - 0.2)),
            0.25 + (last - 0.25) * np.exp(-40 * (times - 0.5)),
        ],
        0.0,
    )
    inside = np.min(np.abs(times[:, None] - [0.2, 0.5, 0.8]), axis=1) > 1e-6

    assert len(result.events) == 3
    assert np.abs(i - exact)[inside].max() < 1e-7


@pytest.mark.parametrize(
    ("declared", "switch"),
    [
        ("Integer k(start = 1);", "when sample(0.1, 0.1) then k = 3 - pre(k); end when; u = k*i;"),
        ("Integer k(start = 0);", "when sample(0.1, 0.1) then k = pre(k) + 1; end when; u = k*i;"),
    ],
)
def test_VAR_6_a_gain_is_no_switch(declared, switch, tmp_path):
    path = tmp_path / "model.mo"
    path.write_text(COIL.format(declared=declared, switch=switch))

    assert fw.load(path).switches(every=True).switches == ()


def test_VAR_6_a_parameter_that_makes_the_zero_may_change(tmp_path):
    """`1 - k` is zero for k = 1 only: with another value the model is translated anew."""
    declared = "parameter Real k = 1; Real s; Real m = if s < 0 then k else 0;"
    path = tmp_path / "model.mo"
    path.write_text(RECTIFIER.format(classes="", declared=declared, switch=ALONG))
    model = fw.load(path)

    assert model.simulate().final("uC") == pytest.approx(7.414103491510, rel=1e-9)
    leaky = model.simulate(params={"k": 0.999})
    off = np.asarray(leaky["m"]) > 0.5
    s = np.asarray(leaky["s"])
    assert np.asarray(leaky["i"])[off] == pytest.approx(0.001 * s[off], abs=1e-9)


# ---------------------------------------------------------------- document 000

CLASSIC = f"""
model class (TwoPort) Switch
  terminal OpenSw
  0 = OpenSw * i + (1 - OpenSw) * u
end

model class (Switch) NumberDiode
  OpenSw = if u <= 0 and not i > 0 then 1 else 0
end

model Rectifier
  submodel (VSource) U0
  submodel (Inductor) L(L = 0.01)
  submodel (Resistor) RL(R = 50)
  submodel (Capacitor) C(C = 0.001)
  submodel (NumberDiode) D
  submodel Common
  connect Common - ((U0 - L - D)//C//RL)
  U0.u0 = 10*sin(2 * {PI} * 50 * Time)
end
"""


@pytest.mark.parametrize("init", ["", "init OpenSw = 1", "init OpenSw = 0"])
def test_VAR_6_the_switch_of_document_000_behind_an_inductor(init, tmp_path):
    text = CLASSIC.replace("NumberDiode\n", f"NumberDiode\n  {init}\n", 1)
    result = simulated(tmp_path, text, "dym", stop=0.2, tol=1e-6)

    assert abs(result.final("C.u")) == pytest.approx(7.414103491510, rel=1e-7)
    assert len(result.events) == 17
    assert result.events[0].time == pytest.approx(0.010119061496939, abs=1e-10)


# ---------------------------------------------------------------- the bond graph

ONE_PORTS = {
    "D": ("Real s; Integer mo = if s < 0 then 1 else 0;", "v = mo*s; i = (1 - mo)*s;"),
    "Sw": ("Real sw = if sin(300*time) > 0 then 0 else 1;", "0 = sw*i + (1 - sw)*v;"),
}


@pytest.mark.parametrize("kind", ONE_PORTS)
def test_VAR_6_is_on_the_bond_graph_with_variable_causality(kind, tmp_path):
    declared, law = ONE_PORTS[kind]
    path = tmp_path / "model.mo"
    path.write_text(f"""
model Valve
  extends Modelica.Electrical.Analog.Interfaces.OnePort;
  {declared}
equation
  {law}
end Valve;
model HalfWave
  Modelica.Electrical.Analog.Sources.SineVoltage U(V=10, f=50);
  Modelica.Electrical.Analog.Basic.Inductor L(L=0.01);
  Valve D;
  Modelica.Electrical.Analog.Basic.Capacitor C(C=1e-3);
  Modelica.Electrical.Analog.Basic.Ground ground;
equation
  connect(U.p, L.p); connect(L.n, D.p); connect(D.n, C.p); connect(C.n, ground.p);
  connect(U.n, ground.p);
end HalfWave;
""")
    graph = bond_graph(fw.load(path))
    [element] = [e for e in graph.elements if e.name == "D"]
    [release] = graph.findings.releases

    assert str(element.kind) == kind
    assert (release.position, release.storages) == ((("D", True),), ("L",))


# ---------------------------------------------------------------- sizes and units


@pytest.mark.parametrize("count", [1, 10, 100])
def test_VAR_6_any_number_of_them(count, tmp_path):
    text = """
    model Coils
      parameter Integer n = {count};
      Real i[n](each start = 0), u[n];
      {declared}
    equation
      for k in 1:n loop 0.1*der(i[k]) = sin(k*time) - u[k] - i[k]; end for;
      {switch}
      annotation(experiment(StopTime = {stop}, Tolerance = 1e-6));
    end Coils;
    """
    forms = (
        (
            "Real s[n]; Real m[n] = {if s[k] < 0 then 1 else 0 for k in 1:n};",
            "u = m.*s; i = s - m.*s;",
        ),
        (
            "Real s[n]; Boolean m[n] = {s[k] < 0 for k in 1:n};",
            "for k in 1:n loop u[k] = if m[k] then s[k] else 0; i[k] = if m[k] then 0 else s[k];"
            " end for;",
        ),
    )
    number, chosen = (
        simulated(
            tmp_path,
            text.format(count=count, declared=declared, switch=switch, stop=4 / count),
        )
        for declared, switch in forms
    )
    assert events(number) == events(chosen)
    assert number.final(f"i[{count}]") == chosen.final(f"i[{count}]")


@pytest.mark.parametrize("scale", [1e-6, 1.0, 1e6])
@pytest.mark.parametrize("tolerance", [1e-3, 1e-6, 1e-10])
def test_VAR_6_in_other_units_and_at_other_tolerances(scale, tolerance, tmp_path):
    text = RECTIFIER.format(
        classes="", declared="Real s; Integer m = if s < 0 then 1 else 0;", switch=ALONG
    ).replace("10*sin", f"{10 * scale!r}*sin")
    result = simulated(tmp_path, text, tol=tolerance)

    assert result.final("uC") / scale == pytest.approx(7.414103491510, rel=max(tolerance, 1e-9))
    assert len(result.events) == 17
