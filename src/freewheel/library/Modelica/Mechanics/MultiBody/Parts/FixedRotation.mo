within Modelica.Mechanics.MultiBody.Parts;
model FixedRotation "Rigid part without mass between frames of different axes"
  Interfaces.Frame_a frame_a "First end";
  Interfaces.Frame_b frame_b "Second end";
  parameter Boolean animation=true "Accepted; nothing is drawn";
  parameter SI.Position r[3]={0, 0, 0} "From frame_a to frame_b, along axes of frame_a";
  parameter Modelica.Mechanics.MultiBody.Types.RotationTypes rotationType=
    Modelica.Mechanics.MultiBody.Types.RotationTypes.RotationAxis "How the rotation is given"
    annotation(Evaluate=true);
  parameter Modelica.Mechanics.MultiBody.Types.Axis n={1, 0, 0} "RotationAxis: the axis"
    annotation(Evaluate=true);
  parameter Modelica.Units.NonSI.Angle_deg angle=0 "RotationAxis: the angle";
  parameter Modelica.Mechanics.MultiBody.Types.Axis n_x={1, 0, 0}
    "TwoAxesVectors: x axis of frame_b" annotation(Evaluate=true);
  parameter Modelica.Mechanics.MultiBody.Types.Axis n_y={0, 1, 0}
    "TwoAxesVectors: side of the y axis of frame_b" annotation(Evaluate=true);
  parameter Modelica.Mechanics.MultiBody.Types.RotationSequence sequence(
    min={1, 1, 1}, max={3, 3, 3}) = {1, 2, 3} "PlanarRotationSequence: numbers of the axes"
    annotation(Evaluate=true);
  parameter Modelica.Units.NonSI.Angle_deg angles[3]={0, 0, 0}
    "PlanarRotationSequence: the angles";
  parameter Modelica.Mechanics.MultiBody.Types.ShapeType shapeType="cylinder" "Shape";
  parameter SI.Position r_shape[3]={0, 0, 0} "Begin of the shape";
  parameter Modelica.Mechanics.MultiBody.Types.Axis lengthDirection=
    Modelica.Units.Conversions.to_unit1(r - r_shape) "Direction of the shape";
  parameter Modelica.Mechanics.MultiBody.Types.Axis widthDirection={0, 1, 0}
    "Direction of its width";
  parameter SI.Length length=Modelica.Math.Vectors.length(r - r_shape) "Length of the shape";
  parameter SI.Distance width=length/world.defaultWidthFraction "Width of the shape";
  parameter SI.Distance height=width "Height of the shape";
  parameter Modelica.Mechanics.MultiBody.Types.ShapeExtra extra=0.0 "Further datum of the shape";
  input Modelica.Mechanics.MultiBody.Types.Color color=
    Modelica.Mechanics.MultiBody.Types.Defaults.RodColor "Colour of the shape";
  input Modelica.Mechanics.MultiBody.Types.SpecularCoefficient specularCoefficient=
    world.defaultSpecularCoefficient "Reflection of light";
  final parameter Frames.Orientation R_rel=
    if rotationType == Types.RotationTypes.RotationAxis then
      Frames.planarRotation(
        Modelica.Math.Vectors.normalizeWithAssert(n),
        Modelica.Units.Conversions.from_deg(angle),
        0)
    elseif rotationType == Types.RotationTypes.TwoAxesVectors then
      Frames.from_nxy(n_x, n_y)
    else
      Frames.axesRotations(sequence, Modelica.Units.Conversions.from_deg(angles), zeros(3))
    "Rotation from frame_a to frame_b";
protected
  outer Modelica.Mechanics.MultiBody.World world "Inertial frame";
  final parameter Frames.Orientation R_back=Frames.from_T(transpose(R_rel.T), zeros(3))
    "Rotation from frame_b to frame_a";
  SI.Position r_b[3] "From frame_a to frame_b, along axes of frame_b";
equation
  Connections.branch(frame_a.R, frame_b.R);
  frame_b.r_0 = frame_a.r_0 + Frames.resolve1(frame_a.R, r);
  r_b = Frames.resolve2(R_rel, r);
  if Connections.rooted(frame_a.R) then
    frame_b.R = Frames.absoluteRotation(frame_a.R, R_rel);
    frame_a.f + Frames.resolve1(R_rel, frame_b.f) = zeros(3);
    frame_a.t + Frames.resolve1(R_rel, frame_b.t + cross(r_b, frame_b.f)) = zeros(3);
  else
    frame_a.R = Frames.absoluteRotation(frame_b.R, R_back);
    Frames.resolve2(R_rel, frame_a.f) + frame_b.f = zeros(3);
    Frames.resolve2(R_rel, frame_a.t - cross(r, frame_a.f)) + frame_b.t = zeros(3);
  end if;
end FixedRotation;
