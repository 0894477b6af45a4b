"""Every block and every connection of a diagram is accounted for.

What a named signal depends on, through unnamed signals, is read from the sorted equations and from the
diagram: both must be the same.
"""

from pathlib import Path

import pytest

from freewheel.api.model import load
from freewheel.base.names import TIME
from freewheel.flat.nodes import Variability
from freewheel.formula.nodes import Var
from freewheel.formula.walk import calls_in, variables_in
from freewheel.listing.block_diagram.draw import WIDEST, draw, summary
from freewheel.listing.block_diagram.hidden import Hidden
from freewheel.listing.block_diagram.nodes import Kind
from freewheel.listing.block_diagram.rows import rows
from freewheel.listing.block_diagram.show import show
from freewheel.listing.block_diagram.signals import diagram_of
from freewheel.listing.block_diagram.sizes import box_of
from freewheel.listing.equations.solution import Assignment, Style, pieces
from freewheel.structure.atoms import (
    HELD,
    HISTORY,
    INITIAL,
    PIVOT,
    base_of,
    der_of,
    is_pre,
    pre_of,
)

ROOT = Path(__file__).resolve().parents[2]

MODELS = {
    "ball": """model M parameter Real c = 0.8; Real h(start=1, fixed=true), v(start=0, fixed=true);
        Integer n(start=0, fixed=true); equation der(h) = v; der(v) = -9.81;
        when h < 0 then reinit(v, -c*pre(v)); n = pre(n) + 1; end when; end M;""",
    "delay": """model M parameter Real T = 0.5; Real x(start=1, fixed=true), y;
        equation y = delay(2*x, T); der(x) = -sin(y) + time; end M;""",
    "variable delay": """model M Real x(start=1, fixed=true), y, lag; equation lag = 0.2 + 0.1*abs(x);
        y = delay(x, lag, 2); der(x) = -2*y + 1; end M;""",
    "transport": """model M Real x(start=0, fixed=true), v, y1, q(start=0, fixed=true); equation der(x) = v;
        v = 1 + 0.2*sin(time); der(q) = 1 - q;
        (, y1) = spatialDistribution(q, 0, x, v >= 0, {0, 1}, {0, 0}); end M;""",
    "integer parts": """model M Real x(start=0.3, fixed=true), w; Integer n, m; equation der(x) = 2 - 0.1*x;
        n = integer(3*x); m = div(n, 2); w = floor(x) + mod(x, 0.5) + ceil(2*x) + rem(x, 3); end M;""",
    "pendulum": """model M parameter Real L = 1, m = 1, g = 9.81; Real x(start=0.6), y(start=-0.8), vx, vy, F;
        equation der(x) = vx; der(y) = vy; m*der(vx) = -x/L*F; m*der(vy) = -y/L*F - m*g;
        x^2 + y^2 = L^2; end M;""",
    "state machine": """model M inner Integer v(start=0);
        block Up outer output Integer v; equation v = previous(v) + 1; end Up;
        block Down outer output Integer v; equation v = previous(v) - 1; end Down; Up up; Down down;
        equation initialState(up); transition(up, down, v >= 5, immediate=false);
        transition(down, up, v <= 0 and ticksInState() > 2, immediate=false); end M;""",
    "sampled": """model M parameter Real Ts = 0.1; Real x(start=0, fixed=true);
        discrete Real u(start=0, fixed=true), I(start=0, fixed=true); equation der(x) = -x + u;
        when sample(0, Ts) then I = pre(I) + Ts*(1 - x); u = 2*(1 - x) + I; end when; end M;""",
    "clocked": """model M Real x(start=0, fixed=true), xs, u, i(start=0); equation der(x) = -x + hold(u);
        xs = sample(x, Clock(0.1)); i = previous(i) + 0.1*(1 - xs); u = 2*(1 - xs) + i; end M;""",
    "discretized": """model M Real x(start=1), u, y(start=0, fixed=true); equation der(y) = hold(x) - y;
        u = sample(y, Clock(Clock(0.1), solverMethod="ImplicitEuler")); der(x) = u - x; end M;""",
    "hysteresis": """model M Real T(start=15, fixed=true); Boolean on(start=false, fixed=true);
        equation der(T) = if on then 2 - 0.1*T else -0.1*T;
        when {T < 18, initial()} then on = true; elsewhen T > 22 then on = false; end when; end M;""",
    "algorithm": """model M Real x(start=1, fixed=true); Integer mode(start=1, fixed=true); algorithm
        when x < 0.5 then mode := 2; end when; when x > 1.5 then mode := 1; end when;
        equation der(x) = if mode == 1 then -1 else 1; end M;""",
    "array": """model M Real T[4](each start=300, each fixed=true), q[5]; equation q[1] = 100;
        q[5] = T[4] - 290; for i in 2:4 loop q[i] = i*(T[i-1] - T[i]); end for;
        for i in 1:4 loop 10*der(T[i]) = q[i] - q[i+1]; end for; end M;""",
    "loop": """model M Real x(start=1), y, z(start=1, fixed=true); equation x + exp(x) = 2 + y + z;
        y = 3*x - sin(time); der(z) = x*y - z; end M;""",
}


