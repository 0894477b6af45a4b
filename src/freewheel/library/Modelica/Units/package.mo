within Modelica;
package Units "Quantities with their units"
  extends Modelica.Icons.Package;
end Units;
