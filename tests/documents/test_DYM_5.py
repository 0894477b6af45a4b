"""DYM-5: what the listing of solved equations prints is what the run and every generated program compute.

Equations with one occurrence of the unknown are made at random from everything that has an inverse. The
printed formula is evaluated by Python, with no code of ours.
"""

from __future__ import annotations

import math
import random
import re

import numpy as np
import pytest
from acsl_checker import Acsl
from classic_models import talk
from desire_checker import Desire
from simnon_checker import Simnon

import freewheel as fw
from freewheel.base.diagnostics import FreewheelError
from freewheel.export import export_model

# name in a classic text -> the function, and where its argument must lie for the principal branch
FUNCTIONS = {
    "sin": (math.sin, -1.5, 1.5),
    "cos": (math.cos, 0.1, 3.0),
    "tan": (math.tan, -1.4, 1.4),
    "arcsin": (math.asin, -0.95, 0.95),
    "arccos": (math.acos, -0.95, 0.95),
    "arctan": (math.atan, -3.0, 3.0),
    "exp": (math.exp, -2.0, 2.0),
    "ln": (math.log, 0.1, 4.0),
    "log10": (math.log10, 0.1, 4.0),
    "sqrt": (math.sqrt, 0.1, 4.0),
    "sinh": (math.sinh, -2.0, 2.0),
    "cosh": (math.cosh, 0.1, 2.0),
    "tanh": (math.tanh, -1.5, 1.5),
}
POWERS = {"2": (0.1, 3.0), "3": (-2.0, 2.0), "4": (0.1, 2.0), "5": (-1.5, 1.5), "1.5": (0.1, 3.0)}
POWERS |= {"(-1)": (0.2, 3.0), "(-2)": (0.2, 3.0)}
ROOT = 0.7  # the solution


def spread(value: float, low: float, high: float, work: random.Random) -> tuple[str, float]:
    """A factor and a term that bring a value to somewhere in a range."""
    wanted, factor = work.uniform(low, high), work.choice((-1.5, 0.5, 2.0))
    return f"({factor}*{{0}} + {wanted - factor * value!r})".replace("+ -", "- "), wanted


def equation(seed: int) -> tuple[str, float]:
    """(left side in `q`, its value at ROOT)"""
    work = random.Random(seed)
    text, value = "q", ROOT
    for _ in range(work.randint(1, 3)):
        name = work.choice((*FUNCTIONS, *POWERS))
        low, high = FUNCTIONS[name][1:] if name in FUNCTIONS else POWERS[name]
        around, value = spread(value, low, high, work)
        text = around.format(text)
        if name in FUNCTIONS:
            text, value = f"{name}{text}", FUNCTIONS[name][0](value)
        else:
            text, value = f"{text}**{name}", value ** float(name.strip("()"))
    return text, value


def model_text(left: str, value: float) -> str:
    return f"model m\n  parameter a = {value!r}\n  output q\n  {left} = a\nend\n"


def of_python(formula: str) -> str:
    """A formula of the classic language."""
    words = {"arcsin": "asin", "arccos": "acos", "arctan": "atan", "ln": "log"}
    plain = re.sub(r"[a-z]\w*", lambda found: words.get(found[0], found[0]), formula)
    choice = re.compile(r"if ([^()]*(?:\([^()]*\))*[^()]*) then (.*) else (.*)")
    while found := choice.search(plain):
        plain = choice.sub(f"(({found[2]}) if ({found[1]}) else ({found[3]}))", plain, count=1)
    return plain


def printed(text: str) -> str:
    """The right side of the line that gives `q`."""
    *_, listing = talk(*text.splitlines(), "output solved equations")
    assert "SIMULTANEOUS" not in listing, listing
    return re.search(r"^m? *q = (.*)$", listing, re.MULTILINE)[1]


def computed(text: str) -> float:
    *_, told = talk(*text.splitlines(), "simulate stop=1", "print q")
    return float(told.split()[2])


def programs(text: str, folder) -> dict[str, float]:
    """The unknown as each generated program gives it."""
    (folder / "m.dym").write_text(text)
    model = fw.load(folder / "m.dym")
    found = {}
    for kind, read in (("acsl", Acsl), ("desire", Desire), ("simnon", Simnon)):
        (made,) = export_model(model, kind).values()
        system = read(made)
        found[kind] = float(system.record(1.0, system.start())["q"])
    (made,) = export_model(model, "python").values()
    spaces: dict[str, object] = {"__name__": "made"}
    exec(made, spaces)
    found["python"] = float(spaces["simulate"]()["q"][-1])
    return found


