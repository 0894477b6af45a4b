within Modelica.Electrical.PowerConverters;
package Types "Enumerations"
  extends Modelica.Icons.TypesPackage;

  type SingleReferenceType = enumeration(
      Sawtooth "Rises, then falls at once",
      Triangle "Rises and falls alike")
    "Signal that a duty cycle is compared with";
end Types;
