within Modelica;
package SIunits "Older name of Modelica.Units.SI, for models written for versions 1 to 3"
  extends Modelica.Units.SI;

  type CelsiusTemperature = Real(final quantity="ThermodynamicTemperature", final unit="degC");

  package Conversions "Older place of the unit conversions"
    extends Modelica.Units.Conversions;

    package NonSIunits "Older name of Modelica.Units.NonSI"
      extends Modelica.Units.NonSI;
    end NonSIunits;
  end Conversions;
end SIunits;
