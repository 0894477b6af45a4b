within Modelica.Electrical.Polyphase;
package Basic "Star, delta and linear elements"
  extends Modelica.Icons.Package;

  model Star "All pins of a plug at one pin"
    parameter Integer m(final min=1) = 3 "Number of phases" annotation(Evaluate=true);
    Interfaces.PositivePlug plug_p(final m=m);
    Modelica.Electrical.Analog.Interfaces.NegativePin pin_n "Star point";
  equation
    for k in 1:m loop
      connect(plug_p.pin[k], pin_n);
    end for;
  end Star;

  model Delta "The end of each phase at the begin of the next one"
    parameter Integer m(final min=2) = 3 "Number of phases" annotation(Evaluate=true);
    Interfaces.PositivePlug plug_p(final m=m) "Begins of the phases";
    Interfaces.NegativePlug plug_n(final m=m) "Ends of the phases";
  equation
    for k in 1:m loop
      connect(plug_n.pin[k], plug_p.pin[mod(k, m) + 1]);
    end for;
  end Delta;

  model MultiStar "A star point for each symmetric base system"
    parameter Integer m(final min=1) = 3 "Number of phases" annotation(Evaluate=true);
    final parameter Integer mSystems=Functions.numberOfSymmetricBaseSystems(m)
      "Number of base systems";
    final parameter Integer mBasic=div(m, mSystems) "Phases of a base system";
    Interfaces.PositivePlug plug_p(final m=m);
    Interfaces.NegativePlug starpoints(final m=mSystems) "Star points";
  equation
    for k in 1:m loop
      connect(plug_p.pin[k], starpoints.pin[div(k - 1, mBasic) + 1]);
    end for;
  end MultiStar;

  model MultiDelta "A polygon for each symmetric base system"
    parameter Integer m(final min=2) = 3 "Number of phases" annotation(Evaluate=true);
    parameter Integer kPolygon(final min=1) = 1 "Phases from the end of one to the begin of the next";
    final parameter Integer mSystems=Functions.numberOfSymmetricBaseSystems(m)
      "Number of base systems";
    final parameter Integer mBasic=div(m, mSystems) "Phases of a base system";
    Interfaces.PositivePlug plug_p(final m=m) "Begins of the phases";
    Interfaces.NegativePlug plug_n(final m=m) "Ends of the phases";
  protected
    parameter Integer kP=if mBasic <= 2 or kPolygon < 1 or kPolygon > div(mBasic - 1, 2) then 1
      else kPolygon annotation(Evaluate=true);
  equation
    for s in 0:mSystems - 1 loop
      for k in 0:mBasic - 1 loop
        connect(plug_n.pin[s*mBasic + k + 1], plug_p.pin[s*mBasic + mod(k + kP, mBasic) + 1]);
      end for;
    end for;
  end MultiDelta;

  model MultiStarResistance "Star points of the base systems joined by resistors"
    parameter Integer m(final min=2) = 3 "Number of phases" annotation(Evaluate=true);
    final parameter Integer mBasic=Functions.numberOfSymmetricBaseSystems(m)
      "Number of base systems";
    parameter SI.Resistance R=1e6 "Resistance between a star point and the pin";
    Interfaces.PositivePlug plug(m=m);
    Modelica.Electrical.Analog.Interfaces.NegativePin pin;
    MultiStar multiStar(m=m);
    Resistor resistor(m=mBasic, R=fill(R, mBasic));
    Star star(m=mBasic);
  equation
    connect(plug, multiStar.plug_p);
    connect(multiStar.starpoints, resistor.plug_p);
    connect(resistor.plug_n, star.plug_p);
    connect(star.pin_n, pin);
  end MultiStarResistance;

  model SplitToSubsystems "A plug for each symmetric base system"
    parameter Integer m(min=1) = 3 "Number of phases" annotation(Evaluate=true);
    final parameter Integer mSystems=Functions.numberOfSymmetricBaseSystems(m)
      "Number of base systems";
    final parameter Integer mBasic=div(m, mSystems) "Phases of a base system";
    Interfaces.PositivePlug plug_p(final m=m);
    Interfaces.NegativePlug plugs_n[mSystems](each final m=mBasic) "Plugs of the base systems";
  equation
    for k in 1:m loop
      connect(plug_p.pin[k], plugs_n[div(k - 1, mBasic) + 1].pin[mod(k - 1, mBasic) + 1]);
    end for;
  end SplitToSubsystems;

  model PlugToPin_p "One phase of a plug"
    parameter Integer m(final min=1) = 3 "Number of phases" annotation(Evaluate=true);
    parameter Integer k(final min=1, final max=m, start=1) "Which phase" annotation(Evaluate=true);
    Interfaces.PositivePlug plug_p(final m=m);
    Modelica.Electrical.Analog.Interfaces.PositivePin pin_p;
  equation
    pin_p.v = plug_p.pin[k].v;
    for j in 1:m loop
      plug_p.pin[j].i = if j == k then -pin_p.i else 0;
    end for;
  end PlugToPin_p;

  model PlugToPin_n "One phase of a plug"
    parameter Integer m(final min=1) = 3 "Number of phases" annotation(Evaluate=true);
    parameter Integer k(final min=1, final max=m, start=1) "Which phase" annotation(Evaluate=true);
    Interfaces.NegativePlug plug_n(final m=m);
    Modelica.Electrical.Analog.Interfaces.NegativePin pin_n;
  equation
    pin_n.v = plug_n.pin[k].v;
    for j in 1:m loop
      plug_n.pin[j].i = if j == k then -pin_n.i else 0;
    end for;
  end PlugToPin_n;

  model PlugToPins_p "All phases of a plug"
    parameter Integer m(final min=1) = 3 "Number of phases" annotation(Evaluate=true);
    Interfaces.PositivePlug plug_p(final m=m);
    Modelica.Electrical.Analog.Interfaces.PositivePin pin_p[m];
  equation
    plug_p.pin.v = pin_p.v;
    plug_p.pin.i + pin_p.i = zeros(m);
  end PlugToPins_p;

  model PlugToPins_n "All phases of a plug"
    parameter Integer m(final min=1) = 3 "Number of phases" annotation(Evaluate=true);
    Interfaces.NegativePlug plug_n(final m=m);
    Modelica.Electrical.Analog.Interfaces.NegativePin pin_n[m];
  equation
    plug_n.pin.v = pin_n.v;
    plug_n.pin.i + pin_n.i = zeros(m);
  end PlugToPins_n;

  model Resistor "A resistor in each phase"
    extends Interfaces.TwoPlug;
    parameter SI.Resistance R[m](start=fill(1, m)) "Resistances at the reference temperatures";
    parameter SI.Temperature T_ref[m]=fill(300.15, m) "Reference temperatures";
    parameter SI.LinearTemperatureCoefficient alpha[m]=zeros(m) "Temperature coefficients";
    extends Interfaces.ConditionalHeatPort(final mh=m, T=T_ref);
    Modelica.Electrical.Analog.Basic.Resistor resistor[m](
      final R=R,
      final T_ref=T_ref,
      final alpha=alpha,
      each final useHeatPort=useHeatPort,
      final T=T);
  equation
    connect(plug_p.pin, resistor.p);
    connect(plug_n.pin, resistor.n);
    connect(resistor.heatPort, heatPort);
  end Resistor;

  model Conductor "A conductor in each phase"
    extends Interfaces.TwoPlug;
    parameter SI.Conductance G[m](start=fill(1, m)) "Conductances at the reference temperatures";
    parameter SI.Temperature T_ref[m]=fill(300.15, m) "Reference temperatures";
    parameter SI.LinearTemperatureCoefficient alpha[m]=zeros(m) "Temperature coefficients";
    extends Interfaces.ConditionalHeatPort(final mh=m, T=T_ref);
    Modelica.Electrical.Analog.Basic.Conductor conductor[m](
      final G=G,
      final T_ref=T_ref,
      final alpha=alpha,
      each final useHeatPort=useHeatPort,
      final T=T);
  equation
    connect(plug_p.pin, conductor.p);
    connect(plug_n.pin, conductor.n);
    connect(conductor.heatPort, heatPort);
  end Conductor;

  model Capacitor "A capacitor in each phase"
    extends Interfaces.TwoPlug;
    parameter SI.Capacitance C[m](start=fill(1, m)) "Capacitances";
    Modelica.Electrical.Analog.Basic.Capacitor capacitor[m](final C=C);
  equation
    connect(plug_p.pin, capacitor.p);
    connect(plug_n.pin, capacitor.n);
  end Capacitor;

  model Inductor "An inductor in each phase"
    extends Interfaces.TwoPlug;
    parameter SI.Inductance L[m](start=fill(1, m)) "Inductances";
    Modelica.Electrical.Analog.Basic.Inductor inductor[m](final L=L);
  equation
    connect(plug_p.pin, inductor.p);
    connect(plug_n.pin, inductor.n);
  end Inductor;

  model SaturatingInductor "A saturating inductor in each phase"
    extends Interfaces.TwoPlug;
    parameter SI.Current Inom[m](start=fill(1, m)) "Nominal currents";
    parameter SI.Inductance Lnom[m](start=fill(1, m)) "Inductances at nominal currents";
    parameter SI.Inductance Lzer[m](start=2*Lnom) "Inductances at small currents";
    parameter SI.Inductance Linf[m](start=Lnom/2) "Inductances at large currents";
    Modelica.Electrical.Analog.Basic.SaturatingInductor saturatingInductor[m](
      final Inom=Inom,
      final Lnom=Lnom,
      final Lzer=Lzer,
      final Linf=Linf);
  equation
    connect(plug_p.pin, saturatingInductor.p);
    connect(plug_n.pin, saturatingInductor.n);
  end SaturatingInductor;

  model MutualInductor "Coupled inductors"
    extends Interfaces.OnePort;
    parameter Real epsilon=1e-9 "Relative tolerance of the symmetry";
    parameter SI.Inductance L[m, m] "Inductances";
  equation
    assert(sum(abs(L - transpose(L))) < epsilon*sum(abs(L)), "the matrix L is not symmetric");
    v = L*der(i);
  end MutualInductor;

  model ZeroInductor "Inductor for what the currents have in common"
    extends Interfaces.OnePort;
    parameter SI.Inductance Lzero "Inductance";
    SI.Current i0=sum(i)/m "Mean of the currents";
    SI.Voltage v0=Lzero*der(i0) "Voltage of each phase";
  equation
    v = fill(v0, m);
  end ZeroInductor;

  model Transformer "Two coupled inductors in each phase"
    extends Interfaces.FourPlug;
    parameter SI.Inductance L1[m](start=fill(1, m)) "Primary inductances";
    parameter SI.Inductance L2[m](start=fill(1, m)) "Secondary inductances";
    parameter SI.Inductance M[m](start=fill(1, m)) "Mutual inductances";
    Modelica.Electrical.Analog.Basic.Transformer transformer[m](
      final L1=L1,
      final L2=L2,
      final M=M);
  equation
    connect(plug_p1.pin, transformer.p1);
    connect(plug_n1.pin, transformer.n1);
    connect(plug_p2.pin, transformer.p2);
    connect(plug_n2.pin, transformer.n2);
  end Transformer;

  model VariableResistor "Resistances by signal"
    extends Interfaces.TwoPlug;
    parameter SI.Temperature T_ref[m]=fill(300.15, m) "Reference temperatures";
    parameter SI.LinearTemperatureCoefficient alpha[m]=zeros(m) "Temperature coefficients";
    extends Interfaces.ConditionalHeatPort(final mh=m, T=T_ref);
    Modelica.Blocks.Interfaces.RealInput R[m](each unit="Ohm") "Resistances";
    Modelica.Electrical.Analog.Basic.VariableResistor variableResistor[m](
      final T_ref=T_ref,
      final alpha=alpha,
      each final useHeatPort=useHeatPort,
      final T=T);
  equation
    connect(plug_p.pin, variableResistor.p);
    connect(plug_n.pin, variableResistor.n);
    connect(R, variableResistor.R);
    connect(variableResistor.heatPort, heatPort);
  end VariableResistor;

  model VariableConductor "Conductances by signal"
    extends Interfaces.TwoPlug;
    parameter SI.Temperature T_ref[m]=fill(300.15, m) "Reference temperatures";
    parameter SI.LinearTemperatureCoefficient alpha[m]=zeros(m) "Temperature coefficients";
    extends Interfaces.ConditionalHeatPort(final mh=m, T=T_ref);
    Modelica.Blocks.Interfaces.RealInput G[m](each unit="S") "Conductances";
    Modelica.Electrical.Analog.Basic.VariableConductor variableConductor[m](
      final T_ref=T_ref,
      final alpha=alpha,
      each final useHeatPort=useHeatPort,
      final T=T);
  equation
    connect(plug_p.pin, variableConductor.p);
    connect(plug_n.pin, variableConductor.n);
    connect(G, variableConductor.G);
    connect(variableConductor.heatPort, heatPort);
  end VariableConductor;

  model VariableCapacitor "Capacitances by signal"
    extends Interfaces.TwoPlug;
    parameter SI.Capacitance Cmin[m]=fill(Modelica.Constants.eps, m) "Lower limits";
    Modelica.Blocks.Interfaces.RealInput C[m](each unit="F") "Capacitances";
    Modelica.Electrical.Analog.Basic.VariableCapacitor variableCapacitor[m](final Cmin=Cmin);
  equation
    connect(plug_p.pin, variableCapacitor.p);
    connect(plug_n.pin, variableCapacitor.n);
    connect(C, variableCapacitor.C);
  end VariableCapacitor;

  model VariableInductor "Inductances by signal"
    extends Interfaces.TwoPlug;
    parameter SI.Inductance Lmin[m]=fill(Modelica.Constants.eps, m) "Lower limits";
    Modelica.Blocks.Interfaces.RealInput L[m](each unit="H") "Inductances";
    Modelica.Electrical.Analog.Basic.VariableInductor variableInductor[m](final Lmin=Lmin);
  equation
    connect(plug_p.pin, variableInductor.p);
    connect(plug_n.pin, variableInductor.n);
    connect(L, variableInductor.L);
  end VariableInductor;
end Basic;
