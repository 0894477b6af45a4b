within Modelica.Mechanics.MultiBody.Forces;
model Damper "Linear damper between two frames"
  parameter Boolean animation=true "Accepted; nothing is drawn";
  parameter SI.TranslationalDampingConstant d(final min=0, start=0) "Damping constant";
  parameter SI.Distance length_a=world.defaultForceLength "Length of the shape at frame_a";
  input SI.Diameter diameter_a=world.defaultForceWidth "Diameter of the shape at frame_a";
  input SI.Diameter diameter_b=0.6*diameter_a "Diameter of the shape at frame_b";
  input Types.Color color_a={100, 100, 100} "Colour of the shape at frame_a";
  input Types.Color color_b={155, 155, 155} "Colour of the shape at frame_b";
  input Types.SpecularCoefficient specularCoefficient=world.defaultSpecularCoefficient
    "Reflection of light";
  extends Interfaces.PartialLineForce;
  extends Modelica.Thermal.HeatTransfer.Interfaces.PartialElementaryConditionalHeatPort(
    final T=293.15);
equation
  f = d*der(s);
  lossPower = f*der(s);
end Damper;
