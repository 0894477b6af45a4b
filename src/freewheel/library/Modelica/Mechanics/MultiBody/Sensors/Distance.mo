within Modelica.Mechanics.MultiBody.Sensors;
model Distance "Distance between two frames"
  extends Modelica.Mechanics.MultiBody.Interfaces.PartialTwoFrames;
  extends Modelica.Icons.RectangularSensor;
  Modelica.Blocks.Interfaces.RealOutput distance "Distance";
  parameter Boolean animation=true "Accepted; nothing is drawn";
  input Types.Color arrowColor=Modelica.Mechanics.MultiBody.Types.Defaults.SensorColor
    "Colour of the arrow";
  input Types.SpecularCoefficient specularCoefficient=world.defaultSpecularCoefficient
    "Reflection of light";
  input Modelica.Units.SI.Position s_small(min=sqrt(Modelica.Constants.small)) = 1e-10
    "Below this distance a parabola replaces the root";
protected
  Modelica.Units.SI.Position r_0[3]=frame_b.r_0 - frame_a.r_0 "Along axes of world";
  Modelica.Units.SI.Area square=r_0*r_0 "Square of the distance";
equation
  // Value and slope of both pieces agree at s_small.
  distance = smooth(1, noEvent(
    if square > s_small^2 then sqrt(square) else (s_small + square/s_small)/2));
  frame_a.f = zeros(3);
  frame_a.t = zeros(3);
  frame_b.f = zeros(3);
  frame_b.t = zeros(3);
end Distance;
