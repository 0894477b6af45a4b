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

  class ExternalCombiTimeTable "Table over time"
    extends ExternalObject;

    function constructor "Read the table"
      extends Modelica.Icons.Function;
      input String tableName "Name of the table on the file";
      input String fileName "File, or NoName";
      input Real table[:, :] "Table, if there is no file";
      input Real startTime;
      input Integer columns[:];
      input Modelica.Blocks.Types.Smoothness smoothness;
      input Modelica.Blocks.Types.Extrapolation extrapolation;
      input Real shiftTime=0.0;
      input Modelica.Blocks.Types.TimeEvents timeEvents=
        Modelica.Blocks.Types.TimeEvents.Always;
      input Boolean verboseRead=true "Not used";
      input String delimiter="," "Between the columns of a CSV file";
      input Integer nHeaderLines=0 "Lines to skip in a CSV file";
      output ExternalCombiTimeTable externalCombiTimeTable;
    external "C" externalCombiTimeTable = ModelicaStandardTables_CombiTimeTable_init3(
        fileName, tableName, table, size(table, 1), size(table, 2),
        startTime, columns, size(columns, 1), smoothness, extrapolation, shiftTime, timeEvents, verboseRead, delimiter, nHeaderLines);
    end constructor;

    function destructor "Forget the table"
      extends Modelica.Icons.Function;
      input ExternalCombiTimeTable externalCombiTimeTable;
    external "C" ModelicaStandardTables_CombiTimeTable_close(externalCombiTimeTable);
    end destructor;
  end ExternalCombiTimeTable;

  class ExternalCombiTable1D "Table over one variable"
    extends ExternalObject;

    function constructor "Read the table"
      extends Modelica.Icons.Function;
      input String tableName "Name of the table on the file";
      input String fileName "File, or NoName";
      input Real table[:, :] "Table, if there is no file";
      input Integer columns[:];
      input Modelica.Blocks.Types.Smoothness smoothness;
      input Modelica.Blocks.Types.Extrapolation extrapolation=
        Modelica.Blocks.Types.Extrapolation.LastTwoPoints;
      input Boolean verboseRead=true "Not used";
      input String delimiter="," "Between the columns of a CSV file";
      input Integer nHeaderLines=0 "Lines to skip in a CSV file";
      output ExternalCombiTable1D externalCombiTable1D;
    external "C" externalCombiTable1D = ModelicaStandardTables_CombiTable1D_init3(
        fileName, tableName, table, size(table, 1), size(table, 2),
        columns, size(columns, 1), smoothness, extrapolation, verboseRead, delimiter, nHeaderLines);
    end constructor;

    function destructor "Forget the table"
      extends Modelica.Icons.Function;
      input ExternalCombiTable1D externalCombiTable1D;
    external "C" ModelicaStandardTables_CombiTable1D_close(externalCombiTable1D);
    end destructor;
  end ExternalCombiTable1D;

  class ExternalCombiTable2D "Table over a grid"
    extends ExternalObject;

    function constructor "Read the table"
      extends Modelica.Icons.Function;
      input String tableName "Name of the table on the file";
      input String fileName "File, or NoName";
      input Real table[:, :] "Table, if there is no file";
      input Modelica.Blocks.Types.Smoothness smoothness;
      input Modelica.Blocks.Types.Extrapolation extrapolation=
        Modelica.Blocks.Types.Extrapolation.LastTwoPoints;
      input Boolean verboseRead=true "Not used";
      input String delimiter="," "Between the columns of a CSV file";
      input Integer nHeaderLines=0 "Lines to skip in a CSV file";
      output ExternalCombiTable2D externalCombiTable2D;
    external "C" externalCombiTable2D = ModelicaStandardTables_CombiTable2D_init3(
        fileName, tableName, table, size(table, 1), size(table, 2),
        smoothness, extrapolation, verboseRead, delimiter, nHeaderLines);
    end constructor;

    function destructor "Forget the table"
      extends Modelica.Icons.Function;
      input ExternalCombiTable2D externalCombiTable2D;
    external "C" ModelicaStandardTables_CombiTable2D_close(externalCombiTable2D);
    end destructor;
  end ExternalCombiTable2D;
end Types;
