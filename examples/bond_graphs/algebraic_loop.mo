// Fig. 21 of Wainer and D'Abreu (2015; see mcd_fig1.mo): two resistors in series make an algebraic
// loop, a capacitor beside one of them breaks it. `freewheel bondgraph` tells the closed causal path.
package AlgebraicLoop
  model Divider "R1 and R2 must be solved together"
    Modelica.Electrical.Analog.Sources.SineVoltage V(V=10, f=0.2);
    Modelica.Electrical.Analog.Basic.Resistor R1(R=1);
    Modelica.Electrical.Analog.Basic.Resistor R2(R=2);
    Modelica.Electrical.Analog.Basic.Ground ground;
  equation
    connect(V.p, R1.p);
    connect(R1.n, R2.p);
    connect(R2.n, V.n);
    connect(V.n, ground.p);
    annotation(experiment(StopTime=10, Interval=0.02));
  end Divider;

  model Broken "The voltage of C is known, so is each current"
    extends Divider;
    Modelica.Electrical.Analog.Basic.Capacitor C(C=0.5);
  equation
    connect(R1.n, C.p);
    connect(C.n, V.n);
  end Broken;
end AlgebraicLoop;
