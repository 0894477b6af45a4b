within Modelica.Mechanics.MultiBody.Parts;
model Rotor1D "Rotor of a drive train; the body that carries it includes it as if locked"
  parameter Boolean animation=true "Accepted; nothing is drawn";
  parameter SI.Inertia J(min=0, start=1) "Inertia about the axis";
  parameter Modelica.Mechanics.MultiBody.Types.Axis n={1, 0, 0} "Axis, along axes of frame_a"
    annotation(Evaluate=true);
  parameter SI.Position r_center[3]=zeros(3) "Middle of the shape";
  parameter SI.Distance cylinderLength=2*world.defaultJointLength "Length of the shape";
  parameter SI.Distance cylinderDiameter=2*world.defaultJointWidth "Diameter of the shape";
  input Modelica.Mechanics.MultiBody.Types.Color cylinderColor=
    Modelica.Mechanics.MultiBody.Types.Defaults.RodColor "Colour of the shape";
  input Modelica.Mechanics.MultiBody.Types.SpecularCoefficient specularCoefficient=
    world.defaultSpecularCoefficient "Reflection of light";
  parameter StateSelect stateSelect=StateSelect.default "Wish for phi and w as states"
    annotation(HideResult=true);
  parameter Boolean exact=true "The motion of the body acts on the rotor as well"
    annotation(Evaluate=true);
  SI.Angle phi(start=0, stateSelect=stateSelect) "Angle against the body";
  SI.AngularVelocity w(start=0, stateSelect=stateSelect) "Speed against the body";
  SI.AngularAcceleration a(start=0) "Acceleration against the body";
  Modelica.Mechanics.Rotational.Interfaces.Flange_a flange_a "First end of the shaft";
  Modelica.Mechanics.Rotational.Interfaces.Flange_b flange_b "Second end of the shaft";
  Modelica.Mechanics.MultiBody.Interfaces.Frame_a frame_a if world.driveTrainMechanics3D
    "Body that carries the rotor";

  model RotorWith3DEffects "Rotor that turns in a moving body"
    parameter Boolean animation=true "Accepted; nothing is drawn";
    parameter SI.Inertia J(min=0) = 1 "Inertia about the axis";
    parameter Types.Axis n={1, 0, 0} "Axis, along axes of frame_a" annotation(Evaluate=true);
    parameter SI.Position r_center[3]=zeros(3) "Middle of the shape";
    parameter SI.Distance cylinderLength=2*world.defaultJointLength "Length of the shape";
    parameter SI.Distance cylinderDiameter=2*world.defaultJointWidth "Diameter of the shape";
    input Types.Color cylinderColor=Types.Defaults.RodColor "Colour of the shape";
    input Types.SpecularCoefficient specularCoefficient=world.defaultSpecularCoefficient
      "Reflection of light";
    parameter StateSelect stateSelect=StateSelect.default "Wish for phi and w as states"
      annotation(HideResult=true);
    parameter Boolean exact=true "The motion of the body acts on the rotor as well"
      annotation(Evaluate=true);
    SI.AngularVelocity w_a[3] "Angular velocity of the body, along axes of frame_a";
    SI.Angle phi(start=0, final stateSelect=stateSelect) "Angle against the body";
    SI.AngularVelocity w(start=0, stateSelect=stateSelect) "Speed against the body";
    SI.AngularAcceleration a(start=0) "Acceleration against the body";
    Modelica.Mechanics.Rotational.Interfaces.Flange_a flange_a "First end of the shaft";
    Modelica.Mechanics.Rotational.Interfaces.Flange_b flange_b "Second end of the shaft";
    Modelica.Mechanics.MultiBody.Interfaces.Frame_a frame_a "Body that carries the rotor";
  protected
    outer Modelica.Mechanics.MultiBody.World world "Inertial frame";
    parameter Real e[3](each final unit="1") = Modelica.Math.Vectors.normalizeWithAssert(n)
      "Axis of length 1";
  equation
    flange_a.phi = phi;
    flange_b.phi = phi;
    w = der(phi);
    a = der(w);
    w_a = Frames.angularVelocity2(frame_a.R);
    // The body counts the rotor as locked: its tensor of inertia includes that of the rotor.
    // Here is what turning against the body adds; the bearings carry no torque about the axis.
    frame_a.f = zeros(3);
    frame_a.t = cross(w_a, J*e*w) - J*e*(e*der(w_a));
    if exact then
      flange_a.tau + flange_b.tau = J*(a + e*der(w_a));
    else
      flange_a.tau + flange_b.tau = J*a;
    end if;
  end RotorWith3DEffects;
protected
  outer Modelica.Mechanics.MultiBody.World world "Inertial frame";
  Modelica.Mechanics.Rotational.Components.Inertia inertia(
    J=J,
    stateSelect=StateSelect.never) if not world.driveTrainMechanics3D "Rotor without reaction";
  RotorWith3DEffects rotorWith3DEffects(
    J=J,
    n=n,
    exact=exact,
    stateSelect=StateSelect.never) if world.driveTrainMechanics3D "Rotor with reaction";
equation
  phi = flange_a.phi;
  w = der(phi);
  a = der(w);
  connect(inertia.flange_a, flange_a);
  connect(inertia.flange_b, flange_b);
  connect(rotorWith3DEffects.flange_a, flange_a);
  connect(rotorWith3DEffects.flange_b, flange_b);
  connect(rotorWith3DEffects.frame_a, frame_a);
end Rotor1D;
