within Modelica.Blocks;
package Sources "Signals over time"
  extends Modelica.Icons.SourcesPackage;
  import Modelica.Blocks.Interfaces;
  import Modelica.Units.SI;

  block RealExpression "Output bound to an expression"
    Modelica.Blocks.Interfaces.RealOutput y=0.0 "Value of the expression";
  end RealExpression;

  block IntegerExpression "Integer output bound to an expression"
    Modelica.Blocks.Interfaces.IntegerOutput y=0 "Value of the expression";
  end IntegerExpression;

  block BooleanExpression "Boolean output bound to an expression"
    Modelica.Blocks.Interfaces.BooleanOutput y=false "Value of the expression";
  end BooleanExpression;

  block ContinuousClock "Time since startTime"
    extends Interfaces.SignalSource;
  equation
    y = offset + smooth(0, if time < startTime then 0 else time - startTime);
  end ContinuousClock;

  block Clock = ContinuousClock "Older name of ContinuousClock";

  block Constant "Constant"
    parameter Real k(start=1) "Value";
    extends Interfaces.SO;
  equation
    y = k;
  end Constant;

  block Step "Jump at startTime"
    parameter Real height=1 "Height of the jump";
    extends Interfaces.SignalSource;
  equation
    y = offset + (if time < startTime then 0 else height);
  end Step;

  block Ramp "Straight rise beginning at startTime"
    parameter Real height=1 "Height of the rise";
    parameter SI.Time duration(min=0.0, start=2) "Length of the rise";
    extends Interfaces.SignalSource;
  equation
    y = offset + (if time < startTime then 0
      else if time < startTime + duration then (time - startTime)*height/duration
      else height);
  end Ramp;

  block Sine "Sine beginning at startTime"
    import Modelica.Constants.pi;
    parameter Real amplitude=1 "Amplitude";
    parameter SI.Frequency freqHz=1 "Older name of f";
    parameter SI.Frequency f(start=1) = freqHz "Frequency";
    parameter SI.Angle phase=0 "Phase at startTime";
    parameter Boolean continuous=false "No jump at startTime" annotation(Evaluate=true);
    extends Interfaces.SignalSource;
  equation
    if continuous then
      y = offset + amplitude*smooth(0,
        if time < startTime then sin(phase) else sin(2*pi*f*(time - startTime) + phase));
    else
      y = offset + (if time < startTime then 0
        else amplitude*sin(2*pi*f*(time - startTime) + phase));
    end if;
  end Sine;

  block Cosine "Cosine beginning at startTime"
    import Modelica.Constants.pi;
    parameter Real amplitude=1 "Amplitude";
    parameter SI.Frequency freqHz=1 "Older name of f";
    parameter SI.Frequency f(start=1) = freqHz "Frequency";
    parameter SI.Angle phase=0 "Phase at startTime";
    parameter Boolean continuous=false "No jump at startTime" annotation(Evaluate=true);
    extends Interfaces.SignalSource;
  equation
    if continuous then
      y = offset + amplitude*smooth(0,
        if time < startTime then cos(phase) else cos(2*pi*f*(time - startTime) + phase));
    else
      y = offset + (if time < startTime then 0
        else amplitude*cos(2*pi*f*(time - startTime) + phase));
    end if;
  end Cosine;

  block SineVariableFrequencyAndAmplitude "Sine, frequency and amplitude by signal"
    extends Interfaces.SO;
    parameter Boolean useConstantAmplitude=false "Amplitude is a parameter";
    parameter Real constantAmplitude=1 "Amplitude if constant";
    parameter Boolean useConstantFrequency=false "Frequency is a parameter";
    parameter SI.Frequency constantFrequency=1 "Frequency if constant";
    parameter Real offset=0 "Added to the output";
    SI.Angle phi(start=0) "Phase, the integral of the frequency";
    Blocks.Interfaces.RealInput amplitude if not useConstantAmplitude "Amplitude";
    Blocks.Interfaces.RealInput f(unit="Hz") if not useConstantFrequency "Frequency";
  protected
    Blocks.Interfaces.RealInput amplitude_internal;
    Blocks.Interfaces.RealInput f_internal(unit="Hz");
    Blocks.Sources.Constant amplitude_constant(final k=constantAmplitude) if useConstantAmplitude;
    Blocks.Sources.Constant f_constant(final k=constantFrequency) if useConstantFrequency;
  equation
    der(phi) = 2*Modelica.Constants.pi*f_internal;
    y = offset + amplitude_internal*sin(phi);
    connect(amplitude, amplitude_internal);
    connect(amplitude_constant.y, amplitude_internal);
    connect(f, f_internal);
    connect(f_constant.y, f_internal);
  end SineVariableFrequencyAndAmplitude;

  block CosineVariableFrequencyAndAmplitude "Cosine, frequency and amplitude by signal"
    extends Interfaces.SO;
    parameter Boolean useConstantAmplitude=false "Amplitude is a parameter";
    parameter Real constantAmplitude=1 "Amplitude if constant";
    parameter Boolean useConstantFrequency=false "Frequency is a parameter";
    parameter SI.Frequency constantFrequency=1 "Frequency if constant";
    parameter Real offset=0 "Added to the output";
    SI.Angle phi(start=0) "Phase, the integral of the frequency";
    Blocks.Interfaces.RealInput amplitude if not useConstantAmplitude "Amplitude";
    Blocks.Interfaces.RealInput f(unit="Hz") if not useConstantFrequency "Frequency";
  protected
    Blocks.Interfaces.RealInput amplitude_internal;
    Blocks.Interfaces.RealInput f_internal(unit="Hz");
    Blocks.Sources.Constant amplitude_constant(final k=constantAmplitude) if useConstantAmplitude;
    Blocks.Sources.Constant f_constant(final k=constantFrequency) if useConstantFrequency;
  equation
    der(phi) = 2*Modelica.Constants.pi*f_internal;
    y = offset + amplitude_internal*cos(phi);
    connect(amplitude, amplitude_internal);
    connect(amplitude_constant.y, amplitude_internal);
    connect(f, f_internal);
    connect(f_constant.y, f_internal);
  end CosineVariableFrequencyAndAmplitude;

  block Sinc "sin(x)/x with x counted from startTime"
    parameter Real amplitude=1 "Value at startTime";
    parameter SI.Frequency f(start=1) "Frequency";
    parameter Boolean continuous=false "No jump at startTime" annotation(Evaluate=true);
    extends Interfaces.SignalSource;
  protected
    SI.Angle x=2*Modelica.Constants.pi*f*(time - startTime);
  equation
    if continuous then
      y = offset + amplitude*smooth(1, if time < startTime then 1
        elseif noEvent(time - startTime < Modelica.Constants.eps) then 1 else sin(x)/x);
    else
      y = offset + (if time < startTime then 0
        elseif noEvent(time - startTime < Modelica.Constants.eps) then amplitude
        else amplitude*sin(x)/x);
    end if;
  end Sinc;

  block ExpSine "Damped sine beginning at startTime"
    import Modelica.Constants.pi;
    parameter Real amplitude=1 "Amplitude at startTime";
    parameter SI.Frequency freqHz=2 "Older name of f";
    parameter SI.Frequency f(start=2) = freqHz "Frequency";
    parameter SI.Angle phase=0 "Phase at startTime";
    parameter SI.Damping damping(start=1) "Decay rate";
    extends Interfaces.SignalSource;
  equation
    y = offset + (if time < startTime then 0
      else amplitude*exp(-damping*(time - startTime))*sin(2*pi*f*(time - startTime) + phase));
  end ExpSine;

  block Exponentials "Exponential rise, then exponential fall"
    parameter Real outMax=1 "Limit of an endless rise";
    parameter SI.Time riseTime(min=0, start=0.5) "Length of the rise";
    parameter SI.Time riseTimeConst(min=Modelica.Constants.small) = 0.1
      "Time constant of the rise";
    parameter SI.Time fallTimeConst(min=Modelica.Constants.small) = riseTimeConst
      "Time constant of the fall";
    extends Interfaces.SignalSource;
  protected
    Real y_riseTime "Value at the end of the rise";
  equation
    y_riseTime = outMax*(1 - exp(-riseTime/riseTimeConst));
    y = offset + (if time < startTime then 0
      else if time < startTime + riseTime then
        outMax*(1 - exp(-(time - startTime)/riseTimeConst))
      else y_riseTime*exp(-(time - startTime - riseTime)/fallTimeConst));
  end Exponentials;

  block Pulse "Rectangular pulses"
    parameter Real amplitude=1 "Height of a pulse";
    parameter Real width(final min=Modelica.Constants.small, final max=100) = 50
      "Length of a pulse in percent of the period";
    parameter SI.Time period(final min=Modelica.Constants.small, start=1) "Period";
    parameter Integer nperiod=-1 "Number of periods, negative for no end";
    extends Interfaces.SignalSource;
  protected
    SI.Time T_width=period*width/100 "Length of a pulse";
    SI.Time T_start "Beginning of the present period";
    Integer count "Number of the present period, from 0";
  initial algorithm
    count := integer((time - startTime)/period);
    T_start := startTime + count*period;
  equation
    when time >= (pre(count) + 1)*period + startTime then
      count = pre(count) + 1;
      T_start = time;
    end when;
    y = offset + (
      if time < startTime or nperiod == 0 or nperiod > 0 and count >= nperiod then 0
      else if time < T_start + T_width then amplitude
      else 0);
  end Pulse;

  block SawTooth "Saw teeth rising from 0"
    parameter Real amplitude=1 "Height of a tooth";
    parameter SI.Time period(final min=Modelica.Constants.small, start=1) "Period";
    parameter Integer nperiod=-1 "Number of periods, negative for no end";
    extends Interfaces.SignalSource;
  protected
    SI.Time T_start(final start=startTime) "Beginning of the present period";
    Integer count "Number of the present period, from 0";
  initial algorithm
    count := integer((time - startTime)/period);
    T_start := startTime + count*period;
  equation
    when time >= (pre(count) + 1)*period + startTime then
      count = pre(count) + 1;
      T_start = time;
    end when;
    y = offset + (
      if time < startTime or nperiod == 0 or nperiod > 0 and count >= nperiod then 0
      else amplitude*(time - T_start)/period);
  end SawTooth;

  block Trapezoid "Trapezoidal pulses"
    parameter Real amplitude=1 "Height of a pulse";
    parameter SI.Time rising(final min=0) = 0 "Length of the rise";
    parameter SI.Time width(final min=0) = 0.5 "Length of the plateau";
    parameter SI.Time falling(final min=0) = 0 "Length of the fall";
    parameter SI.Time period(final min=Modelica.Constants.small, start=1) "Period";
    parameter Integer nperiod=-1 "Number of periods, negative for no end";
    extends Interfaces.SignalSource;
  protected
    parameter SI.Time T_rising=rising "End of the rise within a period";
    parameter SI.Time T_width=T_rising + width "End of the plateau within a period";
    parameter SI.Time T_falling=T_width + falling "End of the fall within a period";
    SI.Time T_start "Beginning of the present period";
    Integer count "Number of the present period, from 0";
  initial algorithm
    count := integer((time - startTime)/period);
    T_start := startTime + count*period;
  equation
    when time >= (pre(count) + 1)*period + startTime then
      count = pre(count) + 1;
      T_start = time;
    end when;
    y = offset + (
      if time < startTime or nperiod == 0 or nperiod > 0 and count >= nperiod then 0
      else if time < T_start + T_rising then amplitude*(time - T_start)/rising
      else if time < T_start + T_width then amplitude
      else if time < T_start + T_falling then amplitude*(T_start + T_falling - time)/falling
      else 0);
  end Trapezoid;

  block LogFrequencySweep "Frequency growing exponentially from wMin to wMax"
    extends Modelica.Blocks.Interfaces.SO;
    import Modelica.Constants.eps;
    parameter Real wMin(final min=eps) "First value";
    parameter Real wMax(final min=eps) "Last value";
    parameter SI.Time startTime=0 "Beginning of the sweep";
    parameter SI.Time duration(min=0.0, start=1) "Length of the sweep";
  equation
    y = if time < startTime then wMin
      else if time < startTime + max(duration, eps) then
        wMin*(wMax/wMin)^min(1, (time - startTime)/max(duration, eps))
      else wMax;
  end LogFrequencySweep;

  block KinematicPTP "Accelerations of a fastest synchronous move with limited speed"
    parameter Real deltaq[:]={1} "Distances to move";
    parameter Real qd_max[:](each final min=Modelica.Constants.small) = {1} "Speed limits";
    parameter Real qdd_max[:](each final min=Modelica.Constants.small) = {1}
      "Acceleration limits";
    parameter SI.Time startTime=0 "Beginning of the move";
    extends Interfaces.MO(
      final nout=max([size(deltaq, 1); size(qd_max, 1); size(qdd_max, 1)]));
  protected
    parameter Real p_deltaq[nout]=(if size(deltaq, 1) == 1 then ones(nout)*deltaq[1] else deltaq);
    parameter Real p_qd_max[nout]=(if size(qd_max, 1) == 1 then ones(nout)*qd_max[1] else qd_max);
    parameter Real p_qdd_max[nout]=(
      if size(qdd_max, 1) == 1 then ones(nout)*qdd_max[1] else qdd_max);
    // All axes follow one path parameter that runs from 0 to 1.
    Real sd_max "Largest speed of the path parameter";
    Real sdd_max "Largest acceleration of the path parameter";
    Real sdd "Acceleration of the path parameter";
    Real aux1[nout];
    Real aux2[nout];
    SI.Time Ta1 "End of the acceleration if top speed is not reached";
    SI.Time Ta2 "End of the acceleration if top speed is reached";
    SI.Time Tv "Beginning of the deceleration";
    SI.Time Te "End of the move";
    Boolean noWphase "Top speed is not reached";
  equation
    for k in 1:nout loop
      aux1[k] = p_deltaq[k]/p_qd_max[k];
      aux2[k] = p_deltaq[k]/p_qdd_max[k];
    end for;
    sd_max = 1/max(abs(aux1));
    sdd_max = 1/max(abs(aux2));
    Ta1 = sqrt(1/sdd_max);
    Ta2 = sd_max/sdd_max;
    noWphase = Ta2 >= Ta1;
    Tv = if noWphase then Ta1 else 1/sd_max;
    Te = if noWphase then 2*Ta1 else Tv + Ta2;
    sdd = if time < startTime then 0
      else if noWphase then (
        if time < startTime + Ta1 then sdd_max
        else if time < startTime + Te then -sdd_max
        else 0)
      else (
        if time < startTime + Ta2 then sdd_max
        else if time < startTime + Tv then 0
        else if time < startTime + Te then -sdd_max
        else 0);
    y = p_deltaq*sdd;
  end KinematicPTP;

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
      assert(table[1, 1] == 0, "the first time of the table must be 0");
    end if;
    timeScaled = time/timeScale;
    y = a*timeScaled + b;
  end TimeTable;

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

  block BooleanConstant "Constant"
    parameter Boolean k=true "Value";
    extends Interfaces.partialBooleanSource;
  equation
    y = k;
  end BooleanConstant;

  block BooleanStep "Change at startTime"
    parameter SI.Time startTime=0 "Time of the change";
    parameter Boolean startValue=false "Value before";
    extends Interfaces.partialBooleanSource;
  equation
    y = if time >= startTime then not startValue else startValue;
  end BooleanStep;

  block BooleanPulse "Pulses"
    parameter Real width(final min=Modelica.Constants.small, final max=100) = 50
      "Length of a pulse in percent of the period";
    parameter SI.Time period(final min=Modelica.Constants.small, start=1) "Period";
    parameter SI.Time startTime=0 "Time of the first pulse";
    extends Modelica.Blocks.Interfaces.partialBooleanSource;
  protected
    parameter SI.Time Twidth=period*width/100 "Length of a pulse" annotation(HideResult=true);
    discrete SI.Time pulseStart "Beginning of the present pulse" annotation(HideResult=true);
  initial equation
    pulseStart = startTime;
  equation
    when sample(startTime, period) then
      pulseStart = time;
    end when;
    y = time >= pulseStart and time < pulseStart + Twidth;
  end BooleanPulse;

  block SampleTrigger "True at sample instants only"
    parameter SI.Time period(final min=Modelica.Constants.small, start=0.01) "Sample period";
    parameter SI.Time startTime=0 "Time of the first sample";
    extends Interfaces.partialBooleanSource;
  equation
    y = sample(startTime, period);
  end SampleTrigger;

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

  block IntegerConstant "Constant"
    parameter Integer k(start=1) "Value";
    extends Interfaces.IntegerSO;
  equation
    y = k;
  end IntegerConstant;

  block IntegerStep "Jump at startTime"
    parameter Integer height=1 "Height of the jump";
    extends Interfaces.IntegerSignalSource;
  equation
    y = offset + (if time < startTime then 0 else height);
  end IntegerStep;

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
end Sources;
