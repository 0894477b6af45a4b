within Modelica.Mechanics.MultiBody.Parts;
model Fixed "Frame at rest in world"
  Interfaces.Frame_b frame_b "Frame";
  parameter Boolean animation=true "Accepted; nothing is drawn";
  parameter SI.Position r[3]={0, 0, 0} "Position of the frame";
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
  Connections.root(frame_b.R);
  frame_b.r_0 = r;
  frame_b.R = Frames.nullRotation();
end Fixed;
