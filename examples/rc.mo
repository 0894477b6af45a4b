// A capacitor is charged through a resistor: the model of the tour. It brings its own components.
// Look at: c.v reaches 63 % of 10 V after R*C = 0.1 ms.
connector Pin "A pole of an electrical component"
  Real v(unit = "V");
  flow Real i(unit = "A");
end Pin;

partial model TwoPin "What all components with two poles have in common"
  Pin p, n;
  Real v(unit = "V") = p.v - n.v;
  Real i(unit = "A") = p.i;
equation
  p.i + n.i = 0;
end TwoPin;

model Source
  extends TwoPin;
  parameter Real V(unit = "V") = 10;
equation
  v = V;
end Source;

model Resistor
  extends TwoPin;
  parameter Real R(unit = "Ohm") = 100;
equation
  v = R*i;
end Resistor;

model Capacitor
  extends TwoPin;
  parameter Real C(unit = "F") = 1e-6;
equation
  C*der(v) = i;
end Capacitor;

model Ground
  Pin p;
equation
  p.v = 0;
end Ground;

model RC "A capacitor charged through a resistor"
  Source u;
  Resistor r;
  Capacitor c(v(start = 0, fixed = true));
  Ground g;
equation
  connect(u.p, r.p);
  connect(r.n, c.p);
  connect(c.n, u.n);
  connect(g.p, u.n);
  annotation(experiment(StopTime = 5e-4, Tolerance = 1e-8));
end RC;
