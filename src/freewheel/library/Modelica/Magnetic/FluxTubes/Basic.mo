within Modelica.Magnetic.FluxTubes;
package Basic "Coils, reluctances, eddy currents"
  extends Modelica.Icons.Package;

  model Ground "Zero magnetic potential; every magnetic circuit needs one"
    Interfaces.PositiveMagneticPort port;
  equation
    port.V_m = 0;
  end Ground;

  model ElectroMagneticConverter "Ideal coil"
    Interfaces.PositiveMagneticPort port_p "Positive magnetic end";
    Interfaces.NegativeMagneticPort port_n "Negative magnetic end";
    Modelica.Electrical.Analog.Interfaces.PositivePin p "Positive pin";
    Modelica.Electrical.Analog.Interfaces.NegativePin n "Negative pin";
    SI.Voltage v=p.v - n.v "Voltage";
    SI.Current i(start=0, stateSelect=StateSelect.prefer)=p.i "Current";
    SI.MagneticPotentialDifference V_m=port_p.V_m - port_n.V_m "Magnetic potential difference";
    SI.MagneticFlux Phi=port_p.Phi "Flux";
    parameter Real N=1 "Number of turns";
    SI.MagneticFlux Psi=N*Phi "Flux linkage";
    SI.Inductance L_stat=abs(Psi)/noEvent(max(abs(i), 100*Modelica.Constants.eps))
      "Flux linkage over current";
  equation
    p.i + n.i = 0;
    port_p.Phi + port_n.Phi = 0;
    V_m = N*i;
    v = -N*der(Phi);
  end ElectroMagneticConverter;

  model ElectroMagneticConverterWithLeakageInductance "Ideal coil with a leakage flux beside it"
    Interfaces.PositiveMagneticPort port_p "Positive magnetic end";
    Interfaces.NegativeMagneticPort port_n "Negative magnetic end";
    Modelica.Electrical.Analog.Interfaces.PositivePin p "Positive pin";
    Modelica.Electrical.Analog.Interfaces.NegativePin n "Negative pin";
    SI.Voltage v=p.v - n.v "Voltage";
    SI.Current i(start=0, stateSelect=StateSelect.prefer)=p.i "Current";
    SI.MagneticPotentialDifference V_m=port_p.V_m - port_n.V_m "Magnetic potential difference";
    SI.MagneticFlux Phi(stateSelect=StateSelect.never)=port_p.Phi "Flux into the circuit";
    SI.MagneticFlux Phi_ind(stateSelect=StateSelect.never)=Phi - Phi_leak "Flux through the coil";
    SI.MagneticFlux Phi_leak(stateSelect=StateSelect.never)=G_m*V_m "Leakage flux";
    parameter Real N(start=1, min=Modelica.Constants.eps) "Number of turns";
    parameter SI.Length L=10e-3 "Length of the leakage path";
    parameter SI.Area A=10e-6 "Cross section of the leakage path";
    parameter SI.RelativePermeability mu_rel(min=Modelica.Constants.eps) = 1
      "Relative permeability of the leakage path";
    final parameter SI.Permeance G_m=mu_0*mu_rel*A/L "Permeance of the leakage path";
    SI.MagneticFlux Psi=N*Phi_ind "Flux linkage";
    SI.Inductance L_stat=abs(Psi)/noEvent(max(abs(i), 100*Modelica.Constants.eps))
      "Flux linkage over current";
  equation
    p.i + n.i = 0;
    port_p.Phi + port_n.Phi = 0;
    V_m = N*i;
    v = -N*der(Phi_ind);
  end ElectroMagneticConverterWithLeakageInductance;

  model ConstantReluctance "Constant reluctance"
    extends Interfaces.TwoPort;
    parameter SI.Reluctance R_m=1 "Reluctance";
  equation
    V_m = R_m*Phi;
  end ConstantReluctance;

  model ConstantPermeance "Constant permeance"
    extends Interfaces.TwoPort;
    parameter SI.Permeance G_m=1 "Permeance";
  equation
    Phi = G_m*V_m;
  end ConstantPermeance;

  model VariableReluctance "Reluctance by signal"
    extends Interfaces.TwoPort;
    Modelica.Blocks.Interfaces.RealInput R_m(quantity="Reluctance", unit="H-1") "Reluctance";
  equation
    V_m = R_m*Phi;
  end VariableReluctance;

  model VariablePermeance "Permeance by signal"
    extends Interfaces.TwoPort;
    Modelica.Blocks.Interfaces.RealInput G_m(quantity="Permeance", unit="H") "Permeance";
  equation
    Phi = G_m*V_m;
  end VariablePermeance;

  model LeakageWithCoefficient "Leakage as a share of the whole flux"
    extends BaseClasses.Leakage;
    parameter SI.CouplingCoefficient c_usefulFlux(
      final min=Modelica.Constants.eps, final max=1 - Modelica.Constants.eps, start=0.7)
      "Useful flux over the whole one";
    Modelica.Blocks.Interfaces.RealInput R_mUsefulTot(quantity="Reluctance", unit="H-1")
      "Reluctance of the useful path";
  equation
    R_m = R_mUsefulTot*c_usefulFlux/(1 - c_usefulFlux);
  end LeakageWithCoefficient;

  model EddyCurrent "Losses by eddy currents in a conducting path"
    extends Interfaces.TwoPort;
    extends Modelica.Electrical.Analog.Interfaces.ConditionalHeatPort(final T=273.15);
    parameter Boolean useConductance=false "Use G, not material and shape" annotation(Evaluate=true);
    parameter SI.Conductance G(min=0) = 1/0.098e-6 "Conductance of the path of the currents";
    parameter SI.Resistivity rho=0.098e-6 "Resistivity";
    parameter SI.Length l=1 "Length of the path of the currents";
    parameter SI.Area A=1 "Cross section of the path of the currents";
    final parameter SI.Resistance R=rho*l/A "Resistance of the path of the currents";
  equation
    V_m = (if useConductance then G else 1/R)*der(Phi);
    LossPower = V_m*der(Phi);
  end EddyCurrent;

  model Idle "Ideal gap"
    extends Interfaces.TwoPort;
  equation
    Phi = 0;
  end Idle;

  model Short "Ideal connection"
    extends Interfaces.TwoPortElementary;
  equation
    connect(port_p, port_n);
  end Short;

  model Crossing "Joins both positive ports and both negative ports"
    Interfaces.PositiveMagneticPort port_p1;
    Interfaces.PositiveMagneticPort port_p2;
    Interfaces.NegativeMagneticPort port_n1;
    Interfaces.NegativeMagneticPort port_n2;
  equation
    connect(port_p1, port_p2);
    connect(port_n1, port_n2);
  end Crossing;
end Basic;
