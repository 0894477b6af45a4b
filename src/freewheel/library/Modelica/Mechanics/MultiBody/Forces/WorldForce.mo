within Modelica.Mechanics.MultiBody.Forces;
model WorldForce "Force on a frame, given by a signal"
  extends Interfaces.PartialOneFrame_b;
  Interfaces.Frame_resolve frame_resolve if
    resolveInFrame == Modelica.Mechanics.MultiBody.Types.ResolveInFrameB.frame_resolve
    "Frame of the components, if asked for";
  Modelica.Blocks.Interfaces.RealInput force[3](
    each final quantity="Force", each final unit="N") "Force";
  parameter Boolean animation=true "Accepted; nothing is drawn";
  parameter Modelica.Mechanics.MultiBody.Types.ResolveInFrameB resolveInFrame=
    Modelica.Mechanics.MultiBody.Types.ResolveInFrameB.world "Frame of the components"
    annotation(Evaluate=true);
  input Types.Color color=Modelica.Mechanics.MultiBody.Types.Defaults.ForceColor
    "Colour of the arrow";
  input Types.SpecularCoefficient specularCoefficient=world.defaultSpecularCoefficient
    "Reflection of light";
  Internal.BasicWorldForce basicWorldForce(resolveInFrame=resolveInFrame) "Force";
protected
  Interfaces.ZeroPosition zeroPosition if
    not resolveInFrame == Modelica.Mechanics.MultiBody.Types.ResolveInFrameB.frame_resolve
    "Stands for frame_resolve where it is missing";
equation
  connect(basicWorldForce.frame_b, frame_b);
  connect(basicWorldForce.force, force);
  connect(basicWorldForce.frame_resolve, frame_resolve);
  connect(zeroPosition.frame_resolve, basicWorldForce.frame_resolve);
end WorldForce;
