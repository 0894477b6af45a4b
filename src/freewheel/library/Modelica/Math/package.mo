within Modelica;
package Math "Mathematical functions"
  extends Modelica.Icons.Package;
  import Modelica.Units.SI;

  // The leading dot names the built-in function; without it the name would mean this package's.

  function sin "Sine"
    extends Modelica.Math.Icons.AxisLeft;
    input SI.Angle u "Angle";
    output Real y;
  algorithm
    y := .sin(u);
    annotation(Inline=true);
  end sin;

  function cos "Cosine"
    extends Modelica.Math.Icons.AxisLeft;
    input SI.Angle u "Angle";
    output Real y;
  algorithm
    y := .cos(u);
    annotation(Inline=true);
  end cos;

  function tan "Tangent"
    extends Modelica.Math.Icons.AxisCenter;
    input SI.Angle u "Angle";
    output Real y;
  algorithm
    y := .tan(u);
    annotation(Inline=true);
  end tan;

  function asin "Arc sine"
    extends Modelica.Math.Icons.AxisCenter;
    input Real u;
    output SI.Angle y "Angle";
  algorithm
    y := .asin(u);
    annotation(Inline=true);
  end asin;

  function acos "Arc cosine"
    extends Modelica.Math.Icons.AxisCenter;
    input Real u;
    output SI.Angle y "Angle";
  algorithm
    y := .acos(u);
    annotation(Inline=true);
  end acos;

  function atan "Arc tangent"
    extends Modelica.Math.Icons.AxisCenter;
    input Real u;
    output SI.Angle y "Angle";
  algorithm
    y := .atan(u);
    annotation(Inline=true);
  end atan;

  function atan2 "Angle of the point (u2, u1), from -pi to pi"
    extends Modelica.Math.Icons.AxisCenter;
    input Real u1;
    input Real u2;
    output SI.Angle y "Angle";
  algorithm
    y := .atan2(u1, u2);
    annotation(Inline=true);
  end atan2;

  function atan3 "Angle of the point (u2, u1), of all turns the one nearest to y0"
    extends Modelica.Math.Icons.AxisCenter;
    input Real u1;
    input Real u2;
    input SI.Angle y0=0 "Wanted neighbourhood";
    output SI.Angle y "Angle";
  protected
    constant Real turn=2*Modelica.Constants.pi;
  algorithm
    y := .atan2(u1, u2);
    if y0 <> 0 then
      y := y + turn*integer((Modelica.Constants.pi + y0 - y)/turn);
    end if;
  end atan3;

  function sinh "Hyperbolic sine"
    extends Modelica.Math.Icons.AxisCenter;
    input Real u;
    output Real y;
  algorithm
    y := .sinh(u);
    annotation(Inline=true);
  end sinh;

  function cosh "Hyperbolic cosine"
    extends Modelica.Math.Icons.AxisCenter;
    input Real u;
    output Real y;
  algorithm
    y := .cosh(u);
    annotation(Inline=true);
  end cosh;

  function tanh "Hyperbolic tangent"
    extends Modelica.Math.Icons.AxisCenter;
    input Real u;
    output Real y;
  algorithm
    y := .tanh(u);
    annotation(Inline=true);
  end tanh;

  function asinh "Inverse hyperbolic sine"
    extends Modelica.Math.Icons.AxisCenter;
    input Real u;
    output Real y;
  algorithm
    y := .log(u + sqrt(u*u + 1));
  end asinh;

  function acosh "Inverse hyperbolic cosine"
    extends Modelica.Math.Icons.AxisLeft;
    input Real u;
    output Real y;
  algorithm
    assert(u >= 1, "acosh needs an argument of at least 1");
    y := .log(u + sqrt(u*u - 1));
  end acosh;

  function exp "Exponential function"
    extends Modelica.Math.Icons.AxisCenter;
    input Real u;
    output Real y;
  algorithm
    y := .exp(u);
    annotation(Inline=true);
  end exp;

  function log "Natural logarithm"
    extends Modelica.Math.Icons.AxisLeft;
    input Real u;
    output Real y;
  algorithm
    y := .log(u);
    annotation(Inline=true);
  end log;

  function log10 "Decimal logarithm"
    extends Modelica.Math.Icons.AxisLeft;
    input Real u;
    output Real y;
  algorithm
    y := .log10(u);
    annotation(Inline=true);
  end log10;

  function isEqual "Two numbers agree within eps"
    extends Modelica.Icons.Function;
    input Real s1 "First number";
    input Real s2 "Second number";
    input Real eps(min=0) = 0 "Allowed difference";
    output Boolean result "They agree";
  algorithm
    result := abs(s1 - s2) <= eps;
    annotation(Inline=true);
  end isEqual;

  function isPowerOf2 "An Integer is a power of two"
    extends Modelica.Icons.Function;
    input Integer i(min=1) "Number";
    output Boolean result "It is a power of two";
  protected
    Integer rest=i;
  algorithm
    assert(i >= 1, "isPowerOf2 needs a positive number");
    while mod(rest, 2) == 0 loop
      rest := div(rest, 2);
    end while;
    result := rest == 1;
  end isPowerOf2;

  function wrapAngle "The same direction within one turn"
    extends Modelica.Math.Icons.AxisCenter;
    input SI.Angle u "Angle";
    input Boolean positiveRange=false "From 0 to 2*pi instead of -pi to pi";
    output SI.Angle y "Angle within one turn";
  algorithm
    y := mod(u, 2*Modelica.Constants.pi);
    if not positiveRange and y > Modelica.Constants.pi then
      y := y - 2*Modelica.Constants.pi;
    end if;
  end wrapAngle;

  package Icons "Bases without content"
    extends Modelica.Icons.IconsPackage;

    partial function AxisLeft "Base of functions of positive arguments"
    end AxisLeft;

    partial function AxisCenter "Base of functions of any argument"
    end AxisCenter;
  end Icons;
end Math;
