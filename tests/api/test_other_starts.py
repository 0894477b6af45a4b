"""Start values that are assumed and leave the start without a solution: others are tried."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pytest

import freewheel as fw
from freewheel.api.stored import STORED

ANGLE = 0.5
AT_REST = 3 ** (1 / 3)
STATES = {
    "x": "x(start=1)",
    "v": "v(start=0, fixed=true)",
    "phi": f"phi(start={ANGLE})",
    "a": "a(start=0, fixed=true)",
}
MOTION = "der(x) = v; der(v) = a; der(phi) = 0.1;"
TURNED = {
    "there and back": "u = cos(phi)*f; w = -sin(phi)*f; a = cos(phi)*u - sin(phi)*w;",
    "as arrays": "{u, w} = {cos(phi), -sin(phi)}*f; a = {cos(phi), -sin(phi)}*{u, w};",
    "to be solved": "cos(phi)*u - sin(phi)*w = f; sin(phi)*u + cos(phi)*w = 0;"
    " a = cos(phi)*u - sin(phi)*w;",
}
LAST = ("v", "x", "a", "phi")
FIRST = ("phi", "a", "v", "x")


def body(
    force: str = "f = 3 - x^3",
    turned: str = "there and back",
    order: tuple[str, ...] = LAST,
    more: str = "",
    also: str = "",
) -> str:
    states = ", ".join(STATES[name] for name in order)
    equations = f"{MOTION} {TURNED[turned]} {force}; {also}"
    return f"model Body {more} Real {states}, f, u, w; equation {equations} end Body; "


def started(text: str, **chosen: object) -> fw.Result:
    return fw.load_text(text).simulate(stop=0.01, **chosen)


def of_assumptions(result: fw.Result) -> list[str]:
    return [remark.message for remark in result.remarks if remark.code == "E020"]


@pytest.mark.parametrize("count", [1, 10, 100])
@pytest.mark.parametrize("turned", TURNED)
def test_many_bodies_written_in_any_way(turned: str, count: int) -> None:
    for order in (LAST, FIRST):
        text = f"{body(turned=turned, order=order)} model M Body b[{count}]; end M;"
        result = started(text)

        for k in {1, count}:
            assert result[f"b[{k}].x"][0] == pytest.approx(AT_REST)
            assert result[f"b[{k}].phi"][0] == ANGLE
        (told,) = of_assumptions(result)
        assert "`b[1].phi`" in told
        assert ("no solution with others" in told) == (order == LAST)


def test_bodies_that_start_keep_their_choice_beside_one_that_does_not() -> None:
    good = body("f = 3 - x - 2*sin(phi)").replace("Body", "Good")
    result = started(f"{body()} {good} model M Good g; Body b; end M;")

    assert (result["g.x"][0], result["b.phi"][0]) == (1.0, ANGLE)
    assert result["g.phi"][0] == pytest.approx(np.pi / 2, abs=1e-3)
    assert result["b.x"][0] == pytest.approx(AT_REST)


@pytest.mark.parametrize(
    ("force", "x"),
    [
        (
            "f = 3 - x^3 + 0.3*sin(phi)",
            (3 + 0.3 * np.sin(ANGLE)) ** (1 / 3),
        ),  # regular, and too far
        ("f = if x > 1.2 then 3 - x^3 else 1.272 - 2*(x - 1.2)", AT_REST),
        ("f = if noEvent(x > 1.2) then 3 - x^3 else 1.272 - 2*(x - 1.2)", AT_REST),
        ("f = homotopy(3 - x^3, 3 - x)", AT_REST),
        ("f = 3 - x^3 + delay(v, 0.1)", AT_REST),
    ],
)
def test_forces_of_all_kinds(force: str, x: float) -> None:
    result = started(body(force))

    assert (result["x"][0], result["phi"][0]) == (pytest.approx(x), ANGLE)


def test_a_choice_that_starts_is_kept() -> None:
    """Also one that is singular at the start values."""
    steep = "model M Real x(start=0), y(start=3), z(start=0); initial equation z = 0;"
    result = started(f"{steep} equation der(x) = -x; der(y) = -y; z = x*(y^2 - 4); end M;")

    assert result["x"][0] == 0.0
    (told,) = of_assumptions(result)
    assert "no solution" not in told


def test_the_first_error_stands_and_names_the_other_choice() -> None:
    with pytest.raises(fw.SimulationError) as caught:
        started(body("f = 3 + x^2"))

    first = caught.value.diagnostics[0]
    assert first.code == "R124"
    assert first.help.endswith("the start values of `phi` instead of `x` lead to none either")


def test_without_another_choice_nothing_is_added() -> None:
    with pytest.raises(fw.SimulationError) as caught:
        started("model M Real x(start=1), y; equation der(x) = y; y^2 = -x; end M;")

    assert "instead" not in caught.value.diagnostics[0].help


def test_a_failure_after_the_start_is_that_of_the_run() -> None:
    late = 'assert(time < 0.005, "too late");'
    with pytest.raises(fw.SimulationError) as caught:
        started(body(also=late))

    assert "too late" in caught.value.diagnostics[0].message
    assert caught.value.result["x"][0] == pytest.approx(AT_REST)


def test_values_of_the_run_decide() -> None:
    """With c = 20 angles balance the force, with c = 0.001 they cannot."""
    model = fw.load_text(body("f = 3 - x^3 - c*sin(phi)", more="parameter Real c = 20;"))

    strong = model.simulate(stop=0.01)
    weak = model.simulate(stop=0.01, params={"c": 0.001})

    assert strong["x"][0] == 1.0
    assert weak["phi"][0] == ANGLE
    assert weak["x"][0] == pytest.approx((3 - 0.001 * np.sin(ANGLE)) ** (1 / 3))


def test_backends_agree() -> None:
    slow = fw.load_text(body(), backend="python").simulate(stop=0.01)

    assert slow["x"][0] == pytest.approx(AT_REST)
    assert slow["phi"][0] == ANGLE


def test_a_second_process_finds_both_choices(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FREEWHEEL_CACHE", str(tmp_path / "cache"))
    path = tmp_path / "Body.mo"
    path.write_text(body())
    first = fw.load(path).simulate(stop=0.01)
    again = fw.load(path)
    second = again.simulate(stop=0.01)

    assert of_assumptions(first) == of_assumptions(second)
    assert np.array_equal(first["x"], second["x"])
    other = fw.load(path).with_assumed(["phi"])
    assert STORED in other.upto("backend").seconds
    assert pickle.loads(pickle.dumps(other)).assumed == {"phi"}


def test_a_run_in_steps_starts_likewise_and_is_restored() -> None:
    model = fw.load_text(body())
    whole = model.simulate(stop=0.01)
    with model.begin(stop=0.01) as run:
        run.advance(to=0.005)
        image = run.save()
        stepped = run.finish()
    restored = fw.Run.restore(fw.load_text(body()), image).finish()

    for found in (stepped, restored):
        assert np.array_equal(found["x"], whole["x"])
        assert of_assumptions(found) == of_assumptions(whole)


def test_a_run_in_steps_fails_likewise() -> None:
    with pytest.raises(fw.SimulationError) as caught, fw.load_text(body("f = 3 + x^2")).begin():
        pass

    assert "`phi` instead of `x`" in caught.value.diagnostics[0].help
