within Modelica.Mechanics.MultiBody.Sensors;
model RelativeAngularVelocity "Angular velocity of one frame against another"
  extends Internal.PartialRelativeSensor;
  Modelica.Blocks.Interfaces.RealOutput w_rel[3](
    each final quantity="AngularVelocity", each final unit="rad/s") "Angular velocity of frame_b against frame_a";
  Modelica.Mechanics.MultiBody.Interfaces.Frame_resolve frame_resolve if
    resolveInFrame == Modelica.Mechanics.MultiBody.Types.ResolveInFrameAB.frame_resolve
    "Frame of the components, if asked for";
  parameter Modelica.Mechanics.MultiBody.Types.ResolveInFrameAB resolveInFrame=
    Modelica.Mechanics.MultiBody.Types.ResolveInFrameAB.frame_a "Frame of the components"
    annotation(Evaluate=true);
protected
  Internal.BasicRelativeAngularVelocity relativeAngularVelocity(resolveInFrame=resolveInFrame) "Measurement";
  Modelica.Mechanics.MultiBody.Interfaces.ZeroPosition zeroPosition if
    not (resolveInFrame == Modelica.Mechanics.MultiBody.Types.ResolveInFrameAB.frame_resolve)
    "Stands for frame_resolve where it is missing";
equation
  connect(frame_a, relativeAngularVelocity.frame_a);
  connect(frame_b, relativeAngularVelocity.frame_b);
  connect(relativeAngularVelocity.w_rel, w_rel);
  connect(frame_resolve, relativeAngularVelocity.frame_resolve);
  connect(zeroPosition.frame_resolve, relativeAngularVelocity.frame_resolve);
end RelativeAngularVelocity;
