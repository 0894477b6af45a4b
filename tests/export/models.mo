model Limited "Document 000: a limiter, its input a state"
  parameter Real high = 0.6, low = -0.4;
  Real x(start = 1, fixed = true), v(start = 0, fixed = true);
  output Real y;
equation
  der(x) = v;
  der(v) = -x - 0.2*y;
  y = if x > high then high else if x < low then low else x;
  annotation(experiment(StopTime=12, Interval=0.1, Tolerance=1e-9));
end Limited;

model Hysteresis "Document 000: a relay with hysteresis drives an integrator"
  parameter Real H = 0.5;
  Real u(start = 0, fixed = true);
  discrete Real y(start = 1, fixed = true);
equation
  der(u) = y - 0.3*u;
  when u > H or u < -H then
    y = if u > H then -1 else 1;
  end when;
  annotation(experiment(StopTime=8, Interval=0.05, Tolerance=1e-9));
end Hysteresis;

model Bouncing "Document 000: a ball that loses speed at each contact"
  parameter Real c = 0.8, g = 9.81;
  Real h(start = 1, fixed = true), v(start = 0, fixed = true);
  output Integer contacts(start = 0, fixed = true);
equation
  der(h) = v;
  der(v) = -g;
  when h <= 0 then
    reinit(v, -c*pre(v));
    contacts = pre(contacts) + 1;
  end when;
  annotation(experiment(StopTime=2.5, Interval=0.02, Tolerance=1e-9));
end Bouncing;

model Sampled "Document 000: a difference equation controls a plant"
  parameter Real a = 0.4, b = 0.5, Ts = 0.1;
  Real x(start = 0, fixed = true);
  discrete Real u(start = 0, fixed = true), w(start = 0, fixed = true);
equation
  der(x) = u - x;
  when sample(0, Ts) then
    w = a*pre(w) + b*(1 - x);
    u = pre(u) + w;
  end when;
  annotation(experiment(StopTime=4, Interval=0.02, Tolerance=1e-9));
end Sampled;

model LeakyRectifier "A rectifier whose diode is two resistances"
  parameter Real Ri = 10, RL = 50, C = 1e-3, f = 50, Ron = 0.1, Roff = 1e4;
  Real u(start = 0, fixed = true) "on the load", e, i, d;
  constant Real pi = 3.14159265358979;
equation
  e = sin(2*pi*f*time);
  d = e - Ri*i - u;
  i = if d > 0 then d/Ron else d/Roff;
  C*der(u) = i - u/RL;
  annotation(experiment(StopTime=0.06, Interval=2e-4, Tolerance=1e-9));
end LeakyRectifier;

model Implicit "A nonlinear loop inside the right side"
  Real x(start = 1, fixed = true), y(start = 0.5), z;
equation
  der(x) = -y;
  y + exp(0.5*y) = 1 + x + 0.1*z;
  z = y*y*y + sin(time);
  annotation(experiment(StopTime=3, Interval=0.02, Tolerance=1e-9));
end Implicit;

model Coupled "Two linear equations and a choice inside"
  parameter Real R1 = 2, R2 = 3, R3 = 5;
  Real x(start = 1, fixed = true), i1, i2, i3;
equation
  R1*i1 + R3*(i1 - i2) + 0.1*i3*i1*0 = x;
  R2*i2 + R3*(i2 - i1) + i3 = 0.3;
  i3 - 2*i1 + 0.5*i2 = (if time < 1 then 0.2 else 0.5);
  der(x) = -i1 - i2;
  annotation(experiment(StopTime=3, Interval=0.02, Tolerance=1e-9));
end Coupled;

model Started "Initial equations with a solution to be found"
  Real x, y(start = 2);
  parameter Real p = 3;
  final parameter Real q = 2*p;
initial equation
  der(x) = 0.5;
  y = x + p;
equation
  der(x) = -x*x*x + q - time;
  der(y) = x - y;
  annotation(experiment(StopTime=2, Interval=0.02, Tolerance=1e-9));
end Started;

