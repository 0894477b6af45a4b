within Modelica.Mechanics.MultiBody;
package Icons "Bases without a picture"
  extends Modelica.Icons.IconsPackage;

  model Surface "Base of surfaces"
  end Surface;
end Icons;
