within Modelica.Mechanics.MultiBody.Joints;
package Internal "Parts of joints, not for direct use"
  extends Modelica.Icons.InternalPackage;
  import Modelica.Units.SI;

  function power "Power of force and torque at a frame"
    extends Modelica.Icons.Function;
    input Frames.Orientation R "Orientation of the frame";
    input SI.Force f[3] "Force, along axes of the frame";
    input SI.Torque t[3] "Torque, along axes of the frame";
    input SI.Velocity v_0[3] "Velocity of the frame, along axes of world";
    output SI.Power P "Power";
  algorithm
    P := f*Frames.resolve2(R, v_0) + t*R.w;
    annotation(Inline=true);
  end power;

  model InitPosition "Position of one point against another, along axes of the first frame"
    extends Modelica.Blocks.Icons.Block;
    input SI.Position r_a_0[3] "First point, along axes of world";
    input SI.Position r_b_0[3] "Second point, along axes of world";
    input Frames.Orientation R_a "Orientation of the first frame";
    Modelica.Blocks.Interfaces.RealOutput r_rel_a[3](
      each final quantity="Length", each final unit="m") "From first to second point";
  equation
    r_rel_a = Frames.resolve2(R_a, r_b_0 - r_a_0);
  end InitPosition;

  model InitAngle "Three angles give the orientation of one frame against the other"
    extends Modelica.Blocks.Icons.Block;
    parameter Types.RotationSequence sequence_start={1, 2, 3} "Axes of the angles"
      annotation(Evaluate=true);
    Interfaces.Frame_a frame_a "First frame";
    Interfaces.Frame_b frame_b "Second frame";
    Frames.Orientation R_rel "Rotation from frame_a to frame_b";
    Frames.Orientation R_rel_inv "Rotation from frame_b to frame_a, where that is needed";
    Modelica.Blocks.Interfaces.RealOutput angle[3](
      each final quantity="Angle", each final unit="rad") "Angles";
  equation
    Connections.branch(frame_a.R, frame_b.R);
    R_rel = Frames.axesRotations(sequence_start, angle, der(angle));
    if Connections.rooted(frame_a.R) then
      R_rel_inv = Frames.nullRotation();
      frame_b.R = Frames.absoluteRotation(frame_a.R, R_rel);
    else
      R_rel_inv = Frames.inverseRotation(R_rel);
      frame_a.R = Frames.absoluteRotation(frame_b.R, R_rel_inv);
    end if;
    frame_a.f = zeros(3);
    frame_a.t = zeros(3);
    frame_b.f = zeros(3);
    frame_b.t = zeros(3);
  end InitAngle;

  model InitAngularVelocity "Angular velocity of one frame against another"
    extends Modelica.Blocks.Icons.Block;
    input Frames.Orientation R_a "Orientation of the first frame";
    input Frames.Orientation R_b "Orientation of the second frame";
    Modelica.Blocks.Interfaces.RealOutput w_rel_b[3](
      each final quantity="AngularVelocity", each final unit="rad/s")
      "Angular velocity, along axes of the second frame";
  equation
    w_rel_b = Frames.angularVelocity2(R_b) - Frames.resolve2(R_b, Frames.angularVelocity1(R_a));
  end InitAngularVelocity;
end Internal;
