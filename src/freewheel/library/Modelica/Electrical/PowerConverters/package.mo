within Modelica.Electrical;
package PowerConverters "Rectifiers, choppers and inverters of ideal switches"
  extends Modelica.Icons.Package;
end PowerConverters;
