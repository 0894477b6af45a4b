within Modelica.Mechanics.Rotational;
package Examples "Small drive trains to try"
  extends Modelica.Icons.ExamplesPackage;

  model GearedDrive "A motor torque moves a load through a gear and an elastic shaft"
    extends Modelica.Icons.Example;
    Modelica.Blocks.Sources.Sine command(amplitude=2, f=1);
    Modelica.Mechanics.Rotational.Sources.Torque motor;
    Modelica.Mechanics.Rotational.Components.Inertia rotor(J=0.01);
    Modelica.Mechanics.Rotational.Components.IdealGear gear(ratio=5);
    Modelica.Mechanics.Rotational.Components.SpringDamper shaft(
      c=500,
      d=1,
      phi_rel(start=0, fixed=true),
      w_rel(start=0, fixed=true));
    Modelica.Mechanics.Rotational.Components.Inertia load(
      J=1,
      phi(start=0, fixed=true),
      w(start=0, fixed=true));
  equation
    connect(command.y, motor.tau);
    connect(motor.flange, rotor.flange_a);
    connect(rotor.flange_b, gear.flange_a);
    connect(gear.flange_b, shaft.flange_a);
    connect(shaft.flange_b, load.flange_a);
    annotation(experiment(StopTime=3, Interval=0.002));
  end GearedDrive;

  model ClutchEngagement "Two inertias become one when the clutch is pressed"
    extends Modelica.Icons.Example;
    Modelica.Mechanics.Rotational.Components.Inertia driving(
      J=1,
      phi(start=0, fixed=true),
      w(start=50, fixed=true));
    Modelica.Mechanics.Rotational.Components.Inertia driven(
      J=2,
      phi(start=0, fixed=true),
      w(start=0, fixed=true));
    Modelica.Mechanics.Rotational.Components.Clutch clutch(fn_max=100, peak=1.1);
    Modelica.Blocks.Sources.Ramp pedal(height=1, duration=0.5, startTime=0.2);
  equation
    connect(driving.flange_b, clutch.flange_a);
    connect(clutch.flange_b, driven.flange_a);
    connect(pedal.y, clutch.f_normalized);
    annotation(experiment(StopTime=2, Interval=0.002));
  end ClutchEngagement;
end Examples;
