within Modelica.Mechanics.MultiBody.Examples;
package Loops "Chains of bodies that close"
  extends Modelica.Icons.ExamplesPackage;

  model PlanarFourbar "Crank, coupler and rocker in a plane"
    extends Modelica.Icons.Example;
    inner World world "Gravity downwards";
    Joints.Revolute crank(
      phi(start=1.2, fixed=true),
      w(start=6, fixed=true),
      stateSelect=StateSelect.always) "Hinge of the crank";
    Joints.Revolute elbow(phi(start=-1)) "Between crank and coupler";
    Joints.Revolute rocker(phi(start=1.6)) "Hinge of the rocker";
    Joints.RevolutePlanarLoopConstraint wrist "Closes the loop";
    Parts.BodyShape first(r={0.2, 0, 0}, r_CM={0.1, 0, 0}, m=1, I_33=0.01) "Crank";
    Parts.BodyShape second(r={0.6, 0, 0}, r_CM={0.3, 0, 0}, m=2, I_33=0.05) "Coupler";
    Parts.BodyShape third(r={0.5, 0, 0}, r_CM={0.25, 0, 0}, m=1, I_33=0.02) "Rocker";
    Parts.Fixed ground(r={0.5, 0, 0}) "Foot of the rocker";
  equation
    connect(world.frame_b, crank.frame_a);
    connect(crank.frame_b, first.frame_a);
    connect(first.frame_b, elbow.frame_a);
    connect(elbow.frame_b, second.frame_a);
    connect(ground.frame_b, rocker.frame_a);
    connect(rocker.frame_b, third.frame_a);
    connect(third.frame_b, wrist.frame_a);
    connect(second.frame_b, wrist.frame_b);
    annotation(experiment(StopTime=2, Interval=0.004));
  end PlanarFourbar;

  model Fourbar1 "A crank moves a slide through a rod with ball joints"
    extends Modelica.Icons.Example;
    inner World world "Gravity downwards";
    Joints.Revolute crank(
      n={1, 0, 0},
      phi(start=0, fixed=true),
      w(start=5, fixed=true),
      stateSelect=StateSelect.always) "Hinge of the crank";
    Joints.Prismatic slide(n={1, 0, 0}, s(start=-0.2)) "Slide";
    Parts.BodyCylinder arm(r={0, 0.5, 0.1}, diameter=0.05) "Crank";
    Parts.BodyCylinder carriage(r={0, 0.2, 0}, diameter=0.05) "Carriage";
    Parts.FixedTranslation ground(r={1.2, 0, 0}) "To the begin of the slide";
    Joints.SphericalSpherical rod(rodLength=1.05, m=0.3) "Rod";
  equation
    connect(world.frame_b, crank.frame_a);
    connect(crank.frame_b, arm.frame_a);
    connect(world.frame_b, ground.frame_a);
    connect(ground.frame_b, slide.frame_a);
    connect(slide.frame_b, carriage.frame_a);
    connect(arm.frame_b, rod.frame_a);
    connect(carriage.frame_b, rod.frame_b);
    annotation(experiment(StopTime=3, Interval=0.005));
  end Fourbar1;
end Loops;
