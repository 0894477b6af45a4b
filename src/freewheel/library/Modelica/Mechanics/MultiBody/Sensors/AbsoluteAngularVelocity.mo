within Modelica.Mechanics.MultiBody.Sensors;
model AbsoluteAngularVelocity "Angular velocity of a frame"
  extends Internal.PartialAbsoluteSensor;
  Modelica.Blocks.Interfaces.RealOutput w[3](
    each final quantity="AngularVelocity", each final unit="rad/s") "Angular velocity";
  Modelica.Mechanics.MultiBody.Interfaces.Frame_resolve frame_resolve if
    resolveInFrame == Modelica.Mechanics.MultiBody.Types.ResolveInFrameA.frame_resolve
    "Frame of the components, if asked for";
  parameter Modelica.Mechanics.MultiBody.Types.ResolveInFrameA resolveInFrame=
    Modelica.Mechanics.MultiBody.Types.ResolveInFrameA.frame_a "Frame of the components"
    annotation(Evaluate=true);
protected
  Internal.BasicAbsoluteAngularVelocity angularVelocity(resolveInFrame=resolveInFrame) "Measurement";
  Modelica.Mechanics.MultiBody.Interfaces.ZeroPosition zeroPosition if
    not (resolveInFrame == Modelica.Mechanics.MultiBody.Types.ResolveInFrameA.frame_resolve)
    "Stands for frame_resolve where it is missing";
equation
  connect(frame_a, angularVelocity.frame_a);
  connect(angularVelocity.w, w);
  connect(frame_resolve, angularVelocity.frame_resolve);
  connect(zeroPosition.frame_resolve, angularVelocity.frame_resolve);
end AbsoluteAngularVelocity;
