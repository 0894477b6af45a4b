// Fig. 1 of Wainer and D'Abreu, "Using a Discrete-Event System Specifications (DEVS) for designing
// a Modelica compiler" (2015), as printed.
// Slip of the paper: `VsourceAC` is a class of early Modelica tutorials, not of
// Modelica.Electrical.Analog.Basic. The embedded library offers it there (220 V, 50 Hz); with the
// Modelica Standard Library use Modelica.Electrical.Analog.Sources.SineVoltage AC(V=220, f=50).
// Look at: C.v creeps (R1*C = 0.1 s) while L.i follows at once (L/R2 = 1 ms).
model SampleCircuit
  Modelica.Electrical.Analog.Basic.Resistor R1(R=10);
  Modelica.Electrical.Analog.Basic.Inductor L(L=0.1);
  Modelica.Electrical.Analog.Basic.Capacitor C(C=0.01);
  Modelica.Electrical.Analog.Basic.Ground G;
  Modelica.Electrical.Analog.Basic.Resistor R2(R=100);
  Modelica.Electrical.Analog.Basic.VsourceAC AC;
equation
  connect (AC.p, R1.p);
  connect (R1.n, C.p);
  connect (C.n, AC.n);
  connect (AC.n, G.p);
  connect (R1.p, R2.p);
  connect (R2.n, L.p);
  connect (L.n, C.n);
  annotation(experiment(StopTime=0.2, Interval=1e-4, Tolerance=1e-8));
end SampleCircuit;
