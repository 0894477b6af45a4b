"""Runs that are saved on their way and restored in another process: the same bits as without a stop."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import freewheel as fw

SWING = "Real x(start=2, fixed=true), y(start=0, fixed=true); "
BALL = """Real h(start=1, fixed=true), v(start=0, fixed=true);
equation der(h) = v; der(v) = -9.81; when h <= 0 then reinit(v, -0.8*pre(v)); end when;"""
SWITCHED = (
    SWING
    + "Boolean b; equation der(x) = y; der(y) = -0.3*y - x + (if b then 1 else 0); b = x < 0.2;"
)
STIFF = SWING + "equation der(x) = y; der(y) = 100*(1 - x^2)*y - x;"
RECTIFIER = """import Modelica.Electrical.Analog.*;
  Sources.SineVoltage u1(V=10, f=50), u2(V=10, f=50, phase=2.0944), u3(V=10, f=50, phase=-2.0944);
  Ideal.IdealDiode a1(Ron=0, Goff=0, Vknee=0), a2(Ron=0, Goff=0, Vknee=0), a3(Ron=0, Goff=0, Vknee=0);
  Ideal.IdealDiode b1(Ron=0, Goff=0, Vknee=0), b2(Ron=0, Goff=0, Vknee=0), b3(Ron=0, Goff=0, Vknee=0);
  Basic.Inductor l1(L=1e-3), l2(L=1e-3), l3(L=1e-3), L(L=1e-2, i(start=0, fixed=true));
  Basic.Resistor r(R=2); Basic.Ground g;
equation
  connect(u1.n, g.p); connect(u2.n, g.p); connect(u3.n, g.p);
  connect(u1.p, l1.p); connect(u2.p, l2.p); connect(u3.p, l3.p);
  connect(l1.n, a1.p); connect(l2.n, a2.p); connect(l3.n, a3.p);
  connect(l1.n, b1.n); connect(l2.n, b2.n); connect(l3.n, b3.n);
  connect(a1.n, L.p); connect(a2.n, L.p); connect(a3.n, L.p); connect(L.n, r.p);
  connect(r.n, b1.p); connect(r.n, b2.p); connect(r.n, b3.p);"""
FREEWHEELING = """import Modelica.Electrical.Analog.*; Sources.SineVoltage u(V=10, f=50);
  Ideal.IdealDiode a(Ron=0, Goff=0, Vknee=0), b(Ron=0, Goff=0, Vknee=0);
  Basic.Inductor L(L=1e-2, i(start=0, fixed=true)); Basic.Resistor r(R=2); Basic.Ground g;
equation connect(u.n, g.p); connect(u.p, a.p); connect(a.n, L.p); connect(b.n, L.p); connect(b.p, g.p);
  connect(L.n, r.p); connect(r.n, g.p);"""
SATURATING = (
    "model Saturating extends Modelica.Electrical.Analog.Interfaces.OnePort(i(start=0, fixed=true)); "
    "Real psi = 0.02*atan(i); equation v = der(psi); end Saturating; "
    + FREEWHEELING.replace("Basic.Inductor L(L=1e-2, i(start=0, fixed=true))", "Saturating L")
)
# Rows of rotations: which pivots are good depends on when they were chosen.
SPARSE = """parameter Integer n = 40; Real x[n](each start=0, each fixed=true), u[2*n], a = 3*time;
equation for i in 1:n loop
  der(x[i]) = u[2*i] - x[i];
  cos(a+i)*u[2*i-1] + sin(a+i)*u[2*i] + 0.1*u[if i < n then 2*i+1 else 1] = sin(time+i) + x[i];
  -sin(a+i)*u[2*i-1] + cos(a+i)*u[2*i] + 0.1*u[if i > 1 then 2*i-2 else 2*n] = cos(i*time);
