within Modelica.Blocks.Math;
encapsulated package UnitConversions "Conversions between units as blocks"
  import Modelica;
  extends Modelica.Icons.Package;

  block To_degC "From K to degC"
    extends Modelica.Blocks.Interfaces.PartialConversionBlock(u(unit="K"), y(unit="degC"));
  equation
    y = Modelica.Units.Conversions.to_degC(u);
  end To_degC;

  block From_degC "From degC to K"
    extends Modelica.Blocks.Interfaces.PartialConversionBlock(u(unit="degC"), y(unit="K"));
  equation
    y = Modelica.Units.Conversions.from_degC(u);
  end From_degC;

  block To_degF "From K to degF"
    extends Modelica.Blocks.Interfaces.PartialConversionBlock(u(unit="K"), y(unit="degF"));
  equation
    y = Modelica.Units.Conversions.to_degF(u);
  end To_degF;

  block From_degF "From degF to K"
    extends Modelica.Blocks.Interfaces.PartialConversionBlock(u(unit="degF"), y(unit="K"));
  equation
    y = Modelica.Units.Conversions.from_degF(u);
  end From_degF;

  block To_degRk "From K to degRk"
    extends Modelica.Blocks.Interfaces.PartialConversionBlock(u(unit="K"), y(unit="degRk"));
  equation
    y = Modelica.Units.Conversions.to_degRk(u);
  end To_degRk;

  block From_degRk "From degRk to K"
    extends Modelica.Blocks.Interfaces.PartialConversionBlock(u(unit="degRk"), y(unit="K"));
  equation
    y = Modelica.Units.Conversions.from_degRk(u);
  end From_degRk;

  block To_deg "From rad to deg"
    extends Modelica.Blocks.Interfaces.PartialConversionBlock(u(unit="rad"), y(unit="deg"));
  equation
    y = Modelica.Units.Conversions.to_deg(u);
  end To_deg;

  block From_deg "From deg to rad"
    extends Modelica.Blocks.Interfaces.PartialConversionBlock(u(unit="deg"), y(unit="rad"));
  equation
    y = Modelica.Units.Conversions.from_deg(u);
  end From_deg;

  block To_rpm "From rad/s to rev/min"
    extends Modelica.Blocks.Interfaces.PartialConversionBlock(u(unit="rad/s"), y(unit="rev/min"));
  equation
    y = Modelica.Units.Conversions.to_rpm(u);
  end To_rpm;

  block From_rpm "From rev/min to rad/s"
    extends Modelica.Blocks.Interfaces.PartialConversionBlock(u(unit="rev/min"), y(unit="rad/s"));
  equation
    y = Modelica.Units.Conversions.from_rpm(u);
  end From_rpm;

  block To_kmh "From m/s to km/h"
    extends Modelica.Blocks.Interfaces.PartialConversionBlock(u(unit="m/s"), y(unit="km/h"));
  equation
    y = Modelica.Units.Conversions.to_kmh(u);
  end To_kmh;

  block From_kmh "From km/h to m/s"
    extends Modelica.Blocks.Interfaces.PartialConversionBlock(u(unit="km/h"), y(unit="m/s"));
  equation
    y = Modelica.Units.Conversions.from_kmh(u);
  end From_kmh;

  block To_day "From s to d"
    extends Modelica.Blocks.Interfaces.PartialConversionBlock(u(unit="s"), y(unit="d"));
  equation
    y = Modelica.Units.Conversions.to_day(u);
  end To_day;

  block From_day "From d to s"
    extends Modelica.Blocks.Interfaces.PartialConversionBlock(u(unit="d"), y(unit="s"));
  equation
    y = Modelica.Units.Conversions.from_day(u);
  end From_day;

  block To_hour "From s to h"
    extends Modelica.Blocks.Interfaces.PartialConversionBlock(u(unit="s"), y(unit="h"));
  equation
    y = Modelica.Units.Conversions.to_hour(u);
  end To_hour;

  block From_hour "From h to s"
    extends Modelica.Blocks.Interfaces.PartialConversionBlock(u(unit="h"), y(unit="s"));
  equation
    y = Modelica.Units.Conversions.from_hour(u);
  end From_hour;

  block To_minute "From s to min"
    extends Modelica.Blocks.Interfaces.PartialConversionBlock(u(unit="s"), y(unit="min"));
  equation
    y = Modelica.Units.Conversions.to_minute(u);
  end To_minute;

  block From_minute "From min to s"
    extends Modelica.Blocks.Interfaces.PartialConversionBlock(u(unit="min"), y(unit="s"));
  equation
    y = Modelica.Units.Conversions.from_minute(u);
  end From_minute;

  block To_litre "From m3 to l"
    extends Modelica.Blocks.Interfaces.PartialConversionBlock(u(unit="m3"), y(unit="l"));
  equation
    y = Modelica.Units.Conversions.to_litre(u);
  end To_litre;

  block From_litre "From l to m3"
    extends Modelica.Blocks.Interfaces.PartialConversionBlock(u(unit="l"), y(unit="m3"));
  equation
    y = Modelica.Units.Conversions.from_litre(u);
  end From_litre;

  block To_kWh "From J to kW.h"
    extends Modelica.Blocks.Interfaces.PartialConversionBlock(u(unit="J"), y(unit="kW.h"));
  equation
    y = Modelica.Units.Conversions.to_kWh(u);
  end To_kWh;

  block From_kWh "From kW.h to J"
    extends Modelica.Blocks.Interfaces.PartialConversionBlock(u(unit="kW.h"), y(unit="J"));
  equation
    y = Modelica.Units.Conversions.from_kWh(u);
  end From_kWh;

  block To_bar "From Pa to bar"
    extends Modelica.Blocks.Interfaces.PartialConversionBlock(u(unit="Pa"), y(unit="bar"));
  equation
    y = Modelica.Units.Conversions.to_bar(u);
  end To_bar;

  block From_bar "From bar to Pa"
    extends Modelica.Blocks.Interfaces.PartialConversionBlock(u(unit="bar"), y(unit="Pa"));
  equation
    y = Modelica.Units.Conversions.from_bar(u);
  end From_bar;

  block To_gps "From kg/s to g/s"
    extends Modelica.Blocks.Interfaces.PartialConversionBlock(u(unit="kg/s"), y(unit="g/s"));
  equation
    y = Modelica.Units.Conversions.to_gps(u);
  end To_gps;

  block From_gps "From g/s to kg/s"
    extends Modelica.Blocks.Interfaces.PartialConversionBlock(u(unit="g/s"), y(unit="kg/s"));
  equation
    y = Modelica.Units.Conversions.from_gps(u);
  end From_gps;
end UnitConversions;
