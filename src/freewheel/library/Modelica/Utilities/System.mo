within Modelica.Utilities;
package System "Working folder, environment, clock, commands"
  extends Modelica.Icons.FunctionsPackage;

  impure function getWorkDirectory "The working folder"
    extends Modelica.Icons.Function;
    output String directory "Absolute path";
    external "C" directory = ModelicaInternal_getcwd(0);
  end getWorkDirectory;

  impure function getEnvironmentVariable "The content of an environment variable"
    extends Modelica.Icons.Function;
    input String name "Name";
    input Boolean convertToSlash=false "Put slashes in place of backslashes";
    output String content "Content, empty if there is none";
    output Boolean exist "There is such a variable";
    external "C" ModelicaInternal_getenv(name, convertToSlash, content, exist);
  end getEnvironmentVariable;

  impure function getTime "The time of day and the date"
    extends Modelica.Icons.Function;
    output Integer ms "Millisecond";
    output Integer sec "Second";
    output Integer min "Minute";
    output Integer hour "Hour";
    output Integer day "Day";
    output Integer mon "Month";
    output Integer year "Year";
    external "C" ModelicaInternal_getTime(ms, sec, min, hour, day, mon, year);
  end getTime;

  impure function getPid "Number of this process"
    extends Modelica.Icons.Function;
    output Integer pid "Number";
    external "C" pid = ModelicaInternal_getpid();
  end getPid;

  impure function command "Run a command of the shell; the call must allow it"
    extends Modelica.Icons.Function;
    input String string "Command";
    output Integer result "Its exit status";
    external "C" result = system(string);
  end command;
end System;
