within Modelica.Mechanics.Translational;
package Examples "Small mechanisms to try"
  extends Modelica.Icons.ExamplesPackage;

  model TwoMasses "Two masses on springs, the first one pushed"
    extends Modelica.Icons.Example;
    Modelica.Mechanics.Translational.Components.Fixed wall;
    Modelica.Mechanics.Translational.Components.Spring spring1(c=100, s_rel0=1);
    Modelica.Mechanics.Translational.Components.Spring spring2(c=100, s_rel0=1);
    Modelica.Mechanics.Translational.Components.Mass mass1(
      m=1,
      s(start=1, fixed=true),
      v(start=1, fixed=true));
    Modelica.Mechanics.Translational.Components.Mass mass2(
      m=1,
      s(start=2, fixed=true),
      v(start=0, fixed=true));
  equation
    connect(wall.flange, spring1.flange_a);
    connect(spring1.flange_b, mass1.flange_a);
    connect(mass1.flange_b, spring2.flange_a);
    connect(spring2.flange_b, mass2.flange_a);
    annotation(experiment(StopTime=5, Interval=0.01));
  end TwoMasses;

  model BouncingMass "A falling mass meets an elastic gap"
    extends Modelica.Icons.Example;
    Modelica.Mechanics.Translational.Components.Fixed floor;
    Modelica.Mechanics.Translational.Components.ElastoGap gap(c=1e5, d=50, s_rel0=0);
    Modelica.Mechanics.Translational.Components.Mass mass(
      m=1,
      s(start=1, fixed=true),
      v(start=0, fixed=true));
    Modelica.Mechanics.Translational.Sources.ConstantForce weight(f_constant=-9.81);
  equation
    connect(floor.flange, gap.flange_a);
    connect(gap.flange_b, mass.flange_a);
    connect(mass.flange_b, weight.flange);
    annotation(experiment(StopTime=3, Interval=0.002));
  end BouncingMass;
end Examples;
