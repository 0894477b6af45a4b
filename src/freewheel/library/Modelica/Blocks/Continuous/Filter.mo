within Modelica.Blocks.Continuous;
block Filter "Low pass, high pass, band pass or band stop of a classical family"
  import Modelica.Blocks.Types.{AnalogFilter, FilterType, Init};
  extends Modelica.Blocks.Interfaces.SISO;
  parameter AnalogFilter analogFilter=AnalogFilter.CriticalDamping "Family"
    annotation(Evaluate=true);
  parameter FilterType filterType=FilterType.LowPass "Purpose" annotation(Evaluate=true);
  parameter Integer order(min=1) = 2 "Order; bands have twice as many states"
    annotation(Evaluate=true);
  parameter SI.Frequency f_cut "Cut-off frequency, upper one of a band";
  parameter Real gain=1.0 "Gain";
  parameter Real A_ripple(unit="dB") = 0.5 "Ripple in the pass band (ChebyshevI)";
  parameter SI.Frequency f_min=0 "Lower cut-off frequency of a band";
  parameter Boolean normalized=true "The gain at the cut-off frequency is -3 dB";
  parameter Init init=Init.SteadyState "How the block starts" annotation(Evaluate=true);
  final parameter Integer nx=if isBand then 2*order else order "Number of states";
  parameter Real x_start[nx]=zeros(nx) "First states";
  parameter Real y_start=0 "First output";
  parameter Real u_nominal=1.0 "Typical size of the input; states are divided by it";
  Modelica.Blocks.Interfaces.RealOutput x[nx] "States";
protected
  // A chain: nr stages of first order, then na of second order. The prototype has its cut-off
  // frequency at 1 rad/s and the factors s + cr and s^2 + c[1]*s + c[2].
  final parameter Boolean isBand=filterType == FilterType.BandPass
    or filterType == FilterType.BandStop annotation(Evaluate=true);
  final parameter Integer ncr=if analogFilter == AnalogFilter.CriticalDamping then order
    else mod(order, 2) "Real poles of the prototype" annotation(Evaluate=true);
  final parameter Integer nc=div(order - ncr, 2) "Pairs of poles of the prototype"
    annotation(Evaluate=true);
  final parameter Integer nr=if isBand then 0 else ncr annotation(Evaluate=true);
  final parameter Integer na=if isBand then order else nc annotation(Evaluate=true);
  parameter Real cr[ncr]=Internal.Filter.realFactors(
    analogFilter, order, ncr, A_ripple, normalized);
  parameter Real c[nc, 2]=Internal.Filter.quadraticFactors(
    analogFilter, order, nc, A_ripple, normalized);
  // Poles r, and a + b*j with a^2 + b^2 = w2.
  parameter Real r[nr]=if isBand then zeros(nr) else Internal.Filter.realStages(
    filterType, cr[1:nr], f_cut);
  parameter Real e[na, 2]=Internal.Filter.quadraticStages(filterType, na, cr, c, f_min, f_cut)
    "Factors s^2 + e[1]*s + e[2]";
  parameter Real a[na]=-e[:, 1]/2;
  parameter Real w2[na]=e[:, 2];
  parameter Real b[na]=sqrt(w2 - a.^2);
  parameter Real k[na]=w2./b "Gains of the inputs";
  parameter Real band=2*Modelica.Constants.pi*(f_cut - f_min) "Bandwidth";
  // Output of a stage: k1*x1 + k2*x2 and, unless the input passes at zero frequency only, the input.
  parameter Real k1[na]=if filterType == FilterType.LowPass then zeros(na)
    elseif filterType == FilterType.BandPass then band./k else 2*a./k;
  parameter Real k2[na]=if filterType == FilterType.LowPass then ones(na)
    elseif filterType == FilterType.HighPass then (2*a.^2 - w2)./w2
    elseif filterType == FilterType.BandPass then band*a./(b.*k) else 2*a.^2 ./(b.*k);
  final parameter Boolean isDirect=filterType == FilterType.HighPass
    or filterType == FilterType.BandStop annotation(Evaluate=true);
  Real uu[nr + na + 1] "Inputs of the stages and the output";
initial equation
  if init == Init.InitialState then
    x = x_start;
  elseif init == Init.SteadyState then
    der(x) = zeros(nx);
  elseif init == Init.InitialOutput then
    y = y_start;
    der(x[1:nx - 1]) = zeros(nx - 1);
  end if;
equation
  assert(u_nominal > 0, "u_nominal must be positive");
  assert(f_cut > 0, "f_cut must be positive");
  assert(A_ripple > 0, "A_ripple must be positive");
  assert(not isBand or f_min > 0 and f_min < f_cut, "a band needs 0 < f_min < f_cut");
  uu[1] = u/u_nominal;
  for i in 1:nr loop
    der(x[i]) = r[i]*(x[i] - uu[i]);
    uu[i + 1] = if isDirect then uu[i] - x[i] else x[i];
  end for;
  for i in 1:na loop
    der(x[nr + 2*i - 1]) = a[i]*x[nr + 2*i - 1] - b[i]*x[nr + 2*i] + k[i]*uu[nr + i];
    der(x[nr + 2*i]) = b[i]*x[nr + 2*i - 1] + a[i]*x[nr + 2*i];
    uu[nr + i + 1] = k1[i]*x[nr + 2*i - 1] + k2[i]*x[nr + 2*i]
      + (if isDirect then uu[nr + i] else 0);
  end for;
  y = gain*u_nominal*uu[nr + na + 1];
end Filter;
