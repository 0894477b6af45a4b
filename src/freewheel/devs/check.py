"""What must hold before a coupled model can run: names are known, couplings lead somewhere.

In: a `Coupled`. Out: nothing, or a `CompileError` with every mistake found.

    check(Coupled({"a": Clock()}, ("a.tock -> out",), outputs=("out",)))
    error[N081]: top: `a` has no output `tock`
"""

from __future__ import annotations

from collections.abc import Iterator

from freewheel.base.diagnostics import CompileError, Diagnostic
from freewheel.devs.nodes import Coupled, Coupling, Port


def check(model: Coupled, name: str = "top") -> None:
    """Raise a `CompileError` if any coupled model inside is wrong."""
    found = [d for path, coupled in coupled_models(model, name) for d in _mistakes(coupled, path)]
    if found:
        raise CompileError(*found)


def coupled_models(model: Coupled, name: str) -> Iterator[tuple[str, Coupled]]:
    """The model and all coupled models inside it with their paths, outer ones first."""
    waiting = [(name, model)]
    while waiting:
        path, coupled = waiting.pop()
        yield path, coupled
        inner = [(f"{path}.{n}", c) for n, c in coupled.components.items()]
        waiting += [(n, c) for n, c in reversed(inner) if isinstance(c, Coupled)]


def _mistakes(model: Coupled, path: str) -> Iterator[Diagnostic]:
    for name in model.components:
        if not name or "." in name:
            yield Diagnostic(
                "N082",
                f"{path}: a component cannot be named `{name}`",
                help="dots separate the names of models inside each other",
            )
    own = frozenset(model.inputs), frozenset(model.outputs)
    inputs = {name: frozenset(each.inputs) for name, each in model.components.items()}
    outputs = {name: frozenset(each.outputs) for name, each in model.components.items()}
    for coupling in model.couplings:
        source, target = coupling.source, coupling.target
        if source.name not in (outputs.get(source.component, ()) if source.component else own[0]):
            yield from _source_mistakes(model, path, coupling)
        if target.name not in (inputs.get(target.component, ()) if target.component else own[1]):
            yield from _target_mistakes(model, path, coupling)
        if coupling.source.component and coupling.source.component == coupling.target.component:
            yield Diagnostic(
                "N083",
                f"{path}: `{coupling}` leads from a component to itself",
                help="let the component change its own state in its internal transition",
                rule='DEVS, "no direct feedback loops"',
            )
        if not coupling.source.component and not coupling.target.component:
            yield Diagnostic(
                "N083",
                f"{path}: `{coupling}` leads from an input straight to an output",
                help="couple both sides outside of the coupled model",
            )


def _source_mistakes(model: Coupled, path: str, coupling: Coupling) -> Iterator[Diagnostic]:
    port = coupling.source
    if not port.component:
        if port.name not in model.inputs:
            yield _no_port(path, "the coupled model", "input", port, model.inputs)
    elif port.component not in model.components:
        yield _no_component(path, coupling, port, model)
    else:
        known = model.components[port.component].outputs
        if port.name not in known:
            yield _no_port(path, f"`{port.component}`", "output", port, known)


def _target_mistakes(model: Coupled, path: str, coupling: Coupling) -> Iterator[Diagnostic]:
    port = coupling.target
    if not port.component:
        if port.name not in model.outputs:
            yield _no_port(path, "the coupled model", "output", port, model.outputs)
    elif port.component not in model.components:
        yield _no_component(path, coupling, port, model)
    else:
        known = model.components[port.component].inputs
        if port.name not in known:
            yield _no_port(path, f"`{port.component}`", "input", port, known)


def _no_component(path: str, coupling: Coupling, port: Port, model: Coupled) -> Diagnostic:
    return Diagnostic(
        "N080",
        f"{path}: `{coupling}` names `{port.component}`, which is no component",
        help=f"components are {_listed(tuple(model.components))}",
    )


def _no_port(path: str, whose: str, kind: str, port: Port, known: tuple[str, ...]) -> Diagnostic:
    return Diagnostic(
        "N081",
        f"{path}: {whose} has no {kind} `{port.name}`",
        help=f"its {kind}s are {_listed(known)}" if known else f"it has no {kind}s at all",
    )


def _listed(names: tuple[str, ...]) -> str:
    shown = ", ".join(f"`{name}`" for name in names[:12])
    return shown + (f" and {len(names) - 12} more" if len(names) > 12 else "")
