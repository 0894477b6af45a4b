"""All that a run knows, and a run in another process that goes on from there with the same bits.

    tree = state_of(simulation)
    other = Simulation(model, settings, None)      # the same model and settings
    take_state(other, tree)
    other.advance(inf)

The records of kernels are in one memory that can be saved without addresses; each Python object beside them
gives and takes its own part. A run is restored by making another as usual, up to the point where the initial
values would be found: all is allocated and bound then, and gets back the numbers it held.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from freewheel.base.diagnostics import UsageError
from freewheel.machine.memory import Memory
from freewheel.machine.records import reached_from, record_text
from freewheel.machine.transfer import transfer
from freewheel.runtime.engine_choice import quantized_engine
from freewheel.runtime.events.dynamic_states import Choices
from freewheel.runtime.inputs import InputSignal, Line, Smooth, Table
from freewheel.runtime.loop.memory import Loop
from freewheel.runtime.model import CompiledModel
from freewheel.runtime.qss.memory import Qss
from freewheel.runtime.saving.diagnostics import cannot_save, damaged, of_another
from freewheel.runtime.saving.image import Tree, packed
from freewheel.runtime.settings import Settings
from freewheel.runtime.start import set_parameters

if TYPE_CHECKING:
    from freewheel.runtime.qss.engine import QuantizedEngine
    from freewheel.runtime.simulate import Simulation

FORMAT = 2
ROOTS = (Loop, Choices, Qss)  # all other records can be reached from these


def state_of(simulation: Simulation) -> Tree:
    """What `take_state` takes, and what it belongs to."""
    engine, quantized = simulation.classic, _quantized(simulation)
    if engine.multistep is not None:
        raise cannot_save(engine.solver)
    live, core = simulation.live, simulation.live.core
    return {
        **_marks(simulation.model, simulation.settings),
        "records": live.records.save(),
        "code": {} if live.model.remembered is None else live.model.remembered(),
        "live": live.state(),
        "core": core.state(),
        "engine": engine.state(),
        "quantized": None if quantized is None else [quantized.solver, quantized.state()],
        "is held": simulation.holding.constrained is not None,
        "inputs moved": simulation.drive.moved_at,
        **{name: getattr(simulation, name).state() for name in PARTS},
        "numbers": [getattr(simulation, name) for name in NUMBERS],
    }


PARTS = ("log", "recorder", "ranges", "chatter", "ambiguity", "undetermined", "held")
NUMBERS = ("event_count", "began_at")


def _quantized(simulation: Simulation) -> QuantizedEngine | None:
    stepper = simulation.stepper
    return cast("QuantizedEngine", stepper) if stepper.is_quantized else None


# ---------------------------------------------------------------- restoring


def take_state(simulation: Simulation, saved: Tree) -> None:
    """Into a simulation that was made and has not begun."""
    _require_same(saved, _marks(simulation.model, simulation.settings))
    try:
        _take(simulation, saved)
    except UsageError:
        raise
    except (
        AssertionError,
        LookupError,
        TypeError,
        ValueError,
        AttributeError,
        StopIteration,
    ) as problem:
        raise damaged(f"its contents do not fit the model ({problem})") from problem


def _take(simulation: Simulation, saved: Tree) -> None:
    _prepare(simulation, saved)
    live, core = simulation.live, simulation.live.core
    _take_records(simulation, Memory.restore(saved["records"]))
    if live.model.remember is not None:
        live.model.remember(saved["code"])
    live.take_state(saved["live"])
    core.take_state(saved["core"])
    if saved["is held"]:
        simulation.holding.provide_again()
    simulation.classic.take_state(saved["engine"])
    quantized = _quantized(simulation)
    if quantized is not None:
        quantized.take_state(saved["quantized"][1])
    for name in PARTS:
        getattr(simulation, name).take_state(saved[name])
    for name, number in zip(NUMBERS, saved["numbers"], strict=True):
        setattr(simulation, name, number)


def _prepare(simulation: Simulation, saved: Tree) -> None:
    """All that a run has made by then: objects, records, functions that kernels know."""
    live, settings = simulation.live, simulation.settings
    set_parameters(live, settings)
    live.memory[live.model.time] = settings.start
    live.run("parameters")  # tables are read
    live.forget_messages()
    _choose_engine(simulation, saved["quantized"])
    if np.isfinite(saved["inputs moved"]):
        simulation.drive.move_on(saved["inputs moved"])
    simulation.classic.prepare_again(saved["engine"])
    if saved["is held"]:
        simulation.holding.prepare()


def _choose_engine(simulation: Simulation, quantized: Any) -> None:
    classic = simulation.classic
    if quantized is None:
        simulation.stepper = classic  # quantized states have given way
    elif not simulation.stepper.is_quantized:  # or were chosen once the initial values were known
        simulation.stepper = quantized_engine(classic, simulation.settings, quantized[0])


def _take_records(simulation: Simulation, memory: Memory) -> None:
    targets: list[Any] = [simulation.classic.space.loop]
    if simulation.live.choices is not None:
        targets.append(simulation.live.choices.record)
    quantized = _quantized(simulation)
    if quantized is not None:
        targets.append(quantized.qss)
    by_name = {root.__name__: root for root in ROOTS}
    for target in targets:
        transfer(target, memory.first(by_name[type(target).__name__]))


# ---------------------------------------------------------------- what an image belongs to


def _marks(model: CompiledModel, settings: Settings) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "layout": _layout_mark(),
        "model": _model_mark(model),
        "settings": settings_data(settings),
    }


def _layout_mark() -> str:
    """Of all records: another version of this program may have others."""
    return _mark("".join(record_text(one) for one in reached_from(iter(ROOTS)).values()).encode())


def _model_mark(model: CompiledModel) -> str:
    relations = [(r.text, r.status, r.residual) for r in model.relations]
    names = [(v.name, v.slot, v.sign, v.offset) for v in model.variables]
    texts = repr((model.name, model.digest, relations, names, model.discrete, model.reinits))
    return _mark(model.start.tobytes() + texts.encode())


def _mark(data: bytes) -> str:
    return blake2b(data, digest_size=16).hexdigest()


def settings_data(settings: Settings) -> dict[str, Any]:
    found = {f.name: getattr(settings, f.name) for f in fields(settings)}
    quanta = {name: [q.relative, q.absolute] for name, q in settings.quanta.items()}
    inputs = {name: _input_data(signal) for name, signal in settings.inputs.items()}
    more = {"quanta": quanta, "parameters": dict(settings.parameters), "inputs": inputs}
    return {**found, **more, "store": list(settings.store)}


def _input_data(signal: InputSignal) -> Any:
    if isinstance(signal, Table):
        values = packed([np.array(signal.times), np.array(signal.values), signal.held])
        return _mark(values)
    if isinstance(signal, Smooth) and isinstance(signal.function, Line):
        line = signal.function
        return [line.t0, line.y0, line.slope]
    return "a function"


def _require_same(saved: Tree, own: Mapping[str, Any]) -> None:
    if not isinstance(saved, dict) or not own.keys() <= saved.keys():
        raise damaged("it holds something else")
    if (saved["format"], saved["layout"]) != (own["format"], own["layout"]):
        raise of_another(
            "another version of Freewheel",
            "restore it with the version that has saved it, or simulate from the start",
        )
    if saved["model"] != own["model"]:
        raise of_another(
            "another model",
            "load the model whose run was saved, with the same text and libraries",
        )
    theirs, ours = saved["settings"], own["settings"]
    differing = [name for name in ours if name not in theirs or theirs[name] != ours[name]]
    if differing:
        listed = ", ".join(f"`{name}`" for name in differing)
        raise of_another(
            f"a run with other settings: {listed}",
            "give the same ones; inputs from files or functions must be as they were",
        )
