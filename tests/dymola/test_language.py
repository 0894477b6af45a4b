"""Constructs of the classic language, each by what it means: listings, and numbers where it runs."""

from __future__ import annotations

from math import cos, log

import pytest

import freewheel as fw
from freewheel.base.diagnostics import CompileError


@pytest.fixture
def load(tmp_path):
    def write(text: str, **options) -> fw.Model:
        path = tmp_path / "m.dym"
        path.write_text(text, encoding="utf-8")
        return fw.load(path, **options)

    return write


def lines(model: fw.Model, stage: str = "flat") -> list[str]:
    return [" ".join(line.split()) for line in model.equations(stage).splitlines()]


def final(model: fw.Model, name: str, stop: float = 1.0) -> float:
    return model.simulate(stop=stop, tol=1e-9).final(name)


@pytest.mark.parametrize(
    ("formula", "value"),
    [
        ("2**3**2", None),  # powers do not chain
        ("2*3 + 4", 10.0),
        ("-2**2", -4.0),
        ("2*-3", -6.0),
        ("(1 + 2)*3", 9.0),
        ("7 - 2 - 1", 4.0),
        ("8/4/2", 1.0),
        ("ln(exp(2))", 2.0),
        ("arcsin(1) - 2*arctan(1)", 0.0),
        ("sqrt(16) + abs(-1)", 5.0),
        ("if 1 < 2 then 3 else if 2 < 1 then 4 else 5", 3.0),
        ("if 2 < 1 then 3 elseif not 2 < 1 and 1 <> 2 then 4 else 5", 4.0),
        ("1.5E1 + .5 + 2.", 17.5),
    ],
)
def test_expressions(formula, value, load):
    text = f"model M\n  local x\n  x = {formula}\nend\n"
    if value is None:
        with pytest.raises(CompileError):
            load(text)
    else:
        assert final(load(text), "x") == pytest.approx(value)


def test_equations_end_with_their_line_unless_something_is_missing(load):
    model = load(
        "model M\n  local a, b, c, d\n"
        "  a = 1 +\n    2\n"  # an operator at the end
        "  b = a\n    * 2 - 1\n"  # an operator at the beginning
        "  -c = 3\n"  # a sign begins an equation, for else there were two `=`
        "  (d + 1) = c; \n"
        "end M\n"
    )

    assert lines(model) == ["M a = 3", "b = 2*a - 1", "-c = 3", "d + 1 = c"]


def test_names_of_a_list_may_go_without_commas(load):
    model = load(
        "model M\n  parameter a=1 b=2, c=3\n  local x y,\n    z\n  x=a  ; y=b\n  z=c\nend\n"
    )

    assert lines(model) == ["M x = a", "y = b", "z = c"]


def test_comments_stand_in_braces(load):
    model = load("{ first\n line }model M {a}\n  local x {b} \n  x = {c} 1\nend {d}\n")

    assert lines(model) == ["M x = 1"]


def test_a_submodel_without_a_class_is_of_the_class_of_its_name(load):
    model = load("model class A\n  local x\n  x = 1\nend\nmodel M\n  submodel A\nend\n")

    assert lines(model) == ["A x = 1"]


def test_parameters_have_defaults_and_are_given_by_formulas(load):
    model = load(
        "model class A\n  parameter p = 1, q = 2\n  local x\n  x = p + q\nend\n"
        "model M\n  parameter r = 5\n  constant k = 2\n  submodel (A) a, b(p = k*r, q = 0)\nend\n"
    )

    assert final(model, "a.x") == 3
    assert final(model, "b.x") == 10


def test_models_before_their_classes_and_models_before_others(load):
    model = load("model M\n  submodel A\nend\nmodel class A\n  local x\n  x = 1\nend\n")

    assert model.name == ("M",)


def test_a_cut_of_the_class_itself_passes_on_what_comes(load):
    """Two resistors inside of a class, seen from outside as one of 3 Ohm."""
    model = load(
        "model class Pair\n  cut A(Va/i), B(Vb/-j)\n  main path P<A - B>\n"
        "  submodel (Resistor) R1(R = 1), R2(R = 2)\n  connect A - R1 - R2 - B\nend\n"
        "model M\n  submodel (Pair) p\n  submodel (vsource) U\n  submodel Common\n"
        "  connect Common - \\U - p - Common\n  U.V = 6\nend\n"
    )

    assert final(model, "p.i") == pytest.approx(2.0)
    assert final(model, "U.i") == pytest.approx(2.0)


