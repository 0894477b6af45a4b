"""JSON of every stage: instance, flat, structure, program. The schemas are published in docs/schemas."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from freewheel.base.names import show
from freewheel.export.c import file_stem
from freewheel.export.draft import Exportable
from freewheel.export.options import STAGES, ExportOptions
from freewheel.export.stage_nodes import AliasOf, Component, InstanceStage, StructureStage
from freewheel.export.stage_values import Schema, encode
from freewheel.flat.nodes import FlatModel
from freewheel.instance.classes import ClassNode
from freewheel.instance.components import components_of
from freewheel.instance.instantiate import Instance
from freewheel.instance.nodes import VARIABILITY_NAMES
from freewheel.pipeline import Options, compile_flat
from freewheel.program.nodes import Program
from freewheel.structure.nodes import Ordered

VERSION = 1
KINDS: Mapping[str, type] = {
    "instance": InstanceStage,
    "flat": FlatModel,
    "structure": StructureStage,
    "program": Program,
}


def write_json(model: Exportable, options: ExportOptions) -> Mapping[str, str]:
    stem = file_stem(options.name or ".".join(model.name))
    wanted = STAGES if options.stage == "all" else (options.stage,)
    texts: dict[str, str] = {}
    for stage in wanted:
        document = {
            "schema": f"freewheel-{stage}",
            "version": VERSION,
            "model": show(model.name),
            "content": encode(_content(model, stage, options), KINDS[stage]),
        }
        texts[f"{stem}.{stage}.json"] = json.dumps(document, indent=1) + "\n"
    return texts


def schema_of(stage: str) -> dict[str, Any]:
    """JSON Schema of one stage."""
    schema = Schema()
    content = schema.of(KINDS[stage])
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"Freewheel, stage {stage}",
        "type": "object",
        "required": ["schema", "version", "model", "content"],
        "properties": {
            "schema": {"const": f"freewheel-{stage}"},
            "version": {"const": VERSION},
            "model": {"type": "string"},
            "content": content,
        },
        "additionalProperties": False,
        "$defs": {name: schema.definitions[name] for name in sorted(schema.definitions)},
    }


def _content(model: Exportable, stage: str, options: ExportOptions) -> Any:
    if stage == "instance":
        return _instance(model.upto("instance").instance)
    if stage == "flat":
        return model.flatten()
    wanted = Options(stop_after=stage, eliminate=options.eliminate, is_listed=True)
    made = compile_flat(model.flatten(), wanted)
    return made.program if stage == "program" else _structure(made.ordered)


def _instance(instance: Instance) -> InstanceStage:
    return InstanceStage(instance.name, _components(instance.node))


def _components(node: ClassNode) -> tuple[Component, ...]:
    found: list[Component] = []
    for component in components_of(node):
        is_elsewhere = component.is_outer and not component.is_inner
        if is_elsewhere or not component.exists():
            continue
        below: tuple[Component, ...] = ()
        if component.simple is None:
            first = next(iter(component.nodes()), None)
            below = () if first is None else _components(first)
        found.append(
            Component(
                component.name,
                ".".join(component.class_element.definition.name),
                VARIABILITY_NAMES[component.variability],
                component.causality or "local",
                component.dims(),
                component.comment,
                component.is_protected,
                below,
            )
        )
    return tuple(found)


def _structure(ordered: Ordered) -> StructureStage:
    hybrid = ordered.hybrid
    aliases = hybrid.aliases.aliases
    return StructureStage(
        ordered.scalar.name,
        ordered.scalar.variables,
        tuple(AliasOf(name, a.stand_in, a.sign, a.constant) for name, a in aliases.items()),
        ordered.states,
        ordered.parameters,
        ordered.simulation,
        ordered.discrete,
        ordered.initial,
        hybrid.crossings,
        hybrid.samples,
        hybrid.actions,
    )
