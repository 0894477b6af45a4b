within Modelica.Mechanics.MultiBody.Sensors;
model RelativeAngles "Three angles from one frame to another"
  extends Internal.PartialRelativeSensor;
  Modelica.Blocks.Interfaces.RealOutput angles[3](
    each final quantity="Angle", each final unit="rad", each displayUnit="deg") "Angles";
  parameter Modelica.Mechanics.MultiBody.Types.RotationSequence sequence(
    min={1, 1, 1}, max={3, 3, 3}) = {1, 2, 3} "Axes of the three angles"
    annotation(Evaluate=true);
  parameter Modelica.Units.SI.Angle guessAngle1=0
    "The solution with the first angle closest to this is taken";
  Modelica.Mechanics.MultiBody.Frames.Orientation R_rel "Rotation from frame_a to frame_b";
equation
  R_rel = Frames.relativeRotation(frame_a.R, frame_b.R);
  angles = Frames.axesRotationsAngles(R_rel, sequence, guessAngle1);
  frame_a.f = zeros(3);
  frame_a.t = zeros(3);
  frame_b.f = zeros(3);
  frame_b.t = zeros(3);
end RelativeAngles;
