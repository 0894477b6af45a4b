"""Texts that change: in messages they are right, elsewhere they are refused with their place."""

from __future__ import annotations

import pytest

import freewheel as fw
from freewheel.base.diagnostics import CompileError

MESSAGE = """
model Message
  Integer n(start = 0, fixed = true);
  String s = "n is " + String(n);
  String t = s + "!";
equation
  when sample(0.5, 0.5) then
    n = pre(n) + 1;
  end when;
  assert(n < 2, "too many: " + t, AssertionLevel.warning);
end Message;
"""


@pytest.fixture(params=["llvm", "python"])
def load(request, tmp_path):
    def write(text: str) -> fw.Model:
        path = tmp_path / "m.mo"
        path.write_text(text)
        return fw.load(path, backend=request.param)

    return write


def test_a_message_holds_the_text_of_its_instant(load):
    result = load(MESSAGE).simulate(stop=1.0)
    assert [w.message for w in result.warnings if w.code == "R121"] == ["too many: n is 2!"]


@pytest.mark.parametrize(
    "body",
    [
        'String s(start = "a"); equation when time > 0.5 then s = "b"; end when;',
        'String s, t; equation s = t + "a"; t = s + "b";',
        'Integer n = integer(time); Boolean b = String(n) == "1"; equation',
    ],
)
def test_a_text_that_is_remembered_or_decides_is_refused(load, body):
    with pytest.raises(CompileError) as caught:
        load(f"model M {body} end M;").simulate()
    assert caught.value.diagnostics[0].code == "E074"
    assert caught.value.diagnostics[0].labels


def test_a_text_of_what_the_run_finds_out_is_refused(load):
    text = """model M
      parameter Real q(fixed=false);
      parameter String s = String(q);
    initial equation q = 2;
    equation assert(time < 2, s); end M;"""
    with pytest.raises(CompileError) as caught:
        load(text).simulate()
    assert caught.value.diagnostics[0].code == "E074"


def test_a_text_that_cannot_be_computed_says_why(load):
    text = 'model M parameter String s = Modelica.Utilities.Files.loadResource("modelica://No/t"); end M;'
    with pytest.raises(CompileError, match="there is no package `No`") as caught:
        load(text).simulate()
    assert caught.value.diagnostics[0].labels[-1].text == "for this text"
