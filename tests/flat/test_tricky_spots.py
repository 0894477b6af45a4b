"""Constructs the Modelica Standard Library leans on, each in miniature, in our own words.

The numbers are those of the list of tricky spots: where the library uses the construct is said in
each test, its text is not repeated.
"""

from __future__ import annotations


def test_1_a_conditional_heat_port_and_a_one_branch_if(flat):
    """Conditional heating of electrical parts: either a port or a fixed temperature."""
    text = """
    connector Heat Real T; flow Real Q; end Heat;
    partial model Conditional
      parameter Boolean useHeatPort = false; parameter Real T = 293;
      Heat heatPort(T(start = T), Q = -loss) if useHeatPort;
      Real loss; Real T_heat;
    equation
      if not useHeatPort then T_heat = T; end if;
    end Conditional;
    model Resistor extends Conditional; equation loss = 5; end Resistor;
    model Hot Heat p; equation p.T = 350; end Hot;
    model M Resistor a; Resistor b(useHeatPort = true); Hot h;
    equation connect(b.heatPort, h.p); b.T_heat = h.p.T; end M;
    """
    printed = flat(text)

    assert "a.heatPort.T" not in printed.names
    assert "a.T_heat = a.T" in printed.equations
    assert "b.heatPort.Q = -b.loss" in printed.equations
    assert "b.T_heat = b.T" not in printed.equations


def test_2_rooted_waits_for_the_graph_while_roots_sit_inside_if(flat):
    """Revolute joints and bodies: the direction of computation depends on where the root is."""
    text = """
    record Rot Real c; function equalityConstraint input Rot a; input Rot b; output Real r[1];
      algorithm r := {a.c - b.c}; end equalityConstraint; end Rot;
    connector Frame Rot R; flow Real t; end Frame;
    model World Frame b; equation Connections.root(b.R); b.R.c = 1; end World;
    model Joint Frame a; Frame b; Real x;
    equation Connections.branch(a.R, b.R); a.t + b.t = 0;
      if Connections.rooted(a.R) then b.R.c = a.R.c + x; else a.R.c = b.R.c - x; end if; end Joint;
    model Body parameter Boolean enforce = false; Frame a;
    equation if enforce then Connections.root(a.R); else Connections.potentialRoot(a.R); end if;
      if not Connections.isRoot(a.R) then a.t = 0; else a.R.c = 1; end if; end Body;
    model M World w; Joint j(x = 1); Joint k(x = 2); Body b;
    equation connect(w.b, j.a); connect(j.b, k.b); connect(k.a, b.a); end M;
    """
    equations = flat(text).equations

    assert "j.b.R.c = j.a.R.c + j.x" in equations
    assert "k.a.R.c = k.b.R.c - k.x" in equations
    assert "b.a.t = 0" in equations


def test_3_a_broken_edge_with_an_empty_residue_adds_nothing(flat):
    """Reference angles of quasi-static circuits."""
    text = """
    record Ref Real g; function equalityConstraint input Ref a; input Ref b; output Real residue[0];
      algorithm assert(a.g == b.g, "not the same reference"); end equalityConstraint; end Ref;
    connector Pin Real v; flow Real i; Ref ref; end Pin;
    model Source Pin p; equation Connections.root(p.ref); p.ref.g = time; p.v = 1; end Source;
    model M Source a; Source b; equation connect(a.p, b.p); end M;
    """
    equations = flat(text).equations

    assert equations[-2:] == ["a.p.v = b.p.v", "a.p.i + b.p.i = 0.0"]


def test_4_complex_units_by_short_class_with_redeclared_fields(flat):
    text = """
    package Units type Current = Real(final unit = "A");
      operator record ComplexCurrent = Complex(redeclare Current re, redeclare Current im); end Units;
    connector Pin Units.ComplexCurrent v; flow Units.ComplexCurrent i; end Pin;
    model Load Pin p; equation p.v = p.i*Complex(1, 2); end Load;
    model M Load a; Load b; equation connect(a.p, b.p); end M;
    """
    printed = flat(text)

    assert printed["a.p.i.im"] == "Real a.p.i.im(unit = A)"
    assert printed.equations[-4:] == [
        "a.p.v.re = b.p.v.re",
        "a.p.v.im = b.p.v.im",
        "a.p.i.re + b.p.i.re = 0.0",
        "a.p.i.im + b.p.i.im = 0.0",
    ]


