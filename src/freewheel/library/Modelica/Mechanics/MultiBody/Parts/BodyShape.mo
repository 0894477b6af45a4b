within Modelica.Mechanics.MultiBody.Parts;
model BodyShape "Rigid body with mass, tensor of inertia and two frames"
  Interfaces.Frame_a frame_a "First end";
  Interfaces.Frame_b frame_b "Second end";
  parameter Boolean animation=true "Accepted; nothing is drawn";
  parameter Boolean animateSphere=true "Accepted; nothing is drawn";
  parameter SI.Position r[3](start={0, 0, 0}) "From frame_a to frame_b, along axes of frame_a";
  parameter SI.Position r_CM[3](start={0, 0, 0})
    "From frame_a to the centre of mass, along axes of frame_a";
  parameter SI.Mass m(min=0, start=1) "Mass";
  parameter SI.Inertia I_11(min=0) = 0.001 "Inertia about the centre of mass: element (1,1)";
  parameter SI.Inertia I_22(min=0) = 0.001 "Element (2,2)";
  parameter SI.Inertia I_33(min=0) = 0.001 "Element (3,3)";
  parameter SI.Inertia I_21(min=-Modelica.Constants.inf) = 0 "Element (2,1)";
  parameter SI.Inertia I_31(min=-Modelica.Constants.inf) = 0 "Element (3,1)";
  parameter SI.Inertia I_32(min=-Modelica.Constants.inf) = 0 "Element (3,2)";
  SI.Position r_0[3](
    start={0, 0, 0},
    each stateSelect=if enforceStates then StateSelect.always else StateSelect.avoid)
    "Position of frame_a, along axes of world";
  SI.Velocity v_0[3](
    start={0, 0, 0},
    each stateSelect=if enforceStates then StateSelect.always else StateSelect.avoid)
    "Velocity of frame_a, along axes of world";
  SI.Acceleration a_0[3](start={0, 0, 0}) "Acceleration of frame_a, along axes of world";
  parameter Boolean angles_fixed=false "angles_start holds at the start" annotation(Evaluate=true);
  parameter SI.Angle angles_start[3]={0, 0, 0} "Angles of frame_a at the start";
  parameter Types.RotationSequence sequence_start={1, 2, 3} "Axes that angles_start is about"
    annotation(Evaluate=true);
  parameter Boolean w_0_fixed=false "w_0_start holds at the start" annotation(Evaluate=true);
  parameter SI.AngularVelocity w_0_start[3]={0, 0, 0}
    "Angular velocity at the start, along axes of world";
  parameter Boolean z_0_fixed=false "z_0_start holds at the start" annotation(Evaluate=true);
  parameter SI.AngularAcceleration z_0_start[3]={0, 0, 0}
    "Angular acceleration at the start, along axes of world";
  parameter Types.ShapeType shapeType="cylinder" "Shape";
  parameter SI.Position r_shape[3]={0, 0, 0} "Begin of the shape";
  parameter Types.Axis lengthDirection=Modelica.Units.Conversions.to_unit1(r - r_shape)
    "Direction of the shape";
  parameter Types.Axis widthDirection={0, 1, 0} "Direction of its width";
  parameter SI.Length length=Modelica.Math.Vectors.length(r - r_shape) "Length of the shape";
  parameter SI.Distance width=length/world.defaultWidthFraction "Width of the shape";
  parameter SI.Distance height=width "Height of the shape";
  parameter Types.ShapeExtra extra=0.0 "Further datum of the shape";
  input Types.Color color=Types.Defaults.BodyColor "Colour of the shape";
  parameter SI.Diameter sphereDiameter=2*width "Diameter of the sphere";
  input Types.Color sphereColor=color "Colour of the sphere";
  input Types.SpecularCoefficient specularCoefficient=world.defaultSpecularCoefficient
    "Reflection of light";
  parameter Boolean enforceStates=false "The motion of this body is the state"
    annotation(Evaluate=true);
  parameter Boolean useQuaternions=true "Orientation states are quaternions, else three angles"
    annotation(Evaluate=true);
  parameter Types.RotationSequence sequence_angleStates={1, 2, 3} "Axes of the three angles"
    annotation(Evaluate=true);
  FixedTranslation frameTranslation(r=r, animation=false) "Rod between both frames";
  Body body(
    r_CM=r_CM,
    m=m,
    I_11=I_11,
    I_22=I_22,
    I_33=I_33,
    I_21=I_21,
    I_31=I_31,
    I_32=I_32,
    animation=false,
    sequence_start=sequence_start,
    angles_fixed=angles_fixed,
    angles_start=angles_start,
    w_0_fixed=w_0_fixed,
    w_0_start=w_0_start,
    z_0_fixed=z_0_fixed,
    z_0_start=z_0_start,
    useQuaternions=useQuaternions,
    sequence_angleStates=sequence_angleStates,
    enforceStates=false) "Mass";
protected
  outer Modelica.Mechanics.MultiBody.World world "Inertial frame";
equation
  r_0 = frame_a.r_0;
  v_0 = der(r_0);
  a_0 = der(v_0);
  connect(frame_a, frameTranslation.frame_a);
  connect(frameTranslation.frame_b, frame_b);
  connect(frame_a, body.frame_a);
end BodyShape;
