within Modelica.Mechanics.MultiBody.Sensors;
model AbsolutePosition "Position of a frame"
  extends Internal.PartialAbsoluteSensor;
  Modelica.Blocks.Interfaces.RealOutput r[3](
    each final quantity="Length", each final unit="m") "Position";
  Modelica.Mechanics.MultiBody.Interfaces.Frame_resolve frame_resolve if
    resolveInFrame == Modelica.Mechanics.MultiBody.Types.ResolveInFrameA.frame_resolve
    "Frame of the components, if asked for";
  parameter Modelica.Mechanics.MultiBody.Types.ResolveInFrameA resolveInFrame=
    Modelica.Mechanics.MultiBody.Types.ResolveInFrameA.frame_a "Frame of the components"
    annotation(Evaluate=true);
protected
  Internal.BasicAbsolutePosition position(resolveInFrame=resolveInFrame) "Measurement";
  Modelica.Mechanics.MultiBody.Interfaces.ZeroPosition zeroPosition if
    not (resolveInFrame == Modelica.Mechanics.MultiBody.Types.ResolveInFrameA.frame_resolve)
    "Stands for frame_resolve where it is missing";
equation
  connect(frame_a, position.frame_a);
  connect(position.r, r);
  connect(frame_resolve, position.frame_resolve);
  connect(zeroPosition.frame_resolve, position.frame_resolve);
end AbsolutePosition;