PLUGS = """
model class Load
  cut A(Va/ia), B(Vb/ib)
  main cut Plug[A B]
  parameter G = 1
  ia = G*(Va - Vb)
  ib = -ia
end
model class Mains
  cut A(Va/ia), B(Vb/ib)
  main cut Plug[A, B]
  Va = 230
  Vb = 0
end
"""


def test_hierarchical_cuts_are_joined_part_by_part(load):
    model = load(
        PLUGS + "model M\n  submodel (Mains) m\n  submodel (Load) a, b(G = 2)\n  node n\n"
        "  connect m at n, a at n, b.Plug at n\nend\n"
    )

    assert final(model, "m.ia") == pytest.approx(-690.0)
    assert final(model, "b.ib") == pytest.approx(-460.0)


def test_a_part_of_a_hierarchical_cut_can_be_joined_alone(load):
    model = load(
        PLUGS + "model M\n  submodel (Mains) m\n  submodel (Load) a\n  submodel Common\n"
        "  connect m.Plug.A - a.A, a.Plug.B = m.B\nend\n"
    )

    assert final(model, "a.ia") == pytest.approx(230.0)


@pytest.mark.parametrize(
    "connection",
    [
        "Common at n0, U from n1 to n0, R1 from n1 to n0, R2 from n1 to n0",
        "Common - \\U - (R1//R2) - Common",
        "Common - \\U - n1, n1 - (R1//R2) - Common",
        "Common at (U.WireB, R1.B, R2.B), U.WireA at (R1.A, R2.A)",
        "Common = U.WireB, R1 from U.WireA to Common, R2//R1",
        "(R1//R2)//U, Common at R1.B",
    ],
)
def test_one_circuit_in_many_notations(connection, load):
    model = load(
        "model M\n  submodel (vsource) U\n  submodel (Resistor) R1(R = 2), R2(R = 3)\n"
        "  submodel Common\n  node n0, n1\n"
        f"  connect {connection}\n  U.V = 6\nend\n"
    )

    assert final(model, "R1.i") == pytest.approx(3.0)
    assert final(model, "R2.i") == pytest.approx(2.0)


def test_a_cut_that_is_joined_with_nothing_carries_nothing(load):
    model = load(
        "model M\n  submodel (Resistor) R1(R = 2), R2(R = 3)\n  submodel (vsource) U\n"
        "  submodel Common\n  connect Common - \\U - R1 - Common, R2.A at R1.A\n  U.V = 6\nend\n"
    )

    assert final(model, "R2.i") == 0.0
    assert final(model, "R2.Vb") == pytest.approx(6.0)


@pytest.mark.parametrize("end", ["R2 from a to b", "R2.A at a, R2.B at b", "n1 - R2 - b"])
def test_a_cut_alone_at_its_node_carries_nothing_though_its_potential_is_used(end, load):
    """The voltage at an open end is what one wants to know of it."""
    model = load(
        "model M\n  submodel (Resistor) R1(R = 2), R2(R = 3)\n  submodel (vsource) U\n"
        "  submodel Common\n  node a, b, n1\n  output y\n"
        f"  connect Common - \\U - a - R1 - Common, n1 at a, {end}\n"
        "  U.V = 6\n  y = R2.Vb\nend\n"
    )

    assert final(model, "y") == pytest.approx(6.0)
    assert final(model, "R2.i") == 0.0


def test_variables_of_a_cut_that_nothing_mentions_may_be_told(load):
    model = load(
        "model M\n  submodel (Resistor) R(R = 10)\n  output y\n"
        "  R.Va = 5\n  R.Vb = 0\n  y = R.i\nend\n"
    )

    assert final(model, "y") == pytest.approx(0.5)


def test_what_becomes_logical_by_use_is_passed_through_cuts(load):
    model = load(
        "model class Sensor\n  main cut c(b)\n  b = Time > 0.5\nend\n"
        "model class Lamp\n  main cut c(on)\n  local light\n  light = if on then 1 else 0\nend\n"
        "model M\n  submodel (Sensor) s\n  submodel (Lamp) l\n  connect s at l\nend\n"
    )

    assert final(model, "l.light", 0.4) == 0
    assert final(model, "l.light", 1.0) == 1


def test_a_logical_variable_toggles_in_when(load):
    model = load(
        "model M\n  local b, x\n  init b = True\n  x = if b then 1 else 2\n"
        "  when sin(10*Time) > 0 then\n    new(b) = not b\n  endwhen\nend\n"
    )
    result = model.simulate(stop=1.0, tol=1e-9)

    assert result["x"][0] == 1 or result["x"][1] == 2
    assert result.final("x") == 1


