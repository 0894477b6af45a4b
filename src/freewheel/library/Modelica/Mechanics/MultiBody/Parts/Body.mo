within Modelica.Mechanics.MultiBody.Parts;
model Body "Rigid body with mass and tensor of inertia"
  Modelica.Mechanics.MultiBody.Interfaces.Frame_a frame_a "Frame fixed in the body";
  parameter Boolean animation=true "Accepted; nothing is drawn";
  parameter SI.Position r_CM[3](start={0, 0, 0})
    "From frame_a to the centre of mass, along axes of frame_a";
  parameter SI.Mass m(min=0, start=1) "Mass";
  parameter SI.Inertia I_11(min=0) = 0.001 "Inertia about the centre of mass: element (1,1)";
  parameter SI.Inertia I_22(min=0) = 0.001 "Element (2,2)";
  parameter SI.Inertia I_33(min=0) = 0.001 "Element (3,3)";
  parameter SI.Inertia I_21(min=-Modelica.Constants.inf) = 0 "Element (2,1)";
  parameter SI.Inertia I_31(min=-Modelica.Constants.inf) = 0 "Element (3,1)";
  parameter SI.Inertia I_32(min=-Modelica.Constants.inf) = 0 "Element (3,2)";
  SI.Position r_0[3](
    start={0, 0, 0},
    each stateSelect=if enforceStates then StateSelect.always else StateSelect.avoid)
    "Position of frame_a, along axes of world";
  SI.Velocity v_0[3](
    start={0, 0, 0},
    each stateSelect=if enforceStates then StateSelect.always else StateSelect.avoid)
    "Velocity of frame_a, along axes of world";
  SI.Acceleration a_0[3](start={0, 0, 0}) "Acceleration of frame_a, along axes of world";
  parameter Boolean angles_fixed=false "angles_start holds at the start" annotation(Evaluate=true);
  parameter SI.Angle angles_start[3]={0, 0, 0} "Angles of frame_a at the start";
  parameter Types.RotationSequence sequence_start={1, 2, 3} "Axes that angles_start is about"
    annotation(Evaluate=true);
  parameter Boolean w_0_fixed=false "w_0_start holds at the start" annotation(Evaluate=true);
  parameter SI.AngularVelocity w_0_start[3]={0, 0, 0}
    "Angular velocity at the start, along axes of world";
  parameter Boolean z_0_fixed=false "z_0_start holds at the start" annotation(Evaluate=true);
  parameter SI.AngularAcceleration z_0_start[3]={0, 0, 0}
    "Angular acceleration at the start, along axes of world";
  parameter SI.Diameter sphereDiameter=world.defaultBodyDiameter "Diameter of the sphere";
  input Types.Color sphereColor=Types.Defaults.BodyColor "Colour of the sphere";
  parameter SI.Diameter cylinderDiameter=
    sphereDiameter/Types.Defaults.BodyCylinderDiameterFraction "Diameter of the cylinder";
  input Types.Color cylinderColor=sphereColor "Colour of the cylinder";
  input Types.SpecularCoefficient specularCoefficient=world.defaultSpecularCoefficient
    "Reflection of light";
  parameter Boolean enforceStates=false "The motion of this body is the state"
    annotation(Evaluate=true);
  parameter Boolean useQuaternions=true "Orientation states are quaternions, else three angles"
    annotation(Evaluate=true);
  parameter Types.RotationSequence sequence_angleStates={1, 2, 3} "Axes of the three angles"
    annotation(Evaluate=true);
  final parameter SI.Inertia I[3, 3]=[I_11, I_21, I_31; I_21, I_22, I_32; I_31, I_32, I_33]
    "Tensor of inertia about the centre of mass";
  final parameter Frames.Orientation R_start=
    Frames.axesRotations(sequence_start, angles_start, zeros(3)) "Orientation at the start";
  SI.AngularVelocity w_a[3](
    start=Frames.resolve2(R_start, w_0_start),
    fixed=fill(w_0_fixed, 3),
    each stateSelect=if enforceStates then
      if useQuaternions then StateSelect.always else StateSelect.never
      else StateSelect.avoid) "Angular velocity, along axes of frame_a";
  SI.AngularAcceleration z_a[3](
    start=Frames.resolve2(R_start, z_0_start),
    fixed=fill(z_0_fixed, 3)) "Angular acceleration, along axes of frame_a";
  SI.Acceleration g_0[3] "Acceleration of free fall at the centre of mass";
protected
  outer Modelica.Mechanics.MultiBody.World world "Inertial frame";
  parameter Frames.Quaternions.Orientation Q_start=Frames.to_Q(R_start)
    "Quaternion at the start";
  Frames.Quaternions.Orientation Q(
    start=Q_start,
    each stateSelect=if enforceStates and useQuaternions then StateSelect.prefer
      else StateSelect.never) "Quaternion from world to frame_a";
  parameter SI.Angle phi_start[3]=
    if sum(abs(sequence_start[k] - sequence_angleStates[k]) for k in 1:3) == 0 then angles_start
    else Frames.axesRotationsAngles(R_start, sequence_angleStates) "Angles at the start";
  SI.Angle phi[3](
    start=phi_start,
    each stateSelect=if enforceStates and not useQuaternions then StateSelect.always
      else StateSelect.never) "Angles from world to frame_a";
  SI.AngularVelocity phi_d[3](
    each stateSelect=if enforceStates and not useQuaternions then StateSelect.always
      else StateSelect.never) "Their derivatives";
  SI.AngularAcceleration phi_dd[3] "Their second derivatives";
initial equation
  if angles_fixed then
    if not Connections.isRoot(frame_a.R) then
      zeros(3) = Frames.Orientation.equalityConstraint(frame_a.R, R_start);
    elseif useQuaternions then
      zeros(3) = Frames.Quaternions.Orientation.equalityConstraint(Q, Q_start);
    else
      phi = phi_start;
    end if;
  end if;
equation
  if enforceStates then
    Connections.root(frame_a.R);
  else
    Connections.potentialRoot(frame_a.R);
  end if;
  // The orientation comes from the parts around, unless nothing there defines it.
  if not Connections.isRoot(frame_a.R) then
    Q = Frames.Quaternions.nullRotation();
    phi = zeros(3);
    phi_d = zeros(3);
    phi_dd = zeros(3);
  elseif useQuaternions then
    frame_a.R = Frames.from_Q(Q, Frames.Quaternions.angularVelocity2(Q, der(Q)));
    {0} = Frames.Quaternions.orientationConstraint(Q);
    phi = zeros(3);
    phi_d = zeros(3);
    phi_dd = zeros(3);
  else
    phi_d = der(phi);
    phi_dd = der(phi_d);
    frame_a.R = Frames.axesRotations(sequence_angleStates, phi, phi_d);
    Q = Frames.Quaternions.nullRotation();
  end if;
  r_0 = frame_a.r_0;
  v_0 = der(r_0);
  a_0 = der(v_0);
  w_a = Frames.angularVelocity2(frame_a.R);
  z_a = der(w_a);
  g_0 = world.gravityAcceleration(frame_a.r_0 + Frames.resolve1(frame_a.R, r_CM));
  // Newton for the centre of mass, Euler about it, both along axes of frame_a.
  frame_a.f = m*(Frames.resolve2(frame_a.R, a_0 - g_0) + cross(z_a, r_CM)
    + cross(w_a, cross(w_a, r_CM)));
  frame_a.t = I*z_a + cross(w_a, I*w_a) + cross(r_CM, frame_a.f);
end Body;
