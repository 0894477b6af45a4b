"""Switches and the states they take away, on the circuits of the papers."""

from __future__ import annotations

import gc
from functools import cache
from pathlib import Path
from time import process_time

import pytest
from three_forms import random_net

from freewheel.base.source import Source
from freewheel.flat.nodes import FlatModel
from freewheel.formula.walk import variables_in
from freewheel.instance.library import Library
from freewheel.listing.switches.report import case_text, report_switches
from freewheel.listing.switches.show import show_switches
from freewheel.pipeline import Options, compile_model
from freewheel.program.dependence import given_by
from freewheel.structure.analyse import analyse
from freewheel.structure.atoms import der_of, show_atom
from freewheel.structure.nodes import Hybrid
from freewheel.structure.switching.core import branch_equations
from freewheel.structure.switching.event_system import at_events, given_by_core
from freewheel.structure.switching.nodes import Core, Kind
from freewheel.structure.values import ParameterValues

CIRCUITS = Path(__file__).parent.with_name("circuits.mo").read_text()


def flat(name: str, text: str = CIRCUITS, changes: dict[str, str] | None = None) -> FlatModel:
    library = Library([], use_modelicapath=False)
    library.add_file(Source.from_text(text, "circuits.mo"))
    options = Options(stop_after="flat", changes=changes or {})
    return compile_model(library, tuple(name.split(".")), options).flat


class Studied:
    """A model up to its states."""

    def __init__(self, name: str, text: str = CIRCUITS) -> None:
        ordered = self.ordered = analyse(flat(name, text))
        self.hybrid: Hybrid = ordered.hybrid
        self.variables = {v.name: v for v in ordered.hybrid.aliases.model.variables}
        self.values = ParameterValues(self.variables, ordered.functions)
        self.chosen = ordered.chosen
        given = self.hybrid, self.chosen, self.variables, self.values
        _, self.found, self.conflicts = branch_equations(*given)
        self.core: Core = ordered.core

    def released(self) -> dict[str, str]:
        return {
            case_text(c.case, self.found.bits): " ".join(show_atom(v.name) for v in c.states)
            for c in self.conflicts
            if c.states
        }


@cache
def studied(name: str) -> Studied:
    return Studied(f"Circuits.{name}")


@pytest.mark.parametrize(
    ("name", "kinds"),
    [
        ("HalfWave", {"D": Kind.CURVE}),
        ("Boost", {"Sw": Kind.SWITCH, "D": Kind.CURVE}),
        ("ThyristorL", {"T": Kind.LATCH}),
        ("Clutch", {"locked": Kind.SWITCH}),
        ("String", {"slack": Kind.CURVE}),
        ("Friction", {"clutch": Kind.FRICTION}),
        ("LeakyHalfWaveL", {}),
    ],
)
def test_what_switches(name: str, kinds: dict[str, Kind]) -> None:
    assert {e.name: e.kind for e in studied(name).found.elements} == kinds


@pytest.mark.parametrize(
    ("name", "released"),
    [
        ("HalfWave", {}),
        ("HalfWaveL", {"D.off = true": "L.i"}),
        ("PeakDetector", {"D.off = false": "C.v"}),
        ("ThyristorL", {"T.off = true": "L.i"}),
        ("TwoInductors", {"Sw.control = true": "L1.i L2.i"}),
        ("TwoCapacitors", {"Sw.off = false": "C1.v C2.v"}),
        ("Clutch", {"locked = true": "w1 w2"}),
        ("String", {"slack = false": "x y vx vy"}),
        ("Friction", {}),
        (
            "Boost",
            {"Sw.off = true, D.off = true": "L.i", "Sw.off = false, D.off = false": "C.v"},
        ),
    ],
)
def test_which_states_a_position_takes_away(name: str, released: dict[str, str]) -> None:
    assert studied(name).released() == released


def test_a_bridge_that_blocks_leaves_its_source_floating() -> None:
    bridge = studied("BridgeR")
    floating = [c for c in bridge.conflicts if c.is_floating and not c.states]

    assert {len(c.case) for c in floating} == {4}
    assert all(c.is_joint for c in bridge.conflicts)


