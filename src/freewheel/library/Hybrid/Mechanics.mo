within Hybrid;
package Mechanics "Friction and impacts"
  extends Modelica.Icons.Package;
  import Modelica.Units.SI;

  model SixStateFriction "Dry and viscous friction as a machine of six states (Fig. 9.37)"
    extends Modelica.Mechanics.Translational.Interfaces.PartialCompliant(
      s_rel(stateSelect=StateSelect.prefer));
    parameter SI.Force Fs(min=0)=1 "Largest force while it sticks";
    parameter SI.Force Fd(min=0, max=Fs)=Fs "Dry friction while it slides";
    parameter SI.TranslationalDampingConstant cf(min=0)=0 "Viscous friction";
    parameter Boolean resets=true "Set v to zero exactly; false where v cannot be a state, since other
      elements hold the same bodies" annotation(Evaluate=true);
    SI.Velocity v(stateSelect=if resets then StateSelect.prefer else StateSelect.default)
      "Velocity of flange_b against flange_a";
    SI.Acceleration a "Acceleration of flange_b against flange_a";
    SI.Force Fc "Force that holds while it sticks";
    Boolean Start(start=true, fixed=true) "Nothing is known yet";
    Boolean Forward(start=false, fixed=true) "Slides forwards";
    Boolean Backward(start=false, fixed=true) "Slides backwards";
    Boolean StartForward(start=false, fixed=true) "Begins to slide forwards";
    Boolean StartBackward(start=false, fixed=true) "Begins to slide backwards";
    Boolean Sticking(start=false, fixed=true) "Sticks";
  equation
    v = der(s_rel);
    a = der(v);
    f = if Forward then cf*v + Fd
      elseif Backward then cf*v - Fd
      elseif StartForward then Fd
      elseif StartBackward then -Fd
      else Fc;
    0 = if Sticking or Start then a else Fc;
    // Each line: the states it is entered from, with what condition, and how long it stays.
    Start = false;
    Forward = pre(Start) and v > 0 or pre(StartForward) and v > 0 or pre(Forward) and not v <= 0;
    Backward = pre(Start) and v < 0 or pre(StartBackward) and v < 0 or pre(Backward) and not v >= 0;
    StartForward = pre(Sticking) and Fc > Fs
      or pre(StartForward) and not (v > 0 or a <= 0 and not v > 0);
    StartBackward = pre(Sticking) and Fc < -Fs
      or pre(StartBackward) and not (v < 0 or a >= 0 and not v < 0);
    Sticking = not (Start or Forward or Backward or StartForward or StartBackward);
    if resets then
      when Sticking then
        reinit(v, 0);
      end when;
    end if;
  end SixStateFriction;

  model CurveFriction "Dry and viscous friction as a parameterised curve (Figs. 9.38 to 9.40, H9.11)"
    extends Modelica.Mechanics.Translational.Interfaces.PartialCompliant(
      s_rel(stateSelect=StateSelect.prefer));
    parameter SI.Force Fd(min=0)=1 "Dry friction, sticking and sliding";
    parameter SI.TranslationalDampingConstant cf(min=0)=0 "Viscous friction";
    SI.Velocity v(stateSelect=StateSelect.prefer) "Velocity of flange_b against flange_a";
    SI.Acceleration a "Acceleration of flange_b against flange_a";
    Real s "Where on the curve: within -1 and 1 it holds, beyond it slides or begins to";
    Boolean Start(start=true, fixed=true) "Nothing is known yet";
    Boolean Forward(start=false, fixed=true) "Slides forwards";
    Boolean Backward(start=false, fixed=true) "Slides backwards";
    Boolean Sticking(start=false, fixed=true) "Sticks, or has just begun to slide";
    Boolean StartForward "Has just begun to slide forwards";
    Boolean StartBackward "Has just begun to slide backwards";
  protected
    constant SI.Velocity unitVelocity=1;
    constant SI.Acceleration unitAcceleration=1;
  equation
    v = der(s_rel);
    a = der(v);
    // Sliding, s follows the velocity. Else it follows force or acceleration: a curve through the
    // velocity would lead back into sticking for ever, since the velocity is still zero.
    0 = if Forward then s - 1 - v/unitVelocity
      elseif Backward then s + 1 - v/unitVelocity
      elseif s > 1 then s - 1 - a/unitAcceleration
      elseif s < -1 then s + 1 - a/unitAcceleration
      else -a/unitAcceleration;
    f = if Forward then cf*v + Fd
      elseif Backward then cf*v - Fd
      elseif s > 1 then Fd
      elseif s < -1 then -Fd
      else Fd*s;
    Start = false;
    StartForward = pre(Sticking) and s > 1;
    StartBackward = pre(Sticking) and s < -1;
    Forward = (pre(Start) or StartForward) and v > 0 or pre(Forward) and not v <= 0;
    Backward = (pre(Start) or StartBackward) and v < 0 or pre(Backward) and not v >= 0;
    Sticking = not (Forward or Backward);
    when Sticking and not pre(Start) then
      reinit(v, 0);
    end when;
  end CurveFriction;

  model BallRow "Equal balls on a rail; impacts pass through those that touch (section 9.6)"
    parameter Integer n(min=2)=5 "Number of balls";
    parameter SI.Length d=0.1 "Diameter";
    parameter SI.Position x_start[n] "Centres at the beginning, in order";
    parameter SI.Velocity v_start[n]=zeros(n) "Velocities at the beginning";
    SI.Position x[n](start=x_start, each fixed=true) "Centres";
    SI.Velocity v[n](start=v_start, each fixed=true) "Velocities";
    Boolean impact[n + 1] "Ball i - 1 runs into ball i";
  equation
    der(x) = v;
    der(v) = zeros(n);
    impact[1] = false;
    impact[n + 1] = false;
    for i in 2:n loop
      // A ball that is hit from behind and hits another one at once does so one after the other.
      impact[i] = x[i] - x[i - 1] <= d and v[i - 1] > v[i] and not impact[i - 1];
    end for;
    // Equal masses without loss exchange their velocities; the one behind is served first.
    for i in 1:n loop
      when {impact[i], impact[i + 1]} then
        reinit(v[i], if edge(impact[i]) then v[max(1, i - 1)] else v[min(n, i + 1)]);
      end when;
    end for;
  end BallRow;
end Mechanics;
