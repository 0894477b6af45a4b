"""A flat model prints as Modelica that flattens to the same text again."""

from __future__ import annotations

import pytest

from freewheel.base.source import Source
from freewheel.flat.balance import count
from freewheel.flat.check import check
from freewheel.flat.flatten import flatten
from freewheel.flat.nodes import FlatModel
from freewheel.flat.show import show
from freewheel.instance.instantiate import instantiate
from freewheel.instance.library import Library

CIRCUIT = """
package P
  connector Pin
    Real v(unit = "V");
    flow Real i(unit = "A");
  end Pin;
  model R "resistor"
    Pin p;
    Pin n;
    parameter Real R(unit = "Ohm", min = 0) = 10 "say \\"ohm\\"";
  equation
    p.v - n.v = R*p.i;
    p.i + n.i = 0;
  end R;
  model Circuit "two in a row"
    R r[2](R = {1, 2});
    Pin ground;
  protected
    parameter Real U = 5;
  equation
    connect(r[1].n, r[2].p);
    connect(r[2].n, ground);
    ground.v = 0;
    r[1].p.v = U;
    annotation(experiment(StopTime = 2, Tolerance = 1e-6));
  end Circuit;
end P;
"""

CIRCUIT_TEXT = """\
model 'P.Circuit' "two in a row"
  Real 'r[1].p.v'(unit = "V");
  Real 'r[1].p.i'(unit = "A");
  Real 'r[1].n.v'(unit = "V");
  Real 'r[1].n.i'(unit = "A");
  parameter Real 'r[1].R'(unit = "Ohm", min = 0) = 1 "say \\"ohm\\"";
  Real 'r[2].p.v'(unit = "V");
  Real 'r[2].p.i'(unit = "A");
  Real 'r[2].n.v'(unit = "V");
  Real 'r[2].n.i'(unit = "A");
  parameter Real 'r[2].R'(unit = "Ohm", min = 0) = 2 "say \\"ohm\\"";
  Real 'ground.v'(unit = "V");
  Real 'ground.i'(unit = "A");
protected
  parameter Real U = 5;
equation
  'ground.v' = 0;
  'r[1].p.v' = U;
  'r[1].p.v' - 'r[1].n.v' = 'r[1].R'*'r[1].p.i';
  'r[1].p.i' + 'r[1].n.i' = 0;
  'r[2].p.v' - 'r[2].n.v' = 'r[2].R'*'r[2].p.i';
  'r[2].p.i' + 'r[2].n.i' = 0;
  'r[1].n.v' = 'r[2].p.v';
  'r[1].n.i' + 'r[2].p.i' = 0.0;
  'r[2].n.v' = 'ground.v';
  'r[2].n.i' - 'ground.i' = 0.0;
  'r[1].p.i' = 0.0;
  'ground.i' = 0.0;
  annotation(experiment(StopTime = 2.0, Tolerance = 1e-06));
end 'P.Circuit';
"""

