within Modelica.Mechanics.MultiBody.Forces;
model LineForceWithMass "Line between two frames for one-dimensional elements, with a mass on it"
  extends Interfaces.LineForceBase;
  Modelica.Mechanics.Translational.Interfaces.Flange_a flange_b
    "Flange at frame_b; its position is the length of the line";
  Modelica.Mechanics.Translational.Interfaces.Flange_b flange_a
    "Flange at frame_a; its position is zero";
  parameter Boolean animateLine=true "Accepted; nothing is drawn";
  parameter Boolean animateMass=true "Accepted; nothing is drawn";
  parameter SI.Mass m(min=0) = 0 "Mass on the line" annotation(Evaluate=true);
  parameter Real lengthFraction(unit="1", min=0, max=1) = 0.5
    "Place of the mass: 0 at frame_a, 1 at frame_b";
  input Types.SpecularCoefficient specularCoefficient=world.defaultSpecularCoefficient
    "Reflection of light";
  parameter Types.ShapeType lineShapeType="cylinder" "Shape of the line";
  input SI.Length lineShapeWidth=world.defaultArrowDiameter "Width of the line";
  input SI.Length lineShapeHeight=lineShapeWidth "Height of the line";
  parameter Types.ShapeExtra lineShapeExtra=0.0 "Further datum of the line";
  input Types.Color lineShapeColor=Modelica.Mechanics.MultiBody.Types.Defaults.SensorColor
    "Colour of the line";
  input Real massDiameter=world.defaultBodyDiameter "Diameter of the mass";
  input Types.Color massColor=Modelica.Mechanics.MultiBody.Types.Defaults.BodyColor
    "Colour of the mass";
protected
  SI.Position r_CM_0[3](each stateSelect=StateSelect.avoid) "Position of the mass";
  SI.Velocity v_CM_0[3](each stateSelect=StateSelect.avoid) "Velocity of the mass";
  SI.Force f_CM_0[3] "Mass times acceleration less gravity";
equation
  flange_a.s = 0;
  flange_b.s = length;
  if m > 0 then
    r_CM_0 = frame_a.r_0 + lengthFraction*r_rel_0;
    v_CM_0 = der(r_CM_0);
    f_CM_0 = m*(der(v_CM_0) - world.gravityAcceleration(r_CM_0));
  else
    r_CM_0 = zeros(3);
    v_CM_0 = zeros(3);
    f_CM_0 = zeros(3);
  end if;
  // The mass moves with its share of both ends; so do its forces (virtual work).
  frame_a.f = Frames.resolve2(
    frame_a.R, (1 - lengthFraction)*f_CM_0 - e_rel_0*flange_a.f);
  frame_b.f = Frames.resolve2(
    frame_b.R, lengthFraction*f_CM_0 - e_rel_0*flange_b.f);
end LineForceWithMass;
