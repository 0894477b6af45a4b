"""From flat models to blocks: text in, text out."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from freewheel.base.diagnostics import CompileError
from freewheel.flat.nodes import Equation as FlatEquation
from freewheel.flat.nodes import FlatModel, ForEquation, IfEquation, WhenEquation
from freewheel.formula.nodes import Expr, Integer, Range
from freewheel.formula.statement_nodes import Reinit
from freewheel.listing.equations.stages import show
from freewheel.structure.analyse import analyse
from freewheel.structure.atoms import show_atom
from freewheel.structure.blocks.incidence import expr_text
from freewheel.structure.check import check
from freewheel.structure.nodes import Loop, Ordered, Solved, Sorted

Flat = Callable[..., FlatModel]
Formula = Callable[[str], Expr]


def analysed(model: FlatModel) -> Ordered:
    ordered = analyse(model)
    check(ordered)
    return ordered


def solved(system: Sorted) -> dict[str, str]:
    """Target -> value of every explicit block."""
    return {
        show_atom(block.target.name): expr_text(block.value)
        for block in system.blocks
        if isinstance(block, Solved)
    }


def loops(system: Sorted) -> list[Loop]:
    return [block for block in system.blocks if isinstance(block, Loop)]


def states(ordered: Ordered) -> list[str]:
    return [show_atom(state.name) for state in ordered.states]


def test_an_rc_circuit_is_solved_in_order(flat_model: Flat) -> None:
    ordered = analysed(
        flat_model(
            "R parameter 2.0; C parameter 0.5; u; i; v start=1 fixed=True; s",
            "s == 2*time; u == s - v; u == R*i; C*der(v) == i",
        )
    )

    assert solved(ordered.simulation) == {
        "s": "2*time",
        "u": "s - v",
        "i": "u/R",
        "der(v)": "i/C",
    }
    assert list(solved(ordered.simulation))[1:] == ["u", "i", "der(v)"]
    assert states(ordered) == ["v"]
    assert solved(ordered.initial)["v"] == "1"
    assert (ordered.equation_count, ordered.unknown_count) == (4, 4)


def test_aliases_share_a_stand_in_and_keep_its_start(flat_model: Flat) -> None:
    ordered = analysed(
        flat_model("a; b; c; x start=3 fixed=True", "a == b; c == -b; der(x) == a; a == -x")
    )
    aliases = ordered.hybrid.aliases.aliases

    assert states(ordered) == ["x"]
    assert {name[0]: (a.stand_in.name[0], a.sign) for name, a in aliases.items() if a.stand_in} == {
        "a": ("x", -1),
        "b": ("x", -1),
        "c": ("x", 1),
    }


def test_constants_travel_through_equations(flat_model: Flat) -> None:
    ordered = analysed(flat_model("g; u; v", "g == 0; u == v - g; v == sin(time)"))
    aliases = ordered.hybrid.aliases.aliases

    assert expr_text(aliases[("g",)].constant) == "0"
    assert len(aliases) == 2
    assert list(solved(ordered.simulation).values()) == ["sin(time)"]


def test_a_linear_loop_gets_a_matrix_and_one_guess(flat_model: Flat) -> None:
    ordered = analysed(
        flat_model(
            "R1 parameter 100.0; R2 parameter 20.0; u0; u1; u2; i",
            "u0 == sin(time); u1 == R1*i; u2 == R2*i; u0 == u1 + u2",
        )
    )

    (loop,) = loops(ordered.simulation)

    assert loop.is_linear
    assert len(loop.guesses) == 1
    assert len(loop.unknowns) == 3


def test_a_switch_equation_is_never_divided_by(flat_model: Flat) -> None:
    ordered = analysed(
        flat_model(
            "open boolean; R parameter 1.0; u; i; v",
            "open == (time > 1.0); 0 == ite(open, i, u); v == u + R*i; v == sin(time)",
        )
    )

    (loop,) = loops(ordered.simulation)

    assert "if" in expr_text(loop.residuals[0])
    assert all("/ (if" not in expr_text(step.value) for step in loop.inner)


def test_a_switch_equation_holds_its_unknown_at_zero_exactly(flat_model: Flat) -> None:
    ordered = analysed(
        flat_model(
            "open boolean; R parameter 1.0; u; i; v",
            "open == (time > 1.0); 0 == ite(open, i, u); v == u + R*i; v == sin(time)",
        )
    )

    (loop,) = loops(ordered.simulation)
    (inner,) = loop.inner

    assert expr_text(inner.value) == "if not open then 0.0 else v - R*i"


def test_a_parameter_that_changes_the_structure_decides_now(flat_model: Flat) -> None:
    ordered = analysed(
        flat_model(
            "still parameter boolean True; L parameter 2.0; i; u",
            "u == ite(still, 0.0, L*der(i)); i == sin(time) + u",
        )
    )

    assert states(ordered) == []
    still = next(v for v in ordered.scalar.variables if v.name == ("still",))
    assert still.is_structural


def test_a_parameter_that_only_chooses_a_value_stays_data(flat_model: Flat) -> None:
    ordered = analysed(flat_model("p parameter boolean True; x", "x == ite(p, 1.0, 2.0)*time"))

    assert not any(v.is_structural for v in ordered.scalar.variables)


def test_initial_equations_may_give_what_a_when_clause_keeps(
    flat_model: Flat, to_formula: Formula
) -> None:
    when = WhenEquation(
        ((to_formula("time > 1"), (FlatEquation(to_formula("n"), to_formula("pre(n) + 1")),)),)
    )
    ordered = analysed(flat_model("n integer; x", "x == n*time", "n == 7", extra=(when,)))

    assert solved(ordered.initial)["n"] == "7"
    assert solved(ordered.initial)["pre(n)"] == "n"
    assert ordered.initial.checks == ()


def test_a_nonlinear_equation_is_left_to_newton(flat_model: Flat) -> None:
    ordered = analysed(flat_model("x start=1", "x + exp(x) == time"))

    (loop,) = loops(ordered.simulation)

    assert not loop.is_linear
    assert expr_text(loop.residuals[0]) == "x + exp(x) - time"


def test_parallel_capacitors_are_reduced_to_one_state(flat_model: Flat) -> None:
    ordered = analysed(
        flat_model(
            "C1 parameter 2.0; C2 parameter 1.0; k parameter 2.0; u1; u2; i1; i2",
            "C1*der(u1) == i1; C2*der(u2) == i2; u1 == k*u2; i1 + i2 == sin(time)",
        )
    )

    assert len(ordered.states) == 1
    assert len(ordered.simulation.equations) == 5
    assert ordered.simulation.equations[4].derivative_of == 2


def test_state_select_decides_who_follows(flat_model: Flat) -> None:
    for first, second, expected in (("prefer", "avoid", "u1"), ("avoid", "prefer", "u2")):
        ordered = analysed(
            flat_model(
                f"C parameter 2.0; k parameter 2.0; u1 {first}; u2 {second}; i1; i2",
                "C*der(u1) == i1; C*der(u2) == i2; u1 == k*u2; i1 + i2 == sin(time)",
            )
        )

        assert states(ordered) == [expected]


def test_a_pendulum_of_index_three_has_two_states(flat_model: Flat) -> None:
    ordered = analysed(
        flat_model(
            "L parameter 1.0; g parameter 9.81; x start=0.0; y start=-1.0; w; z; T",
            "der(x) == w; der(y) == z; der(w) == -T*x; der(z) == -T*y - g; x*x + y*y == L*L",
        )
    )

    (group,) = ordered.groups
    assert [show_atom(v.name) for v in group.variables] == ["x", "y"]
    assert len(ordered.states) == 2  # a line across the rod and the speed along it


def test_a_state_that_the_modeller_asks_for_is_not_chosen_anew(flat_model: Flat) -> None:
    ordered = analysed(
        flat_model(
            "L parameter 1.0; g parameter 9.81; x always start=0.0; y start=-1.0; w; z; T",
            "der(x) == w; der(y) == z; der(w) == -T*x; der(z) == -T*y - g; x*x + y*y == L*L",
        )
    )

    assert ordered.groups == ()
    assert states(ordered) == ["x", "w"]


def test_a_state_that_the_modeller_prefers_may_give_way(flat_model: Flat) -> None:
    ordered = analysed(
        flat_model(
            "L parameter 1.0; g parameter 9.81; x prefer start=0.0; y start=-1.0; w; z; T",
            "der(x) == w; der(y) == z; der(w) == -T*x; der(z) == -T*y - g; x*x + y*y == L*L",
        )
    )

    (group,) = ordered.groups
    assert [show_atom(v.name) for v in group.variables] == ["x", "y"]
    assert group.ranks == (3, 2)


def test_a_choice_that_cannot_become_singular_is_taken(flat_model: Flat) -> None:
    ordered = analysed(
        flat_model(
            "x start=0.6 fixed=True; p start=0.6; a; b",
            "der(x) == a; der(p) == b; x == sin(p); a + b == time",
        )
    )

    assert ordered.groups == ()
    assert states(ordered) == ["p"]


def test_relations_become_statuses_and_time_is_told_apart(flat_model: Flat) -> None:
    ordered = analysed(
        flat_model("x; y", "der(x) == ite(time < 1.0, 1.0, -1.0); y == ite(x > 2.0, x, 2.0)")
    )
    crossings = ordered.hybrid.crossings

    assert [c.text for c in crossings] == ["time < 1.0", "x > 2.0"]
    assert [c.depends_on_time_only for c in crossings] == [True, False]


def test_no_event_keeps_the_comparison(flat_model: Flat) -> None:
    ordered = analysed(flat_model("x; y", "der(x) == 1.0; y == noEvent(ite(x > 2.0, x, 2.0))"))

    assert ordered.hybrid.crossings == ()
    assert solved(ordered.simulation)["y"] == "if x > 2.0 then x else 2.0"


def test_integer_parts_are_held_between_events(flat_model: Flat) -> None:
    ordered = analysed(flat_model("n integer; y", "n == integer(2*time); y == n + time"))

    assert len(ordered.hybrid.crossings) == 2
    assert all(c.depends_on_time_only for c in ordered.hybrid.crossings)
    assert "$held[1]" in solved(ordered.discrete)["y"] or "n" in solved(ordered.discrete)["y"]


def test_when_equations_fire_on_rising_conditions(flat_model: Flat, to_formula: Formula) -> None:
    when = WhenEquation(
        (
            (
                to_formula("x > 1.0"),
                (
                    FlatEquation(to_formula("n"), to_formula("pre(n) + 1")),
                    Reinit(to_formula("x"), to_formula("0.0")),
                ),
            ),
        )
    )
    ordered = analysed(flat_model("x; n integer", "der(x) == 1.0", extra=(when,)))
    pass_at_event = solved(ordered.discrete)

    assert pass_at_event["$when[1]"] == "$status[1] > 0"
    assert pass_at_event["n"] == "if $when[1] and not pre($when[1]) then pre(n) + 1 else pre(n)"
    assert solved(ordered.initial)["n"] == "pre(n)"
    assert [a.kind for a in ordered.hybrid.actions] == ["reinit"]


def test_when_initial_is_active_at_the_start_only(flat_model: Flat, to_formula: Formula) -> None:
    when = WhenEquation(
        ((to_formula("initial()"), (FlatEquation(to_formula("n"), to_formula("5")),)),)
    )
    ordered = analysed(flat_model("n integer; x", "x == n*time", extra=(when,)))

    assert solved(ordered.initial)["n"] == "5"
    assert solved(ordered.discrete)["n"] == "pre(n)"


def test_loops_and_if_equations_become_scalars(flat_model: Flat, to_formula: Formula) -> None:
    loop = ForEquation(
        "i",
        Range(Integer(1), Integer(1), Integer(3)),
        (FlatEquation(to_formula("x[iterator(i)]"), to_formula("iterator(i)*time")),),
    )
    choice = IfEquation(
        ((to_formula("p"), (FlatEquation(to_formula("y"), to_formula("1.0")),)),),
        (FlatEquation(to_formula("y"), to_formula("2.0")),),
    )
    ordered = analysed(flat_model("p parameter boolean False; x [3]; y", "", extra=(loop, choice)))

    assert solved(ordered.simulation)["x[3]"] == "3*time"
    assert expr_text(ordered.hybrid.aliases.aliases[("y",)].constant) == "2.0"


def test_dependent_parameters_are_computed_in_order(flat_model: Flat) -> None:
    ordered = analysed(
        flat_model("c parameter b+1; b parameter 2*a; a parameter 3.0; x", "x == c*time")
    )

    assert [show_atom(step.target.name) for step in ordered.parameters] == ["b", "c"]


def test_a_free_parameter_is_found_by_the_initial_system(flat_model: Flat) -> None:
    ordered = analysed(
        flat_model("p parameter fixed=False; x start=2 fixed=True", "der(x) == p", "der(x) == 7")
    )

    assert solved(ordered.initial)["p"] == "der(x)"
    assert [show_atom(v.name) for v in ordered.free_parameters] == ["p"]


def test_a_derivative_that_only_the_start_asks_for(flat_model: Flat) -> None:
    ordered = analysed(flat_model("x start=1; y", "der(x) == -x; y == 3*x", "der(y) == 6"))

    assert states(ordered) == ["x"]
    assert {"x", "y", "der(y)"} <= set(solved(ordered.initial)) | {
        show_atom(var.name) for loop in loops(ordered.initial) for var in loop.unknowns
    }


def test_a_zero_parameter_takes_its_unknown_out_of_the_equation(flat_model: Flat) -> None:
    ordered = analysed(
        flat_model(
            "R parameter k*1.0; k parameter 0.0; L parameter 2.0; i; v; u start=1 fixed=True",
            "R*i == u - v; der(u) == i; v == sin(time)",
        )
    )

    assert states(ordered) == []  # u = v is a constraint now, and gives i by its derivative
    assert set(ordered.hybrid.aliases.aliases) >= {("R",), ("k",)}


def test_redundant_initial_conditions_are_kept_as_checks(flat_model: Flat) -> None:
    ordered = analysed(flat_model("x start=2 fixed=True", "der(x) == -x", "x == 2"))

    assert len(ordered.initial.checks) == 1


def test_assumed_start_values_are_told(flat_model: Flat) -> None:
    ordered = analysed(flat_model("x start=2", "der(x) == -x"))

    assert [w.code for w in ordered.warnings] == ["E020"]
    assert "`x`" in ordered.warnings[0].message


def test_show_groups_equations_by_component(flat_model: Flat) -> None:
    ordered = analysed(
        flat_model(
            "R.R parameter 2.0; R.u; R.i; v start=1 fixed=True; y",
            "R.u == R.R*R.i; R.u == sin(time) - v; der(v) == R.i; y == 2*v",
        )
    )

    assert show(ordered, "sorted").splitlines() == [
        "R     [u] = sin(time) - Test.v",
        "      u = R*[i]",
        "      [der(Test.v)] = i",
        "Test  [y] = 2*v",
    ]
    assert show(ordered, "solved").splitlines()[2] == "      i = u/R"


# ---------------------------------------------------------------- mistakes of the modeller


def failure(model: FlatModel) -> CompileError:
    with pytest.raises(CompileError) as caught:
        analyse(model)
    return caught.value


def test_too_few_equations_name_the_variable(flat_model: Flat) -> None:
    (told,) = failure(flat_model("x; T", "x == time")).diagnostics

    assert told.code == "E001"
    assert told.message == "Test: 1 equation for 2 unknowns; not determined: `T`"
    assert told.labels[0].text == "nothing determines `T`"
    assert told.labels[0].span.text == "T"


def test_an_equation_of_which_nothing_is_left_is_named_as_written(flat_model: Flat) -> None:
    (told,) = failure(flat_model("x; y", "x == 0; y == 0; x + y == 0")).diagnostics

    assert told.code == "E002"
    assert "0.0 = 0.0" not in told.message
    assert told.labels[0].text == f"one equation too many: {told.labels[0].span.text}"


def test_too_many_equations_name_the_conflict(flat_model: Flat) -> None:
    (told,) = failure(flat_model("x; y", "x == time; y == 1; x == 2*time")).diagnostics

    assert told.code == "E002"
    assert "`x = 2*time`" in told.message
    assert {label.span.line for label in told.labels} == {2}


def test_a_singular_square_system_names_both_sides(flat_model: Flat) -> None:
    (told,) = failure(flat_model("x; y", "x == time; x == 2*time")).diagnostics

    assert told.code == "E003"
    assert "not determined: `y`" in told.message


def test_parameters_in_a_circle(flat_model: Flat) -> None:
    (told,) = failure(flat_model("a parameter b; b parameter a; x", "x == a")).diagnostics

    assert told.code == "E004"
    assert "`a`" in told.message
    assert "`b`" in told.message


def test_the_derivative_of_an_input_is_not_there(flat_model: Flat) -> None:
    (told,) = failure(flat_model("u input; x; f", "x == u; der(x) == f")).diagnostics

    assert told.code == "E006"
    assert "`u`" in told.message


def test_if_branches_of_different_size(flat_model: Flat, to_formula: Formula) -> None:
    choice = IfEquation(
        ((to_formula("x > 0"), ()),), (FlatEquation(to_formula("y"), to_formula("1.0")),)
    )

    (told,) = failure(flat_model("x; y", "x == time", extra=(choice,))).diagnostics

    assert told.code == "E009"


def test_operators_that_are_not_known_yet(flat_model: Flat) -> None:
    (told,) = failure(flat_model("x", "x == cardinality(time)")).diagnostics

    assert told.code == "E007"
    assert told.message == "`cardinality` is not supported yet in equations"
    assert "when-clauses" in told.help
    assert told.labels[0].span.line == 2


# ---------------------------------------------------------------- size


def test_ten_thousand_equations_take_seconds(flat_model: Flat, to_formula: Formula) -> None:
    count = 3_300
    declarations = ";".join(f"v{k} start=0 fixed=True; u{k}; i{k}" for k in range(count))
    declarations += f"; v{count} start=0 fixed=True"
    equations = ";".join(
        f"u{k} == v{k} - v{k + 1}; u{k} == 2.0*i{k}; der(v{k + 1}) == i{k} - v{k}"
        for k in range(count)
    )
    equations += "; der(v0) == sin(time)"
    model = flat_model(declarations, equations)
    began = time.process_time()

    ordered = analysed(model)

    assert len(ordered.states) == count + 1
    assert time.process_time() - began < 15.0