def test_a_class_of_the_user_extends_one_of_the_library(load):
    """What `Switch` says is written out in the user's class, places and all."""
    model = load(
        "model class (Switch) Valve\n  new(OpenSwitch) = u <= 0 and not i > 0\nend\n"
        "model M\n  submodel (Valve) v\n  submodel (Resistor) R(R = 2)\n  submodel (VSource) U\n"
        "  submodel Common\n  connect Common - U - R - v - Common\n  U.u0 = sin(Time)\nend\n"
    )
    result = model.simulate(stop=6.0, tol=1e-9)

    assert result["v.i"].max() == pytest.approx(0.5, abs=1e-4)
    assert result["v.i"].min() == pytest.approx(0.0, abs=1e-12)


def test_own_classes_win_over_those_of_libraries(load, tmp_path):
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "parts.dym").write_text(
        "model class Resistor\n  local x\n  x = 1\nend\nmodel class Other\n  local x\n  x = 2\nend\n"
    )
    model = load(
        "model class Other\n  local x\n  x = 3\nend\n"
        "model M\n  submodel (Resistor) r\n  submodel (Other) o\nend\n",
        library=[tmp_path / "lib"],
    )

    assert (final(model, "r.x"), final(model, "o.x")) == (1, 3)


def test_a_library_may_be_one_file(load, tmp_path, capsys):
    from freewheel.tools.cli import execute

    library = tmp_path / "parts.dym"
    library.write_text("model class Thing\n  local x\n  x = 3\nend\n")
    model = load("model M\n  submodel Thing\nend\n", library=[library])

    assert final(model, "Thing.x") == 3
    assert execute(["library", "list", "--library", str(library)]) == 0
    assert "parts" not in capsys.readouterr().out  # it holds no package


def test_start_values_of_states_are_zero_without_a_word(load):
    model = load("model M\n  local x\n  der(x) = 1\nend\n")

    assert model.check().warnings == ()
    assert final(model, "x") == pytest.approx(1.0)


def test_init_reaches_into_submodels_and_base_classes(load):
    model = load(
        "model class A\n  parameter p = 2\n  local x\n  der(x) = 0\nend\n"
        "model class (A) B\n  init x = p\nend\n"
        "model M\n  submodel (A) a\n  submodel (B) b\n  init a.x = 7\nend\n"
    )

    assert (final(model, "a.x"), final(model, "b.x")) == (7, 2)


def test_functions_are_called_and_differentiated(load):
    """`x = g(y)` with both as states of one constraint; gDER is the slope."""
    model = load(
        "function g(h) = h**2 + 1\nfunction gDER(h) = 2*h\n"
        "model M\n  local x, y, v\n  init y = 1\n  x = g(y)\n  der(x) = v\n  der(y) = 1\nend\n"
    )

    assert final(model, "v") == pytest.approx(4.0)


def test_every_command_takes_a_classic_file(load, tmp_path, capsys):
    from freewheel.tools.cli import execute

    load("model M\n  submodel (Resistor) R(R = 2)\n  submodel (Capacitor) C(C = 1)\n"
         "  submodel Common\n  init C.u = 1\n  connect Common - C - R - Common\nend\n")  # fmt: skip
    path = str(tmp_path / "m.dym")
    for words, told in [
        (["run", path, "--stop", "1"], "M: 0 s to 1 s"),
        (["check", path], "M: 9 unknowns, 9 equations"),
        (["check", path, "--syntax-only"], "parsed, 1 class"),
        (["check", str(tmp_path)], "M: 9 unknowns, 9 equations"),
        (["flatten", path], "C.Va"),
        (["equations", path], "SORTED AND SOLVED EQUATIONS"),
        (["explain", path], "no errors were found"),
        (["bondgraph", path], "element C C"),
        (["blocks", path, "--svg", str(tmp_path / "m.svg")], ""),
        (["export", path, "--to", "acsl"], "PROGRAM M"),
    ]:
        assert execute(words) == 0, words
        assert told in capsys.readouterr().out


def test_a_class_goes_on_connecting_what_its_base_has(load):
    """Nodes, submodels and connections of the base and of the class make one circuit."""
    model = load(
        "model class Half\n  submodel (Resistor) R1(R = 2)\n  submodel (vsource) U\n"
        "  submodel Common\n  node n0, n1\n"
        "  connect Common at n0, U from n1 to n0, R1 from n1 to n0\n  U.V = 6\nend\n"
        "model (Half) Whole\n  submodel (Resistor) R2(R = 3)\n  connect R2 from n1 to n0\nend\n"
    )

    assert final(model, "R2.i") == pytest.approx(2.0)
    assert final(model, "U.i") == pytest.approx(5.0)
    assert "R2.i + R1.i = U.i" in lines(model)


