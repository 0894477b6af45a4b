"""Models leave for other simulators: one small file per target, all from the same statements.

    export_model(model, "acsl")["circuit.csl"]

In: a model and what to make of it. Out: texts by file name.
"""

from __future__ import annotations

from freewheel.export.kinds import KINDS as KINDS
from freewheel.export.kinds import export_model as export_model
from freewheel.export.options import ExportOptions as ExportOptions
