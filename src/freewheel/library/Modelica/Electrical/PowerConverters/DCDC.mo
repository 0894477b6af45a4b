within Modelica.Electrical.PowerConverters;
package DCDC "Choppers"
  extends Modelica.Icons.Package;

  model ChopperStepDown "Chopper that lowers the voltage"
    parameter SI.Resistance RonTransistor(final min=0) = 1e-5 "Resistance of a closed transistor";
    parameter SI.Conductance GoffTransistor(final min=0) = 1e-5 "Conductance of an open transistor";
    parameter SI.Voltage VkneeTransistor(final min=0) = 0 "Threshold voltage of a transistor";
    parameter SI.Resistance RonDiode(final min=0) = 1e-5 "Resistance of a closed diode";
    parameter SI.Conductance GoffDiode(final min=0) = 1e-5 "Conductance of an open diode";
    parameter SI.Voltage VkneeDiode(final min=0) = 0 "Threshold voltage of a diode";
    extends Interfaces.DCDC.DCtwoPin1;
    extends Interfaces.DCDC.DCtwoPin2;
    extends Modelica.Electrical.Analog.Interfaces.ConditionalHeatPort(final T=293.15);
    extends Interfaces.Enable.Enable1;
    Modelica.Electrical.Analog.Ideal.IdealGTOThyristor transistor(
      final Ron=RonTransistor,
      final Goff=GoffTransistor,
      final Vknee=VkneeTransistor,
      final useHeatPort=useHeatPort);
    Modelica.Electrical.Analog.Ideal.IdealDiode diode(
      final Ron=RonDiode,
      final Goff=GoffDiode,
      final Vknee=VkneeDiode,
      final useHeatPort=useHeatPort);
  equation
    if not useHeatPort then
      LossPower = transistor.LossPower + diode.LossPower;
    end if;
    connect(transistor.heatPort, heatPort);
    connect(diode.heatPort, heatPort);
    connect(dc_p1, transistor.p);
    connect(transistor.n, dc_p2);
    connect(diode.n, dc_p2);
    connect(diode.p, dc_n1);
    connect(dc_n1, dc_n2);
    transistor.fire = on_p;
  end ChopperStepDown;

  model ChopperStepUp "Chopper that raises the voltage, behind an inductor"
    parameter SI.Resistance RonTransistor(final min=0) = 1e-5 "Resistance of a closed transistor";
    parameter SI.Conductance GoffTransistor(final min=0) = 1e-5 "Conductance of an open transistor";
    parameter SI.Voltage VkneeTransistor(final min=0) = 0 "Threshold voltage of a transistor";
    parameter SI.Resistance RonDiode(final min=0) = 1e-5 "Resistance of a closed diode";
    parameter SI.Conductance GoffDiode(final min=0) = 1e-5 "Conductance of an open diode";
    parameter SI.Voltage VkneeDiode(final min=0) = 0 "Threshold voltage of a diode";
    extends Interfaces.DCDC.DCtwoPin1;
    extends Interfaces.DCDC.DCtwoPin2;
    extends Modelica.Electrical.Analog.Interfaces.ConditionalHeatPort(final T=293.15);
    extends Interfaces.Enable.Enable1;
    Modelica.Electrical.Analog.Ideal.IdealGTOThyristor transistor(
      final Ron=RonTransistor,
      final Goff=GoffTransistor,
      final Vknee=VkneeTransistor,
      final useHeatPort=useHeatPort);
    Modelica.Electrical.Analog.Ideal.IdealDiode diode(
      final Ron=RonDiode,
      final Goff=GoffDiode,
      final Vknee=VkneeDiode,
      final useHeatPort=useHeatPort);
  equation
    if not useHeatPort then
      LossPower = transistor.LossPower + diode.LossPower;
    end if;
    connect(transistor.heatPort, heatPort);
    connect(diode.heatPort, heatPort);
    connect(dc_p1, transistor.p);
    connect(transistor.n, dc_n1);
    connect(dc_p1, diode.p);
    connect(diode.n, dc_p2);
    connect(dc_n1, dc_n2);
    transistor.fire = on_p;
  end ChopperStepUp;

  model ChopperBuckBoost "Chopper for both directions of power; fire_p closes the low side"
    parameter SI.Resistance RonTransistor(final min=0) = 1e-5 "Resistance of a closed transistor";
    parameter SI.Conductance GoffTransistor(final min=0) = 1e-5 "Conductance of an open transistor";
    parameter SI.Voltage VkneeTransistor(final min=0) = 0 "Threshold voltage of a transistor";
    parameter SI.Resistance RonDiode(final min=0) = 1e-5 "Resistance of a closed diode";
    parameter SI.Conductance GoffDiode(final min=0) = 1e-5 "Conductance of an open diode";
    parameter SI.Voltage VkneeDiode(final min=0) = 0 "Threshold voltage of a diode";
    extends Interfaces.DCDC.DCtwoPin1;
    extends Interfaces.DCDC.DCtwoPin2;
    extends Modelica.Electrical.Analog.Interfaces.ConditionalHeatPort(final T=293.15);
    extends Interfaces.Enable.Enable2;
    Modelica.Electrical.Analog.Ideal.IdealGTOThyristor transistorLS(
      final Ron=RonTransistor,
      final Goff=GoffTransistor,
      final Vknee=VkneeTransistor,
      final useHeatPort=useHeatPort);
    Modelica.Electrical.Analog.Ideal.IdealDiode diodeLS(
      final Ron=RonDiode,
      final Goff=GoffDiode,
      final Vknee=VkneeDiode,
      final useHeatPort=useHeatPort);
    Modelica.Electrical.Analog.Ideal.IdealGTOThyristor transistorHS(
      final Ron=RonTransistor,
      final Goff=GoffTransistor,
      final Vknee=VkneeTransistor,
      final useHeatPort=useHeatPort);
    Modelica.Electrical.Analog.Ideal.IdealDiode diodeHS(
      final Ron=RonDiode,
      final Goff=GoffDiode,
      final Vknee=VkneeDiode,
      final useHeatPort=useHeatPort);
  equation
    if not useHeatPort then
      LossPower = transistorLS.LossPower + diodeLS.LossPower
        + transistorHS.LossPower + diodeHS.LossPower;
    end if;
    connect(transistorLS.heatPort, heatPort);
    connect(diodeLS.heatPort, heatPort);
    connect(transistorHS.heatPort, heatPort);
    connect(diodeHS.heatPort, heatPort);
    connect(dc_p1, transistorLS.p);
    connect(dc_p1, diodeLS.n);
    connect(transistorLS.n, dc_n1);
    connect(diodeLS.p, dc_n1);
    connect(dc_p1, transistorHS.n);
    connect(dc_p1, diodeHS.p);
    connect(transistorHS.p, dc_p2);
    connect(diodeHS.n, dc_p2);
    connect(dc_n1, dc_n2);
    transistorLS.fire = on_p;
    transistorHS.fire = on_n;
  end ChopperBuckBoost;

  model HBridge "Four quadrants: two legs, each with one fire signal"
    parameter SI.Resistance RonTransistor(final min=0) = 1e-5 "Resistance of a closed transistor";
    parameter SI.Conductance GoffTransistor(final min=0) = 1e-5 "Conductance of an open transistor";
    parameter SI.Voltage VkneeTransistor(final min=0) = 0 "Threshold voltage of a transistor";
    parameter SI.Resistance RonDiode(final min=0) = 1e-5 "Resistance of a closed diode";
    parameter SI.Conductance GoffDiode(final min=0) = 1e-5 "Conductance of an open diode";
    parameter SI.Voltage VkneeDiode(final min=0) = 0 "Threshold voltage of a diode";
    extends Interfaces.DCDC.DCtwoPin1;
    extends Interfaces.DCDC.DCtwoPin2;
    extends Modelica.Electrical.Analog.Interfaces.ConditionalHeatPort(final T=293.15);
    extends Interfaces.Enable.Enable2;
    DCAC.SinglePhase2Level inverter_p(
      final RonTransistor=RonTransistor,
      final GoffTransistor=GoffTransistor,
      final VkneeTransistor=VkneeTransistor,
      final RonDiode=RonDiode,
      final GoffDiode=GoffDiode,
      final VkneeDiode=VkneeDiode,
      final useHeatPort=useHeatPort);
    DCAC.SinglePhase2Level inverter_n(
      final RonTransistor=RonTransistor,
      final GoffTransistor=GoffTransistor,
      final VkneeTransistor=VkneeTransistor,
      final RonDiode=RonDiode,
      final GoffDiode=GoffDiode,
      final VkneeDiode=VkneeDiode,
      final useHeatPort=useHeatPort);
  equation
    if not useHeatPort then
      LossPower = inverter_p.LossPower + inverter_n.LossPower;
    end if;
    connect(inverter_p.heatPort, heatPort);
    connect(inverter_n.heatPort, heatPort);
    connect(dc_p1, inverter_p.dc_p);
    connect(dc_p1, inverter_n.dc_p);
    connect(dc_n1, inverter_p.dc_n);
    connect(dc_n1, inverter_n.dc_n);
    connect(inverter_p.ac, dc_p2);
    connect(inverter_n.ac, dc_n2);
    inverter_p.fire_p = on_p;
    inverter_p.fire_n = not on_p;
    inverter_n.fire_p = on_n;
    inverter_n.fire_n = not on_n;
  end HBridge;

  package Control "Fire signals of choppers"
    extends Modelica.Icons.Package;

    block SignalPWM "Pulses of a width given once per period"
      import Modelica.Electrical.PowerConverters.Types.SingleReferenceType;
      parameter Boolean useConstantDutyCycle=true "Use constantDutyCycle, not the input"
        annotation(Evaluate=true);
      parameter Real constantDutyCycle=0 "Duty cycle without input";
      parameter SI.Frequency f=1000 "Frequency of the pulses";
      parameter SingleReferenceType refType=SingleReferenceType.Sawtooth
        "Signal that the duty cycle is compared with" annotation(Evaluate=true);
      parameter Boolean commonComparison=true
        "notFire is the opposite of fire; otherwise 1 - duty cycle is compared for it"
        annotation(Evaluate=true);
      parameter SI.Time startTime=0 "Begin of the first period";
      Modelica.Blocks.Interfaces.RealInput dutyCycle if not useConstantDutyCycle "Duty cycle";
      Modelica.Blocks.Interfaces.BooleanOutput fire "Pulses";
      Modelica.Blocks.Interfaces.BooleanOutput notFire "Pulses in between";
      Modelica.Blocks.Nonlinear.Limiter limiter(uMax=1, uMin=0);
      Modelica.Blocks.Discrete.ZeroOrderHold zeroOrderHold(
        final startTime=startTime, final samplePeriod=1/f);
      Modelica.Blocks.Sources.SawTooth sawtooth(final period=1/f, final startTime=startTime)
        if refType == SingleReferenceType.Sawtooth;
      Modelica.Blocks.Sources.Trapezoid triangle(
        rising=0.5/f, width=0, falling=0.5/f, final period=1/f, final startTime=startTime)
        if refType == SingleReferenceType.Triangle;
    protected
      Modelica.Blocks.Interfaces.RealInput reference "Signal to compare with";
    equation
      connect(dutyCycle, limiter.u);
      if useConstantDutyCycle then
        limiter.u = constantDutyCycle;
      end if;
      connect(limiter.y, zeroOrderHold.u);
      connect(sawtooth.y, reference);
      connect(triangle.y, reference);
      fire = zeroOrderHold.y > reference;
      if commonComparison then
        notFire = not fire;
      else
        notFire = 1 - zeroOrderHold.y > reference;
      end if;
    end SignalPWM;

    block Voltage2DutyCycle "Duty cycle for a wanted voltage"
      parameter Boolean reciprocal=false "For a chopper that raises the voltage"
        annotation(Evaluate=true);
      parameter Boolean useBipolarVoltage=true "The voltage may be negative" annotation(Evaluate=true);
      parameter Boolean useConstantVoltageLimit=true "Use VLim, not the input"
        annotation(Evaluate=true);
      parameter SI.Voltage VLim(final min=Modelica.Constants.small) "Supply without input";
      Modelica.Blocks.Interfaces.RealInput v(unit="V") "Wanted voltage";
      Modelica.Blocks.Interfaces.RealOutput dutyCycle "Duty cycle";
      Modelica.Blocks.Interfaces.RealInput vLim(unit="V") if not useConstantVoltageLimit "Supply";
    protected
      Modelica.Blocks.Interfaces.RealInput supply(unit="V") "Supply";
    equation
      connect(vLim, supply);
      if useConstantVoltageLimit then
        supply = VLim;
      end if;
      if reciprocal then
        dutyCycle = 1 - supply/max(v, supply);
      elseif useBipolarVoltage then
        dutyCycle = (max(min(v/supply, 1), -1) + 1)/2;
      else
        dutyCycle = max(min(v/supply, 1), 0);
      end if;
    end Voltage2DutyCycle;
  end Control;
end DCDC;
