within Modelica.Math;
package Polynomials "Polynomials by their coefficients, the highest power first"
  extends Modelica.Icons.FunctionsPackage;

  function evaluate "Value"
    extends Modelica.Icons.Function;
    input Real p[:] "Coefficients, the highest power first";
    input Real u "Abscissa";
    output Real y=0 "Value";
  algorithm
    for k in 1:size(p, 1) loop
      y := y*u + p[k];
    end for;
    annotation(derivative(zeroDerivative=p)=evaluate_der);
  end evaluate;

  function evaluate_der "Derivative of the value"
    extends Modelica.Icons.Function;
    input Real p[:] "Coefficients, the highest power first";
    input Real u "Abscissa";
    input Real du "Its derivative";
    output Real dy "Derivative";
  algorithm
    dy := derivativeValue(p, u)*du;
  end evaluate_der;

  function evaluateWithRange "Value; outside a range straight lines go on"
    extends Modelica.Icons.Function;
    input Real p[:] "Coefficients, the highest power first";
    input Real uMin "Begin of the range";
    input Real uMax "End of the range";
    input Real u "Abscissa";
    output Real y "Value";
  protected
    Real inside=max(uMin, min(uMax, u)) "Nearest abscissa of the range";
  algorithm
    y := evaluate(p, inside);
    if u <> inside then
      y := y + derivativeValue(p, inside)*(u - inside);
    end if;
    annotation(derivative(zeroDerivative=p, zeroDerivative=uMin, zeroDerivative=uMax)=
      evaluateWithRange_der);
  end evaluateWithRange;

  function evaluateWithRange_der "Derivative of the value"
    extends Modelica.Icons.Function;
    input Real p[:] "Coefficients, the highest power first";
    input Real uMin "Begin of the range";
    input Real uMax "End of the range";
    input Real u "Abscissa";
    input Real du "Its derivative";
    output Real dy "Derivative";
  algorithm
    dy := derivativeValue(p, max(uMin, min(uMax, u)))*du;
  end evaluateWithRange_der;

  function derivative "Coefficients of the derivative"
    extends Modelica.Icons.Function;
    input Real p1[:] "Coefficients, the highest power first";
    output Real p2[size(p1, 1) - 1] "Coefficients of the derivative";
  algorithm
    for k in 1:size(p2, 1) loop
      p2[k] := p1[k]*(size(p1, 1) - k);
    end for;
  end derivative;

  function derivativeValue "Value of the derivative"
    extends Modelica.Icons.Function;
    input Real p[:] "Coefficients, the highest power first";
    input Real u "Abscissa";
    output Real y=0 "Value of the derivative";
  algorithm
    for k in 1:size(p, 1) - 1 loop
      y := y*u + p[k]*(size(p, 1) - k);
    end for;
    annotation(derivative(zeroDerivative=p)=derivativeValue_der);
  end derivativeValue;

  function derivativeValue_der "Derivative of the value of the derivative"
    extends Modelica.Icons.Function;
    input Real p[:] "Coefficients, the highest power first";
    input Real u "Abscissa";
    input Real du "Its derivative";
    output Real dy "Derivative";
  algorithm
    dy := secondDerivativeValue(p, u)*du;
  end derivativeValue_der;

  function secondDerivativeValue "Value of the second derivative"
    extends Modelica.Icons.Function;
    input Real p[:] "Coefficients, the highest power first";
    input Real u "Abscissa";
    output Real y=0 "Value of the second derivative";
  algorithm
    for k in 1:size(p, 1) - 2 loop
      y := y*u + p[k]*(size(p, 1) - k)*(size(p, 1) - k - 1);
    end for;
  end secondDerivativeValue;

  function integral "Coefficients of the integral that is zero at zero"
    extends Modelica.Icons.Function;
    input Real p1[:] "Coefficients, the highest power first";
    output Real p2[size(p1, 1) + 1] "Coefficients of the integral";
  algorithm
    for k in 1:size(p1, 1) loop
      p2[k] := p1[k]/(size(p1, 1) + 1 - k);
    end for;
    p2[size(p1, 1) + 1] := 0;
  end integral;

  function integralValue "Integral over an interval"
    extends Modelica.Icons.Function;
    input Real p[:] "Coefficients, the highest power first";
    input Real u_high "End of the interval";
    input Real u_low=0 "Begin of the interval";
    output Real integral "Value of the integral";
  protected
    Real sums[size(p, 1) + 1]=Polynomials.integral(p);
  algorithm
    integral := evaluate(sums, u_high) - evaluate(sums, u_low);
    annotation(derivative(zeroDerivative=p)=integralValue_der);
  end integralValue;

  function integralValue_der "Derivative of the integral over an interval"
    extends Modelica.Icons.Function;
    input Real p[:] "Coefficients, the highest power first";
    input Real u_high "End of the interval";
    input Real u_low=0 "Begin of the interval";
    input Real du_high "Derivative of the end";
    input Real du_low=0 "Derivative of the begin";
    output Real dintegral "Derivative";
  algorithm
    dintegral := evaluate(p, u_high)*du_high - evaluate(p, u_low)*du_low;
  end integralValue_der;

  function fitting "Coefficients of the polynomial that is nearest to points"
    extends Modelica.Icons.Function;
    input Real u[:] "Abscissae";
    input Real y[size(u, 1)] "Values";
    input Integer n(min=1) "Degree";
    output Real p[n + 1] "Coefficients, the highest power first";
  protected
    Real V[size(u, 1), n + 1] "Powers of the abscissae";
  algorithm
    V[:, n + 1] := ones(size(u, 1));
    for k in n:-1:1 loop
      V[:, k] := u.*V[:, k + 1];
    end for;
    p := Modelica.Math.Matrices.leastSquares(V, y);
  end fitting;

  function roots "Roots, as eigenvalues of the companion matrix"
    extends Modelica.Icons.Function;
    input Real p[:] "Coefficients, the highest power first and not zero";
    output Real roots[max(0, size(p, 1) - 1), 2] "Real and imaginary parts";
  protected
    Integer n=max(0, size(p, 1) - 1);
    Real A[max(0, size(p, 1) - 1), max(0, size(p, 1) - 1)];
  algorithm
    if n > 0 then
      assert(abs(p[1]) > 0, "the coefficient of the highest power is zero");
      A := zeros(n, n);
      A[1, :] := -p[2:n + 1]/p[1];
      for k in 2:n loop
        A[k, k - 1] := 1;
      end for;
      roots := Modelica.Math.Matrices.eigenValues(A);
    end if;
  end roots;
end Polynomials;
