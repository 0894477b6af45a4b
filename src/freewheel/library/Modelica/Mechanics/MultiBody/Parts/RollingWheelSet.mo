within Modelica.Mechanics.MultiBody.Parts;
model RollingWheelSet "Two upright wheels with mass on one axle roll on the plane z = 0"
  Modelica.Mechanics.MultiBody.Interfaces.Frame_a frameMiddle
    "Frame of the axle in its middle, y along the axle, z upwards";
  parameter Boolean animation=true "Accepted; nothing is drawn";
  parameter SI.Radius R_wheel "Radius of the wheels";
  parameter SI.Mass m_wheel "Mass of one wheel";
  parameter SI.Inertia I_wheelAxis "Inertia of one wheel about the axle";
  parameter SI.Inertia I_wheelLong "Inertia of one wheel across the axle";
  parameter SI.Distance track "Distance between the wheels";
  parameter StateSelect stateSelect=StateSelect.always "Wish for the coordinates as states";
  SI.Position x(start=0, fixed=true, stateSelect=stateSelect) "First coordinate of the middle";
  SI.Position y(start=0, fixed=true, stateSelect=stateSelect) "Second coordinate of the middle";
  SI.Angle phi(start=0, fixed=true, stateSelect=stateSelect) "Angle of the axle about z";
  SI.Angle theta1(start=0, fixed=true, stateSelect=stateSelect) "Angle of the first wheel";
  SI.Angle theta2(start=0, fixed=true, stateSelect=stateSelect) "Angle of the second wheel";
  SI.AngularVelocity der_theta1(start=0, fixed=true, stateSelect=stateSelect)
    "Speed of the first wheel";
  SI.AngularVelocity der_theta2(start=0, fixed=true, stateSelect=stateSelect)
    "Speed of the second wheel";
  parameter SI.Distance width_wheel=0.01 "Width of the shapes";
  parameter Real hollowFraction=0.8 "Part of the shapes that is open";
  parameter Types.Color color={30, 30, 30} "Colour of the shapes";
  Modelica.Mechanics.MultiBody.Interfaces.Frame_a frame1 "Frame of the first wheel in its middle";
  Modelica.Mechanics.MultiBody.Interfaces.Frame_b frame2 "Frame of the second wheel in its middle";
  Modelica.Mechanics.Rotational.Interfaces.Flange_a axis1 "Flange that drives the first wheel";
  Modelica.Mechanics.Rotational.Interfaces.Flange_a axis2 "Flange that drives the second wheel";
  Modelica.Mechanics.Rotational.Interfaces.Flange_b support "Flange that carries the drives";
  Body body1(
    final r_CM={0, 0, 0},
    final m=m_wheel,
    final I_11=I_wheelLong,
    final I_22=I_wheelAxis,
    final I_33=I_wheelLong,
    final I_21=0,
    final I_31=0,
    final I_32=0,
    animation=false) "Mass of wheel 1";
  Modelica.Mechanics.MultiBody.Visualizers.FixedShape shape1(
    final animation=animation,
    final r_shape={0, -width_wheel, 0},
    final lengthDirection={0, 1, 0},
    final widthDirection={1, 0, 0},
    final length=2*width_wheel,
    final width=2*R_wheel,
    final height=2*R_wheel,
    final color=color,
    final extra=hollowFraction,
    final shapeType="pipe") if animation "Shape of wheel 1";
  Body body2(
    final r_CM={0, 0, 0},
    final m=m_wheel,
    final I_11=I_wheelLong,
    final I_22=I_wheelAxis,
    final I_33=I_wheelLong,
    final I_21=0,
    final I_31=0,
    final I_32=0,
    animation=false) "Mass of wheel 2";
  Modelica.Mechanics.MultiBody.Visualizers.FixedShape shape2(
    final animation=animation,
    final r_shape={0, -width_wheel, 0},
    final lengthDirection={0, 1, 0},
    final widthDirection={1, 0, 0},
    final length=2*width_wheel,
    final width=2*R_wheel,
    final height=2*R_wheel,
    final color=color,
    final extra=hollowFraction,
    final shapeType="pipe") if animation "Shape of wheel 2";
  Modelica.Mechanics.MultiBody.Joints.RollingWheelSet wheelSetJoint(
    animation=false,
    radius=R_wheel,
    track=track,
    stateSelect=StateSelect.default) "Axle and contacts";
equation
  x = wheelSetJoint.x;
  y = wheelSetJoint.y;
  phi = wheelSetJoint.phi;
  theta1 = wheelSetJoint.theta1;
  theta2 = wheelSetJoint.theta2;
  der_theta1 = der(theta1);
  der_theta2 = der(theta2);
  connect(wheelSetJoint.frameMiddle, frameMiddle);
  connect(wheelSetJoint.frame1, frame1);
  connect(wheelSetJoint.frame2, frame2);
  connect(body1.frame_a, frame1);
  connect(body2.frame_a, frame2);
  connect(shape1.frame_a, frame1);
  connect(shape2.frame_a, frame2);
  connect(wheelSetJoint.axis1, axis1);
  connect(wheelSetJoint.axis2, axis2);
  connect(wheelSetJoint.support, support);
end RollingWheelSet;
