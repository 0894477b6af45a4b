within Modelica.Mechanics.MultiBody.Joints.Assemblies;
model JointUPS "Rod of variable length with universal joint at frame_a and ball joint at frame_b"
  extends Interfaces.PartialTwoFramesDoubleSize;
  Modelica.Mechanics.MultiBody.Interfaces.Frame_a frame_ia "Frame of the rod at frame_a";
  Modelica.Mechanics.MultiBody.Interfaces.Frame_b frame_ib "Frame of the rod at frame_b";
  Modelica.Mechanics.Translational.Interfaces.Flange_a axis "Flange that drives the length";
  Modelica.Mechanics.Translational.Interfaces.Flange_b bearing "Flange that carries the drive";
  parameter Boolean animation=true "Accepted; nothing is drawn";
  parameter Boolean showUniversalAxes=true "Accepted; nothing is drawn";
  parameter Modelica.Mechanics.MultiBody.Types.Axis n1_a={0, 0, 1}
    "First axis of the universal joint, along axes of frame_a" annotation(Evaluate=true);
  parameter SI.Position nAxis_ia[3]={1, 0, 0}
    "Direction from frame_a to frame_b, along axes of frame_ia" annotation(Evaluate=true);
  parameter SI.Position s_offset=0 "Part of the length that s leaves out";
  parameter SI.Diameter sphereDiameter=world.defaultJointLength "Diameter of the balls";
  input Types.Color sphereColor=Modelica.Mechanics.MultiBody.Types.Defaults.JointColor
    "Colour of the balls";
  parameter SI.Diameter axisDiameter=sphereDiameter/Types.Defaults.JointRodDiameterFraction
    "Diameter of the rod";
  input Types.Color axisColor=Modelica.Mechanics.MultiBody.Types.Defaults.SensorColor
    "Colour of the rod";
  input Types.SpecularCoefficient specularCoefficient=world.defaultSpecularCoefficient
    "Reflection of light";
  parameter SI.Distance cylinderLength=world.defaultJointLength "Length of the axes";
  parameter SI.Distance cylinderDiameter=world.defaultJointWidth "Diameter of the axes";
  input Types.Color cylinderColor=Modelica.Mechanics.MultiBody.Types.Defaults.JointColor
    "Colour of the axes";
  parameter Boolean checkTotalPower=false "Compute totalPower" annotation(Evaluate=true);
  final parameter Real eAxis_ia[3](each final unit="1") =
    Modelica.Math.Vectors.normalizeWithAssert(nAxis_ia) "Direction of the rod";
  final parameter Real e2_ia[3](each final unit="1") =
    Modelica.Math.Vectors.normalizeWithAssert(cross(n1_a, eAxis_ia))
    "Second axis of the universal joint, along axes of frame_ia";
  final parameter Real e3_ia[3](each final unit="1") = cross(eAxis_ia, e2_ia)
    "Across rod and second axis, along axes of frame_ia";
  SI.Position s "Length without the offset";
  SI.Force f "Driving force along the rod";
  SI.Length axisLength "Distance between frame_a and frame_b";
  SI.Power totalPower "Power into the assembly; zero up to errors, if asked for";
protected
  parameter Real e1[3](each final unit="1") = Modelica.Math.Vectors.normalizeWithAssert(n1_a)
    "First axis of length 1" annotation(Evaluate=true);
  SI.Position rAxis_0[3](start=nAxis_ia) "From frame_a to frame_b, along axes of world";
  SI.Position rAxis_a[3](start=nAxis_ia) "From frame_a to frame_b, along axes of frame_a";
  Real eAxis_a[3](each final unit="1", start=eAxis_ia) "Direction of the rod, along axes of frame_a";
  Real across[3](each final unit="1") "Across first axis and rod";
  Real sine(final unit="1", start=1) "Sine of the angle between first axis and rod";
  Real e2_a[3](each final unit="1") "Second axis, along axes of frame_a";
  Real e3_a[3](each final unit="1") "Across rod and second axis, along axes of frame_a";
  Real turning[3](each final unit="1/s") "Velocity of frame_b against frame_a by length";
  SI.AngularVelocity w_axes[3] "Angular velocity along rod, second axis and across both";
  Frames.Orientation R_rel "Rotation from frame_a to frame_ia";
  SI.Torque t_rod_a[3] "Torque of frame_ia and frame_ib, along axes of frame_a";
  SI.Force f_end_a[3] "Force at frame_b and frame_ib, along axes of frame_a";
equation
  Connections.branch(frame_a.R, frame_ia.R);
  Connections.branch(frame_ia.R, frame_ib.R);
  axis.f = f;
  axis.s = s;
  bearing.s = 0;
  s = axisLength - s_offset;
  rAxis_0 = frame_b.r_0 - frame_a.r_0;
  rAxis_a = Frames.resolve2(frame_a.R, rAxis_0);
  axisLength = sqrt(rAxis_0*rAxis_0);
  assert(noEvent(axisLength > 1e-15), "the rod of an assembly has no length");
  eAxis_a = rAxis_a/axisLength;
  across = cross(e1, eAxis_a);
  sine = sqrt(across*across);
  assert(noEvent(sine > 1e-10), "the rod is parallel to the first axis of its universal joint");
  e2_a = across/sine;
  e3_a = cross(eAxis_a, e2_a);
  // The triad of rod, second axis and third direction turns: its speed from that of frame_b.
  turning = der(rAxis_a)/axisLength;
  w_axes = {(e1*eAxis_a)*(turning*e2_a)/sine, -turning*e3_a, turning*e2_a};
  R_rel = Frames.from_T(
    [eAxis_ia, e2_ia, e3_ia]*transpose([eAxis_a, e2_a, e3_a]),
    [eAxis_ia, e2_ia, e3_ia]*w_axes);
  frame_ia.r_0 = frame_a.r_0;
  frame_ia.R = Frames.absoluteRotation(frame_a.R, R_rel);
  frame_ib.r_0 = frame_b.r_0;
  frame_ib.R = frame_ia.R;
  // Along the rod the drive holds its end. At frame_a no torque acts about both axes of the
  // universal joint, at frame_b none at all.
  t_rod_a = Frames.resolve1(R_rel, frame_ia.t + frame_ib.t);
  f_end_a = -f*eAxis_a + (-e2_a*(e1*t_rod_a)/sine + e3_a*(e2_a*t_rod_a))/axisLength;
  frame_b.f = Frames.resolveRelative(f_end_a, frame_a.R, frame_b.R)
    - Frames.resolveRelative(frame_ib.f, frame_ib.R, frame_b.R);
  frame_b.t = zeros(3);
  frame_a.f + f_end_a + Frames.resolve1(R_rel, frame_ia.f) = zeros(3);
  frame_a.t + t_rod_a + cross(rAxis_a, f_end_a) = zeros(3);
  if checkTotalPower then
    totalPower = Internal.power(frame_a.R, frame_a.f, frame_a.t, der(frame_a.r_0))
      + Internal.power(frame_b.R, frame_b.f, frame_b.t, der(frame_b.r_0))
      + Internal.power(frame_ia.R, frame_ia.f, frame_ia.t, der(frame_ia.r_0))
      + Internal.power(frame_ib.R, frame_ib.f, frame_ib.t, der(frame_ib.r_0))
      + axis.f*der(axis.s) + bearing.f*der(bearing.s);
  else
    totalPower = 0;
  end if;
end JointUPS;
