within Modelica.Mechanics.MultiBody.Joints;
model Revolute "Hinge: one angle about an axis, on demand with a flange to drive it"
  Modelica.Mechanics.Rotational.Interfaces.Flange_a axis if useAxisFlange
    "Flange that drives the joint";
  Modelica.Mechanics.Rotational.Interfaces.Flange_b support if useAxisFlange
    "Flange that carries the drive; it does not turn against frame_a";
  Modelica.Mechanics.MultiBody.Interfaces.Frame_a frame_a "First side";
  Modelica.Mechanics.MultiBody.Interfaces.Frame_b frame_b "Second side";
  parameter Boolean useAxisFlange=false "Offer axis and support"
    annotation(Evaluate=true, HideResult=true);
  parameter Boolean animation=true "Accepted; nothing is drawn";
  parameter Modelica.Mechanics.MultiBody.Types.Axis n={0, 0, 1}
    "Axis, along axes of frame_a and of frame_b alike" annotation(Evaluate=true);
  parameter SI.Distance cylinderLength=world.defaultJointLength "Length of the shape";
  parameter SI.Distance cylinderDiameter=world.defaultJointWidth "Diameter of the shape";
  input Modelica.Mechanics.MultiBody.Types.Color cylinderColor=
    Modelica.Mechanics.MultiBody.Types.Defaults.JointColor "Colour of the shape";
  input Modelica.Mechanics.MultiBody.Types.SpecularCoefficient specularCoefficient=
    world.defaultSpecularCoefficient "Reflection of light";
  parameter StateSelect stateSelect=StateSelect.prefer "Wish for phi and w as states"
    annotation(HideResult=true);
  SI.Angle phi(start=0, final stateSelect=stateSelect) "Angle of frame_b against frame_a";
  SI.AngularVelocity w(start=0, stateSelect=stateSelect) "Speed";
  SI.AngularAcceleration a(start=0) "Acceleration";
  SI.Torque tau "Driving torque about the axis";
  SI.Angle angle "The same as phi";
protected
  outer Modelica.Mechanics.MultiBody.World world "Inertial frame";
  parameter Real e[3](each final unit="1") =
    Modelica.Math.Vectors.normalizeWithAssert(n) "Axis of length 1";
  Frames.Orientation R_rel "Rotation between both frames, away from the root";
  // Without the flanges this one is left open, and its torque is zero.
  Modelica.Mechanics.Rotational.Interfaces.InternalSupport drive(tau=tau) "Driving side";
  Modelica.Mechanics.Rotational.Components.Fixed rest if useAxisFlange "Carrying side";
equation
  Connections.branch(frame_a.R, frame_b.R);
  angle = phi;
  w = der(phi);
  a = der(w);
  frame_b.r_0 = frame_a.r_0;
  if Connections.rooted(frame_a.R) then
    R_rel = Frames.planarRotation(e, phi, w);
    frame_b.R = Frames.absoluteRotation(frame_a.R, R_rel);
    frame_a.f = -Frames.resolve1(R_rel, frame_b.f);
    frame_a.t = -Frames.resolve1(R_rel, frame_b.t);
  else
    R_rel = Frames.planarRotation(-e, phi, w);
    frame_a.R = Frames.absoluteRotation(frame_b.R, R_rel);
    frame_b.f = -Frames.resolve1(R_rel, frame_a.f);
    frame_b.t = -Frames.resolve1(R_rel, frame_a.t);
  end if;
  tau = -frame_b.t*e;
  drive.phi = phi;
  connect(drive.flange, axis);
  connect(rest.flange, support);
end Revolute;
