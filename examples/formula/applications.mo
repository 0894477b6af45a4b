// The applications at the end of Cellier and Elmqvist, "Automated formula manipulation supports
// object-oriented continuous-system modeling" (1993): a body on a joint, a superheater (eq. 10) and
// the capacitor of a junction (eq. 12). Models whose name ends in a variable have it as their state.

model body "A free body in the plane: its centre of gravity, and one end of it"
  parameter Real m = 2.0 "Mass";
  parameter Real J = 0.3 "Inertia about the centre of gravity";
  parameter Real d = 0.5 "From the end to the centre of gravity";
  Real x, y, vx, vy, phi, w;
  Real xe, ye "Position of the end";
  Real fx, fy "Force on the end";
  constant Real g = 9.81;
equation
  der(x) = vx;
  der(y) = vy;
  der(phi) = w;
  m*der(vx) = fx;
  m*der(vy) = fy - m*g;
  J*der(w) = fx*d*sin(phi) - fy*d*cos(phi);
  xe = x - d*cos(phi);
  ye = y - d*sin(phi);
end body;

model lever "A joint holds the end of the body: six states become two"
  body B(
    phi(start=0.5, fixed=true, stateSelect=StateSelect.always),
    w(start=0, fixed=true, stateSelect=StateSelect.always));
equation
  B.xe = 0;
  B.ye = 0;
  annotation(experiment(StopTime=5, Tolerance=1e-9));
end lever;

function g "Density of steam over its enthalpy"
  input Real h;
  output Real r;
algorithm
  r := 20.0 + 3.0e6/h;
  annotation(derivative=gDER, Inline=false);
end g;

function gDER "Time derivative of g: its slope times the derivative of the enthalpy"
  input Real h;
  input Real der_h;
  output Real der_r;
algorithm
  der_r := gSlope(h)*der_h;
  annotation(InlineAfterIndexReduction=true);
end gDER;

function gSlope "Partial derivative of g"
  input Real h;
  output Real slope;
algorithm
  slope := -3.0e6/h^2;
  annotation(Inline=false);
end gSlope;

partial model steam "Stored energy, enthalpy and density of steam in a control volume"
  parameter Real V = 2.0;
  parameter Real W = 5.0;
  parameter Real hin = 2.8e6;
  parameter Real Qin = 1.0e6;
  Real E, h, r;
equation
  der(E) = Qin - W*(h - hin);
  E = V*r*h;
  r = g(h);
  annotation(experiment(StopTime=100, Tolerance=1e-9));
end steam;

model superheater_E "The energy is the state: a nonlinear system gives h and r"
  extends steam(E(stateSelect=StateSelect.always), h(start=2.9e6));
initial equation
  h = 2.9e6;
end superheater_E;

model superheater_h "The enthalpy is the state: a linear system gives der(h) and der(r)"
  extends steam(
    E(stateSelect=StateSelect.never),
    h(start=2.9e6, fixed=true, stateSelect=StateSelect.always));
end superheater_h;

partial model junction "Charge, current and voltage of a junction"
  parameter Real k1 = 1.0;
  parameter Real k2 = 3.0;
  parameter Real k3 = 0.5;
  parameter Real k4 = 0.1;
  parameter Real k5 = 0.02;
  parameter Real k6 = 0.2;
  parameter Real k7 = -0.02;
  Real qc, ic, id, ud;
equation
  der(qc) = ic;
  qc = k1*ud^k2 + k3*id + k4;
  id = k5*exp(ud) + k6*ud + k7;
  ic = 1.0 - ud;
  annotation(experiment(StopTime=10, Tolerance=1e-9));
end junction;

model junction_q "The charge is the state: a nonlinear system gives ud and id"
  extends junction(qc(stateSelect=StateSelect.always), ud(start=0.5));
initial equation
  ud = 0.5;
end junction_q;

model junction_u "The voltage is the state: a linear system gives its derivative"
  extends junction(
    qc(stateSelect=StateSelect.never),
    ud(start=0.5, fixed=true, stateSelect=StateSelect.always));
end junction_u;
