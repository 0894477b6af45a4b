"""Results that are not finite are found, whichever of them is looked at."""

import pytest

from freewheel.api import load
from freewheel.backend.llvm_watch import unwatched
from freewheel.formula.nodes import Binary, Call, Real, Unary, Var
from freewheel.program.nodes import Act, Assign, slot_var, temporary

A, B, C, D = (slot_var(k) for k in range(4))


def test_what_shows_in_a_sum_or_a_product_needs_no_look():
    steps = [
        Assign(B, Binary("/", Real(1.0), A)),
        Assign(C, Binary("*", Real(2.0), Unary("-", B))),
        Assign(D, Binary("+", C, A)),
    ]
    assert unwatched(steps) == {1, 2}


@pytest.mark.parametrize(
    "value",
    [
        Binary("/", Real(1.0), B),  # 1/inf is zero
        Call("exp", B),  # exp(-inf) too
        Binary("^", B, Real(2.0)),
    ],
)
def test_what_may_vanish_is_looked_at(value):
    steps = [Assign(B, Binary("/", Real(1.0), A)), Assign(C, value)]
    assert unwatched(steps) == frozenset()


def test_guards_hide():
    steps = [
        Assign(B, Binary("/", Real(1.0), A)),
        Assign(C, Binary("+", B, A), guard=D),
    ]
    assert unwatched(steps) == frozenset()


def test_temporaries_pass_on_only_what_reaches_a_result():
    t = temporary(0)
    first = [Assign(B, Binary("/", Real(1.0), A)), Assign(t, Binary("*", B, B))]

    assert unwatched([*first, Assign(C, Binary("-", t, A))]) == {1}
    assert unwatched([*first, Assign(C, Call("exp", t))]) == frozenset()


def test_slots_written_twice_are_looked_at():
    steps = [
        Assign(B, Binary("*", Real(2.0), A)),
        Assign(C, Binary("+", B, A)),
        Assign(B, Binary("/", Real(1.0), A)),
    ]
    assert unwatched(steps) == frozenset()


def test_copies_of_what_was_there_before_need_no_look_but_copies_of_results_do():
    assert unwatched([Assign(C, A)]) == {2}
    assert unwatched([Assign(B, Binary("/", Real(1.0), A)), Assign(C, B)]) == {1}


def test_actions_read_everything():
    steps = [
        Assign(B, Binary("/", Real(1.0), A)),
        Assign(C, Binary("+", B, A)),
        Act("assert", None, Var((3,)), None),
    ]
    assert unwatched(steps) == frozenset()


MODEL = """
model M
  Real x(start = 1, fixed = true);
  Real y = log(x);
  Real z = 2*y + 1;
equation
  der(x) = z - x;
end M;
"""


def test_a_section_fails_at_a_result_that_is_not_finite(tmp_path):
    (tmp_path / "M.mo").write_text(MODEL)
    model = load(tmp_path / "M.mo").compiled()
    memory = model.start.copy()
    for section in ("parameters", "initial", "derivatives"):
        assert model.sections[section](memory) == 0
    memory[model.states.start] = -1.0
    assert model.sections["derivatives"](memory) != 0


def test_an_overflow_of_the_sums_alone_is_no_failure(tmp_path):
    (tmp_path / "M.mo").write_text(MODEL.replace("log(x)", "1e308*sin(x)").replace("2*y", "y"))
    model = load(tmp_path / "M.mo").compiled()
    memory = model.start.copy()
    for section in ("parameters", "initial", "derivatives", "outputs"):
        assert model.sections[section](memory) == 0
    assert memory[model.derivatives.start] == pytest.approx(0.8414709848e308)
