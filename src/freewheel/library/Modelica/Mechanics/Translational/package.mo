within Modelica.Mechanics;
package Translational "Motion along one line"
  extends Modelica.Icons.Package;
  import Modelica.Units.SI;
end Translational;
