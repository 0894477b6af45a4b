"""State machines tick by tick, with values computed by hand."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import freewheel
from freewheel.base.diagnostics import CompileError, Diagnostic
from freewheel.result.store import Result

Run = Callable[..., Result]
Refused = Callable[[str], Diagnostic]


@pytest.fixture(params=["python", "llvm"])
def run(tmp_path, request) -> Run:
    def simulated(text: str, stop: float) -> Result:
        path = tmp_path / "M.mo"
        path.write_text(f"model M\n{text}\nend M;\n")
        return freewheel.load(path, backend=request.param).simulate(stop=stop, interval=1.0)

    return simulated


@pytest.fixture
def refused(tmp_path) -> Refused:
    def diagnosed(text: str) -> Diagnostic:
        path = tmp_path / "M.mo"
        path.write_text(f"model M\n{text}\nend M;\n")
        with pytest.raises(CompileError) as caught:
            freewheel.load(path).simulate(stop=1.0)
        return caught.value.diagnostics[0]

    return diagnosed


def ticks(result: Result, name: str) -> list[float]:
    """The value after each whole second."""
    times, found = result.time, result[name]
    last = int(times[-1])
    places = [int(np.searchsorted(times, t + 1e-9, side="right")) - 1 for t in range(last + 1)]
    return [float(found[k]) for k in places]


COUNTERS = """
  inner Integer v(start = 0);
  block Up outer output Integer v; equation v = previous(v) + 2; end Up;
  block Down outer output Integer v; equation v = previous(v) - 1; end Down;
  Up up; Down down;
  Integer clock = sample(1, Clock(1));
  Integer same(start = 0) = v + clock - 1;
