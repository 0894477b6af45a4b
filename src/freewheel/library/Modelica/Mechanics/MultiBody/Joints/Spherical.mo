within Modelica.Mechanics.MultiBody.Joints;
model Spherical "Ball joint: two points stay together"
  extends Modelica.Mechanics.MultiBody.Interfaces.PartialTwoFrames;
  parameter Boolean animation=true "Accepted; nothing is drawn";
  parameter SI.Distance sphereDiameter=world.defaultJointLength "Diameter of the shape";
  input Types.Color sphereColor=Modelica.Mechanics.MultiBody.Types.Defaults.JointColor
    "Colour of the shape";
  input Types.SpecularCoefficient specularCoefficient=world.defaultSpecularCoefficient
    "Reflection of light";
  parameter Boolean angles_fixed=false "angles_start holds at the start" annotation(Evaluate=true);
  parameter SI.Angle angles_start[3]={0, 0, 0} "Angles of frame_b against frame_a at the start";
  parameter Types.RotationSequence sequence_start={1, 2, 3} "Axes that angles_start is about"
    annotation(Evaluate=true);
  parameter Boolean w_rel_a_fixed=false "w_rel_a_start holds at the start"
    annotation(Evaluate=true);
  parameter SI.AngularVelocity w_rel_a_start[3]={0, 0, 0}
    "Angular velocity against frame_a at the start, along axes of frame_a";
  parameter Boolean z_rel_a_fixed=false "z_rel_a_start holds at the start"
    annotation(Evaluate=true);
  parameter SI.AngularAcceleration z_rel_a_start[3]={0, 0, 0}
    "Derivative of the angular velocity at the start, along axes of frame_a";
  parameter Boolean enforceStates=false "The rotation of this joint is the state"
    annotation(Evaluate=true);
  parameter Boolean useQuaternions=true "Orientation states are quaternions, else three angles"
    annotation(Evaluate=true);
  parameter Types.RotationSequence sequence_angleStates={1, 2, 3} "Axes of the three angles"
    annotation(Evaluate=true);
  final parameter Frames.Orientation R_rel_start=
    Frames.axesRotations(sequence_start, angles_start, zeros(3))
    "Rotation from frame_a to frame_b at the start";
protected
  parameter Frames.Quaternions.Orientation Q_start=Frames.to_Q(R_rel_start)
    "Quaternion at the start";
  Frames.Quaternions.Orientation Q(
    start=Q_start,
    each stateSelect=if enforceStates and useQuaternions then StateSelect.prefer
      else StateSelect.never) "Quaternion from frame_a to frame_b";
  parameter SI.Angle phi_start[3]=
    if sum(abs(sequence_start[k] - sequence_angleStates[k]) for k in 1:3) == 0 then angles_start
    else Frames.axesRotationsAngles(R_rel_start, sequence_angleStates) "Angles at the start";
  SI.Angle phi[3](
    start=phi_start,
    each stateSelect=if enforceStates and not useQuaternions then StateSelect.always
      else StateSelect.never) "Angles from frame_a to frame_b";
  SI.AngularVelocity phi_d[3](
    each stateSelect=if enforceStates and not useQuaternions then StateSelect.always
      else StateSelect.never) "Their derivatives";
  SI.AngularAcceleration phi_dd[3] "Their second derivatives";
  SI.AngularVelocity w_rel[3](
    start=Frames.resolve2(R_rel_start, w_rel_a_start),
    fixed=fill(w_rel_a_fixed, 3),
    each stateSelect=if enforceStates and useQuaternions then StateSelect.always
      else StateSelect.never) "Angular velocity against frame_a, along axes of frame_b";
  Frames.Orientation R_rel "Rotation from frame_a to frame_b";
  Frames.Orientation R_back "Rotation from frame_b to frame_a";
initial equation
  if angles_fixed then
    if not enforceStates then
      zeros(3) = Frames.Orientation.equalityConstraint(
        Frames.absoluteRotation(frame_a.R, R_rel_start), frame_b.R);
    elseif useQuaternions then
      zeros(3) = Frames.Quaternions.Orientation.equalityConstraint(Q, Q_start);
    else
      phi = phi_start;
    end if;
  end if;
  if z_rel_a_fixed then
    der(w_rel) = Frames.resolve2(R_rel, z_rel_a_start);
  end if;
equation
  w_rel = Frames.angularVelocity2(R_rel);
  if enforceStates then
    Connections.branch(frame_a.R, frame_b.R);
    if Connections.rooted(frame_a.R) then
      R_back = Frames.nullRotation();
      frame_b.R = Frames.absoluteRotation(frame_a.R, R_rel);
    else
      R_back = Frames.inverseRotation(R_rel);
      frame_a.R = Frames.absoluteRotation(frame_b.R, R_back);
    end if;
    if useQuaternions then
      {0} = Frames.Quaternions.orientationConstraint(Q);
      R_rel = Frames.from_Q(Q, Frames.Quaternions.angularVelocity2(Q, der(Q)));
      phi = zeros(3);
      phi_d = zeros(3);
      phi_dd = zeros(3);
    else
      phi_d = der(phi);
      phi_dd = der(phi_d);
      R_rel = Frames.axesRotations(sequence_angleStates, phi, phi_d);
      Q = Frames.Quaternions.nullRotation();
    end if;
  else
    // Other parts define the orientation of both frames.
    R_rel = Frames.relativeRotation(frame_a.R, frame_b.R);
    R_back = Frames.nullRotation();
    Q = Frames.Quaternions.nullRotation();
    phi = zeros(3);
    phi_d = zeros(3);
    phi_dd = zeros(3);
  end if;
  frame_b.r_0 = frame_a.r_0;
  frame_a.t = zeros(3);
  frame_b.t = zeros(3);
  frame_b.f = -Frames.resolveRelative(frame_a.f, frame_a.R, frame_b.R);
end Spherical;
