"""Functions: arguments, outputs, arrays, function values, external code."""

from __future__ import annotations

import math

import pytest

import freewheel as fw

F = """
function f input Real a; input Real b = 2; input Real c = a + b; output Real y;
algorithm y := a + b*c; end f;
function two input Real u; output Real p; output Real q; algorithm p := u; q := -u; end two;
function scale input Real v[:]; input Real k = 1; output Real w[size(v, 1)]; algorithm w := k*v; end scale;
"""


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ("f(1, 5, 6)", "f(1, 5, 6)"),
        ("f(1)", "f(1, 2, 1 + 2)"),
        ("f(1, c = 9)", "f(1, 2, 9)"),
        ("f(b = 3, a = 1)", "f(1, 3, 1 + 3)"),
        ("f(time, b = 0)", "f(time, 0, time + 0)"),
        ("two(3)", "two(3)"),
        ("sum(scale({1, 2}, 3))", "sum(scale({1, 2}, 3))"),
        ("scale({1, 2, 3})*{1, 1, 1}", "scale({1, 2, 3}, 1)*{1, 1, 1}"),
    ],
)
def test_arguments_are_put_in_order_and_defaults_filled_in(flat, call, expected):
    assert flat(F + f"model M Real y = {call}; end M;").equations == [f"y = {expected}"]


@pytest.mark.parametrize(
    ("call", "code"),
    [
        ("f(1, 2, 3, 4)", "N065"),
        ("f(1, z = 3)", "N066"),
        ('f("a")', "N068"),
        ("f()", "N065"),
        ("two({1, 2}, 1)", "N065"),
        ("nothing(1)", "N062"),
        ("scale(1)", "N068"),
    ],
)
def test_wrong_calls_are_refused(refused, call, code):
    found = refused(F + f"model M Real y = {call}; end M;")

    assert found.code == code


def test_a_default_may_refer_to_a_later_input(flat):
    text = (
        "function g input Real a = 2*b; input Real b = 3; output Real y; algorithm y := a; end g;"
    )

    assert flat(text + "model M Real y = g(b = time); end M;").equations == ["y = g(2*time, time)"]


def test_defaults_in_a_circle_are_refused(refused):
    text = "function g input Real a = b; input Real b = a; output Real y; algorithm y := a; end g;"

    assert refused(text + "model M Real y = g(); end M;").code == "N065"


def test_a_function_of_the_model_hides_one_of_the_language(flat):
    text = """package P function sin input Real u; output Real y; algorithm y := u; end sin;
      model M parameter Real max = 3; Real a = sin(time); Real b = max(1, max);
        Real c = .sin(time); end M; end P;"""

    assert flat(text, "P.M").equations == ["a = P.sin(time)", "b = max(1, max)", "c = sin(time)"]


def test_a_scalar_function_on_an_array_of_unknown_size_runs_over_it(flat):
    text = (
        F
        + """function g input Real v[:]; output Real s; algorithm s := sum(f(v, 1, 1)); end g;
      model M constant Real s = g({1, 2, 3}); Real x = s; end M;"""
    )

    assert flat(text).value("s") == "9.0"


def test_several_outputs(flat):
    text = F + "model M Real a; Real b; equation (a, b) = two(time); end M;"

    assert flat(text).equations == ["(a, b) = two(time)"]


def test_an_output_may_be_left_out(flat):
    text = F + "model M Real b; equation (, b) = two(time); end M;"

    assert flat(text).equations == ["(, b) = two(time)"]


def test_too_many_targets_are_refused(refused):
    text = F + "model M Real a, b, c; equation (a, b, c) = two(time); end M;"

    assert refused(text).code == "N072"


def test_a_scalar_function_is_applied_to_arrays_element_by_element(flat):
    text = F + "model M Real x[2] = {1, 2}; Real y[2] = f(x, 3, 4); end M;"

    assert flat(text).equations[-1] == "y = {f(x[1], 3, 4), f(x[2], 3, 4)}"


def test_a_builtin_function_is_applied_to_arrays(flat):
    assert (
        flat("model M Real x[2] = {1, 2}; Real y[2] = sin(x); end M;").equations[-1] == "y = sin(x)"
    )


@pytest.mark.parametrize(
    ("call", "name"), [("asin(u)", "asin"), ("asin(2*u)", "g"), ("bend(u)", "g")]
)
def test_functions_of_c_that_the_language_has_are_its_own(flat, call, name):
    """Early versions of the standard library wrote them so; other arguments make another function."""
    text = f"""
    function g input Real u; output Real y; external "C" y = {call}; end g;
    model M Real x = g(time); end M;
    """

    assert flat(text).equations[-1] == f"x = {name}(time)"


