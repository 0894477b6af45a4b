"""Times, event files and logs: read and written, and refused with the line."""

import math

import pytest

from freewheel.base.diagnostics import CompileError
from freewheel.base.source import Source
from freewheel.devs.cdpp.clock import read_time, show_time
from freewheel.devs.cdpp.event_files import read_events, write_events
from freewheel.devs.cdpp.log import read_log, write_log
from freewheel.devs.cdpp.message_nodes import Message, Party


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0.0, "00:00:00:000"),
        (3723.5, "01:02:03:500"),
        (0.0015, "00:00:00:001.5"),
        (360000.25, "100:00:00:250"),
        (math.inf, "..."),
    ],
)
def test_times_are_hours_minutes_seconds_and_milliseconds(seconds, text):
    assert show_time(seconds) == text
    assert read_time(text) == seconds


@pytest.mark.parametrize("seconds", [0.1, 1 / 3, 1e-9, 12345.678901234567, 1e-300, 59.9999999999])
def test_no_digit_of_a_time_is_lost(seconds):
    assert read_time(show_time(seconds)) == seconds


@pytest.mark.parametrize("text", ["", "1", "00:00:00", "aa:00:00:000", "00:00:00:-1"])
def test_what_is_no_time_is_none(text):
    assert read_time(text) is None


def test_events_are_read_and_written():
    text = "00:00:01:000 In 2.5\n\n% a comment\n00:01:00:500 in -1 % another\n"

    events = read_events(Source.from_text(text))

    assert events == ((1.0, "in", 2.5), (60.5, "in", -1.0))
    assert read_events(Source.from_text(write_events(events))) == events


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("00:00:01:000 in", "this line is not of the form `time port value`"),
        ("soon in 1", "this line is not of the form `time port value`"),
        ("00:00:01:000 in one", "`one` is no number"),
    ],
)
def test_a_malformed_event_is_told_with_its_line(line, message):
    with pytest.raises(CompileError) as failure:
        read_events(Source.from_text(f"00:00:00:000 in 1\n{line}\n", "x.ev"))

    (told,) = failure.value.diagnostics
    assert (told.code, told.message, told.labels[0].span.line) == ("S037", message, 2)


ROOT, TOP, A = Party("Root", 0), Party("top", 1), Party("a", 12)
MESSAGES = (
    Message("I", 0.0, ROOT, TOP),
    Message("@", 0.25, TOP, A),
    Message("Y", 0.25, A, TOP, "out", 1.5),
    Message("X", 0.25, TOP, A, "in", -2.0),
    Message("D", 0.25, A, TOP, next_time=math.inf),
    Message("D", 0.0001, A, TOP, next_time=3.0),
)


@pytest.mark.parametrize("parallel", [False, True])
def test_logs_are_read_as_they_were_written(parallel):
    text = write_log(MESSAGES, parallel)

    assert read_log(Source.from_text(f"a heading\n\n{text}")) == MESSAGES


@pytest.mark.parametrize(
    "line",
    [
        "Mensaje Y / 00:00:00:000 / a(02) / out para top(01)",
        "Mensaje D / 00:00:00:000 / a(02) / soon para top(01)",
        "Mensaje X / now / a(02) / in / 1 para top(01)",
        "Mensaje I / 00:00:00:000 / a para top(01)",
        "Mensaje Q",
        "0 / L / Y / 00:00:00:000:0 / a(02) / out / top(01)",
    ],
)
def test_a_malformed_message_is_told_with_its_line(line):
    with pytest.raises(CompileError) as failure:
        read_log(Source.from_text(f"{write_log(MESSAGES)}{line}\n"))

    (told,) = failure.value.diagnostics
    assert (told.code, told.labels[0].span.line) == ("S038", 7)
