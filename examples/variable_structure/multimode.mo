// Thirteen models whose number of states changes while they run, each with a known answer. Where they come
// from, how the answers were derived and what other programs do with them: docs/multimode.md.
package Multimode "Models with several modes and known answers"
  model M1 "One state, then none: x(1) = -5"
    Real x;
  equation
    if time < 0.5 then
      der(x) = 10;
    else
      x = -5;
    end if;
    annotation(experiment(StopTime=1));
  end M1;

  model M2 "One state, then two: b(4) = 3"
    Real a(start=1), b;
  equation
    der(a) = 1;
    if time <= 3 then
      b = a;
    else
      der(b) = -1;
    end if;
    annotation(experiment(StopTime=4));
  end M2;

  model M3 "Equations change places between branches: a = b = 0 after 10 s"
    Boolean running(start=true);
    Real a(start=2), b(start=10);
  equation
    if running then
      a = time + 2;
      der(b) = -1;
    else
      b = 0;
      a = 0;
    end if;
    when time > 10 then
      running = false;
    end when;
    annotation(experiment(StopTime=12));
  end M3;

  model M4 "No state, then one: x(1) = 102.5"
    Real x;
  equation
    if time <= 0.5 then
      x = 100;
    else
      der(x) = 5;
    end if;
    annotation(experiment(StopTime=1));
  end M4;

  model M5 "Ideal clutch, closed from 5 to 7 s: momentum is conserved"
    parameter Real J1 = 1, J2 = 2, d1 = 0.01, d2 = 0.0125;
    Real w1(start=1, fixed=true), w2(start=1.5, fixed=true), tau1, tau2;
    Boolean closed = time >= 5 and time < 7;
  equation
    J1*der(w1) = -d1*w1 + tau1;
    J2*der(w2) = -d2*w2 + tau2;
    if closed then
      w1 - w2 = 0;
      tau1 + tau2 = 0;
    else
      tau1 = 0;
      tau2 = 0;
    end if;
    annotation(experiment(StopTime=10));
  end M5;

  model M6 "Motor with a capacitor across it, and a clutch: charge and momentum move together"
    parameter Real V = 10, J1 = 0.1, J2 = 0.4, R = 10, C = 2, k = 0.25;
    Real v(start=0, fixed=true), w1, w2(start=10, fixed=true), iR, iC, iM, tau;
    Boolean closed = time < 100 or time >= 300;
  equation
    R*iR = V - v;
    iR = iC + iM;
    C*der(v) = iC;
    v = k*w1;
    J1*der(w1) = k*iM - tau;
    J2*der(w2) = tau;
    if closed then
      w1 = w2;
    else
      tau = 0;
    end if;
    annotation(experiment(StopTime=500));
  end M6;

  model M7 "Pendulum in Cartesian coordinates that breaks at 5 s: index 3, then 0"
    parameter Real L = 1, g = 9.81, pi = 3.14159265358979323846;
    Real x(start=L*sin(pi/4), fixed=true), y(start=-L*cos(pi/4));
    Real vx(start=0, fixed=true), vy, F;
  equation
    der(x) = vx;
    der(y) = vy;
    der(vx) = -F*x;
    der(vy) = -F*y - g;
    if time < 5 then
      x^2 + y^2 = L^2;
    else
      F = 0;
    end if;
    annotation(experiment(StopTime=6));
  end M7;

  model M8 "Half-wave rectifier with an inductor: its current is a state half of the time"
    constant Real pi = 3.14159265358979323846;
    parameter Real L = 1, C = 1, R = 1;
    Real u, i(start=0, fixed=true), v(start=0, fixed=true), ud, s;
  equation
    u = sin(2*pi*time);
    u = L*der(i) + ud + v;
    C*der(v) = i - v/R;
    ud = if s < 0 then s else 0;
    i = if s < 0 then 0 else s;
    annotation(experiment(StopTime=10));
  end M8;

  model M9 "Cup and ball: free, then on a taut string; the impact is taken as inelastic"
    parameter Real L = 1, g = 9.81;
    Real x(start=0.5, fixed=true), y(start=-0.2, fixed=true);
    Real vx(start=0, fixed=true), vy(start=0, fixed=true), F, s;
    Boolean slack = s > 0;
  equation
    der(x) = vx;
    der(y) = vy;
    der(vx) = -F*x;
    der(vy) = -F*y - g;
    L^2 - x^2 - y^2 = if slack then s else 0;
    F = if slack then 0 else -s;
    annotation(experiment(StopTime=1));
  end M9;

  model M10 "RLDC2: two branches L-D and two branches R-C in parallel: 4, 3, 3 or 2 states"
    Real i1, i2, j1(start=1, fixed=true), j2(start=0.5, fixed=true), u1, u2;
    Real v1(start=0, fixed=true), v2(start=0, fixed=true), w1, w2, x1, x2, s1, s2;
    Boolean on1 = s1 >= 0, on2 = s2 >= 0;
  equation
    0 = i1 + i2 + j1 + j2;
    x1 + w1 = u1 + v1;
    u1 + v1 = u2 + v2;
    u2 + v2 = x2 + w2;
    w1 = der(j1);
    w2 = der(j2);
    i1 = der(v1);
    i2 = der(v2);
    u1 = i1;
    u2 = i2;
    s1 = if on1 then j1 else x1;
    s2 = if on2 then j2 else x2;
    0 = if on1 then x1 else j1;
    0 = if on2 then x2 else j2;
    annotation(experiment(StopTime=3));
  end M10;

  model M11 "Resonator with a resistor and a diode across it"
    Modelica.Electrical.Analog.Basic.Capacitor C(C=1e-6, v(start=10, fixed=true));
    Modelica.Electrical.Analog.Basic.Inductor L(L=1e-2, i(start=0, fixed=true));
    Modelica.Electrical.Analog.Basic.Resistor R(R=1e3);
    Modelica.Electrical.Analog.Ideal.IdealDiode D(Ron=0, Goff=0, Vknee=0);
    Modelica.Electrical.Analog.Basic.Ground ground;
  equation
    connect(C.p, L.p);
    connect(C.p, R.p);
    connect(R.n, D.p);
    connect(D.n, ground.p);
    connect(C.n, ground.p);
    connect(L.n, ground.p);
    annotation(experiment(StopTime=5e-3));
  end M11;

  model M12 "Resonator with a bridge: the load floats while all diodes block"
    Modelica.Electrical.Analog.Basic.Capacitor C(C=1e-6, v(start=10, fixed=true));
    Modelica.Electrical.Analog.Basic.Inductor L(L=1e-2, i(start=0, fixed=true));
    Modelica.Electrical.Analog.Basic.Resistor R(R=1e3);
    Modelica.Electrical.Analog.Ideal.IdealDiode D1(Ron=0, Goff=0, Vknee=0), D2(Ron=0, Goff=0, Vknee=0);
    Modelica.Electrical.Analog.Ideal.IdealDiode D3(Ron=0, Goff=0, Vknee=0), D4(Ron=0, Goff=0, Vknee=0);
    Modelica.Electrical.Analog.Basic.Ground ground;
  equation
    connect(C.p, L.p);
    connect(C.n, ground.p);
    connect(L.n, ground.p);
    connect(D1.p, C.p);
    connect(D2.p, ground.p);
    connect(D1.n, R.p);
    connect(D2.n, R.p);
    connect(D3.p, R.n);
    connect(D4.p, R.n);
    connect(D3.n, C.p);
    connect(D4.n, ground.p);
    annotation(experiment(StopTime=5e-3));
  end M12;

  model M13 "The same with 300 nF behind the bridge, empty at the start: an impulse"
    extends M12;
    Modelica.Electrical.Analog.Basic.Capacitor F(C=300e-9, v(start=0, fixed=true));
  equation
    connect(F.p, R.p);
    connect(F.n, R.n);
  end M13;
end Multimode;
