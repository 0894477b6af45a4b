"""CasADi: a Python file whose `model()` builds symbols, functions and a DAE for CasADi's integrators.

    f = circuit_casadi.model()
    ca.integrator("run", "cvodes", f["dae"], 0, 1e-3)

Loops of equations become algebraic unknowns `z`. What changes at events only (statuses of relations,
discrete variables) is a parameter `q`; `crossings` tells when it would change.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from freewheel.export.c import file_stem
from freewheel.export.draft import Exportable, make_draft
from freewheel.export.formula import Dialect, FormulaText
from freewheel.export.naming import names_for
from freewheel.export.nodes import Draft, Set, Statement
from freewheel.export.options import ExportOptions
from freewheel.export.python import RULES, PythonWriter
from freewheel.export.started import started_memory
from freewheel.export.statements import statements_of
from freewheel.formula import build
from freewheel.formula.nodes import Expr, Var
from freewheel.program.nodes import Assign, SolveLinear, SolveNonlinear, Step, slot_var
from freewheel.program.written import written_slots

CASADI = Dialect(
    name="casadi",
    real=repr,
    relations={"<": "<", "<=": "<=", ">": ">", ">=": ">=", "==": "==", "<>": "!="},
    words={"and": "ca.logic_and({0}, {1})", "or": "ca.logic_or({0}, {1})"},
    negation="ca.logic_not({0})",
    true="ca.SX(1)",
    false="ca.SX(0)",
    power="{0}**{1}",
    to_number="({0})",
    choice="ca.if_else({0}, {1}, {2})",
    functions={
        **{name: f"ca.{name}" for name in ("sin", "cos", "tan", "asin", "acos", "atan", "atan2")},
        **{name: f"ca.{name}" for name in ("sinh", "cosh", "tanh", "exp", "log", "sqrt", "floor")},
        **{name: f"ca.{name}" for name in ("ceil", "sign", "log10")},
        "abs": "ca.fabs",
        "min": "ca.fmin",
        "max": "ca.fmax",
        "integer": "ca.floor",
        "div": "ca.trunc({0}/{1})",
        "rem": "ca.fmod",
        "mod": "({0} - ca.floor({0}/{1})*{1})",
        "Integer": "{0}",
        "semiLinear": "ca.if_else({0} >= 0, {0}*{1}, {0}*{2})",
    },
)

_MODEL = '''

def model():
    """Symbols, functions and the DAE of the model."""
    t = ca.SX.sym("t")
    x = ca.SX.sym("x", len(STATES))
    z = ca.SX.sym("z", len(ALGEBRAIC))
    u = ca.SX.sym("u", len(INPUTS))
    p = ca.SX.sym("p", len(PARAMETERS))
    q = ca.SX.sym("q", len(HELD))
    m = [ca.SX(value) for value in START]
    m[TIME] = t
    for slots, symbols in ((STATES, x), (ALGEBRAIC, z), (INPUTS, u), (PARAMETERS.values(), p), (HELD, q)):
        for k, slot in enumerate(slots):
            m[slot] = symbols[k]
    g = [ca.SX(0)] * len(ALGEBRAIC)
    parameters(m, g)
    derivatives(m, g)
    ode = ca.vertcat(*(m[slot] for slot in RATES)) if RATES else ca.SX(0, 1)
    relations(m, g)
    outputs(m, g)
    alg = ca.vertcat(*g) if g else ca.SX(0, 1)
    y = ca.vertcat(*(sign * m[slot] + offset if slot >= 0 else offset for _, slot, sign, offset in VARIABLES))
    zero = ca.vertcat(*(m[slot] for slot in RESIDUALS)) if RESIDUALS else ca.SX(0, 1)
    arguments = [t, x, z, u, p, q]
    labels = ["t", "x", "z", "u", "p", "q"]
    return {
        "t": t, "x": x, "z": z, "u": u, "p": p, "q": q,
        "derivatives": ca.Function("derivatives", arguments, [ode], labels, ["ode"]),
        "algebraic": ca.Function("algebraic", arguments, [alg], labels, ["alg"]),
        "variables": ca.Function("variables", arguments, [y], labels, ["y"]),
        "crossings": ca.Function("crossings", arguments, [zero], labels, ["zero"]),
        "dae": {"t": t, "x": x, "z": z, "p": ca.vertcat(u, p, q), "ode": ode, "alg": alg},
    }


def start():
    """Numbers for x, z, u, p and q where the model starts."""
    groups = (STATES, ALGEBRAIC, INPUTS, PARAMETERS.values(), HELD)
    return tuple([START[slot] for slot in slots] for slots in groups)
'''


def write_casadi(model: Exportable, options: ExportOptions) -> Mapping[str, str]:
    draft = make_draft(model, "casadi", options, has_functions=False)
    return {f"{file_stem(draft.title)}_casadi.py": _Casadi(draft).text()}


RESIDUAL = "residual"  # Var(("residual", k)) is number k
_SECTIONS = ("parameters", "derivatives", "relations", "outputs")


class _Casadi:
    def __init__(self, draft: Draft) -> None:
        self.draft, self.program = draft, draft.program
        self.names = names_for(draft.names, RULES)
        loops = (
            step
            for name in _SECTIONS
            for step in self.program.sections[name]
            if isinstance(step, SolveLinear | SolveNonlinear) and _is_loop(step)
        )
        # A loop that several sections solve is one.
        self.algebraic = list(dict.fromkeys(slot for step in loops for slot in step.slots))

    def _name(self, var: Var) -> str:
        head = var.name[0]
        if head == RESIDUAL:
            return f"g[{var.name[1]}]"
        return f"m[{self.names[head]}]" if isinstance(head, int) else f"{var.name[1]}_"

    def text(self) -> str:
        program = self.program
        writer = PythonWriter(FormulaText(CASADI, self._name), arguments="m, g")
        title = self.draft.title.replace("\\", "\\\\").replace('"', '\\"')
        writer.lines += [f'"""{title} for CasADi, generated by Freewheel."""', ""]
        writer.lines += ["import casadi as ca", ""]
        for slot, (name, meaning) in enumerate(zip(self.names, self.draft.names, strict=True)):
            writer.line(f"{name} = {slot}  # {meaning}")
        for name, value in self._data().items():
            writer.line(f"{name} = {value!r}")
        writer.line("VARIABLES = [  # name, slot, sign, offset")
        for info in program.variables:
            writer.line(f"    ({info.name!r}, {info.slot}, {info.sign!r}, {info.offset!r}),")
        writer.lines += ["]", ""]
        for name in _SECTIONS:
            writer.function(name, self._open_loops(program.sections[name], name))
        return writer.text().rstrip("\n") + "\n" + _MODEL

    def _data(self) -> dict[str, object]:
        program = self.program
        written: set[int] = set()
        for name in _SECTIONS:
            written |= written_slots(program.sections[name])
        known = {state.slot for state in program.state_slots} | set(self.algebraic)
        known |= {info.slot for info in program.inputs} | {program.time}
        dependent = written_slots(program.sections["parameters"])
        parameters = {n: slot for n, slot in program.parameters.items() if slot not in dependent}
        held = {slot for pair in program.discrete for slot in pair}
        held |= {relation.status for relation in program.relations}
        return {
            "TIME": program.time,
            "START": list(started_memory(program)) + [0.0] * (len(self.names) - len(program.start)),
            "STATES": [state.slot for state in program.state_slots],
            "RATES": [state.derivative for state in program.state_slots],
            "ALGEBRAIC": self.algebraic,
            "INPUTS": [info.slot for info in program.inputs],
            "PARAMETERS": parameters,
            "HELD": sorted(held - known - written),
            "RESIDUALS": [relation.residual for relation in program.relations],
        }

    def _open_loops(self, steps: Iterable[Step], name: str) -> list[Statement]:
        """Residuals instead of solutions."""
        found: list[Statement] = []
        for step in steps:
            if not _is_loop(step):
                found += statements_of([step], name[0])
                continue
            assert isinstance(step, SolveLinear | SolveNonlinear)
            if isinstance(step, SolveNonlinear):
                found += statements_of(step.inner, name[0])
                residuals: list[Expr] = list(step.residuals)
            else:
                residuals = _rows(step)
            assigns = [Assign(slot_var(-1), residual) for residual in residuals]
            for slot, one in zip(step.slots, statements_of(assigns, name[0]), strict=True):
                assert isinstance(one, Set)
                number = self.algebraic.index(slot)
                found.append(Set(Var((RESIDUAL, number)), one.value))
        return found


def _is_loop(step: Step) -> bool:
    return isinstance(step, SolveNonlinear) or (
        isinstance(step, SolveLinear) and len(step.slots) > 1
    )


def _rows(step: SolveLinear) -> list[Expr]:
    found: list[Expr] = []
    for row, right in enumerate(step.right):
        total = build.neg(right)
        for at, column, entry in step.matrix:
            if at == row:
                total = build.plus(total, build.times(entry, slot_var(step.slots[column])))
        found.append(total)
    return found
