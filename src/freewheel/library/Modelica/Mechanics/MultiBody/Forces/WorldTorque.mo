within Modelica.Mechanics.MultiBody.Forces;
model WorldTorque "Torque on a frame, given by a signal"
  extends Interfaces.PartialOneFrame_b;
  Interfaces.Frame_resolve frame_resolve if
    resolveInFrame == Modelica.Mechanics.MultiBody.Types.ResolveInFrameB.frame_resolve
    "Frame of the components, if asked for";
  Modelica.Blocks.Interfaces.RealInput torque[3](
    each final quantity="Torque", each final unit="N.m") "Torque";
  parameter Boolean animation=true "Accepted; nothing is drawn";
  parameter Modelica.Mechanics.MultiBody.Types.ResolveInFrameB resolveInFrame=
    Modelica.Mechanics.MultiBody.Types.ResolveInFrameB.world "Frame of the components"
    annotation(Evaluate=true);
  input Types.Color color=Modelica.Mechanics.MultiBody.Types.Defaults.TorqueColor
    "Colour of the arrow";
  input Types.SpecularCoefficient specularCoefficient=world.defaultSpecularCoefficient
    "Reflection of light";
  Internal.BasicWorldTorque basicWorldTorque(resolveInFrame=resolveInFrame) "Torque";
protected
  Interfaces.ZeroPosition zeroPosition if
    not resolveInFrame == Modelica.Mechanics.MultiBody.Types.ResolveInFrameB.frame_resolve
    "Stands for frame_resolve where it is missing";
equation
  connect(basicWorldTorque.frame_b, frame_b);
  connect(basicWorldTorque.torque, torque);
  connect(basicWorldTorque.frame_resolve, frame_resolve);
  connect(zeroPosition.frame_resolve, basicWorldTorque.frame_resolve);
end WorldTorque;
