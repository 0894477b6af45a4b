within Modelica.Mechanics.MultiBody.Sensors;
package Internal "Parts of sensors, not for direct use"
  extends Modelica.Icons.InternalPackage;
  import Modelica.Units.SI;

  partial model PartialAbsoluteSensor "Sensor of one frame"
    extends Modelica.Icons.RoundSensor;
    Modelica.Mechanics.MultiBody.Interfaces.Frame_a frame_a "Frame to be measured";
  end PartialAbsoluteSensor;

  partial model PartialRelativeSensor "Sensor of two frames"
    extends Modelica.Icons.RoundSensor;
    Modelica.Mechanics.MultiBody.Interfaces.Frame_a frame_a "Frame to measure from";
    Modelica.Mechanics.MultiBody.Interfaces.Frame_b frame_b "Frame to measure to";
  end PartialRelativeSensor;

  partial model PartialAbsoluteBaseSensor "Sensor of one frame, without a load"
    extends Modelica.Icons.RoundSensor;
    Modelica.Mechanics.MultiBody.Interfaces.Frame_a frame_a "Frame to be measured";
    Modelica.Mechanics.MultiBody.Interfaces.Frame_resolve frame_resolve "Frame of components";
  equation
    frame_a.f = zeros(3);
    frame_a.t = zeros(3);
    frame_resolve.f = zeros(3);
    frame_resolve.t = zeros(3);
  end PartialAbsoluteBaseSensor;

  partial model PartialRelativeBaseSensor "Sensor of two frames, without a load"
    extends Modelica.Icons.RoundSensor;
    Modelica.Mechanics.MultiBody.Interfaces.Frame_a frame_a "Frame to measure from";
    Modelica.Mechanics.MultiBody.Interfaces.Frame_b frame_b "Frame to measure to";
    Modelica.Mechanics.MultiBody.Interfaces.Frame_resolve frame_resolve "Frame of components";
  equation
    frame_a.f = zeros(3);
    frame_a.t = zeros(3);
    frame_b.f = zeros(3);
    frame_b.t = zeros(3);
    frame_resolve.f = zeros(3);
    frame_resolve.t = zeros(3);
  end PartialRelativeBaseSensor;

  model BasicTransformAbsoluteVector "Components of a vector along other axes, one frame at hand"
    extends PartialAbsoluteBaseSensor;
    parameter Modelica.Mechanics.MultiBody.Types.ResolveInFrameA frame_r_in=
      Modelica.Mechanics.MultiBody.Types.ResolveInFrameA.frame_a "Frame of r_in"
      annotation(Evaluate=true);
    parameter Modelica.Mechanics.MultiBody.Types.ResolveInFrameA frame_r_out=frame_r_in
      "Frame of r_out" annotation(Evaluate=true);
    Modelica.Blocks.Interfaces.RealInput r_in[3] "Given components";
    Modelica.Blocks.Interfaces.RealOutput r_out[3] "Wanted components";
  protected
    Real r_0[3] "Components along axes of world";
  equation
    if frame_r_out == frame_r_in then
      r_0 = zeros(3);
      r_out = r_in;
    else
      r_0 = if frame_r_in == Types.ResolveInFrameA.world then r_in
        elseif frame_r_in == Types.ResolveInFrameA.frame_a then Frames.resolve1(frame_a.R, r_in)
        else Frames.resolve1(frame_resolve.R, r_in);
      r_out = if frame_r_out == Types.ResolveInFrameA.world then r_0
        elseif frame_r_out == Types.ResolveInFrameA.frame_a then Frames.resolve2(frame_a.R, r_0)
        else Frames.resolve2(frame_resolve.R, r_0);
    end if;
  end BasicTransformAbsoluteVector;

  model BasicTransformRelativeVector "Components of a vector along other axes, two frames at hand"
    extends PartialRelativeBaseSensor;
    parameter Modelica.Mechanics.MultiBody.Types.ResolveInFrameAB frame_r_in=
      Modelica.Mechanics.MultiBody.Types.ResolveInFrameAB.frame_a "Frame of r_in"
      annotation(Evaluate=true);
    parameter Modelica.Mechanics.MultiBody.Types.ResolveInFrameAB frame_r_out=frame_r_in
      "Frame of r_out" annotation(Evaluate=true);
    Modelica.Blocks.Interfaces.RealInput r_in[3] "Given components";
    Modelica.Blocks.Interfaces.RealOutput r_out[3] "Wanted components";
  protected
    Real r_0[3] "Components along axes of world";
  equation
    if frame_r_out == frame_r_in then
      r_0 = zeros(3);
      r_out = r_in;
    else
      r_0 = if frame_r_in == Types.ResolveInFrameAB.world then r_in
        elseif frame_r_in == Types.ResolveInFrameAB.frame_a then Frames.resolve1(frame_a.R, r_in)
        elseif frame_r_in == Types.ResolveInFrameAB.frame_b then Frames.resolve1(frame_b.R, r_in)
        else Frames.resolve1(frame_resolve.R, r_in);
      r_out = if frame_r_out == Types.ResolveInFrameAB.world then r_0
        elseif frame_r_out == Types.ResolveInFrameAB.frame_a then Frames.resolve2(frame_a.R, r_0)
        elseif frame_r_out == Types.ResolveInFrameAB.frame_b then Frames.resolve2(frame_b.R, r_0)
        else Frames.resolve2(frame_resolve.R, r_0);
    end if;
  end BasicTransformRelativeVector;

  model BasicAbsolutePosition "Position of a frame"
    extends PartialAbsoluteBaseSensor;
    Modelica.Blocks.Interfaces.RealOutput r[3](
      each final quantity="Length", each final unit="m") "Position";
    parameter Modelica.Mechanics.MultiBody.Types.ResolveInFrameA resolveInFrame=
      Modelica.Mechanics.MultiBody.Types.ResolveInFrameA.frame_a "Frame of the components"
      annotation(Evaluate=true);
  equation
    r = if resolveInFrame == Types.ResolveInFrameA.world then frame_a.r_0
      elseif resolveInFrame == Types.ResolveInFrameA.frame_a then
        Frames.resolve2(frame_a.R, frame_a.r_0)
      else Frames.resolve2(frame_resolve.R, frame_a.r_0);
  end BasicAbsolutePosition;

  model BasicAbsoluteAngularVelocity "Angular velocity of a frame"
    extends PartialAbsoluteBaseSensor;
    Modelica.Blocks.Interfaces.RealOutput w[3](
      each final quantity="AngularVelocity", each final unit="rad/s") "Angular velocity";
    parameter Modelica.Mechanics.MultiBody.Types.ResolveInFrameA resolveInFrame=
      Modelica.Mechanics.MultiBody.Types.ResolveInFrameA.frame_a "Frame of the components"
      annotation(Evaluate=true);
  equation
    w = if resolveInFrame == Types.ResolveInFrameA.world then Frames.angularVelocity1(frame_a.R)
      elseif resolveInFrame == Types.ResolveInFrameA.frame_a then
        Frames.angularVelocity2(frame_a.R)
      else Frames.resolveRelative(frame_a.R.w, frame_a.R, frame_resolve.R);
  end BasicAbsoluteAngularVelocity;

  model BasicRelativePosition "Position of one frame against another"
    extends PartialRelativeBaseSensor;
    Modelica.Blocks.Interfaces.RealOutput r_rel[3](
      each final quantity="Length", each final unit="m") "Position";
    parameter Modelica.Mechanics.MultiBody.Types.ResolveInFrameAB resolveInFrame=
      Modelica.Mechanics.MultiBody.Types.ResolveInFrameAB.frame_a "Frame of the components"
      annotation(Evaluate=true);
  protected
    SI.Position r_0[3]=frame_b.r_0 - frame_a.r_0 "Along axes of world";
  equation
    r_rel = if resolveInFrame == Types.ResolveInFrameAB.world then r_0
      elseif resolveInFrame == Types.ResolveInFrameAB.frame_a then Frames.resolve2(frame_a.R, r_0)
      elseif resolveInFrame == Types.ResolveInFrameAB.frame_b then Frames.resolve2(frame_b.R, r_0)
      else Frames.resolve2(frame_resolve.R, r_0);
  end BasicRelativePosition;

  model BasicRelativeAngularVelocity "Angular velocity of one frame against another"
    extends PartialRelativeBaseSensor;
    Modelica.Blocks.Interfaces.RealOutput w_rel[3](
      each final quantity="AngularVelocity", each final unit="rad/s") "Angular velocity";
    parameter Modelica.Mechanics.MultiBody.Types.ResolveInFrameAB resolveInFrame=
      Modelica.Mechanics.MultiBody.Types.ResolveInFrameAB.frame_a "Frame of the components"
      annotation(Evaluate=true);
  protected
    Modelica.Mechanics.MultiBody.Frames.Orientation R_rel "Rotation from frame_a to frame_b";
  equation
    R_rel = Frames.relativeRotation(frame_a.R, frame_b.R);
    w_rel = if resolveInFrame == Types.ResolveInFrameAB.world then
        Frames.resolve1(frame_b.R, R_rel.w)
      elseif resolveInFrame == Types.ResolveInFrameAB.frame_a then Frames.angularVelocity1(R_rel)
      elseif resolveInFrame == Types.ResolveInFrameAB.frame_b then Frames.angularVelocity2(R_rel)
      else Frames.resolveRelative(R_rel.w, frame_b.R, frame_resolve.R);
  end BasicRelativeAngularVelocity;

  partial model PartialCutForceBaseSensor "Rigid joint of two frames, to be looked into"
    extends Modelica.Icons.RoundSensor;
    Modelica.Mechanics.MultiBody.Interfaces.Frame_a frame_a "First side of the cut";
    Modelica.Mechanics.MultiBody.Interfaces.Frame_b frame_b "Second side of the cut";
    Modelica.Mechanics.MultiBody.Interfaces.Frame_resolve frame_resolve "Frame of components";
    parameter Modelica.Mechanics.MultiBody.Types.ResolveInFrameA resolveInFrame=
      Modelica.Mechanics.MultiBody.Types.ResolveInFrameA.frame_a "Frame of the components"
      annotation(Evaluate=true);
  protected
    outer Modelica.Mechanics.MultiBody.World world "Inertial frame";
  equation
    Connections.branch(frame_a.R, frame_b.R);
    frame_b.r_0 = frame_a.r_0;
    frame_b.R = frame_a.R;
    frame_a.f + frame_b.f = zeros(3);
    frame_a.t + frame_b.t = zeros(3);
    frame_resolve.f = zeros(3);
    frame_resolve.t = zeros(3);
  end PartialCutForceBaseSensor;

  partial model PartialCutForceSensor "Sensor between two frames that move as one"
    extends Modelica.Icons.RoundSensor;
    Modelica.Mechanics.MultiBody.Interfaces.Frame_a frame_a "First side of the cut";
    Modelica.Mechanics.MultiBody.Interfaces.Frame_b frame_b "Second side of the cut";
    Modelica.Mechanics.MultiBody.Interfaces.Frame_resolve frame_resolve if
      resolveInFrame == Modelica.Mechanics.MultiBody.Types.ResolveInFrameA.frame_resolve
      "Frame of the components, if asked for";
    parameter Modelica.Mechanics.MultiBody.Types.ResolveInFrameA resolveInFrame=
      Modelica.Mechanics.MultiBody.Types.ResolveInFrameA.frame_a "Frame of the components"
      annotation(Evaluate=true);
  protected
    outer Modelica.Mechanics.MultiBody.World world "Inertial frame";
  end PartialCutForceSensor;

  model BasicCutForce "Force between two frames that move as one"
    extends PartialCutForceBaseSensor;
    Modelica.Blocks.Interfaces.RealOutput force[3](
      each final quantity="Force", each final unit="N") "Force";
    parameter Boolean positiveSign=true "Force with the sign of frame_a.f, else opposite";
  protected
    parameter Integer side=if positiveSign then 1 else -1 "Sign of the output";
  equation
    force = side*(if resolveInFrame == Types.ResolveInFrameA.world then
        Frames.resolve1(frame_a.R, frame_a.f)
      elseif resolveInFrame == Types.ResolveInFrameA.frame_a then frame_a.f
      else Frames.resolveRelative(frame_a.f, frame_a.R, frame_resolve.R));
  end BasicCutForce;

  model BasicCutTorque "Torque between two frames that move as one"
    extends PartialCutForceBaseSensor;
    Modelica.Blocks.Interfaces.RealOutput torque[3](
      each final quantity="Torque", each final unit="N.m") "Torque";
    parameter Boolean positiveSign=true "Torque with the sign of frame_a.t, else opposite";
  protected
    parameter Integer side=if positiveSign then 1 else -1 "Sign of the output";
  equation
    torque = side*(if resolveInFrame == Types.ResolveInFrameA.world then
        Frames.resolve1(frame_a.R, frame_a.t)
      elseif resolveInFrame == Types.ResolveInFrameA.frame_a then frame_a.t
      else Frames.resolveRelative(frame_a.t, frame_a.R, frame_resolve.R));
  end BasicCutTorque;
end Internal;
