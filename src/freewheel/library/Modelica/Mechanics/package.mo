within Modelica;
package Mechanics "Motion in one dimension and in three"
  extends Modelica.Icons.Package;
  import Modelica.Units.SI;
end Mechanics;
