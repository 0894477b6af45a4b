within Modelica.Electrical.Analog;
package Examples "Small circuits to try"
  extends Modelica.Icons.ExamplesPackage;

  model LowPass "Two RC sections behind a pulse source"
    extends Modelica.Icons.Example;
    Modelica.Electrical.Analog.Sources.PulseVoltage source(V=5, width=50, period=0.02);
    Modelica.Electrical.Analog.Basic.Resistor R1(R=1000);
    Modelica.Electrical.Analog.Basic.Resistor R2(R=1000);
    Modelica.Electrical.Analog.Basic.Capacitor C1(C=1e-6, v(start=0, fixed=true));
    Modelica.Electrical.Analog.Basic.Capacitor C2(C=1e-6, v(start=0, fixed=true));
    Modelica.Electrical.Analog.Basic.Ground ground;
  equation
    connect(source.p, R1.p);
    connect(R1.n, R2.p);
    connect(R1.n, C1.p);
    connect(R2.n, C2.p);
    connect(C1.n, ground.p);
    connect(C2.n, ground.p);
    connect(source.n, ground.p);
    annotation(experiment(StopTime=0.1));
  end LowPass;

  model Resonance "A series resonant circuit driven at its own frequency of 50.3 Hz"
    extends Modelica.Icons.Example;
    Modelica.Electrical.Analog.Sources.SineVoltage source(V=1, f=50.329);
    Modelica.Electrical.Analog.Basic.Resistor R(R=5);
    Modelica.Electrical.Analog.Basic.Inductor L(L=1, i(start=0, fixed=true));
    Modelica.Electrical.Analog.Basic.Capacitor C(C=1e-5, v(start=0, fixed=true));
    Modelica.Electrical.Analog.Basic.Ground ground;
  equation
    connect(source.p, R.p);
    connect(R.n, L.p);
    connect(L.n, C.p);
    connect(C.n, source.n);
    connect(source.n, ground.p);
    annotation(experiment(StopTime=2, Interval=1e-3));
  end Resonance;

  model BridgeRectifier "Four diodes, a smoothing capacitor and a load"
    extends Modelica.Icons.Example;
    Modelica.Electrical.Analog.Sources.SineVoltage source(V=12, f=50);
    Modelica.Electrical.Analog.Basic.Resistor line(R=0.5);
    Modelica.Electrical.Analog.Ideal.IdealDiode D1(Vknee=0.7);
    Modelica.Electrical.Analog.Ideal.IdealDiode D2(Vknee=0.7);
    Modelica.Electrical.Analog.Ideal.IdealDiode D3(Vknee=0.7);
    Modelica.Electrical.Analog.Ideal.IdealDiode D4(Vknee=0.7);
    Modelica.Electrical.Analog.Basic.Capacitor C(C=2e-3, v(start=0, fixed=true));
    Modelica.Electrical.Analog.Basic.Resistor load(R=50);
    Modelica.Electrical.Analog.Basic.Ground ground;
  equation
    connect(source.p, line.p);
    connect(line.n, D1.p);
    connect(line.n, D2.n);
    connect(source.n, D3.p);
    connect(source.n, D4.n);
    connect(D1.n, D3.n);
    connect(D1.n, C.p);
    connect(C.p, load.p);
    connect(D2.p, D4.p);
    connect(D2.p, C.n);
    connect(C.n, load.n);
    connect(C.n, ground.p);
    annotation(experiment(StopTime=0.1, Interval=1e-4));
  end BridgeRectifier;

  model WarmResistor "A resistor that heats itself and so grows its resistance"
    extends Modelica.Icons.Example;
    Modelica.Electrical.Analog.Sources.ConstantVoltage source(V=230);
    Modelica.Electrical.Analog.Basic.Resistor filament(
      R=50,
      T_ref=293.15,
      alpha=4e-3,
      useHeatPort=true);
    Modelica.Electrical.Analog.Basic.Ground ground;
    Modelica.Thermal.HeatTransfer.Components.HeatCapacitor body(
      C=5,
      T(start=293.15, fixed=true));
    Modelica.Thermal.HeatTransfer.Components.ThermalConductor cooling(G=1);
    Modelica.Thermal.HeatTransfer.Sources.FixedTemperature surroundings(T=293.15);
  equation
    connect(source.p, filament.p);
    connect(filament.n, source.n);
    connect(source.n, ground.p);
    connect(filament.heatPort, body.port);
    connect(body.port, cooling.port_a);
    connect(cooling.port_b, surroundings.port);
    annotation(experiment(StopTime=30));
  end WarmResistor;
end Examples;
