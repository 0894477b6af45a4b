within Modelica.Electrical.Polyphase;
package Blocks "Blocks of signals of m phases"
  extends Modelica.Icons.Package;

  block QuasiRMS "Root of the mean square of the phases"
    extends Modelica.Blocks.Interfaces.SO;
    parameter Integer m(min=2) = 3 "Number of phases" annotation(Evaluate=true);
    Modelica.Blocks.Interfaces.RealInput u[m] "Values of the phases";
  equation
    y = Functions.quasiRMS(u);
  end QuasiRMS;
end Blocks;
