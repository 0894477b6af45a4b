within Modelica.Utilities;
package Types "Enumerations"
  extends Modelica.Icons.TypesPackage;

  type Compare = enumeration(
      Less "The first comes before the second",
      Equal "Both are equal",
      Greater "The first comes after the second")
    "Result of comparing two texts";

  type FileType = enumeration(
      NoFile "There is none",
      RegularFile "File",
      Directory "Folder",
      SpecialFile "Pipe, device and such")
    "Kind of a file";
end Types;
