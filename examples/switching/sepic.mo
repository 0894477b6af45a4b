// SEPIC: output above or below the input, of the same sign, with one switch and one diode. Four storages;
// with both branches open the two chokes are in series and only three states are left.
model sepic "12 V to 15 V in discontinuous conduction"
  Modelica.Electrical.Analog.Sources.ConstantVoltage source(V=12);
  Modelica.Electrical.Analog.Basic.Inductor choke1(L=1.5e-4, i(start=0, fixed=true));
  Modelica.Electrical.Analog.Basic.Inductor choke2(L=1e-4, i(start=0, fixed=true));
  Modelica.Electrical.Analog.Ideal.IdealClosingSwitch switch(Ron=0, Goff=0);
  Modelica.Electrical.Analog.Ideal.IdealDiode diode(Ron=0, Goff=0, Vknee=0);
  Modelica.Electrical.Analog.Basic.Capacitor coupling(C=1e-5, v(start=12, fixed=true));
  Modelica.Electrical.Analog.Basic.Capacitor store(C=2.2e-5, v(start=0, fixed=true));
  Modelica.Electrical.Analog.Basic.Resistor load(R=60);
  Modelica.Electrical.Analog.Basic.Ground ground;
  Modelica.Blocks.Sources.BooleanPulse pwm(period=2e-5, width=40);
equation
  connect(source.p, choke1.p);
  connect(choke1.n, switch.p);
  connect(choke1.n, coupling.p);
  connect(coupling.n, choke2.p);
  connect(coupling.n, diode.p);
  connect(diode.n, store.p);
  connect(diode.n, load.p);
  connect(choke2.n, ground.p);
  connect(switch.n, ground.p);
  connect(store.n, ground.p);
  connect(load.n, ground.p);
  connect(source.n, ground.p);
  connect(pwm.y, switch.control);
  annotation(experiment(StopTime=3e-3, Interval=1e-6, Tolerance=1e-8));
end sepic;
