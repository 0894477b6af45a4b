within Modelica.Mechanics.MultiBody.Examples;
package Systems "Whole machines"
  extends Modelica.Icons.ExamplesPackage;
end Systems;
