"""The table of targets, and the one function that makes texts of a model."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module

from freewheel.base.diagnostics import Diagnostic, UsageError
from freewheel.export.draft import Exportable
from freewheel.export.options import ELIMINATIONS, FORMS, LOOPS, STAGES, ExportOptions

Writer = Callable[[Exportable, ExportOptions], Mapping[str, str]]

# kind -> (module, function, one line for help)
KINDS = {
    "acsl": ("acsl", "write_acsl", "an ACSL program, events as SCHEDULE and DISCRETE"),
    "desire": ("desire", "write_desire", "a DESIRE program; sampled parts behind SAMPLE"),
    "simnon": ("simnon", "write_simnon", "Simnon systems: continuous, discrete, connecting"),
    "dsblock-c": (
        "dsblock_c",
        "write_dsblock_c",
        "a DSblock in C, ODE or DAE, with crossing functions",
    ),
    "dsblock-f77": ("dsblock_f77", "write_dsblock_f77", "a DSblock in Fortran 77"),
    "simulink": ("simulink", "write_simulink", "an S-function (M-file) with crossing functions"),
    "c": ("c", "write_c", "plain C with a driver that integrates and prints CSV"),
    "python": ("python", "write_python", "standalone Python over NumPy"),
    "modelica": (
        "translation",
        "write_modelica",
        "Modelica: a classic model class by class, any other one flat",
    ),
    "casadi": ("casadi", "write_casadi", "a Python file that builds CasADi functions"),
    "flat": ("flat", "write_flat", "flat Modelica"),
    "json": ("json_stages", "write_json", "JSON of each stage; schemas are in docs/schemas"),
}

IMPLICIT = ("dsblock-c", "dsblock-f77")  # targets that can leave residuals to a DAE solver


def export_model(
    model: Exportable, kind: str, options: ExportOptions | None = None
) -> Mapping[str, str]:
    """File name -> text, in the order to read them."""
    if kind not in KINDS:
        raise _unknown("target", kind, tuple(KINDS))
    options = options or ExportOptions()
    if options.eliminate not in ELIMINATIONS:
        raise _unknown("elimination", options.eliminate, ELIMINATIONS)
    if options.stage not in (*STAGES, "all"):
        raise _unknown("stage", options.stage, (*STAGES, "all"))
    if options.form not in FORMS:
        raise _unknown("form", options.form, FORMS)
    if options.form == "dae" and kind not in IMPLICIT:
        raise no_residuals(kind)
    if options.loops not in LOOPS:
        raise _unknown("way to solve loops", options.loops, LOOPS)
    module, function, _ = KINDS[kind]
    write: Writer = getattr(import_module(f"freewheel.export.{module}"), function)
    return write(model, options)


def no_residuals(kind: str) -> UsageError:
    """A target that has state equations only is asked for residuals."""
    words = " or ".join(f"`{one}`" for one in IMPLICIT)
    return UsageError(
        Diagnostic("U091", f"`{kind}` has no form `dae`", help=f"residuals are for {words}")
    )


def _unknown(what: str, given: str, known: tuple[str, ...]) -> UsageError:
    words = ", ".join(f"`{word}`" for word in known)
    return UsageError(
        Diagnostic("U091", f"there is no {what} `{given}`", help=f"known are {words}")
    )
