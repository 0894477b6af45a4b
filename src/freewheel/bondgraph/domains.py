"""Domains: how their connectors look, and which junction a set of connected connectors is.

Connected pins have one potential and currents that add up to zero. In electrical and thermal models
the potential is the effort, so the set is a 0-junction. In mechanics flanges that are connected move
together and their forces balance: the common variable is the flow, the set is a 1-junction, and what
lies between two sets is a 0-junction. All passes see only this difference.
"""

from __future__ import annotations

from freewheel.bondgraph.nodes import Domain, Kind

# potential and flow variable of a connector
VARIABLES = {
    ("v", "i"): Domain.ELECTRICAL,
    ("s", "f"): Domain.TRANSLATIONAL,
    ("phi", "tau"): Domain.ROTATIONAL,
    ("T", "Q_flow"): Domain.THERMAL,
    ("e", "f"): Domain.BOND,
}

# unit of the potential, where the names are the modeller's own
UNITS = {
    "V": Domain.ELECTRICAL,
    "m": Domain.TRANSLATIONAL,
    "rad": Domain.ROTATIONAL,
    "K": Domain.THERMAL,
}

NODE_KIND = {
    Domain.ELECTRICAL: Kind.ZERO,
    Domain.TRANSLATIONAL: Kind.ONE,
    Domain.ROTATIONAL: Kind.ONE,
    Domain.THERMAL: Kind.ZERO,
    Domain.BOND: Kind.ZERO,
}

# effort and flow as the modeller knows them
WORDS = {
    Domain.ELECTRICAL: ("voltage", "current"),
    Domain.TRANSLATIONAL: ("force", "velocity"),
    Domain.ROTATIONAL: ("torque", "speed"),
    Domain.THERMAL: ("temperature", "heat flow"),
    Domain.BOND: ("effort", "flow"),
}
