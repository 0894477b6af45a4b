within Modelica;
package Electrical "Electricity"
  extends Modelica.Icons.Package;
end Electrical;
