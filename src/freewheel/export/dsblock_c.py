"""DSblock in C: one routine for start, right side, outputs, crossing functions and events.

The form `ode` gives derivatives, the form `dae` residuals over the states and the variables of loops, which
stay open for the solver. Crossing functions are the pairs of Elmqvist, Cellier and Otter (1993).
"""

from __future__ import annotations

from collections.abc import Mapping

from freewheel.base.slots import Info
from freewheel.export.c import file_stem
from freewheel.export.c_text import (
    C,
    CWriter,
    c_model,
    numbers,
    part,
    slot_names,
    variable_table,
)
from freewheel.export.draft import Exportable, make_draft
from freewheel.export.formula import FormulaText
from freewheel.export.nodes import Draft
from freewheel.export.options import ExportOptions
from freewheel.export.residuals import RESIDUAL, Implicit, implicit_form
from freewheel.export.writer import locals_of
from freewheel.formula.nodes import Var


def write_dsblock_c(model: Exportable, options: ExportOptions) -> Mapping[str, str]:
    draft = make_draft(model, "dsblock-c", options)
    stem = file_stem(draft.title)
    form = implicit_form(draft.program, "dsblock-c") if options.form == "dae" else None
    rest = _tables(draft, stem, form)
    if form is not None:
        rest += _residuals(draft, form)
    rest += part("dsblock.c")
    return {f"{stem}.c": c_model(draft, f"{draft.title} as a DSblock", rest)}


def model_outputs(draft: Draft) -> list[Info]:
    return [v for v in draft.program.variables if v.causality == "output"]


def _tables(draft: Draft, stem: str, form: Implicit | None) -> str:
    outputs, inputs = model_outputs(draft), draft.program.inputs
    algebraic = () if form is None else form.algebraic
    lines = [
        f"#define DSBLOCK {stem}_",
        f"#define DSBLOCK_SIZES {stem}_sizes_",
        f"#define OUTPUTS {len(outputs)}",
        f"#define IS_IMPLICIT {int(form is not None)}",
        f"#define ALGEBRAIC {len(algebraic)}",
        "#define WORK (SLOTS + 2*RELATIONS)",
        "",
    ]
    lines += numbers(
        f"int input_slots[{max(1, len(inputs))}]", [str(i.slot) for i in inputs] or ["0"]
    )
    lines += numbers(
        f"int algebraic_slots[{max(1, len(algebraic))}]", [str(slot) for slot in algebraic] or ["0"]
    )
    return "\n".join([*lines, *variable_table("output_infos", outputs), "", ""])


def _residuals(draft: Draft, form: Implicit) -> str:
    names = slot_names(draft)

    def name_text(var: Var) -> str:
        head = var.name[0]
        if head == RESIDUAL:
            return f"f[{var.name[1]}]"
        return f"m[{names[head]}]" if isinstance(head, int) else f"{var.name[1]}_"

    writer = CWriter(FormulaText(C, name_text))
    writer.line("static int residuals(double *m, double *f)")
    writer.line("{")
    writer.depth += 1
    for var in locals_of(form.statements):
        writer.line(f"double {name_text(var)};")
    if not form.statements:
        writer.line("(void)m; (void)f;")
    writer.write(form.statements)
    writer.line("return 0;")
    writer.depth -= 1
    writer.lines += ["}", ""]
    return writer.text()
