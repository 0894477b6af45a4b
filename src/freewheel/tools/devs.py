"""`freewheel devs FILE`: quantized bond graphs as DEVS models, simulated and written as CD++ files.

freewheel devs circuit.mo --quantum 0.01 --stop 10 --ma circuit.ma --out circuit.out --log run.log

FILE is a `.ma` file, or a model whose bond graph is quantized. Without `--log` compiled kernels
run it; a log holds every message of the simulators. `--classes mine.py` adds atomic classes of your
own for a `.ma` file: the Python file defines `CLASSES`, from lower-case names to functions.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from freewheel.base.diagnostics import Diagnostic, UsageError
from freewheel.base.files import read_regular, replacing
from freewheel.tools.options import with_target
from freewheel.tools.places import PLACE, WritingCommand
from freewheel.tools.report import print_json
from freewheel.tools.terminal import echo

if TYPE_CHECKING:
    from freewheel.base.source import Source
    from freewheel.devs import Coupled, TimedEvent


@click.command(cls=WritingCommand)
@with_target
@click.option("--quantum", multiple=True, metavar="Q|NAME=Q", help="Distance of levels  [0.01].")
@click.option(
    "--window", multiple=True, metavar="W|NAME=W", help="Hysteresis window  [as the quantum]."
)
@click.option(
    "--levels",
    multiple=True,
    metavar="NAME=A,B,...",
    help="Levels of one element, not equidistant.",
)
@click.option(
    "--order",
    type=click.Choice(("1", "2", "3")),
    help="Events carry numbers, lines or parabolas  [1].",
)
@click.option("--stop", type=float, help="Stop time, else as the model says, else 1.")
@click.option(
    "--max-steps",
    type=click.IntRange(min=1),
    help="Give up after so many changes of levels  [20 million], transitions of --coordinator"
    " parallel  [20 million], or messages of --log  [2 million].",
)
@click.option(
    "--coordinator",
    type=click.Choice(("classic", "parallel")),
    default="classic",
    show_default=True,
    help="One imminent model at a time, or all at once.",
)
@click.option("--classes", metavar="FILE.py", help="More atomic classes for a .ma file.")
@click.option("--ev", metavar="FILE", help="Events that arrive from outside.")
@click.option("--ma", type=PLACE, metavar="FILE", help="Write the coupled model.")
@click.option(
    "--out", type=PLACE, metavar="FILE", help="Write what leaves the model: time, port, value."
)
@click.option("--log", type=PLACE, metavar="FILE", help="Write every message of the simulators.")
def devs(target: str, **choices: Any) -> None:
    """Simulate a quantized bond graph, and write it as files of CD++."""
    from freewheel.tools.devs_classes import blamed_on
    from freewheel.tools.devs_run import run_model

    model = _model(target, choices)
    choices["stop"] = _stop(choices["stop"])
    written = {}
    if choices["ma"] is not None:
        from freewheel.devs.cdpp.ma_build import as_ma
        from freewheel.devs.cdpp.ma_write import write_ma

        written["ma"] = _write(choices["ma"], write_ma(as_ma(model)))
    events = _events(choices["ev"])
    with blamed_on(choices.get("source")):
        outputs, transitions, log = run_model(model, events, choices)
    if log is not None:
        written["log"] = _write(choices["log"], log)
    if choices["out"] is not None:
        from freewheel.devs.cdpp.event_files import write_events

        written["out"] = _write(choices["out"], write_events(outputs))
    _tell(target, model, len(outputs), transitions, choices, written)


def _stop(given: float | None) -> float:
    if given is None:
        return 1.0
    if not given >= 0.0:
        raise UsageError(
            Diagnostic("U090", f"`--stop {given:g}`: a run begins at 0 and goes forward")
        )
    return given


def _model(target: str, choices: dict[str, Any]) -> Coupled:
    if not target.endswith(".ma"):
        return _from_modelica(target, choices)
    from freewheel.devs.cdpp.ma_build import build
    from freewheel.devs.cdpp.ma_read import read_ma
    from freewheel.devs.qbg.classes import QBG_CLASSES
    from freewheel.tools.devs_classes import blamed_on, classes_in

    for option in ("quantum", "window", "levels", "order"):
        if choices[option]:
            raise UsageError(
                Diagnostic("U086", f"`--{option}` has no meaning: the `.ma` file gives it")
            )
    source = _text(choices["classes"]) if choices["classes"] else None
    choices["source"] = source
    classes = {**QBG_CLASSES, **classes_in(source)}
    file = read_ma(_text(target))
    with blamed_on(source):
        return build(file, classes)


def _from_modelica(target: str, choices: dict[str, Any]) -> Coupled:
    from freewheel.api import load
    from freewheel.base.access import looking, only_reading
    from freewheel.dymola.files import Cuts
    from freewheel.tools.devs_model import quantized
    from freewheel.tools.devs_quanta import quanta_of

    loaded = load(
        target,
        model=choices["model"],
        library=choices["libraries"],
        cuts=Cuts.CONNECTORS,
    )
    if choices["stop"] is None:
        choices["stop"] = loaded.flatten().experiment.stop_time
    choices["stop"] = _stop(choices["stop"])
    with looking(loaded.library.readable), only_reading():
        return quantized(loaded, choices["stop"], lambda names: quanta_of(choices, names))


def _events(place: str | None) -> tuple[TimedEvent, ...]:
    from freewheel.devs.cdpp.event_files import read_events

    return () if place is None else read_events(_text(place))


def _text(place: str) -> Source:
    from freewheel.base.source import Source

    path = Path(place)
    try:
        return Source.from_bytes(path, read_regular(path))
    except (OSError, UnicodeDecodeError) as problem:
        raise UsageError(
            Diagnostic("U088", f"cannot read `{place}`: {problem}", file=place)
        ) from problem


def _write(place: str, text: str) -> str:
    with replacing(Path(place)) as stream:
        stream.write(text)
    return place


def _tell(
    target: str,
    model: Coupled,
    outputs: int,
    transitions: int,
    choices: dict[str, Any],
    written: dict[str, str],
) -> None:
    facts = {
        "components": len(model.components),
        "links": len(model.couplings),
        "outputs": outputs,
        "transitions": transitions,
    }
    if choices["as_json"]:
        print_json({"model": target, **facts, "stop": choices["stop"], "files": written})
        return
    echo(
        f"{target}: {facts['components']} components, {facts['links']} links;"
        f" {transitions} transitions and {outputs} outputs up to t = {choices['stop']:g}"
    )
    for kind, place in written.items():
        echo(f"  {kind:<5} {place}")