def test_end_when_may_be_two_words(load):
    model = load(
        "model M\n  local n\n  when Time > 0.5 then\n    new(n) = n + 1;\n  end when;\nend\n"
    )

    assert final(model, "n") == 1


def test_a_whole_number_may_keep_its_value_without_when(load):
    """The rectifier of document 000 with the switch as 0 or 1, as a discrete state."""
    model = load(
        "model class (TwoPort) Switch\n  terminal OpenSw\n"
        "  0 = OpenSw * i + (1 - OpenSw) * u\nend\n"
        "model class (Switch) Diode\n"
        "  new(OpenSw) = if u <= 0 and not i > 0 then 1 else 0\nend\n"
        "model M\n  submodel (VSource) U0\n  submodel (Resistor) Ri(R = 10), RL(R = 50)\n"
        "  submodel (Capacitor) C(C = 0.001)\n  submodel Diode\n  submodel Common\n"
        "  connect Common - ((U0 - Ri - Diode)//C//RL)\n"
        "  U0.u0 = sin(2*3.14159265358979*50*Time)\nend\n"
    )
    result = model.simulate(stop=0.2, tol=1e-9)

    assert set(result["Diode.OpenSw"]) == {0.0, 1.0}
    assert result.final("C.u") == pytest.approx(-0.45798816240656, abs=1e-7)


def test_a_spring_of_the_user_between_bodies_of_the_library(load):
    model = load(
        "model chain\n  submodel (Inertial) i\n  submodel (TransBody) m(m = 2)\n"
        "  submodel Spring(c = 50)\n  init Spring.p = 0.1\n  connect i - Spring - m\nend\n"
        "model class (TransForce) Spring\n  parameter c\n  f = -c*p\nend\n"
    )

    assert final(model, "m.p", 1.0) == pytest.approx(0.1 * cos(5.0), abs=1e-7)


def test_a_machine_of_one_state_keeps_a_room_warm(load):
    model = load(
        "model thermostat\n  parameter low = 19, high = 21\n  local T, on\n  init T = 15\n"
        "  der(T) = if on then 2 - 0.1*(T - 10) else -0.1*(T - 10)\n"
        "  new(on) = T < low or on and not T > high\nend\n"
    )
    result = model.simulate(stop=50.0, tol=1e-8)
    later = result.time > 12.0
    warm = 10 * log((30 - 15) / (30 - 21))  # from 15 to 21 degrees towards 30

    assert any(event.time == pytest.approx(warm, abs=1e-6) for event in result.events)
    assert result["T"][later].min() == pytest.approx(19.0, abs=1e-6)
    assert result["T"][later].max() == pytest.approx(21.0, abs=1e-6)


def test_equations_may_reach_into_submodels(load):
    model = load(
        "model class Osc\n  terminal x, v\n  der(x) = v\nend\n"
        "model outer\n  submodel Osc\n  init Osc.x = 1\n  der(Osc.v) = -Osc.x\nend\n"
    )

    assert final(model, "Osc.x", 2.0) == pytest.approx(cos(2.0), abs=1e-7)


def test_blocks_with_inputs_and_outputs_make_a_control_loop(load):
    model = load(
        "model class PI\n  input e\n  output y\n  parameter k = 2, Ti = 0.5\n  local x\n"
        "  der(x) = e/Ti\n  y = k*(e + x)\nend\n"
        "model class Plant\n  terminal u, y\n  parameter T = 1\n  T*der(y) = u - y\nend\n"
        "model loop\n  submodel (PI) c\n  submodel (Plant) p(T = 2)\n  input r\n"
        "  c.e = r - p.y\n  p.u = c.y\nend\n"
    )

    assert model.simulate(stop=40.0, inputs={"r": 3.0}).final("p.y") == pytest.approx(3.0, abs=1e-4)


def test_a_class_adds_to_the_events_of_its_base(load):
    model = load(
        "model class Ball\n  parameter c = 0.8, h0 = 1\n  local h, v\n  init h = h0\n"
        "  der(h) = v\n  der(v) = -9.81\n  when h <= 0 then\n    new(v) = -c*v\n  endwhen\nend\n"
        "model class (Ball) Counting\n  local n\n  when h <= 0 then\n    new(n) = n + 1\n"
        "  endwhen\nend\n"
        "model balls\n  submodel (Ball) a\n  submodel (Counting) b(h0 = 0.5)\nend\n"
    )

    assert final(model, "b.n", 1.0) == 2  # at 0.319 and 0.830 s


