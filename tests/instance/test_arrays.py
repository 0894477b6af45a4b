"""Arrays: of types, of components, slices, `end`, sizes, builders."""

from __future__ import annotations

import pytest


@pytest.mark.parametrize(
    ("declarations", "name", "dims"),
    [
        ("Real x[3] = {1, 2, 3};", "x", (3,)),
        ("Real[2, 3] x = fill(1.0, 2, 3);", "x", (2, 3)),
        ("Real[3] x[2] = fill(1.0, 2, 3);", "x", (2, 3)),
        ("type V = Real[3]; V x = {1, 2, 3};", "x", (3,)),
        ("type V = Real[3]; V x[2] = fill(1.0, 2, 3);", "x", (2, 3)),
        ("type V = Real[3]; type W = V[2]; W x = fill(1.0, 2, 3);", "x", (2, 3)),
        ("parameter Real x[:] = {1, 2};", "x", (2,)),
        ("parameter Real x[:, :] = [1, 2; 3, 4; 5, 6];", "x", (3, 2)),
        ("parameter Integer n = 2; Real x[n + 1] = ones(n + 1);", "x", (3,)),
        ("parameter Real a[:] = {1, 2}; Real x[size(a, 1)] = a;", "x", (2,)),
        ("Real x[0];", "x", (0,)),
        ("type E = enumeration(a, b); Real x[E] = {1, 2};", "x", (2,)),
        ("Real x[Boolean] = {1, 2};", "x", (2,)),
        ("parameter Boolean b = false; Real x[if b then 2 else 4] = ones(4);", "x", (4,)),
    ],
)
def test_dimensions(flat, declarations, name, dims):
    assert flat(f"model M {declarations} end M;").variable(name).dims == dims


def test_the_size_of_a_parameter_can_be_given_from_outside(flat):
    text = """
    model Part parameter Real a[:] = {1}; Real x[size(a, 1)]; equation der(x) = a; end Part;
    model M Part p(a = {4, 5, 6}); end M;
    """

    assert flat(text)["p.x"] == "Real[3] p.x"


@pytest.mark.parametrize(
    ("left", "right", "expected"),
    [
        ("y", "x[end]", "y = x[4]"),
        ("y", "x[end - 1]", "y = x[3]"),
        ("y", "x[n]", "y = x[2]"),
        ("y", "A[2, end]", "y = A[2, 3]"),
        ("v", "x[1:2]", "v = x[{1, 2}]"),
        ("v", "x[{1, 3}]", "v = x[{1, 3}]"),
        ("v", "x[end:-1:3]", "v = x[{4, 3}]"),
        ("v", "A[:, 1]", "v = A[:, 1]"),
        ("v", "A[:, end]", "v = A[:, 3]"),
        ("y", "sum(x)", "y = sum(x)"),
        ("y", "sum(x[i]^2 for i in 1:4)", "y = sum(x[i]^2 for i in 1:4)"),
        ("y", "size(x, 1)", "y = 4"),
        ("y", "ndims(A)", "y = 2"),
        ("y", "x*x", "y = x*x"),
        ("v", "A*{1, 2, 3}", "v = A*{1, 2, 3}"),
        ("v", "{1, 2}", "v = {1, 2}"),
        ("v", "{x[i] + 1 for i in 1:2}", "v = {x[i] + 1 for i in 1:2}"),
        ("v", "cat(1, x[1:1], {5})", "v = cat(1, x[{1}], {5})"),
        ("v", "zeros(2)", "v = fill(0, 2)"),
        ("v", "2*ones(2) .* {1, 2}", "v = 2*fill(1, 2) .* {1, 2}"),
        ("y", "scalar({3})", "y = scalar({3})"),
        ("y", "vector([1; 2; 3])*{1, 2, 3}", "y = vector({{1}, {2}, {3}})*{1, 2, 3}"),
        ("y", "max(x[i] for i in 1:2)", "y = max(x[i] for i in 1:2)"),
    ],
)
def test_expressions_keep_arrays_whole(flat, left, right, expected):
    text = f"""model M parameter Integer n = 2; Real x[4] = {{1, 2, 3, 4}}; Real A[2, 3] = ones(2, 3);
      Real y; Real v[2]; equation {left} = {right}; end M;"""

    assert flat(text).equations[-1] == expected


