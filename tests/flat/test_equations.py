"""Equation sections: loops, branches, when, initial, algorithms, assertions, texts."""

from __future__ import annotations

import pytest

import freewheel as fw


def equations_of(flat, declarations: str, equations: str) -> list[str]:
    return flat(f"model M {declarations} equation {equations} end M;").equations


def test_a_loop_over_an_array_stays_whole(flat):
    lines = equations_of(
        flat, "Real x[1000];", "for i in 1:1000 loop der(x[i]) = -i*x[i]; end for;"
    )

    assert lines == ["for i in 1:1000 loop der(x[i]) = -i*x[i]; end for"]


def test_nested_loops(flat):
    lines = equations_of(
        flat, "Real A[2, 3];", "for i in 1:2, j in 1:3 loop A[i, j] = i*j; end for;"
    )

    assert lines == ["for i in 1:2 loop for j in 1:3 loop A[i, j] = i*j; end for; end for"]


def test_a_loop_that_picks_components_is_unrolled(flat):
    text = "model Leaf Real x; end Leaf; "
    text += "model M Leaf l[2]; equation for i in 1:2 loop l[i].x = i^2; end for; end M;"

    assert flat(text).equations == ["l[1].x = 1^2", "l[2].x = 2^2"]


def test_a_loop_over_an_array_of_values(flat):
    lines = equations_of(flat, "Real x[3];", "for i in {1, 3} loop x[i] = i; end for; x[2] = 0;")

    assert lines[0] == "for i in {1, 3} loop x[i] = i; end for"


def test_a_loop_over_an_enumeration(flat):
    text = """type E = enumeration(a, b);
      model M Real x[E]; equation for e in E loop x[e] = Integer(e); end for; end M;"""

    assert flat(text).equations == ["for e in {E.a, E.b} loop x[e] = Integer(e); end for"]


def test_a_loop_without_elements_vanishes(flat):
    declarations = "parameter Integer n = 0; Real x[n];"

    assert equations_of(flat, declarations, "for i in 1:n loop x[i] = 1; end for;") == []


def test_a_loop_without_a_range(flat):
    lines = equations_of(flat, "Real x[3];", "for i loop x[i] = i; end for;")

    assert lines == ["for i in 1:3 loop x[i] = i; end for"]


def test_a_branch_chosen_by_a_parameter(flat):
    declarations = "parameter Boolean b = true; Real x;"
    printed = flat(f"model M {declarations} equation if b then x = 1; else x = 2; end if; end M;")

    assert printed.equations == ["x = 1"]
    assert printed.variable("b").is_structural


def test_branches_may_hold_different_numbers_of_equations_when_decided(flat):
    declarations = "parameter Integer k = 2; Real x; Real y;"
    body = "if k == 1 then x = 1; elseif k == 2 then x = 2; y = 3; else x = 0; end if;"

    assert equations_of(flat, declarations, body) == ["x = 2", "y = 3"]


def test_a_branch_chosen_at_run_time_stays(flat):
    body = "if x > 1 then der(x) = -1; elseif x > 0 then der(x) = -2; else der(x) = 0; end if;"

    assert equations_of(flat, "Real x;", body) == [
        "if x > 1 then der(x) = -1; elseif x > 0 then der(x) = -2; else der(x) = 0; end if"
    ]


def test_a_branch_that_is_not_taken_is_not_looked_at(flat):
    declarations = "parameter Integer n = 0; Real x[n]; Real y;"

    assert equations_of(flat, declarations, "if n > 0 then y = x[1]; else y = 0; end if;") == [
        "y = 0"
    ]


def test_when_with_elsewhen_and_reinit(flat):
    body = """der(x) = 1;
      when x > 2 then reinit(x, 0); n = pre(n) + 1; elsewhen {time > 5, initial()} then n = 0; end when;"""

    assert equations_of(flat, "Real x(start = 0); Integer n(start = 0);", body) == [
        "der(x) = 1",
        "when x > 2 then reinit(x, 0); n = pre(n) + 1; "
        "elsewhen {time > 5, initial()} then n = 0; end when",
    ]


def test_a_loop_inside_when(flat):
    body = "when sample(0, 0.1) then for i in 1:2 loop d[i] = time + i; end for; end when;"

    assert equations_of(flat, "discrete Real d[2];", body) == [
        "when sample(0, 0.1) then for i in 1:2 loop d[i] = time + i; end for; end when"
    ]


def test_a_variable_assigned_in_when_is_not_forced_discrete_by_declaration(flat):
    printed = flat("model M discrete Real d; equation when time > 1 then d = 2; end when; end M;")

    assert printed["d"] == "discrete Real d"


def test_a_clocked_when_is_carried_along(flat):
    body = "when Clock(0.1) then x = previous(x) + 1; end when;"

    assert equations_of(flat, "Real x(start = 0);", body) == [
        "when Clock(0.1) then x = previous(x) + 1; end when"
    ]