def test_what_is_explicit_stays_outside() -> None:
    core = studied("Drum").core
    assert core.is_there

    assert [show_atom(v.name) for v in core.differential] == ["L.i"]
    assert [show_atom(v.name) for v in core.shell_states] == ["C.v", "level", "out"]
    assert [show_atom(v.name) for v in core.variables] == ["D.s", "L.i"]
    assert sorted(show_atom(f.target.name) for f in core.followed) == ["D.p.v", "D.v", "L.v"]


def test_a_source_stays_outside_even_where_it_quarrels() -> None:
    core = studied("PeakDetector").core
    assert core.is_there

    assert "u0.v" not in [show_atom(v.name) for v in core.variables]


def test_without_conflict_there_is_no_core() -> None:
    assert not studied("HalfWave").core.is_there
    assert not studied("LeakyHalfWaveL").core.is_there


def test_names_for_the_same_condition_are_one_bit() -> None:
    text = """
    model M
      Real i(start=1, fixed=true), u, s;
      Boolean off = s < 0, on = not off;
    equation
      der(i) = -u;
      u = if on then 0 else s;
      i = if s >= 0 then s else 0;
    end M;
    """
    model = Studied("M", text)

    assert len(model.found.elements) == 1
    assert len(model.found.elements[0].bits) == 1
    assert model.found.elements[0].kind is Kind.CURVE
    assert list(model.released().values()) == ["i"]


def test_a_jump_at_the_corner_is_no_curve() -> None:
    text = """
    model M
      Real i(start=1, fixed=true), u, s;
      Boolean off = s < 0;
    equation
      der(i) = -u;
      u = if off then s else 1;
      i = if off then 0 else s;
    end M;
    """

    assert [e.kind for e in Studied("M", text).found.elements] == [Kind.CHOICE]


STREAM = """model M
  Real x(start = 1, fixed = true), T(start = 2, fixed = true), p, m, h;
equation
  der(x) = 1 - m; der(T) = m*(h - T); p = h*x; m = x - p + 0.1*p^3;
  0.3 = m*(if m > 0 then T else h) - m*(if -m > 0 then x else h);
end M;
"""


def test_what_a_flow_carries_is_no_curve() -> None:
    """It was, since one direction of the flow was taken for a corner beside the other one."""
    assert not Studied("M", STREAM).core.corners


def test_a_curve_may_have_several_corners() -> None:
    text = """
    model Zener
      Real i(start=1, fixed=true), u, s;
      Boolean forward = s > 0, breakdown = s < -5;
    equation
      der(i) = -u;
      u = if forward then 0 elseif breakdown then -5 else s;
      i = if forward then s elseif breakdown then s + 5 else 0;
    end Zener;
    """
    (element,) = Studied("Zener", text).found.elements

    assert element.kind is Kind.CURVE
    assert len(element.corners) == 2


def test_the_explanation_names_elements_and_states() -> None:
    text = show_switches(report_switches(studied("Boost").ordered))

    assert "Sw: switch by `Sw.off`" in text
    assert "D: curve by `D.off`" in text
    assert "  L.i is not a state while Sw.off = true, D.off = true\n" in text
    assert "  C.v is not a state while Sw.off = false, D.off = false\n" in text
    assert "implicit: 5 equations with the states L.i, C.v, and for Sw.s, D.s, R.i\n" in text


def test_what_takes_no_state_away_is_told_only_if_asked() -> None:
    ordered = studied("HalfWave").ordered

    assert show_switches(report_switches(ordered)).endswith("1 other switch takes no state away\n")
    assert [s.name for s in report_switches(ordered, is_all=True).switches] == ["D"]
    assert report_switches(studied("HalfWaveL").ordered).switches[0].fixed[0].states == ("L.i",)


def test_at_events_the_core_is_given() -> None:
    model = studied("Boost")
    assert model.core.is_there
    system = at_events(model.hybrid, model.chosen, model.core, model.variables, model.values)
    given = {show_atom(v.name) for block in system.blocks for v in given_by(block)}

    assert {"Sw.off", "D.off"} <= given
    assert given.isdisjoint(show_atom(v.name) for v in given_by_core(model.core))


