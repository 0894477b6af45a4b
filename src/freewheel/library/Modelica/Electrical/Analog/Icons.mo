within Modelica.Electrical.Analog;
package Icons "Bases without content"
  extends Modelica.Icons.IconsPackage;

  partial model VoltageSource "Base of voltage sources"
  end VoltageSource;

  partial model CurrentSource "Base of current sources"
  end CurrentSource;
end Icons;
