within Modelica.Mechanics.MultiBody.Parts;
model PointMass "Body without extent; its frame may have any orientation"
  Interfaces.Frame_a frame_a "Frame in the mass";
  parameter Boolean animation=true "Accepted; nothing is drawn";
  parameter SI.Mass m(min=0) "Mass";
  input SI.Diameter sphereDiameter=world.defaultBodyDiameter "Diameter of the sphere";
  input Types.Color sphereColor=Types.Defaults.BodyColor "Colour of the sphere";
  input Types.SpecularCoefficient specularCoefficient=world.defaultSpecularCoefficient
    "Reflection of light";
  parameter StateSelect stateSelect=StateSelect.avoid "Wish for r_0 and v_0 as states"
    annotation(HideResult=true);
  SI.Position r_0[3](start={0, 0, 0}, each stateSelect=stateSelect)
    "Position, along axes of world";
  SI.Velocity v_0[3](start={0, 0, 0}, each stateSelect=stateSelect)
    "Velocity, along axes of world";
  SI.Acceleration a_0[3](start={0, 0, 0}) "Acceleration, along axes of world";
protected
  outer Modelica.Mechanics.MultiBody.World world "Inertial frame";
equation
  Connections.potentialRoot(frame_a.R, 10000);
  // Nothing turns a point: where no other part defines the axes, those of world will do.
  if Connections.isRoot(frame_a.R) then
    frame_a.R = Frames.nullRotation();
  else
    frame_a.t = zeros(3);
  end if;
  r_0 = frame_a.r_0;
  v_0 = der(r_0);
  a_0 = der(v_0);
  frame_a.f = m*Frames.resolve2(frame_a.R, a_0 - world.gravityAcceleration(r_0));
end PointMass;
