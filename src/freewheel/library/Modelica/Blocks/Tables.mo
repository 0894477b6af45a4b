within Modelica.Blocks;
package Tables "Tables given as matrices or on files"
  extends Modelica.Icons.Package;

  block CombiTable1Ds "One input, one output for each chosen column"
    extends Modelica.Blocks.Interfaces.SIMO(final nout=size(columns, 1));
    parameter Boolean tableOnFile=false "The table is on a file";
    parameter Real table[:, :]=fill(0.0, 0, 2) "Rows of abscissa (ascending) and values";
    parameter String tableName="NoName" "Name of the table on its file; CSV files need none";
    parameter String fileName="NoName" "File: text, CSV, or MATLAB up to version 7";
    parameter String delimiter="," "Between the columns of a CSV file";
    parameter Integer nHeaderLines=0 "Lines to skip at the beginning of a CSV file";
    parameter Boolean verboseRead=true "Not used: nothing is printed";
    parameter Integer columns[:]=2:size(table, 2) "Chosen columns";
    parameter Modelica.Blocks.Types.Smoothness smoothness=
      Modelica.Blocks.Types.Smoothness.LinearSegments "Interpolation";
    parameter Modelica.Blocks.Types.Extrapolation extrapolation=
      Modelica.Blocks.Types.Extrapolation.LastTwoPoints "What happens outside the table";
    parameter Boolean verboseExtrapolation=false "Warn when the input leaves the table";
    final parameter Real u_min=Internal.getTable1DAbscissaUmin(tableID) "First abscissa";
    final parameter Real u_max=Internal.getTable1DAbscissaUmax(tableID) "Last abscissa";
  protected
    parameter Modelica.Blocks.Types.ExternalCombiTable1D tableID=
      Modelica.Blocks.Types.ExternalCombiTable1D(
        Internal.nameOf(tableOnFile, fileName, tableName), Internal.fileOf(tableOnFile, fileName),
        table, columns, smoothness, extrapolation, verboseRead, delimiter, nHeaderLines);
  equation
    if tableOnFile then
      assert(tableName <> "NoName" or Internal.isCsv(fileName), "the table on the file has no name");
    else
      assert(size(table, 1) > 0 and size(table, 2) > 0, "the table is empty");
    end if;
    if verboseExtrapolation and Internal.goesOn(extrapolation) then
      assert(noEvent(min({u}) >= u_min and max({u}) <= u_max), "the input is outside the table",
        AssertionLevel.warning);
    end if;
    for k in 1:nout loop
      if smoothness == Modelica.Blocks.Types.Smoothness.ConstantSegments then
        y[k] = Internal.getTable1DValueNoDer(tableID, k, u);
      elseif smoothness == Modelica.Blocks.Types.Smoothness.LinearSegments then
        y[k] = Internal.getTable1DValueNoDer2(tableID, k, u);
      else
        y[k] = Internal.getTable1DValue(tableID, k, u);
      end if;
    end for;
  end CombiTable1Ds;

  block CombiTable1Dv "One input and one output for each chosen column"
    extends Modelica.Blocks.Interfaces.MIMOs(final n=size(columns, 1));
    parameter Boolean tableOnFile=false "The table is on a file";
    parameter Real table[:, :]=fill(0.0, 0, 2) "Rows of abscissa (ascending) and values";
    parameter String tableName="NoName" "Name of the table on its file; CSV files need none";
    parameter String fileName="NoName" "File: text, CSV, or MATLAB up to version 7";
    parameter String delimiter="," "Between the columns of a CSV file";
    parameter Integer nHeaderLines=0 "Lines to skip at the beginning of a CSV file";
    parameter Boolean verboseRead=true "Not used: nothing is printed";
    parameter Integer columns[:]=2:size(table, 2) "Chosen columns";
    parameter Modelica.Blocks.Types.Smoothness smoothness=
      Modelica.Blocks.Types.Smoothness.LinearSegments "Interpolation";
    parameter Modelica.Blocks.Types.Extrapolation extrapolation=
      Modelica.Blocks.Types.Extrapolation.LastTwoPoints "What happens outside the table";
    parameter Boolean verboseExtrapolation=false "Warn when the input leaves the table";
    final parameter Real u_min=Internal.getTable1DAbscissaUmin(tableID) "First abscissa";
    final parameter Real u_max=Internal.getTable1DAbscissaUmax(tableID) "Last abscissa";
  protected
    parameter Modelica.Blocks.Types.ExternalCombiTable1D tableID=
      Modelica.Blocks.Types.ExternalCombiTable1D(
        Internal.nameOf(tableOnFile, fileName, tableName), Internal.fileOf(tableOnFile, fileName),
        table, columns, smoothness, extrapolation, verboseRead, delimiter, nHeaderLines);
  equation
    if tableOnFile then
      assert(tableName <> "NoName" or Internal.isCsv(fileName), "the table on the file has no name");
    else
      assert(size(table, 1) > 0 and size(table, 2) > 0, "the table is empty");
    end if;
    if verboseExtrapolation and Internal.goesOn(extrapolation) then
      assert(noEvent(min(u) >= u_min and max(u) <= u_max), "the input is outside the table",
        AssertionLevel.warning);
    end if;
    for k in 1:n loop
      if smoothness == Modelica.Blocks.Types.Smoothness.ConstantSegments then
        y[k] = Internal.getTable1DValueNoDer(tableID, k, u[k]);
      elseif smoothness == Modelica.Blocks.Types.Smoothness.LinearSegments then
        y[k] = Internal.getTable1DValueNoDer2(tableID, k, u[k]);
      else
        y[k] = Internal.getTable1DValue(tableID, k, u[k]);
      end if;
    end for;
  end CombiTable1Dv;

  block CombiTable2Ds "Two inputs, one output; over a grid"
    extends Modelica.Blocks.Interfaces.SI2SO;
    extends Internal.CombiTable2DBase;
  equation
    if verboseExtrapolation and Internal.goesOn(extrapolation) then
      assert(noEvent(min({u1}) >= u_min[1] and max({u1}) <= u_max[1]
        and min({u2}) >= u_min[2] and max({u2}) <= u_max[2]), "an input is outside the table",
        AssertionLevel.warning);
    end if;
    if smoothness == Modelica.Blocks.Types.Smoothness.ConstantSegments then
      y = Internal.getTable2DValueNoDer(tableID, u1, u2);
    elseif smoothness == Modelica.Blocks.Types.Smoothness.LinearSegments then
      y = Internal.getTable2DValueNoDer2(tableID, u1, u2);
    else
      y = Internal.getTable2DValue(tableID, u1, u2);
    end if;
  end CombiTable2Ds;

  block CombiTable2Dv "Vectors of two inputs, a vector of outputs; over a grid"
    extends Modelica.Blocks.Interfaces.MI2MO;
    extends Internal.CombiTable2DBase;
  equation
    if verboseExtrapolation and Internal.goesOn(extrapolation) then
      assert(noEvent(min(u1) >= u_min[1] and max(u1) <= u_max[1]
        and min(u2) >= u_min[2] and max(u2) <= u_max[2]), "an input is outside the table",
        AssertionLevel.warning);
    end if;
    for k in 1:n loop
      if smoothness == Modelica.Blocks.Types.Smoothness.ConstantSegments then
        y[k] = Internal.getTable2DValueNoDer(tableID, u1[k], u2[k]);
      elseif smoothness == Modelica.Blocks.Types.Smoothness.LinearSegments then
        y[k] = Internal.getTable2DValueNoDer2(tableID, u1[k], u2[k]);
      else
        y[k] = Internal.getTable2DValue(tableID, u1[k], u2[k]);
      end if;
    end for;
  end CombiTable2Dv;

  block CombiTable1D = CombiTable1Dv "Older name of CombiTable1Dv";
  block CombiTable2D = CombiTable2Ds "Older name of CombiTable2Ds";

  package Internal "Functions of tables"
    extends Modelica.Icons.InternalPackage;

    partial block CombiTable2DBase "Parameters of tables over a grid"
      parameter Boolean tableOnFile=false "The table is on a file";
      parameter Real table[:, :]=fill(0.0, 0, 2) "First column: abscissae of u1; first row: abscissae of u2; the corner is not used";
      parameter String tableName="NoName" "Name of the table on its file; CSV files need none";
      parameter String fileName="NoName" "File: text, CSV, or MATLAB up to version 7";
      parameter String delimiter="," "Between the columns of a CSV file";
      parameter Integer nHeaderLines=0 "Lines to skip at the beginning of a CSV file";
      parameter Boolean verboseRead=true "Not used: nothing is printed";
      parameter Modelica.Blocks.Types.Smoothness smoothness=
        Modelica.Blocks.Types.Smoothness.LinearSegments "Interpolation";
      parameter Modelica.Blocks.Types.Extrapolation extrapolation=
        Modelica.Blocks.Types.Extrapolation.LastTwoPoints "What happens outside the table";
      parameter Boolean verboseExtrapolation=false "Warn when the input leaves the table";
      final parameter Real u_min[2]=getTable2DAbscissaUmin(tableID) "First abscissae";
      final parameter Real u_max[2]=getTable2DAbscissaUmax(tableID) "Last abscissae";
    protected
      parameter Modelica.Blocks.Types.ExternalCombiTable2D tableID=
        Modelica.Blocks.Types.ExternalCombiTable2D(
          nameOf(tableOnFile, fileName, tableName), fileOf(tableOnFile, fileName),
          table, smoothness, extrapolation, verboseRead, delimiter, nHeaderLines);
    equation
      if tableOnFile then
        assert(tableName <> "NoName" or isCsv(fileName), "the table on the file has no name");
      else
        assert(size(table, 1) > 0 and size(table, 2) > 0, "the table is empty");
      end if;
    end CombiTable2DBase;

    function fileOf "The file of a table, or NoName"
      extends Modelica.Icons.Function;
      input Boolean tableOnFile;
      input String fileName "May be the address of a resource, modelica://...";
      output String file="NoName";
    algorithm
      if tableOnFile and not Modelica.Utilities.Strings.isEmpty(fileName) then
        file := fileName;
        if Modelica.Utilities.Strings.find(fileName, "modelica://", caseSensitive=false) == 1 then
          file := Modelica.Utilities.Files.loadResource(fileName);
        end if;
      end if;
    end fileOf;

    function nameOf "The name of a table in messages and on its file"
      extends Modelica.Icons.Function;
      input Boolean tableOnFile;
      input String fileName;
      input String tableName;
      output String name;
    algorithm
      name := if not tableOnFile then "NoName" elseif isCsv(fileName) then "Values" else tableName;
    end nameOf;

    function isCsv "A file has the ending .csv"
      extends Modelica.Icons.Function;
      input String fileName;
      output Boolean result;
    protected
      Integer n=Modelica.Utilities.Strings.length(fileName);
    algorithm
      result := n > 4 and Modelica.Utilities.Strings.isEqual(
        Modelica.Utilities.Strings.substring(fileName, n - 3, n), ".csv", caseSensitive=false);
    end isCsv;

    function goesOn "A table has values outside its range that are not its own"
      extends Modelica.Icons.Function;
      input Modelica.Blocks.Types.Extrapolation extrapolation;
      output Boolean result;
    algorithm
      result := extrapolation == Modelica.Blocks.Types.Extrapolation.LastTwoPoints
        or extrapolation == Modelica.Blocks.Types.Extrapolation.HoldLastPoint;
    end goesOn;

    pure function getTimeTableValue "Value of a table over time"
      extends Modelica.Icons.Function;
      input Modelica.Blocks.Types.ExternalCombiTimeTable tableID "Table";
      input Integer icol "Column";
      input Real timeIn "Time";
      input Real nextTimeEvent "Next event";
      input Real pre_nextTimeEvent "Next event before this one";
      output Real y "Value";
    external "C" y =
        ModelicaStandardTables_CombiTimeTable_getValue(tableID, icol, timeIn, nextTimeEvent, pre_nextTimeEvent);
      annotation(derivative(noDerivative=nextTimeEvent, noDerivative=pre_nextTimeEvent) = getDerTimeTableValue);
    end getTimeTableValue;

    pure function getTimeTableValueNoDer "Value of a table over time; it cannot be differentiated"
      extends Modelica.Icons.Function;
      input Modelica.Blocks.Types.ExternalCombiTimeTable tableID "Table";
      input Integer icol "Column";
      input Real timeIn "Time";
      input Real nextTimeEvent "Next event";
      input Real pre_nextTimeEvent "Next event before this one";
      output Real y "Value";
    external "C" y =
        ModelicaStandardTables_CombiTimeTable_getValue(tableID, icol, timeIn, nextTimeEvent, pre_nextTimeEvent);
    end getTimeTableValueNoDer;

    pure function getTimeTableValueNoDer2 "Value of a table over time; it can be differentiated once"
      extends Modelica.Icons.Function;
      input Modelica.Blocks.Types.ExternalCombiTimeTable tableID "Table";
      input Integer icol "Column";
      input Real timeIn "Time";
      input Real nextTimeEvent "Next event";
      input Real pre_nextTimeEvent "Next event before this one";
      output Real y "Value";
    external "C" y =
        ModelicaStandardTables_CombiTimeTable_getValue(tableID, icol, timeIn, nextTimeEvent, pre_nextTimeEvent);
      annotation(derivative(noDerivative=nextTimeEvent, noDerivative=pre_nextTimeEvent) = getDerTimeTableValueNoDer);
    end getTimeTableValueNoDer2;

    pure function getDerTimeTableValue "Derivative of a table over time"
      extends Modelica.Icons.Function;
      input Modelica.Blocks.Types.ExternalCombiTimeTable tableID "Table";
      input Integer icol "Column";
      input Real timeIn "Time";
      input Real nextTimeEvent "Next event";
      input Real pre_nextTimeEvent "Next event before this one";
      input Real der_timeIn "Its derivative";
      output Real der_y "Derivative";
    external "C" der_y =
        ModelicaStandardTables_CombiTimeTable_getDerValue(tableID, icol, timeIn, nextTimeEvent, pre_nextTimeEvent, der_timeIn);
      annotation(derivative(order=2, noDerivative=nextTimeEvent, noDerivative=pre_nextTimeEvent) = getDer2TimeTableValue);
    end getDerTimeTableValue;

    pure function getDerTimeTableValueNoDer "Derivative of a table over time; it cannot be differentiated"
      extends Modelica.Icons.Function;
      input Modelica.Blocks.Types.ExternalCombiTimeTable tableID "Table";
      input Integer icol "Column";
      input Real timeIn "Time";
      input Real nextTimeEvent "Next event";
      input Real pre_nextTimeEvent "Next event before this one";
      input Real der_timeIn "Its derivative";
      output Real der_y "Derivative";
    external "C" der_y =
        ModelicaStandardTables_CombiTimeTable_getDerValue(tableID, icol, timeIn, nextTimeEvent, pre_nextTimeEvent, der_timeIn);
    end getDerTimeTableValueNoDer;

    pure function getDer2TimeTableValue "Second derivative of a table over time"
      extends Modelica.Icons.Function;
      input Modelica.Blocks.Types.ExternalCombiTimeTable tableID "Table";
      input Integer icol "Column";
      input Real timeIn "Time";
      input Real nextTimeEvent "Next event";
      input Real pre_nextTimeEvent "Next event before this one";
      input Real der_timeIn "Its derivative";
      input Real der2_timeIn "Its second derivative";
      output Real der2_y "Second derivative";
    external "C" der2_y =
        ModelicaStandardTables_CombiTimeTable_getDer2Value(tableID, icol, timeIn, nextTimeEvent, pre_nextTimeEvent, der_timeIn, der2_timeIn);
    end getDer2TimeTableValue;

    pure function getTimeTableTmin "First time of a table"
      extends Modelica.Icons.Function;
      input Modelica.Blocks.Types.ExternalCombiTimeTable tableID "Table";
      output Real timeMin "First time";
    external "C" timeMin = ModelicaStandardTables_CombiTimeTable_minimumTime(tableID);
    end getTimeTableTmin;

    pure function getTimeTableTmax "Last time of a table"
      extends Modelica.Icons.Function;
      input Modelica.Blocks.Types.ExternalCombiTimeTable tableID "Table";
      output Real timeMax "Last time";
    external "C" timeMax = ModelicaStandardTables_CombiTimeTable_maximumTime(tableID);
    end getTimeTableTmax;

    pure function getNextTimeEvent "The next event of a table over time"
      extends Modelica.Icons.Function;
      input Modelica.Blocks.Types.ExternalCombiTimeTable tableID "Table";
      input Real timeIn "Time";
      output Real nextTimeEvent "Time of the event";
    external "C" nextTimeEvent =
        ModelicaStandardTables_CombiTimeTable_nextTimeEvent(tableID, timeIn);
    end getNextTimeEvent;

    pure function getTable1DValue "Value of a table over one variable"
      extends Modelica.Icons.Function;
      input Modelica.Blocks.Types.ExternalCombiTable1D tableID "Table";
      input Integer icol "Column";
      input Real u "Abscissa";
      output Real y "Value";
    external "C" y = ModelicaStandardTables_CombiTable1D_getValue(tableID, icol, u);
      annotation(derivative = getDerTable1DValue);
    end getTable1DValue;

    pure function getTable1DValueNoDer "Value of a table over one variable; it cannot be differentiated"
      extends Modelica.Icons.Function;
      input Modelica.Blocks.Types.ExternalCombiTable1D tableID "Table";
      input Integer icol "Column";
      input Real u "Abscissa";
      output Real y "Value";
    external "C" y = ModelicaStandardTables_CombiTable1D_getValue(tableID, icol, u);
    end getTable1DValueNoDer;

    pure function getTable1DValueNoDer2 "Value of a table over one variable; it can be differentiated once"
      extends Modelica.Icons.Function;
      input Modelica.Blocks.Types.ExternalCombiTable1D tableID "Table";
      input Integer icol "Column";
      input Real u "Abscissa";
      output Real y "Value";
    external "C" y = ModelicaStandardTables_CombiTable1D_getValue(tableID, icol, u);
      annotation(derivative = getDerTable1DValueNoDer);
    end getTable1DValueNoDer2;

    pure function getDerTable1DValue "Derivative of a table over one variable"
      extends Modelica.Icons.Function;
      input Modelica.Blocks.Types.ExternalCombiTable1D tableID "Table";
      input Integer icol "Column";
      input Real u "Abscissa";
      input Real der_u "Its derivative";
      output Real der_y "Derivative";
    external "C" der_y =
        ModelicaStandardTables_CombiTable1D_getDerValue(tableID, icol, u, der_u);
      annotation(derivative(order=2) = getDer2Table1DValue);
    end getDerTable1DValue;

    pure function getDerTable1DValueNoDer "Derivative of a table over one variable; it cannot be differentiated"
      extends Modelica.Icons.Function;
      input Modelica.Blocks.Types.ExternalCombiTable1D tableID "Table";
      input Integer icol "Column";
      input Real u "Abscissa";
      input Real der_u "Its derivative";
      output Real der_y "Derivative";
    external "C" der_y =
        ModelicaStandardTables_CombiTable1D_getDerValue(tableID, icol, u, der_u);
    end getDerTable1DValueNoDer;

    pure function getDer2Table1DValue "Second derivative of a table over one variable"
      extends Modelica.Icons.Function;
      input Modelica.Blocks.Types.ExternalCombiTable1D tableID "Table";
      input Integer icol "Column";
      input Real u "Abscissa";
      input Real der_u "Its derivative";
      input Real der2_u "Its second derivative";
      output Real der2_y "Second derivative";
    external "C" der2_y =
        ModelicaStandardTables_CombiTable1D_getDer2Value(tableID, icol, u, der_u, der2_u);
    end getDer2Table1DValue;

    pure function getTable1DAbscissaUmin "First abscissa"
      extends Modelica.Icons.Function;
      input Modelica.Blocks.Types.ExternalCombiTable1D tableID "Table";
      output Real uMin "First abscissa";
    external "C" uMin = ModelicaStandardTables_CombiTable1D_minimumAbscissa(tableID);
    end getTable1DAbscissaUmin;

    pure function getTable1DAbscissaUmax "Last abscissa"
      extends Modelica.Icons.Function;
      input Modelica.Blocks.Types.ExternalCombiTable1D tableID "Table";
      output Real uMax "Last abscissa";
    external "C" uMax = ModelicaStandardTables_CombiTable1D_maximumAbscissa(tableID);
    end getTable1DAbscissaUmax;

    pure function getTable2DValue "Value of a table over a grid"
      extends Modelica.Icons.Function;
      input Modelica.Blocks.Types.ExternalCombiTable2D tableID "Table";
      input Real u1 "First abscissa";
      input Real u2 "Second abscissa";
      output Real y "Value";
    external "C" y = ModelicaStandardTables_CombiTable2D_getValue(tableID, u1, u2);
      annotation(derivative = getDerTable2DValue);
    end getTable2DValue;

    pure function getTable2DValueNoDer "Value of a table over a grid; it cannot be differentiated"
      extends Modelica.Icons.Function;
      input Modelica.Blocks.Types.ExternalCombiTable2D tableID "Table";
      input Real u1 "First abscissa";
      input Real u2 "Second abscissa";
      output Real y "Value";
    external "C" y = ModelicaStandardTables_CombiTable2D_getValue(tableID, u1, u2);
    end getTable2DValueNoDer;

    pure function getTable2DValueNoDer2 "Value of a table over a grid; it can be differentiated once"
      extends Modelica.Icons.Function;
      input Modelica.Blocks.Types.ExternalCombiTable2D tableID "Table";
      input Real u1 "First abscissa";
      input Real u2 "Second abscissa";
      output Real y "Value";
    external "C" y = ModelicaStandardTables_CombiTable2D_getValue(tableID, u1, u2);
      annotation(derivative = getDerTable2DValueNoDer);
    end getTable2DValueNoDer2;

    pure function getDerTable2DValue "Derivative of a table over a grid"
      extends Modelica.Icons.Function;
      input Modelica.Blocks.Types.ExternalCombiTable2D tableID "Table";
      input Real u1 "First abscissa";
      input Real u2 "Second abscissa";
      input Real der_u1 "Derivative of u1";
      input Real der_u2 "Derivative of u2";
      output Real der_y "Derivative";
    external "C" der_y =
        ModelicaStandardTables_CombiTable2D_getDerValue(tableID, u1, u2, der_u1, der_u2);
      annotation(derivative(order=2) = getDer2Table2DValue);
    end getDerTable2DValue;

    pure function getDerTable2DValueNoDer "Derivative of a table over a grid; it cannot be differentiated"
      extends Modelica.Icons.Function;
      input Modelica.Blocks.Types.ExternalCombiTable2D tableID "Table";
      input Real u1 "First abscissa";
      input Real u2 "Second abscissa";
      input Real der_u1 "Derivative of u1";
      input Real der_u2 "Derivative of u2";
      output Real der_y "Derivative";
    external "C" der_y =
        ModelicaStandardTables_CombiTable2D_getDerValue(tableID, u1, u2, der_u1, der_u2);
    end getDerTable2DValueNoDer;

    pure function getDer2Table2DValue "Second derivative of a table over a grid"
      extends Modelica.Icons.Function;
      input Modelica.Blocks.Types.ExternalCombiTable2D tableID "Table";
      input Real u1 "First abscissa";
      input Real u2 "Second abscissa";
      input Real der_u1 "Derivative of u1";
      input Real der_u2 "Derivative of u2";
      input Real der2_u1 "Second derivative of u1";
      input Real der2_u2 "Second derivative of u2";
      output Real der2_y "Second derivative";
    external "C" der2_y =
        ModelicaStandardTables_CombiTable2D_getDer2Value(tableID, u1, u2, der_u1, der_u2, der2_u1, der2_u2);
    end getDer2Table2DValue;

    pure function getTable2DAbscissaUmin "First abscissae"
      extends Modelica.Icons.Function;
      input Modelica.Blocks.Types.ExternalCombiTable2D tableID "Table";
      output Real uMin[2] "First abscissae";
    external "C" ModelicaStandardTables_CombiTable2D_minimumAbscissa(tableID, uMin);
    end getTable2DAbscissaUmin;

    pure function getTable2DAbscissaUmax "Last abscissae"
      extends Modelica.Icons.Function;
      input Modelica.Blocks.Types.ExternalCombiTable2D tableID "Table";
      output Real uMax[2] "Last abscissae";
    external "C" ModelicaStandardTables_CombiTable2D_maximumAbscissa(tableID, uMax);
    end getTable2DAbscissaUmax;
  end Internal;
end Tables;
