package Hybrid "Elements with jumps, corners and several modes"
  extends Modelica.Icons.Package;

  // The elements of chapter 9 of Cellier and Kofman, Continuous System Simulation, that the
  // Modelica library does not have, and the chapter's examples made of them.
  annotation(version="1.0.0", Documentation(info="Loose element, quantizer, hysteresis, state machine, friction with
    six states, diodes as parameterised curves."));
end Hybrid;
