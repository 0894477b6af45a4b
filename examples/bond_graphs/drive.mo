// A direct-current drive in two domains. `freewheel bondgraph` draws the motor as a gyrator and the gear
// as a transformer; the load is a dependent storage, since a rigid gear ties it to the rotor.
model Drive
  Modelica.Electrical.Analog.Sources.ConstantVoltage V(V=12);
  Modelica.Electrical.Analog.Basic.Resistor R(R=0.5);
  Modelica.Electrical.Analog.Basic.Inductor L(L=0.01);
  Modelica.Electrical.Analog.Basic.RotationalEMF motor(k=0.3);
  Modelica.Electrical.Analog.Basic.Ground ground;
  Modelica.Mechanics.Rotational.Components.Inertia rotor(J=0.02);
  Modelica.Mechanics.Rotational.Components.IdealGear gear(ratio=5);
  Modelica.Mechanics.Rotational.Components.Inertia load(J=1);
  Modelica.Mechanics.Rotational.Components.Damper bearing(d=0.4);
  Modelica.Mechanics.Rotational.Components.Fixed housing;
equation
  connect(V.p, R.p);
  connect(R.n, L.p);
  connect(L.n, motor.p);
  connect(motor.n, V.n);
  connect(V.n, ground.p);
  connect(motor.flange, rotor.flange_a);
  connect(rotor.flange_b, gear.flange_a);
  connect(gear.flange_b, load.flange_a);
  connect(load.flange_b, bearing.flange_b);
  connect(bearing.flange_a, housing.flange);
  annotation(experiment(StopTime=1, Interval=1e-3));
end Drive;
