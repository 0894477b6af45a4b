// Two tanks in a row with laminar outflow: flow proportional to level. Plain equations, no library
// components. Look at: the lower level h2 rises with a flat start, since the upper tank must fill
// first; both end where the inflow equals the outflow (h1 = 2 m, h2 = 1 m).
model TwoTanks "Cascade of two tanks with linear outflow"
  import Modelica.Units.SI;
  parameter SI.Area A1=1 "Cross section of the upper tank";
  parameter SI.Area A2=2 "Cross section of the lower tank";
  parameter Real k1(unit="m2/s") = 0.05 "Outflow of the upper tank per level";
  parameter Real k2(unit="m2/s") = 0.1 "Outflow of the lower tank per level";
  parameter SI.VolumeFlowRate inflow=0.1 "Into the upper tank";
  SI.Height h1(start=0, fixed=true) "Level of the upper tank";
  SI.Height h2(start=0.5, fixed=true) "Level of the lower tank";
  SI.VolumeFlowRate q1 "From the upper to the lower tank";
  SI.VolumeFlowRate q2 "Out of the lower tank";
equation
  q1 = k1*h1;
  q2 = k2*h2;
  A1*der(h1) = inflow - q1;
  A2*der(h2) = q1 - q2;
  annotation(experiment(StopTime=200, Interval=0.5, Tolerance=1e-8));
end TwoTanks;
