within Modelica.Thermal.HeatTransfer;
package Examples "Small thermal networks to try"
  extends Modelica.Icons.ExamplesPackage;

  model HotAndCold "Two bodies exchange heat until they are equally warm"
    extends Modelica.Icons.Example;
    Modelica.Thermal.HeatTransfer.Components.HeatCapacitor hot(C=10, T(start=373.15, fixed=true));
    Modelica.Thermal.HeatTransfer.Components.HeatCapacitor cold(C=20, T(start=273.15, fixed=true));
    Modelica.Thermal.HeatTransfer.Components.ThermalConductor contact(G=5);
    Modelica.Thermal.HeatTransfer.Celsius.TemperatureSensor thermometer;
  equation
    connect(hot.port, contact.port_a);
    connect(contact.port_b, cold.port);
    connect(cold.port, thermometer.port);
    annotation(experiment(StopTime=5));
  end HotAndCold;

  model Radiator "A heated plate loses heat by radiation and by moving air"
    extends Modelica.Icons.Example;
    Modelica.Thermal.HeatTransfer.Sources.FixedHeatFlow heater(Q_flow=500);
    Modelica.Thermal.HeatTransfer.Components.HeatCapacitor plate(
      C=2000,
      T(start=293.15, fixed=true));
    Modelica.Thermal.HeatTransfer.Components.BodyRadiation radiation(Gr=0.4);
    Modelica.Thermal.HeatTransfer.Components.Convection air;
    Modelica.Blocks.Sources.Step fan(height=5, offset=2, startTime=600);
    Modelica.Thermal.HeatTransfer.Celsius.FixedTemperature room(T=20);
  equation
    connect(heater.port, plate.port);
    connect(plate.port, radiation.port_a);
    connect(radiation.port_b, room.port);
    connect(plate.port, air.solid);
    connect(air.fluid, room.port);
    connect(fan.y, air.Gc);
    annotation(experiment(StopTime=1800, Interval=1));
  end Radiator;
end Examples;
