// Fig. 29 of Wainer and D'Abreu (2015): "an oscillating electrical circuit" with two capacitors and two
// inductors, shown as a picture only. This ladder and its values are our choice.
// freewheel devs examples/devs/fig29.mo --quantum 1.6 --window 0.5 --quantum L1=0.5 --quantum L2=0.5
model fig29
  Modelica.Electrical.Analog.Sources.StepVoltage V(V=20);
  Modelica.Electrical.Analog.Basic.Inductor L1(L=1, i(start=0, fixed=true));
  Modelica.Electrical.Analog.Basic.Capacitor C1(C=0.5, v(start=0, fixed=true));
  Modelica.Electrical.Analog.Basic.Inductor L2(L=2, i(start=0, fixed=true));
  Modelica.Electrical.Analog.Basic.Capacitor C2(C=0.25, v(start=0, fixed=true));
  Modelica.Electrical.Analog.Basic.Resistor R1(R=8);
  Modelica.Electrical.Analog.Basic.Ground Gnd;
equation
  connect(V.p, L1.p);
  connect(L1.n, C1.p);
  connect(L1.n, L2.p);
  connect(L2.n, C2.p);
  connect(C2.p, R1.p);
  connect(R1.n, V.n);
  connect(C1.n, V.n);
  connect(C2.n, V.n);
  connect(V.n, Gnd.p);
  annotation(experiment(StopTime=15, Tolerance=1e-8));
end fig29;
