within Modelica.Blocks;
package Interfaces "Signal connectors and bases of blocks"
  extends Modelica.Icons.InterfacesPackage;
  import Modelica.Units.SI;

  connector RealInput = input Real "Real signal entering a block";
  connector RealOutput = output Real "Real signal leaving a block";
  connector BooleanInput = input Boolean "Boolean signal entering a block";
  connector BooleanOutput = output Boolean "Boolean signal leaving a block";
  connector IntegerInput = input Integer "Integer signal entering a block";
  connector IntegerOutput = output Integer "Integer signal leaving a block";
  connector RealVectorInput = input Real "Element of a Real input vector";
  connector IntegerVectorInput = input Integer "Element of an Integer input vector";
  connector BooleanVectorInput = input Boolean "Element of a Boolean input vector";
  connector RealVectorOutput = output Real "Element of a Real output vector";

  partial block SO "One output"
    extends Modelica.Blocks.Icons.Block;
    RealOutput y "Output";
  end SO;

  partial block MO "Several outputs"
    extends Modelica.Blocks.Icons.Block;
    parameter Integer nout(min=1) = 1 "Number of outputs";
    RealOutput y[nout] "Outputs";
  end MO;

  partial block SISO "One input, one output"
    extends Modelica.Blocks.Icons.Block;
    RealInput u "Input";
    RealOutput y "Output";
  end SISO;

  partial block SI2SO "Two inputs, one output"
    extends Modelica.Blocks.Icons.Block;
    RealInput u1 "First input";
    RealInput u2 "Second input";
    RealOutput y "Output";
  end SI2SO;

  partial block SIMO "One input, several outputs"
    extends Modelica.Blocks.Icons.Block;
    parameter Integer nout=1 "Number of outputs";
    RealInput u "Input";
    RealOutput y[nout] "Outputs";
  end SIMO;

  partial block MISO "Several inputs, one output"
    extends Modelica.Blocks.Icons.Block;
    parameter Integer nin=1 "Number of inputs";
    RealInput u[nin] "Inputs";
    RealOutput y "Output";
  end MISO;

  partial block PartialRealMISO "Vector input sized by its connections, one output"
    parameter Integer significantDigits(min=1) = 3 "Digits shown by a diagram";
    parameter Integer nu(min=0) = 0 "Number of inputs" annotation(HideResult=true);
    Modelica.Blocks.Interfaces.RealVectorInput u[nu] "Inputs";
    Modelica.Blocks.Interfaces.RealOutput y "Output";
  end PartialRealMISO;

  partial block MIMO "Several inputs, several outputs"
    extends Modelica.Blocks.Icons.Block;
    parameter Integer nin=1 "Number of inputs";
    parameter Integer nout=1 "Number of outputs";
    RealInput u[nin] "Inputs";
    RealOutput y[nout] "Outputs";
  end MIMO;

  partial block MIMOs "As many outputs as inputs"
    extends Modelica.Blocks.Icons.Block;
    parameter Integer n=1 "Number of inputs and of outputs";
    RealInput u[n] "Inputs";
    RealOutput y[n] "Outputs";
  end MIMOs;

  partial block MI2MO "Two input vectors, one output vector of the same size"
    extends Modelica.Blocks.Icons.Block;
    parameter Integer n=1 "Size of each vector";
    RealInput u1[n] "First inputs";
    RealInput u2[n] "Second inputs";
    RealOutput y[n] "Outputs";
  end MI2MO;

  partial block SignalSource "Source of a signal over time"
    extends SO;
    parameter Real offset=0 "Added to the output";
    parameter SI.Time startTime=0 "Before this time the output is the offset";
  end SignalSource;

  partial block SVcontrol "Controller with set point and measurement"
    extends Modelica.Blocks.Icons.Block;
    RealInput u_s "Set point";
    RealInput u_m "Measured value";
    RealOutput y "Control output";
  end SVcontrol;

  partial block MVcontrol "Controller with vectors of set points and measurements"
    extends Modelica.Blocks.Icons.Block;
    parameter Integer nu_s=1 "Number of set points";
    parameter Integer nu_m=1 "Number of measured values";
    parameter Integer ny=1 "Number of control outputs";
    RealInput u_s[nu_s] "Set points";
    RealInput u_m[nu_m] "Measured values";
    RealOutput y[ny] "Control outputs";
  end MVcontrol;

  partial block DiscreteBlock "Base of blocks that act at sample instants"
    extends Modelica.Blocks.Icons.DiscreteBlock;
    parameter SI.Time samplePeriod(min=100*Modelica.Constants.eps, start=0.1)
      "Time between samples";
    parameter SI.Time startTime=0 "Time of the first sample";
  protected
    output Boolean sampleTrigger "True at sample instants";
    output Boolean firstTrigger(start=false, fixed=true) "True at the first sample";
  equation
    sampleTrigger = sample(startTime, samplePeriod);
    when sampleTrigger then
      firstTrigger = time <= startTime + samplePeriod/2;
    end when;
  end DiscreteBlock;

  partial block DiscreteSISO "Sampled block, one input, one output"
    extends DiscreteBlock;
    Modelica.Blocks.Interfaces.RealInput u "Input";
    Modelica.Blocks.Interfaces.RealOutput y "Output";
  end DiscreteSISO;

  partial block DiscreteMIMO "Sampled block, several inputs, several outputs"
    extends DiscreteBlock;
    parameter Integer nin=1 "Number of inputs";
    parameter Integer nout=1 "Number of outputs";
    Modelica.Blocks.Interfaces.RealInput u[nin] "Inputs";
    Modelica.Blocks.Interfaces.RealOutput y[nout] "Outputs";
  end DiscreteMIMO;

  partial block DiscreteMIMOs "Sampled block with as many outputs as inputs"
    parameter Integer n=1 "Number of inputs and of outputs";
    extends DiscreteBlock;
    Modelica.Blocks.Interfaces.RealInput u[n] "Inputs";
    Modelica.Blocks.Interfaces.RealOutput y[n] "Outputs";
  end DiscreteMIMOs;

  partial block SVdiscrete "Sampled controller"
    extends DiscreteBlock;
    Discrete.Sampler sampler_s(final samplePeriod=samplePeriod, final startTime=startTime);
    Discrete.Sampler sampler_m(final samplePeriod=samplePeriod, final startTime=startTime);
    Modelica.Blocks.Interfaces.RealInput u_s "Set point";
    Modelica.Blocks.Interfaces.RealInput u_m "Measured value";
    Modelica.Blocks.Interfaces.RealOutput y "Control output";
  equation
    connect(u_s, sampler_s.u);
    connect(u_m, sampler_m.u);
  end SVdiscrete;

  partial block MVdiscrete "Sampled controller with vectors"
    extends DiscreteBlock;
    parameter Integer nu_s=1 "Number of set points";
    parameter Integer nu_m=1 "Number of measured values";
    parameter Integer ny=1 "Number of control outputs";
    Discrete.Sampler sampler_s[nu_s](
      each final samplePeriod=samplePeriod,
      each final startTime=startTime);
    Discrete.Sampler sampler_m[nu_m](
      each final samplePeriod=samplePeriod,
      each final startTime=startTime);
    Modelica.Blocks.Interfaces.RealInput u_s[nu_s] "Set points";
    Modelica.Blocks.Interfaces.RealInput u_m[nu_m] "Measured values";
    Modelica.Blocks.Interfaces.RealOutput y[ny] "Control outputs";
  equation
    connect(u_s, sampler_s.u);
    connect(u_m, sampler_m.u);
  end MVdiscrete;

  partial block BooleanSISO "Boolean input, Boolean output"
    extends Modelica.Blocks.Icons.BooleanBlock;
    BooleanInput u "Input";
    BooleanOutput y "Output";
  end BooleanSISO;

  partial block BooleanMIMOs "As many Boolean outputs as inputs"
    extends Modelica.Blocks.Icons.BooleanBlock;
    parameter Integer n=1 "Number of inputs and of outputs";
    BooleanInput u[n] "Inputs";
    BooleanOutput y[n] "Outputs";
  end BooleanMIMOs;

  partial block MI2BooleanMOs "Two Real vectors, one Boolean vector"
    extends Modelica.Blocks.Icons.BooleanBlock;
    parameter Integer n=1 "Size of each vector";
    RealInput u1[n] "First inputs";
    RealInput u2[n] "Second inputs";
    BooleanOutput y[n] "Outputs";
  end MI2BooleanMOs;

  partial block SI2BooleanSO "Two Boolean inputs, one Boolean output"
    extends Modelica.Blocks.Icons.BooleanBlock;
    BooleanInput u1 "First input";
    BooleanInput u2 "Second input";
    BooleanOutput y "Output";
  end SI2BooleanSO;

  partial block BooleanSignalSource "Source of a Boolean signal"
    extends Modelica.Blocks.Icons.BooleanBlock;
    BooleanOutput y "Output";
  end BooleanSignalSource;

  partial block IntegerSO "One Integer output"
    extends Modelica.Blocks.Icons.IntegerBlock;
    IntegerOutput y "Output";
  end IntegerSO;

  partial block IntegerMO "Several Integer outputs"
    extends Modelica.Blocks.Icons.IntegerBlock;
    parameter Integer nout(min=1) = 1 "Number of outputs";
    IntegerOutput y[nout] "Outputs";
  end IntegerMO;

  partial block IntegerSignalSource "Source of an Integer signal over time"
    extends IntegerSO;
    parameter Integer offset=0 "Added to the output";
    parameter SI.Time startTime=0 "Before this time the output is the offset";
  end IntegerSignalSource;

  partial block IntegerSIBooleanSO "Integer input, Boolean output"
    extends Modelica.Blocks.Icons.BooleanBlock;
    IntegerInput u "Input";
    BooleanOutput y "Output";
  end IntegerSIBooleanSO;

  partial block IntegerMIBooleanMOs "Integer inputs, Boolean outputs"
    extends Modelica.Blocks.Icons.BooleanBlock;
    parameter Integer n=1 "Number of inputs and of outputs";
    IntegerInput u[n] "Inputs";
    BooleanOutput y[n] "Outputs";
  end IntegerMIBooleanMOs;

  partial block PartialIntegerSISO "Integer input, Integer output"
    Modelica.Blocks.Interfaces.IntegerInput u "Input";
    Modelica.Blocks.Interfaces.IntegerOutput y "Output";
  end PartialIntegerSISO;

  partial block PartialIntegerMISO "Integer vector input sized by its connections, one output"
    parameter Integer nu(min=0) = 0 "Number of inputs" annotation(HideResult=true);
    Modelica.Blocks.Interfaces.IntegerVectorInput u[nu] "Inputs";
    Modelica.Blocks.Interfaces.IntegerOutput y "Output";
  end PartialIntegerMISO;

  partial block partialBooleanSISO "Logical block, one input, one output"
    extends Modelica.Blocks.Icons.PartialBooleanBlock;
    Blocks.Interfaces.BooleanInput u "Input";
    Blocks.Interfaces.BooleanOutput y "Output";
  end partialBooleanSISO;

  partial block partialBooleanSI2SO "Logical block, two inputs, one output"
    extends Modelica.Blocks.Icons.PartialBooleanBlock;
    Blocks.Interfaces.BooleanInput u1 "First input";
    Blocks.Interfaces.BooleanInput u2 "Second input";
    Blocks.Interfaces.BooleanOutput y "Output";
  end partialBooleanSI2SO;

  partial block partialBooleanSI3SO "Logical block, three inputs, one output"
    extends Modelica.Blocks.Icons.PartialBooleanBlock;
    Blocks.Interfaces.BooleanInput u1 "First input";
    Blocks.Interfaces.BooleanInput u2 "Second input";
    Blocks.Interfaces.BooleanInput u3 "Third input";
    Blocks.Interfaces.BooleanOutput y "Output";
  end partialBooleanSI3SO;

  partial block partialBooleanSI "Logical block with one input"
    extends Modelica.Blocks.Icons.PartialBooleanBlock;
    Blocks.Interfaces.BooleanInput u "Input";
  end partialBooleanSI;

  partial block partialBooleanSO "Logical block with one output"
    extends Modelica.Blocks.Icons.PartialBooleanBlock;
    Blocks.Interfaces.BooleanOutput y "Output";
  end partialBooleanSO;

  partial block partialBooleanSource "Source of a Boolean signal"
    extends Modelica.Blocks.Icons.PartialBooleanBlock;
    Blocks.Interfaces.BooleanOutput y "Output";
  end partialBooleanSource;

  partial block partialBooleanThresholdComparison "Compare an input with a number"
    parameter Real threshold=0 "Number to compare with";
    Blocks.Interfaces.RealInput u "Input";
    Blocks.Interfaces.BooleanOutput y "Result";
  end partialBooleanThresholdComparison;

  partial block partialBooleanComparison "Compare two inputs"
    Blocks.Interfaces.RealInput u1 "Left side";
    Blocks.Interfaces.RealInput u2 "Right side";
    Blocks.Interfaces.BooleanOutput y "Result";
  end partialBooleanComparison;

  partial block PartialBooleanSISO_small "Boolean input, Boolean output"
    Modelica.Blocks.Interfaces.BooleanInput u "Input";
    Modelica.Blocks.Interfaces.BooleanOutput y "Output";
  end PartialBooleanSISO_small;

  partial block PartialBooleanMISO "Boolean vector input sized by its connections, one output"
    parameter Integer nu(min=0) = 0 "Number of inputs" annotation(HideResult=true);
    Modelica.Blocks.Interfaces.BooleanVectorInput u[nu] "Inputs";
    Modelica.Blocks.Interfaces.BooleanOutput y "Output";
  end PartialBooleanMISO;

  partial block PartialConversionBlock "Convert between units"
    RealInput u "Value in one unit";
    RealOutput y "Value in the other unit";
  end PartialConversionBlock;

  partial block PartialNoise "Base of random signals: a number is drawn at each sample"
    extends Modelica.Blocks.Interfaces.SO;
    parameter Modelica.Units.SI.Period samplePeriod(start=0.01) "Time between two numbers";
    parameter Boolean enableNoise=globalSeed.enableNoise "Make noise, else y = y_off";
    parameter Real y_off=0.0 "Output without noise";
    parameter Boolean useGlobalSeed=true "Let the global seed count";
    parameter Boolean useAutomaticLocalSeed=true "Local seed by the component's name";
    parameter Integer fixedLocalSeed=1 "Local seed, if not by name";
    parameter Modelica.Units.SI.Time startTime=0.0 "First sample";
    final parameter Integer localSeed(fixed=false) "Local seed in use";
  protected
    outer Modelica.Blocks.Noise.GlobalSeed globalSeed "Settings of all noise blocks";
    parameter Integer actualGlobalSeed=if useGlobalSeed then globalSeed.seed else 0;
    parameter Boolean generateNoise=enableNoise and globalSeed.enableNoise;
    Integer state[Modelica.Math.Random.Generators.Xorshift128plus.nState] "Of the generator";
    discrete Real r "Number of the wanted distribution";
    discrete Real r_raw "Uniform number between 0 and 1";
  initial equation
    localSeed = if useAutomaticLocalSeed
                then Modelica.Math.Random.Utilities.automaticLocalSeed(getInstanceName())
                else fixedLocalSeed;
    pre(state) = Modelica.Math.Random.Generators.Xorshift128plus.initialState(localSeed, actualGlobalSeed);
    r_raw = Modelica.Math.Random.Generators.Xorshift128plus.random(pre(state));
  equation
    when generateNoise and sample(startTime, samplePeriod) then
      (r_raw, state) = Modelica.Math.Random.Generators.Xorshift128plus.random(pre(state));
    end when;
    y = if generateNoise and time >= startTime then r else y_off;
  end PartialNoise;
end Interfaces;
