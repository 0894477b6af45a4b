within Modelica;
package Mechanics "Motion in one dimension"
  extends Modelica.Icons.Package;
end Mechanics;