MODELS = {
    "equations of all kinds": """
        model M
          parameter Integer n = 3;
          Real x[n](start = {1, 2, 3}, each nominal = 10);
          Real y(start = 1, fixed = true, stateSelect = StateSelect.prefer);
          Boolean b(start = false);
          discrete Real d;
          parameter Real p(fixed = false);
        initial equation
          p = 2*x[1];
          der(y) = 0;
        equation
          for i in 1:n loop
            x[i] = i*y;
          end for;
          if y > 1 and not b then
            der(y) = -y;
          elseif time > 3 then
            der(y) = 1;
          else
            der(y) = 0;
          end if;
          when {y > 2, sample(0, 0.1)} then
            d = pre(d) + 1;
            reinit(y, 1);
          elsewhen time > 5 then
            d = 0;
            terminate("enough");
          end when;
          b = edge(b) or change(b);
          assert(y < 10, "too much: " + String(y, significantDigits = 3), AssertionLevel.warning);
        end M;
        """,
    "algorithms": """
        model M
          Real x[4];
          Integer k;
          Real a;
          Real b;
          function two
            input Real u;
            output Real v;
            output Real w;
          algorithm
            v := u;
            w := 2*u;
          end two;
        initial algorithm
          k := 0;
        algorithm
          k := 1;
          x := fill(0.0, 4);
          while k < 4 loop
            x[k] := x[k] + time;
            k := k + 1;
            if x[1] > 3 then
              break;
            end if;
          end while;
          for i in 1:2, j in {3, 4} loop
            x[i] := x[j];
          end for;
          (a, b) := two(time);
          when time > 1 then
            k := 7;
          end when;
        end M;
        """,
    "functions and records": """
        package P
          record Pair
            Real a = 1;
            Real b[2];
          end Pair;
          partial function Law
            input Real u;
            output Real y;
          end Law;
          function square
            extends Law;
            input Real k = 1;
          algorithm
            y := k*u^2;
            annotation(Inline = true, derivative(noDerivative = k) = square_der);
          end square;
          function square_der
            input Real u;
            input Real k;
            input Real der_u;
            output Real y = 2*k*u*der_u;
          end square_der;
          function twice
            input Law f;
            input Real u;
            output Real y;
          algorithm
            y := f(f(u));
          end twice;
          function both
            input Pair p;
            input Real x[:];
            output Pair q;
            output Real s;
          protected
            Real t[size(x, 1)] = 2*x;
          algorithm
            q := Pair(p.a + 1, {t[1], p.b[end]});
            s := sum(v*v for v in t) + max({v for v in x});
            if s < 0 then
              return;
            end if;
          end both;
          model M
            Pair p(b = {time, 2});
            Pair q;
            Real s;
            Real z = twice(function square(k = 2), s);
            Real w;
          equation
            (q, s) = both(p, {1, 2, time});
            w = (both(p, {s})).a;
          end M;
        end P;
        """,
    "enumerations and arrays": """
        package P
          type Color = enumeration(red, green, blue);
          model M
            parameter Color c = Color.green;
            Color now(start = Color.red);
            Real weight[Color] = {1, 2, 3};
            Real m[2, 3] = [1, 2, 3; 4, 5, time];
            Real v[3] = m[2, :] - (transpose(m))[:, 1];
            Real t = weight[Integer(now)];
            Real none[0];
            Real rest[3];
            Integer k = Integer(now);
          equation
            now = if time > 1 then c else Color.blue;
            rest[1:0] = none;
            rest[:] = v;
          end M;
        end P;
        """,
    "quoted names": """
        model 'a.b' "strange \\\\ name"
          Real 'x.y' = 1;
          model Inner
            Real '(z)' = time;
          end Inner;
          Inner i;
        end 'a.b';
        """,
    "inputs and outputs": """
        block M
          input Real u[2];
          input Boolean on = true;
          output Real y = u[1] + (if on then u[2] else 0);
          final parameter Real k = 2;
          constant Real c = 3*4;
        end M;
        """,
    "clocks": """
        model M
          Clock c = Clock(1, 10);
          Real u = sin(time);
          Real s = sample(u, c);
          Real h = hold(z);
          Real z(start = 0);
        equation
          when Clock(c, "ExplicitEuler") then
            z = previous(z) + s*interval(s);
          end when;
        end M;
        """,
    "external objects": """
        package P
          class Table
            extends ExternalObject;
            function constructor
              input Real size;
              output Table table;
              external "C" table = openTable(size);
            end constructor;
            function destructor
              input Table table;
              external "C" closeTable(table);
            end destructor;
          end Table;
          impure function get
            input Table table;
            input Real u;
            output Real y;
            external "C" y = getTable(table, u);
          end get;
          model M
            parameter Table t = Table(3);
            Real y = get(t, time);
          end M;
        end P;
        """,
    "a variable called like a function": """
        package a
          function b
            input Real u;
            output Real y = 2*u;
          end b;
          model M
            model A
              Real b = .a.b(time);
            end A;
            A a;
          end M;
        end a;
        """,
    "operator records": """
        package P
          operator record C
            Real re;
            Real im;
            encapsulated operator '*'
              import P.C;
              function product
                input C a;
                input C b;
                output C c = C(a.re*b.re - a.im*b.im, a.re*b.im + a.im*b.re);
              end product;
            end '*';
          end C;
          model M
            C a(re = time, im = 1);
            C b = a*a*C(1, 2);
          end M;
        end P;
        """,
    "streams": """
        package P
          connector Port
            Real p;
            flow Real m;
            stream Real h;
          end Port;
          model Source
            Port port;
          equation
            port.p = 1;
            port.h = 5;
          end Source;
          model M
            Source a;
            Source b;
            Port c;
            Real mixed = inStream(c.h);
            Real actual = actualStream(a.port.h);
          equation
            connect(a.port, c);
            connect(b.port, c);
          end M;
        end P;
        """,
    "circuit": CIRCUIT,
}


def flattened(text: str) -> FlatModel:
    """The last model of a text."""
    library = Library([], use_modelicapath=False)
    (*_, last) = library.add_file(Source.from_text(text, "test.mo"))
    while last.tree.kind == "package":
        last = last.nested(last.nested_names()[-1])
    return flatten(instantiate(library, last.name))


def test_a_circuit_prints_like_this():
    assert show(flattened(CIRCUIT)) == CIRCUIT_TEXT


@pytest.mark.parametrize("name", MODELS)
def test_the_text_of_the_text_is_the_text(name):
    text = show(flattened(MODELS[name]))

    assert show(flattened(text)) == text


@pytest.mark.parametrize("name", MODELS)
def test_what_is_flattened_keeps_the_promises(name):
    model = flattened(MODELS[name])

    check(model)
    check(flattened(show(model)))
    assert count(model) == count(flattened(show(model)))


def test_only_what_is_reached_is_printed():
    text = show(
        flattened(
            """
            package P
              function for_the_size
                output Integer n = 3;
              end for_the_size;
              type Unused = enumeration(a, b);
              model M
                Real x[for_the_size()] = fill(time, 3);
              end M;
            end P;
            """
        )
    )

    assert text == "model 'P.M'\n  Real x[3];\nequation\n  x = fill(time, 3);\nend 'P.M';\n"


def test_a_parameter_that_decided_something_is_final():
    text = show(flattened("model M parameter Integer n = 2; Real x[n] = fill(1, n); end M;"))

    assert "  final parameter Integer n = 2;\n" in text
