within Modelica.Mechanics.MultiBody.Forces;
model SpringDamperParallel "Spring and damper side by side between two frames"
  parameter Boolean animation=true "Accepted; nothing is drawn";
  parameter SI.TranslationalSpringConstant c(final min=0) "Spring constant";
  parameter SI.Length s_unstretched=0 "Length of the relaxed spring";
  parameter SI.TranslationalDampingConstant d(final min=0) = 0 "Damping constant";
  parameter SI.Distance length_a=world.defaultForceLength "Length of the shape at frame_a";
  input SI.Diameter diameter_a=world.defaultForceWidth "Diameter of the shape at frame_a";
  input SI.Diameter diameter_b=0.6*diameter_a "Diameter of the shape at frame_b";
  input Types.Color color_a={100, 100, 100} "Colour of the shape at frame_a";
  input Types.Color color_b={155, 155, 155} "Colour of the shape at frame_b";
  input Types.SpecularCoefficient specularCoefficient=world.defaultSpecularCoefficient
    "Reflection of light";
  input SI.Distance width=world.defaultForceWidth "Width of the coil";
  input SI.Distance coilWidth=width/10 "Width of its wire";
  parameter Integer numberOfWindings=5 "Number of its windings";
  input Types.Color color=Modelica.Mechanics.MultiBody.Types.Defaults.SpringColor
    "Colour of the coil";
  extends Interfaces.PartialLineForce;
  extends Modelica.Thermal.HeatTransfer.Interfaces.PartialElementaryConditionalHeatPort(
    final T=293.15);
equation
  f = c*(s - s_unstretched) + d*der(s);
  lossPower = d*der(s)^2;
end SpringDamperParallel;
