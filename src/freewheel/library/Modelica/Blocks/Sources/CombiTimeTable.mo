within Modelica.Blocks.Sources;
block CombiTimeTable "Table over time, one output for each chosen column"
  extends Modelica.Blocks.Interfaces.MO(final nout=max([size(columns, 1); size(offset, 1)]));
  parameter Boolean tableOnFile=false "Must be false";
  parameter Real table[:, :]=fill(0.0, 0, 2) "Rows of time (ascending) and values";
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
  parameter SI.Time timeScale(min=Modelica.Constants.eps) = 1 "Unit of the first column"
    annotation(Evaluate=true);
  parameter Real offset[:]={0} "Added to the outputs";
  parameter SI.Time startTime=0 "Before this time the outputs are the offsets";
  parameter SI.Time shiftTime=startTime "Shift of the first column";
  parameter Modelica.Blocks.Types.TimeEvents timeEvents=Modelica.Blocks.Types.TimeEvents.Always
    "Not used: every point of the table is an event";
  parameter Boolean verboseExtrapolation=false "Not used";
  final parameter SI.Time t_min=t_minScaled*timeScale "First time";
  final parameter SI.Time t_max=t_maxScaled*timeScale "Last time";
  final parameter Real t_minScaled=if size(table, 1) > 0 then table[1, 1] else 0
    "First time in units of the first column";
  final parameter Real t_maxScaled=if size(table, 1) > 0 then table[end, 1] else 0
    "Last time in units of the first column";
protected
  final parameter Real p_offset[nout]=(
    if size(offset, 1) == 1 then ones(nout)*offset[1] else offset);
  discrete Real a[nout] "Slopes of the present piece";
  discrete Real b[nout] "Values of the present piece, extended to time 0";
  discrete SI.Time nextTimeEvent(start=0, fixed=true) "End of the present piece";
  discrete Real nextTimeEventScaled(start=0, fixed=true);
  Real timeScaled "Time in units of the first column, shift subtracted";
equation
  assert(not tableOnFile, "tables on file are not offered; give the matrix `table`");
  assert(size(table, 1) > 0 and size(table, 2) > 0, "the table is empty");
  assert(smoothness == Modelica.Blocks.Types.Smoothness.LinearSegments
    or smoothness == Modelica.Blocks.Types.Smoothness.ConstantSegments,
    "only LinearSegments and ConstantSegments are offered");
  timeScaled = (time - shiftTime)/timeScale;
  when {time >= pre(nextTimeEvent), initial()} then
    (a, b, nextTimeEventScaled) = Modelica.Blocks.Tables.Internal.timePiece(
      table, columns, timeScaled, smoothness, extrapolation);
    nextTimeEvent = if nextTimeEventScaled < Modelica.Constants.inf
      then nextTimeEventScaled*timeScale + shiftTime else Modelica.Constants.inf;
  end when;
  for k in 1:nout loop
    y[k] = p_offset[k] + (if time < startTime then 0 else a[k]*timeScaled + b[k]);
  end for;
end CombiTimeTable;
