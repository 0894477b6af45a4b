within Modelica.Mechanics.MultiBody.Sensors;
model CutForceAndTorque "Force and torque between two frames that move as one"
  Modelica.Blocks.Interfaces.RealOutput force[3](
    each final quantity="Force", each final unit="N") "Force with the sign of frame_a";
  Modelica.Blocks.Interfaces.RealOutput torque[3](
    each final quantity="Torque", each final unit="N.m") "Torque with the sign of frame_a";
  parameter Boolean animation=true "Accepted; nothing is drawn";
  parameter Boolean positiveSign=true "Sign of frame_a, else opposite";
  input Types.Color forceColor=Modelica.Mechanics.MultiBody.Types.Defaults.ForceColor
    "Colour of the arrow";
  input Types.Color torqueColor=Modelica.Mechanics.MultiBody.Types.Defaults.TorqueColor
    "Colour of the arrow";
  input Types.SpecularCoefficient specularCoefficient=world.defaultSpecularCoefficient
    "Reflection of light";
  extends Internal.PartialCutForceSensor;
protected
  Internal.BasicCutForce cutForce(
    resolveInFrame=resolveInFrame, positiveSign=positiveSign) "Cut";
  Internal.BasicCutTorque cutTorque(
    resolveInFrame=resolveInFrame, positiveSign=positiveSign) "Cut";
  Modelica.Mechanics.MultiBody.Interfaces.ZeroPosition zeroPosition if
    not (resolveInFrame == Modelica.Mechanics.MultiBody.Types.ResolveInFrameA.frame_resolve)
    "Stands for frame_resolve where it is missing";
equation
  connect(frame_a, cutForce.frame_a);
  connect(cutForce.frame_b, cutTorque.frame_a);
  connect(cutTorque.frame_b, frame_b);
  connect(cutForce.force, force);
  connect(frame_resolve, cutForce.frame_resolve);
  connect(zeroPosition.frame_resolve, cutForce.frame_resolve);
  connect(cutTorque.torque, torque);
  connect(frame_resolve, cutTorque.frame_resolve);
  connect(zeroPosition.frame_resolve, cutTorque.frame_resolve);
end CutForceAndTorque;
