within Modelica.Mechanics.MultiBody.Parts;
model BevelGear1D "Gear between shafts of different directions, with its reaction on a body"
  extends Modelica.Mechanics.Rotational.Interfaces.PartialTwoFlanges;
  parameter Real ratio(start=1) "Angle of flange_a over angle of flange_b";
  parameter Modelica.Mechanics.MultiBody.Types.Axis n_a={1, 0, 0}
    "Axis of flange_a, along axes of frame_a" annotation(Evaluate=true);
  parameter Modelica.Mechanics.MultiBody.Types.Axis n_b={1, 0, 0}
    "Axis of flange_b, along axes of frame_a" annotation(Evaluate=true);
  Modelica.Mechanics.MultiBody.Interfaces.Frame_a frame_a if world.driveTrainMechanics3D
    "Body that takes the torques";
protected
  outer World world "Inertial frame";

  model Housing "Puts a torque on its frame"
    input SI.Torque t[3] "Torque on the frame, along its axes";
    Modelica.Mechanics.MultiBody.Interfaces.Frame_a frame_a "Frame";
  equation
    frame_a.f = zeros(3);
    frame_a.t = t;
  end Housing;

  Housing housing(
    t=-Modelica.Math.Vectors.normalizeWithAssert(n_a)*flange_a.tau
      - Modelica.Math.Vectors.normalizeWithAssert(n_b)*flange_b.tau) if
    world.driveTrainMechanics3D "Place where the torques enter the body";
equation
  flange_a.phi = ratio*flange_b.phi;
  ratio*flange_a.tau + flange_b.tau = 0;
  connect(housing.frame_a, frame_a);
end BevelGear1D;
