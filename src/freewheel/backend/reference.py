"""The reference sections of a program: Python text made callable, and told what went wrong in it.

reference = Reference(program)
status = reference.sections["derivatives"](memory)
reference.explain("derivatives", status)
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import inf, log
from typing import Any

from freewheel.backend.failures import FAILURES, strict
from freewheel.backend.followed import BranchEndsError
from freewheel.backend.function_faults import SAY_SUBSCRIPT, fault_of
from freewheel.backend.jumps import Walk, percent
from freewheel.backend.newton import NoConvergenceError, Whole, solve_nonlinear
from freewheel.backend.python import to_source, unique_codes
from freewheel.backend.solve import SingularError, divide, solve_linear
from freewheel.backend.thresholds import BRANCH, LINEAR_LOOP
from freewheel.base.access import RefusedError
from freewheel.base.diagnostics import Diagnostic, FreewheelError, Label, Severity
from freewheel.base.names import show
from freewheel.base.source import NOWHERE
from freewheel.formula.nodes import Var
from freewheel.formula.python_runtime import NAMES
from freewheel.formula.statement_nodes import Function
from freewheel.program.domains import IN_GENERAL, outside_domain
from freewheel.program.nodes import BETWEEN, SECTIONS, SIMPLIFIED, About, Assign, Program
from freewheel.program.tell import hidden_switch, text_of, values_of, zero_pivots
from freewheel.program.written import written_slots
from freewheel.runtime.delays.history import look_in_pipe, look_up
from freewheel.runtime.model import TERMINATE_CODE, Vector
from freewheel.structure.blocks.principal_solutions import ONLY_WHERE
from freewheel.structure.nodes import SUBSCRIPT

MOST_NAMED = 4  # variables, in a message
SAY_SWITCH = (
    "give each number by an equation of its own with at most 16 values, as"
    " `m = if s < 0 then 1 else 0`, or write `if` in the equation itself"
)


class DisagreementError(ArithmeticError):
    """A redundant initial equation does not hold."""


def must_agree(left: float, right: float) -> None:
    if not abs(left - right) <= LINEAR_LOOP.redundant * (1.0 + max(abs(left), abs(right))):
        raise DisagreementError(f"left side {left:.9g}, right side {right:.9g}")


class Reference:
    """The compiled text, what it has said, and what went wrong last."""

    def __init__(
        self,
        program: Program,
        objects: list[Any] | None = None,
        said: list[tuple[str, int, str, str]] | None = None,
    ) -> None:
        source = to_source(program)
        self.program = program
        self.source = source
        self.file = f"<{program.name}>"
        self.said: list[tuple[str, int, str, str]] = [] if said is None else said
        self.failure: dict[tuple[str, int], tuple[BaseException, list[float]]] = {}
        names: dict[str, Any] = dict(NAMES)
        names.update(
            FAILURES=FAILURES,
            failed=self.failed,
            say=lambda *what: self.said.append(what),
            objects=[None] * program.object_count if objects is None else objects,
            divide=divide,
            solve_linear=solve_linear,
            solve_nonlinear=solve_nonlinear,
            Whole=Whole,
            inf=inf,
            must_agree=must_agree,
            look_up=look_up,
            look_in_pipe=look_in_pipe,
        )
        self.objects = names["objects"]
        exec(compile(source.text, self.file, "exec"), names)
        names.update({name: strict(names[name]) for name in source.steps})
        self.names = names
        more = (SIMPLIFIED, BETWEEN) if program.share >= 0 else ()
        self.sections: dict[str, Callable[[Vector], int]] = {
            section: self._placing(section) for section in (*SECTIONS, *more)
        }

    def another(self) -> Reference:
        return Reference(self.program)

    def _placing(self, section: str) -> Callable[[Vector], int]:
        """What is refused, with its place."""
        function: Callable[[Vector], int] = self.names[section]

        def placing(memory: Vector) -> int:
            try:
                return function(memory)
            except RefusedError as refused:
                step = self._step_of(section, refused)
                raise self.placed(section, step, refused) from None

        return placing

    def placed(self, section: str, step: int, refused: RefusedError) -> RefusedError:
        if refused.diagnostic.labels:
            return refused
        about = self.source.steps[section][step]
        return RefusedError(replace(refused.diagnostic, labels=_labels(about, _given(about))))

    def run(self, section: str, memory: Vector) -> int:
        """Any section by name, `simplified` too."""
        status: int = self.names[section](memory)
        return status

    # ------------------------------------------------------------ failures

    def failed(self, section: str, problem: BaseException, m: list[float]) -> int:
        """The status: one more than the number of the step in which it happened."""
        step = self._step_of(section, problem)
        if isinstance(problem, FloatingPointError) and "divide" in str(problem):
            problem = ZeroDivisionError(str(problem))
        self.failure[section, step + 1] = (problem, m)
        return step + 1

    def _step_of(self, section: str, problem: BaseException) -> int:
        trace = problem.__traceback__
        found = 0
        while trace is not None:
            if trace.tb_frame.f_code.co_filename == self.file:
                place = self.source.line_steps.get(trace.tb_lineno)
                if place is not None and place[0] == section:
                    found = place[1]
            trace = trace.tb_next
        return found

    def explain(self, section: str, status: int) -> Diagnostic:
        problem, m = self.failure.get((section, status), (None, list(self.program.start)))
        about = self.source.steps[section][status - 1]
        code, what, cure = _reason(problem)
        if isinstance(problem, ZeroDivisionError | SingularError):
            zeros = zero_pivots(about, self.program, m)
            switch = hidden_switch(about, self.program, m)
            if zeros:
                cure = f"{zeros} here: give another value; {cure}"
            elif switch:
                code = "R150"
                cure = f"{switch}; {SAY_SWITCH}"
        if isinstance(problem, BranchEndsError):
            what = _where_it_ends(problem.walk, self.program)
        if isinstance(problem, ValueError):
            steps = (step for step in self.program.sections[section] if step.about is about)
            cure = outside_domain(next(steps, None), m)
        if isinstance(problem, FreewheelError):
            inner = problem.diagnostics[0]
            labels = (*inner.labels, *_labels(about, _given(about)))
            own = inner.code if inner.code.startswith("R") else "R126"  # others are of translation
            return Diagnostic(own, inner.message, labels, inner.help, inner.rule)
        inside = fault_of(problem, self.file, self.source.text.split("\n"), self._by_code())
        if inside is not None:
            code, what, cure = inside.code, inside.what, inside.cure
        where = f" (in `{section}`)" if section == "initial" else ""
        told = values_of(about, self.program, m)
        message = f"{what}{where}: {_shortened(text_of(about, self.program))}"
        labels = (
            _every_label(about, self.program)
            if isinstance(problem, DisagreementError)
            else _labels(about)
        )
        if inside is not None and inside.span is not NOWHERE:
            labels = (Label(inside.span), *labels)
        return Diagnostic(code, f"{message}\n  with {told}" if told else message, labels, cure)

    def _by_code(self) -> dict[str, Function]:
        code = unique_codes(self.program)
        return {code(function.name): function for function in self.program.functions}

    def origin(self, slot: int, memory: Vector) -> Diagnostic | None:
        """What gives a slot while running, as words that another diagnostic can take over. Behind
        `der(s) = x` stands what gives `x`."""
        sections = self.program.sections
        steps = (*sections["discrete"], *sections["derivatives"], *sections["outputs"])
        writer = {slot: step for step in steps for slot in written_slots((step,))}
        step = writer.get(slot)
        while isinstance(step, Assign) and isinstance(step.value, Var):
            place = step.value.name[0]
            behind = writer.get(place) if isinstance(place, int) else None
            if behind is None or behind is step:
                break
            step = behind
        if step is None or not text_of(step.about, self.program):
            return None
        told = values_of(step.about, self.program, memory.tolist())
        text = _shortened(text_of(step.about, self.program))
        return Diagnostic("R126", f"{text}\n  with {told}" if told else text, _labels(step.about))

    # ------------------------------------------------------------ messages

    def messages(self) -> list[Diagnostic]:
        said, self.said[:] = list(self.said), []
        return [self._message(*what) for what in said]

    def _message(self, section: str, step: int, kind: str, text: str) -> Diagnostic:
        about = self.source.steps[section][step]
        if kind == "terminate":
            return Diagnostic(TERMINATE_CODE, text, _labels(about), severity=Severity.NOTE)
        if kind == "warning":
            return Diagnostic("R121", text, _labels(about), severity=Severity.WARNING)
        if kind == SUBSCRIPT:
            return Diagnostic(
                "R174",
                text,
                _labels(about, _given(about)),
                help=SAY_SUBSCRIPT,
                rule='Modelica 3.6, "Array Indexing"',
            )
        return Diagnostic(
            "R120",
            f"assertion failed: {text}",
            _labels(about, text_of(about, self.program)),
            help="the equation has no solution at this time: check it and what goes into it"
            if ONLY_WHERE in text
            else "the model says that its assumptions do not hold here",
        )


def _given(about: About) -> str:
    """The variable whose equation it is, since a class may have many instances."""
    left = about.equations[0].left if len(about.equations) == 1 else None
    if not isinstance(left, Var) or str(left.name[0]).startswith("$"):  # not of the model
        return ""
    return f"`{show(left.name)}`"


def _labels(about: About, text: str = "") -> tuple[Label, ...]:
    return () if about.span is NOWHERE else (Label(about.span, text),)


def _every_label(about: About, program: Program) -> tuple[Label, ...]:
    """All equations are to blame alike, the model's own least."""
    places = {
        e.span: Label(e.span, text_of(About((e,)), program)) for e in reversed(about.equations)
    }
    return tuple(label for span, label in reversed(places.items()) if span is not NOWHERE)


