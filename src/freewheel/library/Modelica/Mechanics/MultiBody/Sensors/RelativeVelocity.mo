within Modelica.Mechanics.MultiBody.Sensors;
model RelativeVelocity "Velocity of one frame, as seen from another"
  extends Internal.PartialRelativeSensor;
  Modelica.Blocks.Interfaces.RealOutput v_rel[3](
    each final quantity="Velocity", each final unit="m/s") "Velocity of frame_b in frame_a";
  Modelica.Mechanics.MultiBody.Interfaces.Frame_resolve frame_resolve if
    resolveInFrame == Modelica.Mechanics.MultiBody.Types.ResolveInFrameAB.frame_resolve
    "Frame of the components, if asked for";
  parameter Modelica.Mechanics.MultiBody.Types.ResolveInFrameAB resolveInFrame=
    Modelica.Mechanics.MultiBody.Types.ResolveInFrameAB.frame_a "Frame of the components"
    annotation(Evaluate=true);
protected
  Modelica.Units.SI.Position r_a[3] "From frame_a to frame_b, along axes of frame_a";
  Internal.BasicTransformRelativeVector transform(
    frame_r_in=Modelica.Mechanics.MultiBody.Types.ResolveInFrameAB.frame_a,
    frame_r_out=resolveInFrame) "Along the wanted axes";
  Modelica.Mechanics.MultiBody.Interfaces.ZeroPosition zeroPosition if
    not (resolveInFrame == Modelica.Mechanics.MultiBody.Types.ResolveInFrameAB.frame_resolve)
    "Stands for frame_resolve where it is missing";
equation
  r_a = Frames.resolve2(frame_a.R, frame_b.r_0 - frame_a.r_0);
  transform.r_in = der(r_a);
  connect(frame_a, transform.frame_a);
  connect(frame_b, transform.frame_b);
  connect(transform.r_out, v_rel);
  connect(frame_resolve, transform.frame_resolve);
  connect(zeroPosition.frame_resolve, transform.frame_resolve);
end RelativeVelocity;
