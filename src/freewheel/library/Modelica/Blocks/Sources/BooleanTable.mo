within Modelica.Blocks.Sources;
block BooleanTable "Changes its value at the given times"
  parameter SI.Time table[:]={0, 1} "Times of change, ascending";
  parameter Boolean startValue=false "Value before the first time";
  parameter Modelica.Blocks.Types.Extrapolation extrapolation=
    Modelica.Blocks.Types.Extrapolation.HoldLastPoint "Must be HoldLastPoint";
  parameter SI.Time startTime=-Modelica.Constants.inf "Before this time the output is false";
  parameter SI.Time shiftTime=0 "Shift of the table";
  extends Interfaces.partialBooleanSO;
protected
  parameter Integer n=size(table, 1) "Number of changes";
  Boolean passed[n] "Which changes have happened";
  Integer changes[n + 1] "Running count of changes";
equation
  assert(extrapolation == Modelica.Blocks.Types.Extrapolation.HoldLastPoint,
    "only HoldLastPoint is offered");
  for k in 1:n loop
    passed[k] = time >= table[k] + shiftTime;
    changes[k + 1] = changes[k] + (if passed[k] then 1 else 0);
  end for;
  changes[1] = if startValue then 1 else 0;
  y = time >= startTime and mod(changes[n + 1], 2) == 1;
end BooleanTable;
