within Modelica.Electrical;
package Analog "Analog circuits"
  extends Modelica.Icons.Package;
  import Modelica.Units.SI;
end Analog;
