within Modelica.Electrical;
package Digital "Signals of nine-valued logic, as converters between analog and digital need them"
  extends Modelica.Icons.Package;

  package Interfaces "Values and connectors"
    extends Modelica.Icons.InterfacesPackage;

    type Logic = enumeration(
        'U' "Not initialised",
        'X' "Unknown, forced",
        '0' "False, forced",
        '1' "True, forced",
        'Z' "High impedance",
        'W' "Unknown, weak",
        'L' "False, weak",
        'H' "True, weak",
        '-' "Does not matter") "Values of IEEE 1164";

    connector DigitalSignal = Logic "Signal of either direction";
    connector DigitalInput = input DigitalSignal "Signal that comes in";
    connector DigitalOutput = output DigitalSignal "Signal that goes out";
  end Interfaces;
end Digital;
