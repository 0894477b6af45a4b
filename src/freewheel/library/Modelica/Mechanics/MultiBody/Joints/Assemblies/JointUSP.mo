within Modelica.Mechanics.MultiBody.Joints.Assemblies;
model JointUSP "Rod with universal and ball joint, then a rod on a slide at frame_b"
  extends Internal.RodOnPrismatic(rRod2_ib={-1, 0, 0}, n_b={-1, 0, 0}, boxColor=sphereColor,
    prismatic(length=rod1.rodLength));
  Modelica.Mechanics.MultiBody.Interfaces.Frame_a frame_ia "Frame of the first rod at frame_a";
  parameter Boolean showUniversalAxes=true "Accepted; nothing is drawn";
  parameter Modelica.Mechanics.MultiBody.Types.Axis n1_a={0, 0, 1}
    "First axis of the universal joint, along axes of frame_a" annotation(Evaluate=true);
  parameter SI.Position rRod1_ia[3]={1, 0, 0}
    "From universal to ball joint, along axes of frame_ia" annotation(Evaluate=true);
  parameter SI.Distance cylinderLength=world.defaultJointLength "Length of the axes";
  parameter SI.Distance cylinderDiameter=world.defaultJointWidth "Diameter of the axes";
  input Types.Color cylinderColor=Modelica.Mechanics.MultiBody.Types.Defaults.JointColor
    "Colour of the axes";
  final parameter Real eRod1_ia[3](each final unit="1") = rod1.eRod_ia
    "Direction of the first rod, along axes of frame_ia";
  final parameter Real e2_ia[3](each final unit="1") = rod1.e2_ia
    "Second axis of the universal joint, along axes of frame_ia";
  final parameter SI.Distance rod1Length=rod1.rodLength "Length of the first rod";
  UniversalSpherical rod1(
    animation=animation,
    showUniversalAxes=showUniversalAxes,
    rRod_ia=rRod1_ia,
    n1_a=n1_a,
    sphereDiameter=sphereDiameter,
    sphereColor=sphereColor,
    rodWidth=rod1Diameter,
    rodHeight=rod1Diameter,
    rodColor=rod1Color,
    cylinderLength=cylinderLength,
    cylinderDiameter=cylinderDiameter,
    cylinderColor=cylinderColor,
    specularCoefficient=specularCoefficient,
    kinematicConstraint=false,
    constraintResidue=rod1.f_rod - f_rod) "First rod; the prismatic joint keeps its length";
equation
  eRod_im = Frames.resolveRelative(rod1.eRod_a, rod1.frame_a.R, rod1.frame_b.R);
  f_im = Frames.resolveRelative(rod1.f_b_a1, rod1.frame_a.R, rod1.frame_b.R);
  connect(rod1.frame_a, frame_a);
  connect(rod1.frame_b, rod2.frame_b);
  connect(rod1.frame_ia, frame_ia);
  if checkTotalPower then
    totalPower = Internal.power(frame_a.R, frame_a.f, frame_a.t, der(frame_a.r_0))
      + Internal.power(frame_b.R, frame_b.f, frame_b.t, der(frame_b.r_0))
      + Internal.power(frame_ib.R, frame_ib.f, frame_ib.t, der(frame_ib.r_0))
      + Internal.power(frame_im.R, frame_im.f, frame_im.t, der(frame_im.r_0))
      + Internal.power(frame_ia.R, frame_ia.f, frame_ia.t, der(frame_ia.r_0))
      + axis.f*der(axis.s) + bearing.f*der(bearing.s);
  else
    totalPower = 0;
  end if;
end JointUSP;
