"""Which simulator `freewheel devs` takes, and how much it may do.

Compiled kernels run a quantized bond graph; a model with classes of its own, events from outside or the
parallel coordinator is interpreted; a log takes the simulators that pass messages.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from freewheel.devs import Coupled, TimedEvent, simulate
from freewheel.devs.failures import flooded

MOST_TRANSITIONS = 20_000_000  # a minute or so
MOST_MESSAGES = 2_000_000  # a log of 150 megabytes


def run_model(
    model: Coupled, events: Sequence[TimedEvent], choices: Mapping[str, Any]
) -> tuple[Sequence[TimedEvent], int, str | None]:
    """What left the model, how many transitions it took, and the log if one is asked for."""
    if choices["log"] is not None:
        return _logged(model, events, choices)
    from freewheel.devs.qbg.compiled import MAX_STEPS, can_be_compiled, simulate_compiled

    if events or choices["coordinator"] == "parallel" or not can_be_compiled(model):
        most = choices["max_steps"] or MOST_TRANSITIONS
        kind = choices["coordinator"]
        found = simulate(
            model, choices["stop"], coordinator=kind, events=events, max_transitions=most
        )
        if found.reason == "limit":
            raise flooded("transitions", most, found.time, _busiest(found.outputs))
        return found.outputs, found.transitions, None
    most = choices["max_steps"] or MAX_STEPS
    steps = simulate_compiled(model, choices["stop"], max_steps=most)
    return steps.outputs(), steps.transitions, None


def _logged(
    model: Coupled, events: Sequence[TimedEvent], choices: Mapping[str, Any]
) -> tuple[Sequence[TimedEvent], int, str]:
    from freewheel.devs.cdpp.log import write_log
    from freewheel.devs.cdpp.message_nodes import Message
    from freewheel.devs.messages import simulate_messages

    log: list[Message] = []
    kind, most = choices["coordinator"], choices["max_steps"] or MOST_MESSAGES
    told = simulate_messages(
        model, choices["stop"], coordinator=kind, events=events, log=log.append, max_messages=most
    )
    if told.reason == "limit":
        raise flooded("messages", most, told.time, _busiest(told.outputs))
    return told.outputs, told.transitions, write_log(log, parallel=kind == "parallel")


def _busiest(outputs: Sequence[TimedEvent]) -> str:
    """The output at which most events have left, the first of several."""
    counts = Counter(port for _, port, _ in outputs)
    return counts.most_common(1)[0][0] if counts else ""
