// Fig. 19 of Wainer and D'Abreu (2015; see mcd_fig1.mo) shows two capacitors that share their voltage;
// the circuit around them is ours. `freewheel bondgraph` names C2 a dependent storage in `Coupled` and
// nothing in `Cured`; both are simulated.
package CoupledCapacitors
  model Coupled "C2 has no state of its own"
    Modelica.Electrical.Analog.Sources.SineVoltage V(V=10, f=0.2);
    Modelica.Electrical.Analog.Basic.Resistor R(R=1);
    Modelica.Electrical.Analog.Basic.Capacitor C1(C=0.5);
    Modelica.Electrical.Analog.Basic.Capacitor C2(C=1);
    Modelica.Electrical.Analog.Basic.Ground ground;
  equation
    connect(V.p, R.p);
    connect(R.n, C1.p);
    connect(R.n, C2.p);
    connect(C1.n, V.n);
    connect(C2.n, V.n);
    connect(V.n, ground.p);
    annotation(experiment(StopTime=10, Interval=0.02, Tolerance=1e-7));
  end Coupled;

  model Cured "A small resistance between them gives it one"
    Modelica.Electrical.Analog.Sources.SineVoltage V(V=10, f=0.2);
    Modelica.Electrical.Analog.Basic.Resistor R(R=1);
    Modelica.Electrical.Analog.Basic.Capacitor C1(C=0.5);
    Modelica.Electrical.Analog.Basic.Resistor small(R=1e-3);
    Modelica.Electrical.Analog.Basic.Capacitor C2(C=1);
    Modelica.Electrical.Analog.Basic.Ground ground;
  equation
    connect(V.p, R.p);
    connect(R.n, C1.p);
    connect(R.n, small.p);
    connect(small.n, C2.p);
    connect(C1.n, V.n);
    connect(C2.n, V.n);
    connect(V.n, ground.p);
    annotation(experiment(StopTime=10, Interval=0.02, Tolerance=1e-7));
  end Cured;
end CoupledCapacitors;
