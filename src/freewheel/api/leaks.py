"""Ideal elements made leaky: the same model with small resistances and conductances.

    names = leak_parameters(result)             # ("D.Ron", "D.Goff"): those that are zero
    leaky(model, names, 1e-5).simulate()

Cellier and Krebs (2007), section 6, call them fudge parameters. A leaky model has other states, so it
is compiled anew. Elements of arrays are changed all together, as Modelica wants it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from freewheel.api.model import Model
    from freewheel.result.store import Result

LEAKS = ("Ron", "Goff")  # as ideal elements of the Modelica Standard Library call them
SUBSCRIPTS = re.compile(r"\[([\d,]+)\]")


def leak_parameters(result: Result, names: Sequence[str] = LEAKS) -> tuple[str, ...]:
    """Parameters of these names, of any component, that are zero."""
    found = [name for name in result.names() if name.rpartition(".")[2] in names]
    return tuple(name for name in found if result.final(name) == 0.0)


def leaky(model: Model, parameters: Sequence[str], size: float) -> Model:
    """The model with these parameters set."""
    places: dict[str, list[tuple[int, ...]]] = {}
    for name in parameters:
        numbers = [int(n) for group in SUBSCRIPTS.findall(name) for n in group.split(",")]
        places.setdefault(SUBSCRIPTS.sub("", name), []).append(tuple(numbers))
    return model.changed({name: _filled(all_of, size) for name, all_of in places.items()})


def _filled(places: Sequence[tuple[int, ...]], size: float) -> str:
    """An array large enough for these places: `{1e-5, 1e-5}`."""
    text = repr(size)
    for dimension in reversed(range(len(places[0]))):
        count = max(place[dimension] for place in places)
        text = "{" + ", ".join([text] * count) + "}"
    return text
