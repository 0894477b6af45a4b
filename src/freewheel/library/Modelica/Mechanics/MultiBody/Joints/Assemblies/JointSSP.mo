within Modelica.Mechanics.MultiBody.Joints.Assemblies;
model JointSSP "Rod with ball joints, then a rod on a slide at frame_b"
  extends Internal.RodOnPrismatic(prismatic(length=rod1Length));
  parameter Boolean showMass=true "Accepted; nothing is drawn";
  parameter SI.Length rod1Length(min=Modelica.Constants.eps, start=1) "Length of the first rod";
  parameter SI.Mass rod1Mass(min=0) = 0 "Mass in the middle of the first rod";
  SphericalSpherical rod1(
    animation=animation,
    showMass=showMass,
    m=rod1Mass,
    rodLength=rod1Length,
    rodDiameter=rod1Diameter,
    sphereDiameter=sphereDiameter,
    rodColor=rod1Color,
    sphereColor=sphereColor,
    specularCoefficient=specularCoefficient,
    kinematicConstraint=false,
    constraintResidue=rod1.f_rod - f_rod) "First rod; the prismatic joint keeps its length";
equation
  eRod_im = Frames.resolveRelative(rod1.eRod_a, rod1.frame_a.R, rod1.frame_b.R);
  f_im = Frames.resolveRelative(rod1.f_b_a1, rod1.frame_a.R, rod1.frame_b.R);
  connect(rod1.frame_a, frame_a);
  connect(rod1.frame_b, rod2.frame_b);
  if checkTotalPower then
    totalPower = Internal.power(frame_a.R, frame_a.f, frame_a.t, der(frame_a.r_0))
      + Internal.power(frame_b.R, frame_b.f, frame_b.t, der(frame_b.r_0))
      + Internal.power(frame_ib.R, frame_ib.f, frame_ib.t, der(frame_ib.r_0))
      + Internal.power(frame_im.R, frame_im.f, frame_im.t, der(frame_im.r_0))
      + axis.f*der(axis.s) + bearing.f*der(bearing.s)
      - Frames.resolve1(frame_a.R, rod1.f_CM_a)*rod1.v_CM_0;
  else
    totalPower = 0;
  end if;
end JointSSP;
