within Modelica.Mechanics.MultiBody.Sensors;
model RelativeSensor "Motion of one frame against another, as far as asked for"
  extends Internal.PartialRelativeSensor;
  Modelica.Mechanics.MultiBody.Interfaces.Frame_resolve frame_resolve if
    resolveInFrame == Modelica.Mechanics.MultiBody.Types.ResolveInFrameAB.frame_resolve or
    resolveInFrameAfterDifferentiation ==
      Modelica.Mechanics.MultiBody.Types.ResolveInFrameAB.frame_resolve
    "Frame of the components, if asked for";
  parameter Boolean animation=true "Accepted; nothing is drawn";
  parameter Modelica.Mechanics.MultiBody.Types.ResolveInFrameAB resolveInFrame=
    Modelica.Mechanics.MultiBody.Types.ResolveInFrameAB.frame_a "Frame of the components"
    annotation(Evaluate=true);
  parameter Boolean get_r_rel=false "Offer the output" annotation(Evaluate=true);
  parameter Boolean get_v_rel=false "Offer the output" annotation(Evaluate=true);
  parameter Boolean get_a_rel=false "Offer the output" annotation(Evaluate=true);
  parameter Boolean get_w_rel=false "Offer the output" annotation(Evaluate=true);
  parameter Boolean get_z_rel=false "Offer the output" annotation(Evaluate=true);
  parameter Boolean get_angles=false "Offer the output" annotation(Evaluate=true);
  parameter Modelica.Mechanics.MultiBody.Types.RotationSequence sequence(
    min={1, 1, 1}, max={3, 3, 3}) = {1, 2, 3} "Axes of the three angles"
    annotation(Evaluate=true);
  parameter Modelica.Units.SI.Angle guessAngle1=0
    "The solution with the first angle closest to this is taken";
  input Types.Color arrowColor=Modelica.Mechanics.MultiBody.Types.Defaults.SensorColor
    "Colour of the arrow";
  input Types.SpecularCoefficient specularCoefficient=world.defaultSpecularCoefficient
    "Reflection of light";
  parameter Modelica.Mechanics.MultiBody.Types.ResolveInFrameAB resolveInFrameAfterDifferentiation=
    resolveInFrame "Frame of the components of derivatives" annotation(Evaluate=true);
  Modelica.Blocks.Interfaces.RealOutput r_rel[3](
    each final quantity="Length", each final unit="m") if get_r_rel "Position";
  Modelica.Blocks.Interfaces.RealOutput v_rel[3](
    each final quantity="Velocity", each final unit="m/s") if get_v_rel "Velocity";
  Modelica.Blocks.Interfaces.RealOutput a_rel[3](
    each final quantity="Acceleration", each final unit="m/s2") if get_a_rel "Acceleration";
  Modelica.Blocks.Interfaces.RealOutput angles[3](
    each final quantity="Angle", each final unit="rad", each displayUnit="deg") if get_angles "Angles";
  Modelica.Blocks.Interfaces.RealOutput w_rel[3](
    each final quantity="AngularVelocity", each final unit="rad/s") if get_w_rel "Angular velocity";
  Modelica.Blocks.Interfaces.RealOutput z_rel[3](
    each final quantity="AngularAcceleration", each final unit="rad/s2") if get_z_rel "Angular acceleration";
protected
  outer Modelica.Mechanics.MultiBody.World world "Inertial frame";
  RelativePosition position(resolveInFrame=resolveInFrame) if
    get_r_rel or get_v_rel or get_a_rel "Position";
  RelativeAngularVelocity angularVelocity(resolveInFrame=resolveInFrame) if
    get_w_rel or get_z_rel "Angular velocity";
  RelativeAngles measured_angles(sequence=sequence, guessAngle1=guessAngle1) if get_angles "Angles";
  Modelica.Blocks.Continuous.Der der_r[3] if get_v_rel or get_a_rel "First derivative";
  Modelica.Blocks.Continuous.Der der_v[3] if get_a_rel "Second derivative";
  Modelica.Blocks.Continuous.Der der_w[3] if get_z_rel "Derivative of the angular velocity";
  TransformRelativeVector v_rel_out(
    frame_r_in=resolveInFrame,
    frame_r_out=resolveInFrameAfterDifferentiation) if get_v_rel
    "Along the wanted axes";
  TransformRelativeVector a_rel_out(
    frame_r_in=resolveInFrame,
    frame_r_out=resolveInFrameAfterDifferentiation) if get_a_rel
    "Along the wanted axes";
  TransformRelativeVector z_rel_out(
    frame_r_in=resolveInFrame,
    frame_r_out=resolveInFrameAfterDifferentiation) if get_z_rel
    "Along the wanted axes";
  Forces.Internal.ZeroForceAndTorque load_a "No load on frame_a";
  Forces.Internal.ZeroForceAndTorque load_b "No load on frame_b";
  Forces.Internal.ZeroForceAndTorque load_resolve if
    resolveInFrame == Modelica.Mechanics.MultiBody.Types.ResolveInFrameAB.frame_resolve or
    resolveInFrameAfterDifferentiation ==
      Modelica.Mechanics.MultiBody.Types.ResolveInFrameAB.frame_resolve
    "No load on frame_resolve";
equation
  connect(frame_a, load_a.frame_a);
  connect(frame_b, load_b.frame_a);
  connect(frame_resolve, load_resolve.frame_a);
  connect(frame_a, position.frame_a);
  connect(frame_b, position.frame_b);
  connect(frame_a, angularVelocity.frame_a);
  connect(frame_b, angularVelocity.frame_b);
  connect(frame_a, measured_angles.frame_a);
  connect(frame_b, measured_angles.frame_b);
  connect(frame_a, v_rel_out.frame_a);
  connect(frame_b, v_rel_out.frame_b);
  connect(frame_a, a_rel_out.frame_a);
  connect(frame_b, a_rel_out.frame_b);
  connect(frame_a, z_rel_out.frame_a);
  connect(frame_b, z_rel_out.frame_b);
  connect(frame_resolve, position.frame_resolve);
  connect(frame_resolve, angularVelocity.frame_resolve);
  connect(frame_resolve, v_rel_out.frame_resolve);
  connect(frame_resolve, a_rel_out.frame_resolve);
  connect(frame_resolve, z_rel_out.frame_resolve);
  connect(position.r_rel, r_rel);
  connect(angularVelocity.w_rel, w_rel);
  connect(measured_angles.angles, angles);
  connect(position.r_rel, der_r.u);
  connect(der_r.y, v_rel_out.r_in);
  connect(v_rel_out.r_out, v_rel);
  connect(der_r.y, der_v.u);
  connect(der_v.y, a_rel_out.r_in);
  connect(a_rel_out.r_out, a_rel);
  connect(angularVelocity.w_rel, der_w.u);
  connect(der_w.y, z_rel_out.r_in);
  connect(z_rel_out.r_out, z_rel);
end RelativeSensor;
