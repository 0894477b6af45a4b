within Modelica.Electrical.Analog;
package Lines "Transmission lines, with losses in pieces, without losses by delays"
  extends Modelica.Icons.Package;

  model TLine "Line without losses, by its delay or by frequency and relative length"
    extends Modelica.Electrical.Analog.Interfaces.TwoPort;
    parameter SI.Resistance Z0(start=1) "Characteristic impedance";
    parameter SI.Time TD=0 "Delay, if F is not given";
    parameter SI.Frequency F=0 "Frequency, if TD is not given";
    parameter Real NL=1/4 "Length over the wave length at F";
    SI.Voltage es(start=0) "Wave that arrives at the first end";
    SI.Voltage er(start=0) "Wave that arrives at the second end";
  protected
    parameter SI.Time passage=if F > 0 then NL/F else TD "Time that a wave takes";
  equation
    assert(Z0 > 0, "Z0 must be positive");
    assert(passage > 0, "TD or F must be positive");
    v1 = Z0*i1 + es;
    v2 = Z0*i2 + er;
    // What leaves at one end arrives at the other after the passage.
    es = delay(2*v2 - er, passage);
    er = delay(2*v1 - es, passage);
  end TLine;

  model TLine1 "Line without losses, by its delay"
    extends Modelica.Electrical.Analog.Interfaces.TwoPort;
    parameter SI.Resistance Z0(start=1) "Characteristic impedance";
    parameter SI.Time TD(start=1) "Delay";
    SI.Voltage es(start=0) "Wave that arrives at the first end";
    SI.Voltage er(start=0) "Wave that arrives at the second end";
  protected
    parameter SI.Time passage=TD "Time that a wave takes";
  equation
    assert(Z0 > 0, "Z0 must be positive");
    assert(passage > 0, "TD must be positive");
    v1 = Z0*i1 + es;
    v2 = Z0*i2 + er;
    // What leaves at one end arrives at the other after the passage.
    es = delay(2*v2 - er, passage);
    er = delay(2*v1 - es, passage);
  end TLine1;

  model TLine2 "Line without losses, by frequency and relative length"
    extends Modelica.Electrical.Analog.Interfaces.TwoPort;
    parameter SI.Resistance Z0(start=1) "Characteristic impedance";
    parameter SI.Frequency F(start=1) "Frequency";
    parameter Real NL(start=1) "Length over the wave length at F";
    SI.Voltage es(start=0) "Wave that arrives at the first end";
    SI.Voltage er(start=0) "Wave that arrives at the second end";
  protected
    parameter SI.Time passage=NL/F "Time that a wave takes";
  equation
    assert(Z0 > 0, "Z0 must be positive");
    assert(passage > 0, "NL and F must be positive");
    v1 = Z0*i1 + es;
    v2 = Z0*i2 + er;
    // What leaves at one end arrives at the other after the passage.
    es = delay(2*v2 - er, passage);
    er = delay(2*v1 - es, passage);
  end TLine2;

  model TLine3 "Line without losses, a quarter of a wave long"
    extends Modelica.Electrical.Analog.Interfaces.TwoPort;
    parameter SI.Resistance Z0(start=1) "Characteristic impedance";
    parameter SI.Frequency F(start=1) "Frequency";
    SI.Voltage es(start=0) "Wave that arrives at the first end";
    SI.Voltage er(start=0) "Wave that arrives at the second end";
  protected
    parameter SI.Time passage=1/(4*F) "Time that a wave takes";
  equation
    assert(Z0 > 0, "Z0 must be positive");
    assert(passage > 0, "F must be positive");
    v1 = Z0*i1 + es;
    v2 = Z0*i2 + er;
    // What leaves at one end arrives at the other after the passage.
    es = delay(2*v2 - er, passage);
    er = delay(2*v1 - es, passage);
  end TLine3;

  model OLine "Line with resistance, inductance, conductance and capacitance"
    Modelica.Electrical.Analog.Interfaces.Pin p1 "First end";
    Modelica.Electrical.Analog.Interfaces.Pin p2 "Second end";
    Modelica.Electrical.Analog.Interfaces.Pin p3 "Return wire";
    SI.Voltage v13=p1.v - p3.v "Voltage at the first end";
    SI.Voltage v23=p2.v - p3.v "Voltage at the second end";
    SI.Current i1=p1.i "Current into the first end";
    SI.Current i2=p2.i "Current into the second end";
    parameter Real r(final min=Modelica.Constants.small, unit="Ohm/m", start=1) "Resistance by length";
    parameter Real l(final min=Modelica.Constants.small, unit="H/m", start=1) "Inductance by length";
    parameter Real g(final min=Modelica.Constants.small, unit="S/m", start=1) "Conductance by length";
    parameter Real c(final min=Modelica.Constants.small, unit="F/m", start=1) "Capacitance by length";
    parameter SI.Length length(final min=Modelica.Constants.small, start=1) "Length";
    parameter Integer N(final min=1, start=1) "Number of pieces";
    parameter SI.LinearTemperatureCoefficient alpha_R=0 "Temperature coefficient of the resistance";
    parameter SI.LinearTemperatureCoefficient alpha_G=0 "Temperature coefficient of the conductance";
    parameter Boolean useHeatPort=false "Offer a heat port" annotation(Evaluate=true);
    parameter SI.Temperature T=293.15 "Temperature without heat port";
    parameter SI.Temperature T_ref=300.15 "Reference temperature";
    Modelica.Thermal.HeatTransfer.Interfaces.HeatPort_a heatPort if useHeatPort;
    output SI.Voltage v[N]=G.v "Voltages between the pieces";
    output SI.Current i[N + 1]=R.i "Currents in the pieces";
  protected
    parameter Real share[N + 1]={if k == 1 or k == N + 1 then 0.5 else 1 for k in 1:N + 1}
      "The outer pieces are halves";
    Modelica.Electrical.Analog.Basic.Resistor R[N + 1](
      R=share*r*length/N,
      each T_ref=T_ref,
      each alpha=alpha_R,
      each useHeatPort=useHeatPort,
      each T=T);
    Modelica.Electrical.Analog.Basic.Inductor L[N + 1](L=share*l*length/N);
    Modelica.Electrical.Analog.Basic.Capacitor C[N](each C=c*length/N);
    Modelica.Electrical.Analog.Basic.Conductor G[N](
      each G=g*length/N,
      each T_ref=T_ref,
      each alpha=alpha_G,
      each useHeatPort=useHeatPort,
      each T=T);
  equation
    connect(p1, R[1].p);
    connect(R.n, L.p);
    for k in 1:N loop
      connect(L[k].n, R[k + 1].p);
      connect(L[k].n, C[k].p);
      connect(L[k].n, G[k].p);
      connect(C[k].n, p3);
      connect(G[k].n, p3);
      connect(G[k].heatPort, heatPort);
    end for;
    for k in 1:N + 1 loop
      connect(R[k].heatPort, heatPort);
    end for;
    connect(L[N + 1].n, p2);
  end OLine;

  model ULine "Line with resistance and capacitance"
    Modelica.Electrical.Analog.Interfaces.Pin p1 "First end";
    Modelica.Electrical.Analog.Interfaces.Pin p2 "Second end";
    Modelica.Electrical.Analog.Interfaces.Pin p3 "Return wire";
    SI.Voltage v13=p1.v - p3.v "Voltage at the first end";
    SI.Voltage v23=p2.v - p3.v "Voltage at the second end";
    SI.Current i1=p1.i "Current into the first end";
    SI.Current i2=p2.i "Current into the second end";
    parameter Real r(final min=Modelica.Constants.small, unit="Ohm/m", start=1) "Resistance by length";
    parameter Real c(final min=Modelica.Constants.small, unit="F/m", start=1) "Capacitance by length";
    parameter SI.Length length(final min=Modelica.Constants.small, start=1) "Length";
    parameter Integer N(final min=1, start=1) "Number of pieces";
    parameter SI.LinearTemperatureCoefficient alpha=0 "Temperature coefficient of the resistance";
    parameter Boolean useHeatPort=false "Offer a heat port" annotation(Evaluate=true);
    parameter SI.Temperature T=293.15 "Temperature without heat port";
    parameter SI.Temperature T_ref=300.15 "Reference temperature";
    Modelica.Thermal.HeatTransfer.Interfaces.HeatPort_a heatPort if useHeatPort;
    Modelica.Electrical.Analog.Basic.Resistor R[N + 1](
      R={(if k == 1 or k == N + 1 then 0.5 else 1)*r*length/N for k in 1:N + 1},
      each T_ref=T_ref,
      each alpha=alpha,
      each useHeatPort=useHeatPort,
      each T=T);
    Modelica.Electrical.Analog.Basic.Capacitor C[N](each C=c*length/N);
  equation
    connect(p1, R[1].p);
    for k in 1:N loop
      connect(R[k].n, R[k + 1].p);
      connect(R[k].n, C[k].p);
      connect(C[k].n, p3);
    end for;
    for k in 1:N + 1 loop
      connect(R[k].heatPort, heatPort);
    end for;
    connect(R[N + 1].n, p2);
  end ULine;
end Lines;