def evaluated(formula: str, a: float) -> float:
    names = {name: getattr(math, name) for name in dir(math)}
    return eval(formula, {**names, "a": a, "sign": lambda x: (x > 0) - (x < 0), "abs": abs})


@pytest.mark.parametrize("seed", range(30))
def test_DYM_5_the_run_gives_what_the_listing_prints(seed):
    left, value = equation(seed)
    text = model_text(left, value)
    formula = of_python(printed(text))

    assert math.isclose(evaluated(formula, value), ROOT, rel_tol=1e-6)
    assert math.isclose(computed(text), evaluated(formula, value), rel_tol=1e-8)


@pytest.mark.parametrize("seed", range(100, 106))
def test_DYM_5_every_program_gives_what_the_listing_prints(seed, tmp_path):
    left, value = equation(seed)

    for kind, found in programs(model_text(left, value), tmp_path).items():
        assert math.isclose(found, ROOT, rel_tol=1e-6), kind


def test_DYM_5_equation_5_is_computed():
    """Eq. 4 with numbers: 2*g + f = 9 and all others as in the transcript."""
    told = talk(
        "model equation",
        "  parameter a = 0.1, b = 2, c = 3, d = 0.2, e = 0.5, f = 1, g = 4",
        "  local x",
        "  exp(a + sin(x/b + c*x - d)*(exp(e) + 1))**2 - f = 2*g",
        "end",
        "simulate stop=1",
        "print x",
    )
    exact = (math.asin((math.log(3) - 0.1) / (math.exp(0.5) + 1)) + 0.2) / (1 / 2 + 3)

    assert np.allclose([float(word) for word in told[-1].split()[1:]], exact)


# ---------------------------------------------------------------- what chooses another solution


def modelica(folder, declaration: str, equations: str) -> fw.Model:
    path = folder / "M.mo"
    path.write_text(f"model M\n  {declaration}\nequation\n  {equations}\nend M;\n")
    return fw.load(path)


def test_DYM_5_without_a_start_value_modelica_takes_the_principal_branch(tmp_path):
    model = modelica(tmp_path, "parameter Real a = 0.3; Real q;", "cos(q) = a;")

    assert "q = acos(a)" in model.equations("solved")
    assert math.isclose(model.simulate(stop=1)["q"][-1], math.acos(0.3))


@pytest.mark.parametrize("start", [-1.0, 5.0, 7.0])
def test_DYM_5_a_start_value_chooses_and_the_listing_shows_no_formula(tmp_path, start):
    model = modelica(tmp_path, f"parameter Real a = 0.3; Real q(start={start});", "cos(q) = a;")
    near = min(
        (sign * math.acos(0.3) + 2 * math.pi * k for sign in (1, -1) for k in (-1, 0, 1, 2)),
        key=lambda root: abs(root - start),
    )

    assert "acos" not in model.equations("solved")
    assert "values at the start choose among its solutions" in model.equations("solved")
    assert math.isclose(model.simulate(stop=1)["q"][-1], near, rel_tol=1e-7)


def test_DYM_5_init_chooses_in_a_classic_text():
    *_, listing, _, told = talk(
        "model m", "  local x", "  output q", "  init q = 5", "  der(x) = 0.1", "  cos(q) = x", "end",
        "output solved equations", "simulate stop=1", "print q",
    )  # fmt: skip
    exact = 2 * math.pi - math.acos(math.cos(5) + 0.1)

    assert "arccos" not in listing
    assert np.allclose([float(word) for word in told.split()[1:]], [5, exact])


def test_DYM_5_a_condition_at_the_start_is_followed(tmp_path):
    """x^2 + y^2 = 1 on the lower half, where nothing but an initial equation says so."""
    model = modelica(
        tmp_path, "Real x(stateSelect=StateSelect.always), y;\ninitial equation\n  y = -0.8;",
        "der(x) = 0.1; x^2 + y^2 = 1;",
    )  # fmt: skip
    result = model.simulate(stop=1)

    assert np.allclose(result["y"], -np.sqrt(1 - np.asarray(result["x"]) ** 2))
    assert result["y"][0] < 0


def test_DYM_5_a_bound_chooses(tmp_path):
    model = modelica(tmp_path, "Real x(max=0);", "x^2 = 4;")

    assert math.isclose(model.simulate(stop=1)["x"][-1], -2.0)


def test_DYM_5_where_the_equation_has_no_solution_the_run_says_so(tmp_path):
    model = modelica(tmp_path, "Real x;", "sqrt(x) = 0.5 - time;")
    assert "x = (0.5 - time)^2" in model.equations("solved")

    with pytest.raises(FreewheelError, match=r"has a solution only where 0\.5 - time >= 0"):
        model.simulate(stop=1)
