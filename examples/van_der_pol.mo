// The oscillator of van der Pol: damping that pumps at small and brakes at large amplitudes.
// Look at: whatever the start, x ends on the same cycle with an amplitude near 2.
model VanDerPol "Self-excited oscillation"
  parameter Real mu=2 "Strength of the damping";
  Real x(start=0.5, fixed=true) "Deflection";
  Real y(start=0, fixed=true) "Derivative of x";
equation
  der(x) = y;
  der(y) = mu*(1 - x^2)*y - x;
  annotation(experiment(StopTime=20, Interval=0.02, Tolerance=1e-8));
end VanDerPol;
