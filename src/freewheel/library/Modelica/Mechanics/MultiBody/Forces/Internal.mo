within Modelica.Mechanics.MultiBody.Forces;
package Internal "Parts of forces, not for direct use"
  extends Modelica.Icons.InternalPackage;
  import Modelica.Units.SI;

  function standardGravityAcceleration "No gravity, uniform gravity or that of a mass in the origin"
    extends Modelica.Icons.Function;
    extends Modelica.Mechanics.MultiBody.Interfaces.partialGravityAcceleration;
    import Modelica.Mechanics.MultiBody.Types.GravityTypes;
    input GravityTypes gravityType "Kind of gravity";
    input SI.Acceleration g[3] "Acceleration of uniform gravity";
    input Real mu(unit="m3/s2") "Gravitational constant times mass in the origin";
  algorithm
    gravity := if gravityType == GravityTypes.UniformGravity then g
      else if gravityType == GravityTypes.PointGravity then -mu*r/((r*r)*sqrt(r*r))
      else zeros(3);
    annotation(Inline=true);
  end standardGravityAcceleration;

  model ZeroForceAndTorque "Frame without a load"
    extends Modelica.Blocks.Icons.Block;
    Interfaces.Frame_a frame_a "Frame";
  equation
    frame_a.f = zeros(3);
    frame_a.t = zeros(3);
  end ZeroForceAndTorque;

  model BasicWorldForce "Force on a frame, components given by a signal"
    extends Interfaces.PartialOneFrame_b;
    Interfaces.Frame_resolve frame_resolve "Frame of the components, if asked for";
    Modelica.Blocks.Interfaces.RealInput force[3](
      each final quantity="Force", each final unit="N") "Force";
    parameter Modelica.Mechanics.MultiBody.Types.ResolveInFrameB resolveInFrame=
      Modelica.Mechanics.MultiBody.Types.ResolveInFrameB.world "Frame of the components"
      annotation(Evaluate=true);
  equation
    if resolveInFrame == Types.ResolveInFrameB.world then
      frame_b.f = -Frames.resolve2(frame_b.R, force);
    elseif resolveInFrame == Types.ResolveInFrameB.frame_b then
      frame_b.f = -force;
    else
      frame_b.f = -Frames.resolveRelative(force, frame_resolve.R, frame_b.R);
    end if;
    frame_b.t = zeros(3);
    frame_resolve.f = zeros(3);
    frame_resolve.t = zeros(3);
  end BasicWorldForce;

  model BasicWorldTorque "Torque on a frame, components given by a signal"
    extends Interfaces.PartialOneFrame_b;
    Interfaces.Frame_resolve frame_resolve "Frame of the components, if asked for";
    Modelica.Blocks.Interfaces.RealInput torque[3](
      each final quantity="Torque", each final unit="N.m") "Torque";
    parameter Modelica.Mechanics.MultiBody.Types.ResolveInFrameB resolveInFrame=
      Modelica.Mechanics.MultiBody.Types.ResolveInFrameB.world "Frame of the components"
      annotation(Evaluate=true);
  equation
    if resolveInFrame == Types.ResolveInFrameB.world then
      frame_b.t = -Frames.resolve2(frame_b.R, torque);
    elseif resolveInFrame == Types.ResolveInFrameB.frame_b then
      frame_b.t = -torque;
    else
      frame_b.t = -Frames.resolveRelative(torque, frame_resolve.R, frame_b.R);
    end if;
    frame_b.f = zeros(3);
    frame_resolve.f = zeros(3);
    frame_resolve.t = zeros(3);
  end BasicWorldTorque;

  model BasicForce "Force between two frames, components given by a signal"
    extends Modelica.Mechanics.MultiBody.Interfaces.PartialTwoFrames;
    Interfaces.Frame_resolve frame_resolve "Frame of the components, if asked for";
    Modelica.Blocks.Interfaces.RealInput force[3](
      each final quantity="Force", each final unit="N") "Force on frame_b";
    parameter Modelica.Mechanics.MultiBody.Types.ResolveInFrameAB resolveInFrame=
      Modelica.Mechanics.MultiBody.Types.ResolveInFrameAB.frame_b "Frame of the components"
      annotation(Evaluate=true);
    SI.Position r_0[3] "From frame_a to frame_b, along axes of world";
    SI.Force f_b_0[3] "Force on the frame_b side, along axes of world, with the sign of frame_b.f";
  equation
    r_0 = frame_b.r_0 - frame_a.r_0;
    if resolveInFrame == Types.ResolveInFrameAB.world then
      f_b_0 = -force;
    elseif resolveInFrame == Types.ResolveInFrameAB.frame_a then
      f_b_0 = -Frames.resolve1(frame_a.R, force);
    elseif resolveInFrame == Types.ResolveInFrameAB.frame_b then
      f_b_0 = -Frames.resolve1(frame_b.R, force);
    else
      f_b_0 = -Frames.resolve1(frame_resolve.R, force);
    end if;
    frame_b.f = Frames.resolve2(frame_b.R, f_b_0);
    frame_b.t = zeros(3);
    // The pair of forces must not turn the whole: frame_a takes the moment as well.
    frame_a.f = -Frames.resolve2(frame_a.R, f_b_0);
    frame_a.t = -Frames.resolve2(frame_a.R, cross(r_0, f_b_0));
    frame_resolve.f = zeros(3);
    frame_resolve.t = zeros(3);
  end BasicForce;

  model BasicTorque "Torque between two frames, components given by a signal"
    extends Modelica.Mechanics.MultiBody.Interfaces.PartialTwoFrames;
    Interfaces.Frame_resolve frame_resolve "Frame of the components, if asked for";
    Modelica.Blocks.Interfaces.RealInput torque[3](
      each final quantity="Torque", each final unit="N.m") "Torque on frame_b";
    parameter Modelica.Mechanics.MultiBody.Types.ResolveInFrameAB resolveInFrame=
      Modelica.Mechanics.MultiBody.Types.ResolveInFrameAB.frame_b "Frame of the components"
      annotation(Evaluate=true);
    SI.Position r_0[3] "From frame_a to frame_b, along axes of world";
    SI.Torque t_b_0[3] "Torque on the frame_b side, along axes of world, with the sign of frame_b.t";
  equation
    r_0 = frame_b.r_0 - frame_a.r_0;
    if resolveInFrame == Types.ResolveInFrameAB.world then
      t_b_0 = -torque;
    elseif resolveInFrame == Types.ResolveInFrameAB.frame_a then
      t_b_0 = -Frames.resolve1(frame_a.R, torque);
    elseif resolveInFrame == Types.ResolveInFrameAB.frame_b then
      t_b_0 = -Frames.resolve1(frame_b.R, torque);
    else
      t_b_0 = -Frames.resolve1(frame_resolve.R, torque);
    end if;
    frame_b.f = zeros(3);
    frame_b.t = Frames.resolve2(frame_b.R, t_b_0);
    frame_a.f = zeros(3);
    frame_a.t = -Frames.resolve2(frame_a.R, t_b_0);
    frame_resolve.f = zeros(3);
    frame_resolve.t = zeros(3);
  end BasicTorque;
end Internal;
