within Modelica;
package Thermal "Heat"
  extends Modelica.Icons.Package;
end Thermal;
