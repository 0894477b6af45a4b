within Modelica;
package Blocks "Components with directed signals"
  extends Modelica.Icons.Package;
end Blocks;
