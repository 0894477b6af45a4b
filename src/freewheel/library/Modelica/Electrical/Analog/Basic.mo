within Modelica.Electrical.Analog;
package Basic "Passive, coupled and controlled elements"
  extends Modelica.Icons.Package;
  import Modelica.Units.SI;

  model Ground "Zero potential; every circuit needs one"
    Interfaces.Pin p;
  equation
    p.v = 0;
  end Ground;

  model Resistor "Ohm's law, resistance linear in temperature"
    parameter SI.Resistance R(start=1) "Resistance at T_ref";
    parameter SI.Temperature T_ref=300.15 "Reference temperature";
    parameter SI.LinearTemperatureCoefficient alpha=0 "Relative change per kelvin";
    extends Modelica.Electrical.Analog.Interfaces.OnePort;
    extends Modelica.Electrical.Analog.Interfaces.ConditionalHeatPort(T=T_ref);
    SI.Resistance R_actual "Resistance at the present temperature";
  equation
    assert(1 + alpha*(T_heatPort - T_ref) >= Modelica.Constants.eps,
      "the resistance would not be positive at this temperature");
    R_actual = R*(1 + alpha*(T_heatPort - T_ref));
    v = R_actual*i;
    LossPower = v*i;
  end Resistor;

  model HeatingResistor "Resistor with a heat port (older models; Resistor has one on demand)"
    extends Modelica.Electrical.Analog.Interfaces.OnePort;
    parameter SI.Resistance R_ref(start=1) "Resistance at T_ref";
    parameter SI.Temperature T_ref=300.15 "Reference temperature";
    parameter SI.LinearTemperatureCoefficient alpha=0 "Relative change per kelvin";
    extends Modelica.Electrical.Analog.Interfaces.ConditionalHeatPort(
      T=T_ref,
      useHeatPort=true);
    SI.Resistance R "Resistance at the present temperature";
  equation
    assert(1 + alpha*(T_heatPort - T_ref) >= Modelica.Constants.eps,
      "the resistance would not be positive at this temperature");
    R = R_ref*(1 + alpha*(T_heatPort - T_ref));
    v = R*i;
    LossPower = v*i;
  end HeatingResistor;

  model Conductor "Ohm's law by conductance; its inverse is linear in temperature"
    parameter SI.Conductance G(start=1) "Conductance at T_ref";
    parameter SI.Temperature T_ref=300.15 "Reference temperature";
    parameter SI.LinearTemperatureCoefficient alpha=0 "Relative change of 1/G per kelvin";
    extends Modelica.Electrical.Analog.Interfaces.OnePort;
    extends Modelica.Electrical.Analog.Interfaces.ConditionalHeatPort(T=T_ref);
    SI.Conductance G_actual "Conductance at the present temperature";
  equation
    assert(1 + alpha*(T_heatPort - T_ref) >= Modelica.Constants.eps,
      "the conductance would not be positive at this temperature");
    G_actual = G/(1 + alpha*(T_heatPort - T_ref));
    i = G_actual*v;
    LossPower = v*i;
  end Conductor;

  model Capacitor "Linear capacitor"
    extends Interfaces.OnePort(v(start=0));
    parameter SI.Capacitance C(start=1) "Capacitance";
  equation
    i = C*der(v);
  end Capacitor;

  model Inductor "Linear inductor"
    extends Interfaces.OnePort(i(start=0));
    parameter SI.Inductance L(start=1) "Inductance";
  equation
    v = L*der(i);
  end Inductor;

  model SaturatingInductor "Inductor whose core saturates: flux grows with the arctangent"
    extends Modelica.Electrical.Analog.Interfaces.OnePort(i(start=0));
    import Modelica.Constants.pi;
    import Modelica.Constants.eps;
    import Modelica.Constants.small;
    parameter SI.Current Inom(start=1) "Nominal current";
    parameter SI.Inductance Lnom(start=1) "Inductance at the nominal current";
    parameter SI.Inductance Lzer(start=2*Lnom) "Inductance near zero current";
    parameter SI.Inductance Linf(start=Lnom/2) "Inductance at large currents";
    SI.Inductance Lact(start=Lzer) "Present inductance, flux over current";
    SI.MagneticFlux Psi "Flux linkage";
  protected
    parameter SI.Current Ipar(start=Inom/10, fixed=false) "Current scale of the arctangent";
  initial equation
    // Flux at the nominal current must give Lnom there.
    (Lnom - Linf)/(Lzer - Linf) = Ipar/Inom*(pi/2 - atan(Ipar/Inom));
  equation
    assert(Lzer > Lnom*(1 + eps), "Lzer must be larger than Lnom");
    assert(Linf < Lnom*(1 - eps), "Linf must be smaller than Lnom");
    Psi = Linf*i + (Lzer - Linf)*Ipar*atan(i/Ipar);
    Lact = Linf + (Lzer - Linf)*(if noEvent(abs(i) < small*Ipar) then 1 else atan(i/Ipar)*Ipar/i);
    v = der(Psi);
  end SaturatingInductor;

  model Transformer "Two coupled inductors"
    extends Interfaces.TwoPort(i1(start=0), i2(start=0));
    parameter SI.Inductance L1(start=1) "Inductance of the left winding";
    parameter SI.Inductance L2(start=1) "Inductance of the right winding";
    parameter SI.Inductance M(start=1) "Mutual inductance";
    Real dv "v1 - v2; keeps the index low when the coupling is perfect";
  equation
    v1 = L1*der(i1) + M*der(i2);
    dv = (L1 - M)*der(i1) + (M - L2)*der(i2);
    v2 = v1 - dv;
  end Transformer;

  model M_Transformer "N coupled inductors"
    parameter Integer N(final min=1) = 3 "Number of windings";
  protected
    parameter Integer dimL=div(N*(N + 1), 2) "Entries on and above the diagonal";
  public
    parameter SI.Inductance L[dimL]={1, 0.1, 0.2, 2, 0.3, 3}
      "Upper triangle of the inductance matrix, row by row";
    Modelica.Electrical.Analog.Interfaces.PositivePin p[N];
    Modelica.Electrical.Analog.Interfaces.NegativePin n[N];
    SI.Voltage v[N] "Voltage of each winding";
    SI.Current i[N](each start=0, each fixed=true) "Current of each winding";
    parameter SI.Inductance Lm[N, N](each final fixed=false) "Full inductance matrix";
  initial equation
    for row in 1:N loop
      for column in 1:N loop
        Lm[row, column] = L[(min(row, column) - 1)*N
          - div((min(row, column) - 1)*min(row, column), 2) + max(row, column)];
      end for;
    end for;
  equation
    for k in 1:N loop
      v[k] = p[k].v - n[k].v;
      i[k] = p[k].i;
      p[k].i + n[k].i = 0;
    end for;
    v = Lm*der(i);
  end M_Transformer;

  model Gyrator "Voltage of one side drives current on the other"
    extends Interfaces.TwoPort;
    parameter SI.Conductance G1(start=1) "Conductance from left voltage to right current";
    parameter SI.Conductance G2(start=1) "Conductance from right voltage to left current";
  equation
    i1 = G2*v2;
    i2 = -G1*v1;
  end Gyrator;

  model RotationalEMF "Ideal motor or generator, rotating"
    parameter Boolean useSupport=false "Offer a support flange"
      annotation(Evaluate=true, HideResult=true);
    parameter SI.ElectricalTorqueConstant k(start=1) "Torque per current";
    SI.Voltage v "Voltage from p to n";
    SI.Current i "Current from p to n";
    SI.Angle phi "Angle of the flange against the support";
    SI.AngularVelocity w "Speed of the flange against the support";
    SI.Torque tau "Torque into the flange";
    SI.Torque tauElectrical "Torque made by the current";
    Interfaces.PositivePin p;
    Interfaces.NegativePin n;
    Modelica.Mechanics.Rotational.Interfaces.Flange_b flange;
    Modelica.Mechanics.Rotational.Interfaces.Support support if useSupport;
  protected
    Modelica.Mechanics.Rotational.Components.Fixed fixed if not useSupport;
    Modelica.Mechanics.Rotational.Interfaces.InternalSupport internalSupport(tau=-tau);
  equation
    v = p.v - n.v;
    i = p.i;
    p.i + n.i = 0;
    phi = flange.phi - internalSupport.phi;
    w = der(phi);
    v = k*w;
    tauElectrical = k*i;
    tau = -tauElectrical;
    flange.tau = tau;
    connect(internalSupport.flange, support);
    connect(internalSupport.flange, fixed.flange);
  end RotationalEMF;

  model EMF = RotationalEMF "Older name of RotationalEMF";

  model TranslationalEMF "Ideal motor or generator, linear"
    parameter Boolean useSupport=false "Offer a support flange"
      annotation(Evaluate=true, HideResult=true);
    parameter SI.ElectricalForceConstant k(start=1) "Force per current";
    SI.Voltage v "Voltage from p to n";
    SI.Current i "Current from p to n";
    SI.Position s "Position of the flange against the support";
    SI.Velocity vel "Velocity of the flange against the support";
    SI.Force f "Force into the flange";
    SI.Force fElectrical "Force made by the current";
    Modelica.Electrical.Analog.Interfaces.PositivePin p;
    Modelica.Electrical.Analog.Interfaces.NegativePin n;
    Modelica.Mechanics.Translational.Interfaces.Flange_b flange;
    Modelica.Mechanics.Translational.Interfaces.Support support if useSupport;
  protected
    Modelica.Mechanics.Translational.Components.Fixed fixed if not useSupport;
    Modelica.Mechanics.Translational.Interfaces.InternalSupport internalSupport(f=-f);
  equation
    v = p.v - n.v;
    i = p.i;
    p.i + n.i = 0;
    s = flange.s - internalSupport.s;
    vel = der(s);
    v = k*vel;
    fElectrical = k*i;
    f = -fElectrical;
    flange.f = f;
    connect(internalSupport.flange, support);
    connect(internalSupport.flange, fixed.flange);
  end TranslationalEMF;

  model VCV "Voltage controlled by a voltage"
    extends Interfaces.TwoPort;
    parameter Real gain(start=1) "v2 over v1";
  equation
    i1 = 0;
    v2 = gain*v1;
  end VCV;

  model VCC "Current controlled by a voltage"
    extends Interfaces.TwoPort;
    parameter SI.Conductance transConductance(start=1) "i2 over v1";
  equation
    i1 = 0;
    i2 = transConductance*v1;
  end VCC;

  model CCV "Voltage controlled by a current"
    extends Interfaces.TwoPort;
    parameter SI.Resistance transResistance(start=1) "v2 over i1";
  equation
    v1 = 0;
    v2 = transResistance*i1;
  end CCV;

  model CCC "Current controlled by a current"
    extends Interfaces.TwoPort;
    parameter Real gain(start=1) "i2 over i1";
  equation
    v1 = 0;
    i2 = gain*i1;
  end CCC;

  model OpAmp "Amplifier with a smooth limit at its supply pins"
    parameter Real Slope(start=10000) "Gain at zero input";
    Modelica.Electrical.Analog.Interfaces.PositivePin in_p "Non-inverting input";
    Modelica.Electrical.Analog.Interfaces.NegativePin in_n "Inverting input";
    Modelica.Electrical.Analog.Interfaces.PositivePin out "Output";
    Modelica.Electrical.Analog.Interfaces.PositivePin VMax "Upper output limit";
    Modelica.Electrical.Analog.Interfaces.NegativePin VMin "Lower output limit";
    SI.Voltage vin "Input voltage";
  protected
    Real f "Inverse of half the output range";
    Real absSlope;
  equation
    in_p.i = 0;
    in_n.i = 0;
    VMax.i = 0;
    VMin.i = 0;
    vin = in_p.v - in_n.v;
    f = 2/(VMax.v - VMin.v);
    absSlope = if Slope < 0 then -Slope else Slope;
    // x/(1 + |x|) saturates without a kink in value.
    out.v = (VMax.v + VMin.v)/2
      + absSlope*vin/(1 + absSlope*smooth(0, if f*vin < 0 then -f*vin else f*vin));
  end OpAmp;

  model VariableResistor "Resistance by signal"
    parameter SI.Temperature T_ref=300.15 "Reference temperature";
    parameter SI.LinearTemperatureCoefficient alpha=0 "Relative change per kelvin";
    extends Modelica.Electrical.Analog.Interfaces.OnePort;
    extends Modelica.Electrical.Analog.Interfaces.ConditionalHeatPort(T=T_ref);
    SI.Resistance R_actual "Resistance at the present temperature";
    Modelica.Blocks.Interfaces.RealInput R(unit="Ohm") "Resistance at T_ref";
  equation
    assert(1 + alpha*(T_heatPort - T_ref) >= Modelica.Constants.eps,
      "the resistance would change its sign at this temperature");
    R_actual = R*(1 + alpha*(T_heatPort - T_ref));
    v = R_actual*i;
    LossPower = v*i;
  end VariableResistor;

  model VariableConductor "Conductance by signal"
    parameter SI.Temperature T_ref=300.15 "Reference temperature";
    parameter SI.LinearTemperatureCoefficient alpha=0 "Relative change of 1/G per kelvin";
    extends Modelica.Electrical.Analog.Interfaces.OnePort;
    extends Modelica.Electrical.Analog.Interfaces.ConditionalHeatPort(T=T_ref);
    SI.Conductance G_actual "Conductance at the present temperature";
    Modelica.Blocks.Interfaces.RealInput G(unit="S") "Conductance at T_ref";
  equation
    assert(1 + alpha*(T_heatPort - T_ref) >= Modelica.Constants.eps,
      "the conductance would change its sign at this temperature");
    G_actual = G/(1 + alpha*(T_heatPort - T_ref));
    i = G_actual*v;
    LossPower = v*i;
  end VariableConductor;

  model VariableCapacitor "Capacitance by signal; charge is conserved"
    extends Modelica.Electrical.Analog.Interfaces.OnePort;
    Modelica.Blocks.Interfaces.RealInput C(unit="F") "Capacitance";
    parameter SI.Capacitance Cmin=Modelica.Constants.eps "Smallest capacitance used";
    SI.ElectricCharge Q "Charge";
    parameter SI.Voltage IC=0 "Initial voltage";
    parameter Boolean UIC=false "Start at the initial voltage";
  initial equation
    if UIC then
      v = IC;
    end if;
  equation
    assert(C >= 0, "the capacitance must not be negative");
    Q = noEvent(max(C, Cmin))*v;
    i = der(Q);
  end VariableCapacitor;

  model VariableInductor "Inductance by signal; flux is conserved"
    extends Modelica.Electrical.Analog.Interfaces.OnePort;
    Modelica.Blocks.Interfaces.RealInput L(unit="H") "Inductance";
    SI.MagneticFlux Psi "Flux linkage";
    parameter SI.Inductance Lmin=Modelica.Constants.eps "Smallest inductance used";
    parameter SI.Current IC=0 "Initial current";
    parameter Boolean UIC=false "Start at the initial current";
  initial equation
    if UIC then
      i = IC;
    end if;
  equation
    assert(L >= 0, "the inductance must not be negative");
    Psi = noEvent(max(L, Lmin))*i;
    v = der(Psi);
  end VariableInductor;

  model Potentiometer "Resistor with a sliding contact"
    parameter SI.Resistance R(start=1) "Total resistance at T_ref";
    parameter SI.Temperature T_ref=293.15 "Reference temperature";
    parameter SI.LinearTemperatureCoefficient alpha=0 "Relative change per kelvin";
    extends Modelica.Electrical.Analog.Interfaces.ConditionalHeatPort(T=T_ref);
    parameter Boolean useRinput=false "Contact position by signal"
      annotation(Evaluate=true, HideResult=true);
    parameter Real rConstant(final min=0, final max=1) = 0.5 "Fixed contact position";
    SI.Resistance Rp "Resistance between pin_p and the contact";
    SI.Resistance Rn "Resistance between pin_n and the contact";
    Modelica.Electrical.Analog.Interfaces.PositivePin pin_p;
    Modelica.Electrical.Analog.Interfaces.PositivePin contact;
    Modelica.Electrical.Analog.Interfaces.NegativePin pin_n;
    Modelica.Blocks.Interfaces.RealInput r if useRinput "Contact position, 0 at pin_n, 1 at pin_p";
  protected
    Modelica.Blocks.Sources.Constant rConst(final k=rConstant) if not useRinput;
    Modelica.Blocks.Interfaces.RealInput rInt;
  equation
    pin_p.i + pin_n.i + contact.i = 0;
    Rp = R*(1 + alpha*(T_heatPort - T_ref))*(1 - min(1, max(0, rInt)));
    Rn = R*(1 + alpha*(T_heatPort - T_ref))*min(1, max(0, rInt));
    pin_p.v - contact.v = Rp*pin_p.i;
    pin_n.v - contact.v = Rn*pin_n.i;
    LossPower = Rp*pin_p.i^2 + Rn*pin_n.i^2;
    connect(r, rInt);
    connect(rConst.y, rInt);
  end Potentiometer;

  model VsourceAC "Sine voltage source of early Modelica tutorials (today Sources.SineVoltage)"
    extends Interfaces.OnePort;
    parameter SI.Voltage VA=220 "Amplitude";
    parameter SI.Frequency f=50 "Frequency";
  equation
    v = VA*sin(2*Modelica.Constants.pi*f*time);
  end VsourceAC;
end Basic;
