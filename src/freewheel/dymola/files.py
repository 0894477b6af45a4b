"""Which files are classic, and what becomes of their cuts: known without reading any."""

from __future__ import annotations

from enum import Enum
from pathlib import Path

SUFFIX = ".dym"
LIBRARY = Path(__file__).parent.parent / "library" / "classic.dym"


class Cuts(Enum):
    """What a cut becomes in Modelica: plain variables and the equations of `connect`, or a connector."""

    EQUATIONS = "equations"
    CONNECTORS = "connectors"


def is_classic(path: str | Path) -> bool:
    return str(path).endswith(SUFFIX)
