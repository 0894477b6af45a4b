// A mass on a spring and a damper, pulled out and let go.
// Look at: mass.s swings around the relaxed length of 1 m with about 1.59 Hz and dies out;
// damper.lossPower is the energy that leaves.
model MassSpringDamper "Damped oscillation"
  Modelica.Mechanics.Translational.Components.Fixed wall;
  Modelica.Mechanics.Translational.Components.Spring spring(c=100, s_rel0=1);
  Modelica.Mechanics.Translational.Components.Damper damper(d=1);
  Modelica.Mechanics.Translational.Components.Mass mass(
    m=1,
    s(start=1.5, fixed=true),
    v(start=0, fixed=true));
equation
  connect(wall.flange, spring.flange_a);
  connect(wall.flange, damper.flange_a);
  connect(spring.flange_b, mass.flange_a);
  connect(damper.flange_b, mass.flange_a);
  annotation(experiment(StopTime=5, Interval=0.01, Tolerance=1e-8));
end MassSpringDamper;
