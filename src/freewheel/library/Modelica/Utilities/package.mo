within Modelica;
package Utilities "Texts and messages"
  extends Modelica.Icons.UtilitiesPackage;
end Utilities;
