within Modelica.Mechanics.MultiBody.Joints;
model UniversalSpherical "Rod with a universal joint at frame_a and a ball joint at frame_b"
  extends Interfaces.PartialTwoFrames;
  Interfaces.Frame_a frame_ia "Frame fixed in the rod, at frame_a";
  parameter Boolean animation=true "Accepted; nothing is drawn";
  parameter Boolean showUniversalAxes=true "Accepted; nothing is drawn";
  parameter Boolean computeRodLength=false "The length follows from the start"
    annotation(Evaluate=true);
  parameter Modelica.Mechanics.MultiBody.Types.Axis n1_a={0, 0, 1}
    "First axis of the universal joint, along axes of frame_a" annotation(Evaluate=true);
  parameter SI.Position rRod_ia[3]={1, 0, 0} "From frame_a to frame_b, along axes of frame_ia"
    annotation(Evaluate=true);
  parameter SI.Diameter sphereDiameter=world.defaultJointLength "Diameter of the balls";
  input Types.Color sphereColor=Modelica.Mechanics.MultiBody.Types.Defaults.JointColor
    "Colour of the balls";
  parameter Types.ShapeType rodShapeType="cylinder" "Shape of the rod";
  parameter SI.Distance rodWidth=sphereDiameter/Types.Defaults.JointRodDiameterFraction
    "Width of the rod";
  parameter SI.Distance rodHeight=rodWidth "Height of the rod";
  parameter Types.ShapeExtra rodExtra=0.0 "Further datum of the rod";
  input Types.Color rodColor=Modelica.Mechanics.MultiBody.Types.Defaults.RodColor
    "Colour of the rod";
  parameter SI.Distance cylinderLength=world.defaultJointLength "Length of the axes";
  parameter SI.Distance cylinderDiameter=world.defaultJointWidth "Diameter of the axes";
  input Types.Color cylinderColor=Modelica.Mechanics.MultiBody.Types.Defaults.JointColor
    "Colour of the axes";
  input Types.SpecularCoefficient specularCoefficient=world.defaultSpecularCoefficient
    "Reflection of light";
  parameter Boolean kinematicConstraint=true
    "constraintResidue is about the length; false where another condition replaces it";
  Real constraintResidue=rRod_0*rRod_0 - rodLength*rodLength "Zero in every solution";
  parameter Boolean checkTotalPower=false "Compute totalPower" annotation(Evaluate=true);
  SI.Force f_rod "Force along the rod; positive on frame_a where it points to frame_b";
  final parameter SI.Distance rodLength(
    fixed=false, start=Modelica.Math.Vectors.length(rRod_ia)) "Length of the rod";
  final parameter Real eRod_ia[3](each final unit="1") =
    Modelica.Math.Vectors.normalizeWithAssert(rRod_ia) "Direction of the rod";
  final parameter Real e2_ia[3](each final unit="1") =
    Modelica.Math.Vectors.normalize(cross(n1_a, eRod_ia))
    "Second axis of the universal joint, along axes of frame_ia";
  final parameter Real e3_ia[3](each final unit="1") = cross(eRod_ia, e2_ia)
    "Across rod and second axis, along axes of frame_ia";
  SI.Power totalPower "Power into the joint; zero up to errors, if asked for";
  SI.Force f_b_a1[3] "Force at frame_b without the part along the rod, along axes of frame_a";
  Real eRod_a[3](each final unit="1") "Direction of the rod, along axes of frame_a";
  SI.Position rRod_0[3](start=rRod_ia) "From frame_a to frame_b, along axes of world";
  SI.Position rRod_a[3](start=rRod_ia) "From frame_a to frame_b, along axes of frame_a";
protected
  parameter Real e1[3](each final unit="1") = Modelica.Math.Vectors.normalizeWithAssert(n1_a)
    "First axis of length 1" annotation(Evaluate=true);
  Real across[3](each final unit="1") "Across first axis and rod";
  Real sine(final unit="1", start=1) "Sine of the angle between first axis and rod";
  Real e2_a[3](each final unit="1") "Second axis, along axes of frame_a";
  Real e3_a[3](each final unit="1") "Across rod and second axis, along axes of frame_a";
  Real turning[3](each final unit="1/s") "Derivative of eRod_a";
  SI.AngularVelocity w_axes[3] "Angular velocity along rod, second axis and across both";
  Frames.Orientation R_rel "Rotation from frame_a to frame_ia";
  SI.Torque t_ia_a[3] "Torque of frame_ia, along axes of frame_a";
  SI.Force f_b_a[3] "Force at frame_b, along axes of frame_a";
initial equation
  if computeRodLength then
    rRod_0*rRod_0 = rodLength*rodLength;
  else
    rodLength = Modelica.Math.Vectors.length(rRod_ia);
  end if;
equation
  Connections.branch(frame_a.R, frame_ia.R);
  rRod_0 = frame_b.r_0 - frame_a.r_0;
  rRod_a = Frames.resolve2(frame_a.R, rRod_0);
  eRod_a = rRod_a/rodLength;
  constraintResidue = 0;
  across = cross(e1, eRod_a);
  sine = sqrt(across*across);
  assert(noEvent(sine > 1e-10), "the rod is parallel to the first axis of its universal joint");
  e2_a = across/sine;
  e3_a = cross(eRod_a, e2_a);
  // The triad of rod, second axis and third direction turns: its speed from that of the rod.
  turning = der(rRod_a)/rodLength;
  w_axes = {cross(e1, turning)*e3_a/sine, -turning*e3_a, turning*e2_a};
  R_rel = Frames.from_T(
    [eRod_ia, e2_ia, e3_ia]*transpose([eRod_a, e2_a, e3_a]),
    [eRod_ia, e2_ia, e3_ia]*w_axes);
  frame_ia.r_0 = frame_a.r_0;
  frame_ia.R = Frames.absoluteRotation(frame_a.R, R_rel);
  // At frame_a no torque about both axes of the universal joint; at frame_b none at all.
  t_ia_a = Frames.resolve1(R_rel, frame_ia.t);
  f_b_a1 = (-e2_a*(e1*t_ia_a)/sine + e3_a*(e2_a*t_ia_a))/rodLength;
  f_b_a = f_b_a1 - f_rod*eRod_a;
  frame_b.f = Frames.resolveRelative(f_b_a, frame_a.R, frame_b.R);
  frame_b.t = zeros(3);
  frame_a.f + f_b_a + Frames.resolve1(R_rel, frame_ia.f) = zeros(3);
  frame_a.t + t_ia_a + cross(rRod_a, f_b_a) = zeros(3);
  if checkTotalPower then
    totalPower = Internal.power(frame_a.R, frame_a.f, frame_a.t, der(frame_a.r_0))
      + Internal.power(frame_b.R, frame_b.f, frame_b.t, der(frame_b.r_0))
      + Internal.power(frame_ia.R, frame_ia.f, frame_ia.t, der(frame_ia.r_0));
  else
    totalPower = 0;
  end if;
end UniversalSpherical;
