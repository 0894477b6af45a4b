// Step-down converter with an ideal switch and an ideal diode: Ron = Goff = 0, no snubbers.
// While the switch is closed the choke charges from the source, then the diode carries its current on.
// Once the output is charged, the load is so light that the current reaches zero in each period
// (discontinuous conduction). The choke is then between two open branches and is no state any more.
model buck "24 V down to 15 V, ideal switch and diode"
  Modelica.Electrical.Analog.Sources.ConstantVoltage source(V=24);
  Modelica.Electrical.Analog.Ideal.IdealClosingSwitch switch(Ron=0, Goff=0);
  Modelica.Electrical.Analog.Ideal.IdealDiode diode(Ron=0, Goff=0, Vknee=0);
  Modelica.Electrical.Analog.Basic.Inductor choke(L=1e-4, i(start=0, fixed=true));
  Modelica.Electrical.Analog.Basic.Capacitor store(C=2e-5, v(start=0, fixed=true));
  Modelica.Electrical.Analog.Basic.Resistor load(R=40);
  Modelica.Electrical.Analog.Basic.Ground ground;
  Modelica.Blocks.Sources.BooleanPulse pwm(period=2e-5, width=50);
equation
  connect(source.p, switch.p);
  connect(switch.n, choke.p);
  connect(diode.n, choke.p);
  connect(choke.n, store.p);
  connect(load.p, store.p);
  connect(diode.p, ground.p);
  connect(store.n, ground.p);
  connect(load.n, ground.p);
  connect(source.n, ground.p);
  connect(pwm.y, switch.control);
  annotation(experiment(StopTime=3e-3, Interval=1e-6, Tolerance=1e-8));
end buck;
