"""Unknowns and equations are counted in scalars; a class that loses the balance is named."""

from __future__ import annotations

import pytest

from freewheel.base.diagnostics import CompileError
from freewheel.base.names import name_of
from freewheel.base.source import Source
from freewheel.flat.balance import Counts, count
from freewheel.flat.flatten import flatten
from freewheel.flat.local_balance import explained
from freewheel.instance.instantiate import instantiate
from freewheel.instance.library import Library

COUNTED = {
    "Real x; equation x = 1;": (1, 1),
    "Real x = 1; Real y;": (2, 1),
    "parameter Real p; constant Real c = 1; Real x = p + c;": (1, 1),
    "Real x[3] = {1, 2, time};": (3, 3),
    "Real A[2, 3] = zeros(2, 3);": (6, 6),
    "Real x[0]; Real y = 1;": (1, 1),
    "input Real u; output Real y = u;": (1, 1),
    "Real x[4]; equation for i in 1:4 loop x[i] = i; end for;": (4, 4),
    "Real x[3]; Integer n = 1; equation x[1:2] = {1, 2}; x[3] = 0;": (4, 4),
    "Real x; equation if time > 1 then x = 1; else x = 2; end if;": (1, 1),
    'Real x(start = 0); equation if time > 1 then assert(x < 1, ""); end if; der(x) = 1;': (1, 1),
    "discrete Real x; equation when time > 1 then x = 1; elsewhen time > 2 then x = 2; end when;": (
        1,
        1,
    ),
    "Real x(start = 0); equation der(x) = 1; when x > 1 then reinit(x, 0); end when;": (1, 1),
    "Real x[2]; algorithm x[1] := 1; if time > 1 then x[2] := x[1]; end if;": (2, 2),
    "Real x; Real y; algorithm x := 1; x := 2; while x < 3 loop y := x; end while;": (2, 2),
    'Boolean b = time > 1; Integer k = if b then 1 else 2; String s = "a";': (3, 3),
}


def model(text: str, name: str = "M"):
    library = Library([], use_modelicapath=False)
    library.add_file(Source.from_text(text, "test.mo"))
    return instantiate(library, name_of(name))


@pytest.mark.parametrize("text", COUNTED)
def test_scalars_are_counted(text):
    assert count(flatten(model(f"model M {text} end M;"))) == Counts(*COUNTED[text])


def test_results_of_a_call_count_as_far_as_they_are_asked_for():
    text = """
        record R Real a; Real b[2]; end R;
        function f input Real u; output R r = R(u, {u, u}); output Real x = u; output Real y = u; end f;
        model M
          R r;
          Real y;
        equation
          (r, , y) = f(time);
        end M;
        """
    assert count(flatten(model(text))) == Counts(4, 4)


def test_slices_in_loops_are_counted_turn_by_turn():
    text = "model M Real x[6]; equation for i in 1:3 loop x[sum(0:i-1)+1:sum(0:i)] = ones(i); end for; end M;"

    assert count(flatten(model(text))) == Counts(6, 6)


def test_external_objects_are_no_unknowns():
    text = """
        class T
          extends ExternalObject;
          function constructor output T t; external "C" t = make(); end constructor;
          function destructor input T t; external "C" drop(t); end destructor;
        end T;
        model M T t = T(); Real x = 1; end M;
        """
    assert count(flatten(model(text))) == Counts(1, 1)


PARTS = """
connector Pin Real v; flow Real i; end Pin;
connector In = input Real;
connector Out = output Real;
model Good Pin p; Pin n; equation p.v - n.v = p.i; p.i + n.i = 0; end Good;
model Short Pin p; Pin n; equation p.i + n.i = 0; end Short;
model Long Pin p; Pin n; equation p.v = n.v; p.v = p.i; p.i + n.i = 0; end Long;
model Ground Pin p; equation p.v = 0; end Ground;
block Gain In u; Out y; equation y = 2*u; end Gain;
block Lost In u; Out y; protected Real x; equation y = 2*u; end Lost;
"""


def findings(text: str) -> list[str]:
    instance = model(PARTS + text)
    failure = explained(CompileError(), instance, flatten(instance))
    return [
        f"{d.code} {d.labels[0].span.line}:{d.labels[0].span.column} {d.message}"
        for d in failure.diagnostics
    ]


CIRCUIT = """
model M Good a; {} b; Ground g;
equation connect(a.n, b.p); connect(b.n, g.p); connect(a.p, g.p);
end M;
"""


def test_a_class_with_too_few_equations_is_named():
    assert findings(CIRCUIT.format("Short")) == [
        "F040 6:7 class `Short` has 3 equations for 4 unknowns"
    ]


def test_a_class_with_too_many_equations_is_named():
    assert findings(CIRCUIT.format("Long")) == [
        "F040 7:7 class `Long` has 5 equations for 4 unknowns"
    ]


def test_a_class_is_blamed_once():
    assert findings("model M Lost a[3](u = {1, 2, 3}); end M;") == [
        "F040 10:7 class `Lost` has 2 equations for 3 unknowns"
    ]


def test_the_model_itself_is_left_to_the_structure_room():
    assert findings("model M Gain g; Real z; equation g.u = 1; end M;") == []


def test_a_balanced_model_has_no_such_finding():
    assert findings(CIRCUIT.format("Good")) == []
