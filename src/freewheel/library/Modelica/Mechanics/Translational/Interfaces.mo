within Modelica.Mechanics.Translational;
package Interfaces "Flanges and bases of translational components"
  extends Modelica.Icons.InterfacesPackage;
  import Modelica.Units.SI;

  connector Flange "End of a rod"
    SI.Position s "Absolute position";
    flow SI.Force f "Force acting on the component";
  end Flange;

  connector Flange_a "Left end of a rod"
    extends Flange;
  end Flange_a;

  connector Flange_b "Right end of a rod"
    extends Flange;
  end Flange_b;

  connector Support "Housing of a component"
    extends Flange;
  end Support;

  model InternalSupport "Adapter between a support and the force a model puts on it"
    input SI.Force f "Force into the flange; give it as a modifier";
    SI.Position s "Position of the flange";
    Flange_a flange;
  equation
    flange.s = s;
    flange.f = f;
  end InternalSupport;

  partial model PartialTwoFlanges "Two flanges"
    Flange_a flange_a;
    Flange_b flange_b;
  end PartialTwoFlanges;

  partial model PartialOneFlangeAndSupport "One flange, for composed models"
    parameter Boolean useSupport=false "Offer a support flange"
      annotation(Evaluate=true, HideResult=true);
    Flange_b flange;
    Support support if useSupport;
  protected
    Support internalSupport "Connect the parts to this one";
    Components.Fixed fixed if not useSupport;
  equation
    connect(support, internalSupport);
    connect(fixed.flange, internalSupport);
  end PartialOneFlangeAndSupport;

  partial model PartialTwoFlangesAndSupport "Two flanges, for composed models"
    parameter Boolean useSupport=false "Offer a support flange"
      annotation(Evaluate=true, HideResult=true);
    extends Modelica.Mechanics.Translational.Interfaces.PartialTwoFlanges;
    Support support if useSupport;
  protected
    Support internalSupport "Connect the parts to this one";
    Components.Fixed fixed if not useSupport;
  equation
    connect(support, internalSupport);
    connect(fixed.flange, internalSupport);
  end PartialTwoFlangesAndSupport;

  partial model PartialRigid "Two flanges a fixed length apart"
    SI.Position s "Position of the middle";
    parameter SI.Length L(start=0) "Length from flange_a to flange_b";
    extends Modelica.Mechanics.Translational.Interfaces.PartialTwoFlanges;
  equation
    flange_a.s = s - L/2;
    flange_b.s = s + L/2;
  end PartialRigid;

  partial model PartialCompliant "Force by distance"
    extends Modelica.Mechanics.Translational.Interfaces.PartialTwoFlanges;
    SI.Position s_rel(start=0) "Distance from flange_a to flange_b";
    SI.Force f "Force between the flanges";
  equation
    s_rel = flange_b.s - flange_a.s;
    flange_a.f = -f;
    flange_b.f = f;
  end PartialCompliant;

  partial model PartialCompliantWithRelativeStates
    "Force by distance and relative velocity, both preferred as states"
    parameter StateSelect stateSelect=StateSelect.prefer "Wish for s_rel and v_rel as states"
      annotation(HideResult=true);
    parameter SI.Distance s_nominal=1e-4 "Nominal distance";
    SI.Position s_rel(start=0, stateSelect=stateSelect, nominal=s_nominal)
      "Distance from flange_a to flange_b";
    SI.Velocity v_rel(start=0, stateSelect=stateSelect) "Derivative of s_rel";
    SI.Force f "Force between the flanges";
    extends Modelica.Mechanics.Translational.Interfaces.PartialTwoFlanges;
  equation
    s_rel = flange_b.s - flange_a.s;
    v_rel = der(s_rel);
    flange_a.f = -f;
    flange_b.f = f;
  end PartialCompliantWithRelativeStates;

  partial model PartialElementaryOneFlangeAndSupport2 "One flange, for equation-based models"
    parameter Boolean useSupport=false "Offer a support flange"
      annotation(Evaluate=true, HideResult=true);
    SI.Length s "Position of the flange against the support";
    Flange_b flange;
    Support support(s=s_support, f=-flange.f) if useSupport;
  protected
    SI.Length s_support "Position of the support";
  equation
    s = flange.s - s_support;
    if not useSupport then
      s_support = 0;
    end if;
  end PartialElementaryOneFlangeAndSupport2;

  partial model PartialElementaryTwoFlangesAndSupport2 "Two flanges, for equation-based models"
    parameter Boolean useSupport=false "Offer a support flange"
      annotation(Evaluate=true, HideResult=true);
    extends Modelica.Mechanics.Translational.Interfaces.PartialTwoFlanges;
    Support support(s=s_support, f=-flange_a.f - flange_b.f) if useSupport;
    SI.Length s_a "Position of flange_a against the support";
    SI.Length s_b "Position of flange_b against the support";
  protected
    SI.Length s_support "Position of the support";
  equation
    s_a = flange_a.s - s_support;
    s_b = flange_b.s - s_support;
    if not useSupport then
      s_support = 0;
    end if;
  end PartialElementaryTwoFlangesAndSupport2;

  partial model PartialElementaryRotationalToTranslational
    "Rotation on one side, translation on the other"
    extends Modelica.Mechanics.Rotational.Interfaces.PartialElementaryRotationalToTranslational;
  end PartialElementaryRotationalToTranslational;

  partial model PartialForce "Source of force"
    extends PartialElementaryOneFlangeAndSupport2;
    SI.Force f "Force into the flange; negative drives it forwards";
  equation
    f = flange.f;
  end PartialForce;

  partial model PartialAbsoluteSensor "Sensor at one flange"
    extends Modelica.Icons.RectangularSensor;
    Interfaces.Flange_a flange;
  equation
    flange.f = 0;
  end PartialAbsoluteSensor;

  partial model PartialRelativeSensor "Sensor between two flanges"
    extends Modelica.Icons.RectangularSensor;
    extends Modelica.Mechanics.Translational.Interfaces.PartialTwoFlanges;
  equation
    flange_a.f + flange_b.f = 0;
  end PartialRelativeSensor;

  partial model PartialFriction "Dry friction as a state machine"
    parameter SI.Velocity v_small=1e-3
      "Velocity that counts as reversed sliding after an event (for velocities that jump)";
    SI.Velocity v_relfric "Relative velocity of the rubbing surfaces";
    SI.Acceleration a_relfric "Relative acceleration of the rubbing surfaces";
    SI.Force f0 "Friction force at the beginning of sliding";
    SI.Force f0_max "Largest friction force while stuck";
    Boolean free "The surfaces do not touch";
    Real sa(unit="1") "Curve parameter: force while stuck, shifted acceleration while sliding";
    Boolean startForward(start=false, fixed=true) "Sliding begins forwards";
    Boolean startBackward(start=false, fixed=true) "Sliding begins backwards";
    Boolean locked(start=false) "The surfaces stick";
    constant Integer Unknown=3 "Not known yet";
    constant Integer Free=2 "No contact";
    constant Integer Forward=1 "Sliding forwards";
    constant Integer Stuck=0 "Not sliding";
    constant Integer Backward=-1 "Sliding backwards";
    Integer mode(final min=Backward, final max=Unknown, start=Unknown, fixed=true)
      "State of the machine";
  protected
    constant SI.Acceleration unitAcceleration=1 annotation(HideResult=true);
    constant SI.Force unitForce=1 annotation(HideResult=true);
  equation
    // The same machine as for rotation; see there.
    startForward = initial() and v_relfric > 0
      or pre(mode) == Backward and v_relfric > v_small
      or pre(mode) == Stuck and (sa > f0_max/unitForce
        or pre(startForward) and sa > f0/unitForce);
    startBackward = initial() and v_relfric < 0
      or pre(mode) == Forward and v_relfric < -v_small
      or pre(mode) == Stuck and (sa < -f0_max/unitForce
        or pre(startBackward) and sa < -f0/unitForce);
    locked = not (free or startForward or startBackward
      or pre(mode) == Forward or pre(mode) == Backward);
    a_relfric/unitAcceleration =
      if locked then 0
      else if free then sa
      else if startForward then sa - f0_max/unitForce
      else if startBackward then sa + f0_max/unitForce
      else if pre(mode) == Forward then sa - f0_max/unitForce
      else if pre(mode) == Backward then sa + f0_max/unitForce
      else sa - sign(v_relfric)*f0_max/unitForce;
    mode =
      if free then Free
      else if (startForward or pre(mode) == Forward or pre(mode) == Free)
        and v_relfric > 0 then Forward
      else if (startBackward or pre(mode) == Backward or pre(mode) == Free)
        and v_relfric < 0 then Backward
      else Stuck;
  end PartialFriction;
end Interfaces;
