"""What can be wrong with parameters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from freewheel.base.diagnostics import CompileError, Diagnostic, Label, error
from freewheel.base.names import show
from freewheel.structure.blocks.incidence import expr_text
from freewheel.structure.nodes import ScalarVariable


def text_of_run(text: ScalarVariable, problem: CompileError | None) -> CompileError:
    """Texts are known before the run, or not at all: they have no place in the memory."""
    if problem is not None:
        (first, *_) = problem.diagnostics
        return CompileError(
            replace(first, labels=(*first.labels, Label(text.span, "for this text")))
        )
    return error(
        "E074",
        f"the text `{show(text.name)}` depends on what only the run finds out",
        text.span,
        help="texts of parameters are made before the run: use values that are known then",
    )


def circular_parameters(group: Sequence[ScalarVariable]) -> CompileError:
    names = ", ".join(f"`{show(v.name)}`" for v in group[:6])
    labels = tuple(
        Label(v.span, f"`{show(v.name)}` = {expr_text(v.binding)}")
        for v in group[:6]
        if v.binding is not None
    )
    return CompileError(
        Diagnostic(
            "E004",
            f"parameters depend on each other in a circle: {names}",
            labels,
            help="give one of them a value of its own",
            rule='Modelica 3.6, "Component Variability Prefixes"',
        )
    )
