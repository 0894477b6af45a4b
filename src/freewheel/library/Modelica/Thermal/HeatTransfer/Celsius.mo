within Modelica.Thermal.HeatTransfer;
package Celsius "Sources and sensors in degrees Celsius"
  extends Modelica.Icons.VariantsPackage;
  import Modelica.Units.Conversions;
  import Modelica.Units.NonSI;

  model ToKelvin "Degrees Celsius to kelvin"
    Modelica.Blocks.Interfaces.RealInput Celsius(unit="degC");
    Modelica.Blocks.Interfaces.RealOutput Kelvin(unit="K");
  equation
    Kelvin = Conversions.from_degC(Celsius);
  end ToKelvin;

  model FromKelvin "Kelvin to degrees Celsius"
    Modelica.Blocks.Interfaces.RealInput Kelvin(unit="K");
    Modelica.Blocks.Interfaces.RealOutput Celsius(unit="degC");
  equation
    Celsius = Conversions.to_degC(Kelvin);
  end FromKelvin;

  model FixedTemperature "Constant temperature in degrees Celsius"
    parameter NonSI.Temperature_degC T "Temperature of the port";
    Interfaces.HeatPort_b port;
  equation
    port.T = Conversions.from_degC(T);
  end FixedTemperature;

  model PrescribedTemperature "Temperature by signal in degrees Celsius"
    Interfaces.HeatPort_b port;
    Modelica.Blocks.Interfaces.RealInput T(unit="degC") "Temperature of the port";
  equation
    port.T = Conversions.from_degC(T);
  end PrescribedTemperature;

  model TemperatureSensor "Temperature in degrees Celsius"
    Modelica.Blocks.Interfaces.RealOutput T(unit="degC") "Temperature of the port";
    Interfaces.HeatPort_a port;
  equation
    port.Q_flow = 0;
    T = Conversions.to_degC(port.T);
  end TemperatureSensor;
end Celsius;
