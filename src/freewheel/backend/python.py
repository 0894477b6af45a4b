"""Program to Python text: the reference backend, slow and obviously right.

    def derivatives(memory):
        m = memory.tolist()
        try:
            m[2] = m[5]/m[9]          # der(v) = i/C
        except FAILURES as problem:
            return failed("derivatives", problem, m)
        memory[2:3] = m[2:3]
        return 0

Numbers are worked on as a list of Python floats: that is several times faster than a numpy array,
and arithmetic failures raise. A failure is traced back to its step by the line it happened on, so
the good case pays nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from freewheel.base.names import ClassName, Name
from freewheel.formula.nodes import Call, Expr, Field, Index, Output, Var
from freewheel.formula.python_code import PythonText
from freewheel.formula.python_function import function_text
from freewheel.formula.walk import nodes_of
from freewheel.program.nodes import (
    BETWEEN,
    SECTIONS,
    SIMPLIFIED,
    About,
    Act,
    Assign,
    Check,
    JacobianProgram,
    Jump,
    Program,
    SetStatus,
    SolveLinear,
    SolveNonlinear,
    Step,
    branch_slots,
    inner_slots,
    kept_slots,
)
from freewheel.program.written import written_slots
from freewheel.runtime.events.branch_following import ENDED


@dataclass(slots=True)
class PythonSource:
    """The text of a program, and which step each of its lines belongs to."""

    text: str
    line_steps: dict[int, tuple[str, int]]  # line -> (section, step)
    steps: dict[str, list[About]]  # section -> what each step is about


class _Writer:
    """Collects lines; knows which step each belongs to."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.function_code = unique_codes(program)
        self.formulas = PythonText(_name_code, self.function_code)
        self.lines: list[str] = []
        self.line_steps: dict[int, tuple[str, int]] = {}
        self.steps: dict[str, list[About]] = {}
        self.residual_count = 0
        self.wholes: dict[str, str] = {}  # residual function -> its loop before tearing
        self.section = ""

    # ------------------------------------------------------------ lines

    def add(self, text: str, depth: int, step: int = -1) -> None:
        self.lines.append("    " * depth + text)
        if step >= 0:
            self.line_steps[len(self.lines)] = (self.section, step)

    def expr(self, expr: Expr) -> str:
        return self.formulas.of(expr)

    def number(self, expr: Expr) -> str:
        """As a plain float: what comes out of arrays is a numpy number."""
        text = self.expr(expr)
        return f"float({text})" if _comes_from_array(expr) else text

    # ------------------------------------------------------------ sections

    def functions(self) -> None:
        for function in self.program.functions:
            for line in function_text(function, self.function_code).rstrip("\n").split("\n"):
                self.lines.append(line)
            self.lines.append("")

    def write_section(self, name: str, steps: Sequence[Step]) -> None:
        self.section = name
        self.steps[name] = [step.about for step in steps]
        calls = [
            self.residuals(number, step) if isinstance(step, SolveNonlinear) else ""
            for number, step in enumerate(steps)
        ]
        self.add(f"def {name}(memory):", 0)
        if not steps:
            self.add("return 0", 1)
            self.lines.append("")
            return
        if name == "initial" and self.program.started >= 0:
            self.add(f"if not memory[{self.program.started}]:", 1)
            self.add(f"memory[{self.program.started}] = 1.0", 2)
            self.add(f"{SIMPLIFIED}(memory)", 2)  # a guess: should it fail, we go on without
        self.add("m = memory.tolist()", 1)
        self.add("try:", 1)
        for number, step in enumerate(steps):
            self.step(number, step, calls[number])
        self.add("except FAILURES as problem:", 1)
        followed = [s for s in steps if isinstance(s, SolveNonlinear) and s.follow >= 0]
        told = sorted({slot for s in followed for slot in (s.follow + 1, *branch_slots(s))})
        for slot in told:
            self.add(f"memory[{slot}] = m[{slot}]", 2)
        for s in followed:  # values where a branch ends belong to it
            self.add(f"if m[{s.sense}] == {ENDED}:", 2)
            for slot in (*s.slots, *inner_slots(s)):
                self.add(f"memory[{slot}] = m[{slot}]", 3)
        self.add(f"return failed({name!r}, problem, m)", 2)
        for first, stop in ranges(written_slots(steps).union(told)):
            self.add(f"memory[{first}:{stop}] = m[{first}:{stop}]", 1)
        self.add("return 0", 1)
        self.lines.append("")

    def residuals(self, number: int, step: SolveNonlinear) -> str:
        """The functions that a nonlinear loop iterates on: torn, and as a whole with the slots that
        the torn one assigns."""
        self.residual_count += 1
        name = f"residual_{self.residual_count}"
        self.add(f"def {name}(m):", 0)
        for inner in step.inner:
            self.assign(inner, 1, number)
        parts = ", ".join(self.number(r) for r in step.residuals)
        self.add(f"return [{parts}]", 1, number)
        self.lines.append("")
        slots = inner_slots(step)
        if not slots:
            return name
        whole = f"whole_{self.residual_count}"
        self.add(f"def {whole}(m):", 0)
        misfits: list[str] = []
        for inner in step.inner:
            if isinstance(inner.target.name[0], int) and inner.guard is None:
                misfits.append(f"d{len(misfits)}")
                target = _name_code(inner.target.name)
                self.add(f"{misfits[-1]} = {target} - ({self.number(inner.value)})", 1, number)
            else:
                self.assign(inner, 1, number)
        self.add(f"return [{', '.join(misfits)}, {parts}]", 1, number)
        self.lines.append("")
        self.wholes[name] = f"Whole({whole}, {_tuple(slots)})"
        return name

    # ------------------------------------------------------------ steps

    def step(self, number: int, step: Step, residual: str) -> None:
        match step:
            case Assign():
                self.assign(step, 2, number)
            case SetStatus():
                self.add(f"r = {self.number(step.residual)}", 2, number)
                self.add(f"if r: m[{step.slot}] = 1.0 if r > 0.0 else -1.0", 2, number)
            case SolveLinear():
                self.linear(number, step)
            case SolveNonlinear():
                slots, starts, nominals = map(_tuple, (step.slots, step.starts, step.nominals))
                bounds = "(" + "".join(f"{_tuple(pair)}, " for pair in step.bounds) + ")"
                whole = self.wholes.get(residual)
                given = f"{slots}, {residual}, {starts}, {nominals}, {bounds}, {whole}"
                if step.follow >= 0:
                    kept = step.left if kept_slots(step) or not step.inner else -1
                    given += f", ({step.follow}, {step.sense}, {kept})"
                self.add(f"solve_nonlinear(m, {given})", 2, number)
            case Check():
                left, right = self.number(step.left), self.number(step.right)
                self.add(f"must_agree({left}, {right})", 2, number)
            case Jump():
                self.add(f"if {self.expr(step.guard)}:", 2, number)
                self.add(f"m[{step.flag}] = 1.0", 3, number)
                self.add(f"m[{step.new}] = {self.number(step.value)}", 3, number)
            case Act():
                self.act(number, step)

    def assign(self, step: Assign, depth: int, number: int) -> None:
        target = step.target.name
        if target[0] == "tuple":
            text = self.expr(step.value)
            assert text.endswith("[0]"), text
            code, value = f"t{target[1]}", text[:-3]
        elif isinstance(target[0], int):
            code, value = f"m[{target[0]}]", self.number(step.value)
        else:
            code, value = _name_code(target), self.expr(step.value)
        if step.guard is not None:
            self.add(f"{code} = 0.0", depth)
            self.add(f"if {self.expr(step.guard)}: {code} = {value}", depth, number)
        else:
            self.add(f"{code} = {value}", depth, number)

    def linear(self, number: int, step: SolveLinear) -> None:
        size = len(step.slots)
        if size == 1:
            slot = step.slots[0]
            factor = self.number(step.matrix[0][2]) if step.matrix else "0.0"
            right = self.number(step.right[0])
            self.add(f"m[{slot}] = divide({right}, {factor}, m[{slot}])", 2, number)
            return
        entries = {(r, c): self.number(e) for r, c, e in step.matrix}
        rows = ", ".join(
            "[" + ", ".join(entries.get((r, c), "0.0") for c in range(size)) + "]"
            for r in range(size)
        )
        right = ", ".join(self.number(e) for e in step.right)
        signs = f", {_tuple(step.signs)}" if step.signs else ""
        self.add(f"solve_linear(m, {_tuple(step.slots)}, [{rows}], [{right}]{signs})", 2, number)

    def act(self, number: int, step: Act) -> None:
        depth = 2
        if step.guard is not None:
            self.add(f"if {self.expr(step.guard)}:", depth, number)
            depth += 1
        if step.kind == "call":
            assert step.value is not None
            text = self.expr(step.value)  # a function may have no output at all
            self.add(text.removesuffix("[0]"), depth, number)
            return
        if step.kind != "terminate":
            assert step.value is not None
            self.add(f"if not ({self.expr(step.value)}):", depth, number)
            depth += 1
        message = '""' if step.message is None else self.expr(step.message)
        self.add(f"say({self.section!r}, {number}, {step.kind!r}, {message})", depth, number)