model Stepped "A choice that time decides, and one on a state"
  Real x(start = 0, fixed = true);
  output Real y;
equation
  der(x) = (if time < 1 then 2 else -1) - x;
  y = if x > 0.5 and time > 0.2 then 2*x else abs(x);
  annotation(experiment(StopTime=3, Interval=0.02, Tolerance=1e-9));
end Stepped;

model Clashing "Names that programs like to use for themselves"
  parameter Real k1 = 1, i1 = 0.5, m = 2, qd1 = 0.3, Time = 3, t = 0.2, initx = 7;
  Real x(start = 1, fixed = true), der_x, nx, ox(start = 0.5), C, E, double, n, rounds, L1, u_, y;
equation
  der(x) = -k1*nx + 0.01*(der_x + C + E + double + n + rounds + L1 + u_ + y);
  nx + exp(i1*nx) = m*x + qd1;
  ox*ox*ox + ox = x + Time*t;
  der_x = x + ox + 0.001*initx;
  C = sin(x);
  E = if x > 0.6 then C else 2*C;
  double = E + 1;
  n = if time > 0.5 then double else -double;
  rounds = n*x;
  L1 = rounds + k1;
  u_ = L1/(1 + x*x);
  y = u_ + C;
  annotation(experiment(StopTime=2, Interval=0.02, Tolerance=1e-9));
end Clashing;

function polynomial "Horner's rule, and how many terms"
  input Real x;
  input Integer n;
  output Real y;
  output Real last;
protected
  Real term;
algorithm
  y := 0;
  term := 1;
  for i in 1:n loop
    y := y + term/i;
    term := term*x;
    if abs(term) < 1e-3 then
      break;
    end if;
  end for;
  last := term;
end polynomial;

function halvings "How often a number can be halved before it is below one"
  input Real x;
  output Integer count;
protected
  Real rest;
algorithm
  rest := abs(x);
  count := 0;
  while rest > 1 loop
    rest := rest/2;
    count := count + 1;
  end while;
  if count > 3 then
    count := 3 + halvingsMore(count);
  end if;
end halvings;

function halvingsMore
  input Integer n;
  output Integer m;
algorithm
  m := if n > 5 then 2 else 1;
end halvingsMore;

model Called "Functions with loops, choices and calls"
  Real x(start = 0.9, fixed = true), y, last, z(start = 0.3);
  Real w;
equation
  der(x) = -y + 0.1*halvings(20*(1 + x));
  (y, last) = polynomial(0.5*x, 6);
  z + polynomial(z, 4) = 2 + last;
  w = if x > 0.5 then polynomial(x, 3) else z;
  annotation(experiment(StopTime=1.5, Interval=0.01, Tolerance=1e-9));
end Called;

model Bridge "Three phases and six leaky diodes"
  import Modelica.Electrical.Analog.Basic;
  Modelica.Electrical.Analog.Sources.SineVoltage e1(V=100, f=50), e2(V=100, f=50, phase=-2.0943951023931953),
    e3(V=100, f=50, phase=-4.1887902047863905);
  Basic.Inductor l1(L=1e-3, i(start=0, fixed=true)), l2(L=1e-3, i(start=0, fixed=true)), l3(L=1e-3);
  Modelica.Electrical.Analog.Ideal.IdealDiode p1, p2, p3, n1, n2, n3;
  Basic.Capacitor c(C=1e-3, v(start=50, fixed=true));
  Basic.Resistor r(R=20);
  Basic.Ground ground;
equation
  connect(e1.n, e2.n); connect(e2.n, e3.n); connect(e3.n, ground.p);
  connect(e1.p, l1.p); connect(e2.p, l2.p); connect(e3.p, l3.p);
  connect(l1.n, p1.p); connect(l2.n, p2.p); connect(l3.n, p3.p);
  connect(n1.n, p1.p); connect(n2.n, p2.p); connect(n3.n, p3.p);
  connect(p1.n, p2.n); connect(p2.n, p3.n); connect(p3.n, c.p); connect(c.p, r.p);
  connect(n1.p, n2.p); connect(n2.p, n3.p); connect(n3.p, c.n); connect(c.n, r.n);
  annotation(experiment(StopTime=0.04, Interval=1e-4, Tolerance=1e-8));
