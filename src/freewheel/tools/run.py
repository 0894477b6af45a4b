"""`freewheel run FILE|CLASS`: simulate and write curves, pictures, statistics.

freewheel run circuit.mo --param R1.R=50 --stop 2e-3 --out r.csv --plot C.v,L.i
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from freewheel.base.diagnostics import SimulationError
from freewheel.base.stop import claim, lasting
from freewheel.pipeline import DEFAULT_BACKEND
from freewheel.runtime.integrators.choice import ALL_SOLVERS
from freewheel.tools import watch
from freewheel.tools.options import read_names, read_pairs, with_target
from freewheel.tools.places import PLACE, WritingCommand
from freewheel.tools.run_files import keep_interrupted, keep_partial, require_places, write_whole
from freewheel.tools.run_report import RunReport
from freewheel.tools.write_behind import writing_behind

if TYPE_CHECKING:
    pass

PASSED_ON = (
    *("start", "stop", "tol", "interval", "solver", "quantum", "input_file", "input_hold"),
    *("event_log", "root_solver", "event_detection", "step_control", "max_events", "impulses"),
    *("bounds", "max_steps"),
)


@click.command(cls=WritingCommand)
@with_target
@click.option("--start", type=float, help="Start time, else as the model says, else 0.")
@click.option("--stop", type=float, help="Stop time, else as the model says, else 1.")
@click.option("--tol", type=float, help="Relative tolerance, else as the model says, else 1e-6.")
@click.option("--interval", type=float, help="Time between stored points, else 1/500 of the run.")
@click.option(
    "--solver",
    default="auto",
    show_default=True,
    help=f"{', '.join(ALL_SOLVERS[:-1])} or {ALL_SOLVERS[-1]}; "
    "core-euler for ideal elements, to compare.",
)
@click.option(
    "--quantum",
    multiple=True,
    metavar="[STATE=][REL,]ABS",
    help="How far quantized states may be off, for qss1 and its like  [as --tol].",
)
@click.option(
    "--root-solver",
    metavar="NAME",
    help="illinois, golden, fibonacci, newton, cubic, hermite, dense or nordsieck  [illinois].",
)
@click.option(
    "--event-detection",
    metavar="NAME",
    help="Look at ends, middle, slopes or polynomials (sturm) of each step  [sturm].",
)
@click.option(
    "--step-control",
    metavar="NAME",
    help="pi, or optimistic: no step is repeated (dopri5, rkf45)  [pi].",
)
@click.option(
    "--max-events",
    type=click.IntRange(min=1),
    metavar="N",
    help="Events allowed while time moves by a millionth of the run  [1000].",
)
@click.option(
    "--impulses",
    type=click.Choice(("accept", "warn", "error")),
    help="What to do where ideal elements cause impulses  [warn].",
)
@click.option(
    "--bounds",
    type=click.Choice(("off", "warn", "error")),
    help="What to do where `min` or `max` of a variable is violated  [warn].",
)
@click.option(
    "--max-steps",
    type=click.IntRange(min=1),
    metavar="N",
    help="Steps allowed in the run  [10000000].",
)
@click.option(
    "--backend",
    type=click.Choice(("llvm", "python")),
    default=DEFAULT_BACKEND,
    show_default=True,
    help="Machine code, or the slow reference.",
)
@click.option("--param", "params", multiple=True, metavar="NAME=VALUE", help="Set a parameter.")
@click.option("--input", "inputs", multiple=True, metavar="NAME=EXPR", help="Drive an input.")
@click.option("--input-file", metavar="CSV", help='Drive inputs by columns ("time","u",...).')
@click.option(
    "--input-hold",
    type=click.Choice(("linear", "held")),
    default="linear",
    show_default=True,
    help="Between the rows of --input-file: a line, or the last value.",
)
@click.option(
    "--out", type=PLACE, metavar="FILE", help="Write all curves: .csv, .mat (Dymola) or .parquet."
)
@click.option("--store", metavar="A,B", help="Keep only these variables; `T` or `*.v` for several.")
@click.option("--plot", metavar="A,B", help="Draw these variables.")
@click.option("--plot-file", type=PLACE, metavar="FILE", help="Where the picture goes [MODEL.png].")
@click.option("--plot-steps", type=PLACE, metavar="FILE", help="Draw the step size over time.")
@click.option("--stats", is_flag=True, help="Print steps, evaluations and time per stage.")
@click.option(
    "--event-log",
    is_flag=True,
    help="Print each event: its cause and all changes.",
)
def run(target: str, model: str | None, libraries: Sequence[str], **choices: Any) -> None:
    """Simulate a model.

    FILE is a .mo or .dym file; its last model is taken unless -m names another. CLASS is looked up in
    --library, MODELICAPATH and the library inside Freewheel.
    """
    from freewheel.api import load
    from freewheel.tools.progress import progress_bar

    require_places(choices)
    params = read_pairs(choices["params"], "--param")
    inputs = read_pairs(choices["inputs"], "--input")
    loaded = load(target, model=model, library=libraries, backend=choices["backend"])
    place = Path(choices["out"] or "curves")
    with writing_behind(place) as behind, lasting():  # from the first step to the last file
        watch.rescue(lambda failure: keep_interrupted(failure, choices, behind))
        try:
            with progress_bar() as tell:
                result = loaded.simulate(
                    params=params,
                    inputs=inputs,
                    progress=tell,
                    store=read_names(choices["store"] or ""),
                    wanted=read_names(choices["plot"] or ""),
                    **{key: choices[key] for key in PASSED_ON},
                )
        except SimulationError as failure:
            claim()
            keep_partial(failure, choices, behind)
            raise
        files = write_whole(result, choices, behind)
    if choices["stats"]:
        seconds = {f"seconds in {stage}": spent for stage, spent in result.translation.items()}
        result.stats.update(seconds)
    told = RunReport(
        result,
        (*result.remarks, *result.warnings),
        files,
        loaded.libraries(),
        choices["stats"],
        choices["event_log"],
    )
    if choices["as_json"]:
        told.print_json()
    else:
        told.print_text()