@pytest.mark.parametrize(
    ("clause", "expected"),
    [
        ('external "builtin" y = atan2(b, a)', 0.75),
        ('external "C" y = atan2(b, a)', 0.75),
        ('external "builtin" y = atan2(2*b, a + 1)', 1.2),
        ('external "builtin" y = atan2(a, b)', 4 / 3),
        ('external "builtin" y = sin(b)', None),
    ],
)
@pytest.mark.parametrize("call", ["f(4)", "f(4, 3)", "f(b = 3, a = 4)"])
def test_an_external_builtin_gets_the_arguments_written(clause, expected, call):
    text = f"""function f input Real a; input Real b = 3; output Real y; {clause}; end f;
    model M Real y = {call}; end M;"""
    y = fw.load_text(text).simulate()["y"][-1]
    assert y == pytest.approx(math.sin(3) if expected is None else math.atan(expected), rel=1e-12)


@pytest.mark.parametrize(
    ("clause", "code", "words"),
    [
        ('external "builtin" y = __import__(x)', "N903", "no function of the language"),
        ('external "builtin" y = sine(x)', "N903", "sin"),
        ('external "builtin"', "N903", "`f` needs `f`"),
        ('external "builtin" sin(x)', "N903", "to no output"),
        ('external "builtin" y = sin(x, x)', "N060", "takes 1 argument"),
        ('external "builtin" y = sin(z)', "N001", "`z` is not declared"),
        ('external "builtin" y = String(x)', "N041", "types"),
        ('external "builtin" y = pre(x)', "N069", "cannot be used in a function"),
    ],
)
def test_a_wrong_external_builtin_is_told_at_its_clause(refused, clause, code, words):
    function = f"function f input Real x; output Real y; {clause}; end f;"
    found = refused(f"{function} model M Real y = f(time); end M;")
    assert found.code == code
    assert words in f"{found.message} {found.help}"
    assert found.labels[0].span.text.startswith(("external", "z"))


def test_arrays_of_different_sizes_are_refused(refused):
    assert refused(F + "model M Real y[2] = f({1, 2}, {1, 2, 3}, 0); end M;").code == "N040"


def test_recursive_functions_are_allowed(flat):
    text = """
    function fact input Integer n; output Integer r; algorithm
      if n <= 1 then r := 1; else r := n*fact(n - 1); end if; end fact;
    model M constant Integer k = fact(5); Real x[k] = ones(k); end M;
    """

    assert flat(text).variable("x").dims == (120,)


def test_a_recursion_without_end_is_refused(refused):
    text = """function f input Integer n; output Integer r; algorithm r := f(n + 1); end f;
    model M constant Integer k = f(5); end M;"""

    assert refused(text).code[0] in "NF"


def test_functions_reached_through_functions_are_collected(flat):
    text = """
    function g input Real u; output Real y; algorithm y := h(u); end g;
    function h input Real u; output Real y; algorithm y := u^2; end h;
    function unused input Real u; output Real y; algorithm y := u; end unused;
    model M Real y = g(time); end M;
    """

    assert sorted(flat(text).functions) == ["g", "h"]


FUNCTIONAL = """
partial function Scalar input Real u; output Real y; end Scalar;
function square extends Scalar; algorithm y := u^2; end square;
function power extends Scalar; input Real n; algorithm y := u^n; end power;
function at input Scalar g; input Real u; output Real y; algorithm y := g(u); end at;
"""


@pytest.mark.parametrize(
    ("argument", "expected"),
    [
        ("square", "at(square, 3)"),
        ("function power(n = 3)", "at(function power(n = 3), 3)"),
        ("function power(n = p)", "at(function power(n = p), 3)"),
    ],
)
def test_functions_as_arguments(flat, argument, expected):
    text = FUNCTIONAL + f"model M parameter Real p = 2; Real y = at({argument}, 3); end M;"
    printed = flat(text)

    assert printed.equations == [f"y = {expected}"]
    assert "at" in printed.functions


def test_a_function_value_can_be_evaluated(flat):
    text = FUNCTIONAL + "model M constant Real y = at(function power(n = 3), 2); Real x = y; end M;"

    assert flat(text).value("y") == "8.0"


def test_a_function_handed_over_is_collected(flat):
    text = FUNCTIONAL + "model M Real y = at(function power(n = 3), time); end M;"

    assert sorted(flat(text).functions) == ["Scalar", "at", "power"]


def test_an_external_function_keeps_its_name_and_arguments(flat):
    text = """
    function ext input Real x; output Real y; external "C" y = my_ext(x, 1); end ext;
    model M Real y = ext(time); end M;
    """
    function = flat(text).model.functions[0]

    assert function.external is not None
    assert (function.external.language, function.external.name) == ("C", "my_ext")
    assert len(function.external.args) == 2


def test_a_short_function_class_changes_a_default(flat):
    text = F + "function g = f(b = 7); model M Real y = g(1); end M;"

    assert flat(text).equations == ["y = g(1, 7, 1 + 7)"]