end for;"""


def refused(told: str):
    """A usage error; `told` is a pattern but for the brackets of its code."""
    return pytest.raises(fw.UsageError, match=told.replace("[", r"\[").replace("]", r"\]"))


@dataclass(frozen=True)
class Case:
    body: str
    at: float
    stop: float
    more: dict[str, Any] = field(default_factory=dict)

    @property
    def text(self) -> str:
        return f"model M {self.body} end M;\n"

    @property
    def arguments(self) -> dict[str, Any]:
        return {"stop": self.stop, **self.more}


CASES = {
    "ball flying": Case(BALL, 1.5, 5),
    "ball at many bounces": Case(BALL, 4.2, 5),
    "ball at rest": Case(BALL, 4.8, 5),
    "sliding": Case(
        """Real x(start=1, fixed=true), y(start=0.3, fixed=true);
        equation der(x) = (if x + y > 0 then -2 else 1) + 0.3*sin(5*time); der(y) = -y + 0.1*x;""",
        *(0.8, 5),
    ),
    "delay": Case(
        """Real x(start=1, fixed=true), z = delay(x*x, 0.3 + 0.1*sin(time), 0.5);
        Boolean b = sin(3*time) > 0.5;
        equation der(x) = -2*delay(x, 0.7) + (if b then 1 else 0);""",
        *(1.7, 5),
    ),
    "pipe": Case(
        """Real x(start=0, fixed=true), v = cos(time) + 0.3, o0, o1; equation der(x) = v;
        (o0, o1) = spatialDistribution(sin(5*time), 0.5 + time, x, v > 0, {0, 0.4, 1}, {0, 0.3, 0.2});""",
        *(2.2, 6),
    ),
    "ideal diodes at the start": Case(RECTIFIER, 0.0, 0.05),
    "ideal diodes after many modes": Case(RECTIFIER, 0.03, 0.05),
    "ideal diodes and a nonlinear inductor": Case(SATURATING, 0.02, 0.06),
    "chosen states": Case(
        """Real x(start=0.6, fixed=true), y(start=-0.8), vx(start=3, fixed=true), vy, T;
        equation x^2 + y^2 = 1; der(x) = vx; der(y) = vy; der(vx) = -T*x; der(vy) = -T*y - 9.81;""",
        *(2.2, 6),
    ),
    "samples": Case(
        """Real x(start=1, fixed=true); discrete Real u(start=0), w(start=0); Integer n(start=0);
        equation der(x) = u - x; when sample(0.05, 0.15) then w = x; end when;
        when sample(0, 0.1) then u = pre(u) + 0.1*sin(time); n = pre(n) + 1; end when;""",
        *(2.17, 6),
    ),
    "clocks": Case(
        """Real x(start=1, fixed=true), u(start=0), xs; equation der(x) = hold(u) - x;
        xs = sample(x, Clock(0.1)); u = previous(u) + 0.2*(1 - xs);""",
        *(2.17, 6),
    ),
    "sparse loop": Case(SPARSE, 2.2, 6),
    "sparse loop and Jacobian": Case(SPARSE, 2.2, 6, {"solver": "rodas4"}),
    "radau": Case(STIFF, 160, 200, {"solver": "radau"}),
    "became stiff": Case(STIFF, 160, 200),
    "input": Case(
        "input Real u; Real x(start=0, fixed=true); equation der(x) = u - x + (if x > 0.5 then -0.3 else 0);",
        *(1.7, 3, {"inputs": {"u": ([0, 0.5, 1, 1, 2, 3], [0, 1, 1, 0.2, 3, 0])}}),
    ),
    "parameters": Case(
        "parameter Real k = 1; parameter Integer n = 2; Real x[n](each start=1, each fixed=true); "
        "equation der(x) = -k*x;",
        *(1.7, 3, {"params": {"k": 2.5, "n": 3}, "store": "x[2]"}),
    ),
    "warnings": Case(
        """Real x(start=1, fixed=true, min=-0.2); equation der(x) = -x + sin(time);
        assert(x < 0.6, "large " + String(x), AssertionLevel.warning);""",
        *(3.1, 10),
    ),
    "table": Case(
        """Modelica.Blocks.Sources.CombiTimeTable t(table=[0, 0; 1, 1; 2, 0.5; 2, 3; 4, 0],
        extrapolation=Modelica.Blocks.Types.Extrapolation.Periodic); Real x(start=0, fixed=true);
        equation der(x) = t.y[1] - x;""",
        *(3.1, 10),
    ),
    "random numbers": Case(
        """Integer id; Real x(start=0, fixed=true); discrete Real r(start=0, fixed=true);
        import Modelica.Math.Random.Utilities.*;
        algorithm when initial() then id := initializeImpureRandom(42); end when;
        algorithm when sample(0, 0.1) then r := impureRandom(id); end when;
        equation der(x) = r - x;""",
        *(1.17, 3),
    ),
    "event log": Case(SWITCHED, 3.3, 20, {"event_log": True}),
    "qss2": Case(SWITCHED, 3.3, 20, {"solver": "qss2"}),
    "liqss2": Case(SWITCHED, 3.3, 20, {"solver": "liqss2"}),
    "quantized delay": Case(
        SWING + "equation der(x) = y; der(y) = -0.3*y - delay(x, 0.5) + (if time > 3.2 then 1 else 0);",
        *(3.3, 20, {"solver": "qss2"}),
    ),
    "quantized ball": Case(BALL, 1.5, 5, {"solver": "qss3"}),
    "quantized ball at rest": Case(BALL, 4.8, 5, {"solver": "qss3"}),
    "quantized ideal diodes": Case(FREEWHEELING, 0.03, 0.05, {"solver": "qss2"}),
}  # fmt: skip


def bits(result: Any) -> str:
    """Of all that a result tells but how long it took."""
    stats = {name: value for name, value in result.stats.items() if name != "seconds"}
    told = [str(d.message) for d in result.warnings], [str(event) for event in result.events]
    parts = (result.names(), told, stats, [str(impulse) for impulse in result.impulses])
    arrays = [np.ascontiguousarray(result.data), np.asarray(result.step_sizes)]
    return sha256(b"".join(a.tobytes() for a in arrays) + repr(parts).encode()).hexdigest()


CHILD = """
import json, sys
sys.path.insert(0, sys.argv[2])
from pathlib import Path
import freewheel as fw
from test_saved_runs import bits
found = {}
for image in sorted(Path(sys.argv[1]).glob("*.run")):
    model = fw.load_text(image.with_suffix(".mo").read_text())
    found[image.stem] = bits(fw.Run.restore(model, image).finish())
