within Modelica.Blocks;
package MathBoolean "Logical operations on vectors sized by their connections"
  extends Modelica.Icons.Package;
  import Modelica.Units.SI;

  block MultiSwitch "Value of the expression whose switch is the first to be true"
    input Boolean expr[nu]=fill(false, nu) "Expressions; give them as a modifier";
    parameter Boolean use_pre_as_default=true "Keep the output if no switch is true"
      annotation(HideResult=true);
    parameter Boolean y_default=false "First output, and output if it is not kept";
    parameter Integer nu(min=0) = 0 "Number of switches" annotation(HideResult=true);
    Modelica.Blocks.Interfaces.BooleanVectorInput u[nu] "Switches";
    Modelica.Blocks.Interfaces.BooleanOutput y "Output";
  protected
    Integer firstActiveIndex "Index of the first true switch, 0 if none";
  initial equation
    pre(y) = y_default;
  equation
    firstActiveIndex = Modelica.Math.BooleanVectors.firstTrueIndex(u);
    y = if firstActiveIndex > 0 then expr[firstActiveIndex]
      else if use_pre_as_default then pre(y) else y_default;
  end MultiSwitch;

  block And "All"
    extends Modelica.Blocks.Interfaces.PartialBooleanMISO;
  equation
    y = Modelica.Math.BooleanVectors.andTrue(u);
  end And;

  block Or "At least one"
    extends Modelica.Blocks.Interfaces.PartialBooleanMISO;
  equation
    y = Modelica.Math.BooleanVectors.anyTrue(u);
  end Or;

  block Xor "Exactly one"
    extends Modelica.Blocks.Interfaces.PartialBooleanMISO;
  equation
    y = Modelica.Math.BooleanVectors.oneTrue(u);
  end Xor;

  block Nand "Not all"
    extends Modelica.Blocks.Interfaces.PartialBooleanMISO;
  equation
    y = not Modelica.Math.BooleanVectors.andTrue(u);
  end Nand;

  block Nor "None"
    extends Modelica.Blocks.Interfaces.PartialBooleanMISO;
  equation
    y = not Modelica.Math.BooleanVectors.anyTrue(u);
  end Nor;

  block Not "Opposite"
    extends Modelica.Blocks.Interfaces.PartialBooleanSISO_small;
  equation
    y = not u;
  end Not;

  block RisingEdge "True when the input becomes true"
    parameter Boolean pre_u_start=false "Value of the input before the initialisation";
    extends Modelica.Blocks.Interfaces.PartialBooleanSISO_small;
  initial equation
    pre(u) = pre_u_start;
  equation
    y = edge(u);
  end RisingEdge;

  block FallingEdge "True when the input becomes false"
    parameter Boolean pre_u_start=false "Value of the input before the initialisation";
    extends Modelica.Blocks.Interfaces.PartialBooleanSISO_small;
  protected
    Boolean not_u=not u annotation(HideResult=true);
  initial equation
    pre(not_u) = not pre_u_start;
  equation
    y = edge(not_u);
  end FallingEdge;

  block ChangingEdge "True when the input changes"
    parameter Boolean pre_u_start=false "Value of the input before the initialisation";
    extends Modelica.Blocks.Interfaces.PartialBooleanSISO_small;
  initial equation
    pre(u) = pre_u_start;
  equation
    y = change(u);
  end ChangingEdge;

  block OnDelay "Delays the rising edge"
    extends Modelica.Blocks.Interfaces.PartialBooleanSISO_small;
    parameter SI.Time delayTime "Delay";
  protected
    Boolean delaySignal(start=false, fixed=true) "The input is true";
    discrete SI.Time t_next "When the output may become true";
  initial equation
    pre(u) = false;
    pre(t_next) = time - 1;
  algorithm
    when initial() then
      delaySignal := u;
      t_next := time - 1;
    elsewhen u then
      delaySignal := true;
      t_next := time + delayTime;
    elsewhen not u then
      delaySignal := false;
      t_next := time - 1;
    end when;
  equation
    y = delaySignal and time >= t_next;
  end OnDelay;
end MathBoolean;
