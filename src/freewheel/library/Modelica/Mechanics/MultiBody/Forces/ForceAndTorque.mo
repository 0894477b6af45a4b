within Modelica.Mechanics.MultiBody.Forces;
model ForceAndTorque "Force and torque between two frames, given by signals"
  extends Modelica.Mechanics.MultiBody.Interfaces.PartialTwoFrames;
  Interfaces.Frame_resolve frame_resolve if
    resolveInFrame == Modelica.Mechanics.MultiBody.Types.ResolveInFrameAB.frame_resolve
    "Frame of the components, if asked for";
  Modelica.Blocks.Interfaces.RealInput force[3](
    each final quantity="Force", each final unit="N") "Force on frame_b";
  Modelica.Blocks.Interfaces.RealInput torque[3](
    each final quantity="Torque", each final unit="N.m") "Torque on frame_b";
  parameter Boolean animation=true "Accepted; nothing is drawn";
  parameter Modelica.Mechanics.MultiBody.Types.ResolveInFrameAB resolveInFrame=
    Modelica.Mechanics.MultiBody.Types.ResolveInFrameAB.frame_b "Frame of the components"
    annotation(Evaluate=true);
  input SI.Diameter connectionLineDiameter=world.defaultArrowDiameter
    "Diameter of the line between both frames";
  input Types.Color forceColor=Modelica.Mechanics.MultiBody.Types.Defaults.ForceColor
    "Colour of the arrow";
  input Types.Color torqueColor=Modelica.Mechanics.MultiBody.Types.Defaults.TorqueColor
    "Colour of the arrow";
  input Types.Color connectionLineColor=Modelica.Mechanics.MultiBody.Types.Defaults.SensorColor
    "Colour of the line between both frames";
  input Types.SpecularCoefficient specularCoefficient=world.defaultSpecularCoefficient
    "Reflection of light";
  Internal.BasicForce basicForce(resolveInFrame=resolveInFrame) "Force";
  Internal.BasicTorque basicTorque(resolveInFrame=resolveInFrame) "Torque";
protected
  Interfaces.ZeroPosition zeroPosition if
    not resolveInFrame == Modelica.Mechanics.MultiBody.Types.ResolveInFrameAB.frame_resolve
    "Stands for frame_resolve where it is missing";
equation
  connect(basicForce.frame_a, frame_a);
  connect(basicForce.frame_b, frame_b);
  connect(basicForce.force, force);
  connect(basicForce.frame_resolve, frame_resolve);
  connect(zeroPosition.frame_resolve, basicForce.frame_resolve);
  connect(basicTorque.frame_a, frame_a);
  connect(basicTorque.frame_b, frame_b);
  connect(basicTorque.torque, torque);
  connect(basicTorque.frame_resolve, frame_resolve);
  connect(zeroPosition.frame_resolve, basicTorque.frame_resolve);
end ForceAndTorque;
