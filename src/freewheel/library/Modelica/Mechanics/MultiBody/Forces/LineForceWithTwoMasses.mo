within Modelica.Mechanics.MultiBody.Forces;
model LineForceWithTwoMasses
  "Line between two frames for one-dimensional elements, with a mass near each end"
  extends Interfaces.LineForceBase;
  Modelica.Mechanics.Translational.Interfaces.Flange_a flange_b
    "Flange at frame_b; its position is the length of the line";
  Modelica.Mechanics.Translational.Interfaces.Flange_b flange_a
    "Flange at frame_a; its position is zero";
  parameter Boolean animate=true "Accepted; nothing is drawn";
  parameter Boolean animateMasses=true "Accepted; nothing is drawn";
  parameter SI.Mass m_a(min=0) = 0 "Mass near frame_a" annotation(Evaluate=true);
  parameter SI.Mass m_b(min=0) = 0 "Mass near frame_b" annotation(Evaluate=true);
  parameter SI.Position L_a=0 "Distance of the first mass from frame_a";
  parameter SI.Position L_b=L_a "Distance of the second mass from frame_b";
  input Types.SpecularCoefficient specularCoefficient=world.defaultSpecularCoefficient
    "Reflection of light";
  input SI.Diameter cylinderDiameter_a=world.defaultForceWidth "Diameter of the first cylinder";
  parameter SI.Length cylinderLength_a=2*L_a "Length of the first cylinder";
  input Types.Color color_a={155, 155, 155} "Colour of the first cylinder";
  input Real diameterFraction=0.8 "Diameter of the second cylinder over that of the first";
  parameter SI.Length cylinderLength_b=2*L_b "Length of the second cylinder";
  input Types.Color color_b={100, 100, 100} "Colour of the second cylinder";
  input Real massDiameterFaction=1.7 "Diameter of the masses over that of the first cylinder";
  input Types.Color massColor=Modelica.Mechanics.MultiBody.Types.Defaults.BodyColor
    "Colour of the masses";
protected
  SI.Position r_1_0[3](each stateSelect=StateSelect.avoid) "Position of the first mass";
  SI.Position r_2_0[3](each stateSelect=StateSelect.avoid) "Position of the second mass";
  SI.Velocity v_1_0[3](each stateSelect=StateSelect.avoid) "Velocity of the first mass";
  SI.Velocity v_2_0[3](each stateSelect=StateSelect.avoid) "Velocity of the second mass";
  SI.Force f_1_0[3] "First mass times acceleration less gravity";
  SI.Force f_2_0[3] "Second mass times acceleration less gravity";
  SI.Force across_a_0[3] "Load of frame_a across the line";
  SI.Force across_b_0[3] "Load of frame_b across the line";
equation
  flange_a.s = 0;
  flange_b.s = length;
  if m_a > 0 or m_b > 0 then
    r_1_0 = frame_a.r_0 + e_rel_0*L_a;
    r_2_0 = frame_b.r_0 - e_rel_0*L_b;
    v_1_0 = der(r_1_0);
    v_2_0 = der(r_2_0);
    f_1_0 = m_a*(der(v_1_0) - world.gravityAcceleration(r_1_0));
    f_2_0 = m_b*(der(v_2_0) - world.gravityAcceleration(r_2_0));
    // Both parts slide along each other and pass torques on: levers across the line.
    across_a_0 = ((s - L_a)*f_1_0 + L_b*f_2_0)/s;
    across_b_0 = (L_a*f_1_0 + (s - L_b)*f_2_0)/s;
  else
    r_1_0 = zeros(3);
    r_2_0 = zeros(3);
    v_1_0 = zeros(3);
    v_2_0 = zeros(3);
    f_1_0 = zeros(3);
    f_2_0 = zeros(3);
    across_a_0 = zeros(3);
    across_b_0 = zeros(3);
  end if;
  // Along the line each mass belongs to its own end.
  frame_a.f = Frames.resolve2(frame_a.R, across_a_0
    + e_rel_0*(e_rel_0*(f_1_0 - across_a_0) - flange_a.f));
  frame_b.f = Frames.resolve2(frame_b.R, across_b_0
    + e_rel_0*(e_rel_0*(f_2_0 - across_b_0) - flange_b.f));
end LineForceWithTwoMasses;
