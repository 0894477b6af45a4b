"""What a session remembers about how equations are to be treated and shown.

    Settings().with_switch("Eliminate", True).view()      stage and options of the listing to print

Switches carry the names of the documents. `Eliminate` removes a = b, `EvaluateExpr` also a = 0 and
products with it where equations are solved, `Surplus off` equations that nobody needs.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from difflib import get_close_matches

from freewheel.base.diagnostics import Diagnostic, UsageError
from freewheel.base.names import Name

SWITCHES = {  # name -> (at first, one line for help)
    "Eliminate": (False, "remove equations a = b"),
    "EvaluateExpr": (False, "remove a = 0 and what is multiplied by it"),
    "Surplus": (True, "show equations that neither outputs nor states need"),
    "SubExpr": (True, "name common subexpressions: Q101, Q102, ..."),
    "SolveLinearSyst": (True, "solve linear systems by formulas"),
    "MatrixExpr": (False, "matrices of systems that are not solved; a program calls Linpack"),
    "PrintEvent": (False, "tell each event of a simulation"),
}
KINDS = ("state", "known", "unknown")


@dataclass(frozen=True, slots=True)
class Settings:
    """All choices made so far."""

    switches: Mapping[str, bool] = field(
        default_factory=lambda: {name: first for name, (first, _) in SWITCHES.items()}
    )
    variables: Mapping[Name, str] = field(default_factory=dict)  # name -> one of KINDS
    is_partitioned: bool = False
    is_differentiated: bool = False
    language: str = "modelica"
    form: str = "ode"  # of a DSblock: derivatives, or residuals for a DAE solver

    def with_switch(self, name: str, value: bool) -> Settings:
        known = {switch.lower(): switch for switch in SWITCHES}
        if name.lower() not in known:
            raise unknown("switch", name, tuple(SWITCHES))
        return replace(self, switches={**self.switches, known[name.lower()]: value})

    def with_variable(self, name: Name, kind: str) -> Settings:
        """`known` is said of a derivative, and kept under the variable's own name."""
        kept = {**self.variables}
        kept[(*name, "der") if kind == "known" else name] = kind
        return replace(self, variables=kept, is_partitioned=False)

    def is_on(self, name: str) -> bool:
        return self.switches[name]

    @property
    def listed(self) -> str:
        """What is eliminated from equations before they are listed; `EvaluateExpr` does the rest
        while they are solved."""
        is_any = self.is_on("Eliminate") or self.is_on("EvaluateExpr")
        return "aliases" if is_any else "none"

    @property
    def elimination(self) -> str:
        """The same of a program."""
        if self.is_on("EvaluateExpr"):
            return "zeros" if self.is_on("Surplus") else "surplus"
        return "aliases" if self.is_on("Eliminate") else "none"

    @property
    def shows_matrix(self) -> bool:
        return self.is_on("MatrixExpr") and not self.is_on("SolveLinearSyst")

    @property
    def loops(self) -> str:
        """How a program solves linear systems."""
        if self.is_on("SolveLinearSyst"):
            return "formulas"
        return "matrix" if self.is_on("MatrixExpr") else "torn"

    @property
    def by_hand(self) -> bool:
        """Whether knowns and unknowns are named instead of differentiating."""
        return not self.is_differentiated and any(
            kind != "state" for kind in self.variables.values()
        )

    def of_kind(self, kind: str) -> tuple[Name, ...]:
        names = [name for name, one in self.variables.items() if one == kind]
        return tuple(name[:-1] if kind == "known" else name for name in names)

    def state_selection(self) -> dict[str, str]:
        """Modifiers for the states named, once constraints are differentiated."""
        chosen = {f"{_dotted(n)}.stateSelect": "StateSelect.always" for n in self.of_kind("state")}
        if self.is_differentiated:
            for name in self.of_kind("unknown"):
                chosen[f"{_dotted(name)}.stateSelect"] = "StateSelect.never"
        return chosen


def _dotted(name: Name) -> str:
    return ".".join(str(part) for part in name)


def unknown(what: str, given: str, known: tuple[str, ...]) -> UsageError:
    near = get_close_matches(given, known, 2)
    words = near if near else known
    return UsageError(
        Diagnostic(
            "U070",
            f"there is no {what} `{given}`",
            help=("did you mean " if near else "known are ")
            + ", ".join(f"`{word}`" for word in words),
        )
    )
