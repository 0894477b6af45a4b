// A room with a heater, thin windows and a heavy wall, through two days of outside weather.
// Look at: air.T follows the weather through the windows, wall.T barely moves within a day.
model HeatedRoom "Air and wall as heat capacities"
  Modelica.Thermal.HeatTransfer.Components.HeatCapacitor air(
    C=4e5,
    T(start=290.15, fixed=true));
  Modelica.Thermal.HeatTransfer.Components.HeatCapacitor wall(
    C=2e7,
    T(start=285.15, fixed=true));
  Modelica.Thermal.HeatTransfer.Components.ThermalConductor windows(G=30);
  Modelica.Thermal.HeatTransfer.Components.ThermalConductor plaster(G=200);
  Modelica.Thermal.HeatTransfer.Components.ThermalResistor insulation(R=0.02);
  Modelica.Thermal.HeatTransfer.Sources.FixedHeatFlow heater(Q_flow=1500);
  Modelica.Thermal.HeatTransfer.Sources.PrescribedTemperature outside;
  Modelica.Blocks.Sources.Sine weather(
    amplitude=6,
    f=1/86400,
    offset=278.15,
    phase=-1.5707963267948966);
equation
  connect(weather.y, outside.T);
  connect(heater.port, air.port);
  connect(air.port, windows.port_a);
  connect(windows.port_b, outside.port);
  connect(air.port, plaster.port_a);
  connect(plaster.port_b, wall.port);
  connect(wall.port, insulation.port_a);
  connect(insulation.port_b, outside.port);
  annotation(experiment(StopTime=172800, Interval=300, Tolerance=1e-8));
end HeatedRoom;
