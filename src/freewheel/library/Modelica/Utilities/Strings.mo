within Modelica.Utilities;
package Strings "Texts; the first character has the index 1"
  extends Modelica.Icons.FunctionsPackage;

  pure function length "Number of characters"
    extends Modelica.Icons.Function;
    input String string "Text";
    output Integer result "Number";
    external "C" result = ModelicaStrings_length(string);
  end length;

  pure function substring "Characters startIndex to endIndex"
    extends Modelica.Icons.Function;
    input String string "Text";
    input Integer startIndex(min=1) "First character";
    input Integer endIndex "Last character";
    output String result "Part of the text";
    external "C" result = ModelicaStrings_substring(string, startIndex, endIndex);
  end substring;

  pure function compare "Lexical order of two texts"
    extends Modelica.Icons.Function;
    input String string1 "First text";
    input String string2 "Second text";
    input Boolean caseSensitive=true "Capital letters differ from small ones";
    output Modelica.Utilities.Types.Compare result "Order";
    external "C" result = ModelicaStrings_compare(string1, string2, caseSensitive);
  end compare;

  function isEqual "Two texts are equal"
    extends Modelica.Icons.Function;
    input String string1 "First text";
    input String string2 "Second text";
    input Boolean caseSensitive=true "Capital letters differ from small ones";
    output Boolean identical "They are equal";
  algorithm
    identical := compare(string1, string2, caseSensitive) == Types.Compare.Equal;
  end isEqual;

  function repeat "A text n times"
    extends Modelica.Icons.Function;
    input Integer n(min=0) = 1 "How often";
    input String string=" " "Text";
    output String repeatedString "Repeated text";
  algorithm
    repeatedString := "";
    for k in 1:n loop
      repeatedString := repeatedString + string;
    end for;
  end repeat;

  function isEmpty "A text has no characters but blanks"
    extends Modelica.Icons.Function;
    input String string "Text";
    output Boolean result "It is empty";
  protected
    String character;
  algorithm
    result := true;
    for k in 1:length(string) loop
      character := substring(string, k, k);
      if not (character == " " or character == "\t" or character == "\n") then
        result := false;
        return;
      end if;
    end for;
  end isEmpty;

  function find "Index of the first occurrence of a text in another, 0 if there is none"
    extends Modelica.Icons.Function;
    input String string "Text to search in";
    input String searchString "Text to search for";
    input Integer startIndex(min=1) = 1 "Where to begin";
    input Boolean caseSensitive=true "Capital letters differ from small ones";
    output Integer index "Index";
  protected
    Integer n=length(searchString);
  algorithm
    index := 0;
    for k in startIndex:length(string) - n + 1 loop
      if isEqual(substring(string, k, k + n - 1), searchString, caseSensitive) then
        index := k;
        return;
      end if;
    end for;
  end find;

  pure function hashString "A number that stands for a text"
    extends Modelica.Icons.Function;
    input String string "Text";
    output Integer hash "Number";
    external "C" hash = ModelicaStrings_hashString(string);
  end hashString;
end Strings;
