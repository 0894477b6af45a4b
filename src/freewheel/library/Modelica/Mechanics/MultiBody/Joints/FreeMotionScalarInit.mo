within Modelica.Mechanics.MultiBody.Joints;
model FreeMotionScalarInit "No guidance; start values and states of single components"
  extends Modelica.Mechanics.MultiBody.Interfaces.PartialTwoFrames;
  parameter Boolean animation=true "Accepted; nothing is drawn";
  parameter Boolean use_r=false "Offer position of frame_b in frame_a" annotation(Evaluate=true, HideResult=true);
  Modelica.Blocks.Interfaces.RealOutput r_rel_a_1(
    final quantity="Length", final unit="m", start=0, final stateSelect=r_rel_a_1_stateSelect) if
    use_r "Position of frame_b in frame_a, component 1";
  Modelica.Blocks.Interfaces.RealOutput r_rel_a_2(
    final quantity="Length", final unit="m", start=0, final stateSelect=r_rel_a_2_stateSelect) if
    use_r "Position of frame_b in frame_a, component 2";
  Modelica.Blocks.Interfaces.RealOutput r_rel_a_3(
    final quantity="Length", final unit="m", start=0, final stateSelect=r_rel_a_3_stateSelect) if
    use_r "Position of frame_b in frame_a, component 3";
  parameter StateSelect r_rel_a_1_stateSelect=StateSelect.never "Wish for r_rel_a_1 as a state"
    annotation(HideResult=true);
  parameter StateSelect r_rel_a_2_stateSelect=StateSelect.never "Wish for r_rel_a_2 as a state"
    annotation(HideResult=true);
  parameter StateSelect r_rel_a_3_stateSelect=StateSelect.never "Wish for r_rel_a_3 as a state"
    annotation(HideResult=true);
  parameter Boolean use_v=false "Offer derivative of the position" annotation(Evaluate=true, HideResult=true);
  Modelica.Blocks.Interfaces.RealOutput v_rel_a_1(
    final quantity="Velocity", final unit="m/s", start=0, final stateSelect=v_rel_a_1_stateSelect) if
    use_r and use_v "Derivative of the position, component 1";
  Modelica.Blocks.Interfaces.RealOutput v_rel_a_2(
    final quantity="Velocity", final unit="m/s", start=0, final stateSelect=v_rel_a_2_stateSelect) if
    use_r and use_v "Derivative of the position, component 2";
  Modelica.Blocks.Interfaces.RealOutput v_rel_a_3(
    final quantity="Velocity", final unit="m/s", start=0, final stateSelect=v_rel_a_3_stateSelect) if
    use_r and use_v "Derivative of the position, component 3";
  parameter StateSelect v_rel_a_1_stateSelect=StateSelect.never "Wish for v_rel_a_1 as a state"
    annotation(HideResult=true);
  parameter StateSelect v_rel_a_2_stateSelect=StateSelect.never "Wish for v_rel_a_2 as a state"
    annotation(HideResult=true);
  parameter StateSelect v_rel_a_3_stateSelect=StateSelect.never "Wish for v_rel_a_3 as a state"
    annotation(HideResult=true);
  parameter Boolean use_a=false "Offer second derivative of the position" annotation(Evaluate=true, HideResult=true);
  Modelica.Blocks.Interfaces.RealOutput a_rel_a_1(
    final quantity="Acceleration", final unit="m/s2", start=0) if
    use_r and use_v and use_a "Second derivative of the position, component 1";
  Modelica.Blocks.Interfaces.RealOutput a_rel_a_2(
    final quantity="Acceleration", final unit="m/s2", start=0) if
    use_r and use_v and use_a "Second derivative of the position, component 2";
  Modelica.Blocks.Interfaces.RealOutput a_rel_a_3(
    final quantity="Acceleration", final unit="m/s2", start=0) if
    use_r and use_v and use_a "Second derivative of the position, component 3";
  parameter Boolean use_angle=false "Offer angles from frame_a to frame_b" annotation(Evaluate=true, HideResult=true);
  parameter Types.RotationSequence sequence_start={1, 2, 3} "Axes of the angles"
    annotation(Evaluate=true);
  Modelica.Blocks.Interfaces.RealOutput angle_1(
    final quantity="Angle", final unit="rad", start=0, stateSelect=angle_1_stateSelect) if
    use_angle "Angles from frame_a to frame_b, component 1";
  Modelica.Blocks.Interfaces.RealOutput angle_2(
    final quantity="Angle", final unit="rad", start=0, stateSelect=angle_2_stateSelect) if
    use_angle "Angles from frame_a to frame_b, component 2";
  Modelica.Blocks.Interfaces.RealOutput angle_3(
    final quantity="Angle", final unit="rad", start=0, stateSelect=angle_3_stateSelect) if
    use_angle "Angles from frame_a to frame_b, component 3";
  parameter StateSelect angle_1_stateSelect=StateSelect.never "Wish for angle_1 as a state"
    annotation(HideResult=true);
  parameter StateSelect angle_2_stateSelect=StateSelect.never "Wish for angle_2 as a state"
    annotation(HideResult=true);
  parameter StateSelect angle_3_stateSelect=StateSelect.never "Wish for angle_3 as a state"
    annotation(HideResult=true);
  parameter Boolean use_angle_d=false "Offer derivatives of the angles" annotation(Evaluate=true, HideResult=true);
  Modelica.Blocks.Interfaces.RealOutput angle_d_1(
    final quantity="AngularVelocity", final unit="rad/s", start=0, final stateSelect=angle_d_1_stateSelect) if
    use_angle and use_angle_d "Derivatives of the angles, component 1";
  Modelica.Blocks.Interfaces.RealOutput angle_d_2(
    final quantity="AngularVelocity", final unit="rad/s", start=0, final stateSelect=angle_d_2_stateSelect) if
    use_angle and use_angle_d "Derivatives of the angles, component 2";
  Modelica.Blocks.Interfaces.RealOutput angle_d_3(
    final quantity="AngularVelocity", final unit="rad/s", start=0, final stateSelect=angle_d_3_stateSelect) if
    use_angle and use_angle_d "Derivatives of the angles, component 3";
  parameter StateSelect angle_d_1_stateSelect=StateSelect.never "Wish for angle_d_1 as a state"
    annotation(HideResult=true);
  parameter StateSelect angle_d_2_stateSelect=StateSelect.never "Wish for angle_d_2 as a state"
    annotation(HideResult=true);
  parameter StateSelect angle_d_3_stateSelect=StateSelect.never "Wish for angle_d_3 as a state"
    annotation(HideResult=true);
  parameter Boolean use_angle_dd=false "Offer second derivatives of the angles" annotation(Evaluate=true, HideResult=true);
  Modelica.Blocks.Interfaces.RealOutput angle_dd_1(
    final quantity="AngularAcceleration", final unit="rad/s2", start=0) if
    use_angle and use_angle_d and use_angle_dd "Second derivatives of the angles, component 1";
  Modelica.Blocks.Interfaces.RealOutput angle_dd_2(
    final quantity="AngularAcceleration", final unit="rad/s2", start=0) if
    use_angle and use_angle_d and use_angle_dd "Second derivatives of the angles, component 2";
  Modelica.Blocks.Interfaces.RealOutput angle_dd_3(
    final quantity="AngularAcceleration", final unit="rad/s2", start=0) if
    use_angle and use_angle_d and use_angle_dd "Second derivatives of the angles, component 3";
  parameter Boolean use_w=false "Offer angular velocity against frame_a along axes of frame_b" annotation(Evaluate=true, HideResult=true);
  Modelica.Blocks.Interfaces.RealOutput w_rel_b_1(
    final quantity="AngularVelocity", final unit="rad/s", start=0, stateSelect=w_rel_b_1_stateSelect) if
    use_w "Angular velocity against frame_a along axes of frame_b, component 1";
  Modelica.Blocks.Interfaces.RealOutput w_rel_b_2(
    final quantity="AngularVelocity", final unit="rad/s", start=0, stateSelect=w_rel_b_2_stateSelect) if
    use_w "Angular velocity against frame_a along axes of frame_b, component 2";
  Modelica.Blocks.Interfaces.RealOutput w_rel_b_3(
    final quantity="AngularVelocity", final unit="rad/s", start=0, stateSelect=w_rel_b_3_stateSelect) if
    use_w "Angular velocity against frame_a along axes of frame_b, component 3";
  parameter StateSelect w_rel_b_1_stateSelect=StateSelect.never "Wish for w_rel_b_1 as a state"
    annotation(HideResult=true);
  parameter StateSelect w_rel_b_2_stateSelect=StateSelect.never "Wish for w_rel_b_2 as a state"
    annotation(HideResult=true);
  parameter StateSelect w_rel_b_3_stateSelect=StateSelect.never "Wish for w_rel_b_3 as a state"
    annotation(HideResult=true);
  parameter Boolean use_z=false "Offer derivative of the angular velocity" annotation(Evaluate=true, HideResult=true);
  Modelica.Blocks.Interfaces.RealOutput z_rel_b_1(
    final quantity="AngularAcceleration", final unit="rad/s2", start=0) if
    use_w and use_z "Derivative of the angular velocity, component 1";
  Modelica.Blocks.Interfaces.RealOutput z_rel_b_2(
    final quantity="AngularAcceleration", final unit="rad/s2", start=0) if
    use_w and use_z "Derivative of the angular velocity, component 2";
  Modelica.Blocks.Interfaces.RealOutput z_rel_b_3(
    final quantity="AngularAcceleration", final unit="rad/s2", start=0) if
    use_w and use_z "Derivative of the angular velocity, component 3";
  input Types.Color arrowColor=Modelica.Mechanics.MultiBody.Types.Defaults.SensorColor
    "Colour of the arrow";
  input Types.SpecularCoefficient specularCoefficient=world.defaultSpecularCoefficient
    "Reflection of light";
