// A direct-current motor started at full voltage against a load that grows with speed.
// Look at: the starting current resistor.i reaches several times its final value of 5 A, and
// inertia.w overshoots a little before it settles at 100 rad/s.
model DcMotor "Motor with armature circuit, inertia and load"
  Modelica.Electrical.Analog.Sources.ConstantVoltage source(V=24);
  Modelica.Electrical.Analog.Basic.Resistor resistor(R=0.8);
  Modelica.Electrical.Analog.Basic.Inductor inductor(L=0.01, i(start=0, fixed=true));
  Modelica.Electrical.Analog.Basic.RotationalEMF emf(k=0.2);
  Modelica.Electrical.Analog.Basic.Ground ground;
  Modelica.Mechanics.Rotational.Components.Inertia inertia(
    J=0.001,
    phi(start=0, fixed=true),
    w(start=0, fixed=true));
  Modelica.Mechanics.Rotational.Sources.LinearSpeedDependentTorque load(
    tau_nominal=-1,
    w_nominal=100,
    TorqueDirection=false);
equation
  connect(source.p, resistor.p);
  connect(resistor.n, inductor.p);
  connect(inductor.n, emf.p);
  connect(emf.n, source.n);
  connect(source.n, ground.p);
  connect(emf.flange, inertia.flange_a);
  connect(inertia.flange_b, load.flange);
  annotation(experiment(StopTime=0.2, Interval=2e-4, Tolerance=1e-8));
end DcMotor;
