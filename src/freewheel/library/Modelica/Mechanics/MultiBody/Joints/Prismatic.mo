within Modelica.Mechanics.MultiBody.Joints;
model Prismatic "Slide: one distance along an axis, on demand with a flange to drive it"
  extends Modelica.Mechanics.MultiBody.Interfaces.PartialElementaryJoint;
  Modelica.Mechanics.Translational.Interfaces.Flange_a axis if useAxisFlange
    "Flange that drives the joint";
  Modelica.Mechanics.Translational.Interfaces.Flange_b support if useAxisFlange
    "Flange that carries the drive; it does not move against frame_a";
  parameter Boolean useAxisFlange=false "Offer axis and support"
    annotation(Evaluate=true, HideResult=true);
  parameter Boolean animation=true "Accepted; nothing is drawn";
  parameter Modelica.Mechanics.MultiBody.Types.Axis n={1, 0, 0}
    "Axis, along axes of frame_a" annotation(Evaluate=true);
  parameter Types.Axis boxWidthDirection={0, 1, 0} "Direction of the width of the shape";
  parameter SI.Distance boxWidth=world.defaultJointWidth "Width of the shape";
  parameter SI.Distance boxHeight=boxWidth "Height of the shape";
  input Types.Color boxColor=Modelica.Mechanics.MultiBody.Types.Defaults.JointColor
    "Colour of the shape";
  input Types.SpecularCoefficient specularCoefficient=world.defaultSpecularCoefficient
    "Reflection of light";
  parameter StateSelect stateSelect=StateSelect.prefer "Wish for s and v as states"
    annotation(HideResult=true);
  final parameter Real e[3](each final unit="1") =
    Modelica.Math.Vectors.normalizeWithAssert(n) "Axis of length 1";
  SI.Position s(start=0, final stateSelect=stateSelect) "Distance of frame_b from frame_a";
  SI.Velocity v(start=0, final stateSelect=stateSelect) "Velocity";
  SI.Acceleration a(start=0) "Acceleration";
  SI.Force f "Driving force along the axis";
protected
  // Without the flanges this one is left open, and its force is zero.
  Modelica.Mechanics.Translational.Interfaces.InternalSupport drive(f=f) "Driving side";
  Modelica.Mechanics.Translational.Components.Fixed rest if useAxisFlange "Carrying side";
equation
  v = der(s);
  a = der(v);
  frame_b.r_0 = frame_a.r_0 + Frames.resolve1(frame_a.R, e*s);
  frame_b.R = frame_a.R;
  frame_a.f + frame_b.f = zeros(3);
  frame_a.t + frame_b.t + cross(e*s, frame_b.f) = zeros(3);
  f = -e*frame_b.f;
  drive.s = s;
  connect(drive.flange, axis);
  connect(rest.flange, support);
end Prismatic;
