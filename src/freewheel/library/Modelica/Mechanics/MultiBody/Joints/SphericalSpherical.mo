within Modelica.Mechanics.MultiBody.Joints;
model SphericalSpherical "Rod with a ball joint at both ends, on demand with a mass in the middle"
  extends Interfaces.PartialTwoFrames;
  parameter Boolean animation=true "Accepted; nothing is drawn";
  parameter Boolean showMass=true "Accepted; nothing is drawn";
  parameter Boolean computeRodLength=false "The length follows from the start"
    annotation(Evaluate=true);
  parameter SI.Length rodLength(
    min=Modelica.Constants.eps, fixed=not computeRodLength, start=1) "Length of the rod";
  parameter SI.Mass m(min=0) = 0 "Mass in the middle" annotation(Evaluate=true);
  parameter SI.Diameter sphereDiameter=world.defaultJointLength "Diameter of the balls";
  input Types.Color sphereColor=Modelica.Mechanics.MultiBody.Types.Defaults.JointColor
    "Colour of the balls";
  parameter SI.Diameter rodDiameter=sphereDiameter/Types.Defaults.JointRodDiameterFraction
    "Diameter of the rod";
  input Types.Color rodColor=Modelica.Mechanics.MultiBody.Types.Defaults.RodColor
    "Colour of the rod";
  parameter SI.Diameter massDiameter=sphereDiameter "Diameter of the mass";
  input Types.Color massColor=Modelica.Mechanics.MultiBody.Types.Defaults.BodyColor
    "Colour of the mass";
  input Types.SpecularCoefficient specularCoefficient=world.defaultSpecularCoefficient
    "Reflection of light";
  parameter Boolean kinematicConstraint=true
    "constraintResidue is about the length; false where another condition replaces it";
  Real constraintResidue=rRod_0*rRod_0 - rodLength*rodLength "Zero in every solution";
  parameter Boolean checkTotalPower=false "Compute totalPower" annotation(Evaluate=true);
  SI.Force f_rod "Force along the rod; positive on frame_a where it points to frame_b";
  SI.Position rRod_0[3] "From frame_a to frame_b, along axes of world";
  SI.Position rRod_a[3] "From frame_a to frame_b, along axes of frame_a";
  Real eRod_a[3](each final unit="1") "Direction of the rod, along axes of frame_a";
  SI.Position r_CM_0[3] "Position of the mass, along axes of world";
  SI.Velocity v_CM_0[3] "Velocity of the mass, along axes of world";
  SI.Force f_CM_a[3] "Mass times acceleration less gravity, along axes of frame_a";
  SI.Force f_CM_e[3] "Its part along the rod";
  SI.Force f_b_a1[3] "Force at frame_b without f_rod, along axes of frame_a";
  SI.Power totalPower "Power into the rod less that of the mass; zero up to errors, if asked for";
initial equation
  if computeRodLength then
    rRod_0*rRod_0 = rodLength*rodLength;
  end if;
equation
  rRod_0 = frame_b.r_0 - frame_a.r_0;
  rRod_a = Frames.resolve2(frame_a.R, rRod_0);
  eRod_a = rRod_a/rodLength;
  constraintResidue = 0;
  r_CM_0 = frame_a.r_0 + rRod_0/2;
  if m > 0 then
    v_CM_0 = der(r_CM_0);
    f_CM_a = m*Frames.resolve2(frame_a.R, der(v_CM_0) - world.gravityAcceleration(r_CM_0));
  else
    v_CM_0 = zeros(3);
    f_CM_a = zeros(3);
  end if;
  f_CM_e = (f_CM_a*eRod_a)*eRod_a;
  // No torque acts on the rod: across it both ends carry half of the mass. Along it frame_b
  // carries the mass, and f_rod is the rest.
  f_b_a1 = (f_CM_a + f_CM_e)/2;
  frame_a.t = zeros(3);
  frame_b.t = zeros(3);
  frame_a.f = (f_CM_a - f_CM_e)/2 + f_rod*eRod_a;
  frame_b.f = Frames.resolveRelative(f_b_a1 - f_rod*eRod_a, frame_a.R, frame_b.R);
  if checkTotalPower then
    totalPower = Internal.power(frame_a.R, frame_a.f, frame_a.t, der(frame_a.r_0))
      + Internal.power(frame_b.R, frame_b.f, frame_b.t, der(frame_b.r_0))
      - (if m > 0 then Frames.resolve1(frame_a.R, f_CM_a)*v_CM_0 else 0);
  else
    totalPower = 0;
  end if;
end SphericalSpherical;
