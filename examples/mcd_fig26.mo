// Fig. 26 of Wainer and D'Abreu (2015; see mcd_fig1.mo), as printed.
// Slip of the paper's text: "the capacitor will not be discharged". The source is ideal, so between
// pulses the capacitor discharges through it. Look at: C.v rises for 1 s and falls for 1 s, with
// the time constant R1*C = 150 s.
model circuit
  Modelica.Electrical.Analog.Sources.PulseVoltage
    V(V=10,width=50,period=2);
  Modelica.Electrical.Analog.Basic.Resistor R1(R=10);
  Modelica.Electrical.Analog.Basic.Capacitor C(C=15);
  Modelica.Electrical.Analog.Basic.Ground Gnd;
equation
  connect(V.p, R1.p);
  connect(R1.n, C.p);
  connect(C.n, V.n);
  connect(V.n, Gnd.p);
  annotation(experiment(StopTime=20, Interval=0.02, Tolerance=1e-8));
end circuit;
