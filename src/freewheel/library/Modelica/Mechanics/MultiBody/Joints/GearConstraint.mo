within Modelica.Mechanics.MultiBody.Joints;
model GearConstraint "Two shafts in one housing, coupled by a gear"
  extends Modelica.Mechanics.MultiBody.Interfaces.PartialTwoFrames;
  Modelica.Mechanics.MultiBody.Interfaces.Frame_a bearing "Housing";
  parameter Real ratio(start=2) "Angle of frame_a over angle of frame_b";
  parameter Modelica.Mechanics.MultiBody.Types.Axis n_a={1, 0, 0}
    "Axis of the first shaft, along axes of bearing" annotation(Evaluate=true);
  parameter Modelica.Mechanics.MultiBody.Types.Axis n_b={1, 0, 0}
    "Axis of the second shaft, along axes of bearing" annotation(Evaluate=true);
  parameter SI.Position r_a[3]={0, 0, 0} "From bearing to frame_a, along axes of bearing";
  parameter SI.Position r_b[3]={0, 0, 0} "From bearing to frame_b, along axes of bearing";
  parameter StateSelect stateSelect=StateSelect.default "Wish for phi_b and w_b as states"
    annotation(HideResult=true);
  parameter Boolean checkTotalPower=false "Compute totalPower" annotation(Evaluate=true);
  SI.Angle phi_b(start=0, stateSelect=stateSelect) "Angle of the second shaft";
  SI.AngularVelocity w_b(start=0, stateSelect=stateSelect) "Speed of the second shaft";
  SI.AngularAcceleration a_b(start=0) "Acceleration of the second shaft";
  SI.Power totalPower "Power into the gear; zero up to errors, if asked for";
  Joints.Revolute actuatedRevolute_a(useAxisFlange=true, n=n_a, animation=false) "First shaft";
  Joints.Revolute actuatedRevolute_b(useAxisFlange=true, n=n_b, animation=false) "Second shaft";
  Modelica.Mechanics.Rotational.Components.IdealGear idealGear(ratio=ratio) "Gear";
  Parts.FixedTranslation fixedTranslation1(animation=false, r=r_b) "To the second shaft";
  Parts.FixedTranslation fixedTranslation2(animation=false, r=r_a) "To the first shaft";
equation
  phi_b = actuatedRevolute_b.phi;
  w_b = der(phi_b);
  a_b = der(w_b);
  if checkTotalPower then
    totalPower = Internal.power(frame_a.R, frame_a.f, frame_a.t, der(frame_a.r_0))
      + Internal.power(frame_b.R, frame_b.f, frame_b.t, der(frame_b.r_0))
      + Internal.power(bearing.R, bearing.f, bearing.t, der(bearing.r_0));
  else
    totalPower = 0;
  end if;
  connect(bearing, fixedTranslation2.frame_a);
  connect(fixedTranslation2.frame_b, actuatedRevolute_a.frame_a);
  connect(actuatedRevolute_a.frame_b, frame_a);
  connect(bearing, fixedTranslation1.frame_a);
  connect(fixedTranslation1.frame_b, actuatedRevolute_b.frame_a);
  connect(actuatedRevolute_b.frame_b, frame_b);
  connect(actuatedRevolute_a.axis, idealGear.flange_a);
  connect(idealGear.flange_b, actuatedRevolute_b.axis);
end GearConstraint;
