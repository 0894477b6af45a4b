within Modelica.Blocks;
package Tables "Tables given as matrices: straight or constant pieces"
  extends Modelica.Icons.Package;

  block CombiTable1Ds "One input, one output for each chosen column"
    extends Modelica.Blocks.Interfaces.SIMO(final nout=size(columns, 1));
    parameter Boolean tableOnFile=false "Must be false";
    parameter Real table[:, :]=fill(0.0, 0, 2) "Rows of abscissa (ascending) and values";
    parameter String tableName="NoName" "Not used";
    parameter String fileName="NoName" "Not used";
    parameter String delimiter="," "Not used";
    parameter Integer nHeaderLines=0 "Not used";
    parameter Boolean verboseRead=true "Not used";
    parameter Integer columns[:]=2:size(table, 2) "Chosen columns";
    parameter Modelica.Blocks.Types.Smoothness smoothness=
      Modelica.Blocks.Types.Smoothness.LinearSegments "LinearSegments or ConstantSegments";
    parameter Modelica.Blocks.Types.Extrapolation extrapolation=
      Modelica.Blocks.Types.Extrapolation.LastTwoPoints "What happens outside the table";
    parameter Boolean verboseExtrapolation=false "Not used";
    final parameter Real u_min=if size(table, 1) > 0 then table[1, 1] else 0 "First abscissa";
    final parameter Real u_max=if size(table, 1) > 0 then table[end, 1] else 0 "Last abscissa";
  equation
    assert(not tableOnFile, "tables on file are not offered; give the matrix `table`");
    assert(size(table, 1) > 0 and size(table, 2) > 0, "the table is empty");
    for k in 1:nout loop
      y[k] = Internal.value(table[:, 1], table[:, columns[k]], u, smoothness, extrapolation);
    end for;
  end CombiTable1Ds;

  block CombiTable1Dv "One input and one output for each chosen column"
    extends Modelica.Blocks.Interfaces.MIMOs(final n=size(columns, 1));
    parameter Boolean tableOnFile=false "Must be false";
    parameter Real table[:, :]=fill(0.0, 0, 2) "Rows of abscissa (ascending) and values";
    parameter String tableName="NoName" "Not used";
    parameter String fileName="NoName" "Not used";
    parameter String delimiter="," "Not used";
    parameter Integer nHeaderLines=0 "Not used";
    parameter Boolean verboseRead=true "Not used";
    parameter Integer columns[:]=2:size(table, 2) "Chosen columns";
    parameter Modelica.Blocks.Types.Smoothness smoothness=
      Modelica.Blocks.Types.Smoothness.LinearSegments "LinearSegments or ConstantSegments";
    parameter Modelica.Blocks.Types.Extrapolation extrapolation=
      Modelica.Blocks.Types.Extrapolation.LastTwoPoints "What happens outside the table";
    parameter Boolean verboseExtrapolation=false "Not used";
    final parameter Real u_min=if size(table, 1) > 0 then table[1, 1] else 0 "First abscissa";
    final parameter Real u_max=if size(table, 1) > 0 then table[end, 1] else 0 "Last abscissa";
  equation
    assert(not tableOnFile, "tables on file are not offered; give the matrix `table`");
    assert(size(table, 1) > 0 and size(table, 2) > 0, "the table is empty");
    for k in 1:n loop
      y[k] = Internal.value(table[:, 1], table[:, columns[k]], u[k], smoothness, extrapolation);
    end for;
  end CombiTable1Dv;

  block CombiTable2Ds "Two inputs, one output; bilinear between the points of a grid"
    extends Modelica.Blocks.Interfaces.SI2SO;
    extends Internal.CombiTable2DBase;
  equation
    y = Internal.value2D(table, u1, u2, smoothness, extrapolation);
  end CombiTable2Ds;

  block CombiTable2Dv "Vectors of two inputs, a vector of outputs; bilinear on a grid"
    extends Modelica.Blocks.Interfaces.MI2MO;
    extends Internal.CombiTable2DBase;
  equation
    for k in 1:n loop
      y[k] = Internal.value2D(table, u1[k], u2[k], smoothness, extrapolation);
    end for;
  end CombiTable2Dv;

  package Internal "Functions of tables"
    extends Modelica.Icons.InternalPackage;
    import Modelica.Blocks.Types.Smoothness;
    import Modelica.Blocks.Types.Extrapolation;

    partial block CombiTable2DBase "Parameters of tables over a grid"
      parameter Boolean tableOnFile=false "Must be false";
      parameter Real table[:, :]=fill(0.0, 0, 2)
        "First column: abscissae of u1; first row: abscissae of u2; the corner is not used";
      parameter String tableName="NoName" "Not used";
      parameter String fileName="NoName" "Not used";
      parameter String delimiter="," "Not used";
      parameter Integer nHeaderLines=0 "Not used";
      parameter Boolean verboseRead=true "Not used";
      parameter Modelica.Blocks.Types.Smoothness smoothness=
        Modelica.Blocks.Types.Smoothness.LinearSegments "LinearSegments or ConstantSegments";
      parameter Modelica.Blocks.Types.Extrapolation extrapolation=
        Modelica.Blocks.Types.Extrapolation.LastTwoPoints "What happens outside the table";
      parameter Boolean verboseExtrapolation=false "Not used";
      final parameter Real u_min[2]=(
        if size(table, 1) > 1 then {table[2, 1], table[1, 2]} else {0, 0}) "First abscissae";
      final parameter Real u_max[2]=(
        if size(table, 1) > 1 then {table[end, 1], table[1, end]} else {0, 0}) "Last abscissae";
    equation
      assert(not tableOnFile, "tables on file are not offered; give the matrix `table`");
      assert(size(table, 1) > 1 and size(table, 2) > 1, "the table is empty");
    end CombiTable2DBase;

    function inside "Abscissa moved into the table by whole periods, or to its ends"
      extends Modelica.Icons.Function;
      input Real x[:] "Abscissae, ascending";
      input Real u "Wanted abscissa";
      input Extrapolation extrapolation;
      output Real v "Abscissa to use";
    protected
      Real first=x[1];
      Real last=x[size(x, 1)];
    algorithm
      assert(extrapolation <> Extrapolation.NoExtrapolation or u >= first and u <= last,
        "the input is outside the table, and extrapolation is forbidden");
      v := u;
      if extrapolation == Extrapolation.Periodic and last > first then
        v := u - floor((u - first)/(last - first))*(last - first);
      elseif extrapolation == Extrapolation.HoldLastPoint then
        v := max(first, min(last, u));
      end if;
    end inside;

    function piece "Index of the piece that contains an abscissa, from 1 to n - 1"
      extends Modelica.Icons.Function;
      input Real x[:] "Abscissae, ascending, at least two";
      input Real u "Abscissa";
      output Integer k;
    algorithm
      k := 1;
      while k < size(x, 1) - 1 and u >= x[k + 1] loop
        k := k + 1;
      end while;
    end piece;

    function value "Value of a table over one abscissa"
      extends Modelica.Icons.Function;
      input Real x[:] "Abscissae, ascending";
      input Real y[size(x, 1)] "Values";
      input Real u "Wanted abscissa";
      input Smoothness smoothness;
      input Extrapolation extrapolation;
      output Real result;
    protected
      Integer n=size(x, 1);
      Integer k;
      Real v;
    algorithm
      assert(smoothness == Smoothness.LinearSegments or smoothness == Smoothness.ConstantSegments,
        "only LinearSegments and ConstantSegments are offered");
      if n == 1 then
        result := y[1];
      else
        v := inside(x, u, extrapolation);
        k := piece(x, v);
        if smoothness == Smoothness.ConstantSegments then
          result := if v >= x[n] then y[n] else y[k];
        elseif x[k + 1] == x[k] then
          result := y[k + 1];
        else
          result := y[k] + (y[k + 1] - y[k])*(v - x[k])/(x[k + 1] - x[k]);
        end if;
      end if;
    end value;

    function value2D "Value of a table over a grid: along u2 in the rows, then along u1"
      extends Modelica.Icons.Function;
      input Real table[:, :] "First column and first row hold the abscissae";
      input Real u1;
      input Real u2;
      input Smoothness smoothness;
      input Extrapolation extrapolation;
      output Real result;
    protected
      Integer rows=size(table, 1) - 1;
      Real column[size(table, 1) - 1];
    algorithm
      for k in 1:rows loop
        column[k] := value(
          table[1, 2:size(table, 2)], table[k + 1, 2:size(table, 2)], u2, smoothness, extrapolation);
      end for;
      result := value(table[2:rows + 1, 1], column, u1, smoothness, extrapolation);
    end value2D;

    function timePiece "Lines of the piece of a time table that contains a time, and its end"
      extends Modelica.Icons.Function;
      input Real table[:, :] "First column: times";
      input Integer columns[:] "Chosen columns";
      input Real now "Time in units of the first column, shift subtracted";
      input Smoothness smoothness;
      input Extrapolation extrapolation;
      output Real a[size(columns, 1)] "Slopes";
      output Real b[size(columns, 1)] "Values at time 0";
      output Real next "End of the piece; Modelica.Constants.inf if there is none";
    protected
      Integer n=size(table, 1);
      Real first=table[1, 1];
      Real last=table[size(table, 1), 1];
      Real t "A little after now, so that a piece that ends now is left";
      Real moved=0 "Whole periods that were passed";
      Integer k;
      Integer column;
    algorithm
      a := zeros(size(columns, 1));
      b := zeros(size(columns, 1));
      next := Modelica.Constants.inf;
      t := now + 1e-13*max(abs(now), last - first);
      if n == 1 then
        b := {table[1, columns[j]] for j in 1:size(columns, 1)};
      else
        if extrapolation == Extrapolation.Periodic then
          moved := floor((t - first)/(last - first))*(last - first);
        end if;
        t := t - moved;
        k := piece(table[:, 1], t);
        if t < first then
          next := first;
        elseif t < last then
          next := moved + table[k + 1, 1];
        end if;
        for j in 1:size(columns, 1) loop
          column := columns[j];
          if extrapolation == Extrapolation.HoldLastPoint and t < first then
            b[j] := table[1, column];
          elseif t >= last and (extrapolation == Extrapolation.HoldLastPoint
              or smoothness == Smoothness.ConstantSegments) then
            b[j] := table[n, column];
          elseif smoothness == Smoothness.ConstantSegments then
            b[j] := table[k, column];
          elseif table[k + 1, 1] == table[k, 1] then
            b[j] := table[k + 1, column];
          else
            a[j] := (table[k + 1, column] - table[k, column])/(table[k + 1, 1] - table[k, 1]);
            b[j] := table[k, column] - a[j]*(table[k, 1] + moved);
          end if;
        end for;
      end if;
    end timePiece;
  end Internal;
end Tables;
