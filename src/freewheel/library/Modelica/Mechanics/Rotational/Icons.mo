within Modelica.Mechanics.Rotational;
package Icons "Bases without content"
  extends Modelica.Icons.IconsPackage;

  partial model Clutch "Base of clutches"
  end Clutch;

  partial class Gear "Base of gears"
  end Gear;

  partial model Gearbox "Base of gear boxes"
  end Gearbox;
end Icons;
