within Modelica.Utilities;
package Streams "Messages, and lines of files"
  extends Modelica.Icons.FunctionsPackage;

  impure function print "Print a text, on the terminal or at the end of a file"
    extends Modelica.Icons.Function;
    input String string="" "Text";
    input String fileName="" "File, empty for the terminal";
    external "C" ModelicaInternal_print(string, fileName);
  end print;

  impure function readFile "All lines of a file"
    extends Modelica.Icons.Function;
    input String fileName "File";
    output String stringVector[countLines(fileName)] "Lines";
    external "C" ModelicaInternal_readFile(fileName, stringVector, size(stringVector, 1));
  end readFile;

  impure function readLine "One line of a file"
    extends Modelica.Icons.Function;
    input String fileName "File";
    input Integer lineNumber(min=1) "Number of the line";
    output String string "Line, empty if there is none";
    output Boolean endOfFile "There is no such line";
    external "C" string = ModelicaInternal_readLine(fileName, lineNumber, endOfFile);
  end readLine;

  impure function countLines "Number of lines of a file"
    extends Modelica.Icons.Function;
    input String fileName "File";
    output Integer numberOfLines "Number";
    external "C" numberOfLines = ModelicaInternal_countLines(fileName);
  end countLines;

  impure function close "Does nothing: files are not left open"
    extends Modelica.Icons.Function;
    input String fileName "File";
    external "C" ModelicaStreams_closeFile(fileName);
  end close;

  function error "Stop with a message"
    extends Modelica.Icons.Function;
    input String string "Message";
  algorithm
    assert(false, string);
  end error;
end Streams;
