within Modelica.Mechanics.MultiBody.Joints;
model Cylindrical "Sleeve: distance along an axis and angle about it"
  extends Modelica.Mechanics.MultiBody.Interfaces.PartialTwoFrames;
  parameter Boolean animation=true "Accepted; nothing is drawn";
  parameter Modelica.Mechanics.MultiBody.Types.Axis n={1, 0, 0}
    "Axis, along axes of frame_a and of frame_b alike" annotation(Evaluate=true);
  parameter SI.Distance cylinderDiameter=world.defaultJointWidth "Diameter of the shape";
  input Types.Color cylinderColor=Modelica.Mechanics.MultiBody.Types.Defaults.JointColor
    "Colour of the shape";
  input Types.SpecularCoefficient specularCoefficient=world.defaultSpecularCoefficient
    "Reflection of light";
  parameter StateSelect stateSelect=StateSelect.prefer "Wish for s, phi, v and w as states"
    annotation(HideResult=true);
  Prismatic prismatic(n=n, animation=false, stateSelect=StateSelect.never) "Slide";
  Revolute revolute(n=n, animation=false, stateSelect=StateSelect.never) "Hinge";
  SI.Position s(start=0, stateSelect=stateSelect) "Distance of frame_b from frame_a";
  SI.Angle phi(start=0, stateSelect=stateSelect) "Angle of frame_b against frame_a";
  SI.Velocity v(start=0, stateSelect=stateSelect) "Velocity";
  SI.AngularVelocity w(start=0, stateSelect=stateSelect) "Speed";
  SI.Acceleration a(start=0) "Acceleration";
  SI.AngularAcceleration wd(start=0) "Angular acceleration";
equation
  s = prismatic.s;
  phi = revolute.phi;
  v = der(s);
  w = der(phi);
  a = der(v);
  wd = der(w);
  connect(frame_a, prismatic.frame_a);
  connect(prismatic.frame_b, revolute.frame_a);
  connect(revolute.frame_b, frame_b);
end Cylindrical;
