within Modelica.Mechanics.MultiBody.Joints;
model RevolutePlanarLoopConstraint
  "Hinge that closes a planar loop: it keeps two points together in the plane across the axis"
  Interfaces.Frame_a frame_a "First side";
  Interfaces.Frame_b frame_b "Second side";
  parameter Boolean animation=true "Accepted; nothing is drawn";
  parameter Modelica.Mechanics.MultiBody.Types.Axis n={0, 0, 1}
    "Axis, along axes of frame_a and of frame_b alike" annotation(Evaluate=true);
  parameter SI.Distance cylinderLength=world.defaultJointLength "Length of the shape";
  parameter SI.Distance cylinderDiameter=world.defaultJointWidth "Diameter of the shape";
  input Types.Color cylinderColor=Modelica.Mechanics.MultiBody.Types.Defaults.JointColor
    "Colour of the shape";
  input Types.SpecularCoefficient specularCoefficient=world.defaultSpecularCoefficient
    "Reflection of light";
protected
  outer Modelica.Mechanics.MultiBody.World world "Inertial frame";
  // Any two directions across the axis do.
  parameter Frames.TransformationMatrices.Orientation T=
    Frames.TransformationMatrices.from_nxy(Modelica.Math.Vectors.normalizeWithAssert(n),
      if abs(n[1]) > 0.1*Modelica.Math.Vectors.length(n) then {0, 1, 0} else {1, 0, 0})
    "Axes along n and across it" annotation(Evaluate=true);
  Frames.Orientation R_rel "Rotation from frame_a to frame_b";
  SI.Position r_a[3] "From frame_a to frame_b, along axes of frame_a";
  SI.Force f_c[2] "Forces across the axis";
equation
  R_rel = Frames.relativeRotation(frame_a.R, frame_b.R);
  r_a = Frames.resolve2(frame_a.R, frame_b.r_0 - frame_a.r_0);
  zeros(2) = T[2:3, :]*r_a;
  frame_a.t = zeros(3);
  frame_b.t = zeros(3);
  frame_a.f = transpose(T[2:3, :])*f_c;
  frame_b.f = -Frames.resolve2(R_rel, frame_a.f);
end RevolutePlanarLoopConstraint;
