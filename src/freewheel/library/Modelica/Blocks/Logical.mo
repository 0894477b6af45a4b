within Modelica.Blocks;
package Logical "Logical operations, comparisons and switches"
  extends Modelica.Icons.Package;
  import Modelica.Units.SI;

  block And "Both"
    extends Blocks.Interfaces.partialBooleanSI2SO;
  equation
    y = u1 and u2;
  end And;

  block Or "At least one"
    extends Blocks.Interfaces.partialBooleanSI2SO;
  equation
    y = u1 or u2;
  end Or;

  block Xor "Exactly one"
    extends Blocks.Interfaces.partialBooleanSI2SO;
  equation
    y = u1 <> u2;
  end Xor;

  block Nor "None"
    extends Blocks.Interfaces.partialBooleanSI2SO;
  equation
    y = not (u1 or u2);
  end Nor;

  block Nand "Not both"
    extends Blocks.Interfaces.partialBooleanSI2SO;
  equation
    y = not (u1 and u2);
  end Nand;

  block Not "Opposite"
    extends Blocks.Interfaces.partialBooleanSISO;
  equation
    y = not u;
  end Not;

  block Pre "Input before the last event iteration; breaks Boolean loops"
    parameter Boolean pre_u_start=false "Value of the input before the initialisation";
    extends Blocks.Interfaces.partialBooleanSISO;
  initial equation
    pre(u) = pre_u_start;
  equation
    y = pre(u);
  end Pre;

  block Edge "True when the input becomes true"
    parameter Boolean pre_u_start=false "Value of the input before the initialisation";
    extends Blocks.Interfaces.partialBooleanSISO;
  initial equation
    pre(u) = pre_u_start;
  equation
    y = edge(u);
  end Edge;

  block FallingEdge "True when the input becomes false"
    parameter Boolean pre_u_start=false "Value of the input before the initialisation";
    extends Blocks.Interfaces.partialBooleanSISO;
  protected
    Boolean not_u=not u;
  initial equation
    pre(not_u) = not pre_u_start;
  equation
    y = edge(not_u);
  end FallingEdge;

  block Change "True when the input changes"
    parameter Boolean pre_u_start=false "Value of the input before the initialisation";
    extends Blocks.Interfaces.partialBooleanSISO;
  initial equation
    pre(u) = pre_u_start;
  equation
    y = change(u);
  end Change;

  block GreaterThreshold "Input > a number"
    extends Blocks.Interfaces.partialBooleanThresholdComparison;
  equation
    y = u > threshold;
  end GreaterThreshold;

  block GreaterEqualThreshold "Input >= a number"
    extends Blocks.Interfaces.partialBooleanThresholdComparison;
  equation
    y = u >= threshold;
  end GreaterEqualThreshold;

  block LessThreshold "Input < a number"
    extends Blocks.Interfaces.partialBooleanThresholdComparison;
  equation
    y = u < threshold;
  end LessThreshold;

  block LessEqualThreshold "Input <= a number"
    extends Blocks.Interfaces.partialBooleanThresholdComparison;
  equation
    y = u <= threshold;
  end LessEqualThreshold;

  block Greater "u1 > u2"
    extends Blocks.Interfaces.partialBooleanComparison;
  equation
    y = u1 > u2;
  end Greater;

  block GreaterEqual "u1 >= u2"
    extends Blocks.Interfaces.partialBooleanComparison;
  equation
    y = u1 >= u2;
  end GreaterEqual;

  block Less "u1 < u2"
    extends Blocks.Interfaces.partialBooleanComparison;
  equation
    y = u1 < u2;
  end Less;

  block LessEqual "u1 <= u2"
    extends Blocks.Interfaces.partialBooleanComparison;
  equation
    y = u1 <= u2;
  end LessEqual;

  block ZeroCrossing "True at the instants when an enabled input passes zero"
    extends Blocks.Interfaces.partialBooleanSO;
    Blocks.Interfaces.RealInput u "Watched input";
    Blocks.Interfaces.BooleanInput enable "Watch";
  protected
    Boolean disable=not enable;
    Boolean u_pos "The watched input is not negative";
  initial equation
    pre(u_pos) = false;
    pre(enable) = false;
    pre(disable) = not pre(enable);
  equation
    u_pos = enable and u >= 0;
    // Switching the watch on or off is no crossing.
    y = change(u_pos) and not (edge(enable) or edge(disable));
  end ZeroCrossing;

  block LogicalSwitch "One of two Boolean inputs"
    extends Blocks.Interfaces.partialBooleanSI3SO;
  equation
    y = if u2 then u1 else u3;
  end LogicalSwitch;

  block Switch "One of two inputs"
    extends Modelica.Blocks.Icons.PartialBooleanBlock;
    Blocks.Interfaces.RealInput u1 "Chosen while u2 is true";
    Blocks.Interfaces.BooleanInput u2 "Position of the switch";
    Blocks.Interfaces.RealInput u3 "Chosen while u2 is false";
    Blocks.Interfaces.RealOutput y "Output";
  equation
    y = if u2 then u1 else u3;
  end Switch;

  block Hysteresis "True above uHigh, false below uLow, unchanged between"
    extends Modelica.Blocks.Icons.PartialBooleanBlock;
    parameter Real uLow(start=0) "Below this the output becomes false";
    parameter Real uHigh(start=1) "Above this the output becomes true";
    parameter Boolean pre_y_start=false "Output before the initialisation";
    Blocks.Interfaces.RealInput u "Input";
    Blocks.Interfaces.BooleanOutput y "Output";
  initial equation
    pre(y) = pre_y_start;
  equation
    assert(uHigh > uLow, "uHigh must be larger than uLow");
    y = not pre(y) and u > uHigh or pre(y) and u >= uLow;
  end Hysteresis;

  block OnOffController "Two-point controller: on below the reference, off above"
    extends Modelica.Blocks.Icons.PartialBooleanBlock;
    Blocks.Interfaces.RealInput reference "Reference";
    Blocks.Interfaces.RealInput u "Measured value";
    Blocks.Interfaces.BooleanOutput y "On";
    parameter Real bandwidth(start=0.1) "Width of the band around the reference";
    parameter Boolean pre_y_start=false "Output before the initialisation";
  initial equation
    pre(y) = pre_y_start;
  equation
    y = pre(y) and u < reference + bandwidth/2 or u < reference - bandwidth/2;
  end OnOffController;

  block TriggeredTrapezoid "Ramps up when the input becomes true and down when it becomes false"
    extends Modelica.Blocks.Icons.PartialBooleanBlock;
    parameter Real amplitude=1 "Height";
    parameter SI.Time rising(final min=0) = 0 "Length of the rise";
    parameter SI.Time falling(final min=0) = rising "Length of the fall";
    parameter Real offset=0 "Value while the input is false";
    Blocks.Interfaces.BooleanInput u "Trigger";
    Blocks.Interfaces.RealOutput y "Output";
  protected
    discrete Real endValue "Value at the end of the ramp";
    discrete Real rate "Slope of the ramp";
    discrete SI.Time T "End of the ramp";
  equation
    y = if time < T then endValue - (T - time)*rate else endValue;
    when {initial(), u, not u} then
      endValue = if u then offset + amplitude else offset;
      rate = if u and rising > 0 then amplitude/rising
        else if not u and falling > 0 then -amplitude/falling
        else 0;
      // A ramp broken off halfway turns around from where it is.
      T = if initial() or u and not rising > 0 or not u and not falling > 0
          or not abs(amplitude) > 0 then time
        else time + (endValue - pre(y))/rate;
    end when;
  end TriggeredTrapezoid;

  block Timer "Time since the input became true, 0 while it is false"
    extends Modelica.Blocks.Icons.PartialBooleanBlock;
    Blocks.Interfaces.BooleanInput u "Input";
    Blocks.Interfaces.RealOutput y "Time";
  protected
    discrete SI.Time entryTime "Time of the last start";
  initial equation
    pre(entryTime) = 0;
  equation
    when u then
      entryTime = time;
    end when;
    y = if u then time - entryTime else 0.0;
  end Timer;

  block LogicalDelay "Delays the falling edge (y1) or the rising edge (y2)"
    extends Blocks.Icons.PartialBooleanBlock;
    parameter SI.Time delayTime(final min=0) = 0 "Delay";
    Blocks.Interfaces.BooleanInput u "Input";
    Blocks.Interfaces.BooleanOutput y1 "True at once, false after the delay";
    Blocks.Interfaces.BooleanOutput y2 "False at once, true after the delay";
  protected
    discrete SI.Time tSwitch "Time of the last change";
  initial equation
    tSwitch = time - 2*delayTime;
  equation
    when {u, not u} then
      tSwitch = time;
    end when;
    y1 = u or not time >= tSwitch + delayTime;
    y2 = u and time >= tSwitch + delayTime;
  end LogicalDelay;

  block RSFlipFlop "Memory with set and reset"
    extends Modelica.Blocks.Icons.PartialBooleanBlock;
    parameter Boolean Qini=false "State before the initialisation";
    Modelica.Blocks.Interfaces.BooleanOutput Q "State";
    Modelica.Blocks.Interfaces.BooleanOutput QI "Opposite of the state";
    Modelica.Blocks.Logical.Nor nor;
    Modelica.Blocks.Logical.Nor nor1;
    Modelica.Blocks.Logical.Pre pre(pre_u_start=not Qini);
    Modelica.Blocks.Interfaces.BooleanInput S "Set";
    Modelica.Blocks.Interfaces.BooleanInput R "Reset";
  equation
    connect(S, nor.u1);
    connect(nor1.y, nor.u2);
    connect(nor.y, pre.u);
    connect(pre.y, nor1.u1);
    connect(R, nor1.u2);
    connect(nor1.y, Q);
    connect(pre.y, QI);
  end RSFlipFlop;

  block AssertCondition "Stops with a message when the input is false"
    extends Modelica.Blocks.Interfaces.partialBooleanSI;
    parameter String message="Assert block failed" "Message";
    parameter AssertionLevel assertionLevel=AssertionLevel.error "Error or warning";
  equation
    assert(u, message, assertionLevel);
  end AssertCondition;

  block TerminateSimulation "Ends the simulation when a condition becomes true"
    Modelica.Blocks.Interfaces.BooleanOutput condition=false "Condition; give it as a modifier";
    parameter String terminationText="... End condition reached" "Message";
  equation
    when condition then
      terminate(terminationText);
    end when;
  end TerminateSimulation;
end Logical;
