within Modelica.Blocks;
package Math "Mathematical functions as blocks"
  extends Modelica.Icons.Package;
  import Modelica.Blocks.Interfaces;
  import Modelica.Units.SI;

  block Gain "Times a constant"
    parameter Real k(start=1) "Factor";
    Interfaces.RealInput u "Input";
    Interfaces.RealOutput y "Output";
  equation
    y = k*u;
  end Gain;

  block MatrixGain "Times a constant matrix"
    parameter Real K[:, :]=[1, 0; 0, 1] "Matrix of factors";
    extends Interfaces.MIMO(final nin=size(K, 2), final nout=size(K, 1));
  equation
    y = K*u;
  end MatrixGain;

  block MultiSum "Weighted sum of the connected inputs"
    extends Modelica.Blocks.Interfaces.PartialRealMISO;
    parameter Real k[nu]=fill(1, nu) "Weights";
  equation
    if size(u, 1) > 0 then
      y = k*u;
    else
      y = 0;
    end if;
  end MultiSum;

  block MultiProduct "Product of the connected inputs"
    extends Modelica.Blocks.Interfaces.PartialRealMISO;
  equation
    if size(u, 1) > 0 then
      y = product(u);
    else
      y = 0;
    end if;
  end MultiProduct;

  block MultiSwitch "Value of the expression whose switch is the first to be true"
    input Real expr[nu]=fill(0.0, nu) "Expressions; give them as a modifier";
    parameter Real y_default=0.0 "Output if no switch is true";
    parameter Integer nu(min=0) = 0 "Number of switches" annotation(HideResult=true);
    parameter Integer precision(min=0) = 3 "Digits shown by a diagram";
    Modelica.Blocks.Interfaces.BooleanVectorInput u[nu] "Switches";
    Modelica.Blocks.Interfaces.RealOutput y "Output";
  protected
    Integer firstActiveIndex "Index of the first true switch, 0 if none";
  initial equation
    pre(u) = fill(false, nu);
  equation
    firstActiveIndex = Modelica.Math.BooleanVectors.firstTrueIndex(u);
    y = if firstActiveIndex == 0 then y_default else expr[firstActiveIndex];
  end MultiSwitch;

  block Sum "Weighted sum"
    extends Interfaces.MISO;
    parameter Real k[nin]=ones(nin) "Weights";
  equation
    y = k*u;
  end Sum;

  block Feedback "Command minus feedback"
    Interfaces.RealInput u1 "Command";
    Interfaces.RealInput u2 "Feedback";
    Interfaces.RealOutput y "Difference";
  equation
    y = u1 - u2;
  end Feedback;

  block Add "Weighted sum of two"
    extends Interfaces.SI2SO;
    parameter Real k1=+1 "Weight of u1";
    parameter Real k2=+1 "Weight of u2";
  equation
    y = k1*u1 + k2*u2;
  end Add;

  block Add3 "Weighted sum of three"
    extends Modelica.Blocks.Icons.Block;
    parameter Real k1=+1 "Weight of u1";
    parameter Real k2=+1 "Weight of u2";
    parameter Real k3=+1 "Weight of u3";
    Interfaces.RealInput u1 "Input 1";
    Interfaces.RealInput u2 "Input 2";
    Interfaces.RealInput u3 "Input 3";
    Interfaces.RealOutput y "Output";
  equation
    y = k1*u1 + k2*u2 + k3*u3;
  end Add3;

  block Product "Product of two"
    extends Interfaces.SI2SO;
  equation
    y = u1*u2;
  end Product;

  block Division "First over second"
    extends Interfaces.SI2SO;
  equation
    y = u1/u2;
  end Division;

  block Abs "Absolute value"
    extends Interfaces.SISO;
    parameter Boolean generateEvent=false "Trigger an event where the sign changes"
      annotation(Evaluate=true);
  equation
    y = if generateEvent then (if u >= 0 then u else -u)
      else (if noEvent(u >= 0) then u else -u);
  end Abs;

  block Sign "Sign"
    extends Interfaces.SISO;
    parameter Boolean generateEvent=false "Trigger an event where the sign changes"
      annotation(Evaluate=true);
  equation
    y = if generateEvent then (if u > 0 then 1 elseif u < 0 then -1 else 0)
      else (if noEvent(u > 0) then 1 elseif noEvent(u < 0) then -1 else 0);
  end Sign;

  block Sqrt "Square root"
    extends Interfaces.SISO;
  equation
    y = sqrt(u);
  end Sqrt;

  block Sin "Sine"
    extends Interfaces.SISO(u(unit="rad"));
  equation
    y = sin(u);
  end Sin;

  block Cos "Cosine"
    extends Interfaces.SISO(u(unit="rad"));
  equation
    y = cos(u);
  end Cos;

  block Tan "Tangent"
    extends Interfaces.SISO(u(unit="rad"));
  equation
    y = tan(u);
  end Tan;

  block Asin "Arc sine"
    extends Interfaces.SISO(y(unit="rad"));
  equation
    y = asin(u);
  end Asin;

  block Acos "Arc cosine"
    extends Interfaces.SISO(y(unit="rad"));
  equation
    y = acos(u);
  end Acos;

  block Atan "Arc tangent"
    extends Interfaces.SISO(y(unit="rad"));
  equation
    y = atan(u);
  end Atan;

  block Atan2 "Angle of the point (u2, u1)"
    extends Interfaces.SI2SO(y(unit="rad"));
  equation
    y = atan2(u1, u2);
  end Atan2;

  block Sinh "Hyperbolic sine"
    extends Interfaces.SISO;
  equation
    y = sinh(u);
  end Sinh;

  block Cosh "Hyperbolic cosine"
    extends Interfaces.SISO;
  equation
    y = cosh(u);
  end Cosh;

  block Tanh "Hyperbolic tangent"
    extends Interfaces.SISO;
  equation
    y = tanh(u);
  end Tanh;

  block Exp "Exponential function"
    extends Interfaces.SISO;
  equation
    y = exp(u);
  end Exp;

  block Power "Power of a constant base"
    extends Interfaces.SISO;
    parameter Real base=Modelica.Constants.e "Base" annotation(Evaluate=true);
    parameter Boolean useExp=true "Compute by exp and log" annotation(Evaluate=true);
  equation
    y = if useExp then exp(u*log(base)) else base^u;
  end Power;

  block Exponentiation "Power with a constant exponent"
    extends Interfaces.SISO;
    parameter Real exponent=2 "Exponent" annotation(Evaluate=true);
  equation
    y = u^exponent;
  end Exponentiation;

  block Log "Logarithm"
    extends Interfaces.SISO;
    parameter Real base=Modelica.Constants.e "Base" annotation(Evaluate=true);
  equation
    y = log(u)/log(base);
  end Log;

  block Log10 "Decimal logarithm"
    extends Interfaces.SISO;
  equation
    y = log10(u);
  end Log10;

  block WrapAngle "Angle within one turn"
    extends Interfaces.SISO(u(unit="rad"), y(unit="rad"));
    parameter Boolean positiveRange=false "Range 0 to 2*pi instead of -pi to pi";
  equation
    y = Modelica.Math.wrapAngle(u, positiveRange);
  end WrapAngle;

  block RealToInteger "Nearest Integer"
    extends Modelica.Blocks.Icons.IntegerBlock;
    Interfaces.RealInput u "Input";
    Interfaces.IntegerOutput y "Output";
  equation
    y = if u > 0 then integer(floor(u + 0.5)) else integer(ceil(u - 0.5));
  end RealToInteger;

  block IntegerToReal "The same number"
    extends Modelica.Blocks.Icons.Block;
    Interfaces.IntegerInput u "Input";
    Interfaces.RealOutput y "Output";
  equation
    y = u;
  end IntegerToReal;

  block BooleanToReal "One of two numbers"
    extends Interfaces.partialBooleanSI;
    parameter Real realTrue=1.0 "Output for true";
    parameter Real realFalse=0.0 "Output for false";
    Blocks.Interfaces.RealOutput y "Output";
  equation
    y = if u then realTrue else realFalse;
  end BooleanToReal;

  block BooleanToInteger "One of two Integers"
    extends Interfaces.partialBooleanSI;
    parameter Integer integerTrue=1 "Output for true";
    parameter Integer integerFalse=0 "Output for false";
    Blocks.Interfaces.IntegerOutput y "Output";
  equation
    y = if u then integerTrue else integerFalse;
  end BooleanToInteger;

  block RealToBoolean "True from a threshold on"
    Blocks.Interfaces.RealInput u "Input";
    extends Interfaces.partialBooleanSO;
    parameter Real threshold=0.5 "Threshold";
  equation
    y = u >= threshold;
  end RealToBoolean;

  block IntegerToBoolean "True from a threshold on"
    Blocks.Interfaces.IntegerInput u "Input";
    extends Interfaces.partialBooleanSO;
    parameter Integer threshold=1 "Threshold";
  equation
    y = u >= threshold;
  end IntegerToBoolean;

  block RectangularToPolar "Length and angle of a vector"
    extends Modelica.Blocks.Icons.Block;
    Modelica.Blocks.Interfaces.RealInput u_re "Real part";
    Modelica.Blocks.Interfaces.RealInput u_im "Imaginary part";
    Modelica.Blocks.Interfaces.RealOutput y_abs "Length";
    Modelica.Blocks.Interfaces.RealOutput y_arg(unit="rad") "Angle";
  equation
    y_abs = sqrt(u_re^2 + u_im^2);
    y_arg = atan2(u_im, u_re);
  end RectangularToPolar;

  block PolarToRectangular "Vector of a length and an angle"
    extends Modelica.Blocks.Icons.Block;
    Modelica.Blocks.Interfaces.RealInput u_abs "Length";
    Modelica.Blocks.Interfaces.RealInput u_arg(unit="rad") "Angle";
    Modelica.Blocks.Interfaces.RealOutput y_re "Real part";
    Modelica.Blocks.Interfaces.RealOutput y_im "Imaginary part";
  equation
    y_re = u_abs*cos(u_arg);
    y_im = u_abs*sin(u_arg);
  end PolarToRectangular;

  block Mean "Mean over one period, renewed at the end of each"
    extends Modelica.Blocks.Interfaces.SISO;
    parameter SI.Frequency f(start=50) "Frequency of the periods";
    parameter Real x0=0 "Initial value of the integral";
    parameter Real y0=0 "Output during the first period";
    parameter Boolean yGreaterOrEqualZero=false "The mean cannot be negative"
      annotation(Evaluate=true);
  protected
    parameter SI.Time t0(fixed=false) "Time of the initialisation";
    Real x "Integral over the present period";
    discrete Real y_last "Mean over the last period";
  initial equation
    t0 = time;
    x = x0;
    y_last = y0;
  equation
    der(x) = u;
    when sample(t0 + 1/f, 1/f) then
      y_last = if yGreaterOrEqualZero then max(0.0, f*pre(x)) else f*pre(x);
      reinit(x, 0);
    end when;
    y = y_last;
  end Mean;

  block RectifiedMean "Mean of the absolute value over one period"
    extends Modelica.Blocks.Interfaces.SISO;
    parameter SI.Frequency f(start=50) "Frequency of the periods";
    parameter Real x0=0 "Initial value of the integral";
    parameter Real y0(final min=0) = 0 "Output during the first period";
    Mean mean(final f=f, final x0=x0, final y0=y0);
    Blocks.Math.Abs abs1;
  equation
    connect(u, abs1.u);
    connect(abs1.y, mean.u);
    connect(mean.y, y);
  end RectifiedMean;

  block ContinuousMean "Mean from startTime up to now"
    extends Modelica.Blocks.Icons.Block;
    parameter SI.Time t_eps(min=0) = 1e-7 "During this time the output is the input";
    Modelica.Blocks.Interfaces.RealInput u "Input";
    Modelica.Blocks.Interfaces.RealOutput y "Mean";
    parameter Real startTime=-Modelica.Constants.inf "Beginning of the mean";
  protected
    Real mu(start=0, fixed=true) "Integral of the input";
    parameter Real t_0(fixed=false) "Time of the initialisation";
    parameter Real actualStartTime=max(t_0, startTime);
  initial equation
    t_0 = time;
  equation
    der(mu) = if time >= actualStartTime then u else 0;
    y = noEvent(if time > actualStartTime + t_eps then mu/(time - actualStartTime) else u);
  end ContinuousMean;

  block RootMeanSquare "Root of the mean square over one period"
    extends Modelica.Blocks.Interfaces.SISO;
    parameter SI.Frequency f(start=50) "Frequency of the periods";
    parameter Real x0=0 "Initial value of the integral";
    parameter Real y0(final min=0) = 0 "Output during the first period";
    MultiProduct product(nu=2);
    Mean mean(final f=f, final x0=x0, final y0=y0^2, final yGreaterOrEqualZero=true);
    Blocks.Math.Sqrt sqrt1;
  equation
    connect(u, product.u[1]);
    connect(u, product.u[2]);
    connect(product.y, mean.u);
    connect(mean.y, sqrt1.u);
    connect(sqrt1.y, y);
  end RootMeanSquare;

  block Harmonic "One harmonic of a periodic signal"
    extends Modelica.Blocks.Icons.Block;
    parameter SI.Frequency f(start=50) "Base frequency";
    parameter Integer k(start=1) "Order of the harmonic";
    parameter Boolean useConjugateComplex=false "Negate the angle"
      annotation(Evaluate=true, HideResult=true);
    parameter Real x0Cos=0 "Initial integral of the cosine part";
    parameter Real x0Sin=0 "Initial integral of the sine part";
    parameter Real y0Cos=0 "Cosine part during the first period";
    parameter Real y0Sin=0 "Sine part during the first period";
    Blocks.Sources.Cosine sin1(final amplitude=sqrt(2), final f=k*f, final phase=0);
    Blocks.Sources.Sine sin2(final amplitude=sqrt(2), final f=k*f, final phase=0);
    MultiProduct product1(nu=2);
    MultiProduct product2(nu=2);
    Mean mean1(final f=f, final x0=x0Cos, final y0=y0Cos);
    Mean mean2(final f=f, final x0=x0Sin, final y0=y0Sin);
    Blocks.Interfaces.RealInput u "Input";
    Blocks.Interfaces.RealOutput y_rms "Root mean square of the harmonic";
    Blocks.Interfaces.RealOutput y_arg(unit="rad") "Angle of the harmonic";
    Blocks.Math.RectangularToPolar rectangularToPolar;
    Gain gain(final k=if useConjugateComplex then -1 else 1);
  equation
    connect(sin1.y, product1.u[1]);
    connect(u, product1.u[2]);
    connect(u, product2.u[1]);
    connect(sin2.y, product2.u[2]);
    connect(product1.y, mean1.u);
    connect(product2.y, mean2.u);
    connect(mean1.y, rectangularToPolar.u_re);
    connect(mean2.y, rectangularToPolar.u_im);
    connect(rectangularToPolar.y_abs, y_rms);
    connect(rectangularToPolar.y_arg, gain.u);
    connect(gain.y, y_arg);
  end Harmonic;

  block Pythagoras "Hypotenuse of two legs, or a leg of a triangle"
    extends Interfaces.SI2SO;
    parameter Boolean u1IsHypotenuse=false "u1 is the hypotenuse, the output a leg";
    Interfaces.BooleanOutput valid "Such a triangle exists";
  protected
    Real y2 "Square of the output";
  equation
    if u1IsHypotenuse then
      y2 = u1^2 - u2^2;
      valid = y2 >= 0;
      y = if noEvent(y2 >= 0) then sqrt(y2) else 0;
    else
      y2 = u1^2 + u2^2;
      valid = true;
      y = sqrt(y2);
    end if;
  end Pythagoras;

  block Max "Larger of two"
    extends Interfaces.SI2SO;
  equation
    y = max(u1, u2);
  end Max;

  block Min "Smaller of two"
    extends Interfaces.SI2SO;
  equation
    y = min(u1, u2);
  end Min;

  block MinMax "Smallest and largest of the connected inputs"
    extends Modelica.Blocks.Icons.Block;
    parameter Integer nu(min=0) = 0 "Number of inputs" annotation(HideResult=true);
    Modelica.Blocks.Interfaces.RealVectorInput u[nu] "Inputs";
    Modelica.Blocks.Interfaces.RealOutput yMax "Largest";
    Modelica.Blocks.Interfaces.RealOutput yMin "Smallest";
  equation
    yMax = max(u);
    yMin = min(u);
  end MinMax;

  block LinearDependency "Affine function of two inputs"
    extends Modelica.Blocks.Interfaces.SI2SO;
    parameter Real y0=0 "Output at zero inputs";
    parameter Real k1=0 "Slope for u1";
    parameter Real k2=0 "Slope for u2";
  equation
    y = y0 + k1*u1 + k2*u2;
  end LinearDependency;

  block InverseBlockConstraints "Ties two signal pairs, to invert a block"
    Modelica.Blocks.Interfaces.RealInput u1 "First input";
    Modelica.Blocks.Interfaces.RealInput u2 "Second input, equal to the first";
    Modelica.Blocks.Interfaces.RealOutput y1 "First output";
    Modelica.Blocks.Interfaces.RealOutput y2 "Second output, equal to the first";
  equation
    u1 = u2;
    y1 = y2;
  end InverseBlockConstraints;

  block Edge "True when the input becomes true"
    extends Interfaces.BooleanSISO;
  equation
    y = edge(u);
  end Edge;

  block BooleanChange "True when the input changes"
    extends Interfaces.BooleanSISO;
  equation
    y = change(u);
  end BooleanChange;

  block IntegerChange "True when the input changes"
    extends Interfaces.IntegerSIBooleanSO;
  equation
    y = change(u);
  end IntegerChange;

  block Variance "Variance from the start up to now"
    extends Modelica.Blocks.Icons.Block;
    parameter SI.Time t_eps(min=100*Modelica.Constants.eps) = 1e-7
      "During this time the output is zero";
    Modelica.Blocks.Interfaces.RealInput u "Input";
    Modelica.Blocks.Interfaces.RealOutput y "Variance";
  protected
    parameter SI.Time t_0(fixed=false) "Time of the start";
    Real mu "Mean";
    Real var "Mean of the squares of the differences from it";
    SI.Time passed=max(time - t_0, t_eps) "Time since the start";
    Real counts=noEvent(if time >= t_0 + t_eps then 1 else 0);
  initial equation
    t_0 = time;
    mu = u;
    var = 0;
  equation
    der(mu) = counts*(u - mu)/passed;
    der(var) = counts*((u - mu)^2 - var)/passed;
    y = counts*noEvent(max(var, 0));
  end Variance;

  block StandardDeviation "Standard deviation from the start up to now"
    extends Modelica.Blocks.Icons.Block;
    parameter SI.Time t_eps(min=100*Modelica.Constants.eps) = 1e-7
      "During this time the output is zero";
    Modelica.Blocks.Interfaces.RealInput u "Input";
    Modelica.Blocks.Interfaces.RealOutput y "Standard deviation";
    Modelica.Blocks.Math.Variance variance(t_eps=t_eps, u=u);
  equation
    y = sqrt(variance.y);
  end StandardDeviation;

  block SignalExtrema "Smallest and largest of the samples so far"
    extends Modelica.Blocks.Icons.Block;
    parameter SI.Time Ts(start=0.01) "Time between samples";
    Modelica.Blocks.Interfaces.RealInput u "Input";
    Modelica.Blocks.Interfaces.RealOutput y_min "Smallest sample";
    Modelica.Blocks.Interfaces.RealOutput y_max "Largest sample";
    discrete SI.Time t_min "Time of the smallest sample";
    discrete SI.Time t_max "Time of the largest sample";
  protected
    parameter SI.Time t0(fixed=false) "Time of the start";
  initial equation
    t0 = time;
    y_min = u;
    y_max = u;
    t_min = time;
    t_max = time;
  equation
    when sample(t0 + Ts, Ts) then
      y_min = min(u, pre(y_min));
      y_max = max(u, pre(y_max));
      t_min = if y_min < pre(y_min) then time else pre(t_min);
      t_max = if y_max > pre(y_max) then time else pre(t_max);
    end when;
  end SignalExtrema;

  block TotalHarmonicDistortion "Part of the higher harmonics, renewed at the end of each period"
    extends Modelica.Blocks.Interfaces.SISO;
    parameter SI.Frequency f(start=1) "Frequency of the first harmonic";
    parameter Boolean useFirstHarmonic=true
      "Relative to the first harmonic, otherwise to the whole signal" annotation(Evaluate=true);
    Modelica.Blocks.Interfaces.BooleanOutput valid "There is a first harmonic, smaller than the whole";
    Harmonic harmonic(
      final f=f, final k=1, final x0Cos=0, final x0Sin=0, final y0Cos=0, final y0Sin=0);
    RootMeanSquare rootMeanSquare(final f=f, final x0=0, final y0=0);
  protected
    Real first=harmonic.y_rms "Root mean square of the first harmonic";
    Real whole=rootMeanSquare.y "Root mean square of the signal";
    Real rest=whole^2 - first^2 "Mean square of the others";
  equation
    connect(u, harmonic.u);
    connect(u, rootMeanSquare.u);
    valid = first > 0 and rest >= 0;
    y = (if rest >= 0 then sqrt(abs(rest)) else 0)
      /max(if useFirstHarmonic then first else whole, Modelica.Constants.eps);
  end TotalHarmonicDistortion;
end Math;
