"""Flat Modelica: plain variables and equations that any Modelica tool reads, ours included."""

from __future__ import annotations

from collections.abc import Mapping

from freewheel.export.c import file_stem
from freewheel.export.draft import Exportable
from freewheel.export.options import ExportOptions


def write_flat(model: Exportable, options: ExportOptions) -> Mapping[str, str]:
    from freewheel.flat.show import show

    return {f"{file_stem(options.name or '.'.join(model.name))}.mo": show(model.flatten())}
