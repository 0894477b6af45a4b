"""`each` beside modifiers without it, at several levels: what every element gets."""

import pytest

import freewheel as fw

CLASSES = """
 model P Real x(start=1); parameter Real k=1; equation der(x) = -k*x; end P;
 model A P p[3]; end A;
 model B A a[2]; end B;
 model Q Real x(start=1); parameter Real k=1, c=1; equation der(x) = -k*x + c; end Q;
 model F replaceable P q; end F;
 model G replaceable model T = P; T q(x.fixed=true); end G;
 model Some P p[2](each x.fixed=true, x(start={2, 3})); end Some;
 model Inner A a(p(each x.fixed=true, each k=3, x(start={1, 2, 3}))); end Inner;
 record R Real a=1; Real b=2; end R;
 model W parameter R r[2]; end W;
"""
ROWS = {
    "a[1].p[1]": 1,
    "a[1].p[2]": 2,
    "a[1].p[3]": 3,
    "a[2].p[1]": 4,
    "a[2].p[2]": 5,
    "a[2].p[3]": 6,
}
SAME = {name: 1 + (value - 1) % 3 for name, value in ROWS.items()}

CASES = {
    "each first": ("P p[2](each x.fixed=true, x(start={2, 3}));", {"p[1].x": 2, "p[2].x": 3}),
    "each last": ("P p[2](x(start={2, 3}), each x.fixed=true);", {"p[1].x": 2, "p[2].x": 3}),
    "dotted": ("P p[2](each x(fixed=true), x.start={2, 3});", {"p[1].x": 2, "p[2].x": 3}),
    "inside": ("P p[2](x(start={2, 3}, each fixed=true));", {"p[1].x": 2, "p[2].x": 3}),
    "final each": ("P p[2](final each x.fixed=true, x(start={2, 3}));", {"p[2].x": 3}),
    "matrix": (
        "P p[2, 2](each x.fixed=true, x(start={{1, 2}, {3, 4}}));",
        {"p[1,2].x": 2, "p[2,1].x": 3},
    ),
    "each of the outer array only": (
        "A a[2](each p(x(start={1, 2, 3}, each fixed=true)));",
        {f"{name}.x": value for name, value in SAME.items()},
    ),
    "no each of the outer array": (
        "A a[2](p(x(start={{1, 2, 3}, {4, 5, 6}}, each fixed=true)));",
        {f"{name}.x": value for name, value in ROWS.items()},
    ),
    "two levels": (
        "A a[2](each p.x.fixed={true, true, true}, p(x(start={{1, 2, 3}, {4, 5, 6}})));",
        {f"{name}.x": value for name, value in ROWS.items()},
    ),
    "three lists": (
        "A a[2](each p(x.start={1, 2, 3}), p(each x.fixed=true), p(k={{1, 2, 3}, {4, 5, 6}}));",
        {f"{name}.x": value for name, value in SAME.items()}
        | {f"{name}.k": value for name, value in ROWS.items()},
    ),
    "through a component": (
        "B b(a(each p(x(start={1, 2, 3})), p(each x.fixed=true)));",
        {f"b.{name}.x": value for name, value in SAME.items()},
    ),
    "one word for both arrays": (
        "A a[2](each p.x.fixed=true, each p(k={1, 2, 3}));",
        {f"{name}.k": value for name, value in SAME.items()},
    ),
    "extends": ("extends Some(p(each k=4));", {"p[2].x": 3, "p[2].k": 4}),
    "extends over": ("extends Some(p(k={4, 5}, each x(start=9)));", {"p[1].x": 9, "p[2].k": 5}),
    "an array of wholes": (
        "Inner c[2](a(p(k={{1, 2, 3}, {4, 5, 6}})));",
        {"c[1].a.p[3].x": 3, "c[2].a.p[3].k": 6, "c[2].a.p[1].x": 1},
    ),
    "redeclared component": (
        "F f[2](redeclare Q q(c={5, 6}, each x.fixed=true), q(x(start={7, 8})));",
        {"f[1].q.c": 5, "f[2].q.c": 6, "f[2].q.x": 8},
    ),
    "each redeclared component": (
        "F f[2](each redeclare Q q[3](c={5, 6, 7}, each x.fixed=true));",
        {"f[1].q[2].c": 6, "f[2].q[3].c": 7},
    ),
    "each redeclared class": (
        "G g[2](each redeclare model T = Q(c=5), q(x(start={7, 8})));",
        {"g[1].q.c": 5, "g[2].q.c": 5, "g[1].q.x": 7, "g[2].q.x": 8},
    ),
    "records": (
        "W w[2](each r={R(1, 2), R(3, 4)}); Real x = time;",
        {"w[1].r[2].a": 3, "w[2].r[1].b": 2},
    ),
    "fields of records": (
        "W w[2](r(each a=7, b={{1, 2}, {3, 4}})); Real x = time;",
        {"w[1].r[2].a": 7, "w[2].r[1].b": 3},
    ),
}


@pytest.mark.parametrize(("text", "expected"), CASES.values(), ids=CASES)
def test_each_element_gets_its_part(text, expected, tmp_path):
    path = tmp_path / "m.mo"
    path.write_text(f"model M {CLASSES} {text} end M;")
    found = fw.load(path).simulate(stop=0.01)

    assert {name: found[name][0] for name in expected} == pytest.approx(expected)
    assert not any(w.code == "E020" for w in found.warnings)


def test_final_with_a_dotted_name_is_said_of_the_last_name(tmp_path):
    path = tmp_path / "m.mo"
    path.write_text(
        f"model M {CLASSES} model N P p[2](final each x.fixed=true); end N; N n(p(x(start={{4, 5}})));"
        " end M;"
    )
    assert fw.load(path).simulate(stop=0.01)["n.p[2].x"][0] == 5

    path.write_text(
        f"model M {CLASSES} model N P p[2](final each x.fixed=true); end N;"
        " N n(p(x(each fixed=false))); end M;"
    )
    with pytest.raises(fw.FreewheelError) as failure:
        fw.load(path).simulate(stop=0.01)
    assert failure.value.diagnostics[0].code == "N013"


def test_one_value_for_an_array_needs_the_word(tmp_path):
    path = tmp_path / "m.mo"
    path.write_text(f"model M {CLASSES} P p[2](k=3); end M;")
    with pytest.raises(fw.FreewheelError) as failure:
        fw.load(path).simulate(stop=0.01)
    assert failure.value.diagnostics[0].code == "N043"
