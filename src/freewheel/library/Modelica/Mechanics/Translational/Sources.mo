within Modelica.Mechanics.Translational;
package Sources "Given forces and motions"
  extends Modelica.Icons.SourcesPackage;
  import Modelica.Units.SI;

  model Force "Force by signal"
    extends Modelica.Mechanics.Translational.Interfaces.PartialElementaryOneFlangeAndSupport2;
    Modelica.Blocks.Interfaces.RealInput f(unit="N") "Force that drives the flange";
  equation
    flange.f = -f;
  end Force;

  model Force2 "Force by signal between two flanges"
    extends Modelica.Mechanics.Translational.Interfaces.PartialTwoFlanges;
    Modelica.Blocks.Interfaces.RealInput f(unit="N") "Force that drives flange_b";
  equation
    flange_a.f = f;
    flange_b.f = -f;
  end Force2;

  model ConstantForce "Constant force"
    extends Modelica.Mechanics.Translational.Interfaces.PartialForce;
    parameter SI.Force f_constant "Force that drives the flange";
  equation
    f = -f_constant;
  end ConstantForce;

  model ForceStep "Force that jumps at startTime"
    extends Modelica.Mechanics.Translational.Interfaces.PartialForce;
    parameter SI.Force stepForce(start=1) "Height of the jump";
    parameter SI.Force offsetForce(start=0) "Force before the jump";
    parameter SI.Time startTime=0 "Time of the jump";
  equation
    f = -offsetForce - (if time < startTime then 0 else stepForce);
  end ForceStep;

  model LinearSpeedDependentForce "Force proportional to velocity"
    extends Modelica.Mechanics.Translational.Interfaces.PartialForce;
    parameter SI.Force f_nominal "Force at nominal velocity; negative for a load";
    parameter Boolean ForceDirection=true "Same direction at both directions of motion";
    parameter SI.Velocity v_nominal(min=Modelica.Constants.eps) "Nominal velocity";
    SI.Velocity v "Velocity of the flange against the support";
  equation
    v = der(s);
    if ForceDirection then
      f = -f_nominal*abs(v/v_nominal);
    else
      f = -f_nominal*(v/v_nominal);
    end if;
  end LinearSpeedDependentForce;

  model QuadraticSpeedDependentForce "Force proportional to the square of velocity"
    extends Modelica.Mechanics.Translational.Interfaces.PartialForce;
    parameter SI.Force f_nominal "Force at nominal velocity; negative for a load";
    parameter Boolean ForceDirection=true "Same direction at both directions of motion";
    parameter SI.Velocity v_nominal(min=Modelica.Constants.eps) "Nominal velocity";
    SI.Velocity v "Velocity of the flange against the support";
  equation
    v = der(s);
    if ForceDirection then
      f = -f_nominal*(v/v_nominal)^2;
    else
      f = -f_nominal*smooth(1, if v >= 0 then (v/v_nominal)^2 else -(v/v_nominal)^2);
    end if;
  end QuadraticSpeedDependentForce;

  model InverseSpeedDependentForce "Force inverse to velocity, that is constant power"
    extends Modelica.Mechanics.Translational.Interfaces.PartialForce;
    parameter SI.Force f_nominal "Force at nominal velocity; negative for a load";
    parameter Boolean ForceDirection=true "Same direction at both directions of motion";
    parameter SI.Velocity v_nominal(min=Modelica.Constants.eps) "Nominal velocity";
    parameter SI.Velocity v0(final min=Modelica.Constants.eps, start=0.1)
      "Below this velocity the law is replaced";
    SI.Velocity v "Velocity of the flange against the support";
  equation
    v = der(s);
    if ForceDirection then
      f = if abs(v) < v0 then -f_nominal*v_nominal/v0 else -f_nominal*v_nominal/abs(v);
    else
      f = if abs(v) < v0 then -f_nominal*v/v0 else -f_nominal*v_nominal/v;
    end if;
  end InverseSpeedDependentForce;

  model SignForce "Force with the sign of velocity, smoothed around zero"
    extends Modelica.Mechanics.Translational.Interfaces.PartialForce;
    import Modelica.Constants.pi;
    import Modelica.Blocks.Types.Regularization;
    parameter SI.Force f_nominal "Force; negative for a load";
    parameter Modelica.Blocks.Types.Regularization reg=Modelica.Blocks.Types.Regularization.Exp
      "How the sign is smoothed" annotation(Evaluate=true);
    parameter SI.Velocity v0(final min=Modelica.Constants.eps, start=0.1)
      "Velocity at the end of the smoothed piece";
    SI.Velocity v "Velocity of the flange against the support";
  equation
    v = der(s);
    if reg == Regularization.Exp then
      f = -f_nominal*(2/(1 + exp(-v/(0.01*v0))) - 1);
    elseif reg == Regularization.Sine then
      f = -f_nominal*smooth(1, if abs(v) >= v0 then sign(v) else sin(pi/2*v/v0));
    elseif reg == Regularization.Linear then
      f = -f_nominal*(if abs(v) >= v0 then sign(v) else v/v0);
    else
      f = -f_nominal*sign(v)*(if abs(v) >= v0 then 1 else 1 - cos(pi/2*v/v0));
    end if;
  end SignForce;

  model EddyCurrentForce "Eddy-current brake; the nominal speed grows with temperature"
    parameter Boolean useExcitationInput=false "Excitation by signal";
    parameter Real constantExcitation=1 "Excitation without a signal";
    parameter SI.Force f_nominal "Largest force at full excitation";
    parameter SI.Velocity v_nominal(min=Modelica.Constants.eps) "Speed of the largest force";
    parameter SI.Temperature TRef(start=293.15) "Reference temperature";
    parameter SI.LinearTemperatureCoefficient alpha20(start=0)
      "Relative change of the resistance per kelvin, from 20 degrees Celsius";
    extends Modelica.Mechanics.Translational.Interfaces.PartialForce;
    extends Modelica.Thermal.HeatTransfer.Interfaces.PartialElementaryConditionalHeatPort;
    SI.Velocity v "Speed of the flange against the support";
    Real v_normalized "Speed over the present nominal speed";
    Modelica.Blocks.Interfaces.RealInput excitation=excitationInternal if useExcitationInput
      "Excitation over full excitation";
  protected
    Real excitationInternal;
  equation
    if not useExcitationInput then
      excitationInternal = constantExcitation;
    end if;
    v = der(s);
    v_normalized*v_nominal*(1 + alpha20/(1 + alpha20*(TRef - 293.15))*(TheatPort - TRef)) = v;
    f = 2*f_nominal*excitationInternal^2*v_normalized/(1 + v_normalized^2);
    lossPower = f*v;
  end EddyCurrentForce;

  model ConstantSpeed "Constant velocity"
    extends Modelica.Mechanics.Translational.Interfaces.PartialForce;
    parameter SI.Velocity v_fixed "The constant velocity";
    SI.Velocity v "Velocity of the flange against the support";
  equation
    v = der(s);
    v = v_fixed;
  end ConstantSpeed;

  model Position "Position by signal, exact or filtered"
    extends Modelica.Mechanics.Translational.Interfaces.PartialElementaryOneFlangeAndSupport2(
      s(stateSelect=if exact then StateSelect.default else StateSelect.prefer));
    parameter Boolean exact=false "Follow the signal exactly; it must be differentiable twice"
      annotation(Evaluate=true);
    parameter SI.Frequency f_crit=50 "Cut-off frequency of the filter";
    SI.Velocity v(
      start=0,
      stateSelect=if exact then StateSelect.default else StateSelect.prefer)
      "Velocity of the filter; 0 if exact";
    SI.Acceleration a(start=0) "Acceleration of the filter; 0 if exact";
    Modelica.Blocks.Interfaces.RealInput s_ref(unit="m") "Wanted position";
  protected
    parameter SI.AngularFrequency w_crit=2*Modelica.Constants.pi*f_crit;
    constant Real af=1.3617 "First coefficient of a second-order Bessel filter";
    constant Real bf=0.6180 "Second coefficient of a second-order Bessel filter";
  initial equation
    if not exact then
      s = s_ref;
    end if;
  equation
    if exact then
      s = s_ref;
      v = 0;
      a = 0;
    else
      v = der(s);
      a = der(v);
      a = ((s_ref - s)*w_crit - af*v)*(w_crit/bf);
    end if;
  end Position;

  model Speed "Velocity by signal, exact or filtered"
    extends Modelica.Mechanics.Translational.Interfaces.PartialElementaryOneFlangeAndSupport2(
      s(start=0, fixed=true, stateSelect=StateSelect.prefer));
    parameter Boolean exact=false "Follow the signal exactly; it must be differentiable"
      annotation(Evaluate=true);
    parameter SI.Frequency f_crit=50 "Cut-off frequency of the filter";
    SI.Velocity v(stateSelect=if exact then StateSelect.default else StateSelect.prefer)
      "Velocity of the flange against the support";
    SI.Acceleration a "Acceleration of the filter; 0 if exact";
    Modelica.Blocks.Interfaces.RealInput v_ref(unit="m/s") "Wanted velocity";
  protected
    parameter SI.AngularFrequency w_crit=2*Modelica.Constants.pi*f_crit;
  initial equation
    if not exact then
      v = v_ref;
    end if;
  equation
    v = der(s);
    if exact then
      v = v_ref;
      a = 0;
    else
      a = der(v);
      a = (v_ref - v)*w_crit;
    end if;
  end Speed;

  model Accelerate "Acceleration by signal"
    extends Modelica.Mechanics.Translational.Interfaces.PartialElementaryOneFlangeAndSupport2(
      s(start=0, fixed=true, stateSelect=StateSelect.prefer));
    SI.Velocity v(start=0, fixed=true, stateSelect=StateSelect.prefer)
      "Velocity of the flange against the support";
    SI.Acceleration a "Acceleration of the flange against the support";
    Modelica.Blocks.Interfaces.RealInput a_ref(unit="m/s2") "Wanted acceleration";
  equation
    v = der(s);
    a = der(v);
    a = a_ref;
  end Accelerate;

  model Move "Position, velocity and acceleration by signals that belong together"
    extends Modelica.Mechanics.Translational.Interfaces.PartialElementaryOneFlangeAndSupport2;
    Modelica.Blocks.Interfaces.RealInput u[3] "Position, velocity, acceleration";
  protected
    // The derivatives come from the signals, not from differentiating the first one.
    function position "Position"
      extends Modelica.Icons.Function;
      input Real motion[3];
      input Real t "Time, so that the function has a time derivative";
      output Real q;
    algorithm
      q := motion[1];
      annotation(derivative(noDerivative=motion)=position_der, InlineAfterIndexReduction=true);
    end position;

    function position_der "Velocity"
      extends Modelica.Icons.Function;
      input Real motion[3];
      input Real t;
      input Real t_der;
      output Real qd;
    algorithm
      qd := motion[2];
      annotation(derivative(noDerivative=motion, order=2)=position_der2, InlineAfterIndexReduction=true);
    end position_der;

    function position_der2 "Acceleration"
      extends Modelica.Icons.Function;
      input Real motion[3];
      input Real t;
      input Real t_der;
      input Real t_der2;
      output Real qdd;
    algorithm
      qdd := motion[3];
    end position_der2;
  equation
    s = position(u, time);
  end Move;
end Sources;
