within Modelica.Blocks;
package Nonlinear "Limits, dead zones and delays"
  extends Modelica.Icons.Package;
  import Modelica.Blocks.Interfaces;
  import Modelica.Units.SI;

  block Limiter "Keeps the signal between two numbers"
    parameter Real uMax(start=1) "Upper limit";
    parameter Real uMin=-uMax "Lower limit";
    parameter Boolean strict=false "Limit without events" annotation(Evaluate=true);
    parameter Types.LimiterHomotopy homotopyType=Modelica.Blocks.Types.LimiterHomotopy.Linear
      "Simplified limiter at initialisation" annotation(Evaluate=true);
    extends Interfaces.SISO;
  protected
    Real simplifiedExpr "Output of the simplified limiter";
  equation
    assert(uMax >= uMin, "uMax must not be below uMin");
    simplifiedExpr = if homotopyType == Types.LimiterHomotopy.Linear then u
      else if homotopyType == Types.LimiterHomotopy.UpperLimit then uMax
      else if homotopyType == Types.LimiterHomotopy.LowerLimit then uMin
      else 0;
    if strict then
      if homotopyType == Types.LimiterHomotopy.NoHomotopy then
        y = smooth(0, noEvent(if u > uMax then uMax else if u < uMin then uMin else u));
      else
        y = homotopy(
          actual=smooth(0, noEvent(if u > uMax then uMax else if u < uMin then uMin else u)),
          simplified=simplifiedExpr);
      end if;
    elseif homotopyType == Types.LimiterHomotopy.NoHomotopy then
      y = smooth(0, if u > uMax then uMax else if u < uMin then uMin else u);
    else
      y = homotopy(
        actual=smooth(0, if u > uMax then uMax else if u < uMin then uMin else u),
        simplified=simplifiedExpr);
    end if;
  end Limiter;

  block VariableLimiter "Keeps the signal between two signals"
    extends Interfaces.SISO;
    parameter Boolean strict=false "Limit without events" annotation(Evaluate=true);
    parameter Types.VariableLimiterHomotopy homotopyType=
      Modelica.Blocks.Types.VariableLimiterHomotopy.Linear "Simplified limiter at initialisation"
      annotation(Evaluate=true);
    parameter Real ySimplified=0 "Output of a fixed simplified limiter";
    Interfaces.RealInput limit1 "Upper limit";
    Interfaces.RealInput limit2 "Lower limit";
  protected
    Real simplifiedExpr "Output of the simplified limiter";
  equation
    assert(limit1 >= limit2, "limit1 must not be below limit2");
    simplifiedExpr = if homotopyType == Types.VariableLimiterHomotopy.Linear then u
      else if homotopyType == Types.VariableLimiterHomotopy.Fixed then ySimplified
      else 0;
    if strict then
      if homotopyType == Types.VariableLimiterHomotopy.NoHomotopy then
        y = smooth(0, noEvent(if u > limit1 then limit1 else if u < limit2 then limit2 else u));
      else
        y = homotopy(
          actual=smooth(0, noEvent(if u > limit1 then limit1 else if u < limit2 then limit2 else u)),
          simplified=simplifiedExpr);
      end if;
    elseif homotopyType == Types.VariableLimiterHomotopy.NoHomotopy then
      y = smooth(0, if u > limit1 then limit1 else if u < limit2 then limit2 else u);
    else
      y = homotopy(
        actual=smooth(0, if u > limit1 then limit1 else if u < limit2 then limit2 else u),
        simplified=simplifiedExpr);
    end if;
  end VariableLimiter;

  block SlewRateLimiter "Limits how fast the signal changes"
    extends Modelica.Blocks.Interfaces.SISO;
    import Modelica.Constants.small;
    parameter Real Rising(min=small) = 1 "Largest slope";
    parameter Real Falling(max=-small) = -Rising "Smallest slope";
    parameter SI.Time Td(min=small) = 0.001 "Time constant within the limits";
    parameter Modelica.Blocks.Types.Init initType=Modelica.Blocks.Types.Init.SteadyState
      "How the block starts" annotation(Evaluate=true);
    parameter Real y_start=0 "First output";
    parameter Boolean strict=false "Limit without events" annotation(Evaluate=true);
  protected
    Real val=(u - y)/Td "Slope without limits";
  initial equation
    if initType == Modelica.Blocks.Types.Init.SteadyState then
      y = u;
    elseif initType == Modelica.Blocks.Types.Init.InitialState
        or initType == Modelica.Blocks.Types.Init.InitialOutput then
      y = y_start;
    end if;
  equation
    if strict then
      der(y) = smooth(1,
        noEvent(if val < Falling then Falling else if val > Rising then Rising else val));
    else
      der(y) = if val < Falling then Falling else if val > Rising then Rising else val;
    end if;
  end SlewRateLimiter;

  block DeadZone "Zero between two numbers, shifted outside"
    parameter Real uMax(start=1) "Upper end of the zone";
    parameter Real uMin=-uMax "Lower end of the zone";
    extends Interfaces.SISO;
  equation
    assert(uMax >= uMin, "uMax must not be below uMin");
    y = homotopy(
      actual=smooth(0, if u > uMax then u - uMax else if u < uMin then u - uMin else 0),
      simplified=u);
  end DeadZone;

  block FixedDelay "The input some time ago"
    extends Modelica.Blocks.Interfaces.SISO;
    parameter SI.Time delayTime(start=1) "Delay";
  equation
    y = delay(u, delayTime);
  end FixedDelay;

  block VariableDelay "The input some time ago, the delay by signal"
    extends Modelica.Blocks.Interfaces.SISO;
    parameter SI.Duration delayMax(min=0, start=1) "Largest delay";
    Modelica.Blocks.Interfaces.RealInput delayTime "Delay";
  equation
    y = delay(u, delayTime, delayMax);
  end VariableDelay;

  block PadeDelay "Delay approximated by a rational transfer function (Pade)"
    extends Modelica.Blocks.Interfaces.SISO;
    parameter SI.Time delayTime(start=1) "Delay";
    parameter Integer n(min=1) = 1 "Order of the denominator";
    parameter Integer m(min=1, max=n) = n "Order of the numerator";
    parameter Boolean balance=false "Must be false";
    final output Real x[n] "State in controller canonical form";
  protected
    parameter Real p[n + 1]=polynomial(n, m, delayTime) "Denominator, lowest power first";
    parameter Real q[m + 1]=polynomial(m, n, -delayTime) "Numerator, lowest power first";
    parameter Real qq[n + 1]=cat(1, q, zeros(n - m)) "Numerator padded to size n + 1";
    parameter Real d=qq[n + 1]/p[n + 1] "Direct feed-through";

    function polynomial "Coefficients of a Pade polynomial for exp(s*T)"
      extends Modelica.Icons.Function;
      input Integer n "Own order";
      input Integer m "Order of the other polynomial";
      input Real T;
      output Real c[n + 1] "Lowest power first";
    algorithm
      c[1] := 1;
      for k in 1:n loop
        c[k + 1] := c[k]*T*(n - k + 1)/((n + m - k + 1)*k);
      end for;
    end polynomial;
  initial equation
    x[n] = u;
    for k in 1:n - 1 loop
      x[k] = 0;
    end for;
  equation
    assert(not balance, "balance = true is not offered");
    // x[n] has the size of u at rest; x[k] is its derivative of order n - k.
    der(x[1]) = (u - sum(p[n - k + 1]*x[k] for k in 1:n))/p[n + 1];
    for k in 2:n loop
      der(x[k]) = x[k - 1];
    end for;
    y = sum((qq[n - k + 1] - d*p[n - k + 1])*x[k] for k in 1:n) + d*u;
  end PadeDelay;
end Nonlinear;