def test_capacitors_that_only_numbers_show_to_be_parallel() -> None:
    """Each has an unknown potential of its own; a matching sees nothing wrong."""
    text = """
    model M
      import Modelica.Electrical.Analog.Basic.*;
      Capacitor C1(C=1), C2(C=2), C3(C=3);
      Modelica.Electrical.Analog.Ideal.IdealClosingSwitch S(Ron=0, Goff=0, control=time > 1);
      Resistor R1(R=1), R2(R=2), R3(R=3);
      Ground g;
    equation
      connect(C1.p, R1.p); connect(C1.n, C2.p); connect(C2.n, C3.p); connect(C3.n, S.p);
      connect(S.n, C1.p); connect(R1.n, g.p); connect(R2.p, C2.p); connect(R2.n, g.p);
      connect(R3.p, C3.p); connect(R3.n, g.p);
    end M;
    """
    model = Studied("M", text)

    assert model.released() == {"S.off = false": "C1.v C2.v C3.v"}


PLAIN = """
model M
  Real i(start=0, fixed=true), u, s;
  {declared}
equation
  der(i) = 10*sin(time) - u - i;
  {written}
end M;
"""


@pytest.mark.parametrize(
    ("declared", "written"),
    [
        ("", "u = if s < 0 then s else 0; i = if s > 0 then s else 0;"),
        ("", "u = if s < 0 then s else 0; i = if 0 < s then s else 0;"),
        ("parameter Real k = 2;", "u = if k*s < 0 then s else 0; i = if s >= 0 then s else 0;"),
        ("Boolean off = s < 0;", "if off then u = s; i = 0; else u = 0; i = s; end if;"),
    ],
)
def test_relations_that_turn_at_the_same_corner_are_one_bit(declared: str, written: str) -> None:
    core = Studied("M", PLAIN.format(declared=declared, written=written)).core
    assert core.is_there

    assert len(core.bits) == len(core.corners) == 1
    assert {place for _, place, _ in core.conditions} == {0}


@pytest.mark.parametrize(
    ("condition", "is_true", "is_below"),
    [
        ("s < 0 or sin(time) > 0.5", True, True),
        ("not (s > 0) or pre(b) and sin(time) > 0.5", True, True),
        ("s > 0 and sin(time) > -0.5", False, False),
    ],
)
def test_what_else_decides_holds_a_latch(condition: str, is_true: bool, is_below: bool) -> None:
    choice = "u = if b then {} else {}; i = if b then {} else {};"
    written = choice.format(*("s", "0", "0", "s") if is_below else ("0", "s", "s", "0"))
    core = Studied("M", PLAIN.format(declared=f"Boolean b = {condition};", written=written)).core
    assert core.is_there

    (corner,) = core.corners
    assert core.elements[0].kind is Kind.LATCH
    assert corner.held is not None
    assert (corner.is_held_true, corner.is_below) == (is_true, is_below)


def test_a_choice_inside_a_choice_is_seen_with_the_way_there() -> None:
    """Either of them alone leaves the equation something to be solved for."""
    written = "0 = if time > 1 then (if time > 2 then i else u) else u; s = 1;"
    model = Studied("M", PLAIN.format(declared="", written=written))

    assert model.released() == {"time > 1 = true, time > 2 = true": "i"}


def test_conditions_are_told_as_they_were_written() -> None:
    model = Studied("M", PLAIN.format(declared="", written="0 = if s < 2 then i else u; s = time;"))
    shown = show_switches(report_switches(model.ordered))

    assert "0 = if s < 2 then i else u" in shown
    assert "$" not in shown


# ---------------------------------------------------------------- what follows

CORES = ("HalfWaveL", "PeakDetector", "BridgeR", "BridgeL", "Boost", "TwoInductors", "Drum")


@pytest.mark.parametrize("name", CORES)
def test_each_part_needs_only_what_is_known_by_then(name: str) -> None:
    core = studied(name).core
    assert core.is_there
    later = {part.target for part in core.followed}
    for part in core.followed:
        assert later.isdisjoint(variables_in(part.value)), part
        later.remove(part.target)


@pytest.mark.parametrize("name", CORES)
def test_as_many_equations_as_variables_are_left(name: str) -> None:
    core = studied(name).core
    assert core.is_there
    gone = {part.equation for part in core.followed}

    assert len(core.equations) == len(core.variables) == len(core.matched)
    assert gone.isdisjoint(core.equations)
    assert {part.target for part in core.followed}.isdisjoint(core.variables)


@pytest.mark.parametrize("name", CORES)
def test_rates_and_curve_parameters_stay(name: str) -> None:
    model = studied(name)
    core = model.core
    assert core.is_there
    rates = set(map(der_of, core.differential))

    assert {corner.parameter for corner in core.corners} <= set(core.variables)
    for part in core.followed:
        equation = model.chosen.equations[part.equation]
        assert rates.isdisjoint(variables_in(equation.left, equation.right))