def test_clock_operators_are_carried_along(flat):
    declarations = (
        "Clock c = Clock(1, 10); Real u = sample(time, c); Real y = hold(subSample(u, 2));"
    )
    printed = flat(f"model M {declarations} end M;")

    assert printed.variable("c").type.name == "Clock"
    assert printed.equations[1:] == ["u = sample(time, c)", "y = hold(subSample(u, 2))"]


def test_initial_equations_and_algorithms(flat):
    text = """model M Real x; parameter Real p(fixed = false); Integer n(start = 0);
      initial equation x = p; p = 2; initial algorithm n := 3;
      equation der(x) = -x; algorithm when x < 1 then n := n + 1; end when; end M;"""
    printed = flat(text)

    assert printed.initial == ["x = p", "p = 2"]
    assert printed.initial_algorithms == ["n := 3;"]
    assert printed.algorithms == ["when x < 1 then n := n + 1; end when;"]
    assert printed["p"] == "parameter Real p(fixed = false)"


def test_an_algorithm_with_everything(flat):
    text = """model M Real y; Real v[2]; Integer k; algorithm
      y := 0; k := 1;
      for i in 1:2 loop v[i] := i; y := y + v[i]; end for;
      while k < 10 loop k := 2*k; if k > 5 then break; end if; end while;
      if y > 1 then y := 1; elseif y > 0 then y := 2; else y := 3; end if; end M;"""

    assert flat(text).algorithms == [
        "y := 0; k := 1; for i in 1:2 loop v[i] := i; y := y + v[i]; end for; "
        "while k < 10 loop k := 2*k; if k > 5 then break; else  end if; end while; "
        "if y > 1 then y := 1; elseif y > 0 then y := 2; else y := 3; end if;"
    ]


def test_several_results_in_an_algorithm(flat):
    text = """function two input Real u; output Real p; output Real q; algorithm p := u; q := -u; end two;
      model M Real a; Real b; algorithm (a, b) := two(time); end M;"""

    assert flat(text).algorithms == ["(a, b) := two(time);"]


def test_an_algorithm_over_components_is_unrolled(flat):
    text = """model Leaf Real x; end Leaf;
      model M Leaf l[2]; algorithm for i in 1:2 loop l[i].x := i; end for; end M;"""

    assert flat(text).algorithms == ["l[1].x := 1; l[2].x := 2;"]


def test_parameters_set_by_a_call_with_several_outputs_under_a_condition(flat):
    """As filters do: arrays of parameters with `fixed = false`, found at the start."""
    text = """
    function coefficients input Integer n; output Real a[n]; output Real b[n + 1];
      algorithm a := ones(n); b := zeros(n + 1); end coefficients;
    model M parameter Integer n = 2; parameter Boolean low = true;
      parameter Real a[n](each fixed = false); parameter Real b[n + 1](each fixed = false);
      initial equation
        if low then (a, b) = coefficients(n); else a = zeros(n); b = zeros(n + 1); end if; end M;
    """
    printed = flat(text)

    assert printed["b"] == "parameter Real[3] b(fixed = false)"
    assert printed.initial == ["(a, b) = coefficients(n)"]


def test_assertions_and_terminate(flat):
    body = """assert(x < 10, "too large"); assert(x > 0, "x = " + String(x), AssertionLevel.warning);
      when x > 5 then terminate("done"); end when; x = time;"""

    assert equations_of(flat, "Real x;", body) == [
        'assert(x < 10, "too large")',
        'assert(x > 0, "x = " + String(x), warning)',
        'when x > 5 then terminate("done"); end when',
        "x = time",
    ]


def test_the_instance_name(flat):
    text = "model Part String s = getInstanceName(); end Part; model M Part p[2]; end M;"

    assert flat(text).equations == ['p[1].s = "M.p[1]"', 'p[2].s = "M.p[2]"']


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("String(3)", "String(3)"),
        (
            "String(x, significantDigits = 4)",
            "String(x, minimumLength = 0, leftJustified = true, significantDigits = 4)",
        ),
        ('String(x, format = ".3f")', 'String(x, format = ".3f")'),
        ("String(true)", "String(true)"),
        ("String(E.b)", '"b"'),
        ('"a" + "b"', '"a" + "b"'),
    ],
)
def test_texts(flat, text, expected):
    model = f"type E = enumeration(a, b); model M Real x = time; String s = {text}; end M;"

    assert flat(model).equations[-1] == f"s = {expected}"


def test_enumerations_with_attributes_index_and_comparison(flat):
    text = """type Level = enumeration(low "l", high "h");
      model M parameter Level p = Level.high; Level q(start = Level.low);
      Real t[Level] = {1, 2}; Real y = t[p]; Real z = t[q]; Boolean b = q < Level.high;
      equation when time > 1 then q = Level.high; end when; end M;"""
    printed = flat(text)

    assert printed["p"] == "parameter Level p = Level.high"
    assert printed["q"] == "Level q(start = Level.low)"
    assert printed.equations[1:4] == ["y = t[2]", "z = t[q]", "b = q < Level.high"]
    assert [e.name for e in printed.model.enumerations] == [("Level",)]


