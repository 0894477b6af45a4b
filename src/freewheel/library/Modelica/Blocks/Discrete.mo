within Modelica.Blocks;
package Discrete "Sampled blocks with a fixed period"
  extends Modelica.Icons.Package;
  import Modelica.Units.SI;

  block Sampler "Takes the input at sample instants"
    extends Interfaces.DiscreteSISO(y(start=0, fixed=true));
  equation
    when {sampleTrigger, initial()} then
      y = if time >= startTime then u else pre(y);
    end when;
  end Sampler;

  block ZeroOrderHold "Sampler followed by a hold"
    extends Interfaces.DiscreteSISO;
    output Real ySample(start=0, fixed=true) "Last sample";
  equation
    when {sampleTrigger, initial()} then
      ySample = if time >= startTime then u else pre(ySample);
    end when;
    // pre breaks loops through direct feed-through and costs no time.
    y = pre(ySample);
  end ZeroOrderHold;

  block FirstOrderHold "Straight line through the last two samples"
    extends Modelica.Blocks.Interfaces.DiscreteSISO;
  protected
    SI.Time tSample "Time of the last sample";
    Real uSample "Last sample";
    Real pre_uSample "Sample before";
    Real c "Slope";
  initial equation
    pre(tSample) = time;
    pre(uSample) = u;
    pre(pre_uSample) = u;
    pre(c) = 0.0;
  equation
    when sampleTrigger then
      tSample = time;
      uSample = u;
      pre_uSample = pre(uSample);
      c = if firstTrigger then 0 else (uSample - pre_uSample)/samplePeriod;
    end when;
    y = pre_uSample + pre(c)*(time - tSample);
  end FirstOrderHold;

  block UnitDelay "The input one sample ago"
    parameter Real y_start=0 "First output";
    extends Interfaces.DiscreteSISO;
  initial equation
    y = y_start;
  equation
    when sampleTrigger then
      y = pre(u);
    end when;
  end UnitDelay;

  block TransferFunction "Discrete transfer function b(z)/a(z), coefficients from the highest power"
    parameter Real b[:]={1} "Numerator";
    parameter Real a[:]={1} "Denominator";
    extends Interfaces.DiscreteSISO;
    output Real x[size(a, 1) - 1](each start=0, each fixed=true) "State";
  protected
    parameter Integer nb=size(b, 1);
    parameter Integer na=size(a, 1);
    Real x1(start=0, fixed=true) "New first element of the state";
    Real xext[size(a, 1)](each start=0, each fixed=true) "New element and old state";
  equation
    when sampleTrigger then
      x1 = (u - a[2:size(a, 1)]*pre(x))/a[1];
      xext = vector([x1; pre(x)]);
      x = xext[1:size(x, 1)];
      y = vector([zeros(na - nb, 1); b])*xext;
    end when;
  end TransferFunction;

  block StateSpace "Discrete linear system"
    parameter Real A[:, size(A, 1)]=[1, 0; 0, 1] "System matrix";
    parameter Real B[size(A, 1), :]=[1; 1] "Input matrix";
    parameter Real C[:, size(A, 1)]=[1, 1] "Output matrix";
    parameter Real D[size(C, 1), size(B, 2)]=zeros(size(C, 1), size(B, 2)) "Feed-through";
    extends Interfaces.DiscreteMIMO(final nin=size(B, 2), final nout=size(C, 1));
    output Real x[size(A, 1)] "State";
  equation
    when sampleTrigger then
      x = A*pre(x) + B*u;
      y = C*pre(x) + D*u;
    end when;
  end StateSpace;

  block TriggeredSampler "Takes the input when triggered"
    extends Modelica.Blocks.Icons.DiscreteBlock;
    parameter Real y_start=0 "First output";
    Modelica.Blocks.Interfaces.RealInput u "Input";
    Modelica.Blocks.Interfaces.RealOutput y "Output";
    Modelica.Blocks.Interfaces.BooleanInput trigger "Takes on its rising edge";
  initial equation
    y = y_start;
  equation
    when trigger then
      y = u;
    end when;
  end TriggeredSampler;

  block TriggeredMax "Largest absolute input of all triggered instants"
    extends Modelica.Blocks.Icons.DiscreteBlock;
    Modelica.Blocks.Interfaces.RealInput u "Input";
    Modelica.Blocks.Interfaces.RealOutput y "Output";
    Modelica.Blocks.Interfaces.BooleanInput trigger "Takes on its rising edge";
  initial equation
    y = 0;
  equation
    when trigger then
      y = max(pre(y), abs(u));
    end when;
  end TriggeredMax;
end Discrete;
