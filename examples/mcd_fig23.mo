// Fig. 23 of Wainer and D'Abreu (2015; see mcd_fig1.mo), as printed.
// `freqHz` is the older name of the parameter `f`; the embedded library takes both.
// Look at: R1.i peaks at 1.5 A, in phase with R1.v. (The paper's Fig. 24 turns R = 10 into 10000
// and calls the period of 20 ms a frequency; the Modelica text is right.)
model circuit
  Modelica.Electrical.Analog.Sources.SineVoltage
    V(V=15,freqHz=50);
  Modelica.Electrical.Analog.Basic.Resistor R1(R=10);
  Modelica.Electrical.Analog.Basic.Ground Gnd;
equation
  connect(V.p, R1.p);
  connect(R1.n, V.n);
  connect(R1.n, Gnd.p);
  annotation(experiment(StopTime=0.1, Interval=1e-4, Tolerance=1e-8));
end circuit;
