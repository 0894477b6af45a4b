within Modelica.Mechanics.MultiBody;
package Parts "Rigid parts with and without mass"
  extends Modelica.Icons.Package;
  import Modelica.Units.SI;
end Parts;
