within Modelica.Mechanics.MultiBody.Sensors;
model Power "Power that passes between two frames that move as one"
  extends Modelica.Icons.RoundSensor;
  extends Modelica.Mechanics.MultiBody.Interfaces.PartialTwoFrames;
  Modelica.Blocks.Interfaces.RealOutput power(quantity="Power", unit="W")
    "Power of force and torque of frame_a";
equation
  Connections.branch(frame_a.R, frame_b.R);
  frame_b.r_0 = frame_a.r_0;
  frame_b.R = frame_a.R;
  frame_a.f + frame_b.f = zeros(3);
  frame_a.t + frame_b.t = zeros(3);
  power = frame_a.f*Frames.resolve2(frame_a.R, der(frame_a.r_0))
    + frame_a.t*Frames.angularVelocity2(frame_a.R);
end Power;