"""


def test_delayed_transitions_take_effect_at_the_next_tick(run: Run) -> None:
    result = run(
        COUNTERS
        + """equation
          initialState(up);
          transition(up, down, v >= 4, immediate = false);
          transition(down, up, v <= 2, immediate = false);""",
        9.0,
    )

    assert ticks(result, "v") == [2, 4, 3, 2, 4, 3, 2, 4, 3, 2]
    assert ticks(result, "same") == ticks(result, "v")


def test_immediate_transitions_take_effect_at_once(run: Run) -> None:
    result = run(
        COUNTERS
        + """equation
          initialState(up);
          transition(up, down, previous(v) >= 4);
          transition(down, up, previous(v) <= 2);""",
        9.0,
    )

    assert ticks(result, "v") == [2, 4, 3, 2, 4, 3, 2, 4, 3, 2]


def test_active_state_and_priorities(run: Run) -> None:
    """Both transitions from a could fire: the one with the smaller number does."""
    result = run(
        """block S end S;
        S a, b, c;
        Boolean in_b = activeState(b), in_c = activeState(c);
        Integer one = sample(1, Clock(1));
        Integer n(start = 0) = previous(n) + (if activeState(a) then one else 10*one);
        equation
          initialState(a);
          transition(a, b, n >= 2, immediate = false, priority = 2);
          transition(a, c, n >= 2, immediate = false, priority = 1);
          transition(c, b, n >= 20, immediate = false);""",
        5.0,
    )

    assert ticks(result, "n") == [1, 2, 12, 22, 32, 42]
    assert ticks(result, "in_c") == [0, 0, 1, 1, 0, 0]
    assert ticks(result, "in_b") == [0, 0, 0, 0, 1, 1]


def test_states_keep_their_variables_unless_they_are_reset(run: Run) -> None:
    text = """block Count Integer n(start = 5); equation n = previous(n) + 1; end Count;
        block Wait Integer n(start = 0); equation n = previous(n) + 1; end Wait;
        Count count; Wait wait;
        Integer t(start = -1) = previous(t) + sample(1, Clock(1));
        equation
          initialState(count);
          transition(count, wait, t == 1, immediate = false);
          transition(wait, count, t == 3, immediate = false, reset = %s);"""

    kept, reset = run(text % "false", 6.0), run(text % "true", 6.0)

    assert ticks(kept, "count.n") == [6, 7, 7, 7, 8, 9, 10]
    assert ticks(reset, "count.n") == [6, 7, 7, 7, 6, 7, 8]
    assert ticks(reset, "wait.n") == [0, 0, 1, 2, 2, 2, 2]


def test_ticks_and_time_in_a_state(run: Run) -> None:
    result = run(
        """block S Integer k = ticksInState(); Real t = timeInState(); end S;
        S a, b;
        Integer one = sample(1, Clock(1));
        Integer n(start = 0) = if activeState(b) then one else 0;
        equation
          initialState(a);
          transition(a, b, ticksInState() >= 3, immediate = false);
          transition(b, a, timeInState() > 0.5, immediate = false);""",
        8.0,
    )

    # a for three ticks, b for two: at its second tick it is 1 s old.
    assert ticks(result, "n") == [0, 0, 0, 1, 1, 0, 0, 0, 1]
    assert ticks(result, "a.k")[:4] == [1, 2, 3, 3]
    assert ticks(result, "b.t")[3:6] == [0, 1, 1]


def test_connected_outputs_of_states_are_one_signal(run: Run) -> None:
    result = run(
        """connector Out = output Integer; connector In = input Integer;
        block S parameter Integer k = 1; Out y(start = 0); equation y = previous(y) + k; end S;
        block Show In u; Integer twice = 2*u; end Show;
        S a(k = 1), b(k = 10);
        Show show;
        Integer t(start = -1) = previous(t) + sample(1, Clock(1));
        equation
          connect(a.y, show.u); connect(b.y, show.u);
          initialState(a);
          transition(a, b, t == 1, immediate = false, reset = false);
          transition(b, a, t == 3, immediate = false, reset = false);""",
        5.0,
    )

    assert ticks(result, "a.y") == [1, 2, 2, 2, 3, 4]
    assert ticks(result, "b.y") == [0, 0, 10, 20, 20, 20]
    assert ticks(result, "show.twice") == [2, 4, 20, 40, 6, 8]


NESTED = """
  inner Integer v(start = 0);
  block Outer
    inner Integer count(start = 0);
    inner outer output Integer v;
    block A outer output Integer v; equation v = previous(v) + 2; end A;
    block B outer output Integer v; equation v = previous(v) - 1; end B;
    block C outer output Integer count; equation count = previous(count) + 1; end C;
    block D end D;
    A a; B b; C c; D d;
    block X
      outer input Integer v;
      Integer i(start = 0), w;
    equation
      i = previous(i) + 1;
      w = v;
    end X;
    block Y Integer j(start = 0); equation j = previous(j) + 1; end Y;
    X x; Y y;
  equation
    initialState(a);
    transition(a, b, v >= 6, immediate = false);
    transition(b, c, v == 0, immediate = false);
    transition(c, a, true, immediate = false, priority = 2);
    transition(c, d, count >= 2, immediate = false);
    initialState(x);
    transition(x, y, x.i > 20, immediate = false, reset = false);
  end Outer;
  block Jump outer output Integer v; equation v = previous(v) + 5; end Jump;
  Outer outer_;
  Jump jump;
equation
  initialState(outer_);
  transition(jump, outer_, v >= 20, immediate = false);
