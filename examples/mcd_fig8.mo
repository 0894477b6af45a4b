// Fig. 8 of Wainer and D'Abreu (2015; see mcd_fig1.mo), as printed.
// Slip of the paper: the model begins as `EC` and ends with `end circuit`; here it ends as it began.
// Look at: each pulse of 0.1 s lifts C.v by about 67 mV; I.i follows slowly.
model EC
  Modelica.Electrical.Analog.Sources.PulseVoltage
    V(V=200, period=1, width=10);
  Modelica.Electrical.Analog.Basic.Capacitor C(C=200);
  Modelica.Electrical.Analog.Basic.Resistor R(R=1.5);
  Modelica.Electrical.Analog.Basic.Inductor I(L=40);
  Modelica.Electrical.Analog.Basic.Ground Gnd;
equation
  connect(V.p, R.p); connect(R.n, I.p);
  connect(R.n, C.p); connect(I.n, V.n);
  connect(C.n, V.n); connect(C.n, Gnd.p);
  annotation(experiment(StopTime=10, Interval=0.01, Tolerance=1e-8));
end EC;
