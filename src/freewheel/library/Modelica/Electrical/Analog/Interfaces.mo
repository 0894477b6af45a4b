within Modelica.Electrical.Analog;
package Interfaces "Pins and bases of electrical components"
  extends Modelica.Icons.InterfacesPackage;
  import Modelica.Units.SI;

  connector Pin "Electrical connection"
    SI.ElectricPotential v "Potential of the pin";
    flow SI.Current i "Current into the component";
  end Pin;

  connector PositivePin "Pin at the positive end of a component"
    SI.ElectricPotential v "Potential of the pin";
    flow SI.Current i "Current into the component";
  end PositivePin;

  connector NegativePin "Pin at the negative end of a component"
    SI.ElectricPotential v "Potential of the pin";
    flow SI.Current i "Current into the component";
  end NegativePin;

  partial model TwoPin "Two pins and the voltage between them"
    SI.Voltage v "Voltage from p to n";
    PositivePin p;
    NegativePin n;
  equation
    v = p.v - n.v;
  end TwoPin;

  partial model OnePort "Two pins, what enters at p leaves at n"
    extends TwoPin;
    SI.Current i "Current from p to n";
  equation
    p.i + n.i = 0;
    i = p.i;
  end OnePort;

  partial model FourPin "Two pairs of pins"
    SI.Voltage v1 "Voltage of the left pair";
    SI.Voltage v2 "Voltage of the right pair";
    SI.Current i1 "Current into p1";
    SI.Current i2 "Current into p2";
    PositivePin p1;
    NegativePin n1;
    PositivePin p2;
    NegativePin n2;
  equation
    v1 = p1.v - n1.v;
    v2 = p2.v - n2.v;
    i1 = p1.i;
    i2 = p2.i;
  end FourPin;

  partial model TwoPort "Two pairs of pins without current between them"
    extends FourPin;
  equation
    p1.i + n1.i = 0;
    p2.i + n2.i = 0;
  end TwoPort;

  partial model ConditionalHeatPort "Heat port on demand"
    parameter Boolean useHeatPort=false "Offer the heat port"
      annotation(Evaluate=true, HideResult=true);
    parameter SI.Temperature T=293.15 "Temperature without a heat port";
    Modelica.Thermal.HeatTransfer.Interfaces.HeatPort_a heatPort(
      final T=T_heatPort,
      final Q_flow=-LossPower) if useHeatPort;
    SI.Power LossPower "Heat released by the component";
    SI.Temperature T_heatPort "Temperature of the component";
  equation
    if not useHeatPort then
      T_heatPort = T;
    end if;
  end ConditionalHeatPort;

  partial model PartialConditionalHeatPort "Heat port on demand for composed models"
    parameter Boolean useHeatPort=false "Offer the heat port"
      annotation(Evaluate=true, HideResult=true);
    parameter SI.Temperature T=293.15 "Temperature without a heat port";
    Modelica.Thermal.HeatTransfer.Interfaces.HeatPort_a heatPort if useHeatPort;
    Modelica.Thermal.HeatTransfer.Sources.FixedTemperature fixedTemperature(
      final T=T) if not useHeatPort;
  protected
    Modelica.Thermal.HeatTransfer.Interfaces.HeatPort_a internalHeatPort;
  equation
    connect(heatPort, internalHeatPort);
    connect(fixedTemperature.port, internalHeatPort);
  end PartialConditionalHeatPort;

  partial model AbsoluteSensor "Sensor at one pin"
    extends Modelica.Icons.RoundSensor;
    Interfaces.PositivePin p;
    Modelica.Blocks.Interfaces.RealOutput y "Measured value";
  end AbsoluteSensor;

  partial model RelativeSensor "Sensor between two pins"
    extends Modelica.Icons.RoundSensor;
    Interfaces.PositivePin p;
    Interfaces.NegativePin n;
    Modelica.Blocks.Interfaces.RealOutput y "Measured value";
  end RelativeSensor;

  partial model VoltageSource "Voltage given by a signal source"
    extends Modelica.Electrical.Analog.Icons.VoltageSource;
    extends OnePort;
    replaceable Modelica.Blocks.Interfaces.SignalSource signalSource(
      final offset=offset,
      final startTime=startTime);
    parameter SI.Voltage offset=0 "Added to the voltage";
    parameter SI.Time startTime=0 "Before this time the voltage is the offset";
  equation
    v = signalSource.y;
  end VoltageSource;

  partial model CurrentSource "Current given by a signal source"
    extends Modelica.Electrical.Analog.Icons.CurrentSource;
    extends OnePort;
    replaceable Modelica.Blocks.Interfaces.SignalSource signalSource(
      final offset=offset,
      final startTime=startTime);
    parameter SI.Current offset=0 "Added to the current";
    parameter SI.Time startTime=0 "Before this time the current is the offset";
  equation
    i = signalSource.y;
  end CurrentSource;

  partial model IdealSwitch "Two-position switch on a parameterised curve"
    extends Modelica.Electrical.Analog.Interfaces.OnePort;
    parameter SI.Resistance Ron(final min=0) = 1e-5 "Resistance when closed";
    parameter SI.Conductance Goff(final min=0) = 1e-5 "Conductance when open";
    extends Modelica.Electrical.Analog.Interfaces.ConditionalHeatPort(final T=293.15);
  protected
    Boolean off "The switch is open";
    Real s(final unit="1") "Curve parameter: the voltage when open, the current when closed";
    constant SI.Voltage unitVoltage=1 annotation(HideResult=true);
    constant SI.Current unitCurrent=1 annotation(HideResult=true);
  equation
    v = s*unitCurrent*(if off then 1 else Ron);
    i = s*unitVoltage*(if off then Goff else 1);
    LossPower = v*i;
  end IdealSwitch;

  partial model IdealSwitchWithArc "Switch whose arc burns on until its current vanishes"
    extends Modelica.Electrical.Analog.Interfaces.OnePort;
    parameter SI.Resistance Ron=1e-5 "Resistance when closed";
    parameter SI.Conductance Goff=1e-5 "Conductance when open";
    parameter SI.Voltage V0(start=30) "Arc voltage at the opening";
    parameter SI.VoltageSlope dVdt(start=10e3) "Growth of the arc voltage";
    parameter SI.Voltage Vmax(start=60) "Largest arc voltage";
    extends Modelica.Electrical.Analog.Interfaces.ConditionalHeatPort(final T=293.15);
    Boolean off(start=true) "The switch is open";
  protected
    Boolean quenched(start=true, fixed=true) "The arc has gone out";
    discrete SI.Time tSwitch(start=-Modelica.Constants.inf, fixed=true) "Time of the opening";
  equation
    when edge(off) then
      tSwitch = time;
    end when;
    // Once out, the arc stays out until the switch closes again.
    quenched = off and (pre(quenched) or abs(i) <= Goff*abs(v));
    if not off then
      v = Ron*i;
    elseif quenched then
      i = Goff*v;
    else
      v = sign(i)*min(Vmax, V0 + dVdt*(time - tSwitch));
    end if;
    LossPower = v*i;
  end IdealSwitchWithArc;

  partial model IdealSemiconductor "Knee characteristic on a parameterised curve"
    extends Modelica.Electrical.Analog.Interfaces.OnePort;
    parameter SI.Resistance Ron(final min=0) = 1e-5 "Forward resistance";
    parameter SI.Conductance Goff(final min=0) = 1e-5 "Backward conductance";
    parameter SI.Voltage Vknee(final min=0) = 0 "Forward threshold voltage";
    extends Modelica.Electrical.Analog.Interfaces.ConditionalHeatPort;
    Boolean off(start=true) "The element blocks";
  protected
    Real s(start=0, final unit="1")
      "Curve parameter: voltage beyond the knee when blocking, current beyond it when conducting";
    constant SI.Voltage unitVoltage=1 annotation(HideResult=true);
    constant SI.Current unitCurrent=1 annotation(HideResult=true);
  equation
    v = Vknee + s*unitCurrent*(if off then 1 else Ron);
    i = Goff*Vknee + s*unitVoltage*(if off then Goff else 1);
    LossPower = v*i;
  end IdealSemiconductor;
end Interfaces;
