within Modelica.Units;
package Conversions "Functions from and to SI units"
  extends Modelica.Icons.Package;

  function to_unit1 "Attach the unit 1 to a number"
    extends Modelica.Units.Icons.Conversion;
    input Real r "Any number";
    output Real result(unit="1") "The same number";
  algorithm
    result := r;
    annotation(Inline=true);
  end to_unit1;

  function to_degC "Kelvin to degrees Celsius"
    extends Modelica.Units.Icons.Conversion;
    input SI.Temperature Kelvin;
    output NonSI.Temperature_degC Celsius;
  algorithm
    Celsius := Kelvin + Modelica.Constants.T_zero;
    annotation(Inline=true);
  end to_degC;

  function from_degC "Degrees Celsius to kelvin"
    extends Modelica.Units.Icons.Conversion;
    input NonSI.Temperature_degC Celsius;
    output SI.Temperature Kelvin;
  algorithm
    Kelvin := Celsius - Modelica.Constants.T_zero;
    annotation(Inline=true);
  end from_degC;

  function to_degF "Kelvin to degrees Fahrenheit"
    extends Modelica.Units.Icons.Conversion;
    input SI.Temperature Kelvin;
    output NonSI.Temperature_degF Fahrenheit;
  algorithm
    Fahrenheit := 32 + 9/5*(Kelvin + Modelica.Constants.T_zero);
    annotation(Inline=true);
  end to_degF;

  function from_degF "Degrees Fahrenheit to kelvin"
    extends Modelica.Units.Icons.Conversion;
    input NonSI.Temperature_degF Fahrenheit;
    output SI.Temperature Kelvin;
  algorithm
    Kelvin := 5/9*(Fahrenheit - 32) - Modelica.Constants.T_zero;
    annotation(Inline=true);
  end from_degF;

  function to_degRk "Kelvin to degrees Rankine"
    extends Modelica.Units.Icons.Conversion;
    input SI.Temperature Kelvin;
    output NonSI.Temperature_degRk Rankine;
  algorithm
    Rankine := 9/5*Kelvin;
    annotation(Inline=true);
  end to_degRk;

  function from_degRk "Degrees Rankine to kelvin"
    extends Modelica.Units.Icons.Conversion;
    input NonSI.Temperature_degRk Rankine;
    output SI.Temperature Kelvin;
  algorithm
    Kelvin := 5/9*Rankine;
    annotation(Inline=true);
  end from_degRk;

  function to_deg "Radians to degrees"
    extends Modelica.Units.Icons.Conversion;
    input SI.Angle radian;
    output NonSI.Angle_deg degree;
  algorithm
    degree := 180/Modelica.Constants.pi*radian;
    annotation(Inline=true);
  end to_deg;

  function from_deg "Degrees to radians"
    extends Modelica.Units.Icons.Conversion;
    input NonSI.Angle_deg degree;
    output SI.Angle radian;
  algorithm
    radian := Modelica.Constants.pi/180*degree;
    annotation(Inline=true);
  end from_deg;

  function to_rpm "Radians per second to revolutions per minute"
    extends Modelica.Units.Icons.Conversion;
    input SI.AngularVelocity rs;
    output NonSI.AngularVelocity_rpm rpm;
  algorithm
    rpm := 30/Modelica.Constants.pi*rs;
    annotation(Inline=true);
  end to_rpm;

  function from_rpm "Revolutions per minute to radians per second"
    extends Modelica.Units.Icons.Conversion;
    input NonSI.AngularVelocity_rpm rpm;
    output SI.AngularVelocity rs;
  algorithm
    rs := Modelica.Constants.pi/30*rpm;
    annotation(Inline=true);
  end from_rpm;

  function to_kmh "Metres per second to kilometres per hour"
    extends Modelica.Units.Icons.Conversion;
    input SI.Velocity ms;
    output NonSI.Velocity_kmh kmh;
  algorithm
    kmh := 3.6*ms;
    annotation(Inline=true);
  end to_kmh;

  function from_kmh "Kilometres per hour to metres per second"
    extends Modelica.Units.Icons.Conversion;
    input NonSI.Velocity_kmh kmh;
    output SI.Velocity ms;
  algorithm
    ms := kmh/3.6;
    annotation(Inline=true);
  end from_kmh;

  function to_day "Seconds to days"
    extends Modelica.Units.Icons.Conversion;
    input SI.Time s;
    output NonSI.Time_day day;
  algorithm
    day := s/86400;
    annotation(Inline=true);
  end to_day;

  function from_day "Days to seconds"
    extends Modelica.Units.Icons.Conversion;
    input NonSI.Time_day day;
    output SI.Time s;
  algorithm
    s := 86400*day;
    annotation(Inline=true);
  end from_day;

  function to_hour "Seconds to hours"
    extends Modelica.Units.Icons.Conversion;
    input SI.Time s;
    output NonSI.Time_hour hour;
  algorithm
    hour := s/3600;
    annotation(Inline=true);
  end to_hour;

  function from_hour "Hours to seconds"
    extends Modelica.Units.Icons.Conversion;
    input NonSI.Time_hour hour;
    output SI.Time s;
  algorithm
    s := 3600*hour;
    annotation(Inline=true);
  end from_hour;

  function to_minute "Seconds to minutes"
    extends Modelica.Units.Icons.Conversion;
    input SI.Time s;
    output NonSI.Time_minute minute;
  algorithm
    minute := s/60;
    annotation(Inline=true);
  end to_minute;

  function from_minute "Minutes to seconds"
    extends Modelica.Units.Icons.Conversion;
    input NonSI.Time_minute minute;
    output SI.Time s;
  algorithm
    s := 60*minute;
    annotation(Inline=true);
  end from_minute;

  function to_litre "Cubic metres to litres"
    extends Modelica.Units.Icons.Conversion;
    input SI.Volume m3;
    output NonSI.Volume_litre litre;
  algorithm
    litre := 1000*m3;
    annotation(Inline=true);
  end to_litre;

  function from_litre "Litres to cubic metres"
    extends Modelica.Units.Icons.Conversion;
    input NonSI.Volume_litre litre;
    output SI.Volume m3;
  algorithm
    m3 := litre/1000;
    annotation(Inline=true);
  end from_litre;

  function to_Ah "Coulombs to ampere hours"
    extends Modelica.Units.Icons.Conversion;
    input SI.ElectricCharge Coulomb;
    output NonSI.ElectricCharge_Ah AmpereHour;
  algorithm
    AmpereHour := Coulomb/3600;
    annotation(Inline=true);
  end to_Ah;

  function from_Ah "Ampere hours to coulombs"
    extends Modelica.Units.Icons.Conversion;
    input NonSI.ElectricCharge_Ah AmpereHour;
    output SI.ElectricCharge Coulomb;
  algorithm
    Coulomb := 3600*AmpereHour;
    annotation(Inline=true);
  end from_Ah;

  function to_Wh "Joules to watt hours"
    extends Modelica.Units.Icons.Conversion;
    input SI.Energy Joule;
    output NonSI.Energy_Wh WattHour;
  algorithm
    WattHour := Joule/3600;
    annotation(Inline=true);
  end to_Wh;

  function from_Wh "Watt hours to joules"
    extends Modelica.Units.Icons.Conversion;
    input NonSI.Energy_Wh WattHour;
    output SI.Energy Joule;
  algorithm
    Joule := 3600*WattHour;
    annotation(Inline=true);
  end from_Wh;

  function to_kWh "Joules to kilowatt hours"
    extends Modelica.Units.Icons.Conversion;
    input SI.Energy J;
    output NonSI.Energy_kWh kWh;
  algorithm
    kWh := J/3.6e6;
    annotation(Inline=true);
  end to_kWh;

  function from_kWh "Kilowatt hours to joules"
    extends Modelica.Units.Icons.Conversion;
    input NonSI.Energy_kWh kWh;
    output SI.Energy J;
  algorithm
    J := 3.6e6*kWh;
    annotation(Inline=true);
  end from_kWh;

  function to_bar "Pascals to bar"
    extends Modelica.Units.Icons.Conversion;
    input SI.Pressure Pa;
    output NonSI.Pressure_bar bar;
  algorithm
    bar := Pa/1e5;
    annotation(Inline=true);
  end to_bar;

  function from_bar "Bar to pascals"
    extends Modelica.Units.Icons.Conversion;
    input NonSI.Pressure_bar bar;
    output SI.Pressure Pa;
  algorithm
    Pa := 1e5*bar;
    annotation(Inline=true);
  end from_bar;

  function to_gps "Kilograms per second to grams per second"
    extends Modelica.Units.Icons.Conversion;
    input SI.MassFlowRate kgps;
    output NonSI.MassFlowRate_gps gps;
  algorithm
    gps := 1000*kgps;
    annotation(Inline=true);
  end to_gps;

  function from_gps "Grams per second to kilograms per second"
    extends Modelica.Units.Icons.Conversion;
    input NonSI.MassFlowRate_gps gps;
    output SI.MassFlowRate kgps;
  algorithm
    kgps := gps/1000;
    annotation(Inline=true);
  end from_gps;

  function to_cm2 "Square metres to square centimetres"
    extends Modelica.Units.Icons.Conversion;
    input SI.Area m2;
    output NonSI.Area_cm cm2;
  algorithm
    cm2 := 1e4*m2;
    annotation(Inline=true);
  end to_cm2;

  function from_cm2 "Square centimetres to square metres"
    extends Modelica.Units.Icons.Conversion;
    input NonSI.Area_cm cm2;
    output SI.Area m2;
  algorithm
    m2 := 1e-4*cm2;
    annotation(Inline=true);
  end from_cm2;

  function from_Hz "Cycles per second to radians per second"
    extends Modelica.Units.Icons.Conversion;
    input SI.Frequency f;
    output SI.AngularVelocity w;
  algorithm
    w := 2*Modelica.Constants.pi*f;
    annotation(Inline=true);
  end from_Hz;

  function to_Hz "Radians per second to cycles per second"
    extends Modelica.Units.Icons.Conversion;
    input SI.AngularVelocity w;
    output SI.Frequency f;
  algorithm
    f := w/(2*Modelica.Constants.pi);
    annotation(Inline=true);
  end to_Hz;
end Conversions;
