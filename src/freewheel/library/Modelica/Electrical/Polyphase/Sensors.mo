within Modelica.Electrical.Polyphase;
package Sensors "Ideal instruments"
  extends Modelica.Icons.SensorsPackage;

  model PotentialSensor "Potentials of a plug"
    extends Modelica.Icons.RoundSensor;
    parameter Integer m(final min=1) = 3 "Number of phases" annotation(Evaluate=true);
    Interfaces.PositivePlug plug_p(final m=m);
    Modelica.Blocks.Interfaces.RealOutput phi[m](each unit="V") "Potentials";
  equation
    plug_p.pin.i = zeros(m);
    phi = plug_p.pin.v;
  end PotentialSensor;

  model VoltageSensor "Voltages between two plugs"
    extends Modelica.Icons.RoundSensor;
    parameter Integer m(final min=1) = 3 "Number of phases" annotation(Evaluate=true);
    Interfaces.PositivePlug plug_p(final m=m);
    Interfaces.NegativePlug plug_n(final m=m);
    Modelica.Blocks.Interfaces.RealOutput v[m](each unit="V") "Voltages from plug_p to plug_n";
  equation
    plug_p.pin.i = zeros(m);
    plug_n.pin.i = zeros(m);
    v = plug_p.pin.v - plug_n.pin.v;
  end VoltageSensor;

  model CurrentSensor "Currents in the phases"
    extends Modelica.Icons.RoundSensor;
    parameter Integer m(final min=1) = 3 "Number of phases" annotation(Evaluate=true);
    Interfaces.PositivePlug plug_p(final m=m);
    Interfaces.NegativePlug plug_n(final m=m);
    Modelica.Blocks.Interfaces.RealOutput i[m](each unit="A") "Currents from plug_p to plug_n";
  equation
    plug_p.pin.v = plug_n.pin.v;
    plug_p.pin.i + plug_n.pin.i = zeros(m);
    i = plug_p.pin.i;
  end CurrentSensor;

  model VoltageQuasiRMSSensor "Root of the mean square of the voltages"
    extends Modelica.Icons.RoundSensor;
    extends Interfaces.TwoPlug;
    Modelica.Blocks.Interfaces.RealOutput V(unit="V") "Root of the mean square";
  equation
    plug_p.pin.i = zeros(m);
    plug_n.pin.i = zeros(m);
    V = Functions.quasiRMS(v);
  end VoltageQuasiRMSSensor;

  model CurrentQuasiRMSSensor "Root of the mean square of the currents"
    extends Modelica.Icons.RoundSensor;
    extends Interfaces.TwoPlug;
    Modelica.Blocks.Interfaces.RealOutput I(unit="A") "Root of the mean square";
  equation
    plug_p.pin.v = plug_n.pin.v;
    plug_p.pin.i + plug_n.pin.i = zeros(m);
    I = Functions.quasiRMS(i);
  end CurrentQuasiRMSSensor;

  model PowerSensor "Power of all phases: current paths and voltage paths"
    extends Modelica.Icons.RoundSensor;
    parameter Integer m(final min=1) = 3 "Number of phases" annotation(Evaluate=true);
    Interfaces.PositivePlug pc(final m=m) "Begin of the current path";
    Interfaces.NegativePlug nc(final m=m) "End of the current path";
    Interfaces.PositivePlug pv(final m=m) "Begin of the voltage path";
    Interfaces.NegativePlug nv(final m=m) "End of the voltage path";
    Modelica.Blocks.Interfaces.RealOutput power(unit="W") "Power";
  equation
    pc.pin.v = nc.pin.v;
    pc.pin.i + nc.pin.i = zeros(m);
    pv.pin.i = zeros(m);
    nv.pin.i = zeros(m);
    power = (pv.pin.v - nv.pin.v)*pc.pin.i;
  end PowerSensor;

  model MultiSensor "Currents, voltages and powers at once"
    extends Modelica.Icons.RoundSensor;
    parameter Integer m(final min=1) = 3 "Number of phases" annotation(Evaluate=true);
    Interfaces.PositivePlug pc(final m=m) "Begin of the current path";
    Interfaces.NegativePlug nc(final m=m) "End of the current path";
    Interfaces.PositivePlug pv(final m=m) "Begin of the voltage path";
    Interfaces.NegativePlug nv(final m=m) "End of the voltage path";
    Modelica.Blocks.Interfaces.RealOutput i[m](each unit="A") "Currents";
    Modelica.Blocks.Interfaces.RealOutput v[m](each unit="V") "Voltages";
    Modelica.Blocks.Interfaces.RealOutput power[m](each unit="W") "Powers of the phases";
    Modelica.Blocks.Interfaces.RealOutput powerTotal(unit="W") "Power of all phases";
  equation
    pc.pin.v = nc.pin.v;
    pc.pin.i + nc.pin.i = zeros(m);
    pv.pin.i = zeros(m);
    nv.pin.i = zeros(m);
    i = pc.pin.i;
    v = pv.pin.v - nv.pin.v;
    power = v.*i;
    powerTotal = sum(power);
  end MultiSensor;

  model AronSensor "Power of three phases without neutral wire, by two wattmeters"
    extends Modelica.Icons.RoundSensor;
    final parameter Integer m(final min=1) = 3 "Number of phases";
    Interfaces.PositivePlug plug_p(final m=m);
    Interfaces.NegativePlug plug_n(final m=m);
    Modelica.Blocks.Interfaces.RealOutput power(unit="W") "Power";
  equation
    plug_p.pin.v = plug_n.pin.v;
    plug_p.pin.i + plug_n.pin.i = zeros(m);
    power = (plug_p.pin[1].v - plug_p.pin[2].v)*plug_p.pin[1].i
      + (plug_p.pin[3].v - plug_p.pin[2].v)*plug_p.pin[3].i;
  end AronSensor;

  model ReactivePowerSensor "Reactive power of three phases without neutral wire"
    extends Modelica.Icons.RoundSensor;
    final parameter Integer m(final min=1) = 3 "Number of phases";
    Interfaces.PositivePlug plug_p(final m=m);
    Interfaces.NegativePlug plug_n(final m=m);
    Modelica.Blocks.Interfaces.RealOutput reactivePower(unit="var") "Reactive power";
  protected
    SI.Voltage v[3]=plug_p.pin.v "Potentials";
  equation
    plug_p.pin.v = plug_n.pin.v;
    plug_p.pin.i + plug_n.pin.i = zeros(m);
    // The voltage between the two other phases lags by a quarter of a period behind that of a phase.
    reactivePower = {v[2] - v[3], v[3] - v[1], v[1] - v[2]}*plug_p.pin.i/sqrt(3);
  end ReactivePowerSensor;
end Sensors;
