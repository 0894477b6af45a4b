within Modelica.Mechanics.Rotational;
package Sources "Given torques and motions"
  extends Modelica.Icons.SourcesPackage;
  import Modelica.Units.SI;

  model Torque "Torque by signal"
    extends Modelica.Mechanics.Rotational.Interfaces.PartialElementaryOneFlangeAndSupport2;
    Modelica.Blocks.Interfaces.RealInput tau(unit="N.m") "Torque that drives the flange";
  equation
    flange.tau = -tau;
  end Torque;

  model Torque2 "Torque by signal between two flanges"
    extends Modelica.Mechanics.Rotational.Interfaces.PartialTwoFlanges;
    Modelica.Blocks.Interfaces.RealInput tau(unit="N.m") "Torque that drives flange_b";
  equation
    flange_a.tau = tau;
    flange_b.tau = -tau;
  end Torque2;

  model ConstantTorque "Constant torque"
    extends Modelica.Mechanics.Rotational.Interfaces.PartialTorque;
    parameter SI.Torque tau_constant "Torque that drives the flange";
    SI.AngularVelocity w "Speed of the flange against the support";
    SI.Torque tau "Torque that drives the flange";
  equation
    w = der(phi);
    tau = -flange.tau;
    tau = tau_constant;
  end ConstantTorque;

  model TorqueStep "Torque that jumps at startTime"
    extends Modelica.Mechanics.Rotational.Interfaces.PartialTorque;
    parameter SI.Torque stepTorque(start=1) "Height of the jump";
    parameter SI.Torque offsetTorque(start=0) "Torque before the jump";
    parameter SI.Time startTime=0 "Time of the jump";
    SI.Torque tau "Torque that drives the flange";
  equation
    tau = -flange.tau;
    tau = offsetTorque + (if time < startTime then 0 else stepTorque);
  end TorqueStep;

  model LinearSpeedDependentTorque "Torque proportional to speed"
    extends Modelica.Mechanics.Rotational.Interfaces.PartialTorque;
    parameter SI.Torque tau_nominal "Torque at nominal speed; negative for a load";
    parameter Boolean TorqueDirection=true "Same direction at both senses of rotation";
    parameter SI.AngularVelocity w_nominal(min=Modelica.Constants.eps) "Nominal speed";
    SI.AngularVelocity w "Speed of the flange against the support";
    SI.Torque tau "Torque that drives the flange";
  equation
    w = der(phi);
    tau = -flange.tau;
    if TorqueDirection then
      tau = tau_nominal*abs(w/w_nominal);
    else
      tau = tau_nominal*(w/w_nominal);
    end if;
  end LinearSpeedDependentTorque;

  model QuadraticSpeedDependentTorque "Torque proportional to the square of speed"
    extends Modelica.Mechanics.Rotational.Interfaces.PartialTorque;
    parameter SI.Torque tau_nominal "Torque at nominal speed; negative for a load";
    parameter Boolean TorqueDirection=true "Same direction at both senses of rotation";
    parameter SI.AngularVelocity w_nominal(min=Modelica.Constants.eps) "Nominal speed";
    SI.AngularVelocity w "Speed of the flange against the support";
    SI.Torque tau "Torque that drives the flange";
  equation
    w = der(phi);
    tau = -flange.tau;
    if TorqueDirection then
      tau = tau_nominal*(w/w_nominal)^2;
    else
      tau = tau_nominal*smooth(1, if w >= 0 then (w/w_nominal)^2 else -(w/w_nominal)^2);
    end if;
  end QuadraticSpeedDependentTorque;

  model InverseSpeedDependentTorque "Torque inverse to speed, that is constant power"
    extends Modelica.Mechanics.Rotational.Interfaces.PartialTorque;
    parameter SI.Torque tau_nominal "Torque at nominal speed; negative for a load";
    parameter Boolean TorqueDirection=true "Same direction at both senses of rotation";
    parameter SI.AngularVelocity w_nominal(min=Modelica.Constants.eps) "Nominal speed";
    parameter SI.AngularVelocity w0(final min=Modelica.Constants.eps, start=0.1)
      "Below this speed the law is replaced";
    SI.AngularVelocity w "Speed of the flange against the support";
    SI.Torque tau "Torque that drives the flange";
  equation
    w = der(phi);
    tau = -flange.tau;
    if TorqueDirection then
      tau = if abs(w) < w0 then tau_nominal*w_nominal/w0 else tau_nominal*w_nominal/abs(w);
    else
      tau = if abs(w) < w0 then tau_nominal*w/w0 else tau_nominal*w_nominal/w;
    end if;
  end InverseSpeedDependentTorque;

  model SignTorque "Torque with the sign of speed, smoothed around zero"
    extends Modelica.Mechanics.Rotational.Interfaces.PartialTorque;
    import Modelica.Constants.pi;
    import Modelica.Blocks.Types.Regularization;
    parameter SI.Torque tau_nominal "Torque; negative for a load";
    parameter Modelica.Blocks.Types.Regularization reg=Modelica.Blocks.Types.Regularization.Exp
      "How the sign is smoothed" annotation(Evaluate=true);
    parameter SI.AngularVelocity w0(final min=Modelica.Constants.eps, start=0.1)
      "Speed at the end of the smoothed piece";
    SI.AngularVelocity w "Speed of the flange against the support";
    SI.Torque tau "Torque that drives the flange";
  equation
    w = der(phi);
    tau = -flange.tau;
    if reg == Regularization.Exp then
      tau = tau_nominal*(2/(1 + exp(-w/(0.01*w0))) - 1);
    elseif reg == Regularization.Sine then
      tau = tau_nominal*smooth(1, if abs(w) >= w0 then sign(w) else sin(pi/2*w/w0));
    elseif reg == Regularization.Linear then
      tau = tau_nominal*(if abs(w) >= w0 then sign(w) else w/w0);
    else
      tau = tau_nominal*sign(w)*(if abs(w) >= w0 then 1 else 1 - cos(pi/2*w/w0));
    end if;
  end SignTorque;

  model EddyCurrentTorque "Eddy-current brake; the nominal speed grows with temperature"
    parameter Boolean useExcitationInput=false "Excitation by signal";
    parameter Real constantExcitation=1 "Excitation without a signal";
    parameter SI.Torque tau_nominal "Largest torque at full excitation";
    parameter SI.AngularVelocity w_nominal(min=Modelica.Constants.eps) "Speed of the largest torque";
    parameter SI.Temperature TRef(start=293.15) "Reference temperature";
    parameter SI.LinearTemperatureCoefficient alpha20(start=0)
      "Relative change of the resistance per kelvin, from 20 degrees Celsius";
    extends Modelica.Mechanics.Rotational.Interfaces.PartialTorque;
    extends Modelica.Thermal.HeatTransfer.Interfaces.PartialElementaryConditionalHeatPort;
    SI.Torque tau "Torque into the flange";
    SI.AngularVelocity w "Speed of the flange against the support";
    Real w_normalized "Speed over the present nominal speed";
    Modelica.Blocks.Interfaces.RealInput excitation=excitationInternal if useExcitationInput
      "Excitation over full excitation";
  protected
    Real excitationInternal;
  equation
    if not useExcitationInput then
      excitationInternal = constantExcitation;
    end if;
    tau = flange.tau;
    w = der(phi);
    w_normalized*w_nominal*(1 + alpha20/(1 + alpha20*(TRef - 293.15))*(TheatPort - TRef)) = w;
    tau = 2*tau_nominal*excitationInternal^2*w_normalized/(1 + w_normalized^2);
    lossPower = tau*w;
  end EddyCurrentTorque;

  model ConstantSpeed "Constant speed"
    extends Modelica.Mechanics.Rotational.Interfaces.PartialTorque;
    SI.AngularVelocity w "Speed of the flange against the support";
    parameter SI.AngularVelocity w_fixed "The constant speed";
  equation
    w = der(phi);
    w = w_fixed;
  end ConstantSpeed;

  model Position "Angle by signal, exact or filtered"
    extends Modelica.Mechanics.Rotational.Interfaces.PartialElementaryOneFlangeAndSupport2;
    parameter Boolean exact=false "Follow the signal exactly; it must be differentiable twice"
      annotation(Evaluate=true);
    parameter SI.Frequency f_crit=50 "Cut-off frequency of the filter";
    SI.Angle phi(stateSelect=if exact then StateSelect.default else StateSelect.prefer)
      "Angle of the flange against the support";
    SI.AngularVelocity w(
      start=0,
      stateSelect=if exact then StateSelect.default else StateSelect.prefer)
      "Speed of the filter; 0 if exact";
    SI.AngularAcceleration a(start=0) "Acceleration of the filter; 0 if exact";
    Modelica.Blocks.Interfaces.RealInput phi_ref(
      final quantity="Angle",
      final unit="rad",
      displayUnit="deg") "Wanted angle";
  protected
    parameter SI.AngularFrequency w_crit=2*Modelica.Constants.pi*f_crit;
    constant Real af=1.3617 "First coefficient of a second-order Bessel filter";
    constant Real bf=0.6180 "Second coefficient of a second-order Bessel filter";
  initial equation
    if not exact then
      phi = phi_ref;
    end if;
  equation
    phi = flange.phi - phi_support;
    if exact then
      phi = phi_ref;
      w = 0;
      a = 0;
    else
      w = der(phi);
      a = der(w);
      a = ((phi_ref - phi)*w_crit - af*w)*(w_crit/bf);
    end if;
  end Position;

  model Speed "Speed by signal, exact or filtered"
    extends Modelica.Mechanics.Rotational.Interfaces.PartialElementaryOneFlangeAndSupport2;
    parameter Boolean exact=false "Follow the signal exactly; it must be differentiable"
      annotation(Evaluate=true);
    parameter SI.Frequency f_crit=50 "Cut-off frequency of the filter";
    SI.Angle phi(start=0, fixed=true, stateSelect=StateSelect.prefer)
      "Angle of the flange against the support";
    SI.AngularVelocity w(stateSelect=if exact then StateSelect.default else StateSelect.prefer)
      "Speed of the flange against the support";
    SI.AngularAcceleration a "Acceleration of the filter; 0 if exact";
    Modelica.Blocks.Interfaces.RealInput w_ref(unit="rad/s") "Wanted speed";
  protected
    parameter SI.AngularFrequency w_crit=2*Modelica.Constants.pi*f_crit;
  initial equation
    if not exact then
      w = w_ref;
    end if;
  equation
    phi = flange.phi - phi_support;
    w = der(phi);
    if exact then
      w = w_ref;
      a = 0;
    else
      a = der(w);
      a = (w_ref - w)*w_crit;
    end if;
  end Speed;

  model Accelerate "Acceleration by signal"
    extends Modelica.Mechanics.Rotational.Interfaces.PartialElementaryOneFlangeAndSupport2;
    SI.Angle phi(start=0, fixed=true, stateSelect=StateSelect.prefer)
      "Angle of the flange against the support";
    SI.AngularVelocity w(start=0, fixed=true, stateSelect=StateSelect.prefer)
      "Speed of the flange against the support";
    SI.AngularAcceleration a "Acceleration of the flange against the support";
    Modelica.Blocks.Interfaces.RealInput a_ref(unit="rad/s2") "Wanted acceleration";
  equation
    phi = flange.phi - phi_support;
    w = der(phi);
    a = der(w);
    a = a_ref;
  end Accelerate;

  model Move "Angle, speed and acceleration by signals that belong together"
    extends Modelica.Mechanics.Rotational.Interfaces.PartialElementaryOneFlangeAndSupport2;
    SI.Angle phi "Angle of the flange against the support";
    Modelica.Blocks.Interfaces.RealInput u[3] "Angle, speed, acceleration";
  protected
    // The derivatives come from the signals, not from differentiating the first one.
    function position "Angle"
      extends Modelica.Icons.Function;
      input Real motion[3];
      input Real t "Time, so that the function has a time derivative";
      output Real q;
    algorithm
      q := motion[1];
      annotation(derivative(noDerivative=motion)=position_der, InlineAfterIndexReduction=true);
    end position;

    function position_der "Speed"
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
    phi = flange.phi - phi_support;
    phi = position(u, time);
  end Move;
end Sources;
