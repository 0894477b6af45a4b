"""Small models written by hand: names instead of slots, plain functions instead of sections."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np
import pytest

from freewheel.base.diagnostics import Diagnostic
from freewheel.base.slots import Info, RelationSlots, StateSlots
from freewheel.runtime.model import CompiledModel, Sample, SlotRange


class View:
    """The memory by name: `v["x"]`."""

    def __init__(self, memory, slots):
        self.memory, self.slots = memory, slots

    def __getitem__(self, name: str) -> float:
        return float(self.memory[self.slots[name]])

    def __setitem__(self, name: str, value: float) -> None:
        self.memory[self.slots[name]] = value


def nothing(v: View) -> None:
    """A section without equations."""


@dataclass
class Sketch:
    states: Mapping[str, float] = field(default_factory=dict)  # each also gets `der(..)`
    parameters: Mapping[str, float] = field(default_factory=dict)
    inputs: Mapping[str, float] = field(default_factory=dict)
    algebraic: Sequence[str] = ()
    discrete: Mapping[str, float] = field(default_factory=dict)  # each also gets `pre(..)`
    relations: Mapping[str, Callable[[View], float]] = field(default_factory=dict)  # `s(..)`
    time_relations: Sequence[str] = ()
    samples: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    reinits: Sequence[str] = ()  # of states: `new(..)` and `flag(..)`
    parameter_code: Callable[[View], None] = nothing
    initial: Callable[[View], None] = nothing
    derivatives: Callable[[View], Any] = nothing
    outputs: Callable[[View], None] = nothing
    when: Callable[[View], None] = nothing
    messages: list[Diagnostic] | None = None
    aliases: Mapping[str, tuple[str, float]] = field(default_factory=dict)
    flags: bool = False
    has_addresses: bool = False  # of C functions, so that the compiled loop runs the model

    def compile(self) -> CompiledModel:
        values: dict[str, float] = {"time": 0.0, **self.states}
        values.update((f"der({name})", 0.0) for name in self.states)
        for group in (self.parameters, self.inputs, dict.fromkeys(self.algebraic, 0.0)):
            values.update(group)
        for name, start in self.discrete.items():
            values.update({name: start, f"pre({name})": start})
        for name in self.relations:
            values.update({f"s({name})": 0.0, f"r({name})": 0.0})
        for name, (start, interval) in self.samples.items():
            values.update({f"start({name})": start, f"step({name})": interval, name: 0.0})
        for name in self.reinits:
            values.update({f"new({name})": 0.0, f"flag({name})": 0.0})
        if self.flags:
            values.update({"initial()": 0.0, "terminal()": 0.0})
        self.slots = {name: slot for slot, name in enumerate(values)}
        return self._model(np.array(list(values.values())))

    def _model(self, start) -> CompiledModel:
        at = self.slots
        n = len(self.states)
        kinds = dict.fromkeys((*self.states, *self.inputs, *self.algebraic), "continuous")
        kinds |= dict.fromkeys(self.parameters, "parameter") | dict.fromkeys(
            self.discrete, "discrete"
        )
        variables = [Info(name, at[name], kind=kind) for name, kind in kinds.items()]
        variables += [Info(f"der({s})", at[f"der({s})"]) for s in self.states]
        variables += [Info(a, at[n], sign) for a, (n, sign) in self.aliases.items()]
        model = CompiledModel(
            name="Sketch",
            start=start,
            time=0,
            states=SlotRange(1, 1 + n),
            derivatives=SlotRange(1 + n, 1 + 2 * n),
            inputs=tuple(Info(name, at[name]) for name in self.inputs),
            state_infos=tuple(StateSlots(s, at[s], at[f"der({s})"]) for s in self.states),
            variables=tuple(variables),
            parameter_slots={name: at[name] for name in self.parameters},
            sections={
                "parameters": self._section(self.parameter_code),
                "initial": self._section(self.initial),
                "derivatives": self._section(self.derivatives),
                "outputs": self._section(self.outputs),
                "relations": self._section(self._residuals),
                "discrete": self._section(self.when),
            },
            relations=tuple(
                RelationSlots(at[f"s({r})"], at[f"r({r})"], r, r in self.time_relations)
                for r in self.relations
            ),
            samples=tuple(Sample(at[f"start({s})"], at[f"step({s})"], at[s]) for s in self.samples),
            discrete=tuple((at[d], at[f"pre({d})"]) for d in self.discrete),
            reinits=tuple((at[s], at[f"new({s})"], at[f"flag({s})"]) for s in self.reinits),
            messages=None if self.messages is None else self._take_messages,
            initial_flag=at.get("initial()", -1),
            terminal_flag=at.get("terminal()", -1),
        )
        return replace(model, addresses=self._addresses(model)) if self.has_addresses else model

    def _addresses(self, model) -> dict[str, int]:
        """Machine code as another backend would give it."""
        size = len(model.start)
        self.kept = []  # C functions must outlive their use

        def address(name):
            section = model.sections[name]

            def called(pointer):
                array = (ctypes.c_double * size).from_address(pointer)
                return section(np.ctypeslib.as_array(array))

            function = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p)(called)
            self.kept.append(function)
            return ctypes.cast(function, ctypes.c_void_p).value

        found = {name: address(name) for name in ("derivatives", "outputs", "relations")}
        KEPT.append(self)
        return found

    def _section(self, code):
        return lambda memory: code(View(memory, self.slots)) or 0

    def _residuals(self, v: View) -> None:
        for name, function in self.relations.items():
            v[f"r({name})"] = function(v)

    def _take_messages(self) -> list[Diagnostic]:
        taken = list(self.messages)
        self.messages.clear()
        return taken


KEPT: list[Sketch] = []


@pytest.fixture(params=["reference", "compiled"])
def sketch(request):
    """Each model runs in the reference loop and in the compiled one."""
    yield partial(Sketch, has_addresses=request.param == "compiled")
    KEPT.clear()
