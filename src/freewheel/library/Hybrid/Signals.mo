within Hybrid;
package Signals "Blocks that remember"
  extends Modelica.Icons.Package;
  import Modelica.Blocks.Interfaces;

  block DryHysteresis "Two output values: high above x2, low below x1, unchanged between"
    extends Interfaces.SISO;
    parameter Real x1=-1 "Below this input the output becomes y1";
    parameter Real x2=1 "Above this input the output becomes y2";
    parameter Real y1=-1 "Low output";
    parameter Real y2=1 "High output";
    parameter Boolean startHigh=false "Output at the beginning where the input lies between";
  protected
    Boolean high(start=startHigh, fixed=true) "Output is y2";
  equation
    assert(x2 > x1, "x2 must lie above x1");
    high = if pre(high) then not u < x1 else u > x2;
    y = if high then y2 else y1;
  end DryHysteresis;

  block LooseElement "Play: the output is dragged along at a distance and rests when the input turns (H9.5)"
    extends Interfaces.SISO;
    parameter Real d(min=0)=1 "Distance from which the input drags the output";
    parameter Real y_start=0 "Output at the beginning, as far as the play allows";
  protected
    Integer drag(start=0, fixed=true) "1 forwards, -1 backwards, 0 free";
    discrete Real rest "Where the output rests while the input moves freely";
    Real slope "How fast the input moves";
  equation
    slope = der(u);
    y = if drag > 0 then u - d elseif drag < 0 then u + d else rest;
    drag = if pre(drag) > 0 then (if slope < 0 then 0 else 1)
      elseif pre(drag) < 0 then (if slope > 0 then 0 else -1)
      elseif u - rest > d then 1
      elseif u - rest < -d then -1
      else 0;
    when drag == 0 then
      rest = if pre(drag) > 0 then u - d else u + d;
    end when;
  initial equation
    rest = max(u - d, min(u + d, y_start));
  end LooseElement;

  block HystereticQuantizer "Levels at half a quantum; the output follows when half a quantum behind (H9.6)"
    extends Interfaces.SISO;
    parameter Real q(min=Modelica.Constants.eps)=1 "Quantum: the output is never more than q/2 away";
  protected
    discrete Real level "Output";
  equation
    when {u > pre(level) + q/2, u < pre(level) - q/2} then
      // More than one level at once only where the input jumps.
      level = pre(level)
        + (if u > pre(level) then q/2 else -q/2)*max(1, integer(abs(u - pre(level))/(q/2)));
    end when;
    y = level;
  initial equation
    level = q/2*floor(2*u/q + 0.5);
  end HystereticQuantizer;

  block FiniteStateMachine "Goes from state to state by a table of transitions"
    parameter Integer transitions[:, 2]=[1, 1] "Each row: from, to; of those possible the first is taken";
    parameter Integer initialState=1 "State at the beginning";
    Interfaces.BooleanInput condition[size(transitions, 1)] "When each transition may be taken";
    Interfaces.IntegerOutput state(start=initialState, fixed=true) "State";
  protected
    Integer follow[size(transitions, 1) + 1] "State that the transitions from i on lead to";
  equation
    follow[end] = pre(state);
    for i in 1:size(transitions, 1) loop
      follow[i] = if condition[i] and pre(state) == transitions[i, 1] then transitions[i, 2]
        else follow[i + 1];
    end for;
    state = follow[1];
  end FiniteStateMachine;

  block Multirate "Four sampled tasks; at a common instant the slower one goes first (section 9.4)"
    parameter Modelica.Units.SI.Time period[4]={0.01, 0.02, 0.05, 0.5} "Periods, the fastest first";
    Interfaces.RealInput goal "What the slowest task reads";
    Interfaces.RealInput measured "What the fastest task reads";
    Interfaces.RealOutput y "What the fastest task writes";
    parameter Real k[4]={4, 1, 1, 1} "Gains, of the fastest task first";
    parameter Integer priority[4]={0, 0, 0, 0}
      "Larger ones run first where several are due, after the start; equal ones in the order of data";
    discrete Real plan(start=0, fixed=true) "Task planner";
    discrete Real path(start=0, fixed=true) "Path planner";
    discrete Real trajectory(start=0, fixed=true) "Trajectory planner";
    discrete Real stabilised(start=0, fixed=true) "Stabiliser";
  equation
    when sample(0, period[4]) then
      plan = k[4]*goal;
    end when annotation(__Freewheel_priority=priority[4]);
    when sample(0, period[3]) then
      path = k[3]*plan;
    end when annotation(__Freewheel_priority=priority[3]);
    when sample(0, period[2]) then
      trajectory = k[2]*path;
    end when annotation(__Freewheel_priority=priority[2]);
    when sample(0, period[1]) then
      stabilised = k[1]*(trajectory - measured);
    end when annotation(__Freewheel_priority=priority[1]);
    y = stabilised;
  end Multirate;
end Signals;
