within Modelica.Electrical.Polyphase;
package Sources "Voltages and currents given in each phase"
  extends Modelica.Icons.SourcesPackage;

  model SignalVoltage "Voltages by signal"
    parameter Integer m(min=1) = 3 "Number of phases" annotation(Evaluate=true);
    SI.Current i[m]=plug_p.pin.i "Currents";
    Interfaces.PositivePlug plug_p(final m=m);
    Interfaces.NegativePlug plug_n(final m=m);
    Modelica.Blocks.Interfaces.RealInput v[m](each unit="V") "Voltages from plug_p to plug_n";
    Modelica.Electrical.Analog.Sources.SignalVoltage signalVoltage[m];
  equation
    connect(plug_p.pin, signalVoltage.p);
    connect(plug_n.pin, signalVoltage.n);
    connect(v, signalVoltage.v);
  end SignalVoltage;

  model ConstantVoltage "Constant voltages"
    extends Interfaces.TwoPlug;
    parameter SI.Voltage V[m](start=fill(1, m)) "Voltages";
    Modelica.Electrical.Analog.Sources.ConstantVoltage constantVoltage[m](final V=V);
  equation
    connect(plug_p.pin, constantVoltage.p);
    connect(plug_n.pin, constantVoltage.n);
  end ConstantVoltage;

  model SineVoltage "Sine voltages, by default a symmetric system"
    extends Interfaces.TwoPlug;
    parameter SI.Voltage V[m](start=fill(1, m)) "Amplitudes";
    parameter SI.Angle phase[m]=-Functions.symmetricOrientation(m) "Phase angles";
    parameter SI.Frequency f[m](start=fill(1, m)) "Frequencies";
    parameter SI.Voltage offset[m]=zeros(m) "Added to the voltages";
    parameter SI.Time startTime[m]=zeros(m) "Times at which the waves begin";
    Modelica.Electrical.Analog.Sources.SineVoltage sineVoltage[m](
      final V=V,
      final phase=phase,
      final f=f,
      final offset=offset,
      final startTime=startTime);
  equation
    connect(plug_p.pin, sineVoltage.p);
    connect(plug_n.pin, sineVoltage.n);
  end SineVoltage;

  model CosineVoltage "Cosine voltages, by default a symmetric system"
    extends Interfaces.TwoPlug;
    parameter SI.Voltage V[m](start=fill(1, m)) "Amplitudes";
    parameter SI.Angle phase[m]=-Functions.symmetricOrientation(m) "Phase angles";
    parameter SI.Frequency f[m](start=fill(1, m)) "Frequencies";
    parameter SI.Voltage offset[m]=zeros(m) "Added to the voltages";
    parameter SI.Time startTime[m]=zeros(m) "Times at which the waves begin";
    Modelica.Electrical.Analog.Sources.CosineVoltage cosineVoltage[m](
      final V=V,
      final phase=phase,
      final f=f,
      final offset=offset,
      final startTime=startTime);
  equation
    connect(plug_p.pin, cosineVoltage.p);
    connect(plug_n.pin, cosineVoltage.n);
  end CosineVoltage;

  model SignalCurrent "Currents by signal"
    parameter Integer m(min=1) = 3 "Number of phases" annotation(Evaluate=true);
    SI.Voltage v[m]=plug_p.pin.v - plug_n.pin.v "Voltages";
    Interfaces.PositivePlug plug_p(final m=m);
    Interfaces.NegativePlug plug_n(final m=m);
    Modelica.Blocks.Interfaces.RealInput i[m](each unit="A") "Currents from plug_p to plug_n";
    Modelica.Electrical.Analog.Sources.SignalCurrent signalCurrent[m];
  equation
    connect(plug_p.pin, signalCurrent.p);
    connect(plug_n.pin, signalCurrent.n);
    connect(i, signalCurrent.i);
  end SignalCurrent;

  model ConstantCurrent "Constant currents"
    extends Interfaces.TwoPlug;
    parameter SI.Current I[m](start=fill(1, m)) "Currents";
    Modelica.Electrical.Analog.Sources.ConstantCurrent constantCurrent[m](final I=I);
  equation
    connect(plug_p.pin, constantCurrent.p);
    connect(plug_n.pin, constantCurrent.n);
  end ConstantCurrent;

  model SineCurrent "Sine currents, by default a symmetric system"
    extends Interfaces.TwoPlug;
    parameter SI.Current I[m](start=fill(1, m)) "Amplitudes";
    parameter SI.Angle phase[m]=-Functions.symmetricOrientation(m) "Phase angles";
    parameter SI.Frequency f[m](start=fill(1, m)) "Frequencies";
    parameter SI.Current offset[m]=zeros(m) "Added to the currents";
    parameter SI.Time startTime[m]=zeros(m) "Times at which the waves begin";
    Modelica.Electrical.Analog.Sources.SineCurrent sineCurrent[m](
      final I=I,
      final phase=phase,
      final f=f,
      final offset=offset,
      final startTime=startTime);
  equation
    connect(plug_p.pin, sineCurrent.p);
    connect(plug_n.pin, sineCurrent.n);
  end SineCurrent;

  model CosineCurrent "Cosine currents, by default a symmetric system"
    extends Interfaces.TwoPlug;
    parameter SI.Current I[m](start=fill(1, m)) "Amplitudes";
    parameter SI.Angle phase[m]=-Functions.symmetricOrientation(m) "Phase angles";
    parameter SI.Frequency f[m](start=fill(1, m)) "Frequencies";
    parameter SI.Current offset[m]=zeros(m) "Added to the currents";
    parameter SI.Time startTime[m]=zeros(m) "Times at which the waves begin";
    Modelica.Electrical.Analog.Sources.CosineCurrent cosineCurrent[m](
      final I=I,
      final phase=phase,
      final f=f,
      final offset=offset,
      final startTime=startTime);
  equation
    connect(plug_p.pin, cosineCurrent.p);
    connect(plug_n.pin, cosineCurrent.n);
  end CosineCurrent;
end Sources;
