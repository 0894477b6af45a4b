// A tank that empties through a hole in its bottom (Torricelli): the outflow goes with the root of
// the level, so the level is a parabola in time that touches zero at t = 2*sqrt(h0)*A/(a*sqrt(2*g)),
// here 225.8 s. Look at: h bends less and less; the run ends before the tank is empty.
model DrainingTank "Torricelli's law"
  import Modelica.Units.SI;
  import Modelica.Constants.g_n;
  parameter SI.Area A=1 "Cross section of the tank";
  parameter SI.Area a=0.004 "Cross section of the hole";
  SI.Height h(start=4, fixed=true) "Level";
  SI.Velocity v "Velocity of the outflow";
equation
  v = sqrt(2*g_n*h);
  A*der(h) = -a*v;
  annotation(experiment(StopTime=200, Interval=0.5, Tolerance=1e-8));
end DrainingTank;
