within Modelica.Mechanics.MultiBody.Sensors;
model TransformRelativeVector "Components of a vector along other axes"
  extends Internal.PartialRelativeSensor;
  Modelica.Mechanics.MultiBody.Interfaces.Frame_resolve frame_resolve if
    frame_r_in == Modelica.Mechanics.MultiBody.Types.ResolveInFrameAB.frame_resolve or
    frame_r_out == Modelica.Mechanics.MultiBody.Types.ResolveInFrameAB.frame_resolve
    "Frame of the components, if asked for";
  Modelica.Blocks.Interfaces.RealInput r_in[3] "Given components";
  Modelica.Blocks.Interfaces.RealOutput r_out[3] "Wanted components";
  parameter Modelica.Mechanics.MultiBody.Types.ResolveInFrameAB frame_r_in=
    Modelica.Mechanics.MultiBody.Types.ResolveInFrameAB.frame_a "Frame of r_in" annotation(Evaluate=true);
  parameter Modelica.Mechanics.MultiBody.Types.ResolveInFrameAB frame_r_out=frame_r_in
    "Frame of r_out" annotation(Evaluate=true);
protected
  Internal.BasicTransformRelativeVector basicTransformVector(
    frame_r_in=frame_r_in, frame_r_out=frame_r_out) "Transformation";
  Modelica.Mechanics.MultiBody.Interfaces.ZeroPosition zeroPosition if
    not (frame_r_in == Modelica.Mechanics.MultiBody.Types.ResolveInFrameAB.frame_resolve or
    frame_r_out == Modelica.Mechanics.MultiBody.Types.ResolveInFrameAB.frame_resolve)
    "Stands for frame_resolve where it is missing";
equation
  connect(frame_a, basicTransformVector.frame_a);
  connect(frame_b, basicTransformVector.frame_b);
  connect(r_in, basicTransformVector.r_in);
  connect(basicTransformVector.r_out, r_out);
  connect(frame_resolve, basicTransformVector.frame_resolve);
  connect(zeroPosition.frame_resolve, basicTransformVector.frame_resolve);
end TransformRelativeVector;
