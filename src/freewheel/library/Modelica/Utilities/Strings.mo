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

  function findLast "Index of the last occurrence of a text in another, 0 if there is none"
    extends Modelica.Icons.Function;
    input String string "Text to search in";
    input String searchString "Text to search for";
    input Integer startIndex(min=0) = 0 "Where the last character may be at most; 0 for the end";
    input Boolean caseSensitive=true "Capital letters differ from small ones";
    output Integer index "Index";
  protected
    Integer n=length(searchString);
    Integer last=if startIndex == 0 then length(string) else min(startIndex, length(string));
  algorithm
    index := last - n + 1;
    while index >= 1 loop
      if isEqual(substring(string, index, index + n - 1), searchString, caseSensitive) then
        return;
      end if;
      index := index - 1;
    end while;
    index := 0;
  end findLast;

  function count "Number of occurrences of a text in another; they do not overlap"
    extends Modelica.Icons.Function;
    input String string "Text to search in";
    input String searchString "Text to search for";
    input Integer startIndex(min=1) = 1 "Where to begin";
    input Boolean caseSensitive=true "Capital letters differ from small ones";
    output Integer result "Number";
  protected
    Integer at;
  algorithm
    result := 0;
    at := find(string, searchString, startIndex, caseSensitive);
    while at > 0 loop
      result := result + 1;
      at := find(string, searchString, at + length(searchString), caseSensitive);
    end while;
  end count;

  function replace "A text with another one in place of a part"
    extends Modelica.Icons.Function;
    input String string "Text to change";
    input String searchString "Text to replace";
    input String replaceString "What comes in its place";
    input Integer startIndex=1 "Where to begin";
    input Boolean replaceAll=true "Every occurrence, not only the first";
    input Boolean caseSensitive=true "Capital letters differ from small ones";
    output String result "Changed text";
  protected
    Integer begin=startIndex "First character that is not copied yet";
    Integer at;
  algorithm
    result := if startIndex > 1 then substring(string, 1, startIndex - 1) else "";
    at := find(string, searchString, begin, caseSensitive);
    while at > 0 loop
      result := result + (if at > begin then substring(string, begin, at - 1) else "") + replaceString;
      begin := at + length(searchString);
      at := if replaceAll then find(string, searchString, begin, caseSensitive) else 0;
    end while;
    if begin <= length(string) then
      result := result + substring(string, begin, length(string));
    end if;
  end replace;

  function sort "Texts in alphabetical order"
    extends Modelica.Icons.Function;
    input String stringVector1[:] "Texts";
    input Boolean caseSensitive=true "Capital letters differ from small ones";
    output String stringVector2[size(stringVector1, 1)]=stringVector1 "Sorted texts";
  protected
    String inserted;
    Integer k;
  algorithm
    for i in 2:size(stringVector1, 1) loop
      inserted := stringVector2[i];
      k := i - 1;
      while k >= 1 loop
        if compare(stringVector2[k], inserted, caseSensitive)
            <> Modelica.Utilities.Types.Compare.Greater then
          break;
        end if;
        stringVector2[k + 1] := stringVector2[k];
        k := k - 1;
      end while;
      stringVector2[k + 1] := inserted;
    end for;
  end sort;

  pure function hashString "A number that stands for a text"
    extends Modelica.Icons.Function;
    input String string "Text";
    output Integer hash "Number";
    external "C" hash = ModelicaStrings_hashString(string);
  end hashString;
end Strings;
