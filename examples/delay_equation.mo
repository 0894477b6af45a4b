// A quantity that falls as fast as it was large one second ago.
// Look at: y, made of polynomials that meet more and more smoothly at 1, 2, 3, ... seconds.
model DelayEquation "y' = -y one second ago"
  Real y(start=1, fixed=true) "Quantity";
equation
  der(y) = -delay(y, 1);
  annotation(experiment(StopTime=10, Interval=0.02, Tolerance=1e-8));
end DelayEquation;
