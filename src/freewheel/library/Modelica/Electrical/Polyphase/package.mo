within Modelica.Electrical;
package Polyphase "Circuits of m phases: each plug holds m pins"
  extends Modelica.Icons.Package;
end Polyphase;
