"""Models that cannot be solved, and what the modeller is told about each."""

from __future__ import annotations

import pytest

import freewheel as fw
from freewheel.base.diagnostics import Severity
from freewheel.tools.cli import execute


@pytest.fixture
def explained(tmp_path):
    def of(body: str, name: str = "M") -> list:
        path = tmp_path / f"{name}.mo"
        path.write_text(f"model {name}\n{body}\nend {name};\n")
        return list(fw.load(path).explain())

    return of


def codes(findings) -> list[str]:
    return [finding.code for finding in findings]


def places(finding) -> list[tuple[str, int]]:
    return [(label.span.source.path.rsplit("/")[-1], label.span.line) for label in finding.labels]


# ---------------------------------------------------------------- levels


def test_a_circuit_without_ground(explained):
    [finding] = explained(
        """
        Modelica.Electrical.Analog.Sources.ConstantVoltage U(V=5);
        Modelica.Electrical.Analog.Basic.Resistor R(R=100), R2(R=50);
      equation
        connect(U.p, R.p);
        connect(U.p, R2.p);
        connect(R.n, U.n);
        connect(R2.n, U.n);"""
    )

    assert finding.code == "E031"
    assert finding.severity is Severity.ERROR
    assert finding.message.startswith(
        "no ground: nothing fixes the potentials of `U`, `R` and `R2`"
    )
    assert finding.help.startswith("add a Modelica.Electrical.Analog.Basic.Ground")
    assert places(finding) == [("M.mo", 3), ("M.mo", 4), ("M.mo", 4)]


def test_a_piece_that_hangs_in_the_air_is_told_apart(explained):
    [finding] = explained(
        """
        Modelica.Electrical.Analog.Sources.ConstantVoltage U(V=5), F(V=1);
        Modelica.Electrical.Analog.Basic.Resistor R(R=100), FR(R=1);
        Modelica.Electrical.Analog.Basic.Ground G;
      equation
        connect(U.p, R.p);
        connect(R.n, G.p);
        connect(U.n, G.p);
        connect(F.p, FR.p);
        connect(F.n, FR.n);"""
    )

    assert finding.code == "E031"
    assert "of `F` and `FR`," in finding.message


def test_heat_without_a_temperature(explained):
    [finding] = explained(
        """
        Modelica.Thermal.HeatTransfer.Components.ThermalConductor A(G=1), B(G=2);
      equation
        connect(A.port_a, B.port_a);
        connect(A.port_b, B.port_b);"""
    )

    assert finding.code == "E031"
    assert "FixedTemperature" in finding.help


# ---------------------------------------------------------------- conflicts


def test_two_voltage_sources_in_parallel(explained):
    [finding] = explained(
        """
        Modelica.Electrical.Analog.Sources.ConstantVoltage U1(V=5), U2(V=6);
        Modelica.Electrical.Analog.Basic.Ground G;
      equation
        connect(U1.p, U2.p);
        connect(U1.n, U2.n);
        connect(U1.n, G.p);"""
    )

    assert finding.code == "E038"
    assert finding.message == "ideal voltage sources in a loop: `U1` and `U2`"
    assert finding.help == "remove one, or put a resistor between them"
    assert places(finding) == [("M.mo", 3), ("M.mo", 3)]


def test_two_current_sources_in_series(explained):
    [finding] = explained(
        """
        Modelica.Electrical.Analog.Sources.ConstantCurrent I1(I=1), I2(I=2);
        Modelica.Electrical.Analog.Basic.Ground G;
      equation
        connect(I1.n, I2.p);
        connect(I1.p, G.p);
        connect(I2.n, G.p);"""
    )

    assert finding.code == "E038"
    assert finding.message == "current sources in series: `I1` and `I2`"


def test_the_same_equation_in_other_words(explained):
    [finding] = explained("  Real x, y;\nequation\n  x + y = 1;\n  2*x + 2*y = 2;")

    assert finding.code == "E032"
    assert finding.message == (
        "2 equations say the same thing twice: `x + y = 1`, `2*x + 2*y = 2`;"
        " nothing determines `x`, `y`"
    )
    assert places(finding) == [("M.mo", 4), ("M.mo", 5)]


def test_one_equation_too_many(explained):
    [finding] = explained("  Real x, y;\nequation\n  x = 1;\n  y = 2*x;\n  y = 3;")

    assert finding.code == "E032"
    assert "contradict" in finding.message
    assert "nothing determines" not in finding.message
    assert finding.help == "remove one of these equations"


# ---------------------------------------------------------------- what is missing


def test_a_forgotten_equation(explained):
    [finding] = explained('  Real x, v, F "force";\nequation\n  der(x) = v;\n  der(v) = F - 2*x;')

    assert finding.code == "E033"
    assert finding.message == (
        "one equation is missing: nothing determines `F`, and so neither `x`, `v`"
    )
    assert places(finding) == [("M.mo", 2)]
    assert finding.labels[0].text == "`F` occurs in one equation only"


def test_a_variable_that_occurs_nowhere(explained):
    [finding] = explained("  Real x, lonely;\nequation\n  x = time;")

    assert finding.labels[0].text == "`lonely` occurs in no equation"


def test_an_input_left_open(explained):
    [finding] = explained(
        """
        Modelica.Blocks.Continuous.FirstOrder f(T=1);
        Modelica.Blocks.Math.Gain k(k=2);
      equation
        connect(f.y, k.u);"""
    )

    assert finding.code == "E033"
    assert "nothing determines `f.u`" in finding.message
    assert finding.labels[0].text == "`f.u`: input left open"
    assert finding.help == "connect `f.u`, or give a value"


