within Modelica.Blocks;
package Interaction "Values to be seen in a diagram"
  extends Modelica.Icons.Package;

  package Show "Blocks that show a value"
    extends Modelica.Icons.Package;

    block RealValue "Shows a Real signal or expression"
      parameter Boolean use_numberPort=true "Show the signal at the port"
        annotation(Evaluate=true, HideResult=true);
      input Real number=0.0 "Expression to show without a port" annotation(HideResult=true);
      parameter Integer significantDigits(min=1) = 2 "Digits shown by a diagram";
      Modelica.Blocks.Interfaces.RealInput numberPort if use_numberPort "Signal to show"
        annotation(HideResult=true);
      Modelica.Blocks.Interfaces.RealOutput showNumber "Value shown";
    equation
      if use_numberPort then
        connect(numberPort, showNumber);
      else
        showNumber = number;
      end if;
    end RealValue;

    block IntegerValue "Shows a Integer signal or expression"
      parameter Boolean use_numberPort=true "Show the signal at the port"
        annotation(Evaluate=true, HideResult=true);
      input Integer number=0 "Expression to show without a port" annotation(HideResult=true);
      Modelica.Blocks.Interfaces.IntegerInput numberPort if use_numberPort "Signal to show"
        annotation(HideResult=true);
      Modelica.Blocks.Interfaces.IntegerOutput showNumber "Value shown";
    equation
      if use_numberPort then
        connect(numberPort, showNumber);
      else
        showNumber = number;
      end if;
    end IntegerValue;

    block BooleanValue "Shows a Boolean signal or expression"
      parameter Boolean use_activePort=true "Show the signal at the port"
        annotation(Evaluate=true, HideResult=true);
      input Boolean active=false "Expression to show without a port" annotation(HideResult=true);
      Modelica.Blocks.Interfaces.BooleanInput activePort if use_activePort "Signal to show"
        annotation(HideResult=true);
      Modelica.Blocks.Interfaces.BooleanOutput showActive "Value shown";
    equation
      if use_activePort then
        connect(activePort, showActive);
      else
        showActive = active;
      end if;
    end BooleanValue;
  end Show;
end Interaction;
