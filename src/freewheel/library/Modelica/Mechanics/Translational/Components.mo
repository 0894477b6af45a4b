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
end Components;