# ---------------------------------------------------------------- states and the start

TIED = """
        Modelica.Electrical.Analog.Basic.Capacitor C1(C=1e-6, v(start=1, fixed=true));
        Modelica.Electrical.Analog.Basic.Capacitor C2(C=1e-6, v(start={start}, fixed={fixed}));
        Modelica.Electrical.Analog.Basic.Resistor R(R=100);
        Modelica.Electrical.Analog.Basic.Ground G;
      equation
        connect(C1.p, R.p);
        connect(C2.p, R.p);
        connect(C1.n, G.p);
        connect(C2.n, G.p);
        connect(R.n, G.p);"""


def test_states_that_tie_each_other_are_no_error(explained):
    [finding] = explained(TIED.format(start=1, fixed="false"))

    assert (finding.code, finding.severity) == ("E034", Severity.NOTE)
    assert finding.message.startswith("the states `C1.v`, `C2.v` depend on each other through")
    assert "give only one of them a fixed start" in finding.help


def test_two_fixed_starts_that_contradict_each_other(explained):
    tied, start = explained(TIED.format(start=2, fixed="true"))

    assert (tied.code, start.code) == ("E034", "E035")
    assert start.severity is Severity.ERROR
    assert "contradict each other" in start.message
    assert "`C1.v = 1`, `C2.v = 2`" in start.message
    assert start.help.startswith("make the start of `C2.v` not fixed")


def test_two_fixed_starts_that_agree(explained):
    _, start = explained(TIED.format(start=1, fixed="true"))

    assert (start.code, start.severity) == ("E035", Severity.NOTE)


def test_an_initial_equation_too_many(explained):
    [finding] = explained(
        "  Real x(start=1, fixed=true);\ninitial equation\n  der(x) = 0;\n"
        "equation\n  der(x) = 3 - x;"
    )

    assert finding.code == "E035"
    assert "`x = 1`" in finding.message
    assert places(finding)[0][0] == "M.mo"


RING = """  Real h1(start=2), h2(start=1);
initial equation
  der(h1) = 0;
  der(h2) = 0;
equation
  der(h1) = {inflow} - (h1 - h2);
  der(h2) = h1 - h2;"""


def test_a_steady_state_that_leaves_the_level_open(explained):
    twice, level = explained(RING.format(inflow="0"))

    assert (twice.code, twice.severity) == ("E035", Severity.NOTE)
    assert (level.code, level.severity) == ("E036", Severity.WARNING)
    assert "nothing fixes" in level.message
    assert {"`h1`", "`h2`"} <= set(level.message.replace(":", "").replace(",", "").split())
    assert [line for _, line in places(level)] == [2, 2]


def test_a_steady_state_that_cannot_be(explained):
    contradiction, _ = explained(RING.format(inflow="1"))

    assert (contradiction.code, contradiction.severity) == ("E035", Severity.ERROR)
    assert "`der(h1) = 0`, `der(h2) = 0`" in contradiction.message


def test_a_state_given_by_time(explained):
    [finding] = explained("  Real v, i;\nequation\n  v = sin(time);\n  i = 2*der(v);")

    assert (finding.code, finding.severity) == ("E034", Severity.NOTE)
    assert finding.message.startswith("`v` is not a free state")


def test_a_sound_model_has_no_findings(explained):
    assert explained("  Real x(start=1, fixed=true);\nequation\n  der(x) = -x;") == []


# ---------------------------------------------------------------- the command


def test_the_command_finds_what_counting_does_not(tmp_path, capsys):
    path = tmp_path / "twice.mo"
    path.write_text(
        "model Twice\n  Real x, y;\nequation\n  x + y = 1;\n  2*x + 2*y = 2;\nend Twice;\n"
    )

    assert execute(["check", str(path)]) == 0
    capsys.readouterr()
    assert execute(["explain", str(path)]) == 1
    assert "error[E032]: 2 equations say the same thing twice" in capsys.readouterr().out


def test_the_command_ends_well_where_there_are_only_notes(tmp_path, capsys):
    path = tmp_path / "given.mo"
    path.write_text("model Given\n  Real v, i;\nequation\n  v = time;\n  i = der(v);\nend Given;\n")

    assert execute(["explain", str(path)]) == 0
    assert capsys.readouterr().out.endswith("Given: no errors were found up to simulation\n")


def test_an_equation_that_says_nothing(explained):
    [finding] = explained("  Real x;\nequation\n  x = x;")

    assert finding.code == "E032"
    assert finding.message == ("the equation `x = x` determines nothing; nothing determines `x`")
    assert finding.help == "let it involve `x`"


def test_two_speeds_on_one_shaft(explained):
    [finding] = explained(
        """
        Modelica.Mechanics.Rotational.Sources.ConstantSpeed s1(w_fixed=1), s2(w_fixed=2);
      equation
        connect(s1.flange, s2.flange);"""
    )

    assert finding.code == "E038"
    assert finding.message.startswith("the angle of rigidly connected flanges is given more than")
    assert finding.message.endswith(": `s1` and `s2`")


def test_springs_that_nobody_holds(explained):
    [finding] = explained(
        """
        Modelica.Mechanics.Translational.Components.Spring a(c=1), b(c=2);
      equation
        connect(a.flange_a, b.flange_a);
        connect(a.flange_b, b.flange_b);"""
    )

    assert finding.code == "E031"
    assert "Translational.Components.Fixed" in finding.help
