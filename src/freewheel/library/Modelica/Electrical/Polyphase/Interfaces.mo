within Modelica.Electrical.Polyphase;
package Interfaces "Plugs and partial models"
  extends Modelica.Icons.InterfacesPackage;

  connector Plug "m pins"
    parameter Integer m(final min=1) = 3 "Number of phases" annotation(Evaluate=true);
    Modelica.Electrical.Analog.Interfaces.Pin pin[m] "Pins";
  end Plug;

  connector PositivePlug "Plug at the positive end of a component"
    extends Plug;
  end PositivePlug;

  connector NegativePlug "Plug at the negative end of a component"
    extends Plug;
  end NegativePlug;

  partial model ConditionalHeatPort "Heat ports on demand, one for each phase"
    parameter Integer mh(min=1) = 3 "Number of heat ports";
    parameter Boolean useHeatPort=false "The heat ports exist" annotation(Evaluate=true);
    parameter SI.Temperature T[mh]=fill(293.15, mh) "Temperatures without heat ports";
    Modelica.Thermal.HeatTransfer.Interfaces.HeatPort_a heatPort[mh] if useHeatPort;
  end ConditionalHeatPort;

  partial model TwoPlug "Two plugs and the voltages between them"
    parameter Integer m(min=1) = 3 "Number of phases" annotation(Evaluate=true);
    SI.Voltage v[m]=plug_p.pin.v - plug_n.pin.v "Voltages from plug_p to plug_n";
    SI.Current i[m]=plug_p.pin.i "Currents into plug_p";
    PositivePlug plug_p(final m=m) "Positive end";
    NegativePlug plug_n(final m=m) "Negative end";
  end TwoPlug;

  partial model OnePort "Two plugs, what enters at plug_p leaves at plug_n"
    extends TwoPlug;
  equation
    plug_n.pin.i = -plug_p.pin.i;
  end OnePort;

  partial model FourPlug "Two pairs of plugs"
    parameter Integer m(final min=1) = 3 "Number of phases" annotation(Evaluate=true);
    SI.Voltage v1[m]=plug_p1.pin.v - plug_n1.pin.v "Voltages of the first pair";
    SI.Voltage v2[m]=plug_p2.pin.v - plug_n2.pin.v "Voltages of the second pair";
    SI.Current i1[m]=plug_p1.pin.i "Currents into plug_p1";
    SI.Current i2[m]=plug_p2.pin.i "Currents into plug_p2";
    PositivePlug plug_p1(final m=m) "Positive end of the first pair";
    PositivePlug plug_p2(final m=m) "Positive end of the second pair";
    NegativePlug plug_n1(final m=m) "Negative end of the first pair";
    NegativePlug plug_n2(final m=m) "Negative end of the second pair";
  end FourPlug;

  partial model TwoPort "Two pairs of plugs without current between them"
    extends FourPlug;
  equation
    plug_n1.pin.i = -plug_p1.pin.i;
    plug_n2.pin.i = -plug_p2.pin.i;
  end TwoPort;
end Interfaces;
