within Modelica;
package Utilities "Texts, messages, files"
  extends Modelica.Icons.UtilitiesPackage;
end Utilities;
