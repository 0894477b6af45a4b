"""The Python interface: `load` a model, then check, flatten, look at and simulate it.

from freewheel import load

result = load("circuit.mo").simulate(stop=1e-3)
"""

from freewheel.api.checking import Balance
from freewheel.api.examples import example
from freewheel.api.model import Model, load, load_text, models_in

__all__ = ["Balance", "Model", "example", "load", "load_text", "models_in"]
