within Modelica.Utilities;
package Internal "What the functions of this package call"
  extends Modelica.Icons.InternalPackage;

  package FileSystem "Files and folders"
    extends Modelica.Icons.InternalPackage;

    impure function stat "What kind of file a name has"
      extends Modelica.Icons.Function;
      input String name "Name";
      output Modelica.Utilities.Types.FileType fileType "Kind";
      external "C" fileType = ModelicaInternal_stat(name);
    end stat;

    impure function removeFile "Remove a file"
      extends Modelica.Icons.Function;
      input String fileName "Name";
      external "C" ModelicaInternal_removeFile(fileName);
    end removeFile;

    impure function getNumberOfFiles "Number of files and folders in a folder"
      extends Modelica.Icons.Function;
      input String directory "Folder";
      output Integer result "Number";
      external "C" result = ModelicaInternal_getNumberOfFiles(directory);
    end getNumberOfFiles;

    impure function readDirectory "Names of files and folders in a folder"
      extends Modelica.Icons.Function;
      input String directory "Folder";
      input Integer nNames "Number of names, see getNumberOfFiles";
      output String names[nNames] "Names";
      external "C" ModelicaInternal_readDirectory(directory, nNames, names);
    end readDirectory;
  end FileSystem;
end Internal;
