within Modelica.Blocks.Sources;
block TimeTable "Straight lines between points of a table; equal times make a jump"
  parameter Real table[:, 2]=fill(0.0, 0, 2) "Rows of time and value, times from 0 upwards";
  parameter SI.Time timeScale(min=Modelica.Constants.eps) = 1 "Unit of the first column"
    annotation(Evaluate=true);
  extends Interfaces.SignalSource;
  parameter SI.Time shiftTime=startTime "Shift of the first column";
protected
  discrete Real a "Slope of the present segment";
  discrete Real b "Value of the present segment, extended to time 0";
  Integer last(start=1) "Row that ends the present segment";
  discrete SI.Time nextEvent(start=0, fixed=true) "End of the present segment";
  discrete Real nextEventScaled(start=0, fixed=true);
  Real timeScaled "Time in units of the first column";

  function segment "Line of the segment that contains a time, and its end"
    extends Modelica.Icons.Function;
    input Real table[:, 2];
    input Real offset;
    input Real begin "Scaled startTime";
    input Real now "Scaled time";
    input Integer last "Row to search from";
    input Real shift "Scaled shiftTime";
    output Real a "Slope";
    output Real b "Value at scaled time 0";
    output Real nextEvent "Scaled time of the next event";
    output Integer next "Row that ends the segment";
  protected
    constant Real eps=100*Modelica.Constants.eps "Round-off allowed in times";
    Integer rows=size(table, 1);
    Real t "Time in the table, just after now";
    Real width "Length of the segment";
  algorithm
    next := last;
    a := 0;
    b := offset;
    nextEvent := now - eps*abs(now);
    t := now + eps*abs(now);
    if t < begin then
      nextEvent := begin;
    elseif rows < 2 then
      b := offset + table[1, 2];
    else
      t := t - shift;
      while next < rows and t >= table[next, 1] loop
        next := next + 1;
      end while;
      if next < rows then
        nextEvent := shift + table[next, 1];
      end if;
      next := max(next, 2);
      width := table[next, 1] - table[next - 1, 1];
      if width <= eps*abs(table[next, 1]) then
        b := offset + table[next, 2];
      else
        a := (table[next, 2] - table[next - 1, 2])/width;
        b := offset + table[next - 1, 2] - a*(table[next - 1, 1] + shift);
      end if;
    end if;
  end segment;
algorithm
  when {time >= pre(nextEvent), initial()} then
    (a, b, nextEventScaled, last) := segment(
      table, offset, startTime/timeScale, timeScaled, last, shiftTime/timeScale);
    nextEvent := nextEventScaled*timeScale;
  end when;
equation
  assert(size(table, 1) > 0, "the table has no rows");
  if size(table, 1) > 1 then
    assert(abs(table[1, 1]) <= 0, "the first time of the table must be 0");
  end if;
  timeScaled = time/timeScale;
  y = a*timeScaled + b;
end TimeTable;
