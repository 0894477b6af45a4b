within Modelica.Mechanics.MultiBody;
package Joints "Guided motion between two frames"
  extends Modelica.Icons.Package;
  import Modelica.Units.SI;
end Joints;
