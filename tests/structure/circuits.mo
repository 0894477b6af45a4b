package Circuits "Networks with ideal elements: nothing leaks"
  import Modelica.Electrical.Analog.Basic.*;
  import Modelica.Electrical.Analog.Ideal.*;
  import Modelica.Electrical.Analog.Sources.*;
  model Diode = IdealDiode(Ron=0, Goff=0, Vknee=0);
  model Closer = IdealClosingSwitch(Ron=0, Goff=0);
  model Opener = IdealOpeningSwitch(Ron=0, Goff=0);

  model Rectifier "Source, diode, capacitor with load"
    SineVoltage u0(V=10, f=50);
    replaceable Diode D;
    Capacitor C(C=1e-3, v(start=0, fixed=true));
    Resistor RL(R=50);
    Ground g;
  equation
    connect(D.n, C.p); connect(C.p, RL.p); connect(C.n, g.p); connect(RL.n, g.p);
    connect(u0.n, g.p);
  end Rectifier;

  model HalfWave
    extends Rectifier;
    Resistor Ri(R=10);
  equation
    connect(u0.p, Ri.p); connect(Ri.n, D.p);
  end HalfWave;

  model HalfWaveL "Inductor in series with the diode: L.i is no state while it blocks"
    extends Rectifier;
    Inductor L(L=0.01, i(start=0, fixed=true));
  equation
    connect(u0.p, L.p); connect(L.n, D.p);
  end HalfWaveL;

  model LeakyHalfWaveL
    extends HalfWaveL(D(Ron=1e-5, Goff=1e-5));
  end LeakyHalfWaveL;

  model PeakDetector "No resistor: C.v is no state while the diode conducts"
    extends Rectifier;
  equation
    connect(u0.p, D.p);
  end PeakDetector;

  partial model Bridge
    SineVoltage u0(V=10, f=50);
    Diode D1, D2, D3, D4;
    Capacitor C(C=1e-3, v(start=0, fixed=true));
    Resistor RL(R=50);
    Ground g;
  equation
    connect(D1.n, C.p); connect(D2.n, C.p); connect(C.p, RL.p);
    connect(D3.p, g.p); connect(D4.p, g.p); connect(C.n, g.p); connect(RL.n, g.p);
    connect(D3.n, D1.p); connect(D4.n, D2.p); connect(u0.n, D2.p);
  end Bridge;

  model BridgeR
    extends Bridge;
    Resistor Ri(R=1);
  equation
    connect(u0.p, Ri.p); connect(Ri.n, D1.p);
  end BridgeR;

  model BridgeL
    extends Bridge;
    Inductor L(L=2e-3, i(start=0, fixed=true));
  equation
    connect(u0.p, L.p); connect(L.n, D1.p);
  end BridgeL;

  model Boost
    ConstantVoltage Vin(V=5);
    Inductor L(L=5e-5, i(start=0, fixed=true));
    Closer Sw;
    Diode D;
    Capacitor C(C=1e-5, v(start=5, fixed=true));
    Resistor R(R=200);
    Ground g;
    Modelica.Blocks.Sources.BooleanPulse pulse(width=40, period=5e-5);
  equation
    connect(Vin.p, L.p); connect(L.n, Sw.p); connect(L.n, D.p); connect(D.n, C.p); connect(C.p, R.p);
    connect(Vin.n, g.p); connect(Sw.n, g.p); connect(C.n, g.p); connect(R.n, g.p);
    connect(pulse.y, Sw.control);
  end Boost;

  model TwoInductors "Opening the switch puts both in series"
    ConstantVoltage V(V=10);
    Resistor R1(R=5), R2(R=10);
    Inductor L1(L=0.1, i(start=0, fixed=true)), L2(L=0.3, i(start=0, fixed=true));
    Opener Sw;
    Ground g;
  equation
    connect(V.p, R1.p); connect(R1.n, L1.p); connect(L1.n, L2.p); connect(L2.n, R2.p);
    connect(L1.n, Sw.p); connect(Sw.n, g.p); connect(R2.n, g.p); connect(V.n, g.p);
    Sw.control = time >= 0.05 and time < 0.12;
  end TwoInductors;

  model TwoCapacitors "Closing the switch puts both in parallel"
    Capacitor C1(C=1e-3, v(start=10, fixed=true)), C2(C=3e-3, v(start=2, fixed=true));
    Closer Sw;
    Resistor R2(R=100);
    Ground g;
  equation
    connect(C1.p, Sw.p); connect(Sw.n, C2.p); connect(C2.p, R2.p);
    connect(C1.n, g.p); connect(C2.n, g.p); connect(R2.n, g.p);
    Sw.control = time >= 0.1 and time < 0.5;
  end TwoCapacitors;

  model ThyristorL
    SineVoltage u0(V=10, f=50);
    Inductor L(L=0.01, i(start=0, fixed=true));
    IdealThyristor T(Ron=0, Goff=0, Vknee=0);
    Resistor R(R=5);
    Ground g;
  equation
    connect(u0.p, L.p); connect(L.n, T.p); connect(T.n, R.p); connect(R.n, g.p); connect(u0.n, g.p);
    T.fire = sin(314*time) > 0.5;
  end ThyristorL;

  model Clutch
    Real w1(start=0, fixed=true), w2(start=3, fixed=true), tau;
    Boolean locked = time >= 2 and time < 4;
  equation
    der(w1) = 5 - tau;
    2*der(w2) = tau - 0.4*w2;
    0 = if locked then w1 - w2 else tau;
  end Clutch;

  model String "A ball on a string, taut or slack"
    Real x(start=0.8, fixed=true), y(start=0.3, fixed=true);
    Real vx(start=0, fixed=true), vy(start=0.5, fixed=true);
    Real lambda, gap, s;
    Boolean slack = s < 0;
  equation
    der(x) = vx;
    der(y) = vy;
    der(vx) = -lambda*x;
    der(vy) = -lambda*y - 9.81;
    gap = x^2 + y^2 - 1;
    gap = if slack then s else 0;
    lambda = if slack then 0 else s;
  end String;

  model Drum "A tank before it and a filter behind it: both stay outside the core"
    extends HalfWaveL;
    Real level(start=1, fixed=true), out(start=0, fixed=true), seen;
  equation
    der(level) = -level;
    seen = 2*D.v + level;
    der(out) = seen - out;
  end Drum;

  model Friction
    Modelica.Mechanics.Rotational.Components.Inertia J1(J=1, w(start=1, fixed=true), phi(fixed=true));
    Modelica.Mechanics.Rotational.Components.Inertia J2(J=2, w(start=0, fixed=true), phi(fixed=true));
    Modelica.Mechanics.Rotational.Components.Clutch clutch(fn_max=2);
    Modelica.Blocks.Sources.Constant on(k=1);
  equation
    connect(J1.flange_b, clutch.flange_a); connect(clutch.flange_b, J2.flange_a);
    connect(on.y, clutch.f_normalized);
  end Friction;

  model Ladder "n stages, each with an inductor behind a diode"
    parameter Integer n = 10;
    SineVoltage u0(V=10, f=50);
    Inductor L[n](each L=0.01, each i(start=0, fixed=true));
    Diode D[n];
    Capacitor C[n](each C=1e-3, each v(start=0, fixed=true));
    Resistor R[n](each R=50);
    Ground g;
  equation
    connect(u0.n, g.p);
    connect(u0.p, L[1].p);
    for k in 1:n loop
      connect(L[k].n, D[k].p); connect(D[k].n, C[k].p); connect(D[k].n, R[k].p);
      connect(C[k].n, g.p); connect(R[k].n, g.p);
    end for;
    for k in 1:n - 1 loop
      connect(D[k].n, L[k + 1].p);
    end for;
  end Ladder;
end Circuits;
