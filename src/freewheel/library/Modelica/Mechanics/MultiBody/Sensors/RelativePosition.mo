within Modelica.Mechanics.MultiBody.Sensors;
model RelativePosition "Position of one frame against another"
  extends Internal.PartialRelativeSensor;
  Modelica.Blocks.Interfaces.RealOutput r_rel[3](
    each final quantity="Length", each final unit="m") "From frame_a to frame_b";
  Modelica.Mechanics.MultiBody.Interfaces.Frame_resolve frame_resolve if
    resolveInFrame == Modelica.Mechanics.MultiBody.Types.ResolveInFrameAB.frame_resolve
    "Frame of the components, if asked for";
  parameter Modelica.Mechanics.MultiBody.Types.ResolveInFrameAB resolveInFrame=
    Modelica.Mechanics.MultiBody.Types.ResolveInFrameAB.frame_a "Frame of the components"
    annotation(Evaluate=true);
protected
  Internal.BasicRelativePosition relativePosition(resolveInFrame=resolveInFrame) "Measurement";
  Modelica.Mechanics.MultiBody.Interfaces.ZeroPosition zeroPosition if
    not (resolveInFrame == Modelica.Mechanics.MultiBody.Types.ResolveInFrameAB.frame_resolve)
    "Stands for frame_resolve where it is missing";
equation
  connect(frame_a, relativePosition.frame_a);
  connect(frame_b, relativePosition.frame_b);
  connect(relativePosition.r_rel, r_rel);
  connect(frame_resolve, relativePosition.frame_resolve);
  connect(zeroPosition.frame_resolve, relativePosition.frame_resolve);
end RelativePosition;
