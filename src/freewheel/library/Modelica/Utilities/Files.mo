within Modelica.Utilities;
package Files "Names of files, and whether there are such files"
  extends Modelica.Icons.FunctionsPackage;

  function loadResource "The path of a file that an address or a name means"
    extends Modelica.Icons.Function;
    input String uri "modelica://Package/file, file:///folder/file, or a name";
    output String fileReference "Absolute path";
    external "C" fileReference = ModelicaInternal_fullPathName(uri);
  end loadResource;

  impure function fullPathName "Absolute path of a file or folder"
    extends Modelica.Icons.Function;
    input String name "Name, relative to the working folder, or absolute";
    output String fullName "Absolute path";
    external "C" fullName = ModelicaInternal_fullPathName(name);
  end fullPathName;

  impure function exist "There is a file or folder of that name"
    extends Modelica.Icons.Function;
    input String name "Name";
    output Boolean result "It exists";
  algorithm
    result := Modelica.Utilities.Internal.FileSystem.stat(name)
      <> Modelica.Utilities.Types.FileType.NoFile;
  end exist;

  impure function assertNew "Stop if there is a file or folder of that name"
    extends Modelica.Icons.Function;
    input String name "Name";
    input String message="This is not allowed." "Added to the message";
  algorithm
    assert(not exist(name), "there is a file or folder `" + name + "` already. " + message);
  end assertNew;

  impure function removeFile "Remove a file if there is one"
    extends Modelica.Icons.Function;
    input String fileName "Name";
  algorithm
    if exist(fileName) then
      Modelica.Utilities.Internal.FileSystem.removeFile(fileName);
    end if;
  end removeFile;

  impure function temporaryFileName "A name that no file of the working folder has"
    extends Modelica.Icons.Function;
    output String fileName "Absolute path";
    external "C" fileName = ModelicaInternal_temporaryFileName();
  end temporaryFileName;

  function splitPathName "Folder, name and ending of a path"
    extends Modelica.Icons.Function;
    input String pathName "Path";
    output String directory "Folder, with a slash at its end; empty if there is none";
    output String name "Name without ending";
    output String extension "Ending with its dot; empty if there is none";
  protected
    Integer n=Strings.length(pathName);
    Integer slash=Strings.findLast(pathName, "/");
    Integer dot=Strings.findLast(pathName, ".");
    Integer last=if dot > slash then dot - 1 else n "Last character of the name";
  algorithm
    directory := if slash > 0 then Strings.substring(pathName, 1, slash) else "";
    name := if last > slash then Strings.substring(pathName, slash + 1, last) else "";
    extension := if last < n then Strings.substring(pathName, last + 1, n) else "";
  end splitPathName;
end Files;
