// Half-wave rectifier of Elmqvist, Cellier and Otter, "Object-oriented modeling of hybrid systems"
// (1993), Fig. 5: source, resistor, diode, and a capacitor with its load.
// The diode has the library's small leaks (Ron, Goff = 1e-5), which shift u2 by up to 3 mV against
// an ideal one. Look at: D.off, true while the diode blocks; it first opens near t = 8.708 ms.
model rectifier "Half-wave rectifier with a smoothing capacitor"
  Modelica.Electrical.Analog.Sources.SineVoltage U0(V=1, f=50);
  Modelica.Electrical.Analog.Basic.Resistor Ri(R=10);
  Modelica.Electrical.Analog.Ideal.IdealDiode D;
  Modelica.Electrical.Analog.Basic.Capacitor C(C=1e-3, v(start=0, fixed=true));
  Modelica.Electrical.Analog.Basic.Resistor RL(R=50);
  Modelica.Electrical.Analog.Basic.Ground Common;
  output Modelica.Units.SI.Voltage u2 "Voltage of the load";
  output Modelica.Units.SI.Current i0 "Current of the source";
equation
  connect(U0.p, Ri.p);
  connect(Ri.n, D.p);
  connect(D.n, C.p);
  connect(D.n, RL.p);
  connect(C.n, Common.p);
  connect(RL.n, Common.p);
  connect(U0.n, Common.p);
  u2 = C.v;
  i0 = Ri.i;
  annotation(experiment(StopTime=0.2, Interval=2e-4, Tolerance=1e-8));
end rectifier;
