"""The embedded library: files where their names say, orders complete, every model flattens."""

from __future__ import annotations

from pathlib import Path

import pytest

import freewheel
from freewheel.api.find import models_below
from freewheel.api.model import Model
from freewheel.base.diagnostics import CompileError
from freewheel.base.source import Source
from freewheel.instance.library import Library
from freewheel.syntax.nodes import ClassDef, NestedClass
from freewheel.syntax.parser import parse

ROOT = Path(freewheel.__file__).parent / "library"
FILES = sorted(ROOT.rglob("*.mo"))

# These need a value from the user before they have a size; the message must say which.
NEEDS_A_SIZE = {"ThermalCollectorMatrix": "Ns"}

# Steps alone: the remark says that the root of the graph was added for them.
NEEDS_A_ROOT = {"InitialStep", "InitialStepWithSignal", "Step", "StepWithSignal", "Inside"}


def package_of(path: Path) -> tuple[str, ...]:
    """The package a file must name in its within clause."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return parts[:-2] if parts[-1] == "package" else parts[:-1]


def class_in(path: Path) -> tuple[tuple[str, ...], ClassDef]:
    tree = parse(Source.from_bytes(path, path.read_bytes()), annotations=True)
    assert len(tree.classes) == 1, f"{path} must hold one class"
    return tree.within.parts if tree.within is not None else (), tree.classes[0]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_file_holds_the_class_its_path_names(path):
    within, tree = class_in(path)

    assert within == package_of(path)
    assert tree.name == (path.parent.name if path.stem == "package" else path.stem)


@pytest.mark.parametrize(
    "order", sorted(ROOT.rglob("package.order")), ids=lambda path: path.parent.name
)
def test_order_lists_exactly_what_is_there(order):
    folder = order.parent
    there = {path.stem for path in folder.glob("*.mo")} - {"package"}
    there |= {path.parent.name for path in folder.glob("*/package.mo")}
    _, tree = class_in(folder / "package.mo")
    there |= {part.definition.name for part in tree.body.elements if isinstance(part, NestedClass)}

    listed = order.read_text().split()

    assert len(listed) == len(set(listed))
    assert set(listed) == there


def library_models() -> list[Model]:
    library = Library(())
    tops = [library.top(name) for name in ("Modelica", "BondGraph", "PetriNets", "Hybrid")]
    return [
        Model(library, entry.name) for top in tops if top is not None for entry in models_below(top)
    ]


@pytest.mark.parametrize("model", library_models(), ids=lambda model: ".".join(model.name[1:]))
def test_model_flattens_without_a_remark(model):
    missing = NEEDS_A_SIZE.get(model.name[-1])
    if missing is not None:
        with pytest.raises(CompileError, match=missing):
            model.flatten()
        return

    remarks = model.flatten().warnings
    if "StateGraph" in model.name and model.name[-1] in NEEDS_A_ROOT:
        assert ["stateGraphRoot" in remark.message for remark in remarks] == [True]
        return
    if model.name[:3] == ("Modelica", "Blocks", "Noise") and model.name[-1] != "GlobalSeed":
        assert ["globalSeed" in remark.message for remark in remarks] == [True]
        return
    if "MultiBody" in model.name:
        remarks = tuple(r for r in remarks if "`inner world`" not in r.message)
    assert remarks == ()
