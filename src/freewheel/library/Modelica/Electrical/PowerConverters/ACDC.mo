within Modelica.Electrical.PowerConverters;
package ACDC "Rectifiers"
  extends Modelica.Icons.Package;

  model DiodeBridge2Pulse "Bridge of one phase: diodes"
    parameter SI.Resistance RonDiode(final min=0) = 1e-5 "Resistance of a closed diode";
    parameter SI.Conductance GoffDiode(final min=0) = 1e-5 "Conductance of an open diode";
    parameter SI.Voltage VkneeDiode(final min=0) = 0 "Threshold voltage of a diode";
    extends Interfaces.ACDC.ACtwoPin;
    extends Interfaces.ACDC.DCtwoPin;
    extends Modelica.Electrical.Analog.Interfaces.ConditionalHeatPort(final T=293.15);
    Modelica.Electrical.Analog.Ideal.IdealDiode diode_p1(
      final Ron=RonDiode,
      final Goff=GoffDiode,
      final Vknee=VkneeDiode,
      final useHeatPort=useHeatPort);
    Modelica.Electrical.Analog.Ideal.IdealDiode diode_p2(
      final Ron=RonDiode,
      final Goff=GoffDiode,
      final Vknee=VkneeDiode,
      final useHeatPort=useHeatPort);
    Modelica.Electrical.Analog.Ideal.IdealDiode diode_n1(
      final Ron=RonDiode,
      final Goff=GoffDiode,
      final Vknee=VkneeDiode,
      final useHeatPort=useHeatPort);
    Modelica.Electrical.Analog.Ideal.IdealDiode diode_n2(
      final Ron=RonDiode,
      final Goff=GoffDiode,
      final Vknee=VkneeDiode,
      final useHeatPort=useHeatPort);
  equation
    if not useHeatPort then
      LossPower = diode_p1.LossPower + diode_p2.LossPower + diode_n1.LossPower + diode_n2.LossPower;
    end if;
    connect(diode_p1.heatPort, heatPort);
    connect(diode_p2.heatPort, heatPort);
    connect(diode_n1.heatPort, heatPort);
    connect(diode_n2.heatPort, heatPort);
    connect(ac_p, diode_p1.p);
    connect(ac_p, diode_n1.n);
    connect(ac_n, diode_p2.p);
    connect(ac_n, diode_n2.n);
    connect(diode_p1.n, dc_p);
    connect(diode_p2.n, dc_p);
    connect(diode_n1.p, dc_n);
    connect(diode_n2.p, dc_n);
  end DiodeBridge2Pulse;

  model DiodeBridge2mPulse "Bridge of m phases: diodes"
    parameter SI.Resistance RonDiode(final min=0) = 1e-5 "Resistance of a closed diode";
    parameter SI.Conductance GoffDiode(final min=0) = 1e-5 "Conductance of an open diode";
    parameter SI.Voltage VkneeDiode(final min=0) = 0 "Threshold voltage of a diode";
    extends Interfaces.ACDC.ACplug;
    extends Interfaces.ACDC.DCtwoPin;
    extends Modelica.Electrical.Analog.Interfaces.ConditionalHeatPort(final T=293.15);
    Modelica.Electrical.Polyphase.Ideal.IdealDiode diode_p(
      final m=m,
      final Ron=fill(RonDiode, m),
      final Goff=fill(GoffDiode, m),
      final Vknee=fill(VkneeDiode, m),
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
      LossPower = sum(diode_p.idealDiode.LossPower) + sum(diode_n.idealDiode.LossPower);
    end if;
    for k in 1:m loop
      connect(diode_p.heatPort[k], heatPort);
      connect(diode_n.heatPort[k], heatPort);
    end for;
    connect(ac, diode_p.plug_p);
    connect(ac, diode_n.plug_n);
    connect(diode_p.plug_n, star_p.plug_p);
    connect(diode_n.plug_p, star_n.plug_p);
    connect(star_p.pin_n, dc_p);
    connect(star_n.pin_n, dc_n);
  end DiodeBridge2mPulse;

  model ThyristorBridge2Pulse "Bridge of one phase: thyristors"
    parameter SI.Resistance RonThyristor(final min=0) = 1e-5 "Resistance of a closed thyristor";
    parameter SI.Conductance GoffThyristor(final min=0) = 1e-5 "Conductance of an open thyristor";
    parameter SI.Voltage VkneeThyristor(final min=0) = 0 "Threshold voltage of a thyristor";
    parameter Boolean offStart_p1=true "Start value of thyristor_p1.off";
    parameter Boolean offStart_p2=true "Start value of thyristor_p2.off";
    parameter Boolean offStart_n1=true "Start value of thyristor_n1.off";
    parameter Boolean offStart_n2=true "Start value of thyristor_n2.off";
    extends Interfaces.ACDC.ACtwoPin;
    extends Interfaces.ACDC.DCtwoPin;
    extends Modelica.Electrical.Analog.Interfaces.ConditionalHeatPort(final T=293.15);
    extends Interfaces.Enable.Enable2;
    Modelica.Electrical.Analog.Ideal.IdealThyristor thyristor_p1(
      final Ron=RonThyristor,
      final Goff=GoffThyristor,
      final Vknee=VkneeThyristor,
      final useHeatPort=useHeatPort,
      final off(start=offStart_p1, fixed=true));
    Modelica.Electrical.Analog.Ideal.IdealThyristor thyristor_p2(
      final Ron=RonThyristor,
      final Goff=GoffThyristor,
      final Vknee=VkneeThyristor,
      final useHeatPort=useHeatPort,
      final off(start=offStart_p2, fixed=true));
    Modelica.Electrical.Analog.Ideal.IdealThyristor thyristor_n1(
      final Ron=RonThyristor,
      final Goff=GoffThyristor,
      final Vknee=VkneeThyristor,
      final useHeatPort=useHeatPort,
      final off(start=offStart_n1, fixed=true));
    Modelica.Electrical.Analog.Ideal.IdealThyristor thyristor_n2(
      final Ron=RonThyristor,
      final Goff=GoffThyristor,
      final Vknee=VkneeThyristor,
      final useHeatPort=useHeatPort,
      final off(start=offStart_n2, fixed=true));
  equation
    if not useHeatPort then
      LossPower = thyristor_p1.LossPower + thyristor_p2.LossPower
        + thyristor_n1.LossPower + thyristor_n2.LossPower;
    end if;
    connect(thyristor_p1.heatPort, heatPort);
    connect(thyristor_p2.heatPort, heatPort);
    connect(thyristor_n1.heatPort, heatPort);
    connect(thyristor_n2.heatPort, heatPort);
    connect(ac_p, thyristor_p1.p);
    connect(ac_p, thyristor_n1.n);
    connect(ac_n, thyristor_p2.p);
    connect(ac_n, thyristor_n2.n);
    connect(thyristor_p1.n, dc_p);
    connect(thyristor_p2.n, dc_p);
    connect(thyristor_n1.p, dc_n);
    connect(thyristor_n2.p, dc_n);
    thyristor_p1.fire = on_p;
    thyristor_p2.fire = on_n;
    thyristor_n2.fire = on_p;
    thyristor_n1.fire = on_n;
  end ThyristorBridge2Pulse;

  model ThyristorBridge2mPulse "Bridge of m phases: thyristors"
    parameter SI.Resistance RonThyristor(final min=0) = 1e-5 "Resistance of a closed thyristor";
    parameter SI.Conductance GoffThyristor(final min=0) = 1e-5 "Conductance of an open thyristor";
    parameter SI.Voltage VkneeThyristor(final min=0) = 0 "Threshold voltage of a thyristor";
    parameter Boolean offStart_p[m]=fill(true, m) "Start value of thyristor_p.off";
    parameter Boolean offStart_n[m]=fill(true, m) "Start value of thyristor_n.off";
    extends Interfaces.ACDC.ACplug;
    extends Interfaces.ACDC.DCtwoPin;
    extends Modelica.Electrical.Analog.Interfaces.ConditionalHeatPort(final T=293.15);
    extends Interfaces.Enable.Enable2m;
    Modelica.Electrical.Polyphase.Ideal.IdealThyristor thyristor_p(
      final m=m,
      final Ron=fill(RonThyristor, m),
      final Goff=fill(GoffThyristor, m),
      final Vknee=fill(VkneeThyristor, m),
      final useHeatPort=useHeatPort,
      final idealThyristor(off(start=offStart_p, each fixed=true)));
    Modelica.Electrical.Polyphase.Ideal.IdealThyristor thyristor_n(
      final m=m,
      final Ron=fill(RonThyristor, m),
      final Goff=fill(GoffThyristor, m),
      final Vknee=fill(VkneeThyristor, m),
      final useHeatPort=useHeatPort,
      final idealThyristor(off(start=offStart_n, each fixed=true)));
    Modelica.Electrical.Polyphase.Basic.Star star_p(final m=m);
    Modelica.Electrical.Polyphase.Basic.Star star_n(final m=m);
  equation
    if not useHeatPort then
      LossPower = sum(thyristor_p.idealThyristor.LossPower) + sum(thyristor_n.idealThyristor.LossPower);
    end if;
    for k in 1:m loop
      connect(thyristor_p.heatPort[k], heatPort);
      connect(thyristor_n.heatPort[k], heatPort);
    end for;
    connect(ac, thyristor_p.plug_p);
    connect(ac, thyristor_n.plug_n);
    connect(thyristor_p.plug_n, star_p.plug_p);
    connect(thyristor_n.plug_p, star_n.plug_p);
    connect(star_p.pin_n, dc_p);
    connect(star_n.pin_n, dc_n);
    thyristor_p.fire = pre(on_p);
    thyristor_n.fire = pre(on_n);
  end ThyristorBridge2mPulse;

  model HalfControlledBridge2Pulse "Bridge of one phase: thyristors above and diodes below"
    parameter SI.Resistance RonDiode(final min=0) = 1e-5 "Resistance of a closed diode";
    parameter SI.Conductance GoffDiode(final min=0) = 1e-5 "Conductance of an open diode";
    parameter SI.Voltage VkneeDiode(final min=0) = 0 "Threshold voltage of a diode";
    parameter SI.Resistance RonThyristor(final min=0) = 1e-5 "Resistance of a closed thyristor";
    parameter SI.Conductance GoffThyristor(final min=0) = 1e-5 "Conductance of an open thyristor";
    parameter SI.Voltage VkneeThyristor(final min=0) = 0 "Threshold voltage of a thyristor";
    parameter Boolean offStart_p1=true "Start value of thyristor_p1.off";
    parameter Boolean offStart_p2=true "Start value of thyristor_p2.off";
    extends Interfaces.ACDC.ACtwoPin;
    extends Interfaces.ACDC.DCtwoPin;
    extends Modelica.Electrical.Analog.Interfaces.ConditionalHeatPort(final T=293.15);
    extends Interfaces.Enable.Enable2;
    Modelica.Electrical.Analog.Ideal.IdealThyristor thyristor_p1(
      final Ron=RonThyristor,
      final Goff=GoffThyristor,
      final Vknee=VkneeThyristor,
      final useHeatPort=useHeatPort,
      final off(start=offStart_p1, fixed=true));
    Modelica.Electrical.Analog.Ideal.IdealThyristor thyristor_p2(
      final Ron=RonThyristor,
      final Goff=GoffThyristor,
      final Vknee=VkneeThyristor,
      final useHeatPort=useHeatPort,
      final off(start=offStart_p2, fixed=true));
    Modelica.Electrical.Analog.Ideal.IdealDiode diode_n1(
      final Ron=RonDiode,
      final Goff=GoffDiode,
      final Vknee=VkneeDiode,
      final useHeatPort=useHeatPort);
    Modelica.Electrical.Analog.Ideal.IdealDiode diode_n2(
      final Ron=RonDiode,
      final Goff=GoffDiode,
      final Vknee=VkneeDiode,
      final useHeatPort=useHeatPort);
  equation
    if not useHeatPort then
      LossPower = thyristor_p1.LossPower + thyristor_p2.LossPower
        + diode_n1.LossPower + diode_n2.LossPower;
    end if;
    connect(thyristor_p1.heatPort, heatPort);
    connect(thyristor_p2.heatPort, heatPort);
    connect(diode_n1.heatPort, heatPort);
    connect(diode_n2.heatPort, heatPort);
    connect(ac_p, thyristor_p1.p);
    connect(ac_p, diode_n1.n);
    connect(ac_n, thyristor_p2.p);
    connect(ac_n, diode_n2.n);
    connect(thyristor_p1.n, dc_p);
    connect(thyristor_p2.n, dc_p);
    connect(diode_n1.p, dc_n);
    connect(diode_n2.p, dc_n);
    thyristor_p1.fire = on_p;
    thyristor_p2.fire = on_n;
  end HalfControlledBridge2Pulse;

  model HalfControlledBridge2mPulse "Bridge of m phases: thyristors above and diodes below"
    parameter SI.Resistance RonDiode(final min=0) = 1e-5 "Resistance of a closed diode";
    parameter SI.Conductance GoffDiode(final min=0) = 1e-5 "Conductance of an open diode";
    parameter SI.Voltage VkneeDiode(final min=0) = 0 "Threshold voltage of a diode";
    parameter SI.Resistance RonThyristor(final min=0) = 1e-5 "Resistance of a closed thyristor";
    parameter SI.Conductance GoffThyristor(final min=0) = 1e-5 "Conductance of an open thyristor";
    parameter SI.Voltage VkneeThyristor(final min=0) = 0 "Threshold voltage of a thyristor";
    parameter Boolean offStart_p[m]=fill(true, m) "Start value of thyristor_p.off";
    extends Interfaces.ACDC.ACplug;
    extends Interfaces.ACDC.DCtwoPin;
    extends Modelica.Electrical.Analog.Interfaces.ConditionalHeatPort(final T=293.15);
    extends Interfaces.Enable.Enable1m;
    Modelica.Electrical.Polyphase.Ideal.IdealThyristor thyristor_p(
      final m=m,
      final Ron=fill(RonThyristor, m),
      final Goff=fill(GoffThyristor, m),
      final Vknee=fill(VkneeThyristor, m),
      final useHeatPort=useHeatPort,
      final idealThyristor(off(start=offStart_p, each fixed=true)));
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
      LossPower = sum(thyristor_p.idealThyristor.LossPower) + sum(diode_n.idealDiode.LossPower);
    end if;
    for k in 1:m loop
      connect(thyristor_p.heatPort[k], heatPort);
      connect(diode_n.heatPort[k], heatPort);
    end for;
    connect(ac, thyristor_p.plug_p);
    connect(ac, diode_n.plug_n);
    connect(thyristor_p.plug_n, star_p.plug_p);
    connect(diode_n.plug_p, star_n.plug_p);
    connect(star_p.pin_n, dc_p);
    connect(star_n.pin_n, dc_n);
    thyristor_p.fire = pre(on_p);
  end HalfControlledBridge2mPulse;

  model DiodeCenterTap2Pulse "Both ends of a winding with center tap"
    parameter SI.Resistance RonDiode(final min=0) = 1e-5 "Resistance of a closed diode";
    parameter SI.Conductance GoffDiode(final min=0) = 1e-5 "Conductance of an open diode";
    parameter SI.Voltage VkneeDiode(final min=0) = 0 "Threshold voltage of a diode";
    extends Interfaces.ACDC.ACtwoPin;
    extends Interfaces.ACDC.DCpin;
    extends Modelica.Electrical.Analog.Interfaces.ConditionalHeatPort(final T=293.15);
    Modelica.Electrical.Analog.Ideal.IdealDiode diode_p(
      final Ron=RonDiode,
      final Goff=GoffDiode,
      final Vknee=VkneeDiode,
      final useHeatPort=useHeatPort);
    Modelica.Electrical.Analog.Ideal.IdealDiode diode_n(
      final Ron=RonDiode,
      final Goff=GoffDiode,
      final Vknee=VkneeDiode,
      final useHeatPort=useHeatPort);
  equation
    if not useHeatPort then
      LossPower = diode_p.LossPower + diode_n.LossPower;
    end if;
    connect(diode_p.heatPort, heatPort);
    connect(diode_n.heatPort, heatPort);
    connect(ac_p, diode_p.p);
    connect(ac_n, diode_n.p);
    connect(diode_p.n, dc_p);
    connect(diode_n.n, dc_p);
  end DiodeCenterTap2Pulse;

  model DiodeCenterTapmPulse "A star of an odd number of phases"
    parameter SI.Resistance RonDiode(final min=0) = 1e-5 "Resistance of a closed diode";
    parameter SI.Conductance GoffDiode(final min=0) = 1e-5 "Conductance of an open diode";
    parameter SI.Voltage VkneeDiode(final min=0) = 0 "Threshold voltage of a diode";
    extends Interfaces.ACDC.ACplug;
    extends Interfaces.ACDC.DCpin;
    extends Modelica.Electrical.Analog.Interfaces.ConditionalHeatPort(final T=293.15);
    Modelica.Electrical.Polyphase.Ideal.IdealDiode diode(
      final m=m,
      final Ron=fill(RonDiode, m),
      final Goff=fill(GoffDiode, m),
      final Vknee=fill(VkneeDiode, m),
      final useHeatPort=useHeatPort);
    Modelica.Electrical.Polyphase.Basic.Star star(final m=m);
  equation
    if not useHeatPort then
      LossPower = sum(diode.idealDiode.LossPower);
    end if;
    for k in 1:m loop
      connect(diode.heatPort[k], heatPort);
    end for;
    assert(mod(m, 2) == 1, "the number of phases must be odd");
    connect(ac, diode.plug_p);
    connect(diode.plug_n, star.plug_p);
    connect(star.pin_n, dc_p);
  end DiodeCenterTapmPulse;

  model DiodeCenterTap2mPulse "Both ends of m windings with center taps"
    parameter SI.Resistance RonDiode(final min=0) = 1e-5 "Resistance of a closed diode";
    parameter SI.Conductance GoffDiode(final min=0) = 1e-5 "Conductance of an open diode";
    parameter SI.Voltage VkneeDiode(final min=0) = 0 "Threshold voltage of a diode";
    extends Interfaces.ACDC.ACtwoPlug;
    extends Interfaces.ACDC.DCpin;
    extends Modelica.Electrical.Analog.Interfaces.ConditionalHeatPort(final T=293.15);
    Modelica.Electrical.Polyphase.Ideal.IdealDiode diode_p(
      final m=m,
      final Ron=fill(RonDiode, m),
      final Goff=fill(GoffDiode, m),
      final Vknee=fill(VkneeDiode, m),
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
      LossPower = sum(diode_p.idealDiode.LossPower) + sum(diode_n.idealDiode.LossPower);
    end if;
    for k in 1:m loop
      connect(diode_p.heatPort[k], heatPort);
      connect(diode_n.heatPort[k], heatPort);
    end for;
    connect(ac_p, diode_p.plug_p);
    connect(ac_n, diode_n.plug_p);
    connect(diode_p.plug_n, star_p.plug_p);
    connect(diode_n.plug_n, star_n.plug_p);
    connect(star_p.pin_n, dc_p);
    connect(star_n.pin_n, dc_p);
  end DiodeCenterTap2mPulse;

  model ThyristorCenterTap2Pulse "Both ends of a winding with center tap"
    parameter SI.Resistance RonThyristor(final min=0) = 1e-5 "Resistance of a closed thyristor";
    parameter SI.Conductance GoffThyristor(final min=0) = 1e-5 "Conductance of an open thyristor";
    parameter SI.Voltage VkneeThyristor(final min=0) = 0 "Threshold voltage of a thyristor";
    parameter Boolean offStart_p=true "Start value of thyristor_p.off";
    parameter Boolean offStart_n=true "Start value of thyristor_n.off";
    extends Interfaces.ACDC.ACtwoPin;
    extends Interfaces.ACDC.DCpin;
    extends Modelica.Electrical.Analog.Interfaces.ConditionalHeatPort(final T=293.15);
    extends Interfaces.Enable.Enable2;
    Modelica.Electrical.Analog.Ideal.IdealThyristor thyristor_p(
      final Ron=RonThyristor,
      final Goff=GoffThyristor,
      final Vknee=VkneeThyristor,
      final useHeatPort=useHeatPort,
      final off(start=offStart_p, fixed=true));
    Modelica.Electrical.Analog.Ideal.IdealThyristor thyristor_n(
      final Ron=RonThyristor,
      final Goff=GoffThyristor,
      final Vknee=VkneeThyristor,
      final useHeatPort=useHeatPort,
      final off(start=offStart_n, fixed=true));
  equation
    if not useHeatPort then
      LossPower = thyristor_p.LossPower + thyristor_n.LossPower;
    end if;
    connect(thyristor_p.heatPort, heatPort);
    connect(thyristor_n.heatPort, heatPort);
    connect(ac_p, thyristor_p.p);
    connect(ac_n, thyristor_n.p);
    connect(thyristor_p.n, dc_p);
    connect(thyristor_n.n, dc_p);
    thyristor_p.fire = on_p;
    thyristor_n.fire = on_n;
  end ThyristorCenterTap2Pulse;

  model ThyristorCenterTapmPulse "A star of an odd number of phases"
    parameter SI.Resistance RonThyristor(final min=0) = 1e-5 "Resistance of a closed thyristor";
    parameter SI.Conductance GoffThyristor(final min=0) = 1e-5 "Conductance of an open thyristor";
    parameter SI.Voltage VkneeThyristor(final min=0) = 0 "Threshold voltage of a thyristor";
    parameter Boolean offStart[m]=fill(true, m) "Start value of thyristor.off";
    extends Interfaces.ACDC.ACplug;
    extends Interfaces.ACDC.DCpin;
    extends Modelica.Electrical.Analog.Interfaces.ConditionalHeatPort(final T=293.15);
    extends Interfaces.Enable.Enable1m;
    Modelica.Electrical.Polyphase.Ideal.IdealThyristor thyristor(
      final m=m,
      final Ron=fill(RonThyristor, m),
      final Goff=fill(GoffThyristor, m),
      final Vknee=fill(VkneeThyristor, m),
      final useHeatPort=useHeatPort,
      final idealThyristor(off(start=offStart, each fixed=true)));
    Modelica.Electrical.Polyphase.Basic.Star star(final m=m);
  equation
    if not useHeatPort then
      LossPower = sum(thyristor.idealThyristor.LossPower);
    end if;
    for k in 1:m loop
      connect(thyristor.heatPort[k], heatPort);
    end for;
    assert(mod(m, 2) == 1, "the number of phases must be odd");
    connect(ac, thyristor.plug_p);
    connect(thyristor.plug_n, star.plug_p);
    connect(star.pin_n, dc_p);
    thyristor.fire = on_p;
  end ThyristorCenterTapmPulse;

  model ThyristorCenterTap2mPulse "Both ends of m windings with center taps"
    parameter SI.Resistance RonThyristor(final min=0) = 1e-5 "Resistance of a closed thyristor";
    parameter SI.Conductance GoffThyristor(final min=0) = 1e-5 "Conductance of an open thyristor";
    parameter SI.Voltage VkneeThyristor(final min=0) = 0 "Threshold voltage of a thyristor";
    parameter Boolean offStart_p[m]=fill(true, m) "Start value of thyristor_p.off";
    parameter Boolean offStart_n[m]=fill(true, m) "Start value of thyristor_n.off";
    extends Interfaces.ACDC.ACtwoPlug;
    extends Interfaces.ACDC.DCpin;
    extends Modelica.Electrical.Analog.Interfaces.ConditionalHeatPort(final T=293.15);
    extends Interfaces.Enable.Enable2m;
    Modelica.Electrical.Polyphase.Ideal.IdealThyristor thyristor_p(
      final m=m,
      final Ron=fill(RonThyristor, m),
      final Goff=fill(GoffThyristor, m),
      final Vknee=fill(VkneeThyristor, m),
      final useHeatPort=useHeatPort,
      final idealThyristor(off(start=offStart_p, each fixed=true)));
    Modelica.Electrical.Polyphase.Ideal.IdealThyristor thyristor_n(
      final m=m,
      final Ron=fill(RonThyristor, m),
      final Goff=fill(GoffThyristor, m),
      final Vknee=fill(VkneeThyristor, m),
      final useHeatPort=useHeatPort,
      final idealThyristor(off(start=offStart_n, each fixed=true)));
    Modelica.Electrical.Polyphase.Basic.Star star_p(final m=m);
    Modelica.Electrical.Polyphase.Basic.Star star_n(final m=m);
  equation
    if not useHeatPort then
      LossPower = sum(thyristor_p.idealThyristor.LossPower) + sum(thyristor_n.idealThyristor.LossPower);
    end if;
    for k in 1:m loop
      connect(thyristor_p.heatPort[k], heatPort);
      connect(thyristor_n.heatPort[k], heatPort);
    end for;
    connect(ac_p, thyristor_p.plug_p);
    connect(ac_n, thyristor_n.plug_p);
    connect(thyristor_p.plug_n, star_p.plug_p);
    connect(thyristor_n.plug_n, star_n.plug_p);
    connect(star_p.pin_n, dc_p);
    connect(star_n.pin_n, dc_p);
    thyristor_p.fire = on_p;
    thyristor_n.fire = on_n;
  end ThyristorCenterTap2mPulse;
end ACDC;
