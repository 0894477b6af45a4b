within Modelica.Mechanics.MultiBody.Sensors;
model AbsoluteVelocity "Velocity of a frame"
  extends Internal.PartialAbsoluteSensor;
  Modelica.Blocks.Interfaces.RealOutput v[3](
    each final quantity="Velocity", each final unit="m/s") "Velocity";
  Modelica.Mechanics.MultiBody.Interfaces.Frame_resolve frame_resolve if
    resolveInFrame == Modelica.Mechanics.MultiBody.Types.ResolveInFrameA.frame_resolve
    "Frame of the components, if asked for";
  parameter Modelica.Mechanics.MultiBody.Types.ResolveInFrameA resolveInFrame=
    Modelica.Mechanics.MultiBody.Types.ResolveInFrameA.frame_a "Frame of the components"
    annotation(Evaluate=true);
protected
  Internal.BasicTransformAbsoluteVector transform(
    frame_r_in=Modelica.Mechanics.MultiBody.Types.ResolveInFrameA.world,
    frame_r_out=resolveInFrame) "Along the wanted axes";
  Modelica.Mechanics.MultiBody.Interfaces.ZeroPosition zeroPosition if
    not (resolveInFrame == Modelica.Mechanics.MultiBody.Types.ResolveInFrameA.frame_resolve)
    "Stands for frame_resolve where it is missing";
equation
  transform.r_in = der(frame_a.r_0);
  connect(frame_a, transform.frame_a);
  connect(transform.r_out, v);
  connect(frame_resolve, transform.frame_resolve);
  connect(zeroPosition.frame_resolve, transform.frame_resolve);
end AbsoluteVelocity;