def test_an_index_beyond_the_end_is_refused(refused, place):
    found = refused("model M Real x[3] = ones(3); Real y = x[4]; end M;")

    assert (found.code, found.message) == ("N034", "subscript 4 is outside 1..3 (dimension 1)")
    assert place(found) == "x[4]"


def test_too_many_subscripts_are_refused(refused):
    assert refused("model M Real x[3] = ones(3); Real y = x[1, 2]; end M;").code == "N038"


def test_a_real_subscript_is_refused(refused, place):
    found = refused("model M Real x[3] = ones(3); Real y = x[1.5]; end M;")

    assert found.code == "N039"
    assert place(found) == "1.5"


def test_end_outside_a_subscript_is_refused(refused):
    assert refused("model M Real y = end; end M;").code == "S004"


def test_sizes_that_do_not_match_are_refused(refused):
    found = refused("model M Real x[3] = {1, 2}; end M;")

    assert found.code == "N040"


def test_a_size_that_depends_on_itself_is_refused(refused):
    found = refused("model M parameter Real a[size(b, 1)]; parameter Real b[size(a, 1)]; end M;")

    assert found.code == "N030"


def test_an_open_size_without_a_value_is_refused(refused):
    assert refused("model M parameter Real a[:]; end M;").code == "N031"


def test_a_size_needs_a_known_value(refused):
    assert refused("model M parameter Integer n; Real x[n] = ones(n); end M;").code == "N033"


PART = """
connector Pin Real v; flow Real i; end Pin;
model Part parameter Real R = 1; Real u; Real i; Real w[2]; Pin p;
equation u = R*i; w = {u, i}; p.v = u; end Part;
"""


@pytest.mark.parametrize(
    ("right", "expected"),
    [
        ("p[2].u", "y = p[2].u"),
        ("p[end].u", "y = p[3].u"),
        ("sum(p.u)", "y = sum({p[1].u, p[2].u, p[3].u})"),
        ("sum(p[1:2].u)", "y = sum({p[1].u, p[2].u})"),
        ("sum(p[:].i)", "y = sum({p[1].i, p[2].i, p[3].i})"),
        ("p[2].w[1]", "y = p[2].w[1]"),
        ("sum(p.w[2])", "y = sum({p[1].w[2], p[2].w[2], p[3].w[2]})"),
        ("sum(p[{1, 3}].p.v)", "y = sum({p[1].p.v, p[3].p.v})"),
        ("sum(p[i].u for i in 1:3)", "y = sum({p[1].u, p[2].u, p[3].u})"),
        ("max({p[i].u*i for i in 2:3})", "y = max({p[2].u*2, p[3].u*3})"),
        ("p[k].u", "y = p[2].u"),
    ],
)
def test_into_arrays_of_components(flat, right, expected):
    text = f"model M parameter Integer k = 2; Part p[3]; Real y; equation y = {right}; end M;"
    equations = flat(PART + text).equations

    assert [e for e in equations if e.startswith("y =")] == [expected]


def test_a_subscript_that_changes_picks_among_the_components(flat):
    text = (
        PART
        + """model M Integer k(start = 1); Part p[2]; Real y;
      equation y = p[k].u; when time > 1 then k = 2; end when; end M;"""
    )

    assert "y = ({p[1].u, p[2].u})[k]" in flat(text).equations


def test_an_array_of_components_without_elements(flat):
    printed = flat(PART + "model M Part p[0]; Real y = sum(p.u); end M;")

    assert printed.names == ["y"]
    assert printed.equations == ["y = sum({})"]


def test_matrices_of_components(flat):
    text = "model Leaf Real x = 1; end Leaf; model M Leaf l[2, 2]; Real y = sum(l[:, 1].x); end M;"
    printed = flat(text)

    assert printed.names == ["l[1,1].x", "l[1,2].x", "l[2,1].x", "l[2,2].x", "y"]
    assert printed.equations[-1] == "y = sum({l[1,1].x, l[2,1].x})"


