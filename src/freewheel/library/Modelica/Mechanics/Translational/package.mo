within Modelica.Mechanics;
package Translational "Motion along one line"
  extends Modelica.Icons.Package;
end Translational;