MEDIUM = """
partial package Medium
  constant String names[:] = {"one"};
  constant Integer nS = size(names, 1);
  constant Integer nXi = if nS == 1 then 0 else nS - 1;
  replaceable record State end State;
  replaceable partial model Base Real p; Real Xi[nXi]; State state; end Base;
  replaceable partial function density input State s; output Real d; end density;
end Medium;
package Single extends Medium(names = {"water"});
  redeclare record extends State Real p; end State;
  redeclare model extends Base equation state.p = p; end Base;
  redeclare function extends density algorithm d := s.p; end density;
end Single;
package Mixture extends Medium(names = {"N2", "O2"});
  redeclare record extends State Real p; Real X[nS]; end State;
  redeclare model extends Base equation state.p = p; state.X = cat(1, Xi, {1 - sum(Xi)}); end Base;
  redeclare function extends density algorithm d := s.p*s.X[1]; end density;
end Mixture;
"""


def test_5_sizes_that_depend_on_the_actual_package(flat):
    text = (
        MEDIUM
        + """
    connector Port replaceable package Medium = Single; flow Real m; Real p;
      stream Real Xi[Medium.nXi]; end Port;
    model M Port a; Port b(redeclare package Medium = Mixture);
    equation a.p = 1; b.p = 1; b.Xi = {0.3}; end M;
    """
    )
    printed = flat(text)

    assert printed.variable("a.Xi").dims == (0,)
    assert printed.variable("b.Xi").dims == (1,)


def test_6_inherited_code_sees_the_extended_record(flat):
    text = (
        MEDIUM
        + """model M package Medium = Mixture; Medium.Base b; Real d = Medium.density(b.state);
      equation b.p = 2; b.Xi = {0.3}; end M;"""
    )
    printed = flat(text)

    assert printed.variable("b.state.X").dims == (2,)
    assert (
        printed.equations[0] == "d = Mixture.density(Mixture.State(p = b.state.p, X = b.state.X))"
    )
    assert "b.state.X = cat(1, b.Xi, {1 - sum(b.Xi)})" in printed.equations


def test_7_partial_application_of_a_local_function(flat):
    """Temperature from enthalpy of an ideal gas: a residual with some inputs bound, solved inside."""
    text = """
    partial function Scalar input Real u; output Real y; end Scalar;
    function solve input Scalar g; input Real low; input Real high; output Real u;
      algorithm u := low - g(low)*(high - low)/(g(high) - g(low)); end solve;
    package Gas
      function T_h input Real h; output Real T;
      protected
        function residual extends Scalar; input Real target; algorithm y := 2*u - target; end residual;
      algorithm T := solve(function residual(target = h), 0, 10); end T_h;
    end Gas;
    model M constant Real T = Gas.T_h(6); Real x = T; end M;
    """

    assert flat(text).value("T") == "3.0"


def test_8_modifiers_may_refer_to_parts_of_the_component_they_modify(flat):
    """Pipe models hand the states of the flow model to its own parameters."""
    text = """
    record State Real p = 1; end State;
    model Flow parameter Integer n = 2; input State states[n]; Real rho[n];
      Real total = sum(rho); end Flow;
    model Pipe parameter Integer n = 3; State s[n];
      replaceable model FlowModel = Flow;
      FlowModel flow_(n = n, states = s, rho = flow_.states.p .* flow_.states.p); end Pipe;
    model M Pipe pipe; end M;
    """
    printed = flat(text)

    assert "pipe.flow_.states[3].p = pipe.s[3].p" in printed.equations
    rho = next(e for e in printed.equations if e.startswith("pipe.flow_.rho"))
    assert rho == (
        "pipe.flow_.rho = {pipe.flow_.states[1].p, pipe.flow_.states[2].p, pipe.flow_.states[3].p}"
        " .* {pipe.flow_.states[1].p, pipe.flow_.states[2].p, pipe.flow_.states[3].p}"
    )


def test_9_sizes_by_if_and_connectors_under_conditions(flat):
    text = """
    connector Heat Real T; flow Real Q; end Heat;
    connector Port Real p; flow Real m; end Port;
    model Vessel parameter Boolean heat = false; parameter Integer n = 0; Port ports[n](each p = 3);
      Heat h(T = 300) if heat; Real levels[if heat then n else 2*n]; Integer used[n];
    equation levels = ones(size(levels, 1));
      for i in 1:n loop used[i] = cardinality(ports[i]); end for; end Vessel;
    model M Vessel a(n = 1); Vessel b(n = 2, heat = true); equation connect(a.ports[1], b.ports[2]); end M;
    """
    printed = flat(text)

    assert [printed.variable(n).dims for n in ("a.levels", "b.levels")] == [(2,), (2,)]
    assert "b.h.T = 300" in printed.equations
    assert "a.used[1] = 1" in printed.equations
    assert "b.used[1] = 0" in printed.equations


