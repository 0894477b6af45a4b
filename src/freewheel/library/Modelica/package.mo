package Modelica "Component library embedded in Freewheel"
  extends Modelica.Icons.Package;

  // Interfaces (class names, connectors, parameters, defaults, signs) follow the Modelica
  // Standard Library 4.1.0, so that models written for it run unchanged. The text is our own.
  // Older spellings that version 4 dropped are kept where they do not disturb: SIunits,
  // `freqHz` beside `f`, EMF, Clock, IdealCommutingSwitch.
  annotation(
    version="4.1.0",
    Documentation(info="Embedded library of Freewheel, interface version 4.1.0."));
end Modelica;