def to_source(program: Program) -> PythonSource:
    """All functions and sections of a program as one text."""
    writer = _Writer(program)
    writer.functions()
    more = (BETWEEN,) if program.share >= 0 else ()
    for name in (SIMPLIFIED, *SECTIONS, *more):
        writer.write_section(name, program.sections[name])
    return PythonSource("\n".join(writer.lines) + "\n", writer.line_steps, writer.steps)


def jacobian_source(program: Program, made: JacobianProgram) -> str:
    """`jacobian(memory, values)`; the slots behind the memory hold tangents."""
    writer = _Writer(program)
    writer.functions()
    writer.section = "jacobian"
    writer.add("def jacobian(memory, values):", 0)
    memory, free = f"memory[:{len(program.start)}].tolist()", made.extra - made.given
    writer.add(f"m = {memory} + values[:{made.given}].tolist() + [0.0]*{free}", 1)
    writer.add("try:", 1)
    for number, step in enumerate(made.steps):
        writer.step(number, step, "")
    entries = ", ".join(writer.number(entry) for entry in made.entries)
    writer.add(f"values[:{len(made.entries)}] = [{entries}]", 2)
    writer.add("except FAILURES:", 1)
    writer.add("return 1", 2)
    writer.add("return 0", 1)
    return "\n".join(writer.lines) + "\n"


