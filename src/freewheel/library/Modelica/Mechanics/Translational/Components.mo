within Modelica.Mechanics.Translational;
package Components "Masses, springs and friction"
  extends Modelica.Icons.Package;
  import Modelica.Units.SI;

  model Fixed "Flange that does not move"
    parameter SI.Position s0=0 "Position of the flange";
    Interfaces.Flange_b flange;
  equation
    flange.s = s0;
  end Fixed;

  model Rod "Rigid rod without mass"
    extends Modelica.Mechanics.Translational.Interfaces.PartialRigid;
  equation
    flange_a.f + flange_b.f = 0;
  end Rod;

  model Mass "Rigid sliding body"
    parameter SI.Mass m(min=0, start=1) "Mass";
    parameter StateSelect stateSelect=StateSelect.default "Wish for s and v as states";
    extends Modelica.Mechanics.Translational.Interfaces.PartialRigid(
      L=0,
      s(start=0, stateSelect=stateSelect));
    SI.Velocity v(start=0, stateSelect=stateSelect) "Velocity";
    SI.Acceleration a(start=0) "Acceleration";
  equation
    v = der(s);
    a = der(v);
    m*a = flange_a.f + flange_b.f;
  end Mass;

  model Spring "Linear spring"
    extends Modelica.Mechanics.Translational.Interfaces.PartialCompliant;
    parameter SI.TranslationalSpringConstant c(final min=0, start=1) "Spring constant";
    parameter SI.Distance s_rel0=0 "Length of the relaxed spring";
  equation
    f = c*(s_rel - s_rel0);
  end Spring;

  model Damper "Linear damper"
    extends Modelica.Mechanics.Translational.Interfaces.PartialCompliantWithRelativeStates;
    parameter SI.TranslationalDampingConstant d(final min=0, start=0) "Damping constant";
    extends Modelica.Thermal.HeatTransfer.Interfaces.PartialElementaryConditionalHeatPortWithoutT;
  equation
    f = d*v_rel;
    lossPower = f*v_rel;
  end Damper;

  model SpringDamper "Spring and damper side by side"
    extends Modelica.Mechanics.Translational.Interfaces.PartialCompliantWithRelativeStates;
    parameter SI.TranslationalSpringConstant c(final min=0, start=1) "Spring constant";
    parameter SI.TranslationalDampingConstant d(final min=0, start=1) "Damping constant";
    parameter SI.Position s_rel0=0 "Length of the relaxed spring";
    extends Modelica.Thermal.HeatTransfer.Interfaces.PartialElementaryConditionalHeatPortWithoutT;
  protected
    SI.Force f_c "Force of the spring";
    SI.Force f_d "Force of the damper";
  equation
    f_c = c*(s_rel - s_rel0);
    f_d = d*v_rel;
    f = f_c + f_d;
    lossPower = f_d*v_rel;
  end SpringDamper;

  model ElastoGap "Spring and damper that can lift off; contact cannot pull"
    extends Modelica.Mechanics.Translational.Interfaces.PartialCompliantWithRelativeStates;
    parameter SI.TranslationalSpringConstant c(final min=0, start=1) "Spring constant";
    parameter SI.TranslationalDampingConstant d(final min=0, start=1) "Damping constant";
    parameter SI.Position s_rel0=0 "Distance at first contact";
    parameter SI.Force f_ref(min=0) = c*s_ref "Spring force at the reference compression";
    parameter SI.Length s_ref(min=Modelica.Constants.eps) = 1 "Reference compression";
    parameter Real n(final min=1) = 1 "Exponent of the spring force";
    extends Modelica.Thermal.HeatTransfer.Interfaces.PartialElementaryConditionalHeatPortWithoutT;
    Boolean contact "The bodies touch";
  protected
    SI.Force f_c "Force of the spring, pressing";
    SI.Force f_d2 "Force of the damper before limiting";
    SI.Force f_d "Force of the damper, never above the spring force";
    Real ratio "Distance from first contact over reference compression";
  equation
    contact = s_rel < s_rel0;
    ratio = (s_rel - s_rel0)/s_ref;
    f_c = smooth(1, noEvent(if contact then -f_ref*abs(ratio)^n else 0));
    f_d2 = if contact then d*v_rel else 0;
    f_d = smooth(0, noEvent(if contact then min(max(f_d2, f_c), -f_c) else 0));
    f = f_c + f_d;
    lossPower = f_d*v_rel;
  end ElastoGap;

  model SupportFriction "Friction against the support, force by velocity from a table"
    extends Modelica.Mechanics.Translational.Interfaces.PartialElementaryTwoFlangesAndSupport2;
    extends Modelica.Thermal.HeatTransfer.Interfaces.PartialElementaryConditionalHeatPortWithoutT;
    parameter Real f_pos[:, 2]=[0, 1] "Rows of velocity >= 0 and force";
    parameter Modelica.Blocks.Types.Smoothness smoothness=
      Modelica.Blocks.Types.Smoothness.LinearSegments "Must be LinearSegments";
    parameter Real peak(final min=1) = 1 "Largest stuck force over force at velocity 0";
    extends Modelica.Mechanics.Translational.Interfaces.PartialFriction;
    SI.Position s "Position against the support";
    SI.Force f "Friction force";
    SI.Velocity v "Velocity";
    SI.Acceleration a "Acceleration";
  protected
    Real side "+1 on the forward branch of the table, -1 on the backward one";
  equation
    assert(smoothness == Modelica.Blocks.Types.Smoothness.LinearSegments,
      "only LinearSegments is offered");
    s = flange_a.s - s_support;
    flange_b.s = flange_a.s;
    v = der(s);
    a = der(v);
    v_relfric = v;
    a_relfric = a;
    flange_a.f + flange_b.f = f;
    f0 = Modelica.Math.Vectors.interpolate(f_pos[:, 1], f_pos[:, 2], 0);
    f0_max = peak*f0;
    free = false;
    side = if startForward then 1 elseif startBackward then -1
      elseif pre(mode) == Forward then 1 else -1;
    f = if locked then sa*unitForce
      else side*Modelica.Math.Vectors.interpolate(f_pos[:, 1], f_pos[:, 2], side*v);
    lossPower = f*v_relfric;
  end SupportFriction;

  model Brake "Friction against the support, pressed by a signal"
    extends Modelica.Mechanics.Translational.Interfaces.PartialElementaryTwoFlangesAndSupport2;
    extends Modelica.Thermal.HeatTransfer.Interfaces.PartialElementaryConditionalHeatPortWithoutT;
    parameter Real mu_pos[:, 2]=[0, 0.5] "Rows of velocity >= 0 and friction coefficient";
    parameter Modelica.Blocks.Types.Smoothness smoothness=
      Modelica.Blocks.Types.Smoothness.LinearSegments "Must be LinearSegments";
    parameter Real peak(final min=1) = 1 "Largest stuck force over force at velocity 0";
    parameter Real cgeo(final min=0) = 1 "Number of rubbing surfaces or other factor";
    parameter SI.Force fn_max(final min=0, start=1) "Largest normal force";
    extends Modelica.Mechanics.Translational.Interfaces.PartialFriction;
    SI.Position s "Position against the support";
    SI.Force f "Brake force";
    SI.Velocity v "Velocity";
    SI.Acceleration a "Acceleration";
    Real mu "Friction coefficient, with the sign of the force";
    SI.Force fn "Normal force";
    Modelica.Blocks.Interfaces.RealInput f_normalized "Normal force over fn_max";
  protected
    final parameter Real mu0=Modelica.Math.Vectors.interpolate(mu_pos[:, 1], mu_pos[:, 2], 0)
      "Friction coefficient at velocity 0";
    Real side "+1 on the forward branch of the table, -1 on the backward one";
  equation
    assert(smoothness == Modelica.Blocks.Types.Smoothness.LinearSegments,
      "only LinearSegments is offered");
    s = s_a;
    s = s_b;
    v = der(s);
    a = der(v);
    v_relfric = v;
    a_relfric = a;
    flange_a.f + flange_b.f = f;
    fn = fn_max*f_normalized;
    f0 = mu0*cgeo*fn;
    f0_max = peak*f0;
    free = fn <= 0;
    side = if startForward then 1 elseif startBackward then -1
      elseif pre(mode) == Forward then 1 else -1;
    mu = side*Modelica.Math.Vectors.interpolate(mu_pos[:, 1], mu_pos[:, 2], side*v);
    f = if locked then sa*unitForce elseif free then 0 else mu*cgeo*fn;
    lossPower = f*v_relfric;
  end Brake;

  model MassWithStopAndFriction "Sliding body with friction between two hard stops"
    parameter SI.Position smax(start=25) "Right stop for the right end";
    parameter SI.Position smin(start=-25) "Left stop for the left end";
    parameter SI.Mass m(start=1) "Mass";
    parameter Real F_prop(final unit="N.s/m", final min=0, start=1) "Viscous friction";
    parameter SI.Force F_Coulomb(start=5) "Dry friction";
    parameter SI.Force F_Stribeck(start=10) "Additional friction near velocity 0";
    parameter Real fexp(final unit="s/m", final min=0, start=2) "How soon the latter fades";
    parameter SI.Velocity v_small=1e-3
      "Velocity that counts as reversed sliding after an event (for velocities that jump)";
    extends Modelica.Mechanics.Translational.Interfaces.PartialRigid(s(stateSelect=StateSelect.always));
    extends Modelica.Thermal.HeatTransfer.Interfaces.PartialElementaryConditionalHeatPortWithoutT;
    SI.Velocity v(stateSelect=StateSelect.always) "Velocity";
    SI.Acceleration a "Acceleration";
    SI.Force f "Friction and stop force";
    SI.Force f0 "Friction force at velocity 0";
    SI.Force f0_max "Largest friction force while stuck";
    Boolean free "Never";
    Real sa(unit="1") "Curve parameter: force while stuck, shifted acceleration while sliding";
    Boolean startForward(start=false, fixed=true) "Sliding begins forwards";
    Boolean startBackward(start=false, fixed=true) "Sliding begins backwards";
    Boolean locked(start=false) "It sticks or is pressed against a stop";
    constant Integer Unknown=3 "Not known yet";
    constant Integer Forward=1 "Sliding forwards";
    constant Integer Stuck=0 "Not sliding";
    constant Integer Backward=-1 "Sliding backwards";
    Integer mode(final min=Backward, final max=Unknown, start=Unknown, fixed=true) "State of the machine";
    Integer stopped=if s <= smin + L/2 then -1 elseif s >= smax - L/2 then 1 else 0 "At which stop";
  protected
    constant SI.Acceleration unitAcceleration=1 annotation(HideResult=true);
    constant SI.Force unitForce=1 annotation(HideResult=true);
    Real side "+1 forwards, -1 backwards";
  equation
    v = der(s);
    a = der(v);
    m*a = flange_a.f + flange_b.f - f;
    f0 = F_Coulomb + F_Stribeck;
    f0_max = 1.001*f0;
    free = f0 <= 0 and F_prop <= 0 and stopped == 0;
    // The machine of PartialFriction; at a stop no sliding begins against it.
    startForward = initial() and v > 0
      or pre(mode) == Backward and v > v_small
      or pre(mode) == Stuck and stopped < 1
        and (sa > f0_max/unitForce or pre(startForward) and sa > f0/unitForce);
    startBackward = initial() and v < 0
      or pre(mode) == Forward and v < -v_small
      or pre(mode) == Stuck and stopped > -1
        and (sa < -f0_max/unitForce or pre(startBackward) and sa < -f0/unitForce);
    locked = not (startForward or startBackward or pre(mode) == Forward or pre(mode) == Backward);
    a/unitAcceleration =
      if locked then 0
      else if startForward or not startBackward and pre(mode) == Forward then sa - f0_max/unitForce
      else sa + f0_max/unitForce;
    side = if startForward then 1 elseif startBackward then -1
      elseif pre(mode) == Forward then 1 else -1;
    f = if locked then sa*unitForce
      else side*(F_prop*side*v + F_Coulomb + F_Stribeck*exp(-fexp*side*v));
    lossPower = f*v;
    mode =
      if (startForward or pre(mode) == Forward) and v > 0 and stopped < 1 then Forward
      else if (startBackward or pre(mode) == Backward) and v < 0 and stopped > -1 then Backward
      else Stuck;
    when stopped <> 0 then
      reinit(v, 0);
    end when;
  end MassWithStopAndFriction;

  model IdealGearR2T "Rack and pinion without inertia and losses"
    extends Modelica.Mechanics.Rotational.Components.IdealGearR2T;
  end IdealGearR2T;

  model IdealRollingWheel "Wheel that rolls without slip"
    extends Modelica.Mechanics.Rotational.Components.IdealRollingWheel;
  end IdealRollingWheel;

  model RelativeStates "Makes relative position and velocity the states"
    extends Modelica.Mechanics.Translational.Interfaces.PartialTwoFlanges;
    parameter StateSelect stateSelect=StateSelect.prefer "Wish for s_rel and v_rel as states";
    SI.Position s_rel(start=0, stateSelect=StateSelect.prefer)
      "Distance from flange_a to flange_b";
    SI.Velocity v_rel(start=0, stateSelect=StateSelect.prefer) "Derivative of s_rel";
    SI.Acceleration a_rel(start=0) "Derivative of v_rel";
  equation
    s_rel = flange_b.s - flange_a.s;
    v_rel = der(s_rel);
    a_rel = der(v_rel);
    flange_a.f = 0;
    flange_b.f = 0;
  end RelativeStates;

  model InitializeFlange "Gives a flange its first position, velocity and acceleration by signals"
    parameter Boolean use_s_start=true "The first position is given" annotation(Evaluate=true);
    parameter Boolean use_v_start=true "The first velocity is given" annotation(Evaluate=true);
    parameter Boolean use_a_start=true "The first acceleration is given" annotation(Evaluate=true);
    parameter StateSelect stateSelect=StateSelect.default "Wish for s_flange and v_flange as states";
    Modelica.Blocks.Interfaces.RealInput s_start(unit="m") if use_s_start "First position";
    Modelica.Blocks.Interfaces.RealInput v_start(unit="m/s") if use_v_start "First velocity";
    Modelica.Blocks.Interfaces.RealInput a_start(unit="m/s2") if use_a_start
      "First acceleration";
    Interfaces.Flange_b flange;
    SI.Position s_flange(stateSelect=stateSelect)=flange.s "Position";
    SI.Velocity v_flange(stateSelect=stateSelect)=der(s_flange) "Velocity";
  protected
    Modelica.Blocks.Interfaces.RealInput s_given;
    Modelica.Blocks.Interfaces.RealInput v_given;
    Modelica.Blocks.Interfaces.RealInput a_given;
  initial equation
    if use_s_start then
      s_flange = s_given;
    end if;
    if use_v_start then
      v_flange = v_given;
    end if;
    if use_a_start then
      der(v_flange) = a_given;
    end if;
  equation
    connect(s_start, s_given);
    connect(a_start, a_given);
    connect(v_start, v_given);
    if not use_s_start then
      s_given = 0;
    end if;
    if not use_v_start then
      v_given = 0;
    end if;
    if not use_a_start then
      a_given = 0;
    end if;
    flange.f = 0;
  end InitializeFlange;

  model RollingResistance "Resistance of a wheel that rolls, by its load"
    extends Modelica.Mechanics.Translational.Interfaces.PartialForce;
    parameter SI.Force fWeight(start=0) "Weight on the wheel";
    parameter Boolean useCrInput=false "The coefficient is an input" annotation(Evaluate=true);
    parameter Real CrConstant=0.01 "Coefficient without input";
    parameter Boolean useInclinationInput=false "The slope is an input" annotation(Evaluate=true);
    parameter Real inclinationConstant=0 "Slope without input, tangent of the angle";
    parameter Modelica.Blocks.Types.Regularization reg=Modelica.Blocks.Types.Regularization.Exp
      "Law near standstill" annotation(Evaluate=true);
    parameter SI.Velocity v0(final min=Modelica.Constants.eps) = 0.1
      "Below this velocity the law is replaced";
    SI.Velocity v=der(s) "Velocity of the flange against the support";
    SI.Force f_nominal=-cr_used*fWeight*cos(atan(slope_used)) "Resistance of a moving wheel, negative";
    Modelica.Blocks.Interfaces.RealInput inclination if useInclinationInput
      "Slope, tangent of the angle";
    Modelica.Blocks.Interfaces.RealInput cr if useCrInput "Coefficient";
  protected
    Modelica.Blocks.Interfaces.RealInput cr_used "Coefficient";
    Modelica.Blocks.Interfaces.RealInput slope_used "Slope";
    Real direction "Sign of the velocity, or what replaces it";
  equation
    connect(cr, cr_used);
    connect(inclination, slope_used);
    if not useCrInput then
      cr_used = CrConstant;
    end if;
    if not useInclinationInput then
      slope_used = inclinationConstant;
    end if;
    if reg == Modelica.Blocks.Types.Regularization.Exp then
      direction = tanh(50*v/v0);
    elseif reg == Modelica.Blocks.Types.Regularization.Sine then
      direction = smooth(1, if abs(v) >= v0 then sign(v) else sin(Modelica.Constants.pi/2*v/v0));
    elseif reg == Modelica.Blocks.Types.Regularization.Linear then
      direction = if abs(v) >= v0 then sign(v) else v/v0;
    else
      direction = if abs(v) >= v0 then sign(v)
        else sign(v)*(1 - cos(Modelica.Constants.pi/2*v/v0));
    end if;
    f = -f_nominal*direction;
  end RollingResistance;

  model Vehicle "Car on a road: drive train, drag of the air, resistance of the wheels, slope"
    parameter SI.Mass m "Mass";
    parameter SI.Acceleration g=Modelica.Constants.g_n "Gravity";
    parameter SI.Inertia J "Inertia of the drive train, at the wheel";
    parameter SI.Length R "Radius of the wheel";
    parameter SI.Area A(start=1) "Frontal area";
    parameter Real Cd(start=0.5) "Drag coefficient";
    parameter SI.Density rho=1.2 "Density of the air";
    parameter Boolean useWindInput=false "The wind is an input" annotation(Evaluate=true);
    parameter SI.Velocity vWindConstant=0 "Wind without input";
    parameter Boolean useCrInput=false "The rolling resistance coefficient is an input"
      annotation(Evaluate=true);
    parameter Real CrConstant=0.015 "Rolling resistance coefficient without input";
    parameter SI.Velocity vReg=1e-3 "Below this velocity the law of the rolling resistance is replaced";
    parameter Boolean useInclinationInput=false "The slope is an input" annotation(Evaluate=true);
    parameter Real inclinationConstant=0 "Slope without input, tangent of the angle";
    SI.Position s(displayUnit="km", start=0)=mass.s "Position";
    SI.Velocity v(displayUnit="km/h", start=0)=mass.v "Velocity";
    SI.Acceleration a=mass.a "Acceleration";
    Modelica.Mechanics.Rotational.Interfaces.Flange_a flangeR "Shaft of the wheels";
    Modelica.Mechanics.Translational.Interfaces.Flange_b flangeT "Coupling";
    Modelica.Blocks.Interfaces.RealInput inclination if useInclinationInput
      "Slope, tangent of the angle";
    Modelica.Blocks.Interfaces.RealInput cr if useCrInput "Rolling resistance coefficient";
    Modelica.Blocks.Interfaces.RealInput vWind(unit="m/s") if useWindInput "Wind";
    Modelica.Mechanics.Rotational.Components.Inertia inertia(final J=J);
    IdealRollingWheel idealRollingWheel(final radius=R);
    Mass mass(final m=m);
    Modelica.Mechanics.Translational.Sources.QuadraticSpeedDependentForce fDrag(
      final useSupport=true,
      final f_nominal=-Cd*A*rho/2,
      final ForceDirection=false,
      final v_nominal=1) "Drag against the air";
    RollingResistance fRoll(
      final fWeight=m*g,
      final useCrInput=useCrInput,
      final CrConstant=CrConstant,
      final useInclinationInput=useInclinationInput,
      final inclinationConstant=inclinationConstant,
      final reg=Modelica.Blocks.Types.Regularization.Linear,
      final v0=vReg) "Resistance of the wheels";
    Modelica.Mechanics.Translational.Sources.Force fGrav "Weight along the slope";
    Modelica.Mechanics.Translational.Sources.Speed windSpeed(s(fixed=true)) "The air";
  protected
    Modelica.Blocks.Interfaces.RealInput slope "Slope, tangent of the angle";
    Modelica.Blocks.Interfaces.RealInput wind(unit="m/s") "Velocity of the air";
  equation
    if not useInclinationInput then
      slope = inclinationConstant;
    end if;
    if not useWindInput then
      wind = vWindConstant;
    end if;
    connect(inclination, slope);
    connect(inclination, fRoll.inclination);
    connect(vWind, wind);
    fGrav.f = -m*g*sin(atan(slope));
    windSpeed.v_ref = wind;
    connect(cr, fRoll.cr);
    connect(flangeR, inertia.flange_a);
    connect(inertia.flange_b, idealRollingWheel.flangeR);
    connect(idealRollingWheel.flangeT, mass.flange_a);
    connect(mass.flange_b, flangeT);
    connect(mass.flange_b, fDrag.flange);
    connect(windSpeed.flange, fDrag.support);
    connect(mass.flange_b, fRoll.flange);
    connect(mass.flange_b, fGrav.flange);
  end Vehicle;
end Components;
