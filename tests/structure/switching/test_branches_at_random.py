"""Random networks of R, L, C, diodes and switches: in every mode what stays explicit can be solved.

All modes are tried here, by numbers; the search itself never does that.
"""

from __future__ import annotations

from itertools import product
from random import Random

import numpy as np
import pytest

from freewheel.base.source import Source
from freewheel.instance.library import Library
from freewheel.pipeline import Options, compile_model
from freewheel.structure.atoms import base_of, der_of, is_der
from freewheel.structure.switching.conflicts.coefficients import Coefficients
from freewheel.structure.switching.core import branch_equations
from freewheel.structure.values import ParameterValues

PARTS = {
    "R": "Resistor {name}(R={value})",
    "L": "Inductor {name}(L={value})",
    "C": "Capacitor {name}(C={value})",
    "D": "IdealDiode {name}(Ron=0, Goff=0, Vknee=0)",
    "S": "IdealClosingSwitch {name}(Ron=0, Goff=0, control=sin(time) > 0)",
}


def network(seed: int) -> str:
    random = Random(seed)
    nodes = random.randint(3, 5)
    edges = [(node, random.randrange(node)) for node in range(1, nodes)]
    edges += [tuple(random.sample(range(nodes), 2)) for _ in range(random.randint(1, 4))]
    parts, connections = ["Ground n0"], []
    parts += [f"Modelica.Electrical.Analog.Sensors.PotentialSensor n{k}" for k in range(1, nodes)]
    for number, (a, b) in enumerate(edges):
        kind = random.choice("RRLCDDS")
        name, value = f"{kind}{number}", round(random.uniform(0.5, 5.0), 3)
        parts.append(PARTS[kind].format(name=name, value=value))
        connections += [f"connect({name}.p, n{a}.p)", f"connect({name}.n, n{b}.p)"]
    imports = "".join(
        f"import Modelica.Electrical.Analog.{package}.*;" for package in ("Basic", "Ideal")
    )
    return f"model T {imports} {'; '.join(parts)}; equation {'; '.join(connections)}; end T;"


def rank(matrix: np.ndarray) -> int:
    return int(np.linalg.matrix_rank(matrix, tol=1e-9)) if matrix.size else 0


@pytest.mark.parametrize(
    "seed", [*range(12), 29, 52, 56, 60, 65, 67, 110, 163, 170, 284, 310, 365, 394]
)
def test_no_mode_is_missed(seed: int) -> None:
    library = Library([], use_modelicapath=False)
    library.add_file(Source.from_text(network(seed), "t.mo"))
    ordered = compile_model(library, ("T",), Options(stop_after="structure")).ordered
    variables = {v.name: v for v in ordered.hybrid.aliases.model.variables}
    values = ParameterValues(variables, ordered.functions)
    chosen = ordered.chosen
    unknowns = chosen.unknowns
    branches, found, _ = branch_equations(ordered.hybrid, chosen, variables, values)
    core = ordered.core
    inside = set(core.equations)
    implicit = set(core.variables)
    numbers = Coefficients(branches, unknowns, chosen.states)
    rows = [r for r in range(len(chosen.equations)) if r not in inside]
    columns = [
        k
        for k, var in enumerate(unknowns)
        if var not in implicit and not (is_der(var) and base_of(var) in implicit)
    ]
    assert len(rows) == len(columns)
    bits = sorted({bit for element in found.elements for bit in element.bits})
    deficits = set()
    for mode in product((False, True), repeat=len(bits)):
        made = [numbers.row(row, dict(zip(bits, mode, strict=True))) for row in rows]
        matrix = np.array([[c.get(k, 0.0) for k in columns] for c, _ in made])
        deficits.add(len(rows) - rank(matrix))

    assert len(deficits) == 1  # what is singular in every mode is no matter of switches
    if core.is_there:
        assert {der_of(s) for s in core.released} <= {der_of(s) for s in core.differential}
