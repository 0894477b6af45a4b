"""MCD-6: coupled models in files of CD++, written and read (Fig. 24), and logs in its form."""

import pytest
from quantized_circuits import FIG_8, FIG_23, FIG_29

from freewheel.base.diagnostics import CompileError
from freewheel.base.source import Source
from freewheel.devs import simulate
from freewheel.devs.cdpp.event_files import read_events, write_events
from freewheel.devs.cdpp.log import read_log, write_log
from freewheel.devs.cdpp.ma_build import as_ma, build
from freewheel.devs.cdpp.ma_read import read_ma
from freewheel.devs.cdpp.ma_write import write_ma
from freewheel.devs.messages import simulate_messages
from freewheel.devs.qbg.classes import QBG_CLASSES
from freewheel.devs.qbg.generate import Quanta, generate
from freewheel.devs.qbg.quantizer import Quantizer

PAPER = """\
components : $SJ1@QBGSerailJunction R1@QBGResistanceEffortIn V@QBGSorceEffort_Sine
link : f2p@$SJ1 f1n@V
link : e1n@V e2p@$SJ1
link : e1n@$SJ1 e1p@R1
link : f1p@R1 f1n@$SJ1

[R1]
R : 10000

[V]
quantum : 0.1
hystWindow : 0.01
signal : Sine
startTime : 000
amplitude : 015
wavefreq : 20
"""

# With [top], right names, 10 Ohm, 50 Hz, and no flow into the effort source.
CORRECTED = """\
[top]
components : $SJ1@QBGSerialJunction R1@QBGResistanceEffortIn V@QBGSourceEffort_Sine
out : v
link : e1n@V e2p@$SJ1
link : e1n@$SJ1 e1p@R1
link : f1p@R1 f1n@$SJ1
link : e1n@V v
[R1]
R : 10
[V]
signal : Sine   % volts
amplitude : 015
frequency : 50
startTime : 000
quantum : 0.1
hystWindow : 0.01
"""


def from_text(text):
    return build(read_ma(Source.from_text(text, "m.ma")), QBG_CLASSES)


def test_MCD_6_fig_24_is_generated_but_for_the_errors_of_the_paper():
    model = generate(FIG_23, Quanta(Quantizer(quantum=0.1, window=0.01)))

    written = as_ma(model)

    assert written.coupled == read_ma(Source.from_text(CORRECTED)).coupled
    assert {key: value.text for key, value in written.parameters["r1"].items()} == {"r": "10"}
    assert simulate(model, 0.1, coordinator="classic").at("V") == (
        simulate(from_text(CORRECTED), 0.1, coordinator="classic").at("v")
    )


def test_MCD_6_fig_24_as_printed_is_refused_with_the_line():
    with pytest.raises(CompileError) as failure:
        from_text(PAPER)
    assert failure.value.diagnostics[0].message == "`components` stands before the first section"

    with pytest.raises(CompileError) as failure:
        from_text("[top]\n" + PAPER)
    (told,) = failure.value.diagnostics
    assert told.message == "there is no class `qbgserailjunction`"
    assert told.labels[0].span.line == 2


@pytest.mark.parametrize("graph", [FIG_8, FIG_23, FIG_29], ids=["8", "23", "29"])
def test_MCD_6_a_file_read_back_runs_the_same(graph):
    model = generate(graph, Quanta(Quantizer(quantum=0.05, window=0.02)))
    file = as_ma(model)

    text = write_ma(file)
    again = read_ma(Source.from_text(text))

    assert again == file
    assert write_ma(again) == text
    before = simulate(model, 0.5, coordinator="classic").outputs
    after = simulate(build(again, QBG_CLASSES), 0.5, coordinator="classic").outputs
    assert after == tuple((time, port.lower(), value) for time, port, value in before)


@pytest.mark.parametrize("coordinator", ["classic", "parallel"])
def test_MCD_6_the_log_tells_every_message_and_can_be_read_back(coordinator):
    model = generate(FIG_8, Quanta(Quantizer(0.01, 0.01)))
    log = []

    passed = simulate_messages(model, 1.0, coordinator=coordinator, log=log.append)
    text = write_log(log, parallel=coordinator == "parallel")

    assert passed.outputs == simulate(model, 1.0, coordinator=coordinator).outputs
    assert list(read_log(Source.from_text(text))) == log


def test_MCD_6_the_log_has_the_form_of_cdpp():
    log = []
    simulate_messages(from_text(CORRECTED), 0.0, log=log.append)

    classic = write_log(log).splitlines()
    assert classic[:3] == [
        "Mensaje I / 00:00:00:000 / Root(00) para top(01)",
        "Mensaje I / 00:00:00:000 / top(01) para $sj1(02)",
        "Mensaje I / 00:00:00:000 / top(01) para r1(03)",
    ]
    assert "Mensaje D / 00:00:00:000 / $sj1(02) / ... para top(01)" in classic
    assert "Mensaje Y / 00:00:00:000 / v(04) / e1n / 0.0 para top(01)" in classic
    assert "Mensaje X / 00:00:00:000 / top(01) / e2p / 0.0 para $sj1(02)" in classic
    parallel = write_log(log, parallel=True).splitlines()
    assert "0 / L / Y / 00:00:00:000:0 / v(04) / e1n / 0.0 / top(01)" in parallel


def test_MCD_6_outputs_and_events_are_lines_of_time_port_value():
    outputs = simulate(from_text(CORRECTED), 0.001, coordinator="classic").outputs

    text = write_events(outputs)

    assert text.splitlines()[0] == "00:00:00:000 v 0.0"
    assert read_events(Source.from_text(text)) == outputs
