within Modelica.Mechanics;
package Rotational "Rotation about one axis"
  extends Modelica.Icons.Package;
  import Modelica.Units.SI;
end Rotational;