def unique_codes(program: Program) -> Callable[[ClassName], str]:
    """Short Python names for functions; quoted identifiers and dots cannot collide."""
    codes = {f.name: f"f{k}_{_letters(f.name[-1])}" for k, f in enumerate(program.functions)}

    def code(name: ClassName) -> str:
        return codes.get(name, f"f_{_letters('_'.join(name))}")

    return code


def _letters(text: str) -> str:
    return "".join(char if char.isascii() and char.isalnum() else "_" for char in text)


def _name_code(name: Name) -> str:
    head = name[0]
    if isinstance(head, int):
        return f"m[{head}]"
    if head == "old":
        return f"m[{name[1]}]"
    if head == "t":
        return f"t{name[1]}"
    if head == "tuple":
        return f"t{name[1]}[0]"
    assert head == "object", name
    return f"objects[{name[1]}]"


def _tuple(numbers: Iterable[float]) -> str:
    return "(" + "".join(f"{number}, " for number in numbers).rstrip() + ")"


def _comes_from_array(expr: Expr) -> bool:
    return any(
        isinstance(node, Index | Field | Output)
        or (isinstance(node, Call) and not isinstance(node.function, str))
        or (isinstance(node, Var) and node.name[0] in ("tuple", "t"))
        for node in nodes_of(expr)
    )


def ranges(slots: Iterable[int]) -> list[tuple[int, int]]:
    """Neighbours together: {1, 2, 3, 7} -> [(1, 4), (7, 8)]. Small gaps are bridged: storing an
    unchanged value costs less than another slice."""
    result: list[tuple[int, int]] = []
    for slot in sorted(slots):
        if result and slot <= result[-1][1] + 8:
            result[-1] = (result[-1][0], slot + 1)
        else:
            result.append((slot, slot + 1))
    return result
