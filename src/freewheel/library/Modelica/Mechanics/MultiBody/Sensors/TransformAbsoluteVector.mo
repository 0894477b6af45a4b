within Modelica.Mechanics.MultiBody.Sensors;
model TransformAbsoluteVector "Components of a vector along other axes"
  extends Modelica.Icons.RoundSensor;
  Modelica.Mechanics.MultiBody.Interfaces.Frame_a frame_a "Frame at hand";
  Modelica.Mechanics.MultiBody.Interfaces.Frame_resolve frame_resolve if
    frame_r_in == Modelica.Mechanics.MultiBody.Types.ResolveInFrameA.frame_resolve or
    frame_r_out == Modelica.Mechanics.MultiBody.Types.ResolveInFrameA.frame_resolve
    "Frame of the components, if asked for";
  Modelica.Blocks.Interfaces.RealInput r_in[3] "Given components";
  Modelica.Blocks.Interfaces.RealOutput r_out[3] "Wanted components";
  parameter Modelica.Mechanics.MultiBody.Types.ResolveInFrameA frame_r_in=
    Modelica.Mechanics.MultiBody.Types.ResolveInFrameA.frame_a "Frame of r_in" annotation(Evaluate=true);
  parameter Modelica.Mechanics.MultiBody.Types.ResolveInFrameA frame_r_out=frame_r_in
    "Frame of r_out" annotation(Evaluate=true);
protected
  Internal.BasicTransformAbsoluteVector basicTransformVector(
    frame_r_in=frame_r_in, frame_r_out=frame_r_out) "Transformation";
  Modelica.Mechanics.MultiBody.Interfaces.ZeroPosition zeroPosition if
    not (frame_r_in == Modelica.Mechanics.MultiBody.Types.ResolveInFrameA.frame_resolve or
    frame_r_out == Modelica.Mechanics.MultiBody.Types.ResolveInFrameA.frame_resolve)
    "Stands for frame_resolve where it is missing";
equation
  connect(frame_a, basicTransformVector.frame_a);
  connect(r_in, basicTransformVector.r_in);
  connect(basicTransformVector.r_out, r_out);
  connect(frame_resolve, basicTransformVector.frame_resolve);
  connect(zeroPosition.frame_resolve, basicTransformVector.frame_resolve);
end TransformAbsoluteVector;
