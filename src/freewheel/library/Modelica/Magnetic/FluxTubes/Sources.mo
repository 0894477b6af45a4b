within Modelica.Magnetic.FluxTubes;
package Sources "Sources of magnetic potential difference and flux"
  extends Modelica.Icons.SourcesPackage;

  model ConstantMagneticPotentialDifference "Constant magnetic potential difference"
    extends Interfaces.TwoPortElementary;
    parameter SI.MagneticPotentialDifference V_m "Magnetic potential difference from port_p to port_n";
    SI.MagneticFlux Phi "Flux into port_p";
  equation
    V_m = port_p.V_m - port_n.V_m;
    Phi = port_p.Phi;
    port_p.Phi + port_n.Phi = 0;
  end ConstantMagneticPotentialDifference;

  model SignalMagneticPotentialDifference "Magnetic potential difference by signal"
    extends Interfaces.TwoPortElementary;
    Modelica.Blocks.Interfaces.RealInput V_m(unit="A") "Magnetic potential difference";
    SI.MagneticFlux Phi "Flux into port_p";
  equation
    V_m = port_p.V_m - port_n.V_m;
    Phi = port_p.Phi;
    port_p.Phi + port_n.Phi = 0;
  end SignalMagneticPotentialDifference;

  model ConstantMagneticFlux "Constant flux"
    extends Interfaces.TwoPortElementary;
    parameter SI.MagneticFlux Phi=1 "Flux into port_p";
    SI.MagneticPotentialDifference V_m "Magnetic potential difference from port_p to port_n";
  equation
    V_m = port_p.V_m - port_n.V_m;
    Phi = port_p.Phi;
    port_p.Phi + port_n.Phi = 0;
  end ConstantMagneticFlux;

  model SignalMagneticFlux "Flux by signal"
    extends Interfaces.TwoPortElementary;
    Modelica.Blocks.Interfaces.RealInput Phi(unit="Wb") "Flux into port_p";
    SI.MagneticPotentialDifference V_m "Magnetic potential difference from port_p to port_n";
  equation
    V_m = port_p.V_m - port_n.V_m;
    Phi = port_p.Phi;
    port_p.Phi + port_n.Phi = 0;
  end SignalMagneticFlux;
end Sources;