def _shortened(text: str) -> str:
    lines = text.split("\n")
    if len(lines) == 1:
        return f"`{text}`"
    return "\n  " + "\n  ".join(lines)


def _where_it_ends(walk: Walk, program: Program) -> str:
    """How far the branch of before bears the change, which equations that is in, and what runs away."""
    names = program.names
    changed = ", ".join(f"`{names[slot]}`" for slot in walk.concerned[:MOST_NAMED])
    where = f" of the equations of {changed}" if changed else " of its equations"
    moved = [
        (s, old, new) for (s, old), new in zip(walk.before, walk.values, strict=True) if old and new
    ]
    moved.sort(key=lambda one: -abs(log(abs(one[2] / one[1]))))
    told = [f"`{names[slot]}` goes from {old:.6g} to {new:.6g}" for slot, old, new in moved]
    how = f"bears {percent(walk.share)} of the change{where} and ends there"
    if not max(map(abs, walk.values)) <= BRANCH.huge:
        how = f"goes beyond all bounds with the change{where}"
    return (
        "a nonlinear loop has no solution after this event, as far as can be found: the one of before "
        f"{how} ({', '.join(told[:MOST_NAMED])})"
    )


def _reason(problem: BaseException | None) -> tuple[str, str, str]:
    match problem:
        case BranchEndsError():
            return (
                "R124",
                str(problem),
                "the values shown are where it ends: look for an equation that cannot hold there, such as"
                " that of a load which takes or gives power at no voltage; or make the change smaller",
            )
        case NoConvergenceError():
            return (
                "R124",
                f"no solution found for a nonlinear loop ({problem})",
                "give better start values, or check the equations",
            )
        case SingularError():
            return (
                "R123",
                f"a loop of equations is singular ({problem})",
                "check for parameters that are zero, a missing ground, or sources in conflict;"
                " `freewheel explain` names the equations",
            )
        case DisagreementError():
            return (
                "R125",
                f"too many initial conditions, and they contradict ({problem})",
                "remove one of them, or set `fixed = false`",
            )
        case RecursionError():
            return ("R122", "a function calls itself without end", "check where it should end")
        case ZeroDivisionError():
            return ("R122", "division by zero", "check parameters and start values")
        case OverflowError():
            return ("R122", "a number overflows", "check units and start values")
        case ValueError():
            return (
                "R122",
                "a function has no value for its argument",
                IN_GENERAL,
            )
    return ("R122", "this cannot be evaluated", "check the arguments of functions")
