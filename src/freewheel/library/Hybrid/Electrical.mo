within Hybrid;
package Electrical "Diodes as parameterised curves"
  extends Modelica.Icons.Package;
  import Modelica.Electrical.Analog.Interfaces;
  import Modelica.Units.SI;

  // A curve parameter s runs along the characteristic; voltage and current are pieces of s. So the
  // curve may stand upright or lie flat, and each corner is one simple relation (section 9.8).

  partial model Curve "One-port with a curve parameter"
    extends Interfaces.OnePort;
    Real s(start=0) "Place on the characteristic";
  protected
    constant SI.Voltage unitVoltage=1 annotation(HideResult=true);
    constant SI.Current unitCurrent=1 annotation(HideResult=true);
  end Curve;

  model Diode "Blocks or conducts (Fig. 9.26); with Ron and Goff it leaks (Fig. 9.33)"
    extends Curve;
    parameter SI.Resistance Ron(min=0)=0 "Resistance while it conducts";
    parameter SI.Conductance Goff(min=0)=0 "Conductance while it blocks";
    Boolean open(start=true) "Blocks";
  equation
    open = s < 0;
    v = s*unitCurrent*(if open then unitVoltage/unitCurrent else Ron);
    i = s*unitVoltage*(if open then Goff else unitCurrent/unitVoltage);
  end Diode;

  model Thyristor "Diode that begins to conduct only while it is fired (H9.7)"
    extends Curve;
    parameter SI.Resistance Ron(min=0)=0 "Resistance while it conducts";
    parameter SI.Conductance Goff(min=0)=0 "Conductance while it blocks";
    Modelica.Blocks.Interfaces.BooleanInput fire "Lets it begin to conduct";
    Boolean open(start=true, fixed=true) "Blocks";
  equation
    open = s < 0 or pre(open) and not fire;
    v = s*unitCurrent*(if open then unitVoltage/unitCurrent else Ron);
    i = s*unitVoltage*(if open then Goff else unitCurrent/unitVoltage);
  end Thyristor;

  model ZenerDiode "Conducts backwards too, beyond its breakdown voltage (H9.9)"
    extends Curve;
    parameter SI.Voltage Vb(min=0)=5.1 "Breakdown voltage";
    parameter SI.Resistance Ron(min=0)=0 "Resistance while it conducts, either way";
    parameter SI.Conductance Goff(min=0)=0 "Conductance while it blocks";
    Boolean forward "Conducts from p to n";
    Boolean breakdown "Conducts from n to p";
  equation
    forward = s > 0;
    breakdown = s < -Vb/unitVoltage;
    v = if forward then s*unitCurrent*Ron
      elseif breakdown then (s + Vb/unitVoltage)*unitCurrent*Ron - Vb
      else s*unitVoltage;
    i = if forward then s*unitCurrent
      elseif breakdown then (s + Vb/unitVoltage)*unitCurrent - Goff*Vb
      else Goff*s*unitVoltage;
  end ZenerDiode;

  model TunnelDiode "Current rises to a peak, falls to a valley and rises upright (H9.10)"
    extends Curve;
    parameter SI.Voltage Vp=0.1 "Voltage of the peak";
    parameter SI.Current Ip=1e-3 "Current of the peak";
    parameter SI.Voltage Vv(min=Vp)=0.4 "Voltage of the valley";
    parameter SI.Current Iv(max=Ip)=1e-4 "Current of the valley";
    parameter SI.Resistance Ron(min=0)=0 "Resistance beyond the valley";
    parameter SI.Conductance Goff(min=0)=0 "Conductance while it blocks";
    // Whole numbers of s are the corners: 0 origin, 1 peak, 2 valley.
  equation
    v = if s < 0 then s*unitVoltage
      elseif s < 1 then s*Vp
      elseif s < 2 then Vp + (s - 1)*(Vv - Vp)
      else Vv + (s - 2)*unitCurrent*Ron;
    i = if s < 0 then Goff*s*unitVoltage
      elseif s < 1 then s*Ip
      elseif s < 2 then Ip + (s - 1)*(Iv - Ip)
      else Iv + (s - 2)*unitCurrent;
  end TunnelDiode;
end Electrical;
