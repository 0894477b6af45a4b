// How a simulation starts: initial equations that fit, too few of them, and two that contradict each other.
partial model Pendulum "mass on a rod, in x and y"
  parameter Real L = 1, g = 9.81;
  Real x, y, vx, vy, F "force in the rod by length";
equation
  der(x) = vx;
  der(y) = vy;
  der(vx) = -F*x;
  der(vy) = -F*y - g;
  x^2 + y^2 = L^2;
end Pendulum;

model ByAngle "an angle and a speed, though neither is a state"
  extends Pendulum(x(start = 0.5), y(start = -0.5));
initial equation
  atan2(y, x) = -1;
  der(x) = 0;
end ByAngle;

model OffTheCircle "two positions that no rod of length 1 allows"
  extends Pendulum(x(start = 0.6, fixed = true), y(start = -0.7, fixed = true));
end OffTheCircle;

model Tanks "at rest in a ring: levels are equal, but how high?"
  Real h1(start = 2), h2(start = 1);
initial equation
  der(h1) = 0;
  der(h2) = 0;
equation
  der(h1) = -(h1 - h2);
  der(h2) = h1 - h2;
end Tanks;

model Spring "which stiffness holds the load at rest?"
  parameter Real c(fixed = false, start = 100), m = 2;
  Real s(start = 0.1, fixed = true), v(start = 0, fixed = true), a(start = 0, fixed = true);
equation
  der(s) = v;
  der(v) = a;
  m*a = m*9.81 - c*s;
end Spring;

model Bridge "five valves, each lets only so much through"
  parameter Real eps = 1e-3;
  Real p1, p2, a, b, c, d, e;
equation
  a = homotopy(actual = tanh((10 - p1)/eps), simplified = 10 - p1);
  b = homotopy(actual = 2*tanh((10 - p2)/eps), simplified = 10 - p2);
  c = homotopy(actual = 0.5*tanh((p1 - p2)/eps), simplified = p1 - p2);
  d = homotopy(actual = 3*tanh(p1/eps), simplified = p1);
  e = homotopy(actual = 0.7*tanh(p2/eps), simplified = p2);
  a = c + d;
  b + c = e;
end Bridge;

model TurnsBack "the simplified equation has a solution, the actual one has none"
  Real x(start = 0);
equation
  0 = homotopy(actual = x^2 + 1, simplified = x - 1);
end TurnsBack;

partial model Held "at rest by a force that is turned into a body, and back"
  Real x(start = 1), v(start = 0, fixed = true), a(start = 0, fixed = true), f "along x";
  Real phi(start = 0.5), u, w;
equation
  der(x) = v;
  der(v) = a;
  der(phi) = 0.1;
  u = cos(phi)*f;
  w = -sin(phi)*f;
  a = cos(phi)*u - sin(phi)*w;
end Held;

model Turned "no angle changes the acceleration: where is it at rest?"
  extends Held;
equation
  f = 3 - x^3;
end Turned;

model NeverAtRest
  extends Held;
equation
  f = 3 + x^2;
end NeverAtRest;
