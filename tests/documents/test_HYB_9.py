"""HYB-9: event code in exports, in the words of document 000: QRel, QM, QZp, QZn; SCHEDULE; DSblock."""

import re

import pytest
from acsl_checker import Acsl
from hybrid_integrator import integrate

import freewheel as fw
from freewheel.export import export_model

LIMITER = """
model LimiterTest
  parameter Real HighLimit = 1.0, LowLimit = -1.0;
  Real x, z(start = 0, fixed = true);
  output Real y;
equation
  x = 2*sin(time);
  y = if x > HighLimit then HighLimit else if x < LowLimit then LowLimit else x;
  der(z) = y;
  annotation(experiment(StopTime = 10, Interval = 0.1));
end LimiterTest;
"""


@pytest.fixture
def limiter(tmp_path):
    path = tmp_path / "limiter.mo"
    path.write_text(LIMITER)
    return fw.load(path)


def program(model):
    (text,) = export_model(model, "acsl").values()
    return text


def statement(text):
    return re.sub(r"\s+", " ", text)


def test_HYB_9_a_limiter_is_an_if_statement_on_what_changes_at_events_only(limiter):
    text = statement(program(limiter))

    assert (
        "IF (QM(1) .GT. 0.0) THEN y = HighLimit ELSE IF (QM(2) .LT. 0.0) THEN y = LowLimit ELSE y = x END IF"
        in text
    )


def test_HYB_9_each_relation_has_a_residual_and_two_crossing_functions_that_are_scheduled(limiter):
    text = program(limiter)
    derivative = text[text.index("DERIVATIVE") : text.index("END ! of DERIVATIVE")]

    for line in (
        "QRel(1) = x - HighLimit",
        "QRel(2) = x - LowLimit",
        "QZp(1) = QRel(1) - Qp(1)",
        "QZn(1) = QRel(1) - Qn(1)",
        "SCHEDULE Event .XZ. QZp(1)",
        "SCHEDULE Event .XZ. QZn(1)",
        "SCHEDULE Event .XZ. QZp(2)",
        "SCHEDULE Event .XZ. QZn(2)",
    ):
        assert f" {line}\n" in derivative


def test_HYB_9_statuses_change_in_the_discrete_section_only(limiter):
    text = program(limiter)
    derivative = text[text.index("DERIVATIVE") : text.index("END ! of DERIVATIVE")]
    event = text[text.index("DISCRETE Event") : text.index("END ! of DISCRETE Event")]

    assert not re.search(r"QM\(\d\) =", derivative)
    assert "CALL HandleEvent(QRel(1), QM(1), " in event
    subroutine = text[text.index("SUBROUTINE HandleEvent") :]
    assert re.findall(r"status = (\S+)", subroutine) == ["1.0", "-1.0", "0.0"]


def test_HYB_9_an_exact_zero_stands_between_its_crossing_functions(limiter):
    event = program(limiter)
    event = statement(event[event.index("DISCRETE Event") :])

    zero = "IF (QRel(1) .EQ. 0.0) THEN Qp(1) = -1.0E-38 Qn(1) = 1.0E-38 ELSE "
    zero += "Qp(1) = -QBand(1) Qn(1) = QBand(1)"
    assert zero in re.sub(r"! .*? > HighLimit ", "", event)


def test_HYB_9_the_scheduled_events_are_at_the_limits(limiter):
    """2*sin(t) meets 1 at pi/6 and 5*pi/6, -1 at 7*pi/6 and 11*pi/6, and so on."""
    found = []

    class Watched(Acsl):
        def event(self, t, y):
            found.append(t)
            return super().event(t, y)

    integrate(Watched(program(limiter)), 10.0, 0.1)
    third = 3.141592653589793 / 6
    exact = [k * third for k in (1, 5, 7, 11, 13, 17, 19)]

    assert [t for t in found if t > 1e-9] == pytest.approx(exact, abs=1e-7)


def test_HYB_9_sampled_controllers_schedule_their_next_tick(tmp_path):
    path = tmp_path / "sampled.mo"
    path.write_text(
        "model Sampled Real u(start = 0, fixed = true); discrete Real x(start = 0, fixed = true);"
        " equation der(u) = 1 - x; when sample(0, 0.1) then x = 0.5*pre(x) + u; end when; end Sampled;"
    )
    text = program(fw.load(path))

    assert "SCHEDULE Event .AT. StartTime" in text
    assert "SCHEDULE Event .AT. next_time_event" in text


@pytest.mark.parametrize("kind", ["dsblock-c", "dsblock-f77"])
def test_HYB_9_a_dsblock_reports_crossing_functions_and_handles_events(limiter, kind):
    (text,) = export_model(limiter, kind).values()

    assert "qzp" in text.lower()
    assert "qzn" in text.lower()
    demands = {int(n) for n in re.findall(r"(?:demand ==|IDEMND .EQ.) (\d)", text)}
    assert demands == {0, 1, 2, 3, 4, 5}
