within Modelica.Mechanics.MultiBody;
package Examples "Pendulums, loops and machines to try"
  extends Modelica.Icons.ExamplesPackage;
end Examples;
