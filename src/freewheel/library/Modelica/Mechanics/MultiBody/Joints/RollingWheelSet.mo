within Modelica.Mechanics.MultiBody.Joints;
model RollingWheelSet "Two upright wheels on one axle roll on the plane z = 0 without slip"
  Modelica.Mechanics.MultiBody.Interfaces.Frame_a frameMiddle
    "Frame of the axle in its middle, y along the axle, z upwards";
  parameter Boolean animation=true "Accepted; nothing is drawn";
  parameter SI.Radius radius "Radius of the wheels";
  parameter SI.Distance track "Distance between the wheels";
  parameter StateSelect stateSelect=StateSelect.default "Wish for the coordinates as states";
  SI.Position x(start=0, stateSelect=stateSelect) "First coordinate of the middle";
  SI.Position y(start=0, stateSelect=stateSelect) "Second coordinate of the middle";
  SI.Angle phi(start=0, stateSelect=stateSelect) "Angle of the axle about z";
  SI.Angle theta1(start=0, stateSelect=stateSelect) "Angle of the first wheel";
  SI.Angle theta2(start=0, stateSelect=stateSelect) "Angle of the second wheel";
  SI.AngularVelocity der_theta1(start=0, stateSelect=stateSelect) "Speed of the first wheel";
  SI.AngularVelocity der_theta2(start=0, stateSelect=stateSelect) "Speed of the second wheel";
  Modelica.Mechanics.MultiBody.Interfaces.Frame_a frame1 "Frame of the first wheel in its middle";
  Modelica.Mechanics.MultiBody.Interfaces.Frame_b frame2 "Frame of the second wheel in its middle";
  Modelica.Mechanics.Rotational.Interfaces.Flange_a axis1 "Flange that drives the first wheel";
  Modelica.Mechanics.Rotational.Interfaces.Flange_a axis2 "Flange that drives the second wheel";
  Modelica.Mechanics.Rotational.Interfaces.Flange_b support "Flange that carries the drives";
  Modelica.Mechanics.MultiBody.Parts.Fixed fixed(r={0, 0, radius}, animation=animation)
    "Height of the axle";
  Prismatic prismatic1(animation=animation) "Motion along x";
  Prismatic prismatic2(n={0, 1, 0}, animation=animation) "Motion along y";
  Revolute revolute(animation=animation) "Turning about z";
  Modelica.Mechanics.MultiBody.Parts.FixedTranslation rod1(
    r={0, track/2, 0}, animation=animation) "First half of the axle";
  Modelica.Mechanics.MultiBody.Parts.FixedTranslation rod2(
    r={0, -track/2, 0}, animation=animation) "Second half of the axle";
  Revolute revolute1(n={0, 1, 0}, useAxisFlange=true, animation=animation)
    "Bearing of the first wheel";
  Revolute revolute2(n={0, 1, 0}, useAxisFlange=true, animation=animation)
    "Bearing of the second wheel";
  Internal.RollingConstraintVerticalWheel rolling1(radius=radius) "Contact of the first wheel";
  // Both wheels slip along the axle, or none: one condition is enough.
  Internal.RollingConstraintVerticalWheel rolling2(
    radius=radius, lateralSlidingConstraint=false) "Contact of the second wheel";
  Modelica.Mechanics.MultiBody.Parts.Mounting1D mounting1D "Holds the drives";
equation
  x = prismatic1.s;
  y = prismatic2.s;
  phi = revolute.phi;
  theta1 = revolute1.phi;
  theta2 = revolute2.phi;
  der_theta1 = der(theta1);
  der_theta2 = der(theta2);
  connect(fixed.frame_b, prismatic1.frame_a);
  connect(prismatic1.frame_b, prismatic2.frame_a);
  connect(prismatic2.frame_b, revolute.frame_a);
  connect(revolute.frame_b, frameMiddle);
  connect(rod1.frame_a, frameMiddle);
  connect(rod2.frame_a, frameMiddle);
  connect(mounting1D.frame_a, frameMiddle);
  connect(rod1.frame_b, revolute1.frame_a);
  connect(rod2.frame_b, revolute2.frame_a);
  connect(revolute1.frame_b, frame1);
  connect(revolute2.frame_b, frame2);
  connect(rolling1.frame_a, frame1);
  connect(rolling2.frame_a, frame2);
  connect(revolute1.axis, axis1);
  connect(revolute2.axis, axis2);
  connect(mounting1D.flange_b, support);
end RollingWheelSet;
