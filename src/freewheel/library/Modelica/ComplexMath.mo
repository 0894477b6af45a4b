within Modelica;
package ComplexMath "Functions of complex numbers"
  extends Modelica.Icons.Package;
  final constant Complex j=Complex(0, 1) "Imaginary unit";

  // A leading dot names the built-in function of real numbers.

  function real "Real part"
    extends Modelica.Icons.Function;
    input Complex c;
    output Real r;
  algorithm
    r := c.re;
    annotation(Inline=true);
  end real;

  function imag "Imaginary part"
    extends Modelica.Icons.Function;
    input Complex c;
    output Real r;
  algorithm
    r := c.im;
    annotation(Inline=true);
  end imag;

  function conj "Complex conjugate"
    extends Modelica.Icons.Function;
    input Complex c1;
    output Complex c2;
  algorithm
    c2 := Complex(c1.re, -c1.im);
    annotation(Inline=true);
  end conj;

  function abs "Modulus"
    extends Modelica.Icons.Function;
    input Complex c;
    output Real result;
  algorithm
    result := .sqrt(c.re^2 + c.im^2);
    annotation(Inline=true);
  end abs;

  function arg "Angle, of all turns the one nearest to phi0"
    extends Modelica.Icons.Function;
    input Complex c;
    input Modelica.Units.SI.Angle phi0=0;
    output Modelica.Units.SI.Angle phi;
  algorithm
    phi := Modelica.Math.atan3(c.im, c.re, phi0);
    annotation(Inline=true);
  end arg;

  function fromPolar "Number of a modulus and an angle"
    extends Modelica.Icons.Function;
    input Real len;
    input Modelica.Units.SI.Angle phi;
    output Complex c;
  algorithm
    c := Complex(len*.cos(phi), len*.sin(phi));
    annotation(Inline=true);
  end fromPolar;

  function exp "Exponential function"
    extends Modelica.Icons.Function;
    input Complex c1;
    output Complex c2;
  algorithm
    c2 := fromPolar(.exp(c1.re), c1.im);
    annotation(Inline=true);
  end exp;

  function log "Natural logarithm, principal value"
    extends Modelica.Icons.Function;
    input Complex c1;
    output Complex c2;
  algorithm
    c2 := Complex(.log(abs(c1)), arg(c1));
    annotation(Inline=true);
  end log;

  function sqrt "Square root, principal value"
    extends Modelica.Icons.Function;
    input Complex c1;
    output Complex c2;
  algorithm
    c2 := fromPolar(.sqrt(abs(c1)), arg(c1)/2);
    annotation(Inline=true);
  end sqrt;

  function sin "Sine"
    extends Modelica.Icons.Function;
    input Complex c1;
    output Complex c2;
  algorithm
    c2 := Complex(.sin(c1.re)*.cosh(c1.im), .cos(c1.re)*.sinh(c1.im));
    annotation(Inline=true);
  end sin;

  function cos "Cosine"
    extends Modelica.Icons.Function;
    input Complex c1;
    output Complex c2;
  algorithm
    c2 := Complex(.cos(c1.re)*.cosh(c1.im), -.sin(c1.re)*.sinh(c1.im));
    annotation(Inline=true);
  end cos;

  function tan "Tangent"
    extends Modelica.Icons.Function;
    input Complex c1;
    output Complex c2;
  algorithm
    c2 := sin(c1)/cos(c1);
    annotation(Inline=true);
  end tan;

  function sinh "Hyperbolic sine"
    extends Modelica.Icons.Function;
    input Complex c1;
    output Complex c2;
  algorithm
    c2 := Complex(.sinh(c1.re)*.cos(c1.im), .cosh(c1.re)*.sin(c1.im));
    annotation(Inline=true);
  end sinh;

  function cosh "Hyperbolic cosine"
    extends Modelica.Icons.Function;
    input Complex c1;
    output Complex c2;
  algorithm
    c2 := Complex(.cosh(c1.re)*.cos(c1.im), .sinh(c1.re)*.sin(c1.im));
    annotation(Inline=true);
  end cosh;

  function tanh "Hyperbolic tangent"
    extends Modelica.Icons.Function;
    input Complex c1;
    output Complex c2;
  algorithm
    c2 := sinh(c1)/cosh(c1);
    annotation(Inline=true);
  end tanh;

  function asin "Arc sine"
    extends Modelica.Icons.Function;
    input Complex c1;
    output Complex c2;
  algorithm
    c2 := -j*log(j*c1 + sqrt(1 - c1*c1));
    annotation(Inline=true);
  end asin;

  function acos "Arc cosine"
    extends Modelica.Icons.Function;
    input Complex c1;
    output Complex c2;
  algorithm
    c2 := -j*log(c1 + j*sqrt(1 - c1*c1));
    annotation(Inline=true);
  end acos;

  function atan "Arc tangent"
    extends Modelica.Icons.Function;
    input Complex c1;
    output Complex c2;
  algorithm
    c2 := 0.5*j*log((j + c1)/(j - c1));
    annotation(Inline=true);
  end atan;

  function sum "Sum of a vector"
    extends Modelica.Icons.Function;
    input Complex v[:];
    output Complex result;
  algorithm
    result := Complex(.sum(v[:].re), .sum(v[:].im));
    annotation(Inline=true);
  end sum;

  function product "Product of a vector"
    extends Modelica.Icons.Function;
    input Complex v[:];
    output Complex result;
  algorithm
    result := Complex(1);
    for k in 1:size(v, 1) loop
      result := result*v[k];
    end for;
  end product;
end ComplexMath;
