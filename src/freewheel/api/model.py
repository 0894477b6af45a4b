"""`Model`: one class of one library, and the questions that can be asked about it.

model = load("circuit.mo")
model.check().unknowns
model.flatten().equations
print(model.equations("solved"))
model.simulate(stop=1e-3, params={"R1.R": 50})["C.v"]
"""

from __future__ import annotations

from dataclasses import dataclass, field
from os import PathLike
from typing import TYPE_CHECKING

from freewheel.base.diagnostics import Diagnostic
from freewheel.base.names import ClassName
from freewheel.pipeline import STAGES, Compilation, Options, compile_model

if TYPE_CHECKING:
    from freewheel.flat.nodes import FlatModel
    from freewheel.instance.library import Library
    from freewheel.runtime.model import CompiledModel

Place = str | PathLike[str]
Value = float | int | bool | str


@dataclass(frozen=True, slots=True)
class Balance:
    """As many equations as unknowns, counted in scalars; what the front end remarked."""

    unknowns: int
    equations: int
    warnings: tuple[Diagnostic, ...] = ()


@dataclass(frozen=True)
class Model:
    """A class of a library, not yet compiled; results of stages are kept."""

    library: Library
    name: ClassName
    _reached: dict[str, Compilation] = field(default_factory=dict, repr=False, compare=False)

    def upto(self, stage: str) -> Compilation:
        """Everything made on the way to a stage of the corridor, `stage` included."""
        for later in STAGES[STAGES.index(stage) :]:
            if later in self._reached:
                return self._reached[later]
        self._reached[stage] = compile_model(self.library, self.name, Options(stop_after=stage))
        return self._reached[stage]

    def flatten(self) -> FlatModel:
        """Plain variables and equations."""
        return self.upto("flat").flat

    def compiled(self) -> CompiledModel:
        """Ready for a solver."""
        return self.upto("backend").model
