within Modelica;
package Icons "Bases to extend from; here they carry no picture and no equations"
  partial package Package "Base of packages"
  end Package;

  partial package ExamplesPackage "Base of packages of runnable examples"
    extends Modelica.Icons.Package;
  end ExamplesPackage;

  partial package BasesPackage "Base of packages of partial classes"
    extends Modelica.Icons.Package;
  end BasesPackage;

  partial package VariantsPackage "Base of packages of variants of a component"
    extends Modelica.Icons.Package;
  end VariantsPackage;

  partial package InterfacesPackage "Base of packages of connectors and partial models"
    extends Modelica.Icons.Package;
  end InterfacesPackage;

  partial package SourcesPackage "Base of packages of sources"
    extends Modelica.Icons.Package;
  end SourcesPackage;

  partial package SensorsPackage "Base of packages of sensors"
    extends Modelica.Icons.Package;
  end SensorsPackage;

  partial package UtilitiesPackage "Base of packages of supporting classes"
    extends Modelica.Icons.Package;
  end UtilitiesPackage;

  partial package TypesPackage "Base of packages of types"
    extends Modelica.Icons.Package;
  end TypesPackage;

  partial package FunctionsPackage "Base of packages of functions"
    extends Modelica.Icons.Package;
  end FunctionsPackage;

  partial package IconsPackage "Base of packages of content-free bases"
    extends Modelica.Icons.Package;
  end IconsPackage;

  partial package MaterialPropertiesPackage "Base of packages of material data"
    extends Modelica.Icons.Package;
  end MaterialPropertiesPackage;

  partial package RecordsPackage "Base of packages of records"
    extends Modelica.Icons.Package;
  end RecordsPackage;

  partial package InternalPackage "Base of packages not meant for users"
  end InternalPackage;

  partial package Library "Older name of Package"
    extends Modelica.Icons.Package;
  end Library;

  partial package Library2 "Older name of Package"
    extends Modelica.Icons.Package;
  end Library2;

  partial model Example "Base of runnable examples"
  end Example;

  partial class Information "Base of documentation pages"
  end Information;

  partial class Contact "Base of contact pages"
  end Contact;

  partial class ReleaseNotes "Base of release notes"
  end ReleaseNotes;

  partial class References "Base of literature lists"
  end References;

  partial class MaterialProperty "Base of material property classes"
  end MaterialProperty;

  partial class RoundSensor "Base of sensors of absolute quantities"
  end RoundSensor;

  partial class RectangularSensor "Base of sensors of relative quantities"
  end RectangularSensor;

  partial class UnderConstruction "Base of unfinished classes"
  end UnderConstruction;

  partial class ObsoleteModel "Base of classes kept for old models"
  end ObsoleteModel;

  partial function Function "Base of functions"
  end Function;

  partial record Record "Base of records"
  end Record;

  type TypeReal "Base of Real types"
    extends Real;
  end TypeReal;

  type TypeInteger "Base of Integer types"
    extends Integer;
  end TypeInteger;

  type TypeBoolean "Base of Boolean types"
    extends Boolean;
  end TypeBoolean;

  type TypeString "Base of String types"
    extends String;
  end TypeString;

  expandable connector SignalBus "Base of signal buses"
  end SignalBus;

  expandable connector SignalSubBus "Base of signal buses"
  end SignalSubBus;
end Icons;