def test_sizes_of_outputs_follow_the_arguments(flat):
    text = """
    function table input Real a[:]; input Real b[:]; output Real c[size(a, 1), size(b, 1)];
    algorithm for i in 1:size(a, 1) loop for j in 1:size(b, 1) loop c[i, j] := a[i]*b[j]; end for; end for;
    end table;
    model M Real c[2, 3] = table({1, 2}, {1, 2, 3}); end M;
    """

    assert flat(text).equations == ["c = table({1, 2}, {1, 2, 3})"]


def test_a_result_of_the_wrong_size_is_refused(refused):
    assert refused(F + "model M Real c[3] = scale({1, 2}); end M;").code == "N040"


def test_constants_of_the_package_are_seen_inside_functions(flat):
    text = """
    package P constant Real k = 3;
      function f input Real u; output Real y; algorithm y := k*u; end f; end P;
    model M constant Real y = P.f(2); Real x = y; end M;
    """

    assert flat(text).value("y") == "6.0"


def test_a_while_loop_with_break_and_return(flat):
    text = """
    function f input Integer n; output Integer k; algorithm
      k := 0;
      while true loop k := k + 1; if k > n then break; end if; end while;
      if k > 3 then return; end if;
      k := -k;
    end f;
    model M constant Integer a = f(1); constant Integer b = f(5); Real x = a + b; end M;
    """
    printed = flat(text)

    assert (printed.value("a"), printed.value("b")) == ("-2", "6")


def test_protected_variables_and_several_algorithms(flat):
    text = """
    function f input Real u[:]; output Real y; protected Real s = 0; Integer n = size(u, 1); algorithm
      for i in 1:n loop s := s + u[i]; end for; y := s/n; end f;
    model M constant Real y = f({1, 2, 6}); Real x = y; end M;
    """

    assert flat(text).value("y") == "3.0"


def test_derivative_and_inverse_annotations_are_kept(flat):
    text = """
    function f input Real u; output Real y; algorithm y := u^3;
      annotation(derivative = df, inverse(u = g(y)), Inline = true); end f;
    function df input Real u; input Real du; output Real dy; algorithm dy := 3*u^2*du; end df;
    function g input Real y; output Real u; algorithm u := y^(1/3); end g;
    model M Real y = f(time); end M;
    """
    function = next(f for f in flat(text).model.functions if f.name == ("f",))

    assert [d.function for d in function.derivatives] == [("df",)]
    assert [name for name, _ in function.inverses] == ["u"]
    assert function.inline


def test_a_partial_derivative_as_a_function(flat):
    text = """function f input Real x; input Real y; output Real z; algorithm z := x^2*y; end f;
      function fx = der(f, x); model M Real z = fx(time, 2); end M;"""
    printed = flat(text)
    function = next(f for f in printed.model.functions if f.name == ("fx",))

    assert printed.equations == ["z = fx(time, 2)"]
    assert function.partial_derivative_of == (("f",), ("x",))


PARTIAL = """
package P
  function f input Real x; input Real z = 2; output Real y; algorithm y := x^3*z + x; end f;
  function fx = der(f, x);
  function fxx = der(fx, x);
  function fxz = der(f, x, z);
  function g input Real x; output Real y; protected Real s; algorithm s := 0;
    for i in 1:3 loop s := s + x^i; end for; y := s; end g;
  function gx = der(g, x);
  model M
    Real q = 1 + time, a = fx(q, 3), b = fxx(q, 3), c = fxz(q, 3), d = fx(q), e = gx(q);
    parameter Real p = fx(2, 3);
    constant Real k = gx(2);
    Real w[integer(fx(1, 1))] = {i*time for i in 1:4};
    Real v(start=2, fixed=true);
  equation
    der(v) = -gx(v)/100;
  end M;
end P;
"""


def test_partial_derivatives_of_functions_have_values(tmp_path):
    """In equations, in parameters, in constants and in sizes; derivatives of derivatives too."""
    import freewheel as fw

    path = tmp_path / "p.mo"
    path.write_text(PARTIAL)
    found = fw.load(path, model="P.M").simulate(stop=1)
    q = found["q"]

    assert found["a"] == pytest.approx(9 * q**2 + 1)
    assert found["b"] == pytest.approx(18 * q)
    assert found["c"] == pytest.approx(3 * q**2)
    assert found["d"] == pytest.approx(6 * q**2 + 1)
    assert found["e"] == pytest.approx(1 + 2 * q + 3 * q**2)
    assert found["p"] == pytest.approx(37.0)
    assert found["k"] == pytest.approx(17.0)
    assert found["w[4]"][-1] == pytest.approx(4.0)
    v = found["v"]
    assert found["der(v)"] == pytest.approx(-(1 + 2 * v + 3 * v**2) / 100)


def test_an_argument_of_a_function_may_choose_the_size_of_a_result(flat):
    text = """
        function f input Boolean full; output Real y[if full then 3 else 1];
        algorithm y := if full then {1, 2, 3} else {4}; end f;
        model M Real a[3] = f(true); Real b[1] = f(false); end M;"""

    assert flat(text).equations == ["a = f(true)", "b = f(false)"]
