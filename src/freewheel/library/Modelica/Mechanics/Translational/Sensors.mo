within Modelica.Mechanics.Translational;
package Sensors "Ideal instruments for translation"
  extends Modelica.Icons.SensorsPackage;
  import Modelica.Units.SI;

  model PositionSensor "Absolute position"
    extends Modelica.Mechanics.Translational.Interfaces.PartialAbsoluteSensor;
    Modelica.Blocks.Interfaces.RealOutput s(unit="m") "Position";
  equation
    s = flange.s;
  end PositionSensor;

  model SpeedSensor "Absolute velocity"
    extends Modelica.Mechanics.Translational.Interfaces.PartialAbsoluteSensor;
    Modelica.Blocks.Interfaces.RealOutput v(unit="m/s") "Velocity";
  equation
    v = der(flange.s);
  end SpeedSensor;

  model AccSensor "Absolute acceleration"
    extends Modelica.Mechanics.Translational.Interfaces.PartialAbsoluteSensor;
    SI.Velocity v "Velocity";
    Modelica.Blocks.Interfaces.RealOutput a(unit="m/s2") "Acceleration";
  equation
    v = der(flange.s);
    a = der(v);
  end AccSensor;

  model RelPositionSensor "Position of flange_b against flange_a"
    extends Modelica.Mechanics.Translational.Interfaces.PartialRelativeSensor;
    Modelica.Blocks.Interfaces.RealOutput s_rel(unit="m") "Position";
  equation
    flange_a.f = 0;
    s_rel = flange_b.s - flange_a.s;
  end RelPositionSensor;

  model RelSpeedSensor "Velocity of flange_b against flange_a"
    extends Modelica.Mechanics.Translational.Interfaces.PartialRelativeSensor;
    SI.Position s_rel "Position";
    Modelica.Blocks.Interfaces.RealOutput v_rel(unit="m/s") "Velocity";
  equation
    flange_a.f = 0;
    s_rel = flange_b.s - flange_a.s;
    v_rel = der(s_rel);
  end RelSpeedSensor;

  model RelAccSensor "Acceleration of flange_b against flange_a"
    extends Modelica.Mechanics.Translational.Interfaces.PartialRelativeSensor;
    SI.Position s_rel "Position";
    SI.Velocity v_rel "Velocity";
    Modelica.Blocks.Interfaces.RealOutput a_rel(unit="m/s2") "Acceleration";
  equation
    flange_a.f = 0;
    s_rel = flange_b.s - flange_a.s;
    v_rel = der(s_rel);
    a_rel = der(v_rel);
  end RelAccSensor;

  model ForceSensor "Force from flange_a to flange_b"
    extends Modelica.Mechanics.Translational.Interfaces.PartialRelativeSensor;
    Modelica.Blocks.Interfaces.RealOutput f(unit="N") "Force";
  equation
    flange_a.s = flange_b.s;
    f = flange_a.f;
  end ForceSensor;

  model PowerSensor "Power from flange_a to flange_b"
    extends Modelica.Mechanics.Translational.Interfaces.PartialRelativeSensor;
    Modelica.Blocks.Interfaces.RealOutput power(unit="W") "Power";
  equation
    flange_a.s = flange_b.s;
    power = flange_a.f*der(flange_a.s);
  end PowerSensor;

  model MultiSensor "Velocity, force and power from flange_a to flange_b"
    extends Modelica.Mechanics.Translational.Interfaces.PartialRelativeSensor;
    Modelica.Blocks.Interfaces.RealOutput power(unit="W") "Power";
    Modelica.Blocks.Interfaces.RealOutput v(unit="m/s") "Velocity";
    Modelica.Blocks.Interfaces.RealOutput f(unit="N") "Force";
  equation
    flange_a.s = flange_b.s;
    v = der(flange_a.s);
    f = flange_a.f;
    power = f*v;
  end MultiSensor;
end Sensors;