def test_how_much_is_left() -> None:
    left = {name: studied(name).core for name in ("HalfWaveL", "Boost", "BridgeL")}

    assert {name: [show_atom(v.name) for v in core.variables] for name, core in left.items()} == {
        "HalfWaveL": ["D.s", "L.i"],
        "Boost": ["Sw.s", "D.s", "R.i", "L.i", "C.v"],
        "BridgeL": ["D1.s", "D2.s", "D3.s", "D4.s", "RL.i", "C.v", "L.i"],
    }


def test_beside_a_core_states_are_chosen_once_for_all() -> None:
    """A pendulum in two coordinates would have its states chosen while it swings."""
    text = """
    model M
      Real x(start=0.6), y(start=-0.8), vx(start=0), vy(start=0), F, N, s;
      Boolean contact = s > 0;
    equation
      der(x) = vx; der(y) = vy;
      der(vx) = -F*x + N; der(vy) = -F*y - 9.81;
      x^2 + y^2 = 1;
      N = if contact then s else 0;
      x = if contact then {stop} else {stop} - s;
    end M;
    """
    model = Studied("M", text.format(stop=-0.2))
    assert model.core.is_there

    assert model.ordered.groups == ()
    assert [show_atom(v.name) for v in model.core.released] == ["x", "vx"]


def best_of_three(model: FlatModel) -> float:
    """Processor time of an analysis, without that of collecting garbage."""
    times = []
    gc.disable()
    try:
        for _ in range(3):
            began = process_time()
            analyse(model)
            times.append(process_time() - began)
    finally:
        gc.enable()
    return min(times)


def test_a_sum_of_many_choices_is_looked_at_once() -> None:
    """Processor time: four times the rooms, less than eight times the time."""
    took = {}
    for rooms in (150, 600):
        model = flat(
            "Rooms",
            f"""
model Rooms
  Real T[{rooms}](each start = 20, each fixed = true);
  Real total = sum(if T[i] > 20 + i then 1 else 0 for i in 1:{rooms});
equation
  for i in 1:{rooms} loop
    der(T[i]) = if T[i] > 20 + i then -1 else 1;
  end for;
end Rooms;
""",
        )
        assert not analyse(model).core.is_there
        took[rooms] = best_of_three(model)
    assert took[600] < 8 * took[150]


def test_what_flows_along_takes_no_states() -> None:
    """A knot of three pipes: what leaves them is mixed there, whichever way they flow. That all flow out of
    the knot cannot be, but was asked for."""
    model = Studied(
        "Knot",
        """
    model Knot
      Real T[3](start = {20, 50, 80}, each fixed = true), h, m[3], H[3];
    equation
      m[1] = cos(time);
      m[2] = 0.3*m[1];
      m[1] + m[2] + m[3] = 0;
      for i in 1:3 loop
        H[i] = semiLinear(m[i], h, T[i]);
        der(T[i]) = H[i] - m[i]*T[i];
      end for;
      sum(H) = 0;
    end Knot;
    """,
    )

    assert not model.core.is_there


def test_positions_in_the_middle_are_tried_with_others() -> None:
    """Closed without its resistor, and the diode conducting, the switch shorts the capacitor."""
    text = """
    model M
      Real v(start=1, fixed=true), i, u, w, j, s;
      Boolean a = time > 1, b = time > 2, off = s < 0;
    equation
      der(v) = i;
      0 = if not a then i + j elseif b then u else u - 5*(i + j);
      v = u + w;
      w = if off then s else 0;
      i = if off then 0 else s;
      j = u - 1;
    end M;
    """
    model = Studied("M", text)

    assert "v" in " ".join(model.released().values())
    assert any("a = true" in case and "b = true" in case for case in model.released())


def test_a_constraint_beside_diodes_is_not_differentiated_through_them() -> None:
    """Two capacitors in parallel; the diodes beside them are written `v = if open then s else 0`."""
    net = random_net(427)
    model = Studied(net.name, net.text("if"))
    rates = {v.name for e in model.chosen.equations for v in variables_in(e.left, e.right)}

    assert not any(name[0] == "$der" and name[-1] == "s" for name in rates)
    assert [show_atom(v.name) for v in model.chosen.states] == ["C2.v", "C4.v", "C10.v"]
