within Modelica.Mechanics.MultiBody.Parts;
model FixedTranslation "Rigid rod without mass between parallel frames"
  Interfaces.Frame_a frame_a "First end";
  Interfaces.Frame_b frame_b "Second end";
  parameter Boolean animation=true "Accepted; nothing is drawn";
  parameter SI.Position r[3](start={0, 0, 0}) "From frame_a to frame_b, along axes of frame_a";
  parameter Types.ShapeType shapeType="cylinder" "Shape";
  parameter SI.Position r_shape[3]={0, 0, 0} "Begin of the shape";
  parameter Types.Axis lengthDirection=Modelica.Units.Conversions.to_unit1(r - r_shape)
    "Direction of the shape";
  parameter Types.Axis widthDirection={0, 1, 0} "Direction of its width";
  parameter SI.Length length=Modelica.Math.Vectors.length(r - r_shape) "Length of the shape";
  parameter SI.Distance width=length/world.defaultWidthFraction "Width of the shape";
  parameter SI.Distance height=width "Height of the shape";
  parameter Types.ShapeExtra extra=0.0 "Further datum of the shape";
  input Types.Color color=Types.Defaults.RodColor "Colour of the shape";
  input Types.SpecularCoefficient specularCoefficient=world.defaultSpecularCoefficient
    "Reflection of light";
protected
  outer Modelica.Mechanics.MultiBody.World world "Inertial frame";
equation
  Connections.branch(frame_a.R, frame_b.R);
  frame_b.r_0 = frame_a.r_0 + Frames.resolve1(frame_a.R, r);
  frame_b.R = frame_a.R;
  frame_a.f + frame_b.f = zeros(3);
  frame_a.t + frame_b.t + cross(r, frame_b.f) = zeros(3);
end FixedTranslation;
