within Modelica.Magnetic.FluxTubes;
package BaseClasses "Base classes of flux tubes"
  extends Modelica.Icons.BasesPackage;

  partial model FixedShape "Flux tube whose shape does not change"
    extends Interfaces.TwoPort;
    parameter Boolean nonLinearPermeability=true "The permeability depends on the flux density"
      annotation(Evaluate=true);
    parameter SI.RelativePermeability mu_rConst=1 "Relative permeability, if constant";
    parameter Material.SoftMagnetic.BaseData material=Material.SoftMagnetic.BaseData() "Material";
    SI.Reluctance R_m=1/G_m "Reluctance";
    SI.Permeance G_m "Permeance";
    SI.MagneticFluxDensity B=Phi/A "Flux density";
    SI.CrossSection A "Cross section";
    SI.MagneticFieldStrength H=B/(mu_0*mu_r) "Field strength";
    SI.RelativePermeability mu_r "Relative permeability";
  equation
    mu_r = if nonLinearPermeability then Material.SoftMagnetic.mu_rApprox(
      B, material.mu_i, material.B_myMax, material.c_a, material.c_b, material.n) else mu_rConst;
    V_m = R_m*Phi;
  end FixedShape;

  partial model Force "Flux tube whose shape changes by a motion, in air or constant material"
    extends Interfaces.TwoPort;
    parameter Boolean useSupport=false "Offer a support flange" annotation(Evaluate=true);
    parameter SI.RelativePermeability mu_r(start=1) "Relative permeability";
    SI.Force F_m=0.5*V_m^2*dGmBydx "Reluctance force";
    SI.Length s=flange.s - s_support "Position against the support";
    SI.Reluctance R_m=1/G_m "Reluctance";
    SI.Permeance G_m "Permeance";
    SI.Permeability dGmBydx "Derivative of the permeance by the position of the armature";
    parameter Integer dlBydx=1 "1 if the length grows with the position, else -1";
    Modelica.Mechanics.Translational.Interfaces.Flange_b flange "Armature";
    Modelica.Mechanics.Translational.Interfaces.Support support(s=s_support, f=-flange.f)
      if useSupport "Housing";
  protected
    SI.Length s_support "Position of the support";
  equation
    if not useSupport then
      s_support = 0;
    end if;
    V_m = R_m*Phi;
    flange.f = -F_m;
  end Force;

  partial model Leakage "Flux tube in air without force"
    extends Interfaces.TwoPort;
    SI.Reluctance R_m "Reluctance";
    SI.Permeance G_m=1/R_m "Permeance";
  equation
    V_m = R_m*Phi;
  end Leakage;
end BaseClasses;
