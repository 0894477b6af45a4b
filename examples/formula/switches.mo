// Switch equations in algebraic loops: one program for both positions.
//
// `Circuit` is Fig. 3 of Elmqvist, Cellier and Otter, "Object-oriented modeling of hybrid systems"
// (1993); `Divider` and `HalfWave` are Figs. 9.24 and 9.27 of Cellier and Kofman, "Continuous System
// Simulation" (2006), chapter 9, with the variables of its equations.
//
//   freewheel equations examples/formula/switches.mo -m Switches.Circuit

package Switches
  connector Cut
    Real V;
    flow Real i;
  end Cut;

  partial model TwoPort
    Cut a, b;
    Real u, i;
  equation
    u = a.V - b.V;
    i = a.i;
    a.i + b.i = 0;
  end TwoPort;

  model Resistor
    extends TwoPort;
    parameter Real R = 1;
  equation
    R*i = u;
  end Resistor;

  model Capacitor
    extends TwoPort(u(start = 0, fixed = true));
    parameter Real C = 1;
  equation
    C*der(u) = i;
  end Capacitor;

  model CSource "drives its current out of a"
    extends TwoPort;
    Real I0;
  equation
    i = -I0;
  end CSource;

  model Common
    Cut a;
  equation
    a.V = 0;
  end Common;

  model Switch "one law for both positions"
    extends TwoPort;
    Real OpenSw "1 while open, else 0";
  equation
    0 = OpenSw*i + (1 - OpenSw)*u;
  end Switch;

  model ChoosingSwitch "the same law as a choice"
    extends TwoPort;
    Boolean OpenSwitch;
  equation
    0 = if OpenSwitch then i else u;
  end ChoosingSwitch;

  partial model Frame "Fig. 3 without the switch"
    CSource I0;
    Resistor R1(R = 100), R2(R = 20);
    Capacitor C(C = 0.1e-6);
    Common common;
    Cut n1, n2;
    input Real i;
    output Real y = C.u;
  equation
    I0.I0 = i;
    connect(I0.a, n1);
    connect(R1.a, n1);
    connect(R2.a, n2);
    connect(C.a, n2);
    connect(I0.b, common.a);
    connect(R1.b, common.a);
    connect(R2.b, common.a);
    connect(C.b, common.a);
    annotation(experiment(StopTime = 12e-6));
  end Frame;

  model Circuit
    extends Frame;
    Switch Sw;
  equation
    connect(Sw.a, n1);
    connect(Sw.b, n2);
    Sw.OpenSw = if time < 1e-6 then 1 elseif time < 2.5e-6 then 0 elseif time < 5e-6 then 1
      elseif time < 9e-6 then 0 else 1;
  end Circuit;

  model ChoosingCircuit
    extends Frame;
    ChoosingSwitch Sw;
  equation
    connect(Sw.a, n1);
    connect(Sw.b, n2);
    Sw.OpenSwitch = time < 1e-6 or time >= 2.5e-6 and time < 5e-6 or time >= 9e-6;
  end ChoosingCircuit;

  model Divider "equations 9.36"
    parameter Real R1 = 1, R2 = 3;
    Real U0, u1, i1, u2, i2, is;
    Real mo "1 while open, else 0";
  equation
    U0 = 2 + sin(time);
    u1 = R1*i1;
    u2 = R2*i2;
    U0 = u1 + u2;
    i1 = is + i2;
    0 = mo*is + (1 - mo)*u2;
    mo = if time < 0.5 then 1 else 0;
  end Divider;

  model HalfWave "equations 9.47, amplitude 1"
    parameter Real Ri = 10, RL = 50, C = 1e-3;
    parameter Real w = 100*3.141592653589793;
    Real u0, u1, i0, u2(start = 0, fixed = true), iR, iC, ud, s;
    Real mo "1 while open, else 0";
  equation
    u0 = sin(w*time);
    u1 = Ri*i0;
    u2 = RL*iR;
    iC = C*der(u2);
    u0 = u1 + ud + u2;
    i0 = iC + iR;
    ud = mo*s;
    i0 = (1 - mo)*s;
    mo = if s < 0 then 1 else 0;
    annotation(experiment(StopTime = 0.2));
  end HalfWave;

  model ManySwitches "a ladder: each switch bridges one of its series resistors"
    parameter Integer n = 10;
    Resistor series[n](R = 1:n), shunt[n](each R = 5);
    ChoosingSwitch Sw[n];
    CSource source;
    Common common;
  equation
    source.I0 = 1;
    connect(source.a, series[1].a);
    connect(source.b, common.a);
    for k in 1:n loop
      connect(Sw[k].a, series[k].a);
      connect(Sw[k].b, series[k].b);
      connect(series[k].b, shunt[k].a);
      connect(shunt[k].b, common.a);
      Sw[k].OpenSwitch = sin(k*time) < 0.5;
    end for;
    for k in 2:n loop
      connect(series[k - 1].b, series[k].a);
    end for;
    annotation(experiment(StopTime = 6));
  end ManySwitches;
end Switches;
