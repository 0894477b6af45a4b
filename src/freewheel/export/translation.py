"""Modelica text: a classic model (`.dym`) with its classes, any other model as plain equations.

    export_model(load("divider.dym"), "modelica")["divider.mo"]

What was changed from outside, or asked of the run, stands in a last class that extends the model.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from freewheel.dymola.files import is_classic
from freewheel.export.draft import Exportable
from freewheel.export.flat import write_flat
from freewheel.export.options import ExportOptions


def write_modelica(model: Exportable, options: ExportOptions) -> Mapping[str, str]:
    name = str(model.name[-1])
    instance = model.upto("instance").instance
    path = instance.node.definition.source.path
    if not is_classic(path):
        return write_flat(model, options)
    from freewheel.dymola.to_modelica import safe_name, to_modelica

    library = instance.session.library
    driven = [(name, label) for label in model.changes if "." not in label]
    before = library.classic_before
    text = to_modelica(library.classic[path], library.directories, driven, before)
    changes = [
        ".".join(map(safe_name, label.split("."))) + f"={value}"
        for label, value in model.changes.items()
    ]
    run = list(_experiment(options))
    if changes or run:
        text += "\n" + _changed(name, safe_name(name), changes, run)
    return {f"{name}.mo": text}


def _experiment(options: ExportOptions) -> Iterator[str]:
    for word, value in (
        ("StopTime", options.stop),
        ("Interval", options.interval),
        ("Tolerance", options.tolerance),
    ):
        if value is not None:
            yield f"{word}={value!r}"


def _changed(name: str, base: str, changes: list[str], run: list[str]) -> str:
    lines = [f'model {name}_changed "{name} with what was asked for from outside"']
    lines.append(f"  extends {base}({', '.join(changes)});" if changes else f"  extends {base};")
    if run:
        lines.append(f"  annotation(experiment({', '.join(run)}));")
    return "\n".join([*lines, f"end {name}_changed;"]) + "\n"
