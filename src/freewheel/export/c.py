"""Plain C with a driver: `cc circuit.c -lm && ./a.out > circuit.csv`."""

from __future__ import annotations

import re
from collections.abc import Mapping

from freewheel.export.c_text import c_model, part
from freewheel.export.draft import Exportable, make_draft
from freewheel.export.options import ExportOptions


def write_c(model: Exportable, options: ExportOptions) -> Mapping[str, str]:
    draft = make_draft(model, "c", options)
    return {f"{file_stem(draft.title)}.c": c_model(draft, draft.title, part("driver.c"))}


def file_stem(title: str) -> str:
    return re.sub(r"\W", "_", title, flags=re.ASCII)
