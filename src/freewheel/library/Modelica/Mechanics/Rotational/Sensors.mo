within Modelica.Mechanics.Rotational;
package Sensors "Ideal instruments for rotation"
  extends Modelica.Icons.SensorsPackage;
  import Modelica.Units.SI;

  model AngleSensor "Absolute angle"
    extends Modelica.Mechanics.Rotational.Interfaces.PartialAbsoluteSensor;
    Modelica.Blocks.Interfaces.RealOutput phi(unit="rad", displayUnit="deg") "Angle";
  equation
    phi = flange.phi;
  end AngleSensor;

  model SpeedSensor "Absolute speed"
    extends Modelica.Mechanics.Rotational.Interfaces.PartialAbsoluteSensor;
    Modelica.Blocks.Interfaces.RealOutput w(unit="rad/s") "Speed";
  equation
    w = der(flange.phi);
  end SpeedSensor;

  model AccSensor "Absolute acceleration"
    extends Modelica.Mechanics.Rotational.Interfaces.PartialAbsoluteSensor;
    SI.AngularVelocity w "Speed";
    Modelica.Blocks.Interfaces.RealOutput a(unit="rad/s2") "Acceleration";
  equation
    w = der(flange.phi);
    a = der(w);
  end AccSensor;

  model RelAngleSensor "Angle of flange_b against flange_a"
    extends Modelica.Mechanics.Rotational.Interfaces.PartialRelativeSensor;
    Modelica.Blocks.Interfaces.RealOutput phi_rel(unit="rad", displayUnit="deg") "Angle";
  equation
    flange_a.tau = 0;
    phi_rel = flange_b.phi - flange_a.phi;
  end RelAngleSensor;

  model RelSpeedSensor "Speed of flange_b against flange_a"
    extends Modelica.Mechanics.Rotational.Interfaces.PartialRelativeSensor;
    SI.Angle phi_rel "Angle";
    Modelica.Blocks.Interfaces.RealOutput w_rel(unit="rad/s") "Speed";
  equation
    flange_a.tau = 0;
    phi_rel = flange_b.phi - flange_a.phi;
    w_rel = der(phi_rel);
  end RelSpeedSensor;

  model RelAccSensor "Acceleration of flange_b against flange_a"
    extends Modelica.Mechanics.Rotational.Interfaces.PartialRelativeSensor;
    SI.Angle phi_rel "Angle";
    SI.AngularVelocity w_rel "Speed";
    Modelica.Blocks.Interfaces.RealOutput a_rel(unit="rad/s2") "Acceleration";
  equation
    flange_a.tau = 0;
    phi_rel = flange_b.phi - flange_a.phi;
    w_rel = der(phi_rel);
    a_rel = der(w_rel);
  end RelAccSensor;

  model TorqueSensor "Torque from flange_a to flange_b"
    extends Modelica.Mechanics.Rotational.Interfaces.PartialRelativeSensor;
    Modelica.Blocks.Interfaces.RealOutput tau(unit="N.m") "Torque";
  equation
    flange_a.phi = flange_b.phi;
    tau = flange_a.tau;
  end TorqueSensor;

  model PowerSensor "Power from flange_a to flange_b"
    extends Modelica.Mechanics.Rotational.Interfaces.PartialRelativeSensor;
    Modelica.Blocks.Interfaces.RealOutput power(unit="W") "Power";
  equation
    flange_a.phi = flange_b.phi;
    power = flange_a.tau*der(flange_a.phi);
  end PowerSensor;

  model MultiSensor "Speed, torque and power from flange_a to flange_b"
    extends Modelica.Mechanics.Rotational.Interfaces.PartialRelativeSensor;
    Modelica.Blocks.Interfaces.RealOutput power(unit="W") "Power";
    Modelica.Blocks.Interfaces.RealOutput w(unit="rad/s") "Speed";
    Modelica.Blocks.Interfaces.RealOutput tau(unit="N.m") "Torque";
  equation
    flange_a.phi = flange_b.phi;
    w = der(flange_a.phi);
    tau = flange_a.tau;
    power = tau*w;
  end MultiSensor;
end Sensors;
