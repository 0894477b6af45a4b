within Modelica.Electrical.Analog;
package Semiconductors "Diodes and transistors with smooth characteristics"
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

  model NMOS "N-channel MOS transistor (Shichman-Hodges with a body effect)"
    Modelica.Electrical.Analog.Interfaces.Pin D "Drain";
    Modelica.Electrical.Analog.Interfaces.Pin G "Gate";
    Modelica.Electrical.Analog.Interfaces.Pin S "Source";
    Modelica.Electrical.Analog.Interfaces.Pin B "Bulk";
    parameter SI.Length W=20.e-6 "Width";
    parameter SI.Length L=6.e-6 "Length";
    parameter SI.Transconductance Beta=0.041e-3 "Transconductance";
    parameter SI.Voltage Vt=0.8 "Threshold voltage without bulk voltage";
    parameter Real K2=1.144 "Influence of the bulk voltage";
    parameter Real K5=0.7311 "Reduction of the pinch-off region";
    parameter SI.Length dW=-2.5e-6 "Correction of the width";
    parameter SI.Length dL=-1.5e-6 "Correction of the length";
    parameter SI.Resistance RDS=1e7 "Resistance between drain and source";
    parameter Boolean useTemperatureDependency=false "Use the heat port's temperature"
      annotation(Evaluate=true, HideResult=true);
    parameter SI.Temperature Tnom=300.15 "Temperature of the parameters";
    parameter Real kvt=-6.96e-3 "Relative change of Vt per kelvin";
    parameter Real kk2=6e-4 "Relative change of K2 per kelvin";
    extends Modelica.Electrical.Analog.Interfaces.ConditionalHeatPort(
      useHeatPort=useTemperatureDependency);
  protected
    Real v "Transconductance of this size";
    Real uds "Voltage from drain to source, as they act";
    Real ubs "Voltage from bulk to source, never forward";
    Real ugst "Effective gate voltage";
    Real ud "Potential of the end that acts as drain";
    Real us "Potential of the end that acts as source";
    Real id "Current from drain to source, as they act";
    Real gds "Conductance between drain and source";
    Real beta_t;
    Real vt_t;
    Real k2_t;
  equation
    assert(L + dL > 0, "the effective length must be positive");
    assert(W + dW > 0, "the effective width must be positive");
    assert(T_heatPort > 0, "the temperature must be positive");
    beta_t = if useTemperatureDependency then Beta*(T_heatPort/Tnom)^(-1.5) else Beta;
    vt_t = if useTemperatureDependency then Vt*(1 + kvt*(T_heatPort - Tnom)) else Vt;
    k2_t = if useTemperatureDependency then K2*(1 + kk2*(T_heatPort - Tnom)) else K2;
    gds = if abs(RDS) < 1e-20 then 1e20 else 1/RDS;
    v = beta_t*(W + dW)/(L + dL);
    // The transistor is symmetric: of its two ends the higher one acts as drain.
    ud = smooth(0, if D.v < S.v then S.v else D.v);
    us = smooth(0, if D.v < S.v then D.v else S.v);
    uds = ud - us;
    ubs = smooth(0, if B.v > us then 0 else B.v - us);
    ugst = (G.v - us - vt_t + k2_t*ubs)*K5;
    id = uds*gds + smooth(0,
      if ugst <= 0 then 0
      else if ugst > uds then v*uds*(ugst - uds/2)
      else v*ugst^2/2);
    D.i = smooth(0, if D.v < S.v then -id else id);
    S.i = -D.i;
    G.i = 0;
    B.i = 0;
    LossPower = D.i*(D.v - S.v);
  end NMOS;

  model PMOS "P-channel MOS transistor (Shichman-Hodges with a body effect)"
    Modelica.Electrical.Analog.Interfaces.Pin D "Drain";
    Modelica.Electrical.Analog.Interfaces.Pin G "Gate";
    Modelica.Electrical.Analog.Interfaces.Pin S "Source";
    Modelica.Electrical.Analog.Interfaces.Pin B "Bulk";
    parameter SI.Length W=20.0e-6 "Width";
    parameter SI.Length L=6.0e-6 "Length";
    parameter SI.Transconductance Beta=0.0105e-3 "Transconductance";
    parameter SI.Voltage Vt=-1.0 "Threshold voltage without bulk voltage";
    parameter Real K2=0.41 "Influence of the bulk voltage";
    parameter Real K5=0.839 "Reduction of the pinch-off region";
    parameter SI.Length dW=-2.5e-6 "Correction of the width";
    parameter SI.Length dL=-2.1e-6 "Correction of the length";
    parameter SI.Resistance RDS=1e7 "Resistance between drain and source";
    parameter Boolean useTemperatureDependency=false "Use the heat port's temperature"
      annotation(Evaluate=true, HideResult=true);
    parameter SI.Temperature Tnom=300.15 "Temperature of the parameters";
    parameter Real kvt=-2.9e-3 "Relative change of Vt per kelvin";
    parameter Real kk2=6.2e-4 "Relative change of K2 per kelvin";
    extends Modelica.Electrical.Analog.Interfaces.ConditionalHeatPort(
      useHeatPort=useTemperatureDependency);
  protected
    Real v "Transconductance of this size";
    Real uds "Voltage from drain to source, as they act";
    Real ubs "Voltage from bulk to source, never forward";
    Real ugst "Effective gate voltage";
    Real ud "Potential of the end that acts as drain";
    Real us "Potential of the end that acts as source";
    Real id "Current from drain to source, as they act";
    Real gds "Conductance between drain and source";
    Real beta_t;
    Real vt_t;
    Real k2_t;
  equation
    assert(L + dL > 0, "the effective length must be positive");
    assert(W + dW > 0, "the effective width must be positive");
    assert(T_heatPort > 0, "the temperature must be positive");
    beta_t = if useTemperatureDependency then Beta*(T_heatPort/Tnom)^(-1.5) else Beta;
    vt_t = if useTemperatureDependency then Vt*(1 + kvt*(T_heatPort - Tnom)) else Vt;
    k2_t = if useTemperatureDependency then K2*(1 + kk2*(T_heatPort - Tnom)) else K2;
    gds = if abs(RDS) < 1e-20 then 1e20 else 1/RDS;
    v = beta_t*(W + dW)/(L + dL);
    // The transistor is symmetric: of its two ends the lower one acts as drain.
    ud = smooth(0, if D.v > S.v then S.v else D.v);
    us = smooth(0, if D.v > S.v then D.v else S.v);
    uds = ud - us;
    ubs = smooth(0, if B.v < us then 0 else B.v - us);
    ugst = (G.v - us - vt_t + k2_t*ubs)*K5;
    id = uds*gds + smooth(0,
      if ugst >= 0 then 0
      else if ugst < uds then -v*uds*(ugst - uds/2)
      else -v*ugst^2/2);
    D.i = smooth(0, if D.v > S.v then -id else id);
    S.i = -D.i;
    G.i = 0;
    B.i = 0;
    LossPower = D.i*(D.v - S.v);
  end PMOS;

  model NPN "Bipolar NPN transistor (Ebers-Moll with Early effect and charges)"
    parameter Real Bf=50 "Forward current gain";
    parameter Real Br=0.1 "Reverse current gain";
    parameter SI.Current Is=1e-16 "Transport saturation current";
    parameter SI.InversePotential Vak=0.02 "Inverse Early voltage";
    parameter SI.Time Tauf=0.12e-9 "Forward transit time";
    parameter SI.Time Taur=5e-9 "Reverse transit time";
    parameter SI.Capacitance Ccs=1e-12 "Capacitance between collector and substrate";
    parameter SI.Capacitance Cje=0.4e-12 "Depletion capacitance of the emitter at 0 V";
    parameter SI.Capacitance Cjc=0.5e-12 "Depletion capacitance of the collector at 0 V";
    parameter SI.Voltage Phie=0.8 "Diffusion voltage of the emitter";
    parameter Real Me=0.4 "Gradation exponent of the emitter";
    parameter SI.Voltage Phic=0.8 "Diffusion voltage of the collector";
    parameter Real Mc=0.333 "Gradation exponent of the collector";
    parameter SI.Conductance Gbc=1e-15 "Conductance between base and collector";
    parameter SI.Conductance Gbe=1e-15 "Conductance between base and emitter";
    parameter Real EMin=-100 "Exponent below which exponentials are straight";
    parameter Real EMax=40 "Exponent above which exponentials are straight";
    parameter Boolean useTemperatureDependency=false "Use the heat port's temperature"
      annotation(Evaluate=true, HideResult=true);
    parameter SI.Voltage Vt=0.02585 "Thermal voltage without temperature dependency";
    parameter SI.Temperature Tnom=300.15 "Temperature of the parameters";
    parameter Real XTI=3 "Temperature exponent of the saturation current";
    parameter Real XTB=0 "Temperature exponent of the gains";
    parameter SI.Voltage EG=1.11 "Band gap";
    parameter Real NF=1.0 "Forward emission coefficient";
    parameter Real NR=1.0 "Reverse emission coefficient";
    parameter SI.Voltage IC=0 "Initial voltage between collector and substrate";
    parameter Boolean UIC=false "Start at the initial voltage";
    parameter Boolean useSubstrate=false "Offer a substrate pin";
    extends Modelica.Electrical.Analog.Interfaces.ConditionalHeatPort(
      useHeatPort=useTemperatureDependency);
    SI.Voltage vbc "Voltage from base to collector";
    SI.Voltage vbe "Voltage from base to emitter";
    SI.Voltage vcs "Voltage from collector to substrate";
    Real qbk "Relative base charge, inverse";
    SI.Current ibc "Diode current from base to collector";
    SI.Current ibe "Diode current from base to emitter";
    SI.Capacitance cbc "Total capacitance of the collector";
    SI.Capacitance cbe "Total capacitance of the emitter";
    SI.Capacitance Capcje "Depletion capacitance of the emitter";
    SI.Capacitance Capcjc "Depletion capacitance of the collector";
    SI.Current is_t "Saturation current at the present temperature";
    Real br_t "Reverse gain at the present temperature";
    Real bf_t "Forward gain at the present temperature";
    SI.Voltage vt_t "Thermal voltage in use";
    Real hexp;
    Real htempexp "Growth of the saturation current with temperature";
    SI.Voltage vS "Potential of the substrate";
    SI.Current iS "Current into the substrate";
    Modelica.Electrical.Analog.Interfaces.Pin C "Collector";
    Modelica.Electrical.Analog.Interfaces.Pin B "Base";
    Modelica.Electrical.Analog.Interfaces.Pin E "Emitter";
    Modelica.Electrical.Analog.Interfaces.NegativePin S(final i=iS, final v=vS)
      if useSubstrate "Substrate";
  initial equation
    if UIC then
      vcs = IC;
    end if;
  equation
    assert(T_heatPort > 0, "the temperature must be positive");
    vbc = B.v - C.v;
    vbe = B.v - E.v;
    vcs = C.v - vS;
    vt_t = if useTemperatureDependency
      then Modelica.Constants.k/Modelica.Constants.q*T_heatPort else Vt;
    hexp = (T_heatPort/Tnom - 1)*EG/vt_t;
    htempexp = smooth(1, boundedExp(hexp, EMin, EMax));
    is_t = if useTemperatureDependency then Is*(T_heatPort/Tnom)^XTI*htempexp else Is;
    br_t = if useTemperatureDependency then Br*(T_heatPort/Tnom)^XTB else Br;
    bf_t = if useTemperatureDependency then Bf*(T_heatPort/Tnom)^XTB else Bf;
    qbk = 1 - Vak*vbc;
    ibc = smooth(1, is_t*(boundedExp(vbc/(NR*vt_t), EMin, EMax) - 1) + Gbc*vbc);
    ibe = smooth(1, is_t*(boundedExp(vbe/(NF*vt_t), EMin, EMax) - 1) + Gbe*vbe);
    Capcjc = smooth(1, Cjc*depletion(vbc/Phic, Mc));
    Capcje = smooth(1, Cje*depletion(vbe/Phie, Me));
    cbc = smooth(1, Capcjc + Taur*is_t/(NR*vt_t)*boundedExp(vbc/(NR*vt_t), EMin, EMax));
    cbe = smooth(1, Capcje + Tauf*is_t/(NF*vt_t)*boundedExp(vbe/(NF*vt_t), EMin, EMax));
    C.i = (ibe - ibc)*qbk - ibc/br_t - cbc*der(vbc) - iS;
    B.i = ibe/bf_t + ibc/br_t + cbe*der(vbe) + cbc*der(vbc);
    E.i = -(B.i + C.i + iS);
    iS = -Ccs*der(vcs);
    if not useSubstrate then
      vS = 0;
    end if;
    LossPower = vbc*ibc/br_t + vbe*ibe/bf_t + (ibe - ibc)*qbk*(C.v - E.v);
  end NPN;

  model PNP "Bipolar PNP transistor (Ebers-Moll with Early effect and charges)"
    parameter Real Bf=50 "Forward current gain";
    parameter Real Br=0.1 "Reverse current gain";
    parameter SI.Current Is=1e-16 "Transport saturation current";
    parameter SI.InversePotential Vak=0.02 "Inverse Early voltage";
    parameter SI.Time Tauf=0.12e-9 "Forward transit time";
    parameter SI.Time Taur=5e-9 "Reverse transit time";
    parameter SI.Capacitance Ccs=1e-12 "Capacitance between collector and substrate";
    parameter SI.Capacitance Cje=0.4e-12 "Depletion capacitance of the emitter at 0 V";
    parameter SI.Capacitance Cjc=0.5e-12 "Depletion capacitance of the collector at 0 V";
    parameter SI.Voltage Phie=0.8 "Diffusion voltage of the emitter";
    parameter Real Me=0.4 "Gradation exponent of the emitter";
    parameter SI.Voltage Phic=0.8 "Diffusion voltage of the collector";
    parameter Real Mc=0.333 "Gradation exponent of the collector";
    parameter SI.Conductance Gbc=1e-15 "Conductance between base and collector";
    parameter SI.Conductance Gbe=1e-15 "Conductance between base and emitter";
    parameter Real EMin=-100 "Exponent below which exponentials are straight";
    parameter Real EMax=40 "Exponent above which exponentials are straight";
    parameter Boolean useTemperatureDependency=false "Use the heat port's temperature"
      annotation(Evaluate=true, HideResult=true);
    parameter SI.Voltage Vt=0.02585 "Thermal voltage without temperature dependency";
    parameter SI.Temperature Tnom=300.15 "Temperature of the parameters";
    parameter Real XTI=3 "Temperature exponent of the saturation current";
    parameter Real XTB=0 "Temperature exponent of the gains";
    parameter SI.Voltage EG=1.11 "Band gap";
    parameter Real NF=1.0 "Forward emission coefficient";
    parameter Real NR=1.0 "Reverse emission coefficient";
    parameter SI.Voltage IC=0 "Initial voltage between collector and substrate";
    parameter Boolean UIC=false "Start at the initial voltage";
    parameter Boolean useSubstrate=false "Offer a substrate pin";
    extends Modelica.Electrical.Analog.Interfaces.ConditionalHeatPort(
      useHeatPort=useTemperatureDependency);
    SI.Voltage vcb "Voltage from collector to base";
    SI.Voltage veb "Voltage from emitter to base";
    SI.Voltage vcs "Voltage from collector to substrate";
    Real qbk "Relative base charge, inverse";
    SI.Current icb "Diode current from collector to base";
    SI.Current ieb "Diode current from emitter to base";
    SI.Capacitance ccb "Total capacitance of the collector";
    SI.Capacitance ceb "Total capacitance of the emitter";
    SI.Capacitance Capcje "Depletion capacitance of the emitter";
    SI.Capacitance Capcjc "Depletion capacitance of the collector";
    SI.Current is_t "Saturation current at the present temperature";
    Real br_t "Reverse gain at the present temperature";
    Real bf_t "Forward gain at the present temperature";
    SI.Voltage vt_t "Thermal voltage in use";
    Real hexp;
    Real htempexp "Growth of the saturation current with temperature";
    SI.Voltage vS "Potential of the substrate";
    SI.Current iS "Current into the substrate";
    Modelica.Electrical.Analog.Interfaces.Pin C "Collector";
    Modelica.Electrical.Analog.Interfaces.Pin B "Base";
    Modelica.Electrical.Analog.Interfaces.Pin E "Emitter";
    Modelica.Electrical.Analog.Interfaces.NegativePin S(final i=iS, final v=vS)
      if useSubstrate "Substrate";
  initial equation
    if UIC then
      vcs = IC;
    end if;
  equation
    assert(T_heatPort > 0, "the temperature must be positive");
    vcb = C.v - B.v;
    veb = E.v - B.v;
    vcs = C.v - vS;
    vt_t = if useTemperatureDependency
      then Modelica.Constants.k/Modelica.Constants.q*T_heatPort else Vt;
    hexp = (T_heatPort/Tnom - 1)*EG/vt_t;
    htempexp = smooth(1, boundedExp(hexp, EMin, EMax));
    is_t = if useTemperatureDependency then Is*(T_heatPort/Tnom)^XTI*htempexp else Is;
    br_t = if useTemperatureDependency then Br*(T_heatPort/Tnom)^XTB else Br;
    bf_t = if useTemperatureDependency then Bf*(T_heatPort/Tnom)^XTB else Bf;
    qbk = 1 - Vak*vcb;
    icb = smooth(1, is_t*(boundedExp(vcb/(NR*vt_t), EMin, EMax) - 1) + Gbc*vcb);
    ieb = smooth(1, is_t*(boundedExp(veb/(NF*vt_t), EMin, EMax) - 1) + Gbe*veb);
    Capcjc = smooth(1, Cjc*depletion(vcb/Phic, Mc));
    Capcje = smooth(1, Cje*depletion(veb/Phie, Me));
    ccb = smooth(1, Capcjc + Taur*is_t/(NR*vt_t)*boundedExp(vcb/(NR*vt_t), EMin, EMax));
    ceb = smooth(1, Capcje + Tauf*is_t/(NF*vt_t)*boundedExp(veb/(NF*vt_t), EMin, EMax));
    C.i = (icb - ieb)*qbk + icb/br_t + ccb*der(vcb) - iS;
    B.i = -ieb/bf_t - icb/br_t - ceb*der(veb) - ccb*der(vcb);
    E.i = -(B.i + C.i + iS);
    iS = -Ccs*der(vcs);
    if not useSubstrate then
      vS = 0;
    end if;
    LossPower = vcb*icb/br_t + veb*ieb/bf_t + (icb - ieb)*qbk*(C.v - E.v);
  end PNP;

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

  function boundedExp "Exponential function, continued along its tangents on both sides"
    extends Modelica.Icons.Function;
    input Real x;
    input Real low;
    input Real high;
    output Real y;
  algorithm
    y := if x < low then exp(low)*(1 + x - low) else limitedExp(x, high);
    annotation(Inline=true);
  end boundedExp;

  function depletion "Depletion capacitance over its value at 0 V, straight when forward"
    extends Modelica.Icons.Function;
    input Real x "Voltage over diffusion voltage";
    input Real m "Gradation exponent";
    output Real y;
  algorithm
    y := if x > 0 then 1 + m*x else (1 - x)^(-m);
    annotation(Inline=true);
  end depletion;
end Semiconductors;
