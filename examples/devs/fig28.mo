// Fig. 28 of Wainer and D'Abreu (2015): pulses on an inductor. The paper shows the circuit as a picture
// only; the inductance is our choice, such that L.v swings between -6 and 6 V as the text says.
// freewheel devs examples/devs/fig28.mo --quantum 0.001
model fig28
  Modelica.Electrical.Analog.Sources.PulseVoltage V(V=10, width=50, period=2);
  Modelica.Electrical.Analog.Basic.Resistor R1(R=10);
  Modelica.Electrical.Analog.Basic.Inductor L(L=25, i(start=0, fixed=true));
  Modelica.Electrical.Analog.Basic.Ground Gnd;
equation
  connect(V.p, R1.p);
  connect(R1.n, L.p);
  connect(L.n, V.n);
  connect(V.n, Gnd.p);
  annotation(experiment(StopTime=40, Tolerance=1e-8));
end fig28;
