within Modelica.Math;
package Special "Special functions"
  extends Modelica.Icons.Package;

  function erf "Error function 2/sqrt(pi) * integral of exp(-t^2) from 0 to u"
    extends Modelica.Icons.Function;
    input Real u "Argument";
    output Real y "erf(u)";
  algorithm
    y := if abs(u) < 2 then Internal.series(u) else sign(u)*(1 - Internal.fraction(abs(u)));
  end erf;

  function erfc "Complementary error function 1 - erf(u), exact where that is tiny"
    extends Modelica.Icons.Function;
    input Real u "Argument";
    output Real y "erfc(u)";
  algorithm
    y := if u < -2 then 2 - Internal.fraction(-u) elseif u < 2 then 1 - Internal.series(u)
         else Internal.fraction(u);
  end erfc;

  function erfInv "Inverse of the error function"
    extends Modelica.Icons.Function;
    input Real u "Number between -1 and 1";
    output Real y "erf(y) = u";
  algorithm
    y := if u <= -1 then -Modelica.Constants.inf elseif u >= 1 then Modelica.Constants.inf
         elseif abs(u) <= 0.5 then Internal.inverse(u) else sign(u)*Internal.tail(1 - abs(u));
  end erfInv;

  function erfcInv "Inverse of the complementary error function"
    extends Modelica.Icons.Function;
    input Real u "Number between 0 and 2";
    output Real y "erfc(y) = u";
  algorithm
    y := if u <= 0 then Modelica.Constants.inf elseif u >= 2 then -Modelica.Constants.inf
         elseif u < 0.5 then Internal.tail(u) elseif u > 1.5 then -Internal.tail(2 - u)
         else Internal.inverse(1 - u);
  end erfcInv;

  function sinc "sin(u)/u"
    extends Modelica.Icons.Function;
    input Real u "Argument";
    output Real y "sinc(u)";
  algorithm
    // Below this the next term of the series is lost in rounding.
    y := if abs(u) < 1e-8 then 1 - u*u/6 else sin(u)/u;
  end sinc;

  package Internal "Parts of the functions above"
    extends Modelica.Icons.InternalPackage;

    function series "erf(u) by its series of positive terms, for small arguments"
      extends Modelica.Icons.Function;
      input Real u;
      output Real y;
    protected
      Real term;
      Integer n;
    algorithm
      // exp(u^2)*erf(u)*sqrt(pi)/2 = u + 2 u^3/3 + 4 u^5/(3*5) + ...
      term := u;
      y := u;
      n := 1;
      while abs(term) > 1e-18*abs(y) and n < 200 loop
        term := term*2*u*u/(2*n + 1);
        y := y + term;
        n := n + 1;
      end while;
      y := 2/sqrt(Modelica.Constants.pi)*exp(-u*u)*y;
    end series;

    function fraction "erfc(u) by its continued fraction, for arguments of 2 and more"
      extends Modelica.Icons.Function;
      input Real u;
      output Real y;
    protected
      Real below;
    algorithm
      // sqrt(pi)*exp(u^2)*erfc(u) = 1/(u + (1/2)/(u + (2/2)/(u + (3/2)/(u + ...)))), from its end.
      below := u;
      for k in 120:-1:1 loop
        below := u + 0.5*k/below;
      end for;
      y := exp(-u*u)/(sqrt(Modelica.Constants.pi)*below);
    end fraction;

    function inverse "Inverse of erf between -1/2 and 1/2"
      extends Modelica.Icons.Function;
      input Real u;
      output Real y;
    protected
      Real off;
      Real slope;
    algorithm
      y := 0.5*sqrt(Modelica.Constants.pi)*u*(1 + Modelica.Constants.pi/12*u*u);
      for k in 1:4 loop
        off := erf(y) - u;
        slope := 2/sqrt(Modelica.Constants.pi)*exp(-y*y);
        y := y - off/(slope + y*off); // Halley: the second derivative is -2*y*slope
      end for;
    end inverse;

    function tail "Inverse of erfc for numbers below 1/2"
      extends Modelica.Icons.Function;
      input Real u "Positive number";
      output Real y;
    protected
      Real off;
      Real slope;
      Real big;
    algorithm
      big := sqrt(-2*log(0.5*u));
      y := (big - (2.30753 + 0.27061*big)/(1 + big*(0.99229 + 0.04481*big)))/sqrt(2);
      for k in 1:4 loop
        off := erfc(y) - u;
        slope := -2/sqrt(Modelica.Constants.pi)*exp(-y*y);
        y := y - off/(slope + y*off);
      end for;
    end tail;
  end Internal;
end Special;
