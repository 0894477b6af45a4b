within Modelica.Thermal.HeatTransfer;
package Components "Storage and transport of heat"
  extends Modelica.Icons.Package;
  import Modelica.Units.SI;

  model HeatCapacitor "Body of uniform temperature"
    parameter SI.HeatCapacity C "Heat capacity";
    SI.Temperature T(start=293.15, displayUnit="degC") "Temperature of the body";
    SI.TemperatureSlope der_T(start=0) "Rate of change of the temperature";
    Interfaces.HeatPort_a port;
  equation
    port.T = T;
    der_T = der(T);
    C*der(T) = port.Q_flow;
  end HeatCapacitor;

  model ThermalConductor "Heat flow proportional to the temperature difference"
    extends Interfaces.Element1D;
    parameter SI.ThermalConductance G "Heat flow per kelvin";
  equation
    Q_flow = G*dT;
  end ThermalConductor;

  model ThermalResistor "Temperature difference proportional to the heat flow"
    extends Interfaces.Element1D;
    parameter SI.ThermalResistance R "Kelvin per watt";
  equation
    dT = R*Q_flow;
  end ThermalResistor;

  model Convection "Heat transfer to a fluid, conductance by signal"
    SI.HeatFlowRate Q_flow "Heat flow from solid to fluid";
    SI.TemperatureDifference dT "Temperature of the solid above the fluid";
    Modelica.Blocks.Interfaces.RealInput Gc(unit="W/K") "Convective conductance";
    Interfaces.HeatPort_a solid;
    Interfaces.HeatPort_b fluid;
  equation
    dT = solid.T - fluid.T;
    Q_flow = Gc*dT;
    solid.Q_flow = Q_flow;
    fluid.Q_flow = -Q_flow;
  end Convection;

  model ConvectiveResistor "Heat transfer to a fluid, resistance by signal"
    SI.HeatFlowRate Q_flow "Heat flow from solid to fluid";
    SI.TemperatureDifference dT "Temperature of the solid above the fluid";
    Modelica.Blocks.Interfaces.RealInput Rc(unit="K/W") "Convective resistance";
    Interfaces.HeatPort_a solid;
    Interfaces.HeatPort_b fluid;
  equation
    dT = solid.T - fluid.T;
    dT = Rc*Q_flow;
    solid.Q_flow = Q_flow;
    fluid.Q_flow = -Q_flow;
  end ConvectiveResistor;

  model BodyRadiation "Radiation between two bodies (Stefan-Boltzmann)"
    extends Interfaces.Element1D;
    parameter Real Gr(unit="m2") "Radiation conductance: area times emissivity and view factor";
  equation
    Q_flow = Gr*Modelica.Constants.sigma*(port_a.T^4 - port_b.T^4);
  end BodyRadiation;

  model ThermalCollector "Joins m heat ports to one"
    parameter Integer m(min=1) = 3 "Number of joined ports";
    Interfaces.HeatPort_a port_a[m];
    Interfaces.HeatPort_b port_b;
  equation
    port_a.T = fill(port_b.T, m);
    port_b.Q_flow + sum(port_a.Q_flow) = 0;
  end ThermalCollector;

  model ThermalCollectorMatrix "Joins a matrix of heat ports to one"
    parameter Integer Ns(min=1) "Number of rows";
    parameter Integer Np(min=1) "Number of columns";
    Modelica.Thermal.HeatTransfer.Interfaces.HeatPort_a port_a[Ns, Np];
    Modelica.Thermal.HeatTransfer.Interfaces.HeatPort_b port_b;
  equation
    port_a.T = fill(port_b.T, Ns, Np);
    port_b.Q_flow + sum(port_a.Q_flow) = 0;
  end ThermalCollectorMatrix;
end Components;
