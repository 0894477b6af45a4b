within Modelica.Electrical.Analog;
package Sources "Voltage and current sources"
  extends Modelica.Icons.SourcesPackage;
  import Modelica.Units.SI;

  model SignalVoltage "Voltage by signal"
    extends Modelica.Electrical.Analog.Icons.VoltageSource;
    Interfaces.PositivePin p;
    Interfaces.NegativePin n;
    Modelica.Blocks.Interfaces.RealInput v(unit="V") "Voltage from p to n";
    SI.Current i "Current from p to n";
  equation
    v = p.v - n.v;
    i = p.i;
    p.i + n.i = 0;
  end SignalVoltage;

  model ConstantVoltage "Constant voltage"
    parameter SI.Voltage V(start=1) "Value";
    extends Interfaces.OnePort;
    extends Modelica.Electrical.Analog.Icons.VoltageSource;
  equation
    v = V;
  end ConstantVoltage;

  model StepVoltage "Voltage step"
    parameter SI.Voltage V(start=1) "Height of the step";
    extends Interfaces.VoltageSource(
      redeclare Modelica.Blocks.Sources.Step signalSource(
        final height=V));
  end StepVoltage;

  model RampVoltage "Voltage ramp"
    parameter SI.Voltage V(start=1) "Height of the ramp";
    parameter SI.Time duration(min=Modelica.Constants.small, start=2) "Length of the ramp";
    extends Interfaces.VoltageSource(
      redeclare Modelica.Blocks.Sources.Ramp signalSource(
        final height=V,
        final duration=duration));
  end RampVoltage;

  model SineVoltage "Sinusoidal voltage"
    parameter SI.Voltage V(start=1) "Amplitude";
    parameter SI.Angle phase=0 "Phase";
    parameter SI.Frequency freqHz=1 "Older name of f";
    parameter SI.Frequency f(start=1) = freqHz "Frequency";
    extends Interfaces.VoltageSource(
      redeclare Modelica.Blocks.Sources.Sine signalSource(
        final amplitude=V,
        final freqHz=f,
        final f=f,
        final phase=phase));
  end SineVoltage;

  model CosineVoltage "Cosinusoidal voltage"
    parameter SI.Voltage V(start=1) "Amplitude";
    parameter SI.Angle phase=0 "Phase";
    parameter SI.Frequency freqHz=1 "Older name of f";
    parameter SI.Frequency f(start=1) = freqHz "Frequency";
    extends Interfaces.VoltageSource(
      redeclare Modelica.Blocks.Sources.Cosine signalSource(
        final amplitude=V,
        final freqHz=f,
        final f=f,
        final phase=phase));
  end CosineVoltage;

  model ExpSineVoltage "Exponentially damped sinusoidal voltage"
    parameter SI.Voltage V(start=1) "Amplitude";
    parameter SI.Frequency freqHz=2 "Older name of f";
    parameter SI.Frequency f(start=2) = freqHz "Frequency";
    parameter SI.Angle phase=0 "Phase";
    parameter SI.Damping damping(start=1) "Decay rate";
    extends Interfaces.VoltageSource(
      redeclare Modelica.Blocks.Sources.ExpSine signalSource(
        final amplitude=V,
        final freqHz=f,
        final f=f,
        final phase=phase,
        final damping=damping));
  end ExpSineVoltage;

  model ExponentialsVoltage "Voltage that rises and falls exponentially"
    parameter Real vMax(start=1) "Limit of an endless rise";
    parameter SI.Time riseTime(min=0, start=0.5) "Length of the rise";
    parameter SI.Time riseTimeConst(min=Modelica.Constants.small, start=0.1)
      "Time constant of the rise";
    parameter SI.Time fallTimeConst(min=Modelica.Constants.small, start=riseTimeConst)
      "Time constant of the fall";
    extends Interfaces.VoltageSource(
      redeclare Modelica.Blocks.Sources.Exponentials signalSource(
        final outMax=vMax,
        final riseTime=riseTime,
        final riseTimeConst=riseTimeConst,
        final fallTimeConst=fallTimeConst));
  end ExponentialsVoltage;

  model PulseVoltage "Voltage pulses"
    parameter SI.Voltage V(start=1) "Amplitude";
    parameter Real width(final min=Modelica.Constants.small, final max=100, start=50)
      "Length of a pulse in percent of the period";
    parameter SI.Time period(final min=Modelica.Constants.small, start=1) "Period";
    extends Interfaces.VoltageSource(
      redeclare Modelica.Blocks.Sources.Pulse signalSource(
        final amplitude=V,
        final width=width,
        final period=period));
  end PulseVoltage;

  model SawToothVoltage "Voltage saw tooth"
    parameter SI.Voltage V(start=1) "Amplitude";
    parameter SI.Time period(start=1) "Period";
    extends Interfaces.VoltageSource(
      redeclare Modelica.Blocks.Sources.SawTooth signalSource(
        final amplitude=V,
        final period=period));
  end SawToothVoltage;

  model TrapezoidVoltage "Trapezoidal voltage"
    parameter SI.Voltage V(start=1) "Amplitude";
    parameter SI.Time rising(final min=0, start=0) "Length of the rise";
    parameter SI.Time width(final min=0, start=0.5) "Length of the plateau";
    parameter SI.Time falling(final min=0, start=0) "Length of the fall";
    parameter SI.Time period(final min=Modelica.Constants.small, start=1) "Period";
    parameter Integer nperiod(start=-1) "Number of periods, negative for no end";
    extends Interfaces.VoltageSource(
      redeclare Modelica.Blocks.Sources.Trapezoid signalSource(
        final amplitude=V,
        final rising=rising,
        final width=width,
        final falling=falling,
        final period=period,
        final nperiod=nperiod));
  end TrapezoidVoltage;

  model TableVoltage "Voltage from a table over time"
    parameter Real table[:, :]=[0, 0; 1, 1; 2, 4] "Rows of time and value";
    extends Interfaces.VoltageSource(
      redeclare Modelica.Blocks.Sources.TimeTable signalSource(
        final table=table));
  end TableVoltage;

  model SineVoltageVariableFrequencyAndAmplitude "Sine voltage, frequency and amplitude by signal"
    extends Modelica.Electrical.Analog.Interfaces.OnePort;
    extends Modelica.Electrical.Analog.Icons.VoltageSource;
    parameter Boolean useConstantAmplitude=false "Amplitude is a parameter";
    parameter SI.Voltage constantAmplitude=1 "Amplitude if constant";
    parameter Boolean useConstantFrequency=false "Frequency is a parameter";
    parameter SI.Frequency constantFrequency=1 "Frequency if constant";
    parameter SI.Voltage offset=0 "Added to the voltage";
    SI.Angle phi(start=0) "Phase, the integral of the frequency";
    Modelica.Blocks.Interfaces.RealInput V(unit="V") if not useConstantAmplitude "Amplitude";
    Modelica.Blocks.Interfaces.RealInput f(unit="Hz") if not useConstantFrequency "Frequency";
  protected
    Modelica.Blocks.Interfaces.RealInput V_internal(unit="V");
    Modelica.Blocks.Interfaces.RealInput f_internal(unit="Hz");
    Modelica.Blocks.Sources.Constant V_constant(final k=constantAmplitude) if useConstantAmplitude;
    Modelica.Blocks.Sources.Constant f_constant(final k=constantFrequency) if useConstantFrequency;
  equation
    der(phi) = 2*Modelica.Constants.pi*f_internal;
    v = offset + V_internal*sin(phi);
    connect(V, V_internal);
    connect(V_constant.y, V_internal);
    connect(f, f_internal);
    connect(f_constant.y, f_internal);
  end SineVoltageVariableFrequencyAndAmplitude;

  model CosineVoltageVariableFrequencyAndAmplitude "Cosine voltage, frequency and amplitude by signal"
    extends Modelica.Electrical.Analog.Interfaces.OnePort;
    extends Modelica.Electrical.Analog.Icons.VoltageSource;
    parameter Boolean useConstantAmplitude=false "Amplitude is a parameter";
    parameter SI.Voltage constantAmplitude=1 "Amplitude if constant";
    parameter Boolean useConstantFrequency=false "Frequency is a parameter";
    parameter SI.Frequency constantFrequency=1 "Frequency if constant";
    parameter SI.Voltage offset=0 "Added to the voltage";
    SI.Angle phi(start=0) "Phase, the integral of the frequency";
    Modelica.Blocks.Interfaces.RealInput V(unit="V") if not useConstantAmplitude "Amplitude";
    Modelica.Blocks.Interfaces.RealInput f(unit="Hz") if not useConstantFrequency "Frequency";
  protected
    Modelica.Blocks.Interfaces.RealInput V_internal(unit="V");
    Modelica.Blocks.Interfaces.RealInput f_internal(unit="Hz");
    Modelica.Blocks.Sources.Constant V_constant(final k=constantAmplitude) if useConstantAmplitude;
    Modelica.Blocks.Sources.Constant f_constant(final k=constantFrequency) if useConstantFrequency;
  equation
    der(phi) = 2*Modelica.Constants.pi*f_internal;
    v = offset + V_internal*cos(phi);
    connect(V, V_internal);
    connect(V_constant.y, V_internal);
    connect(f, f_internal);
    connect(f_constant.y, f_internal);
  end CosineVoltageVariableFrequencyAndAmplitude;

  model SignalCurrent "Current by signal"
    extends Modelica.Electrical.Analog.Icons.CurrentSource;
    Interfaces.PositivePin p;
    Interfaces.NegativePin n;
    Modelica.Blocks.Interfaces.RealInput i(unit="A") "Current from p to n";
    SI.Voltage v "Voltage from p to n";
  equation
    v = p.v - n.v;
    i = p.i;
    p.i + n.i = 0;
  end SignalCurrent;

  model ConstantCurrent "Constant current"
    parameter SI.Current I(start=1) "Value";
    extends Interfaces.OnePort;
    extends Modelica.Electrical.Analog.Icons.CurrentSource;
  equation
    i = I;
  end ConstantCurrent;

  model StepCurrent "Current step"
    parameter SI.Current I(start=1) "Height of the step";
    extends Interfaces.CurrentSource(
      redeclare Modelica.Blocks.Sources.Step signalSource(
        final height=I));
  end StepCurrent;

  model RampCurrent "Current ramp"
    parameter SI.Current I(start=1) "Height of the ramp";
    parameter SI.Time duration(min=Modelica.Constants.small, start=2) "Length of the ramp";
    extends Interfaces.CurrentSource(
      redeclare Modelica.Blocks.Sources.Ramp signalSource(
        final height=I,
        final duration=duration));
  end RampCurrent;

  model SineCurrent "Sinusoidal current"
    parameter SI.Current I(start=1) "Amplitude";
    parameter SI.Angle phase=0 "Phase";
    parameter SI.Frequency freqHz=1 "Older name of f";
    parameter SI.Frequency f(start=1) = freqHz "Frequency";
    extends Interfaces.CurrentSource(
      redeclare Modelica.Blocks.Sources.Sine signalSource(
        final amplitude=I,
        final freqHz=f,
        final f=f,
        final phase=phase));
  end SineCurrent;

  model CosineCurrent "Cosinusoidal current"
    parameter SI.Current I(start=1) "Amplitude";
    parameter SI.Angle phase=0 "Phase";
    parameter SI.Frequency freqHz=1 "Older name of f";
    parameter SI.Frequency f(start=1) = freqHz "Frequency";
    extends Interfaces.CurrentSource(
      redeclare Modelica.Blocks.Sources.Cosine signalSource(
        final amplitude=I,
        final freqHz=f,
        final f=f,
        final phase=phase));
  end CosineCurrent;

  model ExpSineCurrent "Exponentially damped sinusoidal current"
    parameter Real I(start=1) "Amplitude";
    parameter SI.Frequency freqHz=2 "Older name of f";
    parameter SI.Frequency f(start=2) = freqHz "Frequency";
    parameter SI.Angle phase=0 "Phase";
    parameter SI.Damping damping(start=1) "Decay rate";
    extends Interfaces.CurrentSource(
      redeclare Modelica.Blocks.Sources.ExpSine signalSource(
        final amplitude=I,
        final freqHz=f,
        final f=f,
        final phase=phase,
        final damping=damping));
  end ExpSineCurrent;

  model ExponentialsCurrent "Current that rises and falls exponentially"
    parameter Real iMax(start=1) "Limit of an endless rise";
    parameter SI.Time riseTime(min=0, start=0.5) "Length of the rise";
    parameter SI.Time riseTimeConst(min=Modelica.Constants.small, start=0.1)
      "Time constant of the rise";
    parameter SI.Time fallTimeConst(min=Modelica.Constants.small, start=riseTimeConst)
      "Time constant of the fall";
    extends Interfaces.CurrentSource(
      redeclare Modelica.Blocks.Sources.Exponentials signalSource(
        final outMax=iMax,
        final riseTime=riseTime,
        final riseTimeConst=riseTimeConst,
        final fallTimeConst=fallTimeConst));
  end ExponentialsCurrent;

  model PulseCurrent "Current pulses"
    parameter SI.Current I(start=1) "Amplitude";
    parameter Real width(final min=Modelica.Constants.small, final max=100, start=50)
      "Length of a pulse in percent of the period";
    parameter SI.Time period(final min=Modelica.Constants.small, start=1) "Period";
    extends Interfaces.CurrentSource(
      redeclare Modelica.Blocks.Sources.Pulse signalSource(
        final amplitude=I,
        final width=width,
        final period=period));
  end PulseCurrent;

  model SawToothCurrent "Current saw tooth"
    parameter SI.Current I(start=1) "Amplitude";
    parameter SI.Time period(start=1) "Period";
    extends Interfaces.CurrentSource(
      redeclare Modelica.Blocks.Sources.SawTooth signalSource(
        final amplitude=I,
        final period=period));
  end SawToothCurrent;

  model TrapezoidCurrent "Trapezoidal current"
    parameter SI.Current I(start=1) "Amplitude";
    parameter SI.Time rising(final min=0, start=0) "Length of the rise";
    parameter SI.Time width(final min=0, start=0.5) "Length of the plateau";
    parameter SI.Time falling(final min=0, start=0) "Length of the fall";
    parameter SI.Time period(final min=Modelica.Constants.small, start=1) "Period";
    parameter Integer nperiod(start=-1) "Number of periods, negative for no end";
    extends Interfaces.CurrentSource(
      redeclare Modelica.Blocks.Sources.Trapezoid signalSource(
        final amplitude=I,
        final rising=rising,
        final width=width,
        final falling=falling,
        final period=period,
        final nperiod=nperiod));
  end TrapezoidCurrent;

  model TableCurrent "Current from a table over time"
    parameter Real table[:, :]=[0, 0; 1, 1; 2, 4] "Rows of time and value";
    extends Interfaces.CurrentSource(
      redeclare Modelica.Blocks.Sources.TimeTable signalSource(
        final table=table));
  end TableCurrent;

  model SineCurrentVariableFrequencyAndAmplitude "Sine current, frequency and amplitude by signal"
    extends Modelica.Electrical.Analog.Interfaces.OnePort;
    extends Modelica.Electrical.Analog.Icons.CurrentSource;
    parameter Boolean useConstantAmplitude=false "Amplitude is a parameter";
    parameter SI.Current constantAmplitude=1 "Amplitude if constant";
    parameter Boolean useConstantFrequency=false "Frequency is a parameter";
    parameter SI.Frequency constantFrequency=1 "Frequency if constant";
    parameter SI.Current offset=0 "Added to the current";
    SI.Angle phi(start=0) "Phase, the integral of the frequency";
    Modelica.Blocks.Interfaces.RealInput I(unit="A") if not useConstantAmplitude "Amplitude";
    Modelica.Blocks.Interfaces.RealInput f(unit="Hz") if not useConstantFrequency "Frequency";
  protected
    Modelica.Blocks.Interfaces.RealInput I_internal(unit="A");
    Modelica.Blocks.Interfaces.RealInput f_internal(unit="Hz");
    Modelica.Blocks.Sources.Constant I_constant(final k=constantAmplitude) if useConstantAmplitude;
    Modelica.Blocks.Sources.Constant f_constant(final k=constantFrequency) if useConstantFrequency;
  equation
    der(phi) = 2*Modelica.Constants.pi*f_internal;
    i = offset + I_internal*sin(phi);
    connect(I, I_internal);
    connect(I_constant.y, I_internal);
    connect(f, f_internal);
    connect(f_constant.y, f_internal);
  end SineCurrentVariableFrequencyAndAmplitude;

  model CosineCurrentVariableFrequencyAndAmplitude "Cosine current, frequency and amplitude by signal"
    extends Modelica.Electrical.Analog.Interfaces.OnePort;
    extends Modelica.Electrical.Analog.Icons.CurrentSource;
    parameter Boolean useConstantAmplitude=false "Amplitude is a parameter";
    parameter SI.Current constantAmplitude=1 "Amplitude if constant";
    parameter Boolean useConstantFrequency=false "Frequency is a parameter";
    parameter SI.Frequency constantFrequency=1 "Frequency if constant";
    parameter SI.Current offset=0 "Added to the current";
    SI.Angle phi(start=0) "Phase, the integral of the frequency";
    Modelica.Blocks.Interfaces.RealInput I(unit="A") if not useConstantAmplitude "Amplitude";
    Modelica.Blocks.Interfaces.RealInput f(unit="Hz") if not useConstantFrequency "Frequency";
  protected
    Modelica.Blocks.Interfaces.RealInput I_internal(unit="A");
    Modelica.Blocks.Interfaces.RealInput f_internal(unit="Hz");
    Modelica.Blocks.Sources.Constant I_constant(final k=constantAmplitude) if useConstantAmplitude;
    Modelica.Blocks.Sources.Constant f_constant(final k=constantFrequency) if useConstantFrequency;
  equation
    der(phi) = 2*Modelica.Constants.pi*f_internal;
    i = offset + I_internal*cos(phi);
    connect(I, I_internal);
    connect(I_constant.y, I_internal);
    connect(f, f_internal);
    connect(f_constant.y, f_internal);
  end CosineCurrentVariableFrequencyAndAmplitude;

  model SupplyVoltage "Positive and negative supply around a common ground"
    parameter SI.Voltage Vps=+15 "Positive supply";
    parameter SI.Voltage Vns=-15 "Negative supply";
    Modelica.Electrical.Analog.Interfaces.PositivePin pin_p;
    Modelica.Electrical.Analog.Interfaces.NegativePin pin_n;
    Modelica.Electrical.Analog.Interfaces.NegativePin ground;
    Modelica.Electrical.Analog.Sources.ConstantVoltage positiveSupply(final V=Vps);
    Modelica.Electrical.Analog.Sources.ConstantVoltage negativeSupply(final V=-Vns);
  equation
    connect(positiveSupply.p, pin_p);
    connect(positiveSupply.n, ground);
    connect(negativeSupply.p, ground);
    connect(negativeSupply.n, pin_n);
  end SupplyVoltage;

  model DCPowerSupply "Supply with limits of voltage, power and current"
    parameter SI.Voltage V0(final min=Modelica.Constants.eps) = 60 "Voltage without load";
    parameter SI.Current I0(final min=Modelica.Constants.eps) = 50 "Current of a short circuit";
    parameter SI.Power P0(final min=Modelica.Constants.eps) = 1200 "Largest power";
    parameter SI.Resistance Rcv(final min=Modelica.Constants.eps) = 1e-3
      "Resistance while the voltage is limited";
    parameter SI.Conductance Gcc(final min=Modelica.Constants.eps) = 1e-3
      "Conductance while the current is limited";
    parameter SI.Current iBack=1e-3 "Largest current into the supply";
    SI.Voltage v(start=V0)=p.v - n.v "Voltage";
    SI.Current i=p.i "Current into p, negative while it delivers";
    SI.Power P=v*i "Power, negative while it delivers";
    Interfaces.PositivePin p;
    Interfaces.NegativePin n;
  protected
    parameter SI.Voltage vCorner=(V0 - Rcv*I0)/(1 - Rcv*Gcc) "Where both lines meet";
    parameter SI.Current iCorner=(I0 - Gcc*V0)/(1 - Rcv*Gcc) "Where both lines meet";
    parameter Boolean cp=vCorner*iCorner > P0 "The power limits, too";
    parameter SI.Voltage vLim=if cp then (I0 - sqrt(max(0, I0^2 - 4*Gcc*P0)))/(2*Gcc) else vCorner
      "Below it the current is limited";
    parameter SI.Current iLim=if cp then (V0 - sqrt(max(0, V0^2 - 4*Rcv*P0)))/(2*Rcv) else iCorner
      "Below it the voltage is limited";
    Boolean cv(start=true)=-i <= iLim "The voltage is limited";
    Boolean cc(start=false)=v <= vLim "The current is limited";
  equation
    assert(Rcv < V0/I0 and (not cp or Rcv < V0^2/(4*P0)), "Rcv is too large");
    assert(Gcc < I0/V0 and (not cp or Gcc < I0^2/(4*P0)), "Gcc is too large");
    assert(v >= 0, "the voltage must not be negative");
    assert(i <= iBack, "too much current flows into the supply");
    p.i + n.i = 0;
    if cv then
      v = V0 + Rcv*i;
    elseif cc or not cp then
      -i = I0 - Gcc*v;
    else
      -i*v = P0;
    end if;
  end DCPowerSupply;
end Sources;
