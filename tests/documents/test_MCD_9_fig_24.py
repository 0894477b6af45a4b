"""MCD-9: Fig. 23 gives Fig. 24, and Fig. 24 is read back with its own names."""

from pathlib import Path

import pytest

from freewheel.base.diagnostics import CompileError
from freewheel.base.source import Source
from freewheel.devs import simulate
from freewheel.devs.cdpp.ma_build import build
from freewheel.devs.cdpp.ma_read import read_ma
from freewheel.devs.qbg.classes import QBG_CLASSES
from freewheel.devs.qbg.compiled import simulate_compiled
from freewheel.tools.cli import execute

FIG_23 = str(Path(__file__).parents[2] / "examples" / "mcd_fig23.mo")

# As printed, with [top] added, the two class names spelled right, and an output.
FIG_24 = """\
[top]
components : $SJ1@QBGSerialJunction R1@QBGResistanceEffortIn V@QBGSourceEffort_Sine
out : V
link : f2p@$SJ1 f1n@V link : e1n@V e2p@$SJ1
link : e1n@$SJ1 e1p@R1 link : f1p@R1 f1n@$SJ1
link : e1n@V V

[R1] R : {R}

[V]
quantum : 0.1 hystWindow : 0.01
signal : Sine startTime : 000
amplitude : 015 wavefreq : 20
"""


def from_text(text):
    return build(read_ma(Source.from_text(text, "m.ma")), QBG_CLASSES)


def test_MCD_9_fig_23_gives_fig_24(tmp_path):
    """The same components, links and parameters; only 10000 for 10 ohms is a slip of the figure."""
    place = tmp_path / "fig24.ma"
    words = ["--quantum", "0.1", "--window", "0.01", "--ma", str(place)]

    assert execute(["devs", FIG_23, *words]) == 0

    text = place.read_text()
    written, printed = (read_ma(Source.from_text(t)) for t in (text, FIG_24.format(R=10)))
    (made,), (shown,) = written.coupled.values(), printed.coupled.values()
    assert made.components == shown.components
    assert set(made.links) == set(shown.links)
    numbers = [
        {(name, key): as_number(v.text) for name, vs in file.parameters.items() for key, v in vs.items()}
        for file in (written, printed)
    ]  # fmt: skip
    assert numbers[0] == numbers[1]
    assert "$SJ1@QBGSerialJunction R1@QBGResistanceEffortIn V@QBGSourceEffort_Sine" in text
    for line in ("hystWindow : 0.01", "startTime : 0", "signal : Sine", "wavefreq : 20", "R : 10"):
        assert line in text.splitlines()


def as_number(text):
    try:
        return float(text)
    except ValueError:
        return text


@pytest.mark.parametrize("resistance", [10, 10000])
def test_MCD_9_fig_24_is_read_with_its_own_names(resistance, tmp_path, capsys):
    """Wavefreq is the period in milliseconds: 50 periods a second. R1's current is V over R."""
    text = FIG_24.format(R=resistance)
    model = from_text(text)
    place = tmp_path / "fig24.ma"
    place.write_text(text, encoding="utf-8")

    assert execute(["devs", str(place), "--stop", "0.1"]) == 0
    assert "3 components, 5 links" in capsys.readouterr().out
    signal = model.components["v"].signal
    assert dict(signal.parameters)["frequency"] == 50.0
    steps = simulate_compiled(model, 0.1, record=["r1.f1p"])
    assert max(steps.of("v")[1]) == pytest.approx(15.0)
    assert max(steps.of("r1.f1p")[1]) == pytest.approx(15.0 / resistance)


def test_MCD_9_what_a_source_is_told_changes_nothing():
    """Fig. 24 couples the current to the source, section 4 of the paper does not."""
    told = from_text(FIG_24.format(R=10))
    untold = from_text(FIG_24.format(R=10).replace("link : f2p@$SJ1 f1n@V", ""))

    events = simulate(told, 0.1, coordinator="classic").at("v")

    assert [v for _, v in events] == [
        v for _, v in simulate(untold, 0.1, coordinator="classic").at("v")
    ]
    assert tuple(simulate_compiled(told, 0.1).outputs()) == (
        simulate(told, 0.1, coordinator="classic").outputs
    )


ONE = "[top]\ncomponents : x@{0}\nout : o\nlink : {1}@x o\n[x]\n{2}\n"
SAME = {  # class, output, parameters of the paper or of Modelica, those of our own
    "sine V": (
        "QBGSourceEffort_Sine", "e1n",
        "quantum:0.1 V:15 freqHz:50", "quantum:0.1 amplitude:15 frequency:50",
    ),
    "sine I": (
        "QBGSourceFlow_Sine", "f1n",
        "quantum:0.1 I:15 omega:6.283185307179586", "quantum:0.1 amplitude:15",
    ),
    "late sine": (
        "QBGSourceEffort_Sine", "e1n",
        "quantum:0.1 amplitude:2 wavefreq:20 startTime:500", "quantum:0.1 amplitude:2 f:50 startTime:0.5",
    ),
    "constant": ("QBGSourceEffort_Constant", "e1n", "V:3", "k:3"),
    "constant amplitude": ("QBGSourceFlow_Constant", "f1n", "amplitude:3", "k:3"),
    "step": ("QBGSourceFlow_Step", "f1n", "I:3 startTime:1 offset:2", "height:3 startTime:1 offset:2"),
    "pulse": (
        "QBGSourceEffort_Pulse", "e1n",
        "V:200 period:1 width:10", "amplitude:200 period:1 width:10",
    ),
    "exponential": ("QBGSourceEffort_Exponential", "e1n", "quantum:1 V:5", "quantum:1 outMax:5"),
    "inductor": ("QBGInductorEffortIn", "f1p", "L:3 quantum:1", "I:3 quantum:1"),
    "conductor": ("QBGResistanceEffortIn", "f1p", "G:0.25", "R:4"),
    "transformer": ("QBGTransformer", "e2n", "n:4", "r:4"),
    "gyrator": ("QBGGyratorFlowIn", "e2n", "G:0.25", "mu:4"),
}  # fmt: skip


@pytest.mark.parametrize("name", SAME)
def test_MCD_9_parameters_have_the_names_of_the_paper_and_of_modelica(name):
    class_name, port, theirs, ours = SAME[name]
    models = [
        from_text(ONE.format(class_name, port, text.replace(":", " : "))) for text in (theirs, ours)
    ]

    described = [model.components["x"].description() for model in models]

    assert described[0] == described[1]


def test_MCD_9_a_number_said_twice_is_refused():
    text = ONE.format("QBGSourceEffort_Sine", "e1n", "quantum : 1 f : 50 wavefreq : 20")

    with pytest.raises(CompileError) as failure:
        from_text(text)

    (told,) = failure.value.diagnostics
    assert (told.code, told.message) == ("N085", "`wavefreq` of `x`: `f` gives the same")
