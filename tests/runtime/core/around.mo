package Around "What may stand around an implicit core"
  model Rectifier "Inductor and ideal diode: the number of states changes with the diode"
    Modelica.Electrical.Analog.Sources.SineVoltage V(V=10, f=50);
    Modelica.Electrical.Analog.Ideal.IdealDiode D(Ron=0, Goff=0, Vknee=0);
    Modelica.Electrical.Analog.Basic.Inductor L(L=0.01, i(fixed=true, start=0));
    Modelica.Electrical.Analog.Basic.Capacitor C(C=1e-3, v(fixed=true, start=0));
    Modelica.Electrical.Analog.Basic.Resistor R(R=50);
    Modelica.Electrical.Analog.Basic.Ground ground;
  equation
    connect(V.p, L.p);
    connect(L.n, D.p);
    connect(D.n, C.p);
    connect(C.n, V.n);
    connect(R.p, C.p);
    connect(R.n, C.n);
    connect(V.n, ground.p);
    annotation(experiment(StopTime=0.1, Interval=1e-3));
  end Rectifier;

  model Discharged "A state of the core is set anew"
    extends Rectifier;
    Integer count(start=0, fixed=true);
  equation
    when C.v > 6 then
      reinit(C.v, 2);
      count = pre(count) + 1;
    end when;
  end Discharged;

  model Listening "A delay, a root and an algorithm behind the core"
    extends Rectifier;
    Real late = delay(C.v, 0.005);
    Real e(start=0, fixed=true), w(start=1, fixed=true), p;
  algorithm
    p := 0;
    for i in 1:3 loop
      p := p + C.v^i;
    end for;
  equation
    der(e) = 100*(late - e);
    der(w) = -w*sqrt(abs(C.v));
  end Listening;

  model Driven "The source is an input"
    input Real u;
    Modelica.Electrical.Analog.Sources.SignalVoltage V;
    Modelica.Electrical.Analog.Ideal.IdealDiode D(Ron=0, Goff=0, Vknee=0);
    Modelica.Electrical.Analog.Basic.Inductor L(L=0.01, i(fixed=true, start=0));
    Modelica.Electrical.Analog.Basic.Resistor R(R=5);
    Modelica.Electrical.Analog.Basic.Ground ground;
  equation
    V.v = u;
    connect(V.p, L.p);
    connect(L.n, D.p);
    connect(D.n, R.p);
    connect(R.n, V.n);
    connect(V.n, ground.p);
    annotation(experiment(StopTime=0.1, Interval=1e-3));
  end Driven;

  model Saturating "The state is the flux, what is given at the start is the current"
    Real v, i(start=0.5, fixed=true), psi, s, vd;
    Boolean off = s < 0;
  equation
    psi = 0.05*tanh(i/2) + 0.01*i;
    v = 100*sin(2*3.14159265358979*50*time);
    v = vd + der(psi) + 10*i;
    vd = s*(if off then 1 else 0);
    i = s*(if off then 0 else 1);
    annotation(experiment(StopTime=0.03, Interval=1e-4));
  end Saturating;

  model Restless "A switch that its own voltage closes"
    Modelica.Electrical.Analog.Sources.ConstantVoltage V(V=24);
    Modelica.Electrical.Analog.Ideal.IdealClosingSwitch S(Ron=0, Goff=0);
    Modelica.Electrical.Analog.Basic.Inductor L(L=1e-3, i(fixed=true, start=0));
    Modelica.Electrical.Analog.Basic.Resistor R(R=2);
    Modelica.Electrical.Analog.Basic.Ground ground;
  equation
    connect(V.p, S.p);
    connect(S.n, L.p);
    connect(L.n, R.p);
    connect(R.n, V.n);
    connect(V.n, ground.p);
    S.control = S.v > 1;
  end Restless;

  model FallingBall "A ball falls straight down until its string is taut, then swings: index 1, then 3"
    Real x(start=0.6, fixed=true), y(start=0, fixed=true);
    Real vx(start=0, fixed=true), vy(start=0, fixed=true), force, slack, s;
    Boolean loose = s < 0;
  equation
    der(x) = vx;
    der(y) = vy;
    der(vx) = -force*x;
    der(vy) = -force*y - 9.81;
    slack = 1 - (x^2 + y^2);
    force = if loose then 0 else s;
    slack = if loose then -s else 0;
    annotation(experiment(StopTime=2));
  end FallingBall;

  model Interrupted "An inductor is opened while it carries current"
    Modelica.Electrical.Analog.Sources.ConstantVoltage V(V=24);
    Modelica.Electrical.Analog.Ideal.IdealOpeningSwitch S(Ron=0, Goff=0);
    Modelica.Electrical.Analog.Basic.Inductor L(L=1e-3, i(fixed=true, start=0));
    Modelica.Electrical.Analog.Basic.Resistor R(R=2);
    Modelica.Electrical.Analog.Basic.Ground ground;
  equation
    connect(V.p, S.p);
    connect(S.n, L.p);
    connect(L.n, R.p);
    connect(R.n, V.n);
    connect(V.n, ground.p);
    S.control = time > 0.005;
    annotation(experiment(StopTime=0.01));
  end Interrupted;
end Around;
