"""Standalone Python over NumPy.

python circuit.py > circuit.csv          or          import circuit; circuit.simulate(stop=1e-3)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from freewheel.export.c import file_stem
from freewheel.export.c_text import part
from freewheel.export.draft import Exportable, make_draft
from freewheel.export.formula import Dialect, FormulaText
from freewheel.export.naming import NameRules, names_for
from freewheel.export.nodes import Draft, Linear, Repeat, Set, Statement
from freewheel.export.options import ExportOptions
from freewheel.export.writer import StatementWriter
from freewheel.formula.nodes import Var
from freewheel.program.nodes import SECTIONS, SIMPLIFIED

_WORDS = (
    "and as assert async await break class continue def del elif else except false finally for from "
    "global if import in is lambda none nonlocal not or pass raise return true try while with yield "
    "sin cos tan asin acos atan atan2 sinh cosh tanh exp log log10 sqrt abs min max floor ceil trunc "
    "pow fmod m time np math start event due follow hold inputs outputs step relations parameters "
    "initial discrete derivatives simplified states rates simulate row_of has_crossed sign modulo "
    "nominal variables start_values stop interval tolerance next_time c a e match case type list len"
)
RULES = NameRules(reserved=frozenset(_WORDS.split()))

PYTHON = Dialect(
    name="python",
    real=repr,
    relations={"<": "<", "<=": "<=", ">": ">", ">=": ">=", "==": "==", "<>": "!="},
    true="True",
    false="False",
    power="power({0}, {1})",
    to_number="float({0})",
    choice="({1} if {0} else {2})",
    functions={
        **{name: name for name in ("sin", "cos", "tan", "asin", "acos", "atan", "atan2")},
        **{name: name for name in ("sinh", "cosh", "tanh", "exp", "log", "log10", "sqrt")},
        **{name: name for name in ("abs", "min", "max", "sign")},
        "floor": "float(floor({0}))",
        "integer": "float(floor({0}))",
        "ceil": "float(ceil({0}))",
        "div": "float(trunc({0}/{1}))",
        "rem": "fmod",
        "mod": "modulo",
        "Integer": "{0}",
        "semiLinear": "({0}*({1} if {0} >= 0.0 else {2}))",
    },
)

_HEAD = """from math import acos, asin, atan, atan2, ceil, cos, cosh, exp, floor, fmod, inf, log, log10, nan
from math import pow as power
from math import sin, sinh, sqrt, tan, tanh, trunc

import numpy as np


def sign(x):
    return float((x > 0.0) - (x < 0.0))


def modulo(x, y):
    return x - floor(x/y)*y

"""


def write_python(model: Exportable, options: ExportOptions) -> Mapping[str, str]:
    draft = make_draft(model, "python", options)
    return {f"{file_stem(draft.title)}.py": python_model(draft) + part("driver.py.txt")}


class PythonWriter(StatementWriter):
    indent = "    "

    def __init__(self, formulas: FormulaText, arguments: str = "m") -> None:
        super().__init__(formulas)
        self.arguments = arguments

    def function(self, name: str, statements: Sequence[Statement]) -> None:
        self.lines += ["", f"def {name}({self.arguments}):"]
        self.depth += 1
        self.write(statements)
        if not statements:
            self.line("return None")
        self.depth -= 1
        self.lines.append("")

    def assign(self, statement: Set) -> None:
        self.line(f"{self.formulas.number(statement.target)} = {self.value(statement)}")

    def open_branch(self, condition: str, is_first: bool) -> None:
        self.line(f"{'if' if is_first else 'elif'} {condition}:")

    def open_else(self) -> None:
        self.line("else:")

    def close_branches(self) -> None:
        pass

    def repeat(self, statement: Repeat) -> None:
        self.line(f"for _ in range({statement.limit}):")
        self._indented(statement.body)
        self.line("else:")
        self.line(f"    raise ArithmeticError({statement.failure!r})")

    def leave(self, condition: str) -> None:
        self.line(f"if {condition}:")
        self.line("    break")

    def run(self, section: str) -> None:
        self.line(f"{section}({self.arguments})")

    def linear(self, statement: Linear) -> None:
        size, number = len(statement.targets), self.formulas.number
        self.line(f"a_, b_ = np.zeros(({size}, {size})), np.zeros({size})")
        for row, column, entry in statement.matrix:
            self.line(f"a_[{row}, {column}] = {number(entry)}")
        for row, right in enumerate(statement.right):
            self.line(f"b_[{row}] = {number(right)}")
        targets = ", ".join(number(target) for target in statement.targets)
        self.line(f"{targets} = np.linalg.solve(a_, b_).tolist()")


def python_model(draft: Draft) -> str:
    """Everything of the model, without the driver."""
    names = names_for(draft.names, RULES)

    def name_text(var: Var) -> str:
        head = var.name[0]
        return f"m[{names[head]}]" if isinstance(head, int) else f"{var.name[1]}_"

    program = draft.program
    writer = PythonWriter(FormulaText(PYTHON, name_text))
    writer.lines += [f'"""{draft.title}, generated by Freewheel."""', "", _HEAD]
    for slot, (name, meaning) in enumerate(zip(names, draft.names, strict=True)):
        writer.line(f"{name} = {slot}  # {meaning}")
    first, stop = program.states
    interval = draft.interval or draft.stop / 500
    data = {
        "START": list(draft.memory),
        "TIME": program.time,
        "NEXT_TIME": draft.extras.next_time,
        "TERMINAL": program.terminal_flag,
        "STOP": draft.stop,
        "INTERVAL": interval,
        "TOLERANCE": draft.tolerance,
        "RELATIONS": [
            (relation.status, relation.residual, band)
            for relation, band in zip(program.relations, draft.extras.bands, strict=True)
        ],
        "PARAMETERS": dict(program.parameters),
    }
    writer.lines += ["", *(f"{name} = {value!r}" for name, value in data.items())]
    writer.line(f"STATES = slice({first}, {stop})")
    writer.line(f"RATES = slice({program.derivatives[0]}, {program.derivatives[1]})")
    writer.line(
        f"NOMINAL = np.array({[state.nominal for state in program.state_slots]!r}, dtype=float)"
    )
    writer.line("VARIABLES = [  # name, slot, sign, offset")
    for info in program.variables:
        writer.line(f"    ({info.name!r}, {info.slot}, {info.sign!r}, {info.offset!r}),")
    writer.lines += ["]", "", "", "def inputs(t, m):"]
    writer.line('    """Inputs keep their start values unless something is said here."""')
    for info in program.inputs:
        writer.line(f"    # m[{names[info.slot]}] = ...")
    writer.lines.append("")
    for name in (SIMPLIFIED, *SECTIONS, "follow", "hold", "start", "due", "event"):
        writer.function(name, draft.routines[name])
    return writer.text()
