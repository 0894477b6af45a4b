// The circuits of Cellier and Elmqvist, "Automated formula manipulation supports object-oriented
// continuous-system modeling" (1993), with the variables of its listings: each two-terminal element
// has the potentials Va and Vb, the voltage u and one current i, and what the paper derives from
// `connect` is written out here as equations, so that the numbers of equations can be compared.
//
//   freewheel equations examples/formula/circuits.mo -m circuit --stage solved

model vsource "Ideal voltage source"
  Real Va, Vb, V, i;
equation
  V = Va - Vb;
end vsource;

model csource "Ideal current source"
  Real Va, Vb, V, II, i;
equation
  V = Va - Vb;
  i = II;
end csource;

model resistor
  parameter Real R = 1.0;
  Real Va, Vb, u, i;
equation
  u = Va - Vb;
  u = R*i;
end resistor;

model capacitor
  parameter Real C = 1.0;
  Real Va, Vb, u, i;
equation
  u = Va - Vb;
  C*der(u) = i;
end capacitor;

model inductor
  parameter Real L = 1.0;
  Real Va, Vb, u, i;
equation
  u = Va - Vb;
  L*der(i) = u;
end inductor;

model common "Zero potential"
  Real V;
equation
  V = 0;
end common;

model circuit "Fig. 1: two branches that do not influence each other"
  vsource U0;
  resistor R1(R=100.0), R2(R=20.0);
  capacitor C(C=0.1e-6, u(start=0, fixed=true));
  inductor L(L=1.5e-3, i(start=0, fixed=true));
  common Common;
  input Real u;
  output Real y1, y2;
equation
  U0.V = u;
  y1 = C.u;
  y2 = L.i;
  R1.Vb = C.Va;
  C.i = R1.i;
  R1.Va = R2.Va;
  U0.Va = R1.Va;
  R2.i + R1.i = U0.i;
  R2.Vb = L.Va;
  L.i = R2.i;
  C.Vb = L.Vb;
  U0.Vb = C.Vb;
  Common.V = U0.Vb;
  annotation(experiment(StopTime=1e-3, Tolerance=1e-8));
end circuit;

model divider "Fig. 4: two resistors in series make a loop of four equations"
  vsource U0;
  resistor R1(R=100.0), R2(R=20.0);
  common Common;
  input Real u;
  output Real y;
equation
  U0.V = u;
  y = R2.u;
  R1.Va = U0.Va;
  R1.i = U0.i;
  R2.Va = R1.Vb;
  R2.i = R1.i;
  Common.V = R2.Vb;
  U0.Vb = Common.V;
end divider;

model parcap "Fig. 5: two capacitors in parallel, one state"
  capacitor C1(C=0.2e-6, u(start=0, fixed=true, stateSelect=StateSelect.prefer)), C2(C=0.1e-6);
  csource I0;
  common Common;
  input Real i;
  output Real y;
equation
  I0.II = i;
  y = C1.u;
  C2.Vb = C1.Vb;
  Common.V = C2.Vb;
  I0.Vb = Common.V;
  C1.Va = I0.Va;
  C2.Va = C1.Va;
  C1.i + C2.i = I0.i;
  annotation(experiment(StopTime=1e-3, Tolerance=1e-8));
end parcap;
