within Modelica.Electrical.Analog;
package Types "Enumerations"
  extends Modelica.Icons.TypesPackage;

  type ImpulseApproximation = enumeration(
      DoubleExp "Difference of two exponentials",
      Heidler "Heidler function")
    "Shape of an impulse";
end Types;
