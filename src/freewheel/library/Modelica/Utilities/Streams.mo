within Modelica.Utilities;
package Streams "Messages"
  extends Modelica.Icons.FunctionsPackage;

  impure function print "Print a text, on the terminal or at the end of a file"
    extends Modelica.Icons.Function;
    input String string="" "Text";
    input String fileName="" "File, empty for the terminal";
    external "C" ModelicaInternal_print(string, fileName);
  end print;

  function error "Stop with a message"
    extends Modelica.Icons.Function;
    input String string "Message";
  algorithm
    assert(false, string);
  end error;
end Streams;
