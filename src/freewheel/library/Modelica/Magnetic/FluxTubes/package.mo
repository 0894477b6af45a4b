within Modelica.Magnetic;
package FluxTubes "Magnetic circuits of lumped flux tubes"
  extends Modelica.Icons.Package;
  import Modelica.Constants.{pi, mu_0};
end FluxTubes;
