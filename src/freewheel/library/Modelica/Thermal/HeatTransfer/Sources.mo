within Modelica.Thermal.HeatTransfer;
package Sources "Given temperatures and heat flows"
  extends Modelica.Icons.SourcesPackage;
  import Modelica.Units.SI;

  model FixedTemperature "Constant temperature"
    parameter SI.Temperature T "Temperature of the port";
    Interfaces.HeatPort_b port;
  equation
    port.T = T;
  end FixedTemperature;

  model PrescribedTemperature "Temperature by signal"
    Interfaces.HeatPort_b port;
    Modelica.Blocks.Interfaces.RealInput T(unit="K") "Temperature of the port";
  equation
    port.T = T;
  end PrescribedTemperature;

  model FixedHeatFlow "Constant heat flow, if desired linear in temperature"
    parameter SI.HeatFlowRate Q_flow "Heat flow out of the port at T_ref";
    parameter SI.Temperature T_ref=293.15 "Reference temperature";
    parameter SI.LinearTemperatureCoefficient alpha=0 "Relative change per kelvin";
    Interfaces.HeatPort_b port;
  equation
    port.Q_flow = -Q_flow*(1 + alpha*(port.T - T_ref));
  end FixedHeatFlow;

  model PrescribedHeatFlow "Heat flow by signal, if desired linear in temperature"
    parameter SI.Temperature T_ref=293.15 "Reference temperature";
    parameter SI.LinearTemperatureCoefficient alpha=0 "Relative change per kelvin";
    Modelica.Blocks.Interfaces.RealInput Q_flow(unit="W") "Heat flow out of the port at T_ref";
    Interfaces.HeatPort_b port;
  equation
    port.Q_flow = -Q_flow*(1 + alpha*(port.T - T_ref));
  end PrescribedHeatFlow;
end Sources;
