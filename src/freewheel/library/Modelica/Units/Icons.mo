within Modelica.Units;
package Icons "Bases without content"
  extends Modelica.Icons.IconsPackage;

  partial function Conversion "Base of unit conversions"
  end Conversion;
end Icons;
