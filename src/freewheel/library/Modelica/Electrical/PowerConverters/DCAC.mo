within Modelica.Electrical.PowerConverters;
package DCAC "Inverters"
  extends Modelica.Icons.Package;

  model SinglePhase2Level "One leg: its pin is at the positive or the negative pin"
    parameter SI.Resistance RonTransistor(final min=0) = 1e-5 "Resistance of a closed transistor";
    parameter SI.Conductance GoffTransistor(final min=0) = 1e-5 "Conductance of an open transistor";
    parameter SI.Voltage VkneeTransistor(final min=0) = 0 "Threshold voltage of a transistor";
    parameter SI.Resistance RonDiode(final min=0) = 1e-5 "Resistance of a closed diode";
    parameter SI.Conductance GoffDiode(final min=0) = 1e-5 "Conductance of an open diode";
    parameter SI.Voltage VkneeDiode(final min=0) = 0 "Threshold voltage of a diode";
    extends Interfaces.DCAC.DCtwoPin;
    extends Interfaces.DCAC.ACpin;
    extends Modelica.Electrical.Analog.Interfaces.ConditionalHeatPort(final T=293.15);
    extends Interfaces.Enable.Enable2;
    Modelica.Electrical.Analog.Ideal.IdealGTOThyristor transistor_p(
      final Ron=RonTransistor,
      final Goff=GoffTransistor,
      final Vknee=VkneeTransistor,
      final useHeatPort=useHeatPort);
    Modelica.Electrical.Analog.Ideal.IdealDiode diode_p(
      final Ron=RonDiode,
      final Goff=GoffDiode,
      final Vknee=VkneeDiode,
      final useHeatPort=useHeatPort);
    Modelica.Electrical.Analog.Ideal.IdealGTOThyristor transistor_n(
      final Ron=RonTransistor,
      final Goff=GoffTransistor,
      final Vknee=VkneeTransistor,
      final useHeatPort=useHeatPort);
    Modelica.Electrical.Analog.Ideal.IdealDiode diode_n(
      final Ron=RonDiode,
      final Goff=GoffDiode,
      final Vknee=VkneeDiode,
      final useHeatPort=useHeatPort);
  equation
    if not useHeatPort then
      LossPower = transistor_p.LossPower + diode_p.LossPower
        + transistor_n.LossPower + diode_n.LossPower;
    end if;
    connect(transistor_p.heatPort, heatPort);
    connect(diode_p.heatPort, heatPort);
    connect(transistor_n.heatPort, heatPort);
    connect(diode_n.heatPort, heatPort);
    connect(dc_p, transistor_p.p);
    connect(dc_p, diode_p.n);
    connect(transistor_p.n, ac);
    connect(diode_p.p, ac);
    connect(ac, transistor_n.p);
    connect(ac, diode_n.n);
    connect(transistor_n.n, dc_n);
    connect(diode_n.p, dc_n);
    transistor_p.fire = on_p;
    transistor_n.fire = on_n;
  end SinglePhase2Level;

  model Polyphase2Level "A leg for each phase"
    parameter SI.Resistance RonTransistor(final min=0) = 1e-5 "Resistance of a closed transistor";
    parameter SI.Conductance GoffTransistor(final min=0) = 1e-5 "Conductance of an open transistor";
    parameter SI.Voltage VkneeTransistor(final min=0) = 0 "Threshold voltage of a transistor";
    parameter SI.Resistance RonDiode(final min=0) = 1e-5 "Resistance of a closed diode";
    parameter SI.Conductance GoffDiode(final min=0) = 1e-5 "Conductance of an open diode";
    parameter SI.Voltage VkneeDiode(final min=0) = 0 "Threshold voltage of a diode";
    extends Interfaces.DCAC.DCtwoPin;
    extends Interfaces.DCAC.ACplug;
    extends Modelica.Electrical.Analog.Interfaces.ConditionalHeatPort(final T=293.15);
    extends Interfaces.Enable.Enable2m;
    Modelica.Electrical.Polyphase.Ideal.IdealGTOThyristor transistor_p(
      final m=m,
      final Ron=fill(RonTransistor, m),
      final Goff=fill(GoffTransistor, m),
      final Vknee=fill(VkneeTransistor, m),
      final useHeatPort=useHeatPort);
    Modelica.Electrical.Polyphase.Ideal.IdealDiode diode_p(
      final m=m,
      final Ron=fill(RonDiode, m),
      final Goff=fill(GoffDiode, m),
      final Vknee=fill(VkneeDiode, m),
      final useHeatPort=useHeatPort);
    Modelica.Electrical.Polyphase.Ideal.IdealGTOThyristor transistor_n(
      final m=m,
      final Ron=fill(RonTransistor, m),
      final Goff=fill(GoffTransistor, m),
      final Vknee=fill(VkneeTransistor, m),
      final useHeatPort=useHeatPort);
    Modelica.Electrical.Polyphase.Ideal.IdealDiode diode_n(
      final m=m,
      final Ron=fill(RonDiode, m),
      final Goff=fill(GoffDiode, m),
      final Vknee=fill(VkneeDiode, m),
      final useHeatPort=useHeatPort);
    Modelica.Electrical.Polyphase.Basic.Star star_p(final m=m);
    Modelica.Electrical.Polyphase.Basic.Star star_n(final m=m);
  equation
    if not useHeatPort then
      LossPower = sum(transistor_p.idealGTOThyristor.LossPower) + sum(diode_p.idealDiode.LossPower)
        + sum(transistor_n.idealGTOThyristor.LossPower) + sum(diode_n.idealDiode.LossPower);
    end if;
    for k in 1:m loop
      connect(transistor_p.heatPort[k], heatPort);
      connect(diode_p.heatPort[k], heatPort);
      connect(transistor_n.heatPort[k], heatPort);
      connect(diode_n.heatPort[k], heatPort);
    end for;
    connect(dc_p, star_p.pin_n);
    connect(star_p.plug_p, transistor_p.plug_p);
    connect(star_p.plug_p, diode_p.plug_n);
    connect(transistor_p.plug_n, ac);
    connect(diode_p.plug_p, ac);
    connect(ac, transistor_n.plug_p);
    connect(ac, diode_n.plug_n);
    connect(transistor_n.plug_n, star_n.plug_p);
    connect(diode_n.plug_p, star_n.plug_p);
    connect(star_n.pin_n, dc_n);
    transistor_p.fire = on_p;
    transistor_n.fire = on_n;
  end Polyphase2Level;
end DCAC;
