within Modelica.Mechanics.MultiBody;
package Sensors "Positions, velocities, angles, forces and power as signals"
  extends Modelica.Icons.SensorsPackage;
end Sensors;
