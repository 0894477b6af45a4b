"""`String(...)` of every type, with every option: the same in all backends."""

from __future__ import annotations

import pytest

import freewheel as fw
from freewheel.base.diagnostics import CompileError
from freewheel.formula.string_format import enumeration_kind, string_of

MODE = enumeration_kind(["Idle", "'two words, quoted'"])


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ((1.0 / 3.0, "Real"), "0.333333"),
        ((12345678.0, "Real"), "1.23457e+07"),
        ((12345678.0, "Integer"), "12345678"),
        ((1.0, "Boolean"), "true"),
        ((0.0, "Boolean", 6, False, 6), " false"),
        ((2.0, MODE), "'two words, quoted'"),
        ((1.0, MODE, 6, True, 6), "Idle  "),
        ((3.14159, "Real", 8.0, 0.0, 3.0), "    3.14"),
        ((3.14159, "Real", "8.3f"), "   3.142"),
        ((255.0, "Integer", "x"), "ff"),
        ((2.5, "Real", "d"), "2"),
    ],
)
def test_numbers_of_the_memory_become_what_they_stand_for(arguments, text):
    assert string_of(*arguments) == text


def test_a_number_that_is_no_literal_is_refused():
    with pytest.raises(CompileError):
        string_of(3.0, MODE)


EXAMPLE = """
model Example
  type Mode = enumeration(Idle, Heating);
  parameter Mode p = Mode.Heating;
  parameter String s = String(p) "Its name";
  Mode m = if time > 0.5 then Mode.Heating else Mode.Idle;
  Integer n(start = 12345678, fixed = true);
  function describe
    input Mode m;
    input Boolean b;
    input Integer n;
    output String s;
  algorithm
    s := String(m, minimumLength = 8) + "|" + String(b) + "|" + String(n);
  end describe;
equation
  when time > 0.7 then
    n = pre(n) + 1;
    assert(false, s + " " + String(m) + " " + String(time > 0.5) + " " + String(n) + " "
      + String(time, significantDigits = 2, minimumLength = 6, leftJustified = false) + " "
      + String(time, format = ".1f") + " " + describe(m, n > 3, n), AssertionLevel.warning);
  end when;
end Example;
"""


@pytest.mark.parametrize("backend", ["llvm", "python"])
def test_both_backends_write_the_same(backend):
    result = fw.load_text(EXAMPLE, backend=backend).simulate()

    told = [w.message for w in result.warnings if w.code == "R121"]
    assert told == ["Heating Heating true 12345679    0.7 0.7 Heating |true|12345679"]


def test_a_text_parameter_is_in_the_result():
    model = fw.load_text(EXAMPLE)

    assert model.simulate().texts == {"s": "Heating"}
    assert model.simulate(params={"p": "Idle"}).final("s") == "Idle"


@pytest.mark.parametrize(
    ("call", "words"),
    [
        ("String(1.5, digits = 3)", "significantDigits"),
        ('String(true, format = "d")', "no option `format`"),
        ("String({1, 2})", "converts scalars"),
    ],
)
def test_a_wrong_option_is_told(call, words):
    with pytest.raises(CompileError) as caught:
        fw.load_text(f"model M parameter String s = {call}; end M;").check()

    assert caught.value.diagnostics[0].code == "N060"
    assert words in str(caught.value)


@pytest.mark.parametrize("kind", ["c", "python"])
def test_a_text_decides_in_exported_models_too(kind):
    model = fw.load_text(
        "model M type T = enumeration(a, b); parameter T p = T.b; parameter String s = String(p); "
        'Real x(start = 1, fixed = true); equation der(x) = if s == "b" then -2*x else x; end M;'
    )

    (text,) = model.export(kind).values()

    assert "2.0" in text
    assert "String" not in text
