within Modelica.Mechanics.MultiBody.Parts;
model Mounting1D "Holds a flange at an angle and passes its torque to a body"
  parameter SI.Angle phi0=0 "Angle of the flange";
  parameter Modelica.Mechanics.MultiBody.Types.Axis n={1, 0, 0}
    "Axis of the flange, along axes of frame_a" annotation(Evaluate=true);
  Modelica.Mechanics.Rotational.Interfaces.Flange_b flange_b "Held flange";
  Modelica.Mechanics.MultiBody.Interfaces.Frame_a frame_a if world.driveTrainMechanics3D
    "Body that takes the torque";
protected
  outer Modelica.Mechanics.MultiBody.World world "Inertial frame";

  model Housing "Puts a torque on its frame"
    input SI.Torque t[3] "Torque on the frame, along its axes";
    Modelica.Mechanics.MultiBody.Interfaces.Frame_a frame_a "Frame";
  equation
    frame_a.f = zeros(3);
    frame_a.t = t;
  end Housing;

  Housing housing(t=-Modelica.Math.Vectors.normalizeWithAssert(n)*flange_b.tau) if
    world.driveTrainMechanics3D "Place where the torque enters the body";
equation
  flange_b.phi = phi0;
  connect(housing.frame_a, frame_a);
end Mounting1D;
