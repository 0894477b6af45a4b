within Modelica.Thermal.HeatTransfer;
package Rankine "Sources and sensors in degrees Rankine"
  extends Modelica.Icons.VariantsPackage;
  import Modelica.Units.Conversions;
  import Modelica.Units.NonSI;

  model ToKelvin "Degrees Rankine to kelvin"
    Modelica.Blocks.Interfaces.RealInput Rankine(unit="degRk");
    Modelica.Blocks.Interfaces.RealOutput Kelvin(unit="K");
  equation
    Kelvin = Conversions.from_degRk(Rankine);
  end ToKelvin;

  model FromKelvin "Kelvin to degrees Rankine"
    Modelica.Blocks.Interfaces.RealInput Kelvin(unit="K");
    Modelica.Blocks.Interfaces.RealOutput Rankine(unit="degRk");
  equation
    Rankine = Conversions.to_degRk(Kelvin);
  end FromKelvin;

  model FixedTemperature "Constant temperature in degrees Rankine"
    parameter NonSI.Temperature_degRk T "Temperature of the port";
    Interfaces.HeatPort_b port;
  equation
    port.T = Conversions.from_degRk(T);
  end FixedTemperature;

  model PrescribedTemperature "Temperature by signal in degrees Rankine"
    Interfaces.HeatPort_b port;
    Modelica.Blocks.Interfaces.RealInput T(unit="degRk") "Temperature of the port";
  equation
    port.T = Conversions.from_degRk(T);
  end PrescribedTemperature;

  model TemperatureSensor "Temperature in degrees Rankine"
    Modelica.Blocks.Interfaces.RealOutput T(unit="degRk") "Temperature of the port";
    Interfaces.HeatPort_a port;
  equation
    port.Q_flow = 0;
    T = Conversions.to_degRk(port.T);
  end TemperatureSensor;
end Rankine;
