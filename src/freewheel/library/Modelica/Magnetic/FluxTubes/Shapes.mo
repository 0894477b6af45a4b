within Modelica.Magnetic.FluxTubes;
package Shapes "Flux tubes by their shape"
  extends Modelica.Icons.Package;

  package FixedShape "Shapes that do not change"
    extends Modelica.Icons.VariantsPackage;

    model GenericFluxTube "Length and cross section"
      extends BaseClasses.FixedShape;
      parameter SI.Length l=0.01 "Length along the flux";
      parameter SI.CrossSection area=0.0001 "Cross section";
    equation
      A = area;
      G_m = mu_0*mu_r*A/l;
    end GenericFluxTube;

    model Cuboid "Cuboid, flux along one edge"
      extends BaseClasses.FixedShape;
      parameter SI.Length l=0.01 "Length along the flux";
      parameter SI.Length a=0.01 "Width";
      parameter SI.Length b=0.01 "Height";
    equation
      A = a*b;
      G_m = mu_0*mu_r*A/l;
    end Cuboid;

    model HollowCylinderAxialFlux "Hollow or full cylinder, flux along the axis"
      extends BaseClasses.FixedShape;
      parameter SI.Length l=0.01 "Length along the axis";
      parameter SI.Radius r_i=0 "Inner radius";
      parameter SI.Radius r_o=0.01 "Outer radius";
      parameter SI.Angle alpha=2*pi "Angle of the sector";
    equation
      A = alpha/2*(r_o^2 - r_i^2);
      G_m = mu_0*mu_r*A/l;
    end HollowCylinderAxialFlux;

    model HollowCylinderRadialFlux "Hollow cylinder, flux from the axis outwards"
      extends BaseClasses.FixedShape;
      parameter SI.Length l=0.01 "Length along the axis";
      parameter SI.Radius r_i=0.01 "Inner radius";
      parameter SI.Radius r_o=0.02 "Outer radius";
      parameter SI.Angle alpha=2*pi "Angle of the sector";
    equation
      A = alpha*l*(r_i + r_o)/2;
      G_m = mu_0*mu_r*alpha*l/log(r_o/r_i);
    end HollowCylinderRadialFlux;

    model HollowCylinderCircumferentialFlux "Hollow cylinder, flux around the axis"
      extends BaseClasses.FixedShape;
      parameter SI.Length l=0.02 "Length along the axis";
      parameter SI.Radius r_i=0.01 "Inner radius";
      parameter SI.Radius r_o=0.02 "Outer radius";
      parameter SI.Angle alpha=pi/2 "Angle of the sector";
    equation
      A = l*(r_o - r_i);
      G_m = mu_0*mu_r*A/(alpha*(r_i + r_o)/2);
    end HollowCylinderCircumferentialFlux;

    model Toroid "Ring of round section, flux around the axis"
      extends BaseClasses.FixedShape;
      parameter SI.Radius r=0.1 "Radius of the ring";
      parameter SI.Radius d=0.01 "Diameter of the section";
      parameter SI.Angle alpha=pi/2 "Angle of the sector";
    equation
      A = pi/4*d^2;
      G_m = mu_0*mu_r*A/(r*alpha);
    end Toroid;
  end FixedShape;

  package Force "Shapes that a motion changes"
    extends Modelica.Icons.VariantsPackage;

    model HollowCylinderAxialFlux "Hollow or full cylinder, flux and motion along the axis"
      extends BaseClasses.Force;
      SI.Length l=s "Length that the motion changes";
      parameter SI.Radius r_i=0 "Inner radius";
      parameter SI.Radius r_o=0.01 "Outer radius";
      SI.MagneticFluxDensity B=Phi/A "Flux density";
    protected
      parameter SI.Area A=pi*(r_o^2 - r_i^2) "Cross section";
    equation
      G_m = mu_0*mu_r*A/l;
      dGmBydx = -dlBydx*mu_0*mu_r*A/l^2;
    end HollowCylinderAxialFlux;

    model HollowCylinderRadialFlux "Hollow cylinder, flux outwards, motion along the axis"
      extends BaseClasses.Force;
      SI.Length l=s "Length that the motion changes";
      parameter SI.Radius r_i=0.01 "Inner radius";
      parameter SI.Radius r_o=0.015 "Outer radius";
      SI.MagneticFluxDensity B_avg=Phi/A_avg "Flux density";
    protected
      SI.Area A_avg "Cross section";
    equation
      A_avg = pi*(r_i + r_o)*l;
      G_m = mu_0*mu_r*2*pi*l/log(r_o/r_i);
      dGmBydx = dlBydx*mu_0*mu_r*2*pi/log(r_o/r_i);
    end HollowCylinderRadialFlux;

    model CuboidParallelFlux "Cuboid, motion along the flux"
      extends BaseClasses.Force;
      SI.Length l=s "Length that the motion changes";
      parameter SI.Length a=0.01 "Width";
      parameter SI.Length b=0.01 "Height";
      SI.MagneticFluxDensity B=Phi/A "Flux density";
    protected
      parameter SI.Area A=a*b "Cross section";
    equation
      G_m = mu_0*mu_r*A/l;
      dGmBydx = -dlBydx*mu_0*mu_r*A/l^2;
    end CuboidParallelFlux;

    model CuboidOrthogonalFlux "Cuboid, motion across the flux"
      extends BaseClasses.Force;
      SI.Length l=s "Length that the motion changes";
      parameter SI.Length a=0.01 "Width";
      parameter SI.Length b=0.01 "Length along the flux";
      SI.MagneticFluxDensity B=Phi/A "Flux density";
    protected
      SI.Area A "Cross section";
    equation
      A = a*l;
      G_m = mu_0*mu_r*A/b;
      dGmBydx = dlBydx*mu_0*mu_r*a/b;
    end CuboidOrthogonalFlux;
  end Force;
end Shapes;
