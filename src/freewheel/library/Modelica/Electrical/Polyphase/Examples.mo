within Modelica.Electrical.Polyphase;
package Examples "Circuits that run"
  extends Modelica.Icons.ExamplesPackage;

  model Rectifier "Three phases, six ideal diodes, an inductive load"
    extends Modelica.Icons.Example;
    parameter Integer m=3 "Number of phases";
    Sources.SineVoltage mains(m=m, V=fill(325, m), f=fill(50, m));
    Basic.Star neutral(m=m);
    Modelica.Electrical.Analog.Basic.Ground ground;
    Ideal.IdealDiode upper(m=m, Ron=zeros(m), Goff=zeros(m), Vknee=zeros(m));
    Ideal.IdealDiode lower(m=m, Ron=zeros(m), Goff=zeros(m), Vknee=zeros(m));
    Basic.Star plus(m=m);
    Basic.Star minus(m=m);
    Modelica.Electrical.Analog.Basic.Resistor R(R=10);
    Modelica.Electrical.Analog.Basic.Inductor L(L=0.05, i(start=0, fixed=true));
  equation
    connect(mains.plug_n, neutral.plug_p);
    connect(neutral.pin_n, ground.p);
    connect(mains.plug_p, upper.plug_p);
    connect(upper.plug_n, plus.plug_p);
    connect(mains.plug_p, lower.plug_n);
    connect(lower.plug_p, minus.plug_p);
    connect(plus.pin_n, R.p);
    connect(R.n, L.p);
    connect(L.n, minus.pin_n);
    annotation(experiment(StopTime=0.1));
  end Rectifier;

  model TransformerYD "Three phases through a transformer in star and delta to a resistor"
    extends Modelica.Icons.Example;
    Sources.SineVoltage mains(V=fill(100, 3), f=fill(50, 3));
    Basic.Star neutral;
    Modelica.Electrical.Analog.Basic.Ground ground;
    Ideal.IdealTransformer transformer(n=fill(2, 3));
    Basic.Star star;
    Basic.Resistor winding(R=fill(0.1, 3)) "Fixes the current around the delta";
    Basic.Delta delta;
    Basic.Resistor load(R=fill(10, 3));
    Basic.Star middle;
    Modelica.Electrical.Analog.Basic.Ground loadGround;
  equation
    connect(mains.plug_n, neutral.plug_p);
    connect(neutral.pin_n, ground.p);
    connect(mains.plug_p, transformer.plug_p1);
    connect(transformer.plug_n1, star.plug_p);
    connect(star.pin_n, ground.p);
    connect(transformer.plug_p2, winding.plug_p);
    connect(winding.plug_n, delta.plug_p);
    connect(transformer.plug_n2, delta.plug_n);
    connect(winding.plug_n, load.plug_p);
    connect(load.plug_n, middle.plug_p);
    connect(middle.pin_n, loadGround.p);
    annotation(experiment(StopTime=0.1));
  end TransformerYD;
end Examples;
