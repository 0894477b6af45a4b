within Modelica.Mechanics.MultiBody.Joints;
model Planar "Motion in a plane: two distances and one angle"
  extends Modelica.Mechanics.MultiBody.Interfaces.PartialTwoFrames;
  parameter Boolean animation=true "Accepted; nothing is drawn";
  parameter Modelica.Mechanics.MultiBody.Types.Axis n={0, 0, 1}
    "Axis across the plane, along axes of frame_a" annotation(Evaluate=true);
  parameter Modelica.Mechanics.MultiBody.Types.Axis n_x={1, 0, 0}
    "First direction in the plane, along axes of frame_a" annotation(Evaluate=true);
  parameter SI.Distance cylinderLength=world.defaultJointLength "Length of the hinge";
  parameter SI.Distance cylinderDiameter=world.defaultJointWidth "Diameter of the hinge";
  input Types.Color cylinderColor=Modelica.Mechanics.MultiBody.Types.Defaults.JointColor
    "Colour of the hinge";
  parameter SI.Distance boxWidth=0.3*cylinderDiameter "Width of the slides";
  parameter SI.Distance boxHeight=boxWidth "Height of the slides";
  input Types.Color boxColor=Modelica.Mechanics.MultiBody.Types.Defaults.JointColor
    "Colour of the slides";
  parameter StateSelect stateSelect=StateSelect.prefer
    "Wish for distances, angle and their speeds as states" annotation(HideResult=true);
  Prismatic prismatic_x(
    n=cross(cross(n, n_x), n), animation=false, stateSelect=StateSelect.never) "First slide";
  Prismatic prismatic_y(
    n=cross(n, n_x), animation=false, stateSelect=StateSelect.never) "Second slide";
  Revolute revolute(n=n, animation=false, stateSelect=StateSelect.never) "Hinge";
  SI.Position s_x(start=0, stateSelect=stateSelect) "Distance in the first direction";
  SI.Position s_y(start=0, stateSelect=stateSelect) "Distance in the second direction";
  SI.Angle phi(start=0, stateSelect=stateSelect) "Angle of frame_b against frame_a";
  SI.Velocity v_x(start=0, stateSelect=stateSelect) "Velocity in the first direction";
  SI.Velocity v_y(start=0, stateSelect=stateSelect) "Velocity in the second direction";
  SI.AngularVelocity w(start=0, stateSelect=stateSelect) "Angular velocity";
  SI.Acceleration a_x(start=0) "Acceleration in the first direction";
  SI.Acceleration a_y(start=0) "Acceleration in the second direction";
  SI.AngularAcceleration wd(start=0) "Angular acceleration";
equation
  s_x = prismatic_x.s;
  s_y = prismatic_y.s;
  phi = revolute.phi;
  v_x = der(s_x);
  v_y = der(s_y);
  w = der(phi);
  a_x = der(v_x);
  a_y = der(v_y);
  wd = der(w);
  connect(frame_a, prismatic_x.frame_a);
  connect(prismatic_x.frame_b, prismatic_y.frame_a);
  connect(prismatic_y.frame_b, revolute.frame_a);
  connect(revolute.frame_b, frame_b);
end Planar;
