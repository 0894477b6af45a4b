within Modelica.Magnetic.FluxTubes;
package Sensors "Ideal instruments"
  extends Modelica.Icons.SensorsPackage;

  model MagneticPotentialDifferenceSensor "Magnetic potential difference between two ports"
    extends Modelica.Icons.RoundSensor;
    extends Interfaces.TwoPortElementary;
    Modelica.Blocks.Interfaces.RealOutput V_m(final quantity="MagneticPotential", final unit="A")
      "Magnetic potential difference from port_p to port_n";
    SI.MagneticFlux Phi=port_p.Phi "Flux into port_p, zero";
  equation
    port_p.Phi = 0;
    port_n.Phi = 0;
    V_m = port_p.V_m - port_n.V_m;
  end MagneticPotentialDifferenceSensor;

  model MagneticFluxSensor "Flux in a branch"
    extends Interfaces.TwoPortElementary;
    extends Modelica.Icons.RoundSensor;
    Modelica.Blocks.Interfaces.RealOutput Phi(final quantity="MagneticFlux", final unit="Wb")
      "Flux from port_p to port_n";
  equation
    port_p.V_m = port_n.V_m;
    port_p.Phi + port_n.Phi = 0;
    Phi = port_p.Phi;
  end MagneticFluxSensor;
end Sensors;
