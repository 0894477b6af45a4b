within Modelica.Electrical;
package Analog "Analog circuits"
  extends Modelica.Icons.Package;
end Analog;
