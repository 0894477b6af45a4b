within Modelica;
package Mechanics "Motion in one dimension"
  extends Modelica.Icons.Package;
  import Modelica.Units.SI;
end Mechanics;
