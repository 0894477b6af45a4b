within Modelica.Thermal;
package HeatTransfer "Heat flow between lumped bodies"
  extends Modelica.Icons.Package;
  import Modelica.Units.SI;
end HeatTransfer;