def test_an_enumeration_table_indexed_at_run_time(flat):
    """As logic tables do: two enumeration dimensions, both subscripts change."""
    text = """type L = enumeration(zero, one);
      model M constant L table[L, L] = {{L.zero, L.zero}, {L.zero, L.one}};
      L a(start = L.one); L b(start = L.zero); L y = table[a, b];
      equation when time > 1 then a = L.zero; b = L.one; end when; end M;"""
    printed = flat(text)

    assert printed.variable("table").dims == (2, 2)
    assert printed.equations[0] == "y = ({{L.zero, L.zero}, {L.zero, L.one}})[a, b]"


@pytest.mark.parametrize(
    ("declarations", "equation", "code"),
    [
        ("Real x; Boolean b;", "x = b;", "N041"),
        ("Real x; String s;", "x = s;", "N041"),
        ("Real x[2]; Real y[3];", "x = y;", "N040"),
        ("Real x;", "x = 1 + true;", "N041"),
        ("Real x[2];", "x = 1;", "N040"),
        ("Boolean b;", "b = not 1;", "N041"),
        ("Real x;", "if 1 then x = 1; else x = 2; end if;", "N042"),
        ("Real x; Real y;", "(x, y) = 3;", "N073"),
        ("Real x;", "x = y;", "N001"),
        ("Real x;", "when x then x = 1; end when;", "N042"),
        ("Real A[2, 3]; Real B[2, 2];", "B = A*A;", "N040"),
        ('Real x = 1 + "a";', "", "N041"),
        ("Integer n = 1.5;", "", "N041"),
        ("parameter Real p = time;", "", "N044"),
        ("Real x; constant Real c = x;", "x = 1;", "N044"),
        ("Real x(start = time);", "der(x) = 1;", "N044"),
        ("Real x(start = true);", "der(x) = 1;", "N041"),
        ("Real x(unit = 5);", "x = 1;", "N041"),
    ],
)
def test_types_sizes_and_variability_are_checked(refused, declarations, equation, code):
    assert refused(f"model M {declarations} equation {equation} end M;").code == code


def test_a_loop_is_unrolled_where_a_parameter_decides_turn_by_turn(flat):
    body = "for i in 1:3 loop if i == 1 then x[i] = 0; else x[i] = x[i - 1] + 1; end if; end for;"

    assert equations_of(flat, "Real x[3];", body) == [
        "x[1] = 0",
        "x[2] = x[1] + 1",
        "x[3] = x[2] + 1",
    ]


def test_branches_that_hold_only_connections_leave_nothing(flat):
    text = """connector Pin Real v; flow Real i; end Pin; model Ground Pin p; equation p.v = 0; end Ground;
      model M parameter Boolean b[2] = {true, false}; Ground g[2]; Ground h;
      equation for k in 1:2 loop if b[k] then connect(g[k].p, h.p); end if; end for; end M;"""

    assert flat(text).equations[3:] == [
        "g[1].p.v = h.p.v",
        "g[1].p.i + h.p.i = 0.0",
        "g[2].p.i = 0.0",
    ]


def test_an_external_object_is_made_by_its_constructor(flat):
    text = """
    class Table extends ExternalObject;
      function constructor input Real a[:]; output Table t; external "C" t = make(a, size(a, 1));
      end constructor;
      function destructor input Table t; external "C" free_it(t); end destructor;
    end Table;
    function look input Table t; input Real x; output Real y; external "C" y = look(t, x); end look;
    model M Table t = Table({1, 2, 3}); Real y = look(t, time); end M;
    """
    printed = flat(text)

    assert printed.equations[-1] == "y = look(t, time)"
    assert sorted(printed.functions) == ["Table.constructor", "Table.destructor", "look"]


def test_a_derivative_may_equal_an_integer(tmp_path):
    path = tmp_path / "m.mo"
    path.write_text(
        "model M Real x(start=0, fixed=true); Integer n = if time < 1 then 1 else 2;\n"
        "equation der(x) = n; end M;"
    )
    assert fw.load(path).simulate(stop=2.0).final("x") == pytest.approx(3.0)


def test_several_annotations_of_a_class_count_as_one_and_are_a_warning(flat):
    text = """
    model Base annotation(Icon(graphics = {})); Real y = 1; annotation(experiment(StopTime = 9)); end Base;
    model M
      extends Base;
      Base b1, b2;
      Real x = time;
      annotation(Icon(graphics = {}));
    equation
      annotation(experiment(StopTime = 5), Documentation(info = "second"));
    algorithm
      annotation(Diagram(graphics = {}));
    end M;"""
    printed = flat(text)

    assert printed.model.experiment.stop_time == 5
    assert printed.warnings == ["S015", "S015"]  # once for each class


def test_fields_of_a_record_that_is_an_input_are_inputs(flat):
    text = "record R Real a; Real b; end R; model M input R r; output Real y = r.a + r.b; end M;"

    assert [v for v in flat(text).variables if "input" in v] == ["input Real r.a", "input Real r.b"]
