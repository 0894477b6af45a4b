within Modelica.Thermal.HeatTransfer;
package Fahrenheit "Sources and sensors in degrees Fahrenheit"
  extends Modelica.Icons.VariantsPackage;
  import Modelica.Units.Conversions;
  import Modelica.Units.NonSI;

  model ToKelvin "Degrees Fahrenheit to kelvin"
    Modelica.Blocks.Interfaces.RealInput Fahrenheit(unit="degF");
    Modelica.Blocks.Interfaces.RealOutput Kelvin(unit="K");
  equation
    Kelvin = Conversions.from_degF(Fahrenheit);
  end ToKelvin;

  model FromKelvin "Kelvin to degrees Fahrenheit"
    Modelica.Blocks.Interfaces.RealInput Kelvin(unit="K");
    Modelica.Blocks.Interfaces.RealOutput Fahrenheit(unit="degF");
  equation
    Fahrenheit = Conversions.to_degF(Kelvin);
  end FromKelvin;

  model FixedTemperature "Constant temperature in degrees Fahrenheit"
    parameter NonSI.Temperature_degF T "Temperature of the port";
    Interfaces.HeatPort_b port;
  equation
    port.T = Conversions.from_degF(T);
  end FixedTemperature;

  model PrescribedTemperature "Temperature by signal in degrees Fahrenheit"
    Interfaces.HeatPort_b port;
    Modelica.Blocks.Interfaces.RealInput T(unit="degF") "Temperature of the port";
  equation
    port.T = Conversions.from_degF(T);
  end PrescribedTemperature;

  model TemperatureSensor "Temperature in degrees Fahrenheit"
    Modelica.Blocks.Interfaces.RealOutput T(unit="degF") "Temperature of the port";
    Interfaces.HeatPort_a port;
  equation
    port.Q_flow = 0;
    T = Conversions.to_degF(port.T);
  end TemperatureSensor;
end Fahrenheit;
