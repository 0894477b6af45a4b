// A pendulum in its angle, so that it is an ordinary differential equation.
// Look at: released at 2 rad it swings slower than the small-angle period of 2*pi*sqrt(L/g) = 2.006 s,
// namely in 2.7 s.
model PendulumOde "Pendulum without friction"
  import Modelica.Units.SI;
  parameter SI.Length L=1 "Length";
  parameter SI.Acceleration g=9.81 "Gravity";
  SI.Angle phi(start=2, fixed=true) "Angle from the vertical";
  SI.AngularVelocity w(start=0, fixed=true) "Speed";
equation
  der(phi) = w;
  der(w) = -g/L*sin(phi);
  annotation(experiment(StopTime=10, Interval=0.01, Tolerance=1e-8));
end PendulumOde;
