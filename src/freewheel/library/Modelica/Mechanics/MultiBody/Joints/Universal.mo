within Modelica.Mechanics.MultiBody.Joints;
model Universal "Two hinges after each other"
  extends Modelica.Mechanics.MultiBody.Interfaces.PartialTwoFrames;
  parameter Boolean animation=true "Accepted; nothing is drawn";
  parameter Modelica.Mechanics.MultiBody.Types.Axis n_a={1, 0, 0}
    "First axis, along axes of frame_a" annotation(Evaluate=true);
  parameter Modelica.Mechanics.MultiBody.Types.Axis n_b={0, 1, 0}
    "Second axis, along axes of frame_b" annotation(Evaluate=true);
  parameter SI.Distance cylinderLength=world.defaultJointLength "Length of the shapes";
  parameter SI.Distance cylinderDiameter=world.defaultJointWidth "Diameter of the shapes";
  input Types.Color cylinderColor=Modelica.Mechanics.MultiBody.Types.Defaults.JointColor
    "Colour of the shapes";
  input Types.SpecularCoefficient specularCoefficient=world.defaultSpecularCoefficient
    "Reflection of light";
  parameter StateSelect stateSelect=StateSelect.prefer "Wish for angles and speeds as states"
    annotation(HideResult=true);
  Modelica.Mechanics.MultiBody.Joints.Revolute revolute_a(
    n=n_a, animation=false, stateSelect=StateSelect.never) "First hinge";
  Modelica.Mechanics.MultiBody.Joints.Revolute revolute_b(
    n=n_b, animation=false, stateSelect=StateSelect.never) "Second hinge";
  SI.Angle phi_a(start=0, stateSelect=stateSelect) "Angle about the first axis";
  SI.Angle phi_b(start=0, stateSelect=stateSelect) "Angle about the second axis";
  SI.AngularVelocity w_a(start=0, stateSelect=stateSelect) "Speed about the first axis";
  SI.AngularVelocity w_b(start=0, stateSelect=stateSelect) "Speed about the second axis";
  SI.AngularAcceleration a_a(start=0) "Acceleration about the first axis";
  SI.AngularAcceleration a_b(start=0) "Acceleration about the second axis";
equation
  phi_a = revolute_a.phi;
  phi_b = revolute_b.phi;
  w_a = der(phi_a);
  w_b = der(phi_b);
  a_a = der(w_a);
  a_b = der(w_b);
  connect(frame_a, revolute_a.frame_a);
  connect(revolute_a.frame_b, revolute_b.frame_a);
  connect(revolute_b.frame_b, frame_b);
end Universal;
