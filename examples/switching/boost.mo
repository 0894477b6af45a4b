// Step-up converter in discontinuous conduction. The point of it: when the switch opens, the diode must take
// over the current of the choke at once. A program that first looks at "both open" divides by zero, or sees
// an infinite voltage; here all branches are chosen together.
model boost "5 V up to 22 V, ideal switch and diode"
  Modelica.Electrical.Analog.Sources.ConstantVoltage source(V=5);
  Modelica.Electrical.Analog.Basic.Inductor choke(L=5e-5, i(start=0, fixed=true));
  Modelica.Electrical.Analog.Ideal.IdealClosingSwitch switch(Ron=0, Goff=0);
  Modelica.Electrical.Analog.Ideal.IdealDiode diode(Ron=0, Goff=0, Vknee=0);
  Modelica.Electrical.Analog.Basic.Capacitor store(C=1e-5, v(start=5, fixed=true));
  Modelica.Electrical.Analog.Basic.Resistor load(R=200);
  Modelica.Electrical.Analog.Basic.Ground ground;
  Modelica.Blocks.Sources.BooleanPulse pwm(period=5e-5, width=40);
equation
  connect(source.p, choke.p);
  connect(choke.n, switch.p);
  connect(choke.n, diode.p);
  connect(diode.n, store.p);
  connect(diode.n, load.p);
  connect(switch.n, ground.p);
  connect(store.n, ground.p);
  connect(load.n, ground.p);
  connect(source.n, ground.p);
  connect(pwm.y, switch.control);
  annotation(experiment(StopTime=0.01, Interval=2.5e-6, Tolerance=1e-8));
end boost;
