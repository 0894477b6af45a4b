within Modelica;
package Blocks "Components with directed signals"
  extends Modelica.Icons.Package;
  import Modelica.Units.SI;
end Blocks;
