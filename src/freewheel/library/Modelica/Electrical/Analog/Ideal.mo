within Modelica.Electrical.Analog;
package Ideal "Switches, diodes and other idealised elements"
  extends Modelica.Icons.Package;
  import Modelica.Units.SI;

  model IdealDiode "Diode with a sharp knee"
    extends Modelica.Electrical.Analog.Interfaces.IdealSemiconductor;
  equation
    off = s < 0;
  end IdealDiode;

  model IdealThyristor "Thyristor: fires on a signal, conducts until its current vanishes"
    extends Modelica.Electrical.Analog.Interfaces.IdealSemiconductor;
    Modelica.Blocks.Interfaces.BooleanInput fire "Gate signal";
  equation
    off = s < 0 or pre(off) and not fire;
  end IdealThyristor;

  model IdealGTOThyristor "Thyristor that can be switched off by its gate"
    extends Modelica.Electrical.Analog.Interfaces.IdealSemiconductor;
    Modelica.Blocks.Interfaces.BooleanInput fire "Gate signal";
  equation
    off = s < 0 or not fire;
  end IdealGTOThyristor;

  model IdealTriac "Two antiparallel thyristors with a snubber"
    parameter SI.Resistance Ron(final min=0) = 1e-5 "Forward resistance";
    parameter SI.Conductance Goff(final min=0) = 1e-5 "Backward conductance";
    parameter SI.Voltage Vknee(final min=0, start=0) = 0.8 "Forward threshold voltage";
    parameter SI.Resistance Rdis=100 "Resistance of the snubber";
    parameter SI.Capacitance Cdis=0.005 "Capacitance of the snubber";
    Modelica.Electrical.Analog.Ideal.IdealThyristor idealThyristor(
      Ron=Ron, Goff=Goff, Vknee=Vknee);
    Modelica.Electrical.Analog.Ideal.IdealThyristor idealThyristor1(
      Ron=Ron, Goff=Goff, Vknee=Vknee);
    Modelica.Electrical.Analog.Basic.Resistor resistor(R=Rdis);
    Modelica.Electrical.Analog.Basic.Capacitor capacitor(C=Cdis);
    Modelica.Blocks.Interfaces.BooleanInput fire1 "Gate signal";
    Modelica.Electrical.Analog.Interfaces.NegativePin n;
    Modelica.Electrical.Analog.Interfaces.PositivePin p;
  equation
    connect(p, idealThyristor1.p);
    connect(p, idealThyristor.n);
    connect(p, capacitor.n);
    connect(n, idealThyristor1.n);
    connect(n, idealThyristor.p);
    connect(n, resistor.p);
    connect(resistor.n, capacitor.p);
    connect(fire1, idealThyristor.fire);
    connect(fire1, idealThyristor1.fire);
  end IdealTriac;

  model ZDiode = Modelica.Electrical.Analog.Semiconductors.ZDiode
    "The Zener diode of Semiconductors, found here by older models";

  model IdealOpeningSwitch "Switch, open while control is true"
    extends Modelica.Electrical.Analog.Interfaces.IdealSwitch;
    Modelica.Blocks.Interfaces.BooleanInput control "true opens";
  equation
    off = control;
  end IdealOpeningSwitch;

  model IdealClosingSwitch "Switch, closed while control is true"
    extends Modelica.Electrical.Analog.Interfaces.IdealSwitch;
    Modelica.Blocks.Interfaces.BooleanInput control "true closes";
  equation
    off = not control;
  end IdealClosingSwitch;

  model ControlledIdealOpeningSwitch "Switch, open while the control potential is above level"
    parameter SI.Voltage level=0.5 "Switching level";
    extends Modelica.Electrical.Analog.Interfaces.IdealSwitch;
    Modelica.Electrical.Analog.Interfaces.Pin control "Control pin, takes no current";
  equation
    control.i = 0;
    off = control.v > level;
  end ControlledIdealOpeningSwitch;

  model ControlledIdealClosingSwitch "Switch, closed while the control potential is not below level"
    parameter SI.Voltage level=0.5 "Switching level";
    extends Modelica.Electrical.Analog.Interfaces.IdealSwitch;
    Modelica.Electrical.Analog.Interfaces.Pin control "Control pin, takes no current";
  equation
    control.i = 0;
    off = control.v < level;
  end ControlledIdealClosingSwitch;

  model IdealTwoWaySwitch "Connects p either to n1 or to n2, by signal"
    parameter SI.Resistance Ron(final min=0) = 1e-5 "Resistance when closed";
    parameter SI.Conductance Goff(final min=0) = 1e-5 "Conductance when open";
    extends Modelica.Electrical.Analog.Interfaces.ConditionalHeatPort(final T=293.15);
    Interfaces.PositivePin p;
    Interfaces.NegativePin n2 "Connected while switched over";
    Interfaces.NegativePin n1 "Connected otherwise";
    Modelica.Blocks.Interfaces.BooleanInput control "true connects p to n2";
  protected
    Real s1(final unit="1") "Curve parameter of the contact p-n1";
    Real s2(final unit="1") "Curve parameter of the contact p-n2";
    constant SI.Voltage unitVoltage=1 annotation(HideResult=true);
    constant SI.Current unitCurrent=1 annotation(HideResult=true);
  equation
    p.i + n1.i + n2.i = 0;
    p.v - n1.v = s1*unitCurrent*(if control then 1 else Ron);
    p.v - n2.v = s2*unitCurrent*(if control then Ron else 1);
    n1.i = -s1*unitVoltage*(if control then Goff else 1);
    n2.i = -s2*unitVoltage*(if control then 1 else Goff);
    LossPower = p.v*p.i + n1.v*n1.i + n2.v*n2.i;
  end IdealTwoWaySwitch;

  model IdealCommutingSwitch = IdealTwoWaySwitch "Older name of IdealTwoWaySwitch";

  model IdealIntermediateSwitch "Connects p1-n1 and p2-n2, or crosswise p1-n2 and p2-n1, by signal"
    parameter SI.Resistance Ron(final min=0) = 1e-5 "Resistance when closed";
    parameter SI.Conductance Goff(final min=0) = 1e-5 "Conductance when open";
    extends Modelica.Electrical.Analog.Interfaces.ConditionalHeatPort(final T=293.15);
    Interfaces.PositivePin p1;
    Interfaces.PositivePin p2;
    Interfaces.NegativePin n1;
    Interfaces.NegativePin n2;
    Modelica.Blocks.Interfaces.BooleanInput control "true crosses the connections";
  protected
    Real s1(final unit="1") "Curve parameter of the contact p1-n1";
    Real s2(final unit="1") "Curve parameter of the contact p2-n2";
    Real s3(final unit="1") "Curve parameter of the contact p1-n2";
    Real s4(final unit="1") "Curve parameter of the contact p2-n1";
    constant SI.Voltage unitVoltage=1 annotation(HideResult=true);
    constant SI.Current unitCurrent=1 annotation(HideResult=true);
  equation
    p1.v - n1.v = s1*unitCurrent*(if control then 1 else Ron);
    p2.v - n2.v = s2*unitCurrent*(if control then 1 else Ron);
    p1.v - n2.v = s3*unitCurrent*(if control then Ron else 1);
    p2.v - n1.v = s4*unitCurrent*(if control then Ron else 1);
    p1.i = (if control then s1*unitVoltage*Goff + s3*unitCurrent
      else s1*unitCurrent + s3*unitVoltage*Goff);
    p2.i = (if control then s2*unitVoltage*Goff + s4*unitCurrent
      else s2*unitCurrent + s4*unitVoltage*Goff);
    n1.i = -(if control then s1*unitVoltage*Goff + s4*unitCurrent
      else s1*unitCurrent + s4*unitVoltage*Goff);
    n2.i = -(if control then s2*unitVoltage*Goff + s3*unitCurrent
      else s2*unitCurrent + s3*unitVoltage*Goff);
    LossPower = p1.v*p1.i + p2.v*p2.i + n1.v*n1.i + n2.v*n2.i;
  end IdealIntermediateSwitch;

  model ControlledIdealTwoWaySwitch "Connects p either to n1 or to n2, by potential"
    parameter SI.Voltage level=0.5 "Switching level";
    parameter SI.Resistance Ron(final min=0) = 1e-5 "Resistance when closed";
    parameter SI.Conductance Goff(final min=0) = 1e-5 "Conductance when open";
    extends Modelica.Electrical.Analog.Interfaces.ConditionalHeatPort(final T=293.15);
    Interfaces.PositivePin p;
    Interfaces.NegativePin n2 "Connected while switched over";
    Interfaces.NegativePin n1 "Connected otherwise";
    Interfaces.Pin control "Control pin, takes no current";
  protected
    Real s1(final unit="1") "Curve parameter of the contact p-n1";
    Real s2(final unit="1") "Curve parameter of the contact p-n2";
    constant SI.Voltage unitVoltage=1 annotation(HideResult=true);
    constant SI.Current unitCurrent=1 annotation(HideResult=true);
  equation
    control.i = 0;
    p.i + n1.i + n2.i = 0;
    p.v - n1.v = s1*unitCurrent*(if control.v > level then 1 else Ron);
    p.v - n2.v = s2*unitCurrent*(if control.v > level then Ron else 1);
    n1.i = -s1*unitVoltage*(if control.v > level then Goff else 1);
    n2.i = -s2*unitVoltage*(if control.v > level then 1 else Goff);
    LossPower = p.v*p.i + n1.v*n1.i + n2.v*n2.i;
  end ControlledIdealTwoWaySwitch;

  model ControlledIdealCommutingSwitch = ControlledIdealTwoWaySwitch "Older name of ControlledIdealTwoWaySwitch";

  model ControlledIdealIntermediateSwitch "Connects p1-n1 and p2-n2, or crosswise p1-n2 and p2-n1, by potential"
    parameter SI.Voltage level=0.5 "Switching level";
    parameter SI.Resistance Ron(final min=0) = 1e-5 "Resistance when closed";
    parameter SI.Conductance Goff(final min=0) = 1e-5 "Conductance when open";
    extends Modelica.Electrical.Analog.Interfaces.ConditionalHeatPort(final T=293.15);
    Interfaces.PositivePin p1;
    Interfaces.PositivePin p2;
    Interfaces.NegativePin n1;
    Interfaces.NegativePin n2;
    Interfaces.Pin control "Control pin, takes no current";
  protected
    Real s1(final unit="1") "Curve parameter of the contact p1-n1";
    Real s2(final unit="1") "Curve parameter of the contact p2-n2";
    Real s3(final unit="1") "Curve parameter of the contact p1-n2";
    Real s4(final unit="1") "Curve parameter of the contact p2-n1";
    constant SI.Voltage unitVoltage=1 annotation(HideResult=true);
    constant SI.Current unitCurrent=1 annotation(HideResult=true);
  equation
    control.i = 0;
    p1.v - n1.v = s1*unitCurrent*(if control.v > level then 1 else Ron);
    p2.v - n2.v = s2*unitCurrent*(if control.v > level then 1 else Ron);
    p1.v - n2.v = s3*unitCurrent*(if control.v > level then Ron else 1);
    p2.v - n1.v = s4*unitCurrent*(if control.v > level then Ron else 1);
    p1.i = (if control.v > level then s1*unitVoltage*Goff + s3*unitCurrent
      else s1*unitCurrent + s3*unitVoltage*Goff);
    p2.i = (if control.v > level then s2*unitVoltage*Goff + s4*unitCurrent
      else s2*unitCurrent + s4*unitVoltage*Goff);
    n1.i = -(if control.v > level then s1*unitVoltage*Goff + s4*unitCurrent
      else s1*unitCurrent + s4*unitVoltage*Goff);
    n2.i = -(if control.v > level then s2*unitVoltage*Goff + s3*unitCurrent
      else s2*unitCurrent + s3*unitVoltage*Goff);
    LossPower = p1.v*p1.i + p2.v*p2.i + n1.v*n1.i + n2.v*n2.i;
  end ControlledIdealIntermediateSwitch;

  model OpenerWithArc "Switch with arc, open while control is true"
    extends Modelica.Electrical.Analog.Interfaces.IdealSwitchWithArc;
    Modelica.Blocks.Interfaces.BooleanInput control "Position signal";
  equation
    off = control;
  end OpenerWithArc;

  model CloserWithArc "Switch with arc, closed while control is true"
    extends Modelica.Electrical.Analog.Interfaces.IdealSwitchWithArc;
    Modelica.Blocks.Interfaces.BooleanInput control "Position signal";
  equation
    off = not control;
  end CloserWithArc;

  model ControlledOpenerWithArc "Switch with arc, open while the control potential is above level"
    parameter SI.Voltage level=0.5 "Switching level";
    extends Modelica.Electrical.Analog.Interfaces.IdealSwitchWithArc;
    Modelica.Electrical.Analog.Interfaces.Pin control "Control pin, takes no current";
  equation
    control.i = 0;
    off = control.v > level;
  end ControlledOpenerWithArc;

  model ControlledCloserWithArc "Switch with arc, closed while the control potential is not below level"
    parameter SI.Voltage level=0.5 "Switching level";
    extends Modelica.Electrical.Analog.Interfaces.IdealSwitchWithArc;
    Modelica.Electrical.Analog.Interfaces.Pin control "Control pin, takes no current";
  equation
    control.i = 0;
    off = control.v < level;
  end ControlledCloserWithArc;

  model IdealTransformer "Transformer without losses, if desired with magnetisation"
    extends Modelica.Electrical.Analog.Interfaces.TwoPort;
    parameter Real n(start=1) "Turns on side 1 over turns on side 2";
    parameter Boolean considerMagnetization=false "Use the magnetising inductance"
      annotation(Evaluate=true);
    parameter SI.Inductance Lm1(start=1) "Magnetising inductance seen from side 1";
  protected
    SI.Current im1 "Magnetising current seen from side 1";
    SI.MagneticFlux psim1 "Magnetising flux seen from side 1";
  equation
    v1 = n*v2;
    im1 = i1 + i2/n;
    if considerMagnetization then
      psim1 = Lm1*im1;
      v1 = der(psim1);
    else
      psim1 = 0;
      im1 = 0;
    end if;
  end IdealTransformer;

  model IdealGyrator "Gyrator with one conductance"
    extends Modelica.Electrical.Analog.Interfaces.TwoPort;
    parameter SI.Conductance G(start=1) "Current on one side over voltage on the other";
  equation
    i1 = G*v2;
    i2 = -G*v1;
  end IdealGyrator;

  model IdealOpAmp "Operational amplifier with both output pins (a nullor)"
    SI.Voltage v1 "Input voltage, held at zero";
    SI.Voltage v2 "Output voltage";
    SI.Current i1 "Input current, zero";
    SI.Current i2 "Output current";
    Interfaces.PositivePin p1 "Non-inverting input";
    Interfaces.NegativePin n1 "Inverting input";
    Interfaces.PositivePin p2 "Output";
    Interfaces.NegativePin n2 "Return of the output";
  equation
    v1 = p1.v - n1.v;
    v2 = p2.v - n2.v;
    i1 = p1.i;
    i2 = p2.i;
    p1.i + n1.i = 0;
    p2.i + n2.i = 0;
    v1 = 0;
    i1 = 0;
  end IdealOpAmp;

  model IdealOpAmp3Pin "Operational amplifier against ground (a nullor)"
    Interfaces.PositivePin in_p "Non-inverting input";
    Interfaces.NegativePin in_n "Inverting input";
    Interfaces.PositivePin out "Output";
  equation
    in_p.i = 0;
    in_n.i = 0;
    in_p.v = in_n.v;
  end IdealOpAmp3Pin;

  model IdealOpAmpLimited "Operational amplifier of infinite gain between its supplies"
    Interfaces.PositivePin in_p "Non-inverting input";
    Interfaces.NegativePin in_n "Inverting input";
    Interfaces.PositivePin out "Output";
    Interfaces.PositivePin VMax "Upper output limit";
    Interfaces.NegativePin VMin "Lower output limit";
    SI.Voltage vin "Input voltage";
  protected
    Real s(start=0, final unit="1") "Curve parameter: the output runs between its limits for |s| <= 1";
    constant SI.Voltage unitVoltage=1 annotation(HideResult=true);
  equation
    in_p.i = 0;
    in_n.i = 0;
    VMax.i = 0;
    VMin.i = 0;
    vin = in_p.v - in_n.v;
    vin = unitVoltage*smooth(0, if s < -1 then s + 1 else if s > 1 then s - 1 else 0);
    out.v = smooth(0, if s < -1 then VMin.v else if s > 1 then VMax.v
      else (VMax.v + VMin.v)/2 + s*(VMax.v - VMin.v)/2);
  end IdealOpAmpLimited;

  model IdealizedOpAmpLimited "Operational amplifier of finite gain between its supplies"
    parameter Real V0=15000.0 "Gain";
    parameter Boolean useSupply=false "Offer supply pins" annotation(Evaluate=true);
    parameter SI.Voltage Vps=+15 "Positive supply without pins";
    parameter SI.Voltage Vns=-15 "Negative supply without pins";
    parameter Boolean strict=true "Limit without events" annotation(Evaluate=true);
    parameter Modelica.Blocks.Types.LimiterHomotopy homotopyType=
      Modelica.Blocks.Types.LimiterHomotopy.NoHomotopy "Simplified model at initialisation"
      annotation(Evaluate=true);
    SI.Voltage vps "Positive supply";
    SI.Voltage vns "Negative supply";
    SI.Voltage v_in=in_p.v - in_n.v "Input voltage";
    SI.Voltage v_out=out.v "Output voltage";
    SI.Power p_in=in_p.v*in_p.i + in_n.v*in_n.i "Power into the inputs";
    SI.Power p_out=out.v*out.i "Power into the output";
    SI.Power p_s=-(p_in + p_out) "Power into the supplies";
    SI.Current i_s=p_s/(vps - vns) "Supply current";
    Modelica.Electrical.Analog.Interfaces.PositivePin in_p "Non-inverting input";
    Modelica.Electrical.Analog.Interfaces.NegativePin in_n "Inverting input";
    Modelica.Electrical.Analog.Interfaces.PositivePin out "Output";
    Modelica.Electrical.Analog.Interfaces.PositivePin s_p(final i=+i_s, final v=vps)
      if useSupply "Positive supply pin";
    Modelica.Electrical.Analog.Interfaces.NegativePin s_n(final i=-i_s, final v=vns)
      if useSupply "Negative supply pin";
  protected
    SI.Voltage simplifiedExpr "Output of the simplified model";
  equation
    if not useSupply then
      vps = Vps;
      vns = Vns;
    end if;
    in_p.i = 0;
    in_n.i = 0;
    simplifiedExpr = if homotopyType == Modelica.Blocks.Types.LimiterHomotopy.Linear then V0*v_in
      else if homotopyType == Modelica.Blocks.Types.LimiterHomotopy.UpperLimit then vps
      else if homotopyType == Modelica.Blocks.Types.LimiterHomotopy.LowerLimit then vns
      else 0;
    if homotopyType == Modelica.Blocks.Types.LimiterHomotopy.NoHomotopy then
      v_out = if strict
        then smooth(0, noEvent(if V0*v_in > vps then vps else if V0*v_in < vns then vns else V0*v_in))
        else smooth(0, if V0*v_in > vps then vps else if V0*v_in < vns then vns else V0*v_in);
    else
      v_out = homotopy(
        actual=if strict
          then smooth(0, noEvent(if V0*v_in > vps then vps else if V0*v_in < vns then vns else V0*v_in))
          else smooth(0, if V0*v_in > vps then vps else if V0*v_in < vns then vns else V0*v_in),
        simplified=simplifiedExpr);
    end if;
  end IdealizedOpAmpLimited;

  model AD_Converter "Voltage to a binary number when triggered, the lowest bit first"
    import L = Modelica.Electrical.Digital.Interfaces.Logic;
    parameter Integer N(final min=1, start=8) "Number of bits";
    parameter SI.Voltage VRefHigh(start=10) "Voltage of the largest number";
    parameter SI.Voltage VRefLow(final max=VRefHigh, start=0) "Voltage of zero";
    parameter SI.Resistance Rin(start=10^6) "Resistance between the pins";
    Interfaces.PositivePin p;
    Interfaces.NegativePin n;
    Modelica.Electrical.Digital.Interfaces.DigitalOutput y[N](each start=L.'X', each fixed=true)
      "Bits, y[1] counts one";
    Modelica.Electrical.Digital.Interfaces.DigitalInput trig "Converts when this becomes true";
    Integer z(start=0, fixed=true) "The number";
    Real u "Voltage between the pins";
  equation
    u = p.v - n.v;
    p.i*Rin = u;
    p.i + n.i = 0;
    when trig == L.'1' or trig == L.'H' then
      z = if u > VRefLow then integer((u - VRefLow)/(VRefHigh - VRefLow)*(2^N - 1) + 0.5) else 0;
      y = {if mod(div(z, 2^(k - 1)), 2) > 0 then L.'1' else L.'0' for k in 1:N};
    end when;
  end AD_Converter;

  model DA_Converter "Binary number to a voltage when triggered, the lowest bit first"
    import L = Modelica.Electrical.Digital.Interfaces.Logic;
    parameter Integer N(final min=1, start=8) "Number of bits";
    parameter SI.Voltage Vref(start=10) "Voltage of the largest number";
    Interfaces.PositivePin p;
    Interfaces.NegativePin n;
    Modelica.Electrical.Digital.Interfaces.DigitalInput trig "Converts when this becomes true";
    Modelica.Electrical.Digital.Interfaces.DigitalInput x[N] "Bits, x[1] counts one";
    SI.Voltage vout(start=0, fixed=true) "Voltage between the pins";
    Real y(start=0, fixed=true) "The number";
  equation
    p.v - n.v = vout;
    p.i + n.i = 0;
    when trig == L.'1' or trig == L.'H' then
      y = sum(if x[k] == L.'1' or x[k] == L.'H' then 2^(k - 1) else 0 for k in 1:N);
      vout = y*Vref/(2^N - 1);
    end when;
  end DA_Converter;

  model Short "Ideal wire"
    extends Interfaces.OnePort;
  equation
    v = 0;
  end Short;

  model Idle "Ideal gap"
    extends Interfaces.OnePort;
  equation
    i = 0;
  end Idle;
end Ideal;
