within Modelica.Blocks;
package Types "Enumerations that choose a variant of a block"
  extends Modelica.Icons.TypesPackage;

  type Smoothness = enumeration(
      LinearSegments "Straight lines between points",
      ContinuousDerivative "Akima splines",
      ConstantSegments "Steps",
      MonotoneContinuousDerivative1 "Fritsch-Butland splines, no overshoot",
      MonotoneContinuousDerivative2 "Steffen splines, no overshoot",
      ModifiedContinuousDerivative "Modified Akima splines")
    "How a table is interpolated";

  type Extrapolation = enumeration(
      HoldLastPoint "First or last value",
      LastTwoPoints "Continue the outermost segment",
      Periodic "Repeat the table",
      NoExtrapolation "An error")
    "What a table does outside its range";

  type TimeEvents = enumeration(
      Always "At every point of the table",
      AtDiscontinuities "Only at jumps",
      NoTimeEvents "Never")
    "Where a time table triggers events";

  type Init = enumeration(
      NoInit "Start values are guesses",
      SteadyState "Derivatives of the states are zero",
      InitialState "States equal their start values",
      InitialOutput "Outputs equal their start values, states as steady as possible")
    "How a block starts";

  type SimpleController = enumeration(
      P "Proportional",
      PI "Proportional and integral",
      PD "Proportional and derivative",
      PID "Proportional, integral and derivative")
    "Parts of a controller";

  type AnalogFilter = enumeration(
      CriticalDamping "Equal real poles",
      Bessel "Flat group delay",
      Butterworth "Flat gain",
      ChebyshevI "Ripple in the pass band")
    "Family of a filter";

  type FilterType = enumeration(
      LowPass "Low frequencies pass",
      HighPass "High frequencies pass",
      BandPass "A band passes",
      BandStop "A band is stopped")
    "Purpose of a filter";

  type Regularization = enumeration(
      Exp "Logistic function",
      Sine "Quarter sine",
      Linear "Straight line",
      Cosine "Quarter cosine")
    "How a sign function is smoothed";

  type LimiterHomotopy = enumeration(
      NoHomotopy "The limiter itself",
      Linear "No limits",
      UpperLimit "At the upper limit",
      LowerLimit "At the lower limit")
    "Simplified limiter at initialisation";

  type VariableLimiterHomotopy = enumeration(
      NoHomotopy "The limiter itself",
      Linear "No limits",
      Fixed "At a fixed value")
    "Simplified variable limiter at initialisation";
end Types;
