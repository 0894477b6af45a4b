// The passive circuit of Cellier and Elmqvist, "Automated formula manipulation supports
// object-oriented continuous-system modeling" (1993), Fig. 1. The paper leaves the source open;
// here it is a sine. Look at: y1 (capacitor) lags the source, y2 (inductor) starts with a transient
// of time constant L/R2 = 75 us. The two branches do not influence each other.
model circuit "Simple passive electrical circuit"
  Modelica.Electrical.Analog.Sources.SineVoltage U0(V=10, f=5000);
  Modelica.Electrical.Analog.Basic.Resistor R1(R=100);
  Modelica.Electrical.Analog.Basic.Resistor R2(R=20);
  Modelica.Electrical.Analog.Basic.Capacitor C(C=0.1e-6, v(start=0, fixed=true));
  Modelica.Electrical.Analog.Basic.Inductor L(L=1.5e-3, i(start=0, fixed=true));
  Modelica.Electrical.Analog.Basic.Ground Common;
  output Modelica.Units.SI.Voltage y1 "Capacitor voltage";
  output Modelica.Units.SI.Current y2 "Inductor current";
equation
  connect(U0.p, R1.p);
  connect(R1.n, C.p);
  connect(C.n, Common.p);
  connect(U0.p, R2.p);
  connect(R2.n, L.p);
  connect(L.n, Common.p);
  connect(U0.n, Common.p);
  y1 = C.v;
  y2 = L.i;
  annotation(experiment(StopTime=1e-3, Interval=2e-6, Tolerance=1e-8));
end circuit;
