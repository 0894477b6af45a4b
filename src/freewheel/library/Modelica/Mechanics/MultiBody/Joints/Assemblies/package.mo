within Modelica.Mechanics.MultiBody.Joints;
package Assemblies "Joints in series, with the loop that they close solved in closed form"
  extends Modelica.Icons.Package;
  import Modelica.Units.SI;
end Assemblies;
