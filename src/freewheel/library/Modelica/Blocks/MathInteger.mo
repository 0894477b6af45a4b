within Modelica.Blocks;
package MathInteger "Integer operations on vectors sized by their connections"
  extends Modelica.Icons.Package;

  block MultiSwitch "Value of the expression whose switch is the first to be true"
    input Integer expr[nu]=fill(0, nu) "Expressions; give them as a modifier";
    parameter Integer y_default=0 "First output, and output if it is not kept";
    parameter Boolean use_pre_as_default=true "Keep the output if no switch is true"
      annotation(HideResult=true);
    parameter Integer nu(min=0) = 0 "Number of switches" annotation(HideResult=true);
    Modelica.Blocks.Interfaces.BooleanVectorInput u[nu] "Switches";
    Modelica.Blocks.Interfaces.IntegerOutput y "Output";
  protected
    Integer firstActiveIndex "Index of the first true switch, 0 if none";
  initial equation
    pre(y) = y_default;
  equation
    firstActiveIndex = Modelica.Math.BooleanVectors.firstTrueIndex(u);
    y = if firstActiveIndex > 0 then expr[firstActiveIndex]
      else if use_pre_as_default then pre(y) else y_default;
  end MultiSwitch;

  block Sum "Weighted sum"
    extends Modelica.Blocks.Interfaces.PartialIntegerMISO;
    parameter Integer k[nu]=fill(1, nu) "Weights";
  equation
    if size(u, 1) > 0 then
      y = k*u;
    else
      y = 0;
    end if;
  end Sum;

  block Product "Product"
    extends Modelica.Blocks.Interfaces.PartialIntegerMISO;
  equation
    if size(u, 1) > 0 then
      y = product(u);
    else
      y = 0;
    end if;
  end Product;

  block TriggeredAdd "Adds the input whenever triggered"
    extends Modelica.Blocks.Interfaces.PartialIntegerSISO;
    parameter Boolean use_reset=false "Offer a reset input"
      annotation(Evaluate=true, HideResult=true);
    parameter Boolean use_set=false "Offer an input for the value after a reset"
      annotation(Evaluate=true, HideResult=true);
    parameter Integer y_start=0 "First value, and value after a reset";
    Modelica.Blocks.Interfaces.BooleanInput trigger "Adds on its rising edge";
    Modelica.Blocks.Interfaces.BooleanInput reset if use_reset "Resets on its rising edge";
    Modelica.Blocks.Interfaces.IntegerInput set if use_set "Value after a reset";
  protected
    Modelica.Blocks.Interfaces.BooleanOutput local_reset annotation(HideResult=true);
    Modelica.Blocks.Interfaces.IntegerOutput local_set;
  initial equation
    pre(y) = y_start;
  equation
    if use_reset then
      connect(reset, local_reset);
      if use_set then
        connect(set, local_set);
      else
        local_set = y_start;
      end if;
    else
      local_reset = false;
      local_set = 0;
    end if;
    when {trigger, local_reset} then
      y = if local_reset then local_set else pre(y) + u;
    end when;
  end TriggeredAdd;
end MathInteger;
