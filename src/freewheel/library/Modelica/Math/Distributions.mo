within Modelica.Math;
package Distributions "Densities, cumulative distributions and their inverses (quantiles)"
  extends Modelica.Icons.Package;

  package Uniform "All numbers between two limits are alike"
    extends Modelica.Icons.Package;

    function density "Density"
      extends Interfaces.partialDensity;
      input Real u_min=0 "Lower limit";
      input Real u_max=1 "Upper limit";
    algorithm
      y := if u < u_min or u > u_max then 0 else 1/(u_max - u_min);
    end density;

    function cumulative "Share of the numbers up to u"
      extends Interfaces.partialCumulative;
      input Real u_min=0 "Lower limit";
      input Real u_max=1 "Upper limit";
    algorithm
      y := max(0, min(1, (u - u_min)/(u_max - u_min)));
    end cumulative;

    function quantile "Number below which the share u of all numbers lies"
      extends Interfaces.partialQuantile;
      input Real y_min=0 "Lower limit";
      input Real y_max=1 "Upper limit";
    algorithm
      y := y_min + u*(y_max - y_min);
    end quantile;
  end Uniform;

  package Normal "Bell curve"
    extends Modelica.Icons.Package;

    function density "Density"
      extends Interfaces.partialDensity;
      input Real mu=0 "Mean";
      input Real sigma=1 "Standard deviation";
    algorithm
      y := exp(-0.5*((u - mu)/sigma)^2)/(sigma*sqrt(2*Modelica.Constants.pi));
    end density;

    function cumulative "Share of the numbers up to u"
      extends Interfaces.partialCumulative;
      input Real mu=0 "Mean";
      input Real sigma=1 "Standard deviation";
    algorithm
      y := 0.5*Modelica.Math.Special.erfc((mu - u)/(sigma*sqrt(2)));
    end cumulative;

    function quantile "Number below which the share u of all numbers lies"
      extends Interfaces.partialQuantile;
      input Real mu=0 "Mean";
      input Real sigma=1 "Standard deviation";
    algorithm
      y := mu - sigma*sqrt(2)*Modelica.Math.Special.erfcInv(2*u);
    end quantile;
  end Normal;

  package TruncatedNormal "Bell curve of which only a middle part is left"
    extends Modelica.Icons.Package;

    function density "Density"
      extends Interfaces.partialTruncatedDensity;
      input Real mu=(u_max + u_min)/2 "Mean of the whole curve";
      input Real sigma=(u_max - u_min)/6 "Standard deviation of the whole curve";
    protected
      Real share;
    algorithm
      share := Normal.cumulative(u_max, mu, sigma) - Normal.cumulative(u_min, mu, sigma);
      y := if u < u_min or u > u_max then 0 else Normal.density(u, mu, sigma)/share;
    end density;

    function cumulative "Share of the numbers up to u"
      extends Interfaces.partialTruncatedCumulative;
      input Real mu=(u_max + u_min)/2 "Mean of the whole curve";
      input Real sigma=(u_max - u_min)/6 "Standard deviation of the whole curve";
    protected
      Real below;
      Real share;
    algorithm
      below := Normal.cumulative(u_min, mu, sigma);
      share := Normal.cumulative(u_max, mu, sigma) - below;
      y := if u <= u_min then 0 elseif u >= u_max then 1
           else (Normal.cumulative(u, mu, sigma) - below)/share;
    end cumulative;

    function quantile "Number below which the share u of all numbers lies"
      extends Interfaces.partialTruncatedQuantile;
      input Real mu=(y_max + y_min)/2 "Mean of the whole curve";
      input Real sigma=(y_max - y_min)/6 "Standard deviation of the whole curve";
    protected
      Real below;
      Real share;
    algorithm
      below := Normal.cumulative(y_min, mu, sigma);
      share := Normal.cumulative(y_max, mu, sigma) - below;
      y := max(y_min, min(y_max, Normal.quantile(below + u*share, mu, sigma)));
    end quantile;
  end TruncatedNormal;

  package Weibull "Times until something fails"
    extends Modelica.Icons.Package;

    function density "Density"
      extends Interfaces.partialDensity;
      input Real lambda(min=0) = 1 "Scale";
      input Real k(min=0) "Shape";
    algorithm
      y := if u < 0 then 0 else k/lambda*(u/lambda)^(k - 1)*exp(-(u/lambda)^k);
    end density;

    function cumulative "Share of the numbers up to u"
      extends Interfaces.partialCumulative;
      input Real lambda(min=0) = 1 "Scale";
      input Real k(min=0) "Shape";
    algorithm
      y := if u <= 0 then 0 else 1 - exp(-(u/lambda)^k);
    end cumulative;

    function quantile "Number below which the share u of all numbers lies"
      extends Interfaces.partialQuantile;
      input Real lambda(min=0) = 1 "Scale";
      input Real k(min=0) "Shape";
    algorithm
      y := lambda*(-log(1 - u))^(1/k);
    end quantile;
  end Weibull;

  package TruncatedWeibull "Weibull's curve of which only a part is left"
    extends Modelica.Icons.Package;

    function density "Density"
      extends Interfaces.partialTruncatedDensity;
      input Real lambda(min=0) = 1 "Scale";
      input Real k(min=0) "Shape";
    protected
      Real share;
    algorithm
      share := Weibull.cumulative(u_max, lambda, k) - Weibull.cumulative(u_min, lambda, k);
      y := if u < u_min or u > u_max then 0 else Weibull.density(u, lambda, k)/share;
    end density;

    function cumulative "Share of the numbers up to u"
      extends Interfaces.partialTruncatedCumulative;
      input Real lambda(min=0) = 1 "Scale";
      input Real k(min=0) "Shape";
    protected
      Real below;
      Real share;
    algorithm
      below := Weibull.cumulative(u_min, lambda, k);
      share := Weibull.cumulative(u_max, lambda, k) - below;
      y := if u <= u_min then 0 elseif u >= u_max then 1
           else (Weibull.cumulative(u, lambda, k) - below)/share;
    end cumulative;

    function quantile "Number below which the share u of all numbers lies"
      extends Interfaces.partialTruncatedQuantile;
      input Real lambda(min=0) = 1 "Scale";
      input Real k(min=0) "Shape";
    protected
      Real below;
      Real share;
    algorithm
      below := Weibull.cumulative(y_min, lambda, k);
      share := Weibull.cumulative(y_max, lambda, k) - below;
      y := max(y_min, min(y_max, Weibull.quantile(below + u*share, lambda, k)));
    end quantile;
  end TruncatedWeibull;

  package Interfaces "Arguments that distributions share"
    extends Modelica.Icons.InterfacesPackage;

    partial function partialDensity "Base of densities"
      extends Modelica.Icons.Function;
      input Real u "Any number";
      output Real y "Density at u";
    end partialDensity;

    partial function partialCumulative "Base of cumulative distributions"
      extends Modelica.Icons.Function;
      input Real u "Any number";
      output Real y "Share of the numbers up to u";
    end partialCumulative;

    partial function partialQuantile "Base of quantiles"
      extends Modelica.Icons.Function;
      input Real u(min=0, max=1) "Share";
      output Real y "Number";
    end partialQuantile;

    partial function partialTruncatedDensity "Base of densities between limits"
      extends partialDensity;
      input Real u_min=0 "Lower limit";
      input Real u_max=1 "Upper limit";
    end partialTruncatedDensity;

    partial function partialTruncatedCumulative "Base of cumulative distributions between limits"
      extends partialCumulative;
      input Real u_min=0 "Lower limit";
      input Real u_max=1 "Upper limit";
    end partialTruncatedCumulative;

    partial function partialTruncatedQuantile "Base of quantiles between limits"
      extends partialQuantile;
      input Real y_min=0 "Lower limit";
      input Real y_max=1 "Upper limit";
    end partialTruncatedQuantile;
  end Interfaces;
end Distributions;
