within Modelica.Electrical.Analog;
package Sensors "Ideal electrical instruments"
  extends Modelica.Icons.SensorsPackage;

  model PotentialSensor "Potential of a pin"
    extends Modelica.Icons.RoundSensor;
    Interfaces.PositivePin p;
    Modelica.Blocks.Interfaces.RealOutput phi(unit="V") "Potential";
  equation
    p.i = 0;
    phi = p.v;
  end PotentialSensor;

  model VoltageSensor "Voltage between two pins"
    extends Modelica.Icons.RoundSensor;
    Interfaces.PositivePin p;
    Interfaces.NegativePin n;
    Modelica.Blocks.Interfaces.RealOutput v(unit="V") "Voltage from p to n";
  equation
    p.i = 0;
    n.i = 0;
    v = p.v - n.v;
  end VoltageSensor;

  model CurrentSensor "Current in a branch"
    extends Modelica.Icons.RoundSensor;
    Interfaces.PositivePin p;
    Interfaces.NegativePin n;
    Modelica.Blocks.Interfaces.RealOutput i(unit="A") "Current from p to n";
  equation
    p.v = n.v;
    i = p.i;
    p.i + n.i = 0;
  end CurrentSensor;

  model PowerSensor "Power: a current path and a voltage path"
    extends Modelica.Icons.RoundSensor;
    Modelica.Electrical.Analog.Interfaces.PositivePin pc "Begin of the current path";
    Modelica.Electrical.Analog.Interfaces.NegativePin nc "End of the current path";
    Modelica.Electrical.Analog.Interfaces.PositivePin pv "Begin of the voltage path";
    Modelica.Electrical.Analog.Interfaces.NegativePin nv "End of the voltage path";
    Modelica.Blocks.Interfaces.RealOutput power(unit="W") "Power";
    Modelica.Electrical.Analog.Sensors.VoltageSensor voltageSensor;
    Modelica.Electrical.Analog.Sensors.CurrentSensor currentSensor;
    Modelica.Blocks.Math.Product product;
  equation
    connect(pc, currentSensor.p);
    connect(currentSensor.n, nc);
    connect(pv, voltageSensor.p);
    connect(voltageSensor.n, nv);
    connect(voltageSensor.v, product.u1);
    connect(currentSensor.i, product.u2);
    connect(product.y, power);
  end PowerSensor;

  model MultiSensor "Current, voltage and power at once"
    extends Modelica.Icons.RoundSensor;
    Modelica.Electrical.Analog.Interfaces.PositivePin pc "Begin of the current path";
    Modelica.Electrical.Analog.Interfaces.NegativePin nc "End of the current path";
    Modelica.Electrical.Analog.Interfaces.PositivePin pv "Begin of the voltage path";
    Modelica.Electrical.Analog.Interfaces.NegativePin nv "End of the voltage path";
    Modelica.Blocks.Interfaces.RealOutput i(final quantity="ElectricCurrent", final unit="A")
      "Current";
    Modelica.Blocks.Interfaces.RealOutput v(final quantity="ElectricPotential", final unit="V")
      "Voltage";
    Modelica.Blocks.Interfaces.RealOutput power(final quantity="Power", final unit="W") "Power";
  equation
    pc.v = nc.v;
    pc.i + nc.i = 0;
    pv.i = 0;
    nv.i = 0;
    i = pc.i;
    v = pv.v - nv.v;
    power = v*i;
  end MultiSensor;
end Sensors;
