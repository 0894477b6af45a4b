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

  model RevoluteWithLengthConstraint
    "Hinge whose angle follows from the distance between a point on either side"
    extends Modelica.Mechanics.MultiBody.Interfaces.PartialTwoFrames;
    Modelica.Mechanics.Rotational.Interfaces.Flange_a axis "Flange that drives the joint";
    Modelica.Mechanics.Rotational.Interfaces.Flange_b bearing "Flange that carries the drive";
    Modelica.Blocks.Interfaces.RealInput position_a[3](
      each final quantity="Length", each final unit="m")
      "Point on the first side, along axes of frame_a";
    Modelica.Blocks.Interfaces.RealInput position_b[3](
      each final quantity="Length", each final unit="m")
      "Point on the second side, along axes of frame_b";
    parameter Boolean animation=true "Accepted; nothing is drawn";
    parameter SI.Position lengthConstraint(start=1) "Distance between both points";
    parameter Modelica.Mechanics.MultiBody.Types.Axis n={0, 0, 1}
      "Axis, along axes of frame_a and of frame_b alike" annotation(Evaluate=true);
    parameter Modelica.Units.NonSI.Angle_deg phi_offset=0 "Part of the angle that phi leaves out";
    parameter Modelica.Units.NonSI.Angle_deg phi_guess=0
      "Of both angles at the start, the one closer to this is taken";
    parameter SI.Distance cylinderLength=world.defaultJointLength "Length of the shape";
    parameter SI.Distance cylinderDiameter=world.defaultJointWidth "Diameter of the shape";
    input Types.Color cylinderColor=Modelica.Mechanics.MultiBody.Types.Defaults.JointColor
      "Colour of the shape";
    input Types.SpecularCoefficient specularCoefficient=world.defaultSpecularCoefficient
      "Reflection of light";
    final parameter Boolean positiveBranch(fixed=false) "The root counts as positive";
    final parameter Real e[3](each final unit="1") =
      Modelica.Math.Vectors.normalizeWithAssert(n) "Axis of length 1";
    SI.Angle phi "Angle without the offset";
    Frames.Orientation R_rel "Rotation from frame_a to frame_b";
    SI.Angle angle "Angle of frame_b against frame_a";
    SI.Torque tau "Driving torque about the axis";
  protected
    parameter SI.Angle guess=Modelica.Units.Conversions.from_deg(phi_guess + phi_offset)
      "Guess of the angle";
    // |turn(angle)*position_b - position_a| = lengthConstraint  <=>  along*cos + across*sin = rest
    Real along(final unit="m2") "Factor of the cosine of the angle";
    Real across(final unit="m2") "Factor of the sine of the angle";
    Real rest(final unit="m2") "What both terms add up to";
    Real square(final unit="m4") "Negative where the points cannot have the distance";
    Real root(final unit="m2", start=1) "Square root with the sign of the branch";
  initial equation
    // Both solutions lie on either side of the direction (along, across), by the same angle.
    positiveBranch = along*sin(guess) >= across*cos(guess);
  equation
    Connections.branch(frame_a.R, frame_b.R);
    axis.tau = tau;
    axis.phi = phi;
    bearing.phi = 0;
    phi = angle - Modelica.Units.Conversions.from_deg(phi_offset);
    along = position_a*position_b - (e*position_a)*(e*position_b);
    across = position_a*cross(e, position_b);
    rest = (position_a*position_a + position_b*position_b - lengthConstraint^2)/2
      - (e*position_a)*(e*position_b);
    square = along*along + across*across - rest*rest;
    assert(noEvent(square > 0),
      "the loop does not close: the rods of an assembly are stretched or too short");
    root = (if positiveBranch then 1 else -1)*sqrt(square);
    angle = Modelica.Math.atan2(across*rest + along*root, along*rest - across*root);
    frame_b.r_0 = frame_a.r_0;
    if Connections.rooted(frame_a.R) then
      R_rel = Frames.planarRotation(e, angle, der(angle));
      frame_b.R = Frames.absoluteRotation(frame_a.R, R_rel);
      frame_a.f = -Frames.resolve1(R_rel, frame_b.f);
      frame_a.t = -Frames.resolve1(R_rel, frame_b.t);
    else
      R_rel = Frames.planarRotation(-e, angle, der(angle));
      frame_a.R = Frames.absoluteRotation(frame_b.R, R_rel);
      frame_b.f = -Frames.resolve1(R_rel, frame_a.f);
      frame_b.t = -Frames.resolve1(R_rel, frame_a.t);
    end if;
  end RevoluteWithLengthConstraint;

  model PrismaticWithLengthConstraint
    "Slide whose displacement follows from the distance between a point on either side"
    extends Modelica.Mechanics.MultiBody.Interfaces.PartialTwoFrames;
    Modelica.Mechanics.Translational.Interfaces.Flange_a axis "Flange that drives the joint";
    Modelica.Mechanics.Translational.Interfaces.Flange_b bearing "Flange that carries the drive";
    Modelica.Blocks.Interfaces.RealInput position_a[3](
      each final quantity="Length", each final unit="m")
      "Point on the first side, along axes of frame_a";
    Modelica.Blocks.Interfaces.RealInput position_b[3](
      each final quantity="Length", each final unit="m")
      "Point on the second side, along axes of frame_b";
    parameter Boolean animation=true "Accepted; nothing is drawn";
    parameter SI.Position length(start=1) "Distance between both points";
    parameter Modelica.Mechanics.MultiBody.Types.Axis n={1, 0, 0}
      "Axis, along axes of frame_a" annotation(Evaluate=true);
    parameter SI.Position s_offset=0 "Part of the displacement that s leaves out";
    parameter SI.Position s_guess=0 "Of both values of s at the start, the closer one is taken";
    parameter Types.Axis boxWidthDirection={0, 1, 0} "Direction of the width of the shape";
    parameter SI.Distance boxWidth=world.defaultJointWidth "Width of the shape";
    parameter SI.Distance boxHeight=boxWidth "Height of the shape";
    input Types.Color boxColor=Modelica.Mechanics.MultiBody.Types.Defaults.JointColor
      "Colour of the shape";
    input Types.SpecularCoefficient specularCoefficient=world.defaultSpecularCoefficient
      "Reflection of light";
    final parameter Boolean positiveBranch(fixed=false) "The root counts as positive";
    final parameter Real e[3](each final unit="1") =
      Modelica.Math.Vectors.normalizeWithAssert(n) "Axis of length 1";
    SI.Position s "Displacement without the offset";
    SI.Position distance "Displacement of frame_b from frame_a";
    SI.Position r_rel_a[3] "From frame_a to frame_b, along axes of frame_a";
    SI.Force f "Driving force along the axis";
  protected
    // |e*distance + gap| = length, a quadratic equation in distance
    SI.Position gap[3] "From the first to the second point where distance is zero";
    SI.Position along "Part of the gap along the axis";
    Real square(final unit="m2") "Discriminant, negative where the points cannot have the distance";
    SI.Position root(start=1) "Square root with the sign of the branch";
  initial equation
    // Both solutions lie on either side of -along, by the same distance.
    positiveBranch = s_guess + s_offset + along >= 0;
  equation
    Connections.branch(frame_a.R, frame_b.R);
    axis.f = f;
    axis.s = s;
    bearing.s = 0;
    s = distance - s_offset;
    gap = position_b - position_a;
    along = e*gap;
    square = along*along - gap*gap + length*length;
    assert(noEvent(square > 0),
      "the loop does not close: the rod of an assembly is across its slide or too short");
    root = (if positiveBranch then 1 else -1)*sqrt(square);
    distance = root - along;
    r_rel_a = e*distance;
    frame_b.r_0 = frame_a.r_0 + Frames.resolve1(frame_a.R, r_rel_a);
    frame_b.R = frame_a.R;
    frame_a.f + frame_b.f = zeros(3);
    frame_a.t + frame_b.t + cross(r_rel_a, frame_b.f) = zeros(3);
  end PrismaticWithLengthConstraint;

  partial model RodOnRevolute "Second rod of an assembly, from a hinge to a ball joint"
    extends Interfaces.PartialTwoFramesDoubleSize;
    Modelica.Mechanics.MultiBody.Interfaces.Frame_b frame_ib "Frame of the rod at its hinge";
    Modelica.Mechanics.MultiBody.Interfaces.Frame_b frame_im "Frame of the rod at its ball joint";
    Modelica.Mechanics.Rotational.Interfaces.Flange_a axis "Flange that drives the hinge";
    Modelica.Mechanics.Rotational.Interfaces.Flange_b bearing "Flange that carries the drive";
    parameter Boolean animation=true "Accepted; nothing is drawn";
    parameter Modelica.Mechanics.MultiBody.Types.Axis n_b={0, 0, 1}
      "Axis of the hinge, along axes of frame_b" annotation(Evaluate=true);
    parameter SI.Position rRod2_ib[3]={1, 0, 0}
      "From the hinge to the ball joint, along axes of frame_ib";
    parameter Modelica.Units.NonSI.Angle_deg phi_offset=0 "Part of the angle that phi leaves out";
    parameter Modelica.Units.NonSI.Angle_deg phi_guess=0
      "Of both angles at the start, the one closer to this is taken";
    parameter SI.Diameter sphereDiameter=world.defaultJointLength "Diameter of the balls";
    input Types.Color sphereColor=Modelica.Mechanics.MultiBody.Types.Defaults.JointColor
      "Colour of the balls";
    parameter SI.Diameter rod1Diameter=sphereDiameter/Types.Defaults.JointRodDiameterFraction
      "Diameter of the first rod";
    input Types.Color rod1Color=Modelica.Mechanics.MultiBody.Types.Defaults.RodColor
      "Colour of the first rod";
    parameter SI.Diameter rod2Diameter=rod1Diameter "Diameter of the second rod";
    input Types.Color rod2Color=rod1Color "Colour of the second rod";
    parameter SI.Diameter revoluteDiameter=world.defaultJointWidth "Diameter of the hinge";
    parameter SI.Distance revoluteLength=world.defaultJointLength "Length of the hinge";
    input Types.Color revoluteColor=Modelica.Mechanics.MultiBody.Types.Defaults.JointColor
      "Colour of the hinge";
    input Types.SpecularCoefficient specularCoefficient=world.defaultSpecularCoefficient
      "Reflection of light";
    parameter Boolean checkTotalPower=false "Compute totalPower" annotation(Evaluate=true);
    SI.Position aux "Lever of the force along the first rod about the hinge";
    SI.Force f_rod "Force along the first rod; positive on frame_a where it points to frame_im";
    SI.Power totalPower "Power into the assembly; zero up to errors, if asked for";
    RevoluteWithLengthConstraint revolute(
      animation=animation,
      n=n_b,
      phi_offset=phi_offset,
      phi_guess=phi_guess,
      cylinderDiameter=revoluteDiameter,
      cylinderLength=revoluteLength,
      cylinderColor=revoluteColor,
      specularCoefficient=specularCoefficient) "Hinge";
    Parts.FixedTranslation rod2(
      animation=animation,
      r=rRod2_ib,
      width=rod2Diameter,
      height=rod2Diameter,
      color=rod2Color,
      specularCoefficient=specularCoefficient) "Second rod";
    Sensors.RelativePosition relativePosition(
      resolveInFrame=Modelica.Mechanics.MultiBody.Types.ResolveInFrameAB.frame_a)
      "From the hinge to frame_a";
    Modelica.Blocks.Sources.Constant position_b[3](k=rRod2_ib) "From the hinge to the ball joint";
  protected
    Real eRod_im[3](each final unit="1") "Direction of the first rod, along axes of frame_im";
    SI.Force f_im[3] "Force of the first rod at frame_im without f_rod, along axes of frame_im";
  equation
    // Torques on the second rod about the axis of its hinge: of the drive, of the frames, of the
    // first rod, whose force is f_rod*eRod_im - f_im.
    aux = cross(revolute.e, rRod2_ib)*eRod_im;
    assert(noEvent(abs(aux) > 0), "the loop of an assembly is in a dead point");
    f_rod = -(revolute.tau + revolute.e*(frame_ib.t + frame_im.t
      + cross(rRod2_ib, frame_im.f - f_im)))/aux;
    connect(revolute.frame_a, frame_b);
    connect(revolute.frame_b, rod2.frame_a);
    connect(rod2.frame_a, frame_ib);
    connect(rod2.frame_b, frame_im);
    connect(revolute.axis, axis);
    connect(revolute.bearing, bearing);
    connect(relativePosition.frame_a, frame_b);
    connect(relativePosition.frame_b, frame_a);
    connect(relativePosition.r_rel, revolute.position_a);
    connect(position_b.y, revolute.position_b);
  end RodOnRevolute;

  partial model RodOnPrismatic "Second rod of an assembly, from a slide to a ball joint"
    extends Interfaces.PartialTwoFramesDoubleSize;
    Modelica.Mechanics.MultiBody.Interfaces.Frame_b frame_ib "Frame of the rod at its slide";
    Modelica.Mechanics.MultiBody.Interfaces.Frame_b frame_im "Frame of the rod at its ball joint";
    Modelica.Mechanics.Translational.Interfaces.Flange_a axis "Flange that drives the slide";
    Modelica.Mechanics.Translational.Interfaces.Flange_b bearing "Flange that carries the drive";
    parameter Boolean animation=true "Accepted; nothing is drawn";
    parameter Modelica.Mechanics.MultiBody.Types.Axis n_b={0, 0, 1}
      "Axis of the slide, along axes of frame_b" annotation(Evaluate=true);
    parameter SI.Position rRod2_ib[3]={1, 0, 0}
      "From the slide to the ball joint, along axes of frame_ib";
    parameter SI.Position s_offset=0 "Part of the displacement that s leaves out";
    parameter SI.Position s_guess=0 "Of both values of s at the start, the closer one is taken";
    parameter SI.Diameter sphereDiameter=world.defaultJointLength "Diameter of the balls";
    input Types.Color sphereColor=Modelica.Mechanics.MultiBody.Types.Defaults.JointColor
      "Colour of the balls";
    parameter SI.Diameter rod1Diameter=sphereDiameter/Types.Defaults.JointRodDiameterFraction
      "Diameter of the first rod";
    input Types.Color rod1Color=Modelica.Mechanics.MultiBody.Types.Defaults.RodColor
      "Colour of the first rod";
    parameter SI.Diameter rod2Diameter=rod1Diameter "Diameter of the second rod";
    input Types.Color rod2Color=rod1Color "Colour of the second rod";
    parameter Types.Axis boxWidthDirection={0, 1, 0} "Direction of the width of the slide";
    parameter SI.Distance boxWidth=world.defaultJointWidth "Width of the slide";
    parameter SI.Distance boxHeight=boxWidth "Height of the slide";
    input Types.Color boxColor=Modelica.Mechanics.MultiBody.Types.Defaults.JointColor
      "Colour of the slide";
    input Types.SpecularCoefficient specularCoefficient=world.defaultSpecularCoefficient
      "Reflection of light";
    parameter Boolean checkTotalPower=false "Compute totalPower" annotation(Evaluate=true);
    Real aux "Cosine of the angle between slide and first rod";
    SI.Force f_rod "Force along the first rod; positive on frame_a where it points to frame_im";
    SI.Power totalPower "Power into the assembly; zero up to errors, if asked for";
    PrismaticWithLengthConstraint prismatic(
      animation=animation,
      n=n_b,
      s_offset=s_offset,
      s_guess=s_guess,
      boxWidthDirection=boxWidthDirection,
      boxWidth=boxWidth,
      boxHeight=boxHeight,
      boxColor=boxColor,
      specularCoefficient=specularCoefficient) "Slide";
    Parts.FixedTranslation rod2(
      animation=animation,
      r=rRod2_ib,
      width=rod2Diameter,
      height=rod2Diameter,
      color=rod2Color,
      specularCoefficient=specularCoefficient) "Second rod";
    Sensors.RelativePosition relativePosition(
      resolveInFrame=Modelica.Mechanics.MultiBody.Types.ResolveInFrameAB.frame_a)
      "From the slide to frame_a";
    Modelica.Blocks.Sources.Constant position_b[3](k=rRod2_ib) "From the slide to the ball joint";
  protected
    Real eRod_im[3](each final unit="1") "Direction of the first rod, along axes of frame_im";
    SI.Force f_im[3] "Force of the first rod at frame_im without f_rod, along axes of frame_im";
  equation
    // Forces on the second rod along its slide: of the drive, of the frames, of the first rod,
    // which is f_rod*eRod_im - f_im.
    aux = prismatic.e*eRod_im;
    assert(noEvent(abs(aux) > 0), "the loop of an assembly is in a dead point");
    f_rod = -(prismatic.f + prismatic.e*(frame_ib.f + frame_im.f - f_im))/aux;
    connect(prismatic.frame_a, frame_b);
    connect(prismatic.frame_b, rod2.frame_a);
    connect(rod2.frame_a, frame_ib);
    connect(rod2.frame_b, frame_im);
    connect(prismatic.axis, axis);
    connect(prismatic.bearing, bearing);
    connect(relativePosition.frame_a, frame_b);
    connect(relativePosition.frame_b, frame_a);
    connect(relativePosition.r_rel, prismatic.position_a);
    connect(position_b.y, prismatic.position_b);
  end RodOnPrismatic;

  model RollingConstraintVerticalWheel
    "An upright wheel does not slip on the plane z = 0; a joint keeps its height"
    Modelica.Mechanics.MultiBody.Interfaces.Frame_a frame_a
      "Frame of the wheel in its middle, y along its axis";
    parameter SI.Radius radius "Radius of the wheel";
    parameter Boolean lateralSlidingConstraint=true "The wheel does not slip along its axis either"
      annotation(Evaluate=true);
    SI.Force f_wheel_0[3] "Force of the road on the wheel, along axes of world";
    SI.Force f_lat "Its part along the axis";
    SI.Force f_long "Its part across the axis";
  protected
    Real e_lat_0[3](each final unit="1") "Axis, along axes of world";
    Real e_long_0[3](each final unit="1") "Across the axis in the plane, along axes of world";
    SI.Position rContact_0[3]={0, 0, -radius} "From the middle of the wheel to the road";
    SI.Velocity vContact_0[3] "Velocity of the wheel at the road, along axes of world";
  equation
    e_lat_0 = Frames.resolve1(frame_a.R, {0, 1, 0});
    e_long_0 = cross({0, 0, 1}, e_lat_0);
    vContact_0 = der(frame_a.r_0) + cross(Frames.angularVelocity1(frame_a.R), rContact_0);
    vContact_0*e_long_0 = 0;
    if lateralSlidingConstraint then
      vContact_0*e_lat_0 = 0;
    else
      f_lat = 0;
    end if;
    f_wheel_0 = f_lat*e_lat_0 + f_long*e_long_0;
    frame_a.f = -Frames.resolve2(frame_a.R, f_wheel_0);
    frame_a.t = -Frames.resolve2(frame_a.R, cross(rContact_0, f_wheel_0));
  end RollingConstraintVerticalWheel;
end Internal;