end Bridge;

model Meeting "Two branches that contradict themselves by a little where they meet, as rounding does"
  Real x(start = 0, fixed = true), z;
equation
  z = cos(time) - (if z > 0 then 1e-10 else -1e-10);
  der(x) = if z > 0 then 1 else -2;
  annotation(experiment(StopTime=6, Interval=0.05, Tolerance=1e-9));
end Meeting;

model Stairs "Integer parts that change at events, and one that changes at the end"
  Real x(start = 0, fixed = true), saw, up;
  Integer steps, late(start = 0, fixed = true);
equation
  steps = integer(2*time + 0.1);
  saw = mod(time, 0.7) + rem(x, 0.5) + div(x, 0.4);
  up = ceil(1.5*x) + sign(x - 0.3);
  der(x) = 0.3*steps - saw + 0.1*up;
  when time > 1.05 then
    late = pre(late) + 3;
  elsewhen terminal() then
    late = 7;
  end when;
  annotation(experiment(StopTime=2, Interval=0.02, Tolerance=1e-9));
end Stairs;

model Displayed "Loops and a choice that only matter to what is looked at"
  Real x(start = 1, fixed = true), z(start = 2), a, b, s;
algorithm
  s := 0;
  for i in 1:3 loop
    s := s + x^i/i;
  end for;
  if s > 0.5 then
    s := 2*s - 0.5;
  end if;
equation
  der(x) = -x;
  z^2 + 0.1*z = x + 4;
  a + x*b = 1;
  x*a - b = z;
  annotation(experiment(StopTime=2, Interval=0.02, Tolerance=1e-9));
end Displayed;

model Summed "The same without the loops, for languages that cannot solve them"
  Real x(start = 1, fixed = true), s;
algorithm
  s := x + x^2/2;
  if s > 0.5 then
    s := 2*s - 0.5;
  end if;
equation
  der(x) = -x;
  annotation(experiment(StopTime=2, Interval=0.02, Tolerance=1e-9));
end Summed;

model Named "Names that C, Python and their libraries have themselves, and outputs without a slot"
  Real abs(start = 1, fixed = true), len, WORK, M_PI, print, 'record', pow, TIME;
  output Real three = 3, minus, y0;
equation
  der(abs) = -abs + sin(time);
  len = abs(abs) + 1;
  WORK = 2*len;
  M_PI = WORK + pow;
  print = max(abs, 0.2);
  'record' = abs^2;
  pow = abs^3;
  TIME = 2*time;
  minus = -abs;
  y0 = 5*len;
  annotation(experiment(StopTime=2, Interval=0.02, Tolerance=1e-9));
end Named;

model Ended "A run that ends itself"
  Real x(start = 0, fixed = true);
  Integer n(start = 0, fixed = true);
equation
  der(x) = 1;
  when x > 0.5 then
    n = pre(n) + 1;
    terminate("far enough");
  end when;
end Ended;

model Driven "Waits for an input"
  input Real u(start = 1);
  Real x(start = 0, fixed = true);
equation
  der(x) = u - x;
end Driven;

model Delayed "Signals from the past: of a state, of a formula, of samples, by a varying time"
  Real x(start = 0, fixed = true), y, z, w;
  discrete Real s(start = 0, fixed = true);
  Boolean b;
equation
  der(x) = 1 - delay(x, 0.4) + (if b then 0.3 else 0);
  when sample(0.25, 0.5) then
    s = pre(s) + x;
  end when;
  y = delay(s, 0.33);
  z = delay(x*sin(3*time), 0.7);
  b = delay(x, 0.2) > 0.6;
  w = delay(x, 0.1 + 0.05*sin(time), 0.2);
  annotation(experiment(StopTime=3, Interval=0.01, Tolerance=1e-9));
end Delayed;
