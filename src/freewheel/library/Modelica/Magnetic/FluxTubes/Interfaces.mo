within Modelica.Magnetic.FluxTubes;
package Interfaces "Ports and partial models"
  extends Modelica.Icons.InterfacesPackage;

  connector MagneticPort "Magnetic connection"
    SI.MagneticPotential V_m "Magnetic potential";
    flow SI.MagneticFlux Phi "Flux into the port";
  end MagneticPort;

  connector PositiveMagneticPort "Port at the positive end of a component"
    extends MagneticPort;
  end PositiveMagneticPort;

  connector NegativeMagneticPort "Port at the negative end of a component"
    extends MagneticPort;
  end NegativeMagneticPort;

  partial model TwoPortElementary "Two ports"
    PositiveMagneticPort port_p "Positive end";
    NegativeMagneticPort port_n "Negative end";
  end TwoPortElementary;

  partial model TwoPortExtended "Two ports, what is between them and what flows in"
    extends TwoPortElementary;
    SI.MagneticPotentialDifference V_m=port_p.V_m - port_n.V_m
      "Magnetic potential difference from port_p to port_n";
    SI.MagneticFlux Phi(start=0)=port_p.Phi "Flux into port_p";
  end TwoPortExtended;

  partial model TwoPort "Two ports, what enters at port_p leaves at port_n"
    extends TwoPortExtended;
  equation
    port_p.Phi + port_n.Phi = 0;
  end TwoPort;

  partial model ConditionalHeatPort "Heat port on demand"
    extends Modelica.Electrical.Analog.Interfaces.ConditionalHeatPort;
  end ConditionalHeatPort;
end Interfaces;
