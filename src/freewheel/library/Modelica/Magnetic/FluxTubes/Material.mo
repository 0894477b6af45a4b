within Modelica.Magnetic.FluxTubes;
package Material "Properties of materials"
  extends Modelica.Icons.MaterialPropertiesPackage;

  package SoftMagnetic "Materials that are easily magnetised"
    extends Modelica.Icons.MaterialPropertiesPackage;

    record BaseData "Coefficients of the curve of the relative permeability"
      extends Modelica.Icons.Record;
      parameter String label="SoftMagnetic" "Name";
      parameter SI.RelativePermeability mu_i=1 "Relative permeability at B = 0";
      parameter SI.MagneticFluxDensity B_myMax=1 "Flux density at the largest permeability";
      parameter Real c_a=1 "Coefficient";
      parameter Real c_b=1 "Coefficient";
      parameter Real n=1 "Exponent";
    end BaseData;

    function mu_rApprox "Relative permeability by flux density"
      extends Modelica.Icons.Function;
      input SI.MagneticFluxDensity B "Flux density";
      input SI.RelativePermeability mu_i "Relative permeability at B = 0";
      input SI.MagneticFluxDensity B_myMax "Flux density at the largest permeability";
      input Real c_a "Coefficient";
      input Real c_b "Coefficient";
      input Real n "Exponent";
      output SI.RelativePermeability mu_r "Relative permeability";
    protected
      Real B_N=abs(B/B_myMax) "Relative flux density";
    algorithm
      // Roschke 2000, a rational curve that rises from mu_i and falls to 1.
      mu_r := 1 + (mu_i - 1 + c_a*B_N)/(1 + c_b*B_N + B_N^n);
      annotation(Inline=true);
    end mu_rApprox;
  end SoftMagnetic;
end Material;
