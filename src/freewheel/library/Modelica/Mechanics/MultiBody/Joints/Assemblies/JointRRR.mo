within Modelica.Mechanics.MultiBody.Joints.Assemblies;
model JointRRR "Two rods with three parallel hinges"
  extends Interfaces.PartialTwoFramesDoubleSize;
  Modelica.Mechanics.MultiBody.Interfaces.Frame_a frame_ia "Frame of the first rod at frame_a";
  Modelica.Mechanics.MultiBody.Interfaces.Frame_b frame_ib "Frame of the second rod at frame_b";
  Modelica.Mechanics.MultiBody.Interfaces.Frame_b frame_im
    "Frame of the second rod at the hinge in the middle";
  Modelica.Mechanics.Rotational.Interfaces.Flange_a axis "Flange that drives the last hinge";
  Modelica.Mechanics.Rotational.Interfaces.Flange_b bearing "Flange that carries the drive";
  parameter Boolean animation=true "Accepted; nothing is drawn";
  parameter Modelica.Mechanics.MultiBody.Types.Axis n_a={0, 0, 1}
    "Axis of the hinges, along axes of frame_a" annotation(Evaluate=true);
  final parameter Real n_b[3](each final unit="1", each fixed=false, start={0, 0, 1})
    "The same, along axes of frame_b" annotation(Evaluate=true);
  parameter SI.Position rRod1_ia[3]={1, 0, 0}
    "From the first to the second hinge, along axes of frame_ia" annotation(Evaluate=true);
  parameter SI.Position rRod2_ib[3]={-1, 0, 0}
    "From the third to the second hinge, along axes of frame_ib";
  parameter Modelica.Units.NonSI.Angle_deg phi_offset=0 "Part of the angle that phi leaves out";
  parameter Modelica.Units.NonSI.Angle_deg phi_guess=0
    "Of both angles at the start, the one closer to this is taken";
  parameter SI.Distance cylinderLength=world.defaultJointLength "Length of the hinges";
  parameter SI.Distance cylinderDiameter=world.defaultJointWidth "Diameter of the hinges";
  input Types.Color cylinderColor=Modelica.Mechanics.MultiBody.Types.Defaults.JointColor
    "Colour of the hinges";
  parameter SI.Diameter rodDiameter=1.1*cylinderDiameter "Diameter of the rods";
  input Types.Color rodColor=Modelica.Mechanics.MultiBody.Types.Defaults.RodColor
    "Colour of the rods";
  input Types.SpecularCoefficient specularCoefficient=world.defaultSpecularCoefficient
    "Reflection of light";
  parameter Boolean checkTotalPower=false "Compute totalPower" annotation(Evaluate=true);
  final parameter Real e_a[3](each final unit="1") =
    Modelica.Math.Vectors.normalizeWithAssert(n_a) "Axis of length 1, along axes of frame_a";
  final parameter Real e_ia[3](each final unit="1") = jointUSR.e2_ia
    "Axis of length 1, along axes of frame_ia";
  final parameter Real e_b[3](each final unit="1") = jointUSR.revolute.e
    "Axis of length 1, along axes of frame_b, frame_ib and frame_im";
  SI.Power totalPower=jointUSR.totalPower "Power into the assembly";
  // Three parallel hinges hold twice what keeps the rods in their plane. Universal and ball joint
  // in place of two of them leave the motion and make the forces unique.
  JointUSR jointUSR(
    animation=false,
    showUniversalAxes=false,
    n1_a=n_a,
    n_b=n_b,
    phi_offset=phi_offset,
    phi_guess=phi_guess,
    rRod1_ia=rRod1_ia,
    rRod2_ib=rRod2_ib,
    checkTotalPower=checkTotalPower) "The same motion";
initial equation
  n_b = Frames.resolveRelative(n_a, frame_a.R, frame_b.R);
equation
  connect(jointUSR.frame_a, frame_a);
  connect(jointUSR.frame_b, frame_b);
  connect(jointUSR.frame_ia, frame_ia);
  connect(jointUSR.frame_ib, frame_ib);
  connect(jointUSR.frame_im, frame_im);
  connect(jointUSR.axis, axis);
  connect(jointUSR.bearing, bearing);
end JointRRR;
