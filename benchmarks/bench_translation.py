"""(d) Time from text to machine code over the number of equations, with the share of each stage.

A ring of nonlinear cells in plain scalars, two equations and one parameter each: nothing is an
array, nothing is an alias, so all equations walk the whole corridor. Caches are empty.

Below it the same array of states written as one equation and as a loop: what is regular is never taken
apart, so that 50,000 states cost less than 2,000 equations that differ.
"""

import os
import tempfile
from pathlib import Path
from time import process_time

from measure import Peers, Section, duration, verdict

import freewheel
import freewheel.pipeline
from freewheel.instance.cache import cache_folder
from freewheel.pipeline import STAGES, Options, compile_model

GOALS = {100: 0.1, 1000: 0.4, 10_000: 4.0}


def ring(cells: int) -> str:
    lines = ["model Ring"]
    for k in range(cells):
        lines.append(f"  parameter Real p{k} = {k + 1};")
        lines.append(f"  Real x{k}(start = 1, fixed = true);")
        lines.append(f"  Real y{k};")
    lines.append("equation")
    for k in range(cells):
        lines.append(f"  der(x{k}) = -p{k}*x{k} + y{(k + 1) % cells}*sin(time);")
        lines.append(f"  y{k} = x{k}^2 + x{(k + 7) % cells};")
    return "\n".join([*lines, "end Ring;", ""])


STATES = 50_000
ARRAYS = {
    "der(x) = a .* x + b": "der(x) = a .* x + b;",
    "the same as a loop": "for i in 1:n loop der(x[i]) = a[i]*x[i] + b[i]; end for;",
}


def array(equation: str) -> str:
    return f"""model Ring
      parameter Integer n = {STATES};
      parameter Real a[n] = {{-1 - i/n for i in 1:n}}, b[n] = fill(0.5, n);
      Real x[n](each start = 1, each fixed = true);
    equation
      {equation}
    end Ring;
    """


def translate(equations: int) -> dict[str, float]:
    """CPU seconds per stage of so many different equations."""
    return translated(ring(equations // 2))


def translated(text: str) -> dict[str, float]:
    """CPU seconds per stage, parsing first."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["FREEWHEEL_CACHE"] = f"{folder}/cache"
        cache_folder.cache_clear()  # else trees are found where the last one left them
        path = Path(folder) / "Ring.mo"
        path.write_text(text)
        began = process_time()
        model = freewheel.load(path)
        parsed = process_time() - began
        stages = compile_model(model.library, model.name, Options(backend="llvm")).seconds
        del os.environ["FREEWHEEL_CACHE"]
        cache_folder.cache_clear()
    return {"syntax": parsed, **stages}


def run(peers: Peers) -> Section:
    stages = ("syntax", *STAGES)
    section = Section(
        "(d) Translation", ["equations", "time", "goal", *(f"{stage} %" for stage in stages)]
    )
    freewheel.pipeline.perf_counter = process_time  # the stages too in CPU time
    translate(10)  # imports, and what llvmlite prepares once
    for equations, goal in GOALS.items():
        seconds = translate(equations)
        total = sum(seconds.values())
        shares = [f"{100 * seconds[stage] / total:.0f}" for stage in stages]
        told = f"{goal:g} s {verdict(total, goal)}"
        section.rows.append([str(equations), duration(total), told, *shares])
    for title, equation in ARRAYS.items():
        seconds = translated(array(equation))
        total = sum(seconds.values())
        shares = [f"{100 * seconds.get(stage, 0.0) / total:.0f}" for stage in stages]
        section.rows.append([f"{STATES}: `{title}`", duration(total), "", *shares])
    return section


if __name__ == "__main__":
    print(run(Peers()).markdown())