"""
ASKED = (
    "transition(outer_, jump, activeState(outer_.d) and activeState(outer_.y), immediate = false);"
)
SYNCHRONIZED = "transition(outer_, jump, true, immediate = false, synchronize = true);"


@pytest.mark.parametrize("leave", [ASKED, SYNCHRONIZED])
def test_parallel_machines_in_a_state(run: Run, leave: str) -> None:
    """The machine over a, b, c, d ends in d at tick 20, the one over x, y in y at tick 21."""
    result = run(NESTED + leave, 49.0)

    once = [2, 4, 6, 5, 4, 3, 2, 1, 0, 0]
    assert ticks(result, "v")[:22] == [*once, *once, 0, 0]
    assert ticks(result, "v")[22:29] == [5, 10, 15, 20, 22, 21, 20]
    # Entered anew at tick 26: what is active is reset at once, y.j only when y becomes active.
    assert ticks(result, "outer_.count")[19:27] == [2, 2, 2, 2, 2, 2, 2, 0]
    assert ticks(result, "outer_.x.i")[24:29] == [21, 21, 1, 2, 3]
    assert ticks(result, "outer_.y.j")[20:23] == [0, 1, 1]
    assert ticks(result, "outer_.y.j")[46:50] == [1, 1, 2, 3]
    assert ticks(result, "outer_.v") == ticks(result, "v")


@pytest.mark.parametrize("method", ["ExplicitEuler", "ExplicitRungeKutta4", "ImplicitTrapezoid"])
def test_continuous_equations_are_integrated_while_their_state_is_active(
    run: Run, method: str
) -> None:
    """x grows by 2 a second, exactly by any method, and waits outside of `fill`; z begins anew."""
    result = run(
        f"""inner Real level(start = 0);
        block Fill
          outer output Real level;
          Real x(start = 1, fixed = true);
        equation
          der(x) = 2;
          level = x;
        end Fill;
        block Drain
          outer output Real level;
          Real z(start = 5);
        equation
          der(z) = -1;
          level = 10 + z;
        end Drain;
        Fill fill; Drain drain;
        Clock c = Clock(Clock(1), solverMethod = "{method}");
        Integer t(start = -1) = previous(t) + sample(1, c);
        equation
          initialState(fill);
          transition(fill, drain, mod(t, 4) == 2, immediate = false);
          transition(drain, fill, mod(t, 4) == 0, immediate = false, reset = false);""",
        8.0,
    )

    assert ticks(result, "fill.x") == pytest.approx([1, 3, 5, 5, 5, 7, 9, 9, 9])
    assert ticks(result, "drain.z") == pytest.approx([5, 5, 5, 5, 4, 4, 4, 5, 4])
    assert ticks(result, "level") == pytest.approx([1, 3, 5, 15, 14, 7, 9, 15, 14])


CASES = {
    "no initial state": (
        "E070",
        "block S end S; S a, b;\nequation transition(a, b, sample(true, Clock(1)));",
    ),
    "two initial states": (
        "E070",
        """block S end S; S a, b;
        equation transition(a, b, sample(true, Clock(1))); initialState(a); initialState(b);""",
    ),
    "equal priorities": (
        "E070",
        """block S end S; S a, b, c; Boolean t = sample(true, Clock(1));
        equation initialState(a); transition(a, b, t); transition(a, c, t);""",
    ),
    "a question without a machine": ("E071", "Integer n = ticksInState();"),
    "a state that is none": (
        "E071",
        """block S end S; S a, b; Boolean t = activeState(b);
        equation initialState(a);""",
    ),
    "given twice at a time": (
        "E072",
        """inner Integer v(start = 0);
        block S outer output Integer v; equation v = previous(v) + 1; end S; S a, b;
        equation initialState(a); initialState(b);""",
    ),
    "continuous time without a solver method": (
        "E067",
        """block S Real x; equation der(x) = 1; end S; S a;
        equation initialState(a);""",
    ),
    "a circle": (
        "E073",
        """inner Integer v(start = 0);
        block S outer output Integer v; equation v = previous(v) + 1; end S; S a;
        block T outer output Integer v; equation v = previous(v) - 1; end T; T b;
        equation initialState(a); transition(a, b, v > 1);""",
    ),
    "no state": ("N060", "equation initialState(3);"),
    "no condition": ("N060", "block S end S; S a, b; equation transition(a, b);"),
}


@pytest.mark.parametrize("name", CASES)
def test_machine_errors(refused: Refused, name: str) -> None:
    code, text = CASES[name]

    problem = refused(text)

    assert problem.code == code
    assert problem.labels
    assert problem.help
