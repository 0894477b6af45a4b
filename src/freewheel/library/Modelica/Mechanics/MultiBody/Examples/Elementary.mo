within Modelica.Mechanics.MultiBody.Examples;
package Elementary "Pendulums, springs and free bodies"
  extends Modelica.Icons.ExamplesPackage;

  model Pendulum "A body on a hinge, slowed down by a damper"
    extends Modelica.Icons.Example;
    inner World world "Gravity downwards";
    Joints.Revolute hinge(
      useAxisFlange=true,
      n={0, 0, 1},
      phi(start=0, fixed=true),
      w(start=0, fixed=true)) "Hinge";
    Parts.Body body(m=1, r_CM={0.5, 0, 0}) "Bob";
    Modelica.Mechanics.Rotational.Components.Damper damper(d=0.1) "In the hinge";
  equation
    connect(world.frame_b, hinge.frame_a);
    connect(hinge.frame_b, body.frame_a);
    connect(damper.flange_a, hinge.support);
    connect(damper.flange_b, hinge.axis);
    annotation(experiment(StopTime=5, Interval=0.01));
  end Pendulum;

  model DoublePendulum "Two boxes on hinges"
    extends Modelica.Icons.Example;
    inner World world "Gravity downwards";
    Joints.Revolute upper(phi(start=1.5, fixed=true), w(start=0, fixed=true)) "Upper hinge";
    Joints.Revolute lower(phi(start=0.2, fixed=true), w(start=0, fixed=true)) "Lower hinge";
    Parts.BodyBox first(r={0.5, 0, 0}, width=0.06) "Upper box";
    Parts.BodyBox second(r={0.5, 0, 0}, width=0.06) "Lower box";
  equation
    connect(world.frame_b, upper.frame_a);
    connect(upper.frame_b, first.frame_a);
    connect(first.frame_b, lower.frame_a);
    connect(lower.frame_b, second.frame_a);
    annotation(experiment(StopTime=3, Interval=0.005));
  end DoublePendulum;

  model FreeBody "A body between two springs"
    extends Modelica.Icons.Example;
    inner World world "Gravity downwards";
    Parts.BodyShape body(
      r={0.4, 0, 0},
      r_CM={0.2, 0, 0},
      m=1,
      I_11=0.01,
      I_22=0.05,
      I_33=0.05,
      r_0(start={0.2, -0.5, 0.1}, each fixed=true),
      v_0(each fixed=true),
      angles_fixed=true,
      w_0_fixed=true,
      w_0_start={0, 0, 1}) "Body";
    Parts.FixedTranslation beam(r={0.8, 0, 0}) "Upper beam";
    Forces.Spring left(c=20, s_unstretched=0.1) "Left spring";
    Forces.Spring right(c=20, s_unstretched=0.1) "Right spring";
  equation
    connect(world.frame_b, beam.frame_a);
    connect(world.frame_b, left.frame_a);
    connect(left.frame_b, body.frame_a);
    connect(beam.frame_b, right.frame_a);
    connect(right.frame_b, body.frame_b);
    annotation(experiment(StopTime=5, Interval=0.01));
  end FreeBody;
end Elementary;
