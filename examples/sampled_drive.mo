// A drive whose speed is held by a sampled controller; its target comes from a slower clock.
// Look at: torque changes ten times a second only, w bends at each change; the new target asked
// for at 0.7 s is noticed at 1.0 s.
model SampledDrive "PI controller on a clock of 10 Hz, target on one of 2 Hz"
  parameter Real k = 4 "gain";
  parameter Real Ti = 1 "time of the integral part";
  Real w(start = 0, fixed = true) "speed";
  Real asked = if time < 0.7 then 1 else 2;
  Real target = sample(asked, Clock(1, 2));
  Real error = superSample(target, 5) - sample(w);
  Real x(start = 0) = previous(x) + interval(error)/Ti*error;
  Real y = k*(error + x);
  Real torque = hold(y);
equation
  der(w) = torque - w;
  annotation(experiment(StopTime = 2, Interval = 0.004, Tolerance = 1e-8));
end SampledDrive;
