within Modelica.Mechanics.Rotational;
package Components "Inertias, springs, gears and friction"
  extends Modelica.Icons.Package;
  import Modelica.Units.SI;

  model Fixed "Flange that does not move"
    parameter SI.Angle phi0=0 "Angle of the flange";
    Interfaces.Flange_b flange;
  equation
    flange.phi = phi0;
  end Fixed;

  model Inertia "Rigid rotating body"
    extends Modelica.Mechanics.Rotational.Interfaces.PartialTwoFlanges;
    parameter SI.Inertia J(min=0, start=1) "Moment of inertia";
    parameter StateSelect stateSelect=StateSelect.default "Wish for phi and w as states"
      annotation(HideResult=true);
    SI.Angle phi(stateSelect=stateSelect) "Angle";
    SI.AngularVelocity w(stateSelect=stateSelect) "Speed";
    SI.AngularAcceleration a "Acceleration";
  equation
    flange_a.phi = phi;
    flange_b.phi = phi;
    w = der(phi);
    a = der(w);
    J*a = flange_a.tau + flange_b.tau;
  end Inertia;

  model Disc "Two flanges a fixed angle apart"
    extends Modelica.Mechanics.Rotational.Interfaces.PartialTwoFlanges;
    parameter SI.Angle deltaPhi=0 "Angle of flange_b against flange_a";
    SI.Angle phi "Angle halfway between";
  equation
    flange_a.phi = phi - deltaPhi/2;
    flange_b.phi = phi + deltaPhi/2;
    flange_a.tau + flange_b.tau = 0;
  end Disc;

  model Spring "Linear torsion spring"
    extends Modelica.Mechanics.Rotational.Interfaces.PartialCompliant;
    parameter SI.RotationalSpringConstant c(final min=0, start=1.0e5) "Spring constant";
    parameter SI.Angle phi_rel0=0 "Twist of the relaxed spring";
  equation
    tau = c*(phi_rel - phi_rel0);
  end Spring;

  model Damper "Linear damper"
    extends Modelica.Mechanics.Rotational.Interfaces.PartialCompliantWithRelativeStates;
    parameter SI.RotationalDampingConstant d(final min=0, start=0) "Damping constant";
    extends Modelica.Thermal.HeatTransfer.Interfaces.PartialElementaryConditionalHeatPortWithoutT;
  equation
    tau = d*w_rel;
    lossPower = tau*w_rel;
  end Damper;

  model SpringDamper "Spring and damper side by side"
    parameter SI.RotationalSpringConstant c(final min=0, start=1.0e5) "Spring constant";
    parameter SI.RotationalDampingConstant d(final min=0, start=0) "Damping constant";
    parameter SI.Angle phi_rel0=0 "Twist of the relaxed spring";
    extends Modelica.Mechanics.Rotational.Interfaces.PartialCompliantWithRelativeStates;
    extends Modelica.Thermal.HeatTransfer.Interfaces.PartialElementaryConditionalHeatPortWithoutT;
  protected
    SI.Torque tau_c "Torque of the spring";
    SI.Torque tau_d "Torque of the damper";
  equation
    tau_c = c*(phi_rel - phi_rel0);
    tau_d = d*w_rel;
    tau = tau_c + tau_d;
    lossPower = tau_d*w_rel;
  end SpringDamper;

  model ElastoBacklash "Spring and damper behind a play; contact cannot pull"
    parameter SI.RotationalSpringConstant c(final min=Modelica.Constants.small, start=1.0e5)
      "Spring constant";
    parameter SI.RotationalDampingConstant d(final min=0, start=0) "Damping constant";
    parameter SI.Angle b(final min=0) = 0 "Total play";
    parameter SI.Angle phi_rel0=0 "Twist of the relaxed spring";
    extends Modelica.Mechanics.Rotational.Interfaces.PartialCompliantWithRelativeStates;
    extends Modelica.Thermal.HeatTransfer.Interfaces.PartialElementaryConditionalHeatPortWithoutT;
  protected
    final parameter SI.Angle bMax=b/2 "Upper end of the play";
    final parameter SI.Angle bMin=-bMax "Lower end of the play";
    SI.Torque tau_c "Torque of the spring";
    SI.Torque tau_d "Torque of the damper";
    SI.Angle phi_diff=phi_rel - phi_rel0 "Twist counted from the middle of the play";
    constant SI.Angle bEps=1e-10 "Smaller plays count as none";
  equation
    tau_d = d*w_rel;
    if initial() then
      // A continuous curve without a flat piece, so that start values can be found.
      tau_c = if phi_diff > 1.5*bMax then c*(phi_diff - bMax)
        else if phi_diff < 1.5*bMin then c*(phi_diff - bMin)
        else c/3*phi_diff;
      tau = tau_c + tau_d;
      lossPower = tau_d*w_rel;
    else
      tau_c = if abs(b) <= bEps then c*phi_diff
        else if phi_diff > bMax then c*(phi_diff - bMax)
        else if phi_diff < bMin then c*(phi_diff - bMin)
        else 0;
      tau = if abs(b) <= bEps then tau_c + tau_d
        else if phi_diff > bMax then
          smooth(0, noEvent(if tau_c + tau_d <= 0 then 0 else tau_c + min(tau_c, tau_d)))
        else if phi_diff < bMin then
          smooth(0, noEvent(if tau_c + tau_d >= 0 then 0 else tau_c + max(tau_c, tau_d)))
        else 0;
      lossPower = if abs(b) <= bEps then tau_d*w_rel
        else if phi_diff > bMax then
          smooth(0, noEvent(if tau_c + tau_d <= 0 then 0 else min(tau_c, tau_d)*w_rel))
        else if phi_diff < bMin then
          smooth(0, noEvent(if tau_c + tau_d >= 0 then 0 else max(tau_c, tau_d)*w_rel))
        else 0;
    end if;
  end ElastoBacklash;

  model BearingFriction "Friction in a bearing, torque by speed from a table"
    extends Modelica.Mechanics.Rotational.Interfaces.PartialElementaryTwoFlangesAndSupport2;
    parameter Real tau_pos[:, 2]=[0, 1] "Rows of speed >= 0 and torque";
    parameter Modelica.Blocks.Types.Smoothness smoothness=
      Modelica.Blocks.Types.Smoothness.LinearSegments "Must be LinearSegments";
    parameter Real peak(final min=1) = 1 "Largest stuck torque over torque at speed 0";
    extends Modelica.Mechanics.Rotational.Interfaces.PartialFriction;
    extends Modelica.Thermal.HeatTransfer.Interfaces.PartialElementaryConditionalHeatPortWithoutT;
    SI.Angle phi "Angle of the shaft against the support";
    SI.Torque tau "Friction torque";
    SI.AngularVelocity w "Speed";
    SI.AngularAcceleration a "Acceleration";
  protected
    Real side "+1 on the forward branch of the table, -1 on the backward one";
  equation
    assert(smoothness == Modelica.Blocks.Types.Smoothness.LinearSegments,
      "only LinearSegments is offered");
    phi = flange_a.phi - phi_support;
    flange_b.phi = flange_a.phi;
    w = der(phi);
    a = der(w);
    w_relfric = w;
    a_relfric = a;
    flange_a.tau + flange_b.tau = tau;
    tau0 = Modelica.Math.Vectors.interpolate(tau_pos[:, 1], tau_pos[:, 2], 0);
    tau0_max = peak*tau0;
    free = false;
    side = if startForward then 1 elseif startBackward then -1
      elseif pre(mode) == Forward then 1 else -1;
    tau = if locked then sa*unitTorque
      else side*Modelica.Math.Vectors.interpolate(tau_pos[:, 1], tau_pos[:, 2], side*w);
    lossPower = tau*w_relfric;
  end BearingFriction;

  model Brake "Friction against the housing, pressed by a signal"
    extends Modelica.Mechanics.Rotational.Interfaces.PartialElementaryTwoFlangesAndSupport2;
    parameter Real mu_pos[:, 2]=[0, 0.5] "Rows of speed >= 0 and friction coefficient";
    parameter Modelica.Blocks.Types.Smoothness smoothness=
      Modelica.Blocks.Types.Smoothness.LinearSegments "Must be LinearSegments";
    parameter Real peak(final min=1) = 1 "Largest stuck torque over torque at speed 0";
    parameter Real cgeo(final min=0) = 1 "Lever arm summed over the rubbing surfaces";
    parameter SI.Force fn_max(final min=0, start=1) "Largest normal force";
    extends Modelica.Mechanics.Rotational.Interfaces.PartialFriction;
    extends Modelica.Thermal.HeatTransfer.Interfaces.PartialElementaryConditionalHeatPortWithoutT;
    SI.Angle phi "Angle of the shaft against the support";
    SI.Torque tau "Brake torque";
    SI.AngularVelocity w "Speed";
    SI.AngularAcceleration a "Acceleration";
    Real mu "Friction coefficient, with the sign of the torque";
    SI.Force fn "Normal force";
    Modelica.Blocks.Interfaces.RealInput f_normalized "Normal force over fn_max";
  protected
    final parameter Real mu0=Modelica.Math.Vectors.interpolate(mu_pos[:, 1], mu_pos[:, 2], 0)
      "Friction coefficient at speed 0";
    Real side "+1 on the forward branch of the table, -1 on the backward one";
  equation
    assert(smoothness == Modelica.Blocks.Types.Smoothness.LinearSegments,
      "only LinearSegments is offered");
    phi = flange_a.phi - phi_support;
    flange_b.phi = flange_a.phi;
    w = der(phi);
    a = der(w);
    w_relfric = w;
    a_relfric = a;
    flange_a.tau + flange_b.tau = tau;
    fn = fn_max*f_normalized;
    tau0 = mu0*cgeo*fn;
    tau0_max = peak*tau0;
    free = fn <= 0;
    side = if startForward then 1 elseif startBackward then -1
      elseif pre(mode) == Forward then 1 else -1;
    mu = side*Modelica.Math.Vectors.interpolate(mu_pos[:, 1], mu_pos[:, 2], side*w);
    tau = if locked then sa*unitTorque elseif free then 0 else mu*cgeo*fn;
    lossPower = tau*w_relfric;
  end Brake;

  model Clutch "Friction between two shafts, pressed by a signal"
    extends Modelica.Mechanics.Rotational.Icons.Clutch;
    extends Modelica.Mechanics.Rotational.Interfaces.PartialCompliantWithRelativeStates;
    parameter Real mu_pos[:, 2]=[0, 0.5] "Rows of relative speed >= 0 and friction coefficient";
    parameter Modelica.Blocks.Types.Smoothness smoothness=
      Modelica.Blocks.Types.Smoothness.LinearSegments "Must be LinearSegments";
    parameter Real peak(final min=1) = 1 "Largest stuck torque over torque at speed 0";
    parameter Real cgeo(final min=0) = 1 "Lever arm summed over the rubbing surfaces";
    parameter SI.Force fn_max(final min=0, start=1) "Largest normal force";
    extends Modelica.Mechanics.Rotational.Interfaces.PartialFriction;
    extends Modelica.Thermal.HeatTransfer.Interfaces.PartialElementaryConditionalHeatPortWithoutT;
    Real mu "Friction coefficient, with the sign of the torque";
    SI.Force fn "Normal force";
    Modelica.Blocks.Interfaces.RealInput f_normalized "Normal force over fn_max";
  protected
    final parameter Real mu0=Modelica.Math.Vectors.interpolate(mu_pos[:, 1], mu_pos[:, 2], 0)
      "Friction coefficient at speed 0";
    Real side "+1 on the forward branch of the table, -1 on the backward one";
  equation
    assert(smoothness == Modelica.Blocks.Types.Smoothness.LinearSegments,
      "only LinearSegments is offered");
    w_relfric = w_rel;
    a_relfric = a_rel;
    fn = fn_max*f_normalized;
    tau0 = mu0*cgeo*fn;
    tau0_max = peak*tau0;
    free = fn <= 0;
    side = if startForward then 1 elseif startBackward then -1
      elseif pre(mode) == Forward then 1 else -1;
    mu = side*Modelica.Math.Vectors.interpolate(mu_pos[:, 1], mu_pos[:, 2], side*w_rel);
    tau = if locked then sa*unitTorque elseif free then 0 else mu*cgeo*fn;
    lossPower = tau*w_relfric;
  end Clutch;

  model OneWayClutch "Clutch with a freewheel beside it: flange_a never overtakes flange_b"
    extends Modelica.Mechanics.Rotational.Icons.Clutch;
    extends Modelica.Mechanics.Rotational.Interfaces.PartialCompliantWithRelativeStates;
    parameter Real mu_pos[:, 2]=[0, 0.5] "Rows of relative speed >= 0 and friction coefficient";
    parameter Modelica.Blocks.Types.Smoothness smoothness=
      Modelica.Blocks.Types.Smoothness.LinearSegments "Must be LinearSegments";
    parameter Real peak(final min=1) = 1 "Largest stuck torque over torque at speed 0";
    parameter Real cgeo(final min=0) = 1 "Lever arm summed over the rubbing surfaces";
    parameter SI.Force fn_max(final min=0, start=1) "Largest normal force";
    parameter SI.AngularVelocity w_small=1e10
      "Speed that counts as sliding after an event (for speeds that jump)";
    extends Modelica.Thermal.HeatTransfer.Interfaces.PartialElementaryConditionalHeatPortWithoutT;
    Real u "Normal force over fn_max";
    Real mu "Friction coefficient";
    SI.Force fn "Normal force";
    Boolean startForward(start=false) "Sliding begins";
    Boolean locked(start=false) "The surfaces stick";
    Boolean stuck(start=false) "Locked, or locking next";
  protected
    SI.Torque tau0 "Friction torque at the beginning of sliding";
    SI.Torque tau0_max "Largest friction torque while stuck";
    final parameter Real mu0=Modelica.Math.Vectors.interpolate(mu_pos[:, 1], mu_pos[:, 2], 0)
      "Friction coefficient at speed 0";
    Boolean free "The clutch is not pressed";
    Real sa(final unit="1")
      "Curve parameter: torque while stuck, shifted acceleration while sliding";
    constant Real eps0=1.0e-4 "Relative width of the jump from stuck to sliding torque";
    final parameter SI.Torque tau0_max_low=eps0*mu0*cgeo*fn_max "The maximum when not pressed";
    parameter Real peak2=max([peak, 1 + eps0]);
    constant SI.AngularAcceleration unitAngularAcceleration=1;
    constant SI.Torque unitTorque=1;
  public
    Modelica.Blocks.Interfaces.RealInput f_normalized "Normal force over fn_max";
  equation
    assert(smoothness == Modelica.Blocks.Types.Smoothness.LinearSegments,
      "only LinearSegments is offered");
    u = f_normalized;
    free = u <= 0;
    fn = if free then 0 else fn_max*u;
    tau0 = mu0*cgeo*fn;
    tau0_max = if free then tau0_max_low else peak2*tau0;
    startForward = initial() and w_rel > 0
      or pre(stuck) and (w_rel > w_small or sa > tau0_max/unitTorque
        or pre(startForward) and sa > tau0/unitTorque);
    locked = pre(stuck) and not startForward;
    stuck = locked or w_rel <= 0;
    a_rel = unitAngularAcceleration*(if locked then 0 else sa - tau0/unitTorque);
    mu = Modelica.Math.Vectors.interpolate(mu_pos[:, 1], mu_pos[:, 2], w_rel);
    tau = if locked then sa*unitTorque elseif free then 0 else mu*cgeo*fn;
    lossPower = if stuck then 0 else tau*w_rel;
  end OneWayClutch;

  model IdealGear "Gear without inertia and losses"
    extends Modelica.Mechanics.Rotational.Icons.Gear;
    extends Modelica.Mechanics.Rotational.Interfaces.PartialElementaryTwoFlangesAndSupport2;
    parameter Real ratio(start=1) "Angle of flange_a over angle of flange_b";
    SI.Angle phi_a "Angle of flange_a against the support";
    SI.Angle phi_b "Angle of flange_b against the support";
  equation
    phi_a = flange_a.phi - phi_support;
    phi_b = flange_b.phi - phi_support;
    phi_a = ratio*phi_b;
    ratio*flange_a.tau + flange_b.tau = 0;
  end IdealGear;

  model LossyGear "Gear that loses torque in its teeth and bearings; at rest it may lock"
    extends Modelica.Mechanics.Rotational.Interfaces.PartialElementaryTwoFlangesAndSupport2;
    parameter Real ratio(start=1) "Turns of flange_a for one of flange_b";
    parameter Real lossTable[:, 5]=[0, 1, 1, 0, 0]
      "Rows of speed >= 0, efficiency with flange_a and with flange_b driving, bearing friction at flange_a likewise";
    parameter Modelica.Blocks.Types.Smoothness smoothness=
      Modelica.Blocks.Types.Smoothness.LinearSegments "Must be LinearSegments";
    extends Modelica.Thermal.HeatTransfer.Interfaces.PartialElementaryConditionalHeatPortWithoutT;
    SI.Angle phi_a "Angle of flange_a against the support";
    SI.Angle phi_b "Angle of flange_b against the support";
    SI.AngularVelocity w_a "Speed at flange_a";
    SI.AngularAcceleration a_a "Acceleration at flange_a";
    Real sa(final unit="1") "Curve parameter: lost torque while locked, shifted acceleration while rolling";
    Real eta_mf1(unit="1") "Efficiency of the teeth, flange_a driving";
    Real eta_mf2(unit="1") "Efficiency of the teeth, flange_b driving";
    SI.Torque tau_bf1 "Bearing friction, flange_a driving";
    SI.Torque tau_bf2 "Bearing friction, flange_b driving";
    SI.Torque tau_bf_a "Share of the bearings on the side of flange_a";
    SI.Torque tau_eta "Torque at the teeth: its sign tells who drives";
    SI.Torque tauLoss "Lost torque, seen from flange_a";
    SI.Torque tauLossMax "The same rolling forwards";
    SI.Torque tauLossMin "The same rolling backwards";
    SI.Torque tauLossMax_p "The same at the beginning of rolling forwards";
    SI.Torque tauLossMin_m "The same at the beginning of rolling backwards";
    Boolean tau_etaPos(start=true) "tau_eta is not negative";
    Boolean startForward(start=false) "Rolling begins forwards";
    Boolean startBackward(start=false) "Rolling begins backwards";
    Boolean locked(start=false) "The gear does not turn";
    final parameter Boolean ideal=size(lossTable, 1) == 1
      and Modelica.Math.Vectors.isEqual(lossTable[1, 2:5], {1, 1, 0, 0}) "Nothing is lost";
    constant Integer Unknown=3 "Not known yet";
    constant Integer Free=2 "Without losses";
    constant Integer Forward=1 "Rolling forwards";
    constant Integer Stuck=0 "Not rolling";
    constant Integer Backward=-1 "Rolling backwards";
    Integer mode(final min=Backward, final max=Unknown, start=Free, fixed=true) "State of the machine";
  protected
    constant SI.AngularAcceleration unitAngularAcceleration=1 annotation(HideResult=true);
    constant SI.Torque unitTorque=1 annotation(HideResult=true);
    final parameter Real eta1=Modelica.Math.Vectors.interpolate(lossTable[:, 1], lossTable[:, 2], 0);
    final parameter Real eta2=Modelica.Math.Vectors.interpolate(lossTable[:, 1], lossTable[:, 3], 0);
    final parameter SI.Torque bearing1=
      abs(Modelica.Math.Vectors.interpolate(lossTable[:, 1], lossTable[:, 4], 0));
    final parameter SI.Torque bearing2=
      abs(Modelica.Math.Vectors.interpolate(lossTable[:, 1], lossTable[:, 5], 0));
    // Both frictions are shares of the two sides, one of them through the teeth; with perfect teeth
    // they cannot be told apart.
    final parameter SI.Torque bearing_a=
      if Modelica.Math.isEqual(eta1*eta2, 1) then bearing1/2 else (bearing1 - bearing2)/(eta1 - 1/eta2);
    Boolean forwards "On the forward branch of the losses";
    SI.AngularVelocity speed "Against which the losses are tabulated";
  equation
    assert(abs(ratio) > 0, "the ratio of a gear must not be zero");
    assert(smoothness == Modelica.Blocks.Types.Smoothness.LinearSegments,
      "only LinearSegments is offered");
    phi_a = flange_a.phi - phi_support;
    phi_b = flange_b.phi - phi_support;
    phi_a = ratio*phi_b;
    w_a = der(phi_a);
    a_a = der(w_a);
    flange_b.tau + ratio*(flange_a.tau - tauLoss) = 0;
    forwards = startForward or pre(mode) == Forward;
    speed = noEvent(abs(w_a));
    if ideal then
      eta_mf1 = 1;
      eta_mf2 = 1;
      tau_bf1 = 0;
      tau_bf2 = 0;
      tau_bf_a = 0;
      tau_eta = flange_a.tau;
    else
      eta_mf1 = Modelica.Math.Vectors.interpolate(lossTable[:, 1], lossTable[:, 2], speed);
      eta_mf2 = Modelica.Math.Vectors.interpolate(lossTable[:, 1], lossTable[:, 3], speed);
      tau_bf1 = noEvent(abs(Modelica.Math.Vectors.interpolate(lossTable[:, 1], lossTable[:, 4], speed)));
      tau_bf2 = noEvent(abs(Modelica.Math.Vectors.interpolate(lossTable[:, 1], lossTable[:, 5], speed)));
      tau_bf_a = if noEvent(abs(eta_mf1*eta_mf2 - 1) < 1e-12) then tau_bf1/2
        else (tau_bf1 - tau_bf2)/(eta_mf1 - 1/eta_mf2);
      tau_eta = flange_a.tau + (if locked then 0 elseif forwards then -tau_bf_a else tau_bf_a);
    end if;
    tau_etaPos = tau_eta >= 0;
    // Forwards flange_a drives with a positive torque, backwards with a negative one.
    tauLossMax = if tau_etaPos then (1 - eta_mf1)*flange_a.tau + tau_bf1
      else (1 - 1/eta_mf2)*flange_a.tau + tau_bf2;
    tauLossMin = if tau_etaPos then (1 - 1/eta_mf2)*flange_a.tau - tau_bf2
      else (1 - eta_mf1)*flange_a.tau - tau_bf1;
    tauLossMax_p = if noEvent(flange_a.tau > bearing_a) then (1 - eta1)*flange_a.tau + bearing1
      else (1 - 1/eta2)*flange_a.tau + bearing2;
    tauLossMin_m = if noEvent(flange_a.tau > -bearing_a) then (1 - 1/eta2)*flange_a.tau - bearing2
      else (1 - eta1)*flange_a.tau - bearing1;
    startForward = pre(mode) == Stuck and sa > tauLossMax_p/unitTorque or initial() and w_a > 0;
    startBackward = pre(mode) == Stuck and sa < tauLossMin_m/unitTorque or initial() and w_a < 0;
    locked = not (ideal or forwards or startBackward or pre(mode) == Backward);
    // Lost torque and acceleration are one curve with the parameter sa, as in other friction elements.
    tauLoss = if ideal then 0 elseif locked then sa*unitTorque elseif forwards then tauLossMax else tauLossMin;
    a_a/unitAngularAcceleration = if locked then 0 else sa - tauLoss/unitTorque;
    mode = if ideal then Free
      elseif forwards and w_a > 0 then Forward
      elseif (startBackward or pre(mode) == Backward) and w_a < 0 then Backward
      else Stuck;
    lossPower = tauLoss*w_a;
  end LossyGear;

  model IdealPlanetary "Planetary gear without inertia and losses"
    parameter Real ratio(start=100/50) "Teeth of the ring over teeth of the sun";
    Interfaces.Flange_a sun;
    Interfaces.Flange_a carrier;
    Interfaces.Flange_b ring;
  equation
    // Willis: angles of sun and ring against the carrier are in the ratio of the teeth.
    sun.phi - carrier.phi = -ratio*(ring.phi - carrier.phi);
    ring.tau = ratio*sun.tau;
    sun.tau + carrier.tau + ring.tau = 0;
  end IdealPlanetary;

  model IdealGearR2T "Rack and pinion without inertia and losses"
    extends Modelica.Mechanics.Rotational.Interfaces.PartialElementaryRotationalToTranslational;
    parameter Real ratio(final unit="rad/m", start=1) "Angle per distance";
  equation
    flangeR.phi - internalSupportR.phi = ratio*(flangeT.s - internalSupportT.s);
    ratio*flangeR.tau + flangeT.f = 0;
  end IdealGearR2T;

  model IdealRollingWheel "Wheel that rolls without slip"
    extends Modelica.Mechanics.Rotational.Interfaces.PartialElementaryRotationalToTranslational;
    parameter SI.Distance radius(start=0.3) "Radius of the wheel";
  equation
    flangeT.s - internalSupportT.s = radius*(flangeR.phi - internalSupportR.phi);
    flangeR.tau + radius*flangeT.f = 0;
  end IdealRollingWheel;

  model RelativeStates "Makes relative angle and speed the states"
    extends Modelica.Mechanics.Rotational.Interfaces.PartialTwoFlanges;
    parameter StateSelect stateSelect=StateSelect.prefer "Wish for phi_rel and w_rel as states";
    parameter SI.Angle phi_nominal(displayUnit="rad", min=0.0) = 1.0 "Nominal angle";
    SI.Angle phi_rel(
      start=0,
      stateSelect=stateSelect,
      nominal=if phi_nominal >= Modelica.Constants.eps then phi_nominal else 1)
      "Angle of flange_b against flange_a";
    SI.AngularVelocity w_rel(start=0, stateSelect=stateSelect) "Derivative of phi_rel";
    SI.AngularAcceleration a_rel(start=0) "Derivative of w_rel";
  equation
    phi_rel = flange_b.phi - flange_a.phi;
    w_rel = der(phi_rel);
    a_rel = der(w_rel);
    flange_a.tau = 0;
    flange_b.tau = 0;
  end RelativeStates;

  model ElastoBacklash2 "Spring and damper behind a play; the torque may jump at the contact"
    parameter SI.RotationalSpringConstant c(final min=Modelica.Constants.small, start=1.0e5)
      "Spring constant";
    parameter SI.RotationalDampingConstant d(final min=0, start=0) "Damping constant";
    parameter SI.Angle b(final min=0) = 0 "Total play";
    parameter SI.Angle phi_rel0=0 "Twist of the relaxed spring";
    extends Modelica.Mechanics.Rotational.Interfaces.PartialCompliantWithRelativeStates;
    extends Modelica.Thermal.HeatTransfer.Interfaces.PartialElementaryConditionalHeatPortWithoutT;
  protected
    SI.Angle phi_diff=phi_rel - phi_rel0 "Twist counted from the middle of the play";
    SI.Torque tau_c "Torque of the spring";
    SI.Torque tau_d=d*w_rel "Torque of the damper";
    Boolean touches "The teeth press on each other";
    constant SI.Angle bEps=1e-10 "Smaller plays count as none";
  equation
    if initial() then
      // A continuous curve without a flat piece, so that start values can be found.
      tau_c = if abs(phi_diff) > 0.75*b then c*(phi_diff - sign(phi_diff)*b/2) else c/3*phi_diff;
      touches = true;
    else
      tau_c = if b <= bEps then c*phi_diff
        else if phi_diff > b/2 then c*(phi_diff - b/2)
        else if phi_diff < -b/2 then c*(phi_diff + b/2)
        else 0;
      touches = b <= bEps or phi_diff > b/2 and tau_c + tau_d > 0
        or phi_diff < -b/2 and tau_c + tau_d < 0;
    end if;
    tau = if touches then tau_c + tau_d else 0;
    lossPower = if touches then tau_d*w_rel else 0;
  end ElastoBacklash2;

  model Gearbox "Gear with losses, elasticity and play"
    extends Modelica.Mechanics.Rotational.Interfaces.PartialTwoFlangesAndSupport;
    parameter Real ratio(start=1) "Angle of flange_a over that of flange_b";
    parameter Real lossTable[:, 5]=[0, 1, 1, 0, 0] "Efficiencies and friction by speed, see LossyGear";
    parameter SI.RotationalSpringConstant c(final min=Modelica.Constants.small, start=1.0e5)
      "Spring constant";
    parameter SI.RotationalDampingConstant d(final min=0, start=0) "Damping constant";
    parameter SI.Angle b(final min=0) = 0 "Total play";
    parameter StateSelect stateSelect=StateSelect.prefer "Wish for phi_rel and w_rel as states";
    extends Modelica.Thermal.HeatTransfer.Interfaces.PartialConditionalHeatPort(final T=293.15);
    SI.Angle phi_rel(start=0, stateSelect=stateSelect, nominal=1e-4)=
      flange_b.phi - lossyGear.flange_b.phi "Twist of the elasticity";
    SI.AngularVelocity w_rel(start=0, stateSelect=stateSelect)=der(phi_rel) "Derivative of phi_rel";
    SI.AngularAcceleration a_rel(start=0)=der(w_rel) "Derivative of w_rel";
    LossyGear lossyGear(
      final ratio=ratio, final lossTable=lossTable, final useSupport=true, final useHeatPort=true);
    ElastoBacklash elastoBacklash(
      final b=b, final c=c, final phi_rel0=0, final d=d, final useHeatPort=true);
  equation
    connect(flange_a, lossyGear.flange_a);
    connect(lossyGear.flange_b, elastoBacklash.flange_a);
    connect(elastoBacklash.flange_b, flange_b);
    connect(lossyGear.support, internalSupport);
    connect(lossyGear.heatPort, internalHeatPort);
    connect(elastoBacklash.heatPort, internalHeatPort);
  end Gearbox;

  model InitializeFlange "Gives a flange its first angle, speed and acceleration by signals"
    parameter Boolean use_phi_start=true "The first angle is given" annotation(Evaluate=true);
    parameter Boolean use_w_start=true "The first speed is given" annotation(Evaluate=true);
    parameter Boolean use_a_start=true "The first acceleration is given" annotation(Evaluate=true);
    parameter StateSelect stateSelect=StateSelect.default
      "Wish for phi_flange and w_flange as states";
    Modelica.Blocks.Interfaces.RealInput phi_start(unit="rad") if use_phi_start
      "First angle";
    Modelica.Blocks.Interfaces.RealInput w_start(unit="rad/s") if use_w_start "First speed";
    Modelica.Blocks.Interfaces.RealInput a_start(unit="rad/s2") if use_a_start
      "First acceleration";
    Interfaces.Flange_b flange;
    SI.Angle phi_flange(stateSelect=stateSelect)=flange.phi "Angle";
    SI.AngularVelocity w_flange(stateSelect=stateSelect)=der(phi_flange) "Speed";
  protected
    Modelica.Blocks.Interfaces.RealInput phi_given;
    Modelica.Blocks.Interfaces.RealInput w_given;
    Modelica.Blocks.Interfaces.RealInput a_given;
  initial equation
    if use_phi_start then
      phi_flange = phi_given;
    end if;
    if use_w_start then
      w_flange = w_given;
    end if;
    if use_a_start then
      der(w_flange) = a_given;
    end if;
  equation
    connect(phi_start, phi_given);
    connect(a_start, a_given);
    connect(w_start, w_given);
    if not use_phi_start then
      phi_given = 0;
    end if;
    if not use_w_start then
      w_given = 0;
    end if;
    if not use_a_start then
      a_given = 0;
    end if;
    flange.tau = 0;
  end InitializeFlange;
end Components;
