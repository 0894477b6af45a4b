"""Arrays with dimensions `Boolean` or an enumeration: ranges, loops and subscripts of these types.

Modelica 3.6, "Array Indexing" and "Types as Iteration Ranges".
"""

from __future__ import annotations

import pytest

COLOR = "type Color = enumeration(red, green, blue);"
EQ = "function eq input Real a; input Real b; output Boolean y; algorithm y := a == b; end eq;"


@pytest.mark.parametrize(
    "body",
    [
        "Boolean x[Boolean]; algorithm for i in false:true loop x[i] := i; end for;"
        "equation ok = not x[false] and x[true];",
        "Boolean x[Boolean]; algorithm for i loop x[i] := i; end for;"
        "equation ok = not x[false] and x[true];",
        "Real x[Boolean]; equation for e in Boolean loop x[e] = if e then 1 else 2; end for;"
        "ok = eq(x[true], 1) and eq(x[false], 2);",
        "Real x[Boolean]; equation for e loop x[e] = if e then 1 else 2; end for;"
        "ok = eq(x[true], 1) and eq(x[false], 2);",
        "Real x[Color]; equation for e loop x[e] = if e == Color.red then 1 else 2; end for;"
        "ok = eq(x[Color.red], 1) and eq(x[Color.blue], 2);",
        "Real x[Color]; equation for e in Color.green:Color.blue loop x[e] = Integer(e); end for;"
        "x[Color.red] = 7; ok = eq(x[1], 7) and eq(x[3], 3);",
        "Integer n[Boolean]; algorithm n := {0, 0};"
        "for i in {true, false, true} loop n[i] := n[i] + 1; end for;"
        "equation ok = n[true] == 2 and n[false] == 1;",
        "Real s = sum(if i then 10 else 1 for i in false:true); equation ok = eq(s, 11);",
        "Real x[Boolean] = {5, 6}; Boolean late = time > 0.5; Real y = x[late];"
        "equation ok = eq(if late then 6 else 5, y);",
        "Real x[Boolean]; Boolean late = time > 0.5; algorithm x := {5, 6}; x[late] := 8;"
        "equation ok = eq(x[late], 8) and eq(x[not late], if late then 5 else 6);",
        "record R Real a; end R; R r[Boolean](a = {3, 4}); Boolean late = time > 0.5; Real y = r[late].a;"
        "equation ok = eq(y, if late then 4 else 3);",
        "function f input Boolean b; output Real y; protected Real t[Boolean]; algorithm"
        "  for i in false:true loop t[i] := if i then 2 else 1; end for; y := 10*t[b] + t[not b]; end f;"
        "parameter Real q = f(true); Real y = f(time > 0.5);"
        "equation ok = eq(q, 21) and eq(if time > 0.5 then 21 else 12, y);",
        "function f output Real y; protected Real t[Color]; algorithm"
        "  for i loop t[i] := Integer(i); end for; y := sum(t); end f; equation ok = eq(f(), 6);",
    ],
    ids=range(13),
)
def test_types_as_subscripts(run, body):
    result = run(f"model M {COLOR} {EQ} Boolean ok; {body} end M;", interval=0.25)

    assert all(result["ok"] == 1)
