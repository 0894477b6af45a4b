within Modelica.Mechanics.MultiBody.Examples.Systems;
package RobotR3 "Robot with six axes and dry friction in every joint"
  extends Modelica.Icons.ExamplesPackage;

  model Link "Rigid link that tells its energy"
    import Modelica.Units.SI;
    import Modelica.Mechanics.MultiBody;
    extends MultiBody.Parts.BodyShape(animation=false);
    SI.Velocity v_CM[3]=MultiBody.Frames.resolve2(frame_a.R, v_0) + cross(body.w_a, r_CM)
      "Velocity of the centre of mass, along axes of frame_a";
    SI.Position r_CM_0[3]=r_0 + MultiBody.Frames.resolve1(frame_a.R, r_CM)
      "Position of the centre of mass, along axes of world";
    SI.Energy kinetic=m*(v_CM*v_CM)/2 + body.w_a*(body.I*body.w_a)/2 "Kinetic energy";
    SI.Energy potential=-m*(world.g*world.n*r_CM_0) "Potential energy";
  end Link;

  model Drive "Controlled motor, gear and dry friction of one joint"
    import Modelica.Units.SI;
    import Modelica.Mechanics.Rotational;
    parameter SI.Inertia J=0.0015 "Inertia of the motor";
    parameter Real ratio=100 "Angle of the motor over angle of the joint";
    parameter SI.Torque friction=50 "Dry friction at speed zero, at the joint";
    parameter SI.Torque viscous=20 "Increase of friction from rest to 1 rad/s, at the joint";
    parameter Real peak=1 "Largest stuck torque over torque at speed zero";
    parameter Real kp(unit="1/s")=12 "Gain from angle to speed";
    parameter Real ks(unit="N.m.s/rad")=1500 "Gain from speed to torque, at the joint";
    Modelica.Blocks.Interfaces.RealInput q(unit="rad") "Wanted angle of the joint";
    Modelica.Blocks.Interfaces.RealInput qd(unit="rad/s") "Wanted speed of the joint";
    Rotational.Interfaces.Flange_b flange "To the joint";
    Rotational.Sources.Torque motor "Torque of the motor";
    Rotational.Components.Inertia rotor(J=J, stateSelect=StateSelect.never) "Rotor";
    Rotational.Components.IdealGear gear(ratio=ratio) "Gear without loss";
    Rotational.Components.BearingFriction bearing(
      tau_pos=[0, friction; 1, friction + viscous], peak=peak) "Friction in the joint";
    SI.Power power=motor.tau*rotor.w "Power of the motor";
  equation
    motor.tau = ks/ratio*(kp*(q - bearing.phi) + qd - bearing.w);
    connect(motor.flange, rotor.flange_a);
    connect(rotor.flange_b, gear.flange_a);
    connect(gear.flange_b, bearing.flange_a);
    connect(bearing.flange_b, flange);
  end Drive;

  model Arm "Six links and the load, joined by hinges"
    import Modelica.Units.SI;
    import Modelica.Mechanics.MultiBody;
    import Modelica.Mechanics.Rotational;
    parameter SI.Mass mLoad=15 "Mass of the load";
    parameter SI.Position rLoad[3]={0.1, 0.05, 0.02} "From the last link to the load";
    parameter SI.Angle q0[6]={0, 0, 0, 0, 0, 0} "Angles at the start";
    Rotational.Interfaces.Flange_a axis[6] "Axes of the joints";
    MultiBody.Joints.Revolute joint[6](
      n={{0, 1, 0}, {0, 0, 1}, {0, 0, 1}, {1, 0, 0}, {0, 0, 1}, {1, 0, 0}},
      each useAxisFlange=true,
      each animation=false,
      each stateSelect=StateSelect.always,
      phi(start=q0, each fixed=true),
      each w(start=0, fixed=true)) "Hinges";
    MultiBody.Parts.FixedTranslation base(r={0, 0.4, 0}, animation=false) "Base";
    Link link[6](
      r={{0.2, 0.3, 0}, {0, 0.6, 0}, {0.15, 0.1, 0}, {0.45, 0, 0}, {0.08, 0, 0}, {0.05, 0, 0}},
      r_CM={{0.05, 0.15, 0}, {0.02, 0.25, 0}, {0.05, 0.04, 0.03}, {0.2, 0, 0.01},
        {0.03, 0, 0}, {0.02, 0, 0}},
      m={80, 55, 35, 22, 8, 3},
      I_11={2.1, 2.5, 0.8, 0.1, 0.02, 0.008},
      I_22={2.0, 0.5, 0.7, 0.6, 0.03, 0.006},
      I_33={2.2, 2.6, 1.0, 0.6, 0.03, 0.006},
      I_21={0.3, 0.05, 0.02, 0, 0, 0}) "Links";
    Link load(r={0, 0, 0}, r_CM=rLoad, m=mLoad, I_11=0.06, I_22=0.05, I_33=0.04) "Load";
    SI.Energy kinetic=sum(link.kinetic) + load.kinetic "Kinetic energy";
    SI.Energy potential=sum(link.potential) + load.potential "Potential energy";
  protected
    outer MultiBody.World world "Inertial frame";
  equation
    connect(world.frame_b, base.frame_a);
    connect(base.frame_b, joint[1].frame_a);
    for i in 1:5 loop
      connect(link[i].frame_b, joint[i + 1].frame_a);
    end for;
    for i in 1:6 loop
      connect(joint[i].frame_b, link[i].frame_a);
      connect(axis[i], joint[i].axis);
    end for;
    connect(link[6].frame_b, load.frame_a);
  end Arm;

  model FullRobot "Goes to a place, rests there and comes back"
    import Modelica.Units.SI;
    import Modelica.Mechanics.MultiBody;
    extends Modelica.Icons.Example;
    parameter SI.Angle q0[6]={0, 0.2, -0.4, 0, 0.5, 0} "Angles at the start";
    parameter SI.Angle q1[6]={1.2, -0.5, 0.3, 0.8, 0.5, -1} "Angles to go to";
    parameter Real qd_max[6]={2, 1.5, 2, 4, 4, 6} "Limits of speed";
    parameter Real qdd_max[6]={8, 6, 8, 15, 15, 20} "Limits of acceleration";
    inner MultiBody.World world(enableAnimation=false) "Inertial frame";
    Arm arm(q0=q0) "Mechanics";
    Drive drive[6](
      J={0.0015, 0.0015, 0.0012, 0.0005, 0.0005, 0.0004},
      ratio={120, -150, 100, 80, -75, 60},
      friction={60, 70, 45, 12, 10, 6},
      viscous={30, 30, 20, 5, 4, 3},
      ks={4000, 5000, 2000, 200, 120, 40}) "Drives";
    Modelica.Blocks.Sources.KinematicPTP2 there(
      q_begin=q0, q_end=q1, qd_max=qd_max, qdd_max=qdd_max, startTime=0.2) "First move";
    Modelica.Blocks.Sources.KinematicPTP2 back(
      q_begin=q1, q_end=q0, qd_max=qd_max, qdd_max=qdd_max, startTime=1.8) "Second move";
    SI.Energy work(start=0, fixed=true) "Work of the motors";
    SI.Energy lost(start=0, fixed=true) "Heat of friction";
    SI.Energy stored=arm.kinetic + arm.potential + sum(drive.J*diagonal(drive.rotor.w.^2))/2
      "Kinetic and potential energy";
    Integer stuck=sum({if drive[i].bearing.locked then 1 else 0 for i in 1:6})
      "Number of joints that stick";
  equation
    der(work) = sum(drive.power);
    der(lost) = sum(drive.bearing.lossPower);
    drive.q = there.q + back.q - q1;
    drive.qd = there.qd + back.qd;
    for i in 1:6 loop
      connect(drive[i].flange, arm.axis[i]);
    end for;
    annotation(experiment(StopTime=3.5, Interval=0.005, Tolerance=1e-6));
  end FullRobot;
end RobotR3;