def load_text(text, tmp_path):
    path = tmp_path / "m.mo"
    path.write_text(text)
    return load(path)


class Wanted:
    """Dependences of all quantities, from the sorted equations themselves."""

    def __init__(self, ordered):
        self.ordered, self.hidden = ordered, Hidden(ordered)
        self.model = ordered.hybrid.aliases.model
        self.crossings = {c.status: c for c in ordered.hybrid.crossings}
        self.reads = {}
        self.other_name = {}
        variables = ordered.scalar.variables
        self.constants = {v.name for v in variables if v.variability <= Variability.PARAMETER}
        for piece in pieces(ordered, Style(matrix=True)):
            if isinstance(piece, Assignment):
                self._assignment(piece)
                continue
            for equation, unknown in zip(piece.equations, piece.unknowns, strict=True):
                others = [side for side in (equation.left, equation.right) if side != unknown]
                if len(others) == 1 and isinstance(others[0], Var):
                    self.other_name[unknown] = others[0]
                    continue
                self.reads[unknown] = self._all(equation.left, equation.right) - {unknown}
        for state in ordered.differential:
            self.reads[state] = {der_of(state)}
        for action in ordered.hybrid.actions:
            if action.kind == "reinit":
                self.reads[action.target] |= self._all(action.guard, action.value)

    def _assignment(self, piece):
        reads = self._all(piece.value)
        if not reads and TIME not in {v.name for v in variables_in(piece.value)}:
            self.constants.add(piece.target.name)
        elif isinstance(piece.value, Var):
            self.other_name[piece.target] = piece.value
        elif piece.target.name[0] == HELD:  # how it is held between events is no wire
            self.reads[piece.target] = reads - {pre_of(piece.target)}
        else:
            self.reads[piece.target] = reads

    def _all(self, *exprs):
        found = set()
        for var in variables_in(*exprs):
            if var in self.crossings:
                found |= self._all(self.crossings[var].left, self.crossings[var].right)
            elif (
                var.name not in (TIME, HISTORY.name, INITIAL.name)
                and var.name not in self.constants
            ):
                found.add(var)
        for call in calls_in(*exprs):
            if call.function == "history":
                line = self.model.delays[call.args[1].data - 1]
                found |= self._all(line.signal, line.lag)
            if call.function == "transported":
                pipe = self.model.pipes[(call.args[1].data - 1) // 2]
                lines = (
                    self.model.delays[k - 1].signal for k in (pipe.left, pipe.right, pipe.place)
                )
                found |= self._all(*lines, pipe.forward)
        return found

    def _read_by(self, var):
        if is_pre(var):
            return {base_of(var)}
        if var.name[0] == PIVOT:
            group = self.hidden.group(var.name)
            return self._all(*(entry for row in group.gradient for entry in row))
        return self.reads.get(var, set())

    def _name(self, var):
        while var in self.other_name:
            var = self.other_name[var]
        return var

    def names_of(self, var):
        """All names of a signal."""
        same = [v for v in (*self.other_name, var) if self._name(v) == self._name(var)]
        return {w for v in same if (w := self.hidden.words(v.name))}

    def named(self, var, seen=None):
        """Names that a quantity depends on, through quantities without a name."""
        seen = set() if seen is None else seen
        found = set()
        for other in map(self._name, self._read_by(self._name(var))):
            names = self.names_of(other)
            if names:
                found.add(frozenset(names))
            elif other not in seen:
                seen.add(other)
                found |= self.named(other, seen)
        return found


def named_in(picture, number, seen=None):
    seen = set() if seen is None else seen
    found = set()
    for port in picture.blocks[number].inputs:
        name = picture.blocks[port.block].outputs[port.output]
        if name:
            found.add(name)
        elif port.block not in seen:
            seen.add(port.block)
            found |= named_in(picture, port.block, seen)
    return found - {"time"}


@pytest.mark.parametrize("text", MODELS.values(), ids=MODELS)
def test_inputs_of_blocks_are_the_variables_of_their_equations(text, tmp_path):
    ordered = load_text(text, tmp_path).upto("structure").ordered
    wanted, picture = Wanted(ordered), diagram_of(ordered)
    number = {name: k for k, b in enumerate(picture.blocks) for name in b.outputs if name}

    for var in wanted.reads:
        names = wanted.names_of(var)
        if not names:
            continue
        [name] = names & set(number)
        found = named_in(picture, number[name])
        expected = wanted.named(var)
        assert all(found & group for group in expected), (name, found, expected)
        assert found <= {n for group in expected for n in group}, (name, found, expected)


@pytest.mark.parametrize("text", MODELS.values(), ids=MODELS)
def test_diagrams_speak_the_words_of_the_modeller(text, tmp_path):
    model = load_text(text, tmp_path)

    for fold in (True, False):
        picture = model.block_diagram(fold=fold)
        assert "$" not in show(picture)
        assert "$" not in draw(picture)
        assert "history" not in show(picture)


def test_a_jump_of_a_state_is_an_input_of_its_integrator(tmp_path):
    picture = load_text(MODELS["ball"], tmp_path).block_diagram()
    [v] = [b for b in picture.blocks if b.outputs == ("v",)]

    assert v.kind is Kind.INTEGRATOR
    assert [i.mark for i in v.inputs] == ["", "when", "reinit"]
    assert picture.blocks[v.inputs[1].block].label == "edge(u)"
    assert picture.blocks[v.inputs[2].block].label == "-c"


def test_a_delay_is_one_block(tmp_path):
    picture = load_text(MODELS["variable delay"], tmp_path).block_diagram()

    assert "delay(u1, u2) of x, lag" in show(picture)


def test_integer_parts_are_called_as_the_modeller_does(tmp_path):
    told = show(load_text(MODELS["integer parts"], tmp_path).block_diagram())

    assert "n       function    integer(3*u) of x" in told
    assert "floor(u) of x" in told


def test_states_chosen_while_running_name_their_variables(tmp_path):
    told = show(load_text(MODELS["pendulum"], tmp_path).block_diagram())

    assert "state of x, y" in told
    assert "choice of states of x, y" in told


def test_a_state_machine_is_one_block_with_its_states(tmp_path):
    picture = load_text(MODELS["state machine"], tmp_path).block_diagram()

    [machine] = [b for b in picture.blocks if b.kind is Kind.COMPONENT]
    assert machine.label == "state machine up, down"
    assert set(machine.outputs) == {"activeState(up)", "activeState(down)"}
    assert "v" in {i.mark for i in machine.inputs}


def chain(count):
    return f"""model M Real x[{count}](each start=0, each fixed=true); equation der(x[1]) = 1 - x[1];
        for i in 2:{count} loop der(x[i]) = x[i-1] - x[i]; end for; end M;"""


@pytest.mark.parametrize("count", [5, 30, 100])
def test_a_chain_is_drawn_in_rows_that_are_the_whole_diagram(tmp_path, count):
    picture = load_text(chain(count), tmp_path).block_diagram()
    parts = rows(picture, [box_of(block).span for block in picture.blocks], WIDEST)

    assert (len(parts) > 1) == (count > 10)
    assert _connections([picture]) == _connections(parts)
    size = float(draw(picture).split('width="')[1].split('"')[0])
    assert size <= 1.4 * WIDEST


def _connections(parts):
    """(what is read, mark, reader), tags left out."""
    found = []
    for part in parts:
        for block in part.blocks:
            if block.kind not in (Kind.TO, Kind.FROM):
                reads = [(part.blocks[i.block].outputs[i.output], i.mark) for i in block.inputs]
                found.append((str(block.kind), block.label, block.outputs, tuple(reads)))
    return sorted(found)


def test_equal_loops_are_counted(tmp_path):
    pairs = "\n".join(f"x[{k}] = time - y[{k}]; y[{k}] = 2*x[{k}] + {k};" for k in range(1, 8))
    text = f"model M Real x[7], y[7]; equation {pairs} end M;"

    assert "7 loops of 2 equations, linear" in summary(load_text(text, tmp_path).block_diagram())
