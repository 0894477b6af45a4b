within Modelica.Mechanics.MultiBody;
package Interfaces "Frames and bases of components"
  extends Modelica.Icons.InterfacesPackage;
  import Modelica.Units.SI;

  connector Frame "Place and orientation, with the force and torque that act there"
    SI.Position r_0[3] "From the origin of world to the frame, along axes of world";
    Frames.Orientation R "Rotation from world to the frame";
    flow SI.Force f[3] "Force on the component, along axes of the frame";
    flow SI.Torque t[3] "Torque on the component, along axes of the frame";
  end Frame;

  connector Frame_a "First frame of a component"
    extends Frame;
  end Frame_a;

  connector Frame_b "Second frame of a component"
    extends Frame;
  end Frame_b;

  connector Frame_resolve "Frame whose axes give the components of a vector"
    extends Frame;
  end Frame_resolve;

  connector FlangeWithBearing "Shaft with, on demand, the frame of its bearing"
    parameter Boolean includeBearingConnector=false "Offer the frame"
      annotation(Evaluate=true, HideResult=true);
    Modelica.Mechanics.Rotational.Interfaces.Flange_a flange "Shaft";
    Modelica.Mechanics.MultiBody.Interfaces.Frame bearingFrame if includeBearingConnector
      "Bearing";
  end FlangeWithBearing;

  model FlangeWithBearingAdaptor "Takes a shaft and the frame of its bearing apart"
    parameter Boolean includeBearingConnector=false "Offer the frame"
      annotation(Evaluate=true, HideResult=true);
    Modelica.Mechanics.MultiBody.Interfaces.FlangeWithBearing flangeAndFrame(
      includeBearingConnector=includeBearingConnector) "Both";
    Modelica.Mechanics.Rotational.Interfaces.Flange_b flange "Shaft";
    Frame_a frame if includeBearingConnector "Bearing";
  equation
    connect(flange, flangeAndFrame.flange);
    connect(frame, flangeAndFrame.bearingFrame);
  end FlangeWithBearingAdaptor;

  partial model PartialTwoFrames "Two frames"
    Interfaces.Frame_a frame_a "First frame";
    Interfaces.Frame_b frame_b "Second frame";
  protected
    outer Modelica.Mechanics.MultiBody.World world "Inertial frame";
  end PartialTwoFrames;

  partial model PartialTwoFramesDoubleSize "Two frames of a larger component"
    Interfaces.Frame_a frame_a "First frame";
    Interfaces.Frame_b frame_b "Second frame";
  protected
    outer Modelica.Mechanics.MultiBody.World world "Inertial frame";
  end PartialTwoFramesDoubleSize;

  partial model PartialOneFrame_a "One frame"
    Interfaces.Frame_a frame_a "Frame";
  protected
    outer Modelica.Mechanics.MultiBody.World world "Inertial frame";
  end PartialOneFrame_a;

  partial model PartialOneFrame_b "One frame"
    Interfaces.Frame_b frame_b "Frame";
  protected
    outer Modelica.Mechanics.MultiBody.World world "Inertial frame";
  end PartialOneFrame_b;

  partial model PartialElementaryJoint "Two frames, the orientation of one follows from the other"
    Interfaces.Frame_a frame_a "First frame";
    Interfaces.Frame_b frame_b "Second frame";
  protected
    outer Modelica.Mechanics.MultiBody.World world "Inertial frame";
  equation
    Connections.branch(frame_a.R, frame_b.R);
  end PartialElementaryJoint;

  partial model PartialForce "Force and torque between two frames; frame_a takes the reaction"
    extends PartialTwoFrames;
    SI.Position r_rel_b[3] "From frame_a to frame_b, along axes of frame_b";
  protected
    SI.Force f_a[3] "Reaction on frame_a, along axes of frame_b";
    SI.Torque t_a[3] "Reaction on frame_a, along axes of frame_b";
  equation
    r_rel_b = Frames.resolve2(frame_b.R, frame_b.r_0 - frame_a.r_0);
    f_a = -frame_b.f;
    t_a = -frame_b.t - cross(r_rel_b, frame_b.f);
    frame_a.f = Frames.resolveRelative(f_a, frame_b.R, frame_a.R);
    frame_a.t = Frames.resolveRelative(t_a, frame_b.R, frame_a.R);
  end PartialForce;

  partial model LineForceBase "Line between two frames, which no torque turns"
    extends PartialTwoFrames;
    parameter SI.Distance s_small=1e-10 "Shorter lines count as this long in divisions";
    parameter Boolean fixedRotationAtFrame_a=false "This line fixes the orientation of frame_a"
      annotation(Evaluate=true);
    parameter Boolean fixedRotationAtFrame_b=false "This line fixes the orientation of frame_b"
      annotation(Evaluate=true);
    SI.Distance length "Length of the line";
    SI.Position s "The same, at least s_small";
    SI.Position r_rel_0[3] "From frame_a to frame_b, along axes of world";
    Real e_rel_0[3](each final unit="1") "Direction from frame_a to frame_b, along axes of world";
  equation
    r_rel_0 = frame_b.r_0 - frame_a.r_0;
    length = Modelica.Math.Vectors.length(r_rel_0);
    s = Frames.Internal.maxWithoutEvent(length, s_small);
    e_rel_0 = r_rel_0/s;
    if fixedRotationAtFrame_a then
      Connections.root(frame_a.R);
      frame_a.R = Frames.nullRotation();
    else
      frame_a.t = zeros(3);
    end if;
    if fixedRotationAtFrame_b then
      Connections.root(frame_b.R);
      frame_b.R = Frames.nullRotation();
    else
      frame_b.t = zeros(3);
    end if;
  end LineForceBase;

  partial model PartialLineForce "Force along the line between two frames"
    extends LineForceBase;
    SI.Position r_rel_a[3] "From frame_a to frame_b, along axes of frame_a";
    Real e_a[3](each final unit="1") "Direction from frame_a to frame_b, along axes of frame_a";
    SI.Force f "Force that pulls the frames together, if positive";
  equation
    r_rel_a = Frames.resolve2(frame_a.R, r_rel_0);
    e_a = r_rel_a/s;
    frame_a.f = -e_a*f;
    frame_b.f = -Frames.resolveRelative(frame_a.f, frame_a.R, frame_b.R);
  end PartialLineForce;

  partial model PartialAbsoluteSensor "Signals of one frame"
    extends Modelica.Icons.RoundSensor;
    parameter Integer n_out=1 "Number of signals";
    Interfaces.Frame_a frame_a "Frame to be measured";
    Modelica.Blocks.Interfaces.RealOutput y[n_out] "Signals";
  protected
    outer Modelica.Mechanics.MultiBody.World world "Inertial frame";
  end PartialAbsoluteSensor;

  partial model PartialRelativeSensor "Signals of two frames"
    extends Modelica.Icons.RoundSensor;
    parameter Integer n_out=1 "Number of signals";
    Interfaces.Frame_a frame_a "Frame to measure from";
    Interfaces.Frame_b frame_b "Frame to measure to";
    Modelica.Blocks.Interfaces.RealOutput y[n_out] "Signals";
  protected
    outer Modelica.Mechanics.MultiBody.World world "Inertial frame";
  end PartialRelativeSensor;

  partial model PartialVisualizer "One frame without a load"
    Interfaces.Frame_a frame_a "Frame";
  protected
    outer Modelica.Mechanics.MultiBody.World world "Inertial frame";
  end PartialVisualizer;

  model ZeroPosition "Gives frame_resolve the place and the axes of world"
    extends Modelica.Blocks.Icons.Block;
    Interfaces.Frame_resolve frame_resolve "Frame";
  equation
    Connections.root(frame_resolve.R);
    frame_resolve.R = Frames.nullRotation();
    frame_resolve.r_0 = zeros(3);
  end ZeroPosition;

  partial function partialGravityAcceleration "Acceleration of free fall by position"
    extends Modelica.Icons.Function;
    input SI.Position r[3] "Position, along axes of world";
    output SI.Acceleration gravity[3] "Acceleration, along axes of world";
  end partialGravityAcceleration;

  partial function partialSurfaceCharacteristic "Points of a surface by two parameters"
    extends Modelica.Icons.Function;
    input Integer nu "Number of points in the first direction";
    input Integer nv "Number of points in the second direction";
    input Boolean multiColoredSurface=false "Each point has its own colour";
    output SI.Position X[nu, nv] "First coordinates";
    output SI.Position Y[nu, nv] "Second coordinates";
    output SI.Position Z[nu, nv] "Third coordinates";
    output Real C[if multiColoredSurface then nu else 0,
                  if multiColoredSurface then nv else 0, 3] "Colours";
  end partialSurfaceCharacteristic;

  partial function partialColorMap "Table of colours"
    extends Modelica.Icons.Function;
    input Integer n_colors=64 "Number of colours";
    output Real colorMap[n_colors, 3] "Red, green, blue in each row";
  end partialColorMap;
end Interfaces;
