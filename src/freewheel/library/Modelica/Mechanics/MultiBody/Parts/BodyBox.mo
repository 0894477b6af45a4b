within Modelica.Mechanics.MultiBody.Parts;
model BodyBox "Rigid box, full or hollow, with two frames"
  Interfaces.Frame_a frame_a "First end";
  Interfaces.Frame_b frame_b "Second end";
  parameter Boolean animation=true "Accepted; nothing is drawn";
  parameter SI.Position r[3](start={0.1, 0, 0}) "From frame_a to frame_b, along axes of frame_a";
  parameter SI.Position r_shape[3]={0, 0, 0} "From frame_a to the middle of the first face";
  parameter Types.Axis lengthDirection=Modelica.Units.Conversions.to_unit1(r - r_shape)
    "Direction of the length";
  parameter Types.Axis widthDirection={0, 1, 0} "Direction of the width";
  parameter SI.Length length=Modelica.Math.Vectors.length(r - r_shape) "Length";
  parameter SI.Distance width=length/world.defaultWidthFraction "Width";
  parameter SI.Distance height=width "Height";
  parameter SI.Distance innerWidth=0 "Width of the hollow";
  parameter SI.Distance innerHeight=innerWidth "Height of the hollow";
  parameter SI.Density density=7700 "Density";
  input Types.Color color=Types.Defaults.BodyColor "Colour";
  input Types.SpecularCoefficient specularCoefficient=world.defaultSpecularCoefficient
    "Reflection of light";
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
  parameter Boolean enforceStates=false "The motion of this body is the state"
    annotation(Evaluate=true);
  parameter Boolean useQuaternions=true "Orientation states are quaternions, else three angles"
    annotation(Evaluate=true);
  parameter Types.RotationSequence sequence_angleStates={1, 2, 3} "Axes of the three angles"
    annotation(Evaluate=true);
  final parameter SI.Mass mo(min=0) = density*length*width*height "Mass of the full box";
  final parameter SI.Mass mi(min=0) = density*length*innerWidth*innerHeight "Mass of the hollow";
  final parameter SI.Mass m(min=0) = mo - mi "Mass";
  final parameter Frames.Orientation R=Frames.from_nxy(r, widthDirection)
    "Rotation from frame_a to the edges of the box";
  final parameter SI.Position r_CM[3]=
    r_shape + Modelica.Math.Vectors.normalizeWithAssert(lengthDirection)*length/2
    "From frame_a to the centre of mass, along axes of frame_a";
  final parameter SI.Inertia I[3, 3]=Frames.resolveDyade1(R, diagonal({
    mo*(width^2 + height^2) - mi*(innerWidth^2 + innerHeight^2),
    mo*(length^2 + height^2) - mi*(length^2 + innerHeight^2),
    mo*(length^2 + width^2) - mi*(length^2 + innerWidth^2)})/12)
    "Tensor of inertia about the centre of mass, along axes of frame_a";
  Body body(
    r_CM=r_CM,
    m=m,
    I_11=I[1, 1],
    I_22=I[2, 2],
    I_33=I[3, 3],
    I_21=I[2, 1],
    I_31=I[3, 1],
    I_32=I[3, 2],
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
  FixedTranslation frameTranslation(
    r=r,
    animation=animation,
    shapeType="box",
    widthDirection=widthDirection,
    width=width,
    height=height,
    r_shape=r_shape,
    lengthDirection=lengthDirection,
    length=length,
    color=color,
    specularCoefficient=specularCoefficient) "Rod between both frames";
protected
  outer Modelica.Mechanics.MultiBody.World world "Inertial frame";
equation
  r_0 = frame_a.r_0;
  v_0 = der(r_0);
  a_0 = der(v_0);
  connect(frame_a, frameTranslation.frame_a);
  connect(frameTranslation.frame_b, frame_b);
  connect(frame_a, body.frame_a);
end BodyBox;
