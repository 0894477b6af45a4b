"""What no list of assignments can express is refused with a cause and a cure, never written wrongly.

check(program, "acsl")       # raises CompileError G010 where ideal switches change the states
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from freewheel.base.diagnostics import CompileError, Diagnostic, Label
from freewheel.base.source import NOWHERE, Span
from freewheel.formula.nodes import Call, Expr, Var
from freewheel.formula.walk import nodes_of
from freewheel.program.nodes import (
    Act,
    Assign,
    Check,
    Jump,
    Program,
    SetStatus,
    SolveLinear,
    SolveNonlinear,
    Step,
)

DRIVEN = ("c", "python")  # their drivers stop where `terminate` says so, and remember signals
ENDING = (*DRIVEN, "acsl")


def refuse(code: str, message: str, help: str, span: Span = NOWHERE) -> CompileError:
    labels = (Label(span, "here"),) if span is not NOWHERE else ()
    return CompileError(Diagnostic(code, message, labels, help))


def check(program: Program, kind: str, has_functions: bool = True) -> None:
    """Raise the first reason why the program cannot be written down as assignments. `has_functions`: they
    will be written in place."""
    name = program.name
    if program.core is not None:
        raise refuse(
            "G010",
            f"{name}: ideal switches change the number of states, which `{kind}` cannot express",
            "give the switches a small resistance and conductance (`Ron`, `Goff`), or simulate here",
        )
    past: list[tuple[str, Span]] = [(pipe.text, pipe.span) for pipe in program.pipes]
    if kind not in DRIVEN:
        past += [(line.text, line.span) for line in program.delays]
    for text, span in past:
        raise refuse(
            "G011",
            f"{name}: `{text}` looks into the past, which `{kind}` cannot express",
            "replace it by a chain of first-order lags, or simulate here"
            if program.pipes
            else "replace it by a chain of first-order lags, or export to `c` or `python`",
            span,
        )
    if program.choices:
        raise refuse(
            "G012",
            f"{name}: its states are chosen while it runs, which `{kind}` cannot express",
            "choose states with `stateSelect = StateSelect.always` on enough variables",
        )
    for steps in program.sections.values():
        for step in steps:
            _check_step(step, name, kind, has_functions)


def _check_step(step: Step, name: str, kind: str, has_functions: bool) -> None:
    if isinstance(step, Check | Act):
        if isinstance(step, Act) and step.kind == "call":
            raise _function(step, name, kind, "")
        if isinstance(step, Act) and step.kind == "terminate" and kind not in ENDING:
            raise refuse(
                "G016",
                f"{name}: `terminate` ends a run, which `{kind}` cannot express",
                "leave it out and give the end of the run (`--stop`), or export to `acsl`, `c` or `python`",
                step.about.span,
            )
        return
    for expr in expressions_of(step):
        for node in nodes_of(expr):
            if isinstance(node, Call) and not isinstance(node.function, str) and not has_functions:
                raise _function(step, name, kind, ".".join(node.function))
            if isinstance(node, Var) and node.name[0] == "object":
                raise _function(step, name, kind, "")


def _function(step: Step, name: str, kind: str, function: str) -> CompileError:
    what = f"the function `{function}`" if function else "an external function or object"
    return refuse(
        "G013",
        f"{name}: {what} stays a function, which `{kind}` cannot express",
        "let it be written in place with `annotation(Inline = true)`, or write its formula there",
        step.about.span,
    )


def expressions_of(step: Step) -> Iterator[Expr]:
    """All formulas of a step that an export writes down."""
    match step:
        case Assign():
            yield step.value
            if step.guard is not None:
                yield step.guard
        case SetStatus():
            yield step.residual
        case SolveLinear():
            yield from (entry for _, _, entry in step.matrix)
            yield from step.right
        case SolveNonlinear():
            for part in step.inner:
                yield from expressions_of(part)
            yield from step.residuals
        case Jump():
            yield from (step.guard, step.value)
        case Check() | Act():
            return


def refuse_loops(sections: Sequence[Sequence[Step]], name: str, kind: str, largest: int) -> None:
    """For languages that neither iterate nor solve: only small linear systems have a formula."""
    for step in (step for steps in sections for step in steps):
        cure = "export to `acsl`, `c`, `dsblock-c`, `dsblock-f77`, `python` or `simulink`"
        if isinstance(step, SolveNonlinear):
            what = "nonlinear"
        elif isinstance(step, SolveLinear) and len(step.slots) > largest:
            what = f"{len(step.slots)} by {len(step.slots)}"
            cure = f"take formulas (`--loops formulas`, `set SolveLinearSyst on`), or {cure}"
        else:
            continue
        raise refuse(
            "G015",
            f"{name}: a {what} loop of equations must be solved, which `{kind}` cannot do",
            cure,
            step.about.span,
        )
