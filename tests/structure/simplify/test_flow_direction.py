"""`semiLinear` where flow rests: the values in between are those of the end it came from."""

from __future__ import annotations

import numpy as np
import pytest

from freewheel.backend.load import BACKENDS
from freewheel.base.source import Source
from freewheel.instance.library import Library
from freewheel.pipeline import Options, compile_model
from freewheel.result.store import Result
from freewheel.runtime.settings import Settings
from freewheel.runtime.simulate import simulate

FLOW = """
model Row "flow forward, none for a second, then backward"
  Real x, y, s1, s2, ha = 3 + time, hb = 7;
equation
  x = if time < 1 then 1 - time elseif time < 2 then 0 else 2 - time;
  {first}
  {second}
  {third}
end Row;
"""
PLAIN = ("y = semiLinear(x, ha, s1);", "y = semiLinear(x, s1, s2);", "y = semiLinear(x, s2, hb);")
TURNED = (
    "y = -semiLinear(-x, s1, ha);",
    "-y = semiLinear(-x, s2, s1);",
    "-semiLinear(x, s2, hb) = -y;",
)


def run(text: str, backend: str = "llvm") -> Result:
    library = Library([], use_modelicapath=False)
    library.add_file(Source.from_text(text, "flow.mo"))
    model = compile_model(library, ("Row",), Options(backend=backend)).model
    return simulate(model, Settings.of(model, stop=3.0, interval=0.25))


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("equations", [PLAIN, TURNED], ids=["plain", "turned"])
def test_between_parts_without_flow_the_last_source_counts(
    equations: tuple[str, str, str], backend: str
) -> None:
    first, second, third = equations
    result = run(FLOW.format(first=first, second=second, third=third), backend)

    source = np.where(result["x"] >= 0.0, 3.0 + result.time, 7.0)
    settled = np.abs(result.time - 2.0) > 1e-9  # both limits of the event are stored there
    assert np.allclose(result["s1"][settled], source[settled])
    assert np.allclose(result["s2"][settled], source[settled])
    assert np.allclose(result["y"][settled], (result["x"] * source)[settled])


def test_what_is_no_row_stays_as_it_is() -> None:
    """Two slopes that end in the same place say more than a row does."""
    equations = ("y = semiLinear(x, ha, s1);", "s2 = semiLinear(x, s1, hb);", "s1 = 2;")
    first, second, third = equations
    result = run(FLOW.format(first=first, second=second, third=third))

    assert np.allclose(result["s1"], 2.0)
    assert result["s2"][0] == pytest.approx(2.0)
