within Modelica.Blocks.Sources;
block IntegerTable "Takes the values of the second column at the times of the first"
  parameter Real table[:, 2]=fill(0, 0, 2) "Rows of time and Integer value, times ascending";
  parameter Modelica.Blocks.Types.Extrapolation extrapolation=
    Modelica.Blocks.Types.Extrapolation.HoldLastPoint "Must be HoldLastPoint";
  parameter SI.Time startTime=-Modelica.Constants.inf "Before this time the output is 0";
  parameter SI.Time shiftTime=0 "Shift of the first column";
  extends Interfaces.IntegerSO;
protected
  parameter Integer n=size(table, 1) "Number of rows";
  Integer value[n + 1] "Value of the table up to each row";
equation
  assert(n > 0, "the table has no rows");
  assert(extrapolation == Modelica.Blocks.Types.Extrapolation.HoldLastPoint,
    "only HoldLastPoint is offered");
  value[1] = 0;
  for k in 1:n loop
    value[k + 1] = if k == 1 or time >= table[k, 1] + shiftTime then integer(table[k, 2] + 0.5)
      else value[k];
  end for;
  y = if time >= startTime then value[n + 1] else 0;
end IntegerTable;
