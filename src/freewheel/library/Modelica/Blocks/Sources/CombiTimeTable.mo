within Modelica.Blocks.Sources;
block CombiTimeTable "Table over time, one output for each chosen column"
  import Modelica.Blocks.Tables.Internal;
  extends Modelica.Blocks.Interfaces.MO(final nout=max([size(columns, 1); size(offset, 1)]));
  parameter Boolean tableOnFile=false "The table is on a file";
  parameter Real table[:, :]=fill(0.0, 0, 2) "Rows of time (ascending) and values";
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
  parameter SI.Time timeScale(min=Modelica.Constants.eps) = 1 "Unit of the first column"
    annotation(Evaluate=true);
  parameter Real offset[:]={0} "Added to the outputs";
  parameter SI.Time startTime=0 "Before this time the outputs are the offsets";
  parameter SI.Time shiftTime=startTime "Shift of the first column";
  parameter Modelica.Blocks.Types.TimeEvents timeEvents=Modelica.Blocks.Types.TimeEvents.Always
    "Which points of the table are events, for straight lines";
  parameter Boolean verboseExtrapolation=false "Warn when the time leaves the table";
  final parameter SI.Time t_min=t_minScaled*timeScale "First time";
  final parameter SI.Time t_max=t_maxScaled*timeScale "Last time";
  final parameter Real t_minScaled=Internal.getTimeTableTmin(tableID)
    "First time in units of the first column";
  final parameter Real t_maxScaled=Internal.getTimeTableTmax(tableID)
    "Last time in units of the first column";
protected
  final parameter Real p_offset[nout]=(
    if size(offset, 1) == 1 then ones(nout)*offset[1] else offset);
  // Steps are events in any case, smooth curves have none.
  parameter Modelica.Blocks.Types.ExternalCombiTimeTable tableID=
    Modelica.Blocks.Types.ExternalCombiTimeTable(
      Internal.nameOf(tableOnFile, fileName, tableName), Internal.fileOf(tableOnFile, fileName),
      table, startTime/timeScale, columns, smoothness, extrapolation, shiftTime/timeScale,
      if smoothness == Modelica.Blocks.Types.Smoothness.LinearSegments then timeEvents
      elseif smoothness == Modelica.Blocks.Types.Smoothness.ConstantSegments
      then Modelica.Blocks.Types.TimeEvents.Always
      else Modelica.Blocks.Types.TimeEvents.NoTimeEvents,
      verboseRead, delimiter, nHeaderLines);
  discrete SI.Time nextTimeEvent(start=0, fixed=true) "Next event";
  discrete Real nextTimeEventScaled(start=0, fixed=true) "Next event in units of the first column";
  Real timeScaled "Time in units of the first column";
equation
  if tableOnFile then
    assert(tableName <> "NoName" or Internal.isCsv(fileName), "the table on the file has no name");
  else
    assert(size(table, 1) > 0 and size(table, 2) > 0, "the table is empty");
  end if;
  if verboseExtrapolation and Internal.goesOn(extrapolation) then
    assert(noEvent(time >= t_min + shiftTime and time <= t_max + shiftTime),
      "the time is outside the table", AssertionLevel.warning);
  end if;
  timeScaled = time/timeScale;
  when {time >= pre(nextTimeEvent), initial()} then
    nextTimeEventScaled = Internal.getNextTimeEvent(tableID, timeScaled);
    nextTimeEvent = if nextTimeEventScaled < Modelica.Constants.inf
      then nextTimeEventScaled*timeScale else Modelica.Constants.inf;
  end when;
  for k in 1:nout loop
    if smoothness == Modelica.Blocks.Types.Smoothness.ConstantSegments then
      y[k] = p_offset[k] + Internal.getTimeTableValueNoDer(
        tableID, k, timeScaled, nextTimeEventScaled, pre(nextTimeEventScaled));
    elseif smoothness == Modelica.Blocks.Types.Smoothness.LinearSegments then
      y[k] = p_offset[k] + Internal.getTimeTableValueNoDer2(
        tableID, k, timeScaled, nextTimeEventScaled, pre(nextTimeEventScaled));
    else
      y[k] = p_offset[k] + Internal.getTimeTableValue(
        tableID, k, timeScaled, nextTimeEventScaled, pre(nextTimeEventScaled));
    end if;
  end for;
end CombiTimeTable;