def test_an_array_inside_an_array_of_components(flat):
    text = """
    model Leaf Real x = 1; end Leaf; model Branch Leaf l[2]; end Branch;
    model M Branch b[2]; Real y[2, 2] = b.l.x; end M;
    """

    assert (
        flat(text).equations[-1] == "y = {{b[1].l[1].x, b[1].l[2].x}, {b[2].l[1].x, b[2].l[2].x}}"
    )


def test_a_connector_that_is_an_array_by_its_type(flat):
    text = "connector In = input Real; connector Ins = In[3]; model M Ins u; Real y = u[2]; end M;"
    printed = flat(text)

    assert printed["u"] == "input Real[3] u"
    assert printed.equations == ["y = u[2]"]


def test_a_short_class_of_a_model_with_dimensions(flat):
    text = "model Leaf Real x = 1; end Leaf; model M model Two = Leaf[2]; Two t; end M;"

    assert flat(text).names == ["t[1].x", "t[2].x"]


def test_ranges_of_reals_and_enumerations(flat):
    text = """
    type E = enumeration(a, b, c);
    model M Real x[3] = 0:0.5:1; E e[2] = E.a:E.b; Real z[E] = {Integer(k) for k in E}; end M;
    """
    printed = flat(text)

    assert printed.equations[0] == "x = 0:0.5:1"
    assert printed.variable("e").dims == (2,)


def test_a_comprehension_with_two_iterators(flat):
    text = "model M Real A[2, 3] = {i + 10*j for i in 1:3, j in 1:2}; end M;"

    assert flat(text).equations == ["A = {i + 10*j for i in 1:3, j in 1:2}"]


def test_an_iterator_without_a_range_takes_the_size_of_the_array(flat):
    text = "model M Real x[3] = {1, 2, 3}; Real y = sum(x[i]*i for i); end M;"

    assert flat(text).equations[-1] == "y = sum(x[i]*i for i in 1:3)"


def test_a_matrix_from_blocks(flat):
    text = "model M Real v[2] = {1, 2}; Real A[2, 3] = [v, [3, 4; 5, 6]]; end M;"

    assert flat(text).equations[-1] == "A = cat(2, promote(v, 2), {{3, 4}, {5, 6}})"


def test_a_branch_that_is_not_taken_may_ask_for_elements_that_are_not_there(flat):
    text = """model M parameter Real table[:] = fill(0.0, 0); parameter Integer n = size(table, 1);
      Real y = if n > 0 then table[1] else 7; end M;"""

    assert flat(text).equations == ["y = 7"]


def test_the_size_of_an_array_of_components(flat):
    text = PART + "model M Part p[3]; Integer n = size(p, 1); Integer all_[1] = size(p); end M;"

    assert flat(text).equations[:2] == [
        "n = 3",
        "all_ = {3}",
    ]


def test_each_gives_every_row_the_same_attribute(flat):
    text = "type V = Real[2]; model M V w[3](each start = {1, 2}); equation der(w) = -w; end M;"

    assert flat(text)["w"] == "Real[3, 2] w(start = {{1, 2}, {1, 2}, {1, 2}})"


def test_a_loop_whose_range_depends_on_the_loop_around_it(flat):
    text = """model Leaf Real x; end Leaf;
      model M Leaf l[2]; Real a[2, 2]; equation
      for i in 1:2 loop l[i].x = sum(a[i, k] for k in 1:i);
        for j in i:2 loop a[i, j] = i + j; end for; end for; a[2, 1] = 0; end M;"""

    assert flat(text).equations == [
        "l[1].x = sum(a[1, k] for k in 1:1)",
        "for j in 1:2 loop a[1, j] = 1 + j; end for",
        "l[2].x = sum(a[2, k] for k in 1:2)",
        "for j in 2:2 loop a[2, j] = 2 + j; end for",
        "a[2, 1] = 0",
    ]
