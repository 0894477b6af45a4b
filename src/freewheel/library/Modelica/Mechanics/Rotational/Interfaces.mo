within Modelica.Mechanics.Rotational;
package Interfaces "Flanges and bases of rotational components"
  extends Modelica.Icons.InterfacesPackage;
  import Modelica.Units.SI;

  connector Flange "End of a shaft"
    SI.Angle phi "Absolute angle";
    flow SI.Torque tau "Torque acting on the component";
  end Flange;

  connector Flange_a "Left end of a shaft"
    extends Flange;
  end Flange_a;

  connector Flange_b "Right end of a shaft"
    extends Flange;
  end Flange_b;

  connector Support "Housing of a component"
    extends Flange;
  end Support;

  model InternalSupport "Adapter between a support and the torque a model puts on it"
    input SI.Torque tau "Torque into the flange; give it as a modifier";
    SI.Angle phi "Angle of the flange";
    Flange_a flange;
  equation
    flange.phi = phi;
    flange.tau = tau;
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
    Flange_a flange_a;
    Flange_b flange_b;
    Support support if useSupport;
  protected
    Support internalSupport "Connect the parts to this one";
    Components.Fixed fixed if not useSupport;
  equation
    connect(support, internalSupport);
    connect(fixed.flange, internalSupport);
  end PartialTwoFlangesAndSupport;

  partial model PartialCompliant "Torque by twist"
    SI.Angle phi_rel(start=0) "Angle of flange_b against flange_a";
    SI.Torque tau "Torque between the flanges";
    Flange_a flange_a;
    Flange_b flange_b;
  equation
    phi_rel = flange_b.phi - flange_a.phi;
    flange_a.tau = -tau;
    flange_b.tau = tau;
  end PartialCompliant;

  partial model PartialCompliantWithRelativeStates
    "Torque by twist and relative speed, both preferred as states"
    SI.Angle phi_rel(
      start=0,
      stateSelect=stateSelect,
      nominal=if phi_nominal >= Modelica.Constants.eps then phi_nominal else 1)
      "Angle of flange_b against flange_a";
    SI.AngularVelocity w_rel(start=0, stateSelect=stateSelect) "Derivative of phi_rel";
    SI.AngularAcceleration a_rel(start=0) "Derivative of w_rel";
    SI.Torque tau "Torque between the flanges";
    Flange_a flange_a;
    Flange_b flange_b;
    parameter SI.Angle phi_nominal(displayUnit="rad", min=0.0) = 1e-4 "Nominal twist";
    parameter StateSelect stateSelect=StateSelect.prefer "Wish for phi_rel and w_rel as states"
      annotation(HideResult=true);
  equation
    phi_rel = flange_b.phi - flange_a.phi;
    w_rel = der(phi_rel);
    a_rel = der(w_rel);
    flange_a.tau = -tau;
    flange_b.tau = tau;
  end PartialCompliantWithRelativeStates;

  partial model PartialElementaryOneFlangeAndSupport2 "One flange, for equation-based models"
    parameter Boolean useSupport=false "Offer a support flange"
      annotation(Evaluate=true, HideResult=true);
    Flange_b flange;
    Support support(phi=phi_support, tau=-flange.tau) if useSupport;
  protected
    SI.Angle phi_support "Angle of the support";
  equation
    if not useSupport then
      phi_support = 0;
    end if;
  end PartialElementaryOneFlangeAndSupport2;

  partial model PartialElementaryTwoFlangesAndSupport2 "Two flanges, for equation-based models"
    parameter Boolean useSupport=false "Offer a support flange"
      annotation(Evaluate=true, HideResult=true);
    Flange_a flange_a;
    Flange_b flange_b;
    Support support(phi=phi_support, tau=-flange_a.tau - flange_b.tau) if useSupport;
  protected
    SI.Angle phi_support "Angle of the support";
  equation
    if not useSupport then
      phi_support = 0;
    end if;
  end PartialElementaryTwoFlangesAndSupport2;

  partial model PartialElementaryRotationalToTranslational "Rotation on one side, translation on the other"
    parameter Boolean useSupportR=false "Offer a rotational support"
      annotation(Evaluate=true, HideResult=true);
    parameter Boolean useSupportT=false "Offer a translational support"
      annotation(Evaluate=true, HideResult=true);
    Modelica.Mechanics.Rotational.Interfaces.Flange_a flangeR;
    Modelica.Mechanics.Translational.Interfaces.Flange_b flangeT;
    Modelica.Mechanics.Rotational.Interfaces.Support supportR if useSupportR;
    Modelica.Mechanics.Translational.Interfaces.Support supportT if useSupportT;
  protected
    Modelica.Mechanics.Rotational.Interfaces.InternalSupport internalSupportR(tau=-flangeR.tau);
    Modelica.Mechanics.Translational.Interfaces.InternalSupport internalSupportT(f=-flangeT.f);
    Modelica.Mechanics.Rotational.Components.Fixed fixedR if not useSupportR;
    Modelica.Mechanics.Translational.Components.Fixed fixedT if not useSupportT;
  equation
    connect(internalSupportR.flange, supportR);
    connect(internalSupportR.flange, fixedR.flange);
    connect(internalSupportT.flange, supportT);
    connect(internalSupportT.flange, fixedT.flange);
  end PartialElementaryRotationalToTranslational;

  partial model PartialTorque "Source of torque"
    extends Modelica.Mechanics.Rotational.Interfaces.PartialElementaryOneFlangeAndSupport2;
    SI.Angle phi "Angle of the flange against the support";
  equation
    phi = flange.phi - phi_support;
  end PartialTorque;

  partial model PartialAbsoluteSensor "Sensor at one flange"
    extends Modelica.Icons.RoundSensor;
    Flange_a flange;
  equation
    flange.tau = 0;
  end PartialAbsoluteSensor;

  partial model PartialRelativeSensor "Sensor between two flanges"
    extends Modelica.Icons.RoundSensor;
    Flange_a flange_a;
    Flange_b flange_b;
  equation
    flange_a.tau + flange_b.tau = 0;
  end PartialRelativeSensor;

  partial model PartialFriction "Dry friction as a state machine"
    parameter SI.AngularVelocity w_small=1.0e10
      "Speed that counts as reversed sliding after an event (for speeds that jump)";
    SI.AngularVelocity w_relfric "Relative speed of the rubbing surfaces";
    SI.AngularAcceleration a_relfric "Relative acceleration of the rubbing surfaces";
    SI.Torque tau0 "Friction torque at the beginning of sliding";
    SI.Torque tau0_max "Largest friction torque while stuck";
    Boolean free "The surfaces do not touch";
    Real sa(final unit="1")
      "Curve parameter: torque while stuck, shifted acceleration while sliding";
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
    constant SI.AngularAcceleration unitAngularAcceleration=1 annotation(HideResult=true);
    constant SI.Torque unitTorque=1 annotation(HideResult=true);
  equation
    // Stiction is left when the torque exceeds its maximum; the start lasts while the torque
    // stays above the sliding value.
    startForward = initial() and w_relfric > 0
      or pre(mode) == Backward and w_relfric > w_small
      or pre(mode) == Stuck and (sa > tau0_max/unitTorque
        or pre(startForward) and sa > tau0/unitTorque);
    startBackward = initial() and w_relfric < 0
      or pre(mode) == Forward and w_relfric < -w_small
      or pre(mode) == Stuck and (sa < -tau0_max/unitTorque
        or pre(startBackward) and sa < -tau0/unitTorque);
    locked = not (free or startForward or startBackward
      or pre(mode) == Forward or pre(mode) == Backward);
    // The curve (acceleration, torque) has a vertical piece while stuck; shifting sa by the
    // maximum makes it one curve with sa as its parameter.
    a_relfric/unitAngularAcceleration =
      if locked then 0
      else if free then sa
      else if startForward then sa - tau0_max/unitTorque
      else if startBackward then sa + tau0_max/unitTorque
      else if pre(mode) == Forward then sa - tau0_max/unitTorque
      else if pre(mode) == Backward then sa + tau0_max/unitTorque
      else sa - sign(w_relfric)*tau0_max/unitTorque;
    mode =
      if free then Free
      else if (startForward or pre(mode) == Forward or pre(mode) == Free)
        and w_relfric > 0 then Forward
      else if (startBackward or pre(mode) == Backward or pre(mode) == Free)
        and w_relfric < 0 then Backward
      else Stuck;
  end PartialFriction;
end Interfaces;
