within Modelica.Electrical.Analog;
package Semiconductors "Diodes with smooth characteristics"
  extends Modelica.Icons.Package;
  import Modelica.Units.SI;

  model Diode "Exponential diode (Shockley), continued straight above an exponent"
    extends Modelica.Electrical.Analog.Interfaces.OnePort;
    parameter SI.Current Ids=1e-6 "Saturation current";
    parameter Boolean useTemperatureDependency=false "Use the heat port's temperature"
      annotation(Evaluate=true, HideResult=true);
    parameter SI.Voltage Vt=0.04 "Thermal voltage without temperature dependency";
    parameter Real Maxexp(final min=Modelica.Constants.small) = 15
      "Exponent above which the curve is straight";
    parameter SI.Resistance R=1e8 "Parallel resistance";
    parameter Real EG=1.11 "Band gap";
    parameter Real N=1 "Emission coefficient";
    parameter SI.Temperature TNOM=300.15 "Temperature of the parameters";
    parameter Real XTI=3 "Temperature exponent of the saturation current";
    extends Modelica.Electrical.Analog.Interfaces.ConditionalHeatPort(
      useHeatPort=useTemperatureDependency);
    SI.Voltage vt_t "Thermal voltage at the present temperature";
    SI.Current id "Diode current";
  protected
    SI.Temperature htemp "Present temperature";
    Real aux;
    Real auxp "Growth of the saturation current with temperature";
  equation
    assert(T_heatPort > 0, "the temperature must be positive");
    htemp = T_heatPort;
    vt_t = Modelica.Constants.k*htemp/Modelica.Constants.q;
    aux = (htemp/TNOM - 1)*EG/(N*vt_t);
    auxp = exp(aux);
    if useTemperatureDependency then
      id = Ids*(limitedExp(v/(N*vt_t), Maxexp) - 1);
      i = id*(htemp/TNOM)^(XTI/N)*auxp + v/R;
    else
      id = Ids*(limitedExp(v/Vt, Maxexp) - 1);
      i = smooth(1, id + v/R);
    end if;
    LossPower = v*i;
  end Diode;

  model Diode2 "Diode with series resistance and breakdown"
    extends Modelica.Electrical.Analog.Interfaces.OnePort;
    extends Modelica.Electrical.Analog.Interfaces.ConditionalHeatPort(T=293.15);
    parameter SI.Voltage Vf=0.7 "Forward voltage";
    parameter SI.Current Ids=1e-13 "Saturation current";
    parameter SI.Resistance Rs=16 "Series resistance";
    parameter SI.Voltage Vt=Modelica.Constants.R*T/Modelica.Constants.F "Thermal voltage";
    parameter Real N=1 "Emission coefficient";
    parameter SI.Voltage Bv=100 "Breakdown voltage";
    parameter SI.Conductance Gp=1e-6 "Parallel conductance";
    SI.Voltage vd "Voltage over the junction";
    SI.Current id "Diode current";
  protected
    SI.Voltage VdMax=Vf + N*Vt_applied "Above this voltage the curve is straight";
    SI.Current iVdMax=Ids*(exp(VdMax/(N*Vt_applied)) - 1) "Current there";
    SI.Conductance diVdMax=Ids*exp(VdMax/(N*Vt_applied))/(N*Vt_applied) "Slope there";
    SI.Voltage Vt_applied "Thermal voltage in use";
  equation
    assert(Bv > 0, "Bv must be positive");
    assert(Vf > 0, "Vf must be positive");
    assert(Vt > 0, "Vt must be positive");
    Vt_applied = if useHeatPort then Modelica.Constants.R*T_heatPort/Modelica.Constants.F else Vt;
    id = smooth(1,
      if vd < -Bv/2 then
        -Ids*(exp(-(vd + Bv)/(N*Vt_applied)) + 1 - 2*exp(-Bv/(2*N*Vt_applied)))
      elseif vd < VdMax then Ids*(exp(vd/(N*Vt_applied)) - 1)
      else iVdMax + (vd - VdMax)*diVdMax);
    v = vd + Rs*id;
    i = id + Gp*v;
    LossPower = v*i;
  end Diode2;

  model ZDiode "Zener diode: exponential forwards and beyond its breakdown voltage"
    extends Modelica.Electrical.Analog.Interfaces.OnePort;
    parameter SI.Current Ids=1e-6 "Saturation current";
    parameter SI.Voltage Vt=0.04 "Thermal voltage";
    parameter Real Maxexp(final min=Modelica.Constants.small) = 30
      "Exponent above which the curve is straight";
    parameter SI.Resistance R=1e8 "Parallel resistance";
    parameter SI.Voltage Bv=5.1 "Breakdown voltage";
    parameter SI.Current Ibv=0.7 "Current at the breakdown voltage";
    parameter Real Nbv=0.74 "Emission coefficient of the breakdown";
    extends Modelica.Electrical.Analog.Interfaces.ConditionalHeatPort(T=293.15);
  equation
    // Each branch keeps only the terms that matter there, so that the curve stays smooth.
    i = smooth(1,
      if v > Maxexp*Vt then Ids*(exp(Maxexp)*(1 + v/Vt - Maxexp) - 1) + v/R
      elseif v + Bv < -Maxexp*Nbv*Vt then
        -Ids - Ibv*exp(Maxexp)*(1 - (v + Bv)/(Nbv*Vt) - Maxexp) + v/R
      else Ids*(exp(v/Vt) - 1) - Ibv*exp(-(v + Bv)/(Nbv*Vt)) + v/R);
    LossPower = v*i;
  end ZDiode;

protected
  function limitedExp "Exponential function, continued along its tangent above limit"
    extends Modelica.Icons.Function;
    input Real x;
    input Real limit;
    output Real y;
  algorithm
    y := if x > limit then exp(limit)*(1 + x - limit) else exp(x);
    annotation(Inline=true);
  end limitedExp;
end Semiconductors;
