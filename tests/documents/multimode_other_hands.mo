// The models of examples/variable_structure/multimode.mo as other people would write them: other orders and
// forms, modes as Booleans with pre or by when, components, other units. The letter after the number tells them
// apart; the answers are those of the first.
package OtherHands
  model M1a "an if-expression as residual"
    Real x(start=0, fixed=true);
  equation
    0 = if time < 0.5 then der(x) - 10 else x + 5;
    annotation(experiment(StopTime=1));
  end M1a;

  model M1b "three branches, the last one first"
    Real x(start=0);
  equation
    if time >= 0.75 then
      x + 5 = 0;
    elseif time >= 0.5 then
      0 = x + 5;
    else
      10 = der(x);
    end if;
    annotation(experiment(StopTime=1));
  end M1b;

  model M1c "the mode is a number"
    Integer mode(start=1, fixed=true);
    Real x(start=0, fixed=true);
  equation
    when time >= 0.5 then
      mode = 2;
    end when;
    if mode == 1 then
      der(x)/10 = 1;
    else
      2*x = -10;
    end if;
    annotation(experiment(StopTime=1));
  end M1c;

  model M1d "by a state, the slope has a name"
    Boolean low(start=false, fixed=true);
    Real x(start=0, fixed=true), slope, t(start=0, fixed=true);
  equation
    der(t) = 1;
    low = pre(low) or t >= 0.5;
    slope = der(x);
    if low then
      x = -5;
    else
      slope = 10;
    end if;
    annotation(experiment(StopTime=1));
  end M1d;

  model M1e "by x itself"
    Boolean low(start=false, fixed=true);
    Real x(start=0, fixed=true);
  equation
    low = pre(low) or x >= 5;
    if low then
      x = -5;
    else
      der(x) = 10;
    end if;
    annotation(experiment(StopTime=1));
  end M1e;

  model M1f "if-expressions on both sides"
    Real x(start=0, fixed=true), y;
  equation
    y = 3*x;
    (if time < 0.5 then der(x) else y) = if time < 0.5 then 10 else -15;
    annotation(experiment(StopTime=1));
  end M1f;

  model M1g "in units of 1e-9"
    Real n(start=0, fixed=true), x = n*1e-9;
  equation
    if time < 0.5 then
      der(n) = 10e9;
    else
      n = -5e9;
    end if;
    annotation(experiment(StopTime=1));
  end M1g;

  model M1h "in units of 1e9"
    Real n(start=0, fixed=true), x = n*1e9;
  equation
    if time < 0.5 then
      der(n) = 10e-9;
    else
      n = -5e-9;
    end if;
    annotation(experiment(StopTime=1));
  end M1h;

  model M2a "an if-expression as residual"
    Real a(start=1, fixed=true), b;
  equation
    der(a) = 1;
    0 = if time <= 3 then b - a else der(b) + 1;
    annotation(experiment(StopTime=4));
  end M2a;

  model M2b "by when"
    Real a(start=1, fixed=true), b;
    Boolean joined(start=true, fixed=true);
  equation
    when time > 3 then
      joined = false;
    end when;
    if not joined then
      der(b) + 1 = 0;
    else
      a - b = 0;
    end if;
    der(a) = 1;
    annotation(experiment(StopTime=4));
  end M2b;

  model M2c "b is given, a follows"
    Real b(start=1, fixed=true), a;
  equation
    if time > 3 then
      -der(b) = 1;
    else
      2*b = 2*a;
    end if;
    1 = der(a);
    annotation(experiment(StopTime=4));
  end M2c;

  model M2d "by a itself"
    Real a(start=1, fixed=true), b;
  equation
    der(a) = 1;
    if a <= 4 then
      b = a;
    else
      der(b) = -1;
    end if;
    annotation(experiment(StopTime=4));
  end M2d;

  model M3a "a Boolean equation, branches in other orders"
    Boolean running = time <= 10;
    Real a, b(start=10, fixed=true);
  equation
    if running then
      der(b) = -1;
      a = time + 2;
    else
      a = 0;
      b = 0;
    end if;
    annotation(experiment(StopTime=12));
  end M3a;

  model M3b "two residuals"
    Boolean running(start=true, fixed=true);
    Real a, b(start=10, fixed=true);
  equation
    0 = if running then a - time - 2 else b;
    0 = if running then der(b) + 1 else a;
    when time > 10 then
      running = false;
    end when;
    annotation(experiment(StopTime=12));
  end M3b;

  model M3c "branches that mix both"
    Boolean running(start=true, fixed=true);
    Real a, b(start=10, fixed=true);
  equation
    running = pre(running) and b > 0.5;
    if not running then
      a + b = 0;
      a - b = 0;
    else
      a + der(b) = time + 1;
      der(b) + 1 = 0;
    end if;
    annotation(experiment(StopTime=12));
  end M3c;

  model M4a "an if-expression as residual"
    Real x;
  equation
    0 = if time <= 0.5 then x - 100 else der(x) - 5;
    annotation(experiment(StopTime=1));
  end M4a;

  model M4b "the mode is a number, one equation in both branches"
    Integer mode(start=0, fixed=true);
    Real x, y;
  equation
    when time > 0.5 then
      mode = 1;
    end when;
    if mode == 1 then
      der(x) = 5;
      y = x;
    else
      y = x;
      x = 100;
    end if;
    annotation(experiment(StopTime=1));
  end M4b;

  model M4c "another guess"
    Real x(start=3);
  equation
    if time > 0.5 then
      5 = der(x);
    else
      100 = x;
    end if;
    annotation(experiment(StopTime=1));
  end M4c;

  model DogClutch
    extends Modelica.Mechanics.Rotational.Interfaces.PartialTwoFlanges;
    input Boolean engaged;
    Real w_rel, tau;
  equation
    w_rel = der(flange_b.phi) - der(flange_a.phi);
    flange_b.tau = tau;
    flange_a.tau = -tau;
    0 = if engaged then w_rel else tau;
  end DogClutch;

  model M5a "components"
    Modelica.Mechanics.Rotational.Components.Inertia shaft1(J=1, phi(start=0, fixed=true), w(start=1, fixed=true));
    Modelica.Mechanics.Rotational.Components.Inertia shaft2(J=2, phi(start=0, fixed=true), w(start=1.5, fixed=true));
    Modelica.Mechanics.Rotational.Sources.Torque drag1, drag2;
    DogClutch dog(engaged=time >= 5 and time < 7);
    Real w1 = shaft1.w, w2 = shaft2.w;
  equation
    drag1.tau = -0.01*w1;
    drag2.tau = -0.0125*w2;
    connect(drag1.flange, shaft1.flange_a);
    connect(shaft1.flange_b, dog.flange_a);
    connect(dog.flange_b, shaft2.flange_a);
    connect(shaft2.flange_b, drag2.flange);
    annotation(experiment(StopTime=10));
  end M5a;

  model M5b "one torque, closed and opened by when"
    Real w1(start=1, fixed=true), w2(start=1.5, fixed=true), tau;
    Boolean closed(start=false, fixed=true);
  equation
    when time >= 5 then
      closed = true;
    elsewhen time >= 7 then
      closed = false;
    end when;
    0 = if closed then w2 - w1 else tau;
    2*der(w2) + 0.0125*w2 + tau = 0;
    der(w1) = -0.01*w1 + tau;
    annotation(experiment(StopTime=10));
  end M5b;

  model M5c "momenta are stored"
    Real p1(start=1, fixed=true), p2(start=3, fixed=true), w1, w2, tau;
    Boolean closed = time >= 5 and time < 7;
  equation
    p1 = 1*w1;
    p2 = 2*w2;
    der(p1) = -0.01*w1 + tau;
    der(p2) = -0.0125*w2 - tau;
    if not closed then
      tau = 0;
    else
      w1 = w2;
    end if;
    annotation(experiment(StopTime=10));
  end M5c;

  model M5d "turns per minute and dyn cm"
    constant Real pi = 3.14159265358979323846;
    parameter Real k = 2*pi/60;
    Real n1(start=1/k, fixed=true), n2(start=1.5/k, fixed=true), tau;
    Real w1 = k*n1, w2 = k*n2;
    Boolean closed = time >= 5 and time < 7;
  equation
    1e7*k*der(n1) = -0.01e7*k*n1 + tau;
    2e7*k*der(n2) = -0.0125e7*k*n2 - tau;
    if closed then
      n1 = n2;
    else
      tau = 0;
    end if;
    annotation(experiment(StopTime=10));
  end M5d;

  model M6a "components"
    Modelica.Electrical.Analog.Sources.ConstantVoltage V(V=10);
    Modelica.Electrical.Analog.Basic.Resistor R(R=10);
    Modelica.Electrical.Analog.Basic.Capacitor C(C=2, v(start=0, fixed=true));
    Modelica.Electrical.Analog.Basic.RotationalEMF emf(k=0.25);
    Modelica.Electrical.Analog.Basic.Ground ground;
    Modelica.Mechanics.Rotational.Components.Inertia J1(J=0.1, phi(start=0, fixed=true));
    Modelica.Mechanics.Rotational.Components.Inertia J2(J=0.4, phi(start=0, fixed=true), w(start=10, fixed=true));
    DogClutch dog(engaged=time < 100 or time >= 300);
    Real w1 = J1.w, w2 = J2.w;
  equation
    connect(V.p, R.p);
    connect(R.n, C.p);
    connect(C.n, V.n);
    connect(V.n, ground.p);
    connect(emf.p, C.p);
    connect(emf.n, C.n);
    connect(emf.flange, J1.flange_a);
    connect(J1.flange_b, dog.flange_a);
    connect(dog.flange_b, J2.flange_a);
    annotation(experiment(StopTime=500));
  end M6a;

  model M6b "the speed is given instead of the voltage"
    Real v, w1(start=0, fixed=true), w2(start=10, fixed=true), tau;
  equation
    (10 - v)/10 = 2*der(v) + (0.1*der(w1) + tau)/0.25;
    0.25*w1 - v = 0;
    0.4*der(w2) - tau = 0;
    if time >= 100 and time < 300 then
      tau = 0;
    else
      w2 - w1 = 0;
    end if;
    annotation(experiment(StopTime=500));
  end M6b;

  model M7a "by when; another velocity is given"
    Real x(start=sqrt(0.5), fixed=true), y(start=-sqrt(0.5)), vx, vy(start=0, fixed=true), T;
    Boolean broken(start=false, fixed=true);
  equation
    when time >= 5 then
      broken = true;
    end when;
    vx = der(x);
    vy = der(y);
    der(vx) + T*x = 0;
    der(vy) + T*y + 9.81 = 0;
    0 = if broken then T else x*x + y*y - 1;
    annotation(experiment(StopTime=6));
  end M7a;

  model M7b "in millimetres, the length by a root"
    Real X(start=1000*sqrt(0.5), fixed=true), Y(start=-1000*sqrt(0.5), fixed=true), vx(start=0), vy(start=0), T;
    Real x = X/1000, y = Y/1000;
  equation
    der(X) = vx;
    der(Y) = vy;
    2*der(vx) = -T*X/1000;
    2*der(vy) = -T*Y/1000 - 2*9810;
    if time >= 5 then
      T = 0;
    else
      sqrt(X^2 + Y^2) = 1000;
    end if;
    annotation(experiment(StopTime=6));
  end M7b;

  model M8a "components"
    Modelica.Electrical.Analog.Sources.SineVoltage V(V=1, f=1);
    Modelica.Electrical.Analog.Basic.Inductor L(L=1, i(start=0, fixed=true));
    Modelica.Electrical.Analog.Ideal.IdealDiode D(Ron=0, Goff=0, Vknee=0);
    Modelica.Electrical.Analog.Basic.Capacitor C(C=1, v(start=0, fixed=true));
    Modelica.Electrical.Analog.Basic.Resistor R(R=1);
    Modelica.Electrical.Analog.Basic.Ground ground;
    Real v = C.v;
  equation
    connect(V.p, L.p);
    connect(L.n, D.p);
    connect(D.n, C.p);
    connect(C.p, R.p);
    connect(C.n, ground.p);
    connect(R.n, ground.p);
    connect(V.n, ground.p);
    annotation(experiment(StopTime=10));
  end M8a;

  model M8b "a switch whose logic has memory"
    constant Real pi = 3.14159265358979323846;
    Real i(start=0, fixed=true), v(start=0, fixed=true), ud;
    Boolean off(start=true, fixed=true);
  equation
    sin(2*pi*time) = der(i) + ud + v;
    der(v) = i - v;
    0 = if off then i else ud;
    off = if pre(off) then not ud > 0 else i < 0;
    annotation(experiment(StopTime=10));
  end M8b;

  model M9a "a Boolean with memory"
    Real x(start=0.5, fixed=true), y(start=-0.2, fixed=true);
    Real vx(start=0, fixed=true), vy(start=0, fixed=true), F;
    Boolean taut(start=false, fixed=true);
  equation
    taut = pre(taut) or x^2 + y^2 >= 1;
    der(x) = vx;
    der(y) = vy;
    der(vx) = -F*x;
    der(vy) = -F*y - 9.81;
    if taut then
      x^2 + y^2 = 1;
    else
      F = 0;
    end if;
    annotation(experiment(StopTime=1));
  end M9a;

  model M9b "in other units, the distance by a root, another mass"
    parameter Real k = 1000;
    Real X(start=0.5*k, fixed=true), Y(start=-0.2*k, fixed=true);
    Real vx(start=0, fixed=true), vy(start=0, fixed=true), F, s;
    Real x = X/k, y = Y/k;
  equation
    vx = der(X);
    vy = der(Y);
    3*der(vx) + F*X = 0;
    3*der(vy) + F*Y + 3*9.81*k = 0;
    k - sqrt(X^2 + Y^2) = if s > 0 then s else 0;
    F = if s > 0 then 0 else -s;
    annotation(experiment(StopTime=1));
  end M9b;

  model M9c "in kilometres"
    extends M9b(k=1e-3);
  end M9c;

  model M9d "by when, which looks at what the equation then holds"
    Real x(start=0.5, fixed=true), y(start=-0.2, fixed=true);
    Real vx(start=0, fixed=true), vy(start=0, fixed=true), F;
    Boolean taut(start=false, fixed=true);
  equation
    when x^2 + y^2 > 1 then
      taut = true;
    end when;
    der(x) = vx;
    der(y) = vy;
    der(vx) = -F*x;
    der(vy) = -F*y - 9.81;
    0 = if taut then x*x + y*y - 1 else F;
    annotation(experiment(StopTime=1));
  end M9d;

  model M10a "components"
    Modelica.Electrical.Analog.Basic.Inductor L1(L=1, i(start=1, fixed=true)), L2(L=1, i(start=0.5, fixed=true));
    Modelica.Electrical.Analog.Basic.Capacitor C1(C=1, v(start=0, fixed=true)), C2(C=1, v(start=0, fixed=true));
    Modelica.Electrical.Analog.Basic.Resistor R1(R=1), R2(R=1);
    Modelica.Electrical.Analog.Ideal.IdealDiode D1(Ron=0, Goff=0, Vknee=0), D2(Ron=0, Goff=0, Vknee=0);
    Modelica.Electrical.Analog.Basic.Ground ground;
    Real v1 = C1.v, j1 = L1.i, j2 = L2.i;
  equation
    connect(L1.p, D1.n);
    connect(L2.p, D2.n);
    connect(L1.n, ground.p);
    connect(L2.n, ground.p);
    connect(D1.p, D2.p);
    connect(D1.p, R1.p);
    connect(D1.p, R2.p);
    connect(R1.n, C1.p);
    connect(R2.n, C2.p);
    connect(C1.n, ground.p);
    connect(C2.n, ground.p);
    annotation(experiment(StopTime=3));
  end M10a;

  model M10b "parameterised curves, one voltage"
    Real i1, i2, j1(start=1, fixed=true), j2(start=0.5, fixed=true);
    Real v1(start=0, fixed=true), v2(start=0, fixed=true), x1, x2, s1, s2, u;
  equation
    j1 + j2 = -i1 - i2;
    u = x1 + der(j1);
    u = x2 + der(j2);
    u = i1 + v1;
    u = i2 + v2;
    der(v1) = i1;
    der(v2) = i2;
    x1 = if s1 < 0 then s1 else 0;
    j1 = if s1 < 0 then 0 else s1;
    x2 = if s2 < 0 then s2 else 0;
    j2 = if s2 < 0 then 0 else s2;
    annotation(experiment(StopTime=3));
  end M10b;

  model Capacitor
    parameter Real C;
    Real v, i;
  equation
    C*der(v) = i;
  end Capacitor;

  model M11a "equations; charge and flux are stored"
    Capacitor C(C=1e-6, v(start=10, fixed=true));
    Real flux(start=0, fixed=true), iL, iD, uD, s;
  equation
    der(flux) = C.v;
    flux = 1e-2*iL;
    C.i + iL + iD = 0;
    C.v = 1e3*iD + uD;
    uD = if s > 0 then 0 else s;
    iD = if s > 0 then s*1e-3 else 0;
    annotation(experiment(StopTime=5e-3));
  end M11a;

  model M11b "impedances times 1e6"
    Capacitor C(C=1e-12, v(start=10, fixed=true));
    Real iL(start=0, fixed=true), iD, uD, s;
  equation
    C.v = 1e4*der(iL);
    C.i + iL + iD = 0;
    uD = C.v - 1e9*iD;
    uD = if s < 0 then s else 0;
    iD = if s < 0 then 0 else s;
    annotation(experiment(StopTime=5e-3));
  end M11b;

  model M12a "equations; the bridge as |v|"
    Capacitor C(C=1e-6, v(start=10, fixed=true));
    Real iL(start=0, fixed=true), i1, i2, i3, i4, s1, s2, s3, s4, p, n;
  equation
    C.v = 1e-2*der(iL);
    0 = C.i + iL + i1 - i3;
    p - n = 1e3*(i1 + i2);
    i1 + i2 = i3 + i4;
    C.v - p = if s1 < 0 then s1 else 0;
    i1 = if s1 < 0 then 0 else s1;
    -p = if s2 < 0 then s2 else 0;
    i2 = if s2 < 0 then 0 else s2;
    n - C.v = if s3 < 0 then s3 else 0;
    i3 = if s3 < 0 then 0 else s3;
    n = if s4 < 0 then s4 else 0;
    i4 = if s4 < 0 then 0 else s4;
    annotation(experiment(StopTime=5e-3));
  end M12a;

  model M13a "elements and nodes in another order, grounded at the load"
    Modelica.Electrical.Analog.Ideal.IdealDiode D4(Ron=0, Goff=0, Vknee=0), D2(Ron=0, Goff=0, Vknee=0);
    Modelica.Electrical.Analog.Basic.Ground ground;
    Modelica.Electrical.Analog.Basic.Capacitor F(C=300e-9, v(start=0, fixed=true));
    Modelica.Electrical.Analog.Basic.Resistor R(R=1e3);
    Modelica.Electrical.Analog.Basic.Inductor L(L=1e-2, i(start=0, fixed=true));
    Modelica.Electrical.Analog.Ideal.IdealDiode D1(Ron=0, Goff=0, Vknee=0), D3(Ron=0, Goff=0, Vknee=0);
    Modelica.Electrical.Analog.Basic.Capacitor C(C=1e-6, v(start=10, fixed=true));
  equation
    connect(ground.p, F.n);
    connect(D3.n, C.p);
    connect(D4.n, C.n);
    connect(R.n, F.n);
    connect(D2.p, C.n);
    connect(D1.n, F.p);
    connect(L.n, C.n);
    connect(D2.n, F.p);
    connect(F.n, D3.p);
    connect(F.n, D4.p);
    connect(C.p, D1.p);
    connect(C.p, L.p);
    connect(R.p, F.p);
    annotation(experiment(StopTime=5e-3));
  end M13a;
end OtherHands;
