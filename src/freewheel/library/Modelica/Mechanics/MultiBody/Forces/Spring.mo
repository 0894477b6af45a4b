within Modelica.Mechanics.MultiBody.Forces;
model Spring "Linear spring between two frames, on demand with a mass on it"
  extends Interfaces.PartialTwoFrames;
  parameter Boolean animation=true "Accepted; nothing is drawn";
  parameter Boolean showMass=true "Accepted; nothing is drawn";
  parameter SI.TranslationalSpringConstant c(final min=0) "Spring constant";
  parameter SI.Length s_unstretched=0 "Length of the relaxed spring";
  parameter SI.Mass m(min=0) = 0 "Mass on the line" annotation(Evaluate=true);
  parameter Real lengthFraction(min=0, max=1) = 0.5
    "Place of the mass: 0 at frame_a, 1 at frame_b";
  input SI.Distance width=world.defaultForceWidth "Width of the coil";
  input SI.Distance coilWidth=width/10 "Width of its wire";
  parameter Integer numberOfWindings=5 "Number of its windings";
  input Types.Color color=Modelica.Mechanics.MultiBody.Types.Defaults.SpringColor
    "Colour of the coil";
  input Types.SpecularCoefficient specularCoefficient=world.defaultSpecularCoefficient
    "Reflection of light";
  input SI.Diameter massDiameter=max(0, (width - 2*coilWidth)*0.9) "Diameter of the mass";
  input Types.Color massColor=Modelica.Mechanics.MultiBody.Types.Defaults.BodyColor
    "Colour of the mass";
  parameter SI.Distance s_small=1e-10 "Shorter lines count as this long in divisions";
  parameter Boolean fixedRotationAtFrame_a=false "This line fixes the orientation of frame_a"
    annotation(Evaluate=true);
  parameter Boolean fixedRotationAtFrame_b=false "This line fixes the orientation of frame_b"
    annotation(Evaluate=true);
  SI.Position r_rel_a[3] "From frame_a to frame_b, along axes of frame_a";
  Real e_a[3](each final unit="1") "Direction from frame_a to frame_b, along axes of frame_a";
  SI.Force f "Force that pulls the frames together, if positive";
  SI.Distance length "Length of the line";
  SI.Position s "The same, at least s_small";
  SI.Position r_rel_0[3] "From frame_a to frame_b, along axes of world";
  Real e_rel_0[3](each final unit="1") "Direction from frame_a to frame_b, along axes of world";
  Forces.LineForceWithMass lineForce(
    final m=m,
    final lengthFraction=lengthFraction,
    final s_small=s_small,
    final fixedRotationAtFrame_a=fixedRotationAtFrame_a,
    final fixedRotationAtFrame_b=fixedRotationAtFrame_b,
    final animateLine=animation,
    final animateMass=showMass,
    final specularCoefficient=specularCoefficient,
    final lineShapeType="spring",
    final lineShapeWidth=width,
    final lineShapeHeight=2*coilWidth,
    final lineShapeExtra=numberOfWindings,
    final lineShapeColor=color,
    final massDiameter=massDiameter,
    final massColor=massColor) "Line";
  Modelica.Mechanics.Translational.Components.Spring spring(
    final s_rel0=s_unstretched,
    final c=c) "Spring along the line";
equation
  length = lineForce.length;
  s = lineForce.s;
  r_rel_0 = lineForce.r_rel_0;
  e_rel_0 = lineForce.e_rel_0;
  r_rel_a = Frames.resolve2(frame_a.R, r_rel_0);
  e_a = r_rel_a/s;
  f = spring.f;
  connect(frame_a, lineForce.frame_a);
  connect(lineForce.frame_b, frame_b);
  connect(lineForce.flange_a, spring.flange_a);
  connect(spring.flange_b, lineForce.flange_b);
end Spring;