protected
  Internal.InitPosition position(
    r_a_0=frame_a.r_0, r_b_0=frame_b.r_0, R_a=frame_a.R) if use_r "Position";
  Modelica.Blocks.Continuous.Der der_r[3] if use_r and use_v "Its derivative";
  Modelica.Blocks.Continuous.Der der_v[3] if use_r and use_v and use_a
    "Its second derivative";
  Internal.InitAngle angles(sequence_start=sequence_start) if use_angle "Angles";
  Modelica.Blocks.Continuous.Der der_angle[3] if use_angle and use_angle_d
    "Their derivatives";
  Modelica.Blocks.Continuous.Der der_angle_d[3] if use_angle and use_angle_d and use_angle_dd
    "Their second derivatives";
  Internal.InitAngularVelocity angularVelocity(R_a=frame_a.R, R_b=frame_b.R) if use_w
    "Angular velocity";
  Modelica.Blocks.Continuous.Der der_w[3] if use_w and use_z "Its derivative";
  Forces.Internal.ZeroForceAndTorque load_a if not use_angle "No load on frame_a";
  Forces.Internal.ZeroForceAndTorque load_b if not use_angle "No load on frame_b";
equation
  connect(frame_a, angles.frame_a);
  connect(angles.frame_b, frame_b);
  connect(frame_a, load_a.frame_a);
  connect(frame_b, load_b.frame_a);
  connect(position.r_rel_a, der_r.u);
  connect(der_r.y, der_v.u);
  connect(angles.angle, der_angle.u);
  connect(der_angle.y, der_angle_d.u);
  connect(angularVelocity.w_rel_b, der_w.u);
  connect(position.r_rel_a[1], r_rel_a_1);
  connect(position.r_rel_a[2], r_rel_a_2);
  connect(position.r_rel_a[3], r_rel_a_3);
  connect(der_r[1].y, v_rel_a_1);
  connect(der_r[2].y, v_rel_a_2);
  connect(der_r[3].y, v_rel_a_3);
  connect(der_v[1].y, a_rel_a_1);
  connect(der_v[2].y, a_rel_a_2);
  connect(der_v[3].y, a_rel_a_3);
  connect(angles.angle[1], angle_1);
  connect(angles.angle[2], angle_2);
  connect(angles.angle[3], angle_3);
  connect(der_angle[1].y, angle_d_1);
  connect(der_angle[2].y, angle_d_2);
  connect(der_angle[3].y, angle_d_3);
  connect(der_angle_d[1].y, angle_dd_1);
  connect(der_angle_d[2].y, angle_dd_2);
  connect(der_angle_d[3].y, angle_dd_3);
  connect(angularVelocity.w_rel_b[1], w_rel_b_1);
  connect(angularVelocity.w_rel_b[2], w_rel_b_2);
  connect(angularVelocity.w_rel_b[3], w_rel_b_3);
  connect(der_w[1].y, z_rel_b_1);
  connect(der_w[2].y, z_rel_b_2);
  connect(der_w[3].y, z_rel_b_3);
end FreeMotionScalarInit;
