within Modelica.Mechanics.MultiBody.Joints.Assemblies;
model JointRRP "Rod with two parallel hinges, then a rod on a slide across them"
  extends Interfaces.PartialTwoFramesDoubleSize;
  Modelica.Mechanics.MultiBody.Interfaces.Frame_a frame_ia "Frame of the first rod at frame_a";
  Modelica.Mechanics.MultiBody.Interfaces.Frame_b frame_ib "Frame of the second rod at frame_b";
  Modelica.Mechanics.MultiBody.Interfaces.Frame_b frame_im
    "Frame of the second rod at the hinge in the middle";
  Modelica.Mechanics.Translational.Interfaces.Flange_a axis "Flange that drives the slide";
  Modelica.Mechanics.Translational.Interfaces.Flange_b bearing "Flange that carries the drive";
  parameter Boolean animation=true "Accepted; nothing is drawn";
  parameter Modelica.Mechanics.MultiBody.Types.Axis n_a={0, 0, 1}
    "Axis of the hinges, along axes of frame_a" annotation(Evaluate=true);
  parameter Modelica.Mechanics.MultiBody.Types.Axis n_b={-1, 0, 0}
    "Axis of the slide, along axes of frame_b" annotation(Evaluate=true);
  parameter SI.Position rRod1_ia[3]={1, 0, 0}
    "From the first to the second hinge, along axes of frame_ia" annotation(Evaluate=true);
  parameter SI.Position rRod2_ib[3]={-1, 0, 0}
    "From the slide to the second hinge, along axes of frame_ib";
  parameter SI.Position s_offset=0 "Part of the displacement that s leaves out";
  parameter SI.Position s_guess=0 "Of both values of s at the start, the closer one is taken";
  parameter SI.Distance cylinderLength=world.defaultJointLength "Length of the hinges";
  parameter SI.Distance cylinderDiameter=world.defaultJointWidth "Diameter of the hinges";
  input Types.Color cylinderColor=Modelica.Mechanics.MultiBody.Types.Defaults.JointColor
    "Colour of the hinges";
  parameter Types.Axis boxWidthDirection={0, 1, 0} "Direction of the width of the slide"
    annotation(Evaluate=true);
  parameter SI.Distance boxWidth=world.defaultJointWidth "Width of the slide";
  parameter SI.Distance boxHeight=boxWidth "Height of the slide";
  input Types.Color boxColor=cylinderColor "Colour of the slide";
  parameter SI.Diameter rodDiameter=1.1*cylinderDiameter "Diameter of the rods";
  input Types.Color rodColor=Modelica.Mechanics.MultiBody.Types.Defaults.RodColor
    "Colour of the rods";
  input Types.SpecularCoefficient specularCoefficient=world.defaultSpecularCoefficient
    "Reflection of light";
  parameter Boolean checkTotalPower=false "Compute totalPower" annotation(Evaluate=true);
  final parameter Real e_a[3](each final unit="1") =
    Modelica.Math.Vectors.normalizeWithAssert(n_a) "Axis of length 1, along axes of frame_a";
  final parameter Real e_ia[3](each final unit="1") = jointUSP.e2_ia
    "Axis of length 1, along axes of frame_ia";
  final parameter Real e_im[3](each final unit="1", each fixed=false)
    "Axis of length 1, along axes of frame_im";
  final parameter Real e_b[3](each final unit="1") = jointUSP.prismatic.e
    "Axis of the slide of length 1, along axes of frame_b, frame_ib and frame_im";
  SI.Power totalPower=jointUSP.totalPower "Power into the assembly";
  // Two parallel hinges and a slide across hold twice what keeps the rods in their plane.
  // Universal and ball joint in place of the hinges leave the motion and make the forces unique.
  JointUSP jointUSP(
    animation=false,
    showUniversalAxes=false,
    n1_a=n_a,
    n_b=n_b,
    s_offset=s_offset,
    s_guess=s_guess,
    rRod1_ia=rRod1_ia,
    rRod2_ib=rRod2_ib,
    checkTotalPower=checkTotalPower) "The same motion";
initial equation
  e_im = Frames.resolveRelative(e_a, frame_a.R, frame_im.R);
equation
  connect(jointUSP.frame_a, frame_a);
  connect(jointUSP.frame_b, frame_b);
  connect(jointUSP.frame_ia, frame_ia);
  connect(jointUSP.frame_ib, frame_ib);
  connect(jointUSP.frame_im, frame_im);
  connect(jointUSP.axis, axis);
  connect(jointUSP.bearing, bearing);
end JointRRP;
