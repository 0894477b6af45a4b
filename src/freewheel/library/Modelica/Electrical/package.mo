within Modelica;
package Electrical "Electricity"
  extends Modelica.Icons.Package;
  import Modelica.Units.SI;
end Electrical;
