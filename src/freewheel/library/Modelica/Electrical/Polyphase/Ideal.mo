within Modelica.Electrical.Polyphase;
package Ideal "Ideal diodes, thyristors, switches and transformers"
  extends Modelica.Icons.Package;

  model IdealDiode "A diode in each phase"
    extends Interfaces.TwoPlug;
    parameter SI.Resistance Ron[m](final min=zeros(m), start=fill(1e-5, m)) "Resistances of closed diodes";
    parameter SI.Conductance Goff[m](final min=zeros(m), start=fill(1e-5, m)) "Conductances of open diodes";
    parameter SI.Voltage Vknee[m](final min=zeros(m), start=zeros(m)) "Threshold voltages";
    extends Interfaces.ConditionalHeatPort(final mh=m, final T=fill(293.15, m));
    Modelica.Electrical.Analog.Ideal.IdealDiode idealDiode[m](
      final Ron=Ron,
      final Goff=Goff,
      final Vknee=Vknee,
      each final useHeatPort=useHeatPort);
  equation
    connect(plug_p.pin, idealDiode.p);
    connect(plug_n.pin, idealDiode.n);
    connect(idealDiode.heatPort, heatPort);
  end IdealDiode;

  model IdealThyristor "A thyristor in each phase"
    extends Interfaces.TwoPlug;
    parameter SI.Resistance Ron[m](final min=zeros(m), start=fill(1e-5, m)) "Resistances when closed";
    parameter SI.Conductance Goff[m](final min=zeros(m), start=fill(1e-5, m)) "Conductances when open";
    parameter SI.Voltage Vknee[m](final min=zeros(m), start=zeros(m)) "Threshold voltages";
    Boolean off[m]=idealThyristor.off "Blocking";
    extends Interfaces.ConditionalHeatPort(final mh=m, final T=fill(293.15, m));
    Modelica.Blocks.Interfaces.BooleanInput fire[m] "Fire";
    Modelica.Electrical.Analog.Ideal.IdealThyristor idealThyristor[m](
      final Ron=Ron,
      final Goff=Goff,
      final Vknee=Vknee,
      each final useHeatPort=useHeatPort);
  equation
    connect(plug_p.pin, idealThyristor.p);
    connect(plug_n.pin, idealThyristor.n);
    connect(fire, idealThyristor.fire);
    connect(idealThyristor.heatPort, heatPort);
  end IdealThyristor;

  model IdealGTOThyristor "A thyristor that its gate can switch off in each phase"
    extends Interfaces.TwoPlug;
    parameter SI.Resistance Ron[m](final min=zeros(m), start=fill(1e-5, m)) "Resistances when closed";
    parameter SI.Conductance Goff[m](final min=zeros(m), start=fill(1e-5, m)) "Conductances when open";
    parameter SI.Voltage Vknee[m](final min=zeros(m), start=zeros(m)) "Threshold voltages";
    extends Interfaces.ConditionalHeatPort(final mh=m, final T=fill(293.15, m));
    Modelica.Blocks.Interfaces.BooleanInput fire[m] "Fire";
    Modelica.Electrical.Analog.Ideal.IdealGTOThyristor idealGTOThyristor[m](
      final Ron=Ron,
      final Goff=Goff,
      final Vknee=Vknee,
      each final useHeatPort=useHeatPort);
  equation
    connect(plug_p.pin, idealGTOThyristor.p);
    connect(plug_n.pin, idealGTOThyristor.n);
    connect(fire, idealGTOThyristor.fire);
    connect(idealGTOThyristor.heatPort, heatPort);
  end IdealGTOThyristor;

  model IdealCommutingSwitch "A two way switch in each phase"
    parameter Integer m(final min=1) = 3 "Number of phases" annotation(Evaluate=true);
    parameter SI.Resistance Ron[m](final min=zeros(m), start=fill(1e-5, m)) "Resistances of closed switches";
    parameter SI.Conductance Goff[m](final min=zeros(m), start=fill(1e-5, m)) "Conductances of open switches";
    extends Interfaces.ConditionalHeatPort(final mh=m, final T=fill(293.15, m));
    Modelica.Blocks.Interfaces.BooleanInput control[m] "true: to plug_n2, false: to plug_n1";
    Interfaces.PositivePlug plug_p(final m=m);
    Interfaces.NegativePlug plug_n2(final m=m);
    Interfaces.NegativePlug plug_n1(final m=m);
    Modelica.Electrical.Analog.Ideal.IdealTwoWaySwitch idealCommutingSwitch[m](
      final Ron=Ron,
      final Goff=Goff,
      each final useHeatPort=useHeatPort);
  equation
    connect(plug_p.pin, idealCommutingSwitch.p);
    connect(plug_n2.pin, idealCommutingSwitch.n2);
    connect(plug_n1.pin, idealCommutingSwitch.n1);
    connect(control, idealCommutingSwitch.control);
    connect(idealCommutingSwitch.heatPort, heatPort);
  end IdealCommutingSwitch;

  model IdealIntermediateSwitch "A crosswise switch in each phase"
    parameter Integer m(final min=1) = 3 "Number of phases" annotation(Evaluate=true);
    parameter SI.Resistance Ron[m](final min=zeros(m), start=fill(1e-5, m)) "Resistances of closed switches";
    parameter SI.Conductance Goff[m](final min=zeros(m), start=fill(1e-5, m)) "Conductances of open switches";
    extends Interfaces.ConditionalHeatPort(final mh=m, final T=fill(293.15, m));
    Modelica.Blocks.Interfaces.BooleanInput control[m] "true: crosswise, false: straight";
    Interfaces.PositivePlug plug_p1(final m=m);
    Interfaces.PositivePlug plug_p2(final m=m);
    Interfaces.NegativePlug plug_n2(final m=m);
    Interfaces.NegativePlug plug_n1(final m=m);
    Modelica.Electrical.Analog.Ideal.IdealIntermediateSwitch idealIntermediateSwitch[m](
      final Ron=Ron,
      final Goff=Goff,
      each final useHeatPort=useHeatPort);
  equation
    connect(plug_p1.pin, idealIntermediateSwitch.p1);
    connect(plug_p2.pin, idealIntermediateSwitch.p2);
    connect(plug_n2.pin, idealIntermediateSwitch.n2);
    connect(plug_n1.pin, idealIntermediateSwitch.n1);
    connect(control, idealIntermediateSwitch.control);
    connect(idealIntermediateSwitch.heatPort, heatPort);
  end IdealIntermediateSwitch;

  model IdealTransformer "A transformer without losses in each phase"
    extends Interfaces.FourPlug;
    parameter Real n[m](start=fill(1, m)) "Primary over secondary turns";
    parameter Boolean considerMagnetization=false "With inductances of magnetisation";
    parameter SI.Inductance Lm1[m](start=fill(1, m)) "Inductances of magnetisation, seen from the first side";
    Modelica.Electrical.Analog.Ideal.IdealTransformer idealTransformer[m](
      final n=n,
      final Lm1=Lm1,
      each final considerMagnetization=considerMagnetization);
  equation
    connect(plug_p1.pin, idealTransformer.p1);
    connect(plug_n1.pin, idealTransformer.n1);
    connect(plug_p2.pin, idealTransformer.p2);
    connect(plug_n2.pin, idealTransformer.n2);
  end IdealTransformer;

  model Idle "A gap in each phase"
    extends Interfaces.TwoPlug;
    Modelica.Electrical.Analog.Ideal.Idle idle[m];
  equation
    connect(plug_p.pin, idle.p);
    connect(plug_n.pin, idle.n);
  end Idle;

  model Short "A wire in each phase"
    extends Interfaces.TwoPlug;
    Modelica.Electrical.Analog.Ideal.Short short[m];
  equation
    connect(plug_p.pin, short.p);
    connect(plug_n.pin, short.n);
  end Short;

  model IdealOpeningSwitch "A switch in each phase, open while control is true"
    extends Interfaces.TwoPlug;
    parameter SI.Resistance Ron[m](final min=zeros(m), start=fill(1e-5, m)) "Resistances of closed switches";
    parameter SI.Conductance Goff[m](final min=zeros(m), start=fill(1e-5, m)) "Conductances of open switches";
    extends Interfaces.ConditionalHeatPort(final mh=m, final T=fill(293.15, m));
    Modelica.Blocks.Interfaces.BooleanInput control[m] "true: open, false: closed";
    Modelica.Electrical.Analog.Ideal.IdealOpeningSwitch idealOpeningSwitch[m](
      final Ron=Ron,
      final Goff=Goff,
      each final useHeatPort=useHeatPort);
  equation
    connect(plug_p.pin, idealOpeningSwitch.p);
    connect(plug_n.pin, idealOpeningSwitch.n);
    connect(control, idealOpeningSwitch.control);
    connect(idealOpeningSwitch.heatPort, heatPort);
  end IdealOpeningSwitch;

  model IdealClosingSwitch "A switch in each phase, closed while control is true"
    extends Interfaces.TwoPlug;
    parameter SI.Resistance Ron[m](final min=zeros(m), start=fill(1e-5, m)) "Resistances of closed switches";
    parameter SI.Conductance Goff[m](final min=zeros(m), start=fill(1e-5, m)) "Conductances of open switches";
    extends Interfaces.ConditionalHeatPort(final mh=m, final T=fill(293.15, m));
    Modelica.Blocks.Interfaces.BooleanInput control[m] "true: closed, false: open";
    Modelica.Electrical.Analog.Ideal.IdealClosingSwitch idealClosingSwitch[m](
      final Ron=Ron,
      final Goff=Goff,
      each final useHeatPort=useHeatPort);
  equation
    connect(plug_p.pin, idealClosingSwitch.p);
    connect(plug_n.pin, idealClosingSwitch.n);
    connect(control, idealClosingSwitch.control);
    connect(idealClosingSwitch.heatPort, heatPort);
  end IdealClosingSwitch;

  model OpenerWithArc "A switch with arc in each phase, open while control is true"
    extends Interfaces.TwoPlug;
    parameter SI.Resistance Ron[m](final min=zeros(m), start=fill(1e-5, m)) "Resistances of closed switches";
    parameter SI.Conductance Goff[m](final min=zeros(m), start=fill(1e-5, m)) "Conductances of open switches";
    parameter SI.Voltage V0[m](start=fill(30, m)) "Arc voltages at the begin";
    parameter SI.VoltageSlope dVdt[m](start=fill(10e3, m)) "Slopes of the arc voltages";
    parameter SI.Voltage Vmax[m](start=fill(60, m)) "Largest arc voltages";
    extends Interfaces.ConditionalHeatPort(final mh=m, final T=fill(293.15, m));
    Modelica.Blocks.Interfaces.BooleanInput control[m] "true: open, false: closed";
    Modelica.Electrical.Analog.Ideal.OpenerWithArc openerWithArc[m](
      final Ron=Ron,
      final Goff=Goff,
      final V0=V0,
      final dVdt=dVdt,
      final Vmax=Vmax,
      each final useHeatPort=useHeatPort);
  equation
    connect(plug_p.pin, openerWithArc.p);
    connect(plug_n.pin, openerWithArc.n);
    connect(control, openerWithArc.control);
    connect(openerWithArc.heatPort, heatPort);
  end OpenerWithArc;

  model CloserWithArc "A switch with arc in each phase, closed while control is true"
    extends Interfaces.TwoPlug;
    parameter SI.Resistance Ron[m](final min=zeros(m), start=fill(1e-5, m)) "Resistances of closed switches";
    parameter SI.Conductance Goff[m](final min=zeros(m), start=fill(1e-5, m)) "Conductances of open switches";
    parameter SI.Voltage V0[m](start=fill(30, m)) "Arc voltages at the begin";
    parameter SI.VoltageSlope dVdt[m](start=fill(10e3, m)) "Slopes of the arc voltages";
    parameter SI.Voltage Vmax[m](start=fill(60, m)) "Largest arc voltages";
    extends Interfaces.ConditionalHeatPort(final mh=m, final T=fill(293.15, m));
    Modelica.Blocks.Interfaces.BooleanInput control[m] "true: closed, false: open";
    Modelica.Electrical.Analog.Ideal.CloserWithArc closerWithArc[m](
      final Ron=Ron,
      final Goff=Goff,
      final V0=V0,
      final dVdt=dVdt,
      final Vmax=Vmax,
      each final useHeatPort=useHeatPort);
  equation
    connect(plug_p.pin, closerWithArc.p);
    connect(plug_n.pin, closerWithArc.n);
    connect(control, closerWithArc.control);
    connect(closerWithArc.heatPort, heatPort);
  end CloserWithArc;
end Ideal;
