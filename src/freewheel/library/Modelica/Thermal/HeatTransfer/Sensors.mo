within Modelica.Thermal.HeatTransfer;
package Sensors "Ideal thermal instruments"
  extends Modelica.Icons.SensorsPackage;

  model TemperatureSensor "Absolute temperature"
    Modelica.Blocks.Interfaces.RealOutput T(unit="K") "Temperature of the port";
    Interfaces.HeatPort_a port;
  equation
    port.Q_flow = 0;
    T = port.T;
  end TemperatureSensor;

  model RelTemperatureSensor "Temperature difference"
    extends Modelica.Icons.RectangularSensor;
    Interfaces.HeatPort_a port_a;
    Interfaces.HeatPort_b port_b;
    Modelica.Blocks.Interfaces.RealOutput T_rel(unit="K", displayUnit="K")
      "Temperature of port_a above port_b";
  equation
    port_a.Q_flow = 0;
    port_b.Q_flow = 0;
    T_rel = port_a.T - port_b.T;
  end RelTemperatureSensor;

  model HeatFlowSensor "Heat flow from port_a to port_b"
    extends Modelica.Icons.RoundSensor;
    Modelica.Blocks.Interfaces.RealOutput Q_flow(unit="W") "Heat flow through the sensor";
    Interfaces.HeatPort_a port_a;
    Interfaces.HeatPort_b port_b;
  equation
    port_a.T = port_b.T;
    port_a.Q_flow + port_b.Q_flow = 0;
    Q_flow = port_a.Q_flow;
  end HeatFlowSensor;

  model ConditionalFixedHeatFlowSensor "Heat flow sensor that can hold its port at 293.15 K"
    extends Modelica.Icons.RoundSensor;
    parameter Boolean useFixedTemperature(start=false) "Hold port_a at a fixed temperature"
      annotation(Evaluate=true);
    HeatTransfer.Interfaces.HeatPort_a port_a;
    HeatTransfer.Interfaces.HeatPort_b port_b;
    HeatTransfer.Sensors.HeatFlowSensor heatFlowSensor;
    HeatTransfer.Sources.FixedTemperature fixedTemperature(
      final T(displayUnit="K") = 293.15) if useFixedTemperature;
    Modelica.Blocks.Interfaces.RealOutput Q_flow(unit="W") "Heat flow through the sensor";
  equation
    connect(port_a, heatFlowSensor.port_a);
    connect(heatFlowSensor.port_b, port_b);
    connect(fixedTemperature.port, heatFlowSensor.port_a);
    connect(heatFlowSensor.Q_flow, Q_flow);
  end ConditionalFixedHeatFlowSensor;
end Sensors;
