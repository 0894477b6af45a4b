// Flyback converter: energy is stored in the magnetising inductance of the transformer while the switch is
// closed, and handed to the other winding when it opens. The winding sense is the sign of n.
model flyback "24 V to an isolated output of 4 V"
  Modelica.Electrical.Analog.Sources.ConstantVoltage source(V=24);
  Modelica.Electrical.Analog.Basic.Inductor magnetising(L=1.2e-4, i(start=0, fixed=true));
  Modelica.Electrical.Analog.Ideal.IdealTransformer transformer(n=-4, Lm1=1);
  Modelica.Electrical.Analog.Ideal.IdealClosingSwitch switch(Ron=0, Goff=0);
  Modelica.Electrical.Analog.Ideal.IdealDiode diode(Ron=0, Goff=0, Vknee=0);
  Modelica.Electrical.Analog.Basic.Capacitor store(C=1e-4, v(start=0, fixed=true));
  Modelica.Electrical.Analog.Basic.Resistor load(R=4);
  Modelica.Electrical.Analog.Basic.Ground primary;
  Modelica.Electrical.Analog.Basic.Ground secondary;
  Modelica.Blocks.Sources.BooleanPulse pwm(period=1e-5, width=40);
equation
  connect(source.p, transformer.p1);
  connect(magnetising.p, transformer.p1);
  connect(magnetising.n, transformer.n1);
  connect(transformer.n1, switch.p);
  connect(switch.n, primary.p);
  connect(source.n, primary.p);
  connect(transformer.p2, diode.p);
  connect(diode.n, store.p);
  connect(diode.n, load.p);
  connect(store.n, secondary.p);
  connect(load.n, secondary.p);
  connect(transformer.n2, secondary.p);
  connect(pwm.y, switch.control);
  annotation(experiment(StopTime=4e-3, Interval=1e-6, Tolerance=1e-8));
end flyback;
