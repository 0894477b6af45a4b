// Water swings to and fro in a pipe. From the left comes water whose temperature swings too, from
// the right comes cold water.
// Look at: right, which is cold until warm water has come through; left, where the same water comes
// back in reverse order, then the cold water from the other end.
model TurningPipe "Transport with a flow that turns"
  Real x(start=0, fixed=true) "How far the water has moved, in lengths of the pipe";
  Real v=1.5*cos(time) "Speed";
  Real left "Temperature at the left end, in degC";
  Real right "Temperature at the right end, in degC";
equation
  der(x) = v;
  (left, right) = spatialDistribution(40 - 20*cos(2*time), 20, x, v >= 0, {0, 1}, {20, 20});
  annotation(experiment(StopTime=6, Interval=0.01, Tolerance=1e-8));
end TurningPipe;