def test_10_connecting_an_array_in_reverse(flat):
    text = """
    connector Heat Real T; flow Real Q; end Heat;
    model Wall parameter Integer n = 3; Heat ports[n]; equation ports.T = 1:n; end Wall;
    model M Wall a; Wall b; equation connect(a.ports[a.n:-1:1], b.ports); end M;
    """
    potentials = [e for e in flat(text).equations if ".T = b" in e]

    assert potentials == [f"a.ports[{4 - k}].T = b.ports[{k}].T" for k in (1, 2, 3)]


def test_11_polyphase_parts_connect_all_phases_at_once(flat):
    text = """
    connector Pin Real v; flow Real i; end Pin;
    connector Plug parameter Integer m = 3; Pin pin[m]; end Plug;
    model Resistor parameter Real R = 1; Pin p; Pin n;
      equation p.v - n.v = R*p.i; p.i + n.i = 0; end Resistor;
    model Phases parameter Integer m = 3; parameter Real R[m] = fill(1.0, m);
      Plug plug_p(final m = m); Plug plug_n(final m = m); Resistor resistor[m](final R = R);
    equation connect(resistor.p, plug_p.pin); connect(resistor.n, plug_n.pin); end Phases;
    model M Phases r(R = {5, 6, 7}); end M;
    """
    printed = flat(text)

    assert printed["r.resistor[2].R"] == "final parameter Real r.resistor[2].R = r.R[2]"
    assert "r.resistor[3].p.v = r.plug_p.pin[3].v" in printed.equations
    assert "r.resistor[1].n.i - r.plug_n.pin[1].i = 0.0" in printed.equations


def test_12_inner_outer_levels_with_modifiers(flat):
    """State graphs: each composite step is a root to its own steps and has one above it."""
    text = """
    connector Port Real a; flow Real b; end Port;
    model Root parameter Integer n = 0; Port port; Real sum_ = port.b; end Root;
    model Step outer Root root; Port p; equation p.a = 1; connect(p, root.port); end Step;
    model Composite inner outer Root root(final n = 7); Step s; Port p;
    equation p.a = 2; connect(p, root.port); end Composite;
    model M inner Root root; Composite c; Step s; end M;
    """
    printed = flat(text)
    equations = printed.equations

    assert printed.value("c.root.n") == "7"
    assert printed.value("root.n") == "0"
    assert "c.s.p.a = c.root.port.a" in equations
    assert any("c.p.b" in e and "root.port.b" in e and "c.root.port.b" not in e for e in equations)


def test_13_free_parameters_set_by_calls_in_initial_branches(flat):
    """Filters: coefficient arrays without fixed values, found at the start by a chosen design."""
    text = """
    type Kind = enumeration(low, high);
    function design input Integer n; output Real c1[n]; output Real c0[n];
      algorithm c1 := ones(n); c0 := 2*ones(n); end design;
    block Filter parameter Kind kind = Kind.low; parameter Integer order = 2;
      parameter Integer n = if kind == Kind.low then order else 2*order;
      Real x[n]; protected
      parameter Real c1[n](each fixed = false); parameter Real c0[n](each fixed = false);
    initial equation
      if kind == Kind.low then (c1, c0) = design(order); else (c1, c0) = design(2*order); end if;
    equation der(x) = c1 .* x; end Filter;
    model M Filter f; Filter g(kind = Kind.high); end M;
    """
    printed = flat(text)

    assert printed["g.c1"] == "parameter Real[4] g.c1(fixed = false)"
    assert printed.initial == ["(f.c1, f.c0) = design(f.order)", "(g.c1, g.c0) = design(2*g.order)"]


def test_14_logic_tables_indexed_by_enumerations_at_run_time(flat):
    text = """
    package Logic type L = enumeration(U, zero, one);
      constant L AndTable[L, L] =
        {{L.U, L.zero, L.U}, {L.zero, L.zero, L.zero}, {L.U, L.zero, L.one}}; end Logic;
    block And import L = Logic.L; parameter Integer n = 2; input L x[n]; output L y; L aux[n];
    algorithm aux[1] := x[1]; for i in 1:n - 1 loop aux[i + 1] := Logic.AndTable[aux[i], x[i + 1]]; end for;
      y := pre(aux[n]); end And;
    model M import L = Logic.L; And a; equation a.x = {L.one, if time > 1 then L.zero else L.one}; end M;
    """
    printed = flat(text)

    assert printed["a.aux"] == "Logic.L[2] a.aux"
    assert printed.algorithms[0].endswith("[a.aux[i], a.x[i + 1]]; end for; a.y := pre(a.aux[2]);")