print(json.dumps(found))
"""


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """By name: bits of a run without a stop, of one that was paused and saved, and of the restored one."""
    folder = tmp_path_factory.mktemp("saved")
    found = {}
    for number, case in enumerate(CASES.values()):
        model = fw.load_text(case.text)
        run = model.begin(**case.arguments)
        at = run.advance(to=case.at)
        run.save(folder / f"{number:02}.run")
        (folder / f"{number:02}.mo").write_text(case.text)
        found[number] = [bits(model.simulate(**case.arguments)), bits(run.finish()), at]
    done = subprocess.run(
        [sys.executable, "-c", CHILD, str(folder), str(Path(__file__).parent)],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    restored = json.loads(done.stdout)
    return {name: (*found[number], restored[f"{number:02}"]) for number, name in enumerate(CASES)}


@pytest.mark.parametrize("name", CASES)
def test_paused_and_restored_elsewhere(runs, name):
    whole, paused, at, restored = runs[name]
    assert CASES[name].at <= at < CASES[name].stop or name.endswith("rest")
    assert paused == whole
    assert restored == whole


def test_each_step_may_be_the_last_before_a_stop():
    """Saved and restored again and again, at times that no step ends at."""
    model = fw.load_text(CASES["ball flying"].text)
    run = model.begin(stop=5)
    for at in np.linspace(0.0, 5.0, 41):
        run.advance(to=float(at))
        run, before = fw.Run.restore(model, run.save()), run
        before.close()
    assert bits(run.finish()) == bits(model.simulate(stop=5))


@pytest.mark.parametrize("name", ["delay", "ideal diodes after many modes", "qss2"])
def test_many_stops_change_nothing(name):
    case = CASES[name]
    model = fw.load_text(case.text)
    run = model.begin(**case.arguments)
    for at in np.linspace(0.0, case.stop, 301):
        run.advance(to=float(at))
    assert bits(run.finish()) == bits(model.simulate(**case.arguments))


def test_runs_of_one_model_beside_each_other():
    model = fw.load_text(CASES["sparse loop"].text)
    whole = bits(model.simulate(stop=3))
    with model.begin(stop=3) as first, model.begin(stop=3) as second:
        for at in (0.5, 1.0, 2.0):
            first.advance(to=at)
            second.advance(to=at + 0.3)
        third = fw.Run.restore(model, first.save())
        assert [bits(run.finish()) for run in (first, second, third)] == [whole] * 3


def test_functions_that_drive_inputs_are_given_again():
    model = fw.load_text(
        "model M input Real u; Real x(start=0, fixed=true); equation der(x) = u - x; end M;"
    )
    inputs = {"u": lambda t: t * t}
    run = model.begin(stop=2, inputs=inputs)
    run.advance(to=1)
    image = run.save()
    with refused("error[U131]: .* does not hold the function that drives `u`"):
        fw.Run.restore(model, image)
    assert bits(fw.Run.restore(model, image, inputs=inputs).finish()) == bits(run.finish())


def test_the_python_backend():
    text = CASES["ball flying"].text
    model = fw.load_text(text, backend="python")
    run = model.begin(stop=2)
    run.advance(to=0.8)
    image = run.save()
    assert bits(fw.Run.restore(model, image).finish()) == bits(run.finish())
    with refused("error[U131]: .* of another model"):
        fw.Run.restore(fw.load_text(text), image)


# ---------------------------------------------------------------- what cannot be


@pytest.fixture
def ball():
    return fw.load_text(CASES["ball flying"].text)


@pytest.fixture
def image(ball):
    with ball.begin(stop=2) as run:
        run.advance(to=1)
        return run.save()


def test_a_damaged_image_is_told(ball, image):
    steps = range(0, len(image), max(1, len(image) // 50))
    damaged = [image[:size] for size in steps]
    damaged += [image[:at] + bytes([image[at] ^ 4]) + image[at + 1 :] for at in steps]
    for data in (*damaged, b"", image + b"x", b"PK\x03\x04"):
        with refused("error[U130]: this is no image of a saved run"):
            fw.Run.restore(ball, data)


def test_contents_that_do_not_fit_are_told(ball, image):
    """With a checksum that is right."""
    from freewheel.runtime.saving.image import packed, unpacked

    def changed(change):
        tree = unpacked(image)
        change(tree)
        return packed(tree)

    def shorten(part, name):
        return lambda tree: tree["run"][part].update({name: tree["run"][part][name][:-1]})

    changes = [
        lambda tree: tree.pop("run"),
        lambda tree: tree["request"].pop("texts"),
        lambda tree: tree["request"].update(nonsense=1),
        lambda tree: tree["request"].update(random=[1, 2]),
        lambda tree: tree["run"].update(records=tree["run"]["records"][:4000]),
        lambda tree: tree["run"].update(records=b""),
        lambda tree: tree["run"].update(numbers=[1]),
        lambda tree: tree["run"]["engine"].update(matrices=[]),
        shorten("live", "memory"),
        shorten("engine", "sizes"),
        shorten("chatter", "recent"),
    ]
    for change in changes[:4]:
        with refused("error[U130]"):
            fw.Run.restore(ball, changed(change))
    for change in changes[4:]:
        with refused("error[U130]: .* do not fit the model"):
            fw.Run.restore(ball, changed(change))


def test_an_image_of_something_else_is_told(ball, image, monkeypatch):
    from freewheel.runtime.saving import saved_run

    other = CASES["ball flying"].text.replace("0.8*", "0.7*")
    with refused("error[U131]: .* of another model"):
        fw.Run.restore(fw.load_text(other), image)
    with refused("error[U131]: .* of another model, `M`"):
        fw.Run.restore(
            fw.load_text(other.replace("model M", "model N").replace("end M", "end N")), image
        )
    monkeypatch.setattr(saved_run, "FORMAT", saved_run.FORMAT + 1)
    with refused("error[U131]: .* of another version of Freewheel"):
        fw.Run.restore(ball, image)


def test_other_settings_are_told(ball, image):
    from freewheel.runtime.saving.image import packed, unpacked

    tree = unpacked(image)
    tree["request"]["stop"] = 3.0
    with refused("error[U131]: .* other settings: `stop`"):
        fw.Run.restore(ball, packed(tree))


@pytest.mark.parametrize("solver", ["cvode", "ida"])
def test_libraries_cannot_be_saved(ball, solver):
    with ball.begin(stop=2, solver=solver) as run:
        run.advance(to=0.2)
        with refused(f"error[U132]: a run with {solver} cannot be saved") as told:
            run.save()
        assert "`dopri5`, or `radau` or `rodas4`" in str(told.value)
        assert bits(run.finish()) == bits(ball.simulate(stop=2, solver=solver))


def test_a_run_that_is_over(ball):
    run = ball.begin(stop=2)
    run.finish()
    assert run.is_over
    for use in (run.finish, run.save, lambda: run.advance(to=1), lambda: run.time):
        with refused("error[U133]: the run is over"):
            use()


def test_a_failure_ends_the_run_with_what_there_is():
    model = fw.load_text("model M Real x(start=1, fixed=true); equation der(x) = x*x; end M;")
    run = model.begin(stop=2)
    run.advance(to=0.5)
    with pytest.raises(fw.SimulationError) as told:
        run.finish()
    assert told.value.result.time[-1] > 0.9
    assert run.is_over


def test_wrong_calls(ball, tmp_path):
    with pytest.raises(TypeError, match=r"begin\(\) has no argument `tolerance`: use `tol=`"):
        ball.begin(tolerance=1e-3)
    with ball.begin(stop=2) as run:
        with pytest.raises(TypeError, match="`to` must be a time"):
            run.advance(to=float("nan"))
        with pytest.raises(fw.UsageError, match="no-folder"):
            run.save(tmp_path / "no-folder" / "a.run")
    with refused("error[U130]: the saved run .* cannot be read"):
        fw.Run.restore(ball, tmp_path / "nothing.run")


def test_permissions_are_no_part_of_an_image(ball):
    from freewheel.runtime.saving.image import unpacked

    with ball.begin(stop=2, allow=["files"]) as run:
        assert "allow" not in unpacked(run.save())["request"]
