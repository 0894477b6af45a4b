within Modelica.Thermal.HeatTransfer;
package Interfaces "Heat ports and bases of thermal components"
  extends Modelica.Icons.InterfacesPackage;
  import Modelica.Units.SI;

  partial connector HeatPort "Temperature and heat flow"
    SI.Temperature T "Temperature of the port";
    flow SI.HeatFlowRate Q_flow "Heat flow into the component";
  end HeatPort;

  connector HeatPort_a "First heat port of a component"
    extends HeatPort;
  end HeatPort_a;

  connector HeatPort_b "Second heat port of a component"
    extends HeatPort;
  end HeatPort_b;

  partial model Element1D "Heat passes from port_a to port_b, nothing is stored"
    SI.HeatFlowRate Q_flow "Heat flow from port_a to port_b";
    SI.TemperatureDifference dT "Temperature of port_a above port_b";
    HeatPort_a port_a;
    HeatPort_b port_b;
  equation
    dT = port_a.T - port_b.T;
    port_a.Q_flow = Q_flow;
    port_a.Q_flow + port_b.Q_flow = 0;
  end Element1D;

  partial model PartialConditionalHeatPort
    "Heat port on demand for composed models; otherwise a fixed temperature takes the heat"
    parameter Boolean useHeatPort=false "Offer the heat port"
      annotation(Evaluate=true, HideResult=true);
    parameter SI.Temperature T=293.15 "Temperature without a heat port";
    HeatTransfer.Interfaces.HeatPort_a heatPort if useHeatPort;
    HeatTransfer.Sources.FixedTemperature fixedTemperature(final T=T) if not useHeatPort;
  protected
    HeatPort_a internalHeatPort;
  equation
    connect(heatPort, internalHeatPort);
    connect(fixedTemperature.port, internalHeatPort);
  end PartialConditionalHeatPort;

  partial model PartialElementaryConditionalHeatPort
    "Heat port on demand for equation-based models that know lossPower"
    parameter Boolean useHeatPort=false "Offer the heat port"
      annotation(Evaluate=true, HideResult=true);
    parameter SI.Temperature T=293.15 "Temperature without a heat port";
    HeatTransfer.Interfaces.HeatPort_a heatPort(
      final T=TheatPort,
      final Q_flow=-lossPower) if useHeatPort;
    SI.Power lossPower "Heat released by the component";
    SI.Temperature TheatPort "Temperature of the component";
  equation
    if not useHeatPort then
      TheatPort = T;
    end if;
  end PartialElementaryConditionalHeatPort;

  partial model PartialElementaryConditionalHeatPortWithoutT
    "Heat port on demand for models that do not depend on temperature"
    parameter Boolean useHeatPort=false "Offer the heat port"
      annotation(Evaluate=true, HideResult=true);
    HeatTransfer.Interfaces.HeatPort_a heatPort(final Q_flow=-lossPower) if useHeatPort;
    SI.Power lossPower "Heat released by the component";
  end PartialElementaryConditionalHeatPortWithoutT;
end Interfaces;
