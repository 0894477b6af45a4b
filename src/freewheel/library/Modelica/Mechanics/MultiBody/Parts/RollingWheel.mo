within Modelica.Mechanics.MultiBody.Parts;
model RollingWheel "Wheel with mass that rolls on the plane z = 0; it may lean and does not slip"
  parameter Boolean animation=true "Accepted; nothing is drawn";
  parameter SI.Radius radius "Radius of the wheel";
  parameter SI.Mass m "Mass";
  parameter SI.Inertia I_axis "Inertia about the axis";
  parameter SI.Inertia I_long "Inertia across the axis";
  parameter StateSelect stateSelect=StateSelect.always "Wish for the coordinates as states"
    annotation(HideResult=true, Evaluate=true);
  SI.Position x(start=0, fixed=true, stateSelect=stateSelect) "First coordinate of the middle";
  SI.Position y(start=0, fixed=true, stateSelect=stateSelect) "Second coordinate of the middle";
  SI.Angle angles[3](start={0, 0, 0}, each fixed=true, each stateSelect=stateSelect)
    "Angles about z, y and x from world to frame_a";
  SI.AngularVelocity der_angles[3](start={0, 0, 0}, each fixed=true, each stateSelect=stateSelect)
    "Their derivatives";
  parameter SI.Distance width=0.035 "Width of the shape";
  parameter Real hollowFraction=0.8 "Part of the shape that is open";
  parameter Types.Color color={30, 30, 30} "Colour of the shape";
  Modelica.Mechanics.MultiBody.Interfaces.Frame_a frame_a
    "Frame of the wheel in its middle, y along its axis";
  Body body(
    final r_CM={0, 0, 0},
    final m=m,
    final I_11=I_long,
    final I_22=I_axis,
    final I_33=I_long,
    final I_21=0,
    final I_31=0,
    final I_32=0,
    animation=false) "Mass";
  Modelica.Mechanics.MultiBody.Joints.RollingWheel rollingWheel(
    radius=radius, stateSelect=StateSelect.avoid) "Contact";
  Modelica.Mechanics.MultiBody.Visualizers.FixedShape fixedShape(
    final animation=animation,
    final r_shape={0, -width, 0},
    final lengthDirection={0, 1, 0},
    final widthDirection={1, 0, 0},
    final length=2*width,
    final width=2*radius,
    final height=2*radius,
    final color=color,
    final extra=hollowFraction,
    final shapeType="pipe") if animation "Shape";
equation
  x = rollingWheel.x;
  y = rollingWheel.y;
  angles = rollingWheel.angles;
  der_angles = rollingWheel.der_angles;
  connect(rollingWheel.frame_a, frame_a);
  connect(body.frame_a, frame_a);
  connect(fixedShape.frame_a, frame_a);
end RollingWheel;
