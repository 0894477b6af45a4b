within Modelica;
package Thermal "Heat"
  extends Modelica.Icons.Package;
  import Modelica.Units.SI;
end Thermal;