def test_old_values_may_be_named_as_in_later_texts(load):
    """A machine with `pre` in its transitions (document 002) is one with `new`."""
    text = (
        "model M\n  local T, on\n  init T = 15\n"
        "  der(T) = if on then 2 - 0.1*(T - 10) else -0.1*(T - 10)\n  {}\nend\n"
    )
    with_new = load(text.format("new(on) = T < 19 or on and not T > 21"))
    one = with_new.simulate(stop=50.0, tol=1e-8)
    other = load(text.format("on = T < 19 or pre(on) and not T > 21")).simulate(stop=50.0, tol=1e-8)

    assert len(one.events) == len(other.events) > 4
    assert one.final("T") == other.final("T")


SAMPLER = """
model sampler
  parameter T = 0.25
  local NextTime, x, u
  output y
  u = 1 + Time
  when Time >= NextTime then
    new(NextTime) = NextTime + T
    new(x) = u - 0.5*x
    y = x
  endwhen
end
"""


@pytest.mark.parametrize("condition", ["Time >= NextTime", "NextTime <= Time"])
def test_a_sampler_whose_time_has_come_begins_with_the_run(condition, tmp_path):
    """Against the recursion by hand; in Modelica and in Python it does the same."""
    path = tmp_path / "sampler.dym"
    path.write_text(SAMPLER.replace("Time >= NextTime", condition))
    model = fw.load(path)
    (tmp_path / "sampler.mo").write_text(model.export("modelica")["sampler.mo"])
    names: dict = {"__name__": "sampler"}
    exec(model.export("python")["sampler.py"], names)

    x, y = 0.0, 0.0
    for k in range(5):
        y, x = x, 1 + 0.25 * k - 0.5 * x
    for found in (
        model.simulate(stop=1.1),
        fw.load(tmp_path / "sampler.mo").simulate(stop=1.1),
        names["simulate"](stop=1.1),
    ):
        assert found["x"][0] == 1.0
        assert found["x"][-1] == pytest.approx(x)
        assert found["y"][-1] == pytest.approx(y)


def test_other_conditions_that_hold_at_the_start_do_not_become_true(tmp_path):
    path = tmp_path / "m.dym"
    path.write_text(
        "model M\n  local x, n\n  init x = 1\n  der(x) = 0\n"
        "  when x > 0.5 then\n    new(n) = n + 1\n  endwhen\nend\n"
    )

    assert fw.load(path).simulate(stop=1)["n"][-1] == 0


SLOPES = """
function f(x) = x**3 + x

model M
  output q r s
  f(q) = 2 + 8*Time
  r = fDER(q)
  s = fDERDER(q)
end
"""


def test_the_slope_of_a_function_need_not_be_written(tmp_path):
    """`gDER` of document 003: `f(q) = q**3 + q`, so that `fDER(q) = 3*q**2 + 1`."""
    path = tmp_path / "m.dym"
    path.write_text(SLOPES)
    model = fw.load(path)
    (tmp_path / "m.mo").write_text(model.export("modelica")["M.mo"])

    for found in (model.simulate(stop=1), fw.load(tmp_path / "m.mo").simulate(stop=1)):
        assert found["q"][-1] == pytest.approx(2.0, rel=1e-9)
        assert found["r"] == pytest.approx(3 * found["q"] ** 2 + 1)
        assert found["s"] == pytest.approx(6 * found["q"])


def test_a_class_may_begin_with_another_value_than_its_base_class(tmp_path):
    path = tmp_path / "m.dym"
    path.write_text(
        "model type base\n  local x\n  der(x) = -x\n  init x = 1\nend\n"
        "model (base) M\n  init x = 2\nend\n"
    )

    assert fw.load(path).simulate(stop=1)["x"][0] == 2


@pytest.mark.parametrize(
    ("equation", "help_text"),
    [
        ("cos(q) = 1 + Time", "`acos` needs an argument from -1 to 1, here it is 1.0"),
        ("q**2 = Time - 0.5", "`sqrt` needs an argument that is not negative, here it is -0.5"),
        ("q = ln(0.5 - Time)", "`log` needs an argument that is positive, here it is"),
        (
            "q = (0.5 - Time)**1.5",
            "a power with the exponent 1.5 needs a base that is not negative",
        ),
    ],
)
def test_a_function_outside_of_its_domain_is_named(equation, help_text, tmp_path):
    path = tmp_path / "m.dym"
    path.write_text(f"model M\n  output q\n  {equation}\nend\n")

    with pytest.raises(fw.FreewheelError) as failure:
        fw.load(path).simulate(stop=1)
    assert failure.value.diagnostics[0].code == "R122"
    assert failure.value.diagnostics[0].help.startswith(help_text)
