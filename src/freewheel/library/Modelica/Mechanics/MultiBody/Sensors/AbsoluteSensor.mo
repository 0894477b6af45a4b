within Modelica.Mechanics.MultiBody.Sensors;
model AbsoluteSensor "Motion of a frame, as far as asked for"
  extends Internal.PartialAbsoluteSensor;
  Modelica.Mechanics.MultiBody.Interfaces.Frame_resolve frame_resolve if
    resolveInFrame == Modelica.Mechanics.MultiBody.Types.ResolveInFrameA.frame_resolve
    "Frame of the components, if asked for";
  parameter Boolean animation=true "Accepted; nothing is drawn";
  parameter Modelica.Mechanics.MultiBody.Types.ResolveInFrameA resolveInFrame=
    Modelica.Mechanics.MultiBody.Types.ResolveInFrameA.frame_a "Frame of the components"
    annotation(Evaluate=true);
  parameter Boolean get_r=false "Offer the output" annotation(Evaluate=true);
  parameter Boolean get_v=false "Offer the output" annotation(Evaluate=true);
  parameter Boolean get_a=false "Offer the output" annotation(Evaluate=true);
  parameter Boolean get_w=false "Offer the output" annotation(Evaluate=true);
  parameter Boolean get_z=false "Offer the output" annotation(Evaluate=true);
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
  Modelica.Blocks.Interfaces.RealOutput r[3](
    each final quantity="Length", each final unit="m") if get_r "Position";
  Modelica.Blocks.Interfaces.RealOutput v[3](
    each final quantity="Velocity", each final unit="m/s") if get_v "Velocity";
  Modelica.Blocks.Interfaces.RealOutput a[3](
    each final quantity="Acceleration", each final unit="m/s2") if get_a "Acceleration";
  Modelica.Blocks.Interfaces.RealOutput angles[3](
    each final quantity="Angle", each final unit="rad", each displayUnit="deg") if get_angles "Angles";
  Modelica.Blocks.Interfaces.RealOutput w[3](
    each final quantity="AngularVelocity", each final unit="rad/s") if get_w "Angular velocity";
  Modelica.Blocks.Interfaces.RealOutput z[3](
    each final quantity="AngularAcceleration", each final unit="rad/s2") if get_z "Angular acceleration";
protected
  outer Modelica.Mechanics.MultiBody.World world "Inertial frame";
  AbsolutePosition position(resolveInFrame=resolveInFrame) if get_r "Position";
  AbsolutePosition position_0(
    resolveInFrame=Modelica.Mechanics.MultiBody.Types.ResolveInFrameA.world) if get_v or get_a
    "Position along axes of world";
  AbsoluteAngularVelocity angularVelocity(resolveInFrame=resolveInFrame) if get_w
    "Angular velocity";
  AbsoluteAngularVelocity angularVelocity_0(
    resolveInFrame=Modelica.Mechanics.MultiBody.Types.ResolveInFrameA.world) if get_z
    "Angular velocity along axes of world";
  AbsoluteAngles measured_angles(sequence=sequence, guessAngle1=guessAngle1) if get_angles "Angles";
  Modelica.Blocks.Continuous.Der der_r[3] if get_v or get_a "First derivative";
  Modelica.Blocks.Continuous.Der der_v[3] if get_a "Second derivative";
  Modelica.Blocks.Continuous.Der der_w[3] if get_z "Derivative of the angular velocity";
  TransformAbsoluteVector v_out(
    frame_r_in=Modelica.Mechanics.MultiBody.Types.ResolveInFrameA.world,
    frame_r_out=resolveInFrame) if get_v
    "Along the wanted axes";
  TransformAbsoluteVector a_out(
    frame_r_in=Modelica.Mechanics.MultiBody.Types.ResolveInFrameA.world,
    frame_r_out=resolveInFrame) if get_a
    "Along the wanted axes";
  TransformAbsoluteVector z_out(
    frame_r_in=Modelica.Mechanics.MultiBody.Types.ResolveInFrameA.world,
    frame_r_out=resolveInFrame) if get_z
    "Along the wanted axes";
  Forces.Internal.ZeroForceAndTorque load_a "No load on frame_a";
  Forces.Internal.ZeroForceAndTorque load_resolve if
    resolveInFrame == Modelica.Mechanics.MultiBody.Types.ResolveInFrameA.frame_resolve
    "No load on frame_resolve";
equation
  connect(frame_a, load_a.frame_a);
  connect(frame_resolve, load_resolve.frame_a);
  connect(frame_a, position.frame_a);
  connect(frame_a, angularVelocity.frame_a);
  connect(frame_a, measured_angles.frame_a);
  connect(frame_a, position_0.frame_a);
  connect(frame_a, angularVelocity_0.frame_a);
  connect(frame_a, v_out.frame_a);
  connect(frame_a, a_out.frame_a);
  connect(frame_a, z_out.frame_a);
  connect(frame_resolve, position.frame_resolve);
  connect(frame_resolve, angularVelocity.frame_resolve);
  connect(frame_resolve, v_out.frame_resolve);
  connect(frame_resolve, a_out.frame_resolve);
  connect(frame_resolve, z_out.frame_resolve);
  connect(position.r, r);
  connect(angularVelocity.w, w);
  connect(measured_angles.angles, angles);
  connect(position_0.r, der_r.u);
  connect(der_r.y, v_out.r_in);
  connect(v_out.r_out, v);
  connect(der_r.y, der_v.u);
  connect(der_v.y, a_out.r_in);
  connect(a_out.r_out, a);
  connect(angularVelocity_0.w, der_w.u);
  connect(der_w.y, z_out.r_in);
  connect(z_out.r_out, z);
end AbsoluteSensor;
