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
end Sources;
