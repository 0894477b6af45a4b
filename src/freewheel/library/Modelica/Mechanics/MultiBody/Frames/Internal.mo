within Modelica.Mechanics.MultiBody.Frames;
package Internal "Derivatives of functions and base types"
  extends Modelica.Icons.InternalPackage;

  type QuaternionBase = Real[4](each unit="1") "Four numbers";
  type TransformationMatrix = Real[3, 3] "Three by three numbers";

  // The time derivative of T is -skew(w)*T: a vector that rests in frame 2 turns with w.
  function resolve1_der "Derivative of resolve1"
    extends Modelica.Icons.Function;
    input Orientation R "Orientation";
    input Real v2[3] "Components in frame 2";
    input Real v2_der[3] "Derivatives of the components";
    output Real v1_der[3] "Derivatives of the components in frame 1";
  algorithm
    v1_der := resolve1(R, v2_der + cross(R.w, v2));
    annotation(Inline=true);
  end resolve1_der;

  function resolve2_der "Derivative of resolve2"
    extends Modelica.Icons.Function;
    input Orientation R "Orientation";
    input Real v1[3] "Components in frame 1";
    input Real v1_der[3] "Derivatives of the components";
    output Real v2_der[3] "Derivatives of the components in frame 2";
  algorithm
    v2_der := resolve2(R, v1_der) - cross(R.w, resolve2(R, v1));
    annotation(Inline=true);
  end resolve2_der;

  function resolveRelative_der "Derivative of resolveRelative"
    extends Modelica.Icons.Function;
    input Real v1[3] "Components in frame 1";
    input Orientation R1 "Orientation of frame 1";
    input Orientation R2 "Orientation of frame 2";
    input Real v1_der[3] "Derivatives of the components";
    output Real v2_der[3] "Derivatives of the components in frame 2";
  algorithm
    v2_der := resolveRelative(v1_der + cross(R1.w, v1), R1, R2)
      - cross(R2.w, resolveRelative(v1, R1, R2));
    annotation(Inline=true);
  end resolveRelative_der;

  function maxWithoutEvent "The larger of two numbers, without an event"
    extends Modelica.Icons.Function;
    input Real u1 "First number";
    input Real u2 "Second number";
    output Real y "The larger one";
  algorithm
    y := if u1 > u2 then u1 else u2;
    annotation(derivative=maxWithoutEvent_d);
  end maxWithoutEvent;

  function maxWithoutEvent_d "First derivative of maxWithoutEvent"
    extends Modelica.Icons.Function;
    input Real u1 "First number";
    input Real u2 "Second number";
    input Real u1_d "Its derivative";
    input Real u2_d "Its derivative";
    output Real y_d "Derivative of the larger one";
  algorithm
    y_d := if u1 > u2 then u1_d else u2_d;
    annotation(derivative(order=2)=maxWithoutEvent_dd);
  end maxWithoutEvent_d;

  function maxWithoutEvent_dd "Second derivative of maxWithoutEvent"
    extends Modelica.Icons.Function;
    input Real u1 "First number";
    input Real u2 "Second number";
    input Real u1_d "Its derivative";
    input Real u2_d "Its derivative";
    input Real u1_dd "Its second derivative";
    input Real u2_dd "Its second derivative";
    output Real y_dd "Second derivative of the larger one";
  algorithm
    y_dd := if u1 > u2 then u1_dd else u2_dd;
  end maxWithoutEvent_dd;
end Internal;
