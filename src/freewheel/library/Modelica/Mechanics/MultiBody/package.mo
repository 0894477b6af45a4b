within Modelica.Mechanics;
package MultiBody "Rigid bodies in three dimensions"
  extends Modelica.Icons.Package;
  import Modelica.Units.SI;
end MultiBody;
