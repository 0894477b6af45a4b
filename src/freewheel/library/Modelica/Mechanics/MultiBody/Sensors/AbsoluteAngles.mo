within Modelica.Mechanics.MultiBody.Sensors;
model AbsoluteAngles "Three angles from world to a frame"
  extends Internal.PartialAbsoluteSensor;
  Modelica.Blocks.Interfaces.RealOutput angles[3](
    each final quantity="Angle", each final unit="rad", each displayUnit="deg") "Angles";
  parameter Modelica.Mechanics.MultiBody.Types.RotationSequence sequence(
    min={1, 1, 1}, max={3, 3, 3}) = {1, 2, 3} "Axes of the three angles"
    annotation(Evaluate=true);
  parameter Modelica.Units.SI.Angle guessAngle1=0
    "The solution with the first angle closest to this is taken";
equation
  angles = Frames.axesRotationsAngles(frame_a.R, sequence, guessAngle1);
  frame_a.f = zeros(3);
  frame_a.t = zeros(3);
end AbsoluteAngles;
