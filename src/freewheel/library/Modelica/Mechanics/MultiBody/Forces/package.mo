within Modelica.Mechanics.MultiBody;
package Forces "Forces and torques on frames"
  extends Modelica.Icons.Package;
  import Modelica.Units.SI;
end Forces;
