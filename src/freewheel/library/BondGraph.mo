package BondGraph "Elements and junctions of bond graphs"
  extends Modelica.Icons.Package;

  // A bond is a connection: both ends have one effort, and what flows out of one end flows into the
  // other. Junctions take bonds whose half arrow points to them at i, and those whose half arrow points
  // away at o. Passive elements count power in, sources count it out. Any domain fits: effort times
  // flow should be a power.

  connector Port "Place where power passes"
    Real e "Effort";
    flow Real f "Flow into the component";
  end Port;

  partial model OnePort "One port, power counts in"
    Port p;
    Real e "Effort";
    Real f "Flow into the element";
  equation
    e = p.e;
    f = p.f;
  end OnePort;

  partial model Source "One port, power counts out"
    Port p;
    Real e "Effort";
    Real f "Flow out of the element";
  equation
    e = p.e;
    f = -p.f;
  end Source;

  partial model TwoPort "Power comes in at i and goes out at o"
    Port i;
    Port o;
    Real e1 "Effort at i";
    Real f1 "Flow in at i";
    Real e2 "Effort at o";
    Real f2 "Flow out at o";
  equation
    e1 = i.e;
    f1 = i.f;
    e2 = o.e;
    f2 = -o.f;
  end TwoPort;

  model Bond "Half arrow from i to o, to look at what passes"
    Port i;
    Port o;
    Real e "Effort";
    Real f "Flow from i to o";
    Real power "Power from i to o";
  equation
    e = i.e;
    o.e = e;
    f = i.f;
    o.f = -f;
    power = e*f;
  end Bond;

  model Junction0 "One effort; flows in add up to flows out"
    parameter Integer ni(min=0)=1 "Bonds towards the junction";
    parameter Integer no(min=0)=1 "Bonds away from the junction";
    Port i[ni];
    Port o[no];
    Real e "Common effort";
  equation
    for k in 1:ni loop
      i[k].e = e;
    end for;
    for k in 1:no loop
      o[k].e = e;
    end for;
    sum(i.f) + sum(o.f) = 0;
  end Junction0;

  model Junction1 "One flow; efforts in add up to efforts out"
    parameter Integer ni(min=0)=1 "Bonds towards the junction";
    parameter Integer no(min=0)=1 "Bonds away from the junction";
    Port i[ni];
    Port o[no];
    Real f "Common flow";
  equation
    for k in 1:ni loop
      i[k].f = f;
    end for;
    for k in 1:no loop
      o[k].f = -f;
    end for;
    sum(i.e) = sum(o.e);
  end Junction1;

  model R "Dissipates power"
    extends OnePort;
    parameter Real R(start=1) "Effort over flow";
  equation
    e = R*f;
  end R;

  model C "Stores displacement: capacitor, spring, tank"
    extends OnePort(e(start=0));
    parameter Real C(start=1) "Displacement over effort";
  equation
    f = C*der(e);
  end C;

  model I "Stores momentum: inductor, mass"
    extends OnePort(f(start=0));
    parameter Real I(start=1) "Momentum over flow";
  equation
    e = I*der(f);
  end I;

  model Se "Gives an effort"
    extends Source;
    parameter Real e0=1 "Effort, if it is constant";
    Real effort=e0 "Effort; modify it to let it change with time";
  equation
    e = effort;
  end Se;

  model Sf "Gives a flow"
    extends Source;
    parameter Real f0=1 "Flow, if it is constant";
    Real flowRate=f0 "Flow; modify it to let it change with time";
  equation
    f = flowRate;
  end Sf;

  model TF "Transformer"
    extends TwoPort;
    parameter Real n(start=1) "e1 over e2, that is f2 over f1";
  equation
    e1 = n*e2;
    f2 = n*f1;
  end TF;

  model GY "Gyrator"
    extends TwoPort;
    parameter Real r(start=1) "e1 over f2, that is e2 over f1";
  equation
    e1 = r*f2;
    e2 = r*f1;
  end GY;

  model mSe "Effort by signal"
    extends Source;
    Modelica.Blocks.Interfaces.RealInput u "Effort";
  equation
    e = u;
  end mSe;

  model mSf "Flow by signal"
    extends Source;
    Modelica.Blocks.Interfaces.RealInput u "Flow";
  equation
    f = u;
  end mSf;

  model mR "Resistance by signal"
    extends OnePort;
    Modelica.Blocks.Interfaces.RealInput R "Effort over flow";
  equation
    e = R*f;
  end mR;

  model mTF "Transformer with a modulus by signal"
    extends TwoPort;
    Modelica.Blocks.Interfaces.RealInput n "e1 over e2";
  equation
    e1 = n*e2;
    f2 = n*f1;
  end mTF;

  model mGY "Gyrator with a modulus by signal"
    extends TwoPort;
    Modelica.Blocks.Interfaces.RealInput r "e1 over f2";
  equation
    e1 = r*f2;
    e2 = r*f1;
  end mGY;

  model D "Lets flow pass one way: diode, check valve, freewheel"
    extends OnePort;
    parameter Real Ron(min=0)=0 "Resistance while it is open to the flow";
    parameter Real Goff(min=0)=0 "Leak while it blocks";
    parameter Real e0(min=0)=0 "Effort from which on it lets pass";
    Boolean off(start=true) "It blocks";
  protected
    Real s(start=0) "Curve parameter: the effort beyond e0 while it blocks, else the flow";
  equation
    off = s < 0;
    e = e0 + s*(if off then 1 else Ron);
    f = Goff*e0 + s*(if off then Goff else 1);
  end D;

  model Sw "Switch: no flow while it is open, no effort while it is closed"
    extends OnePort;
    parameter Real Ron(min=0)=0 "Resistance while it is closed";
    parameter Real Goff(min=0)=0 "Leak while it is open";
    Modelica.Blocks.Interfaces.BooleanInput open "No flow passes";
  protected
    Real s "Curve parameter: the effort while it is open, else the flow";
  equation
    e = s*(if open then 1 else Ron);
    f = s*(if open then Goff else 1);
  end Sw;

  package Examples "Models drawn as bond graphs"
    extends Modelica.Icons.ExamplesPackage;

    model Circuit "The circuit of Fig. 8 of Wainer and D'Abreu, as its bond graph (Fig. 17)"
      Modelica.Blocks.Sources.Pulse pulse(amplitude=200, width=10, period=1);
      mSe source;
      R resistor(R=1.5);
      C capacitor(C=200, e(fixed=true));
      I inductor(I=40, f(fixed=true));
      Junction1 series(ni=1, no=2);
      Junction0 parallel(ni=1, no=2);
    equation
      connect(pulse.y, source.u);
      connect(source.p, series.i[1]);
      connect(series.o[1], resistor.p);
      connect(series.o[2], parallel.i[1]);
      connect(parallel.o[1], capacitor.p);
      connect(parallel.o[2], inductor.p);
      annotation(experiment(StopTime=10, Interval=0.01, Tolerance=1e-8));
    end Circuit;

    model Motor "A direct-current motor turns a load: two domains, one gyrator"
      Se supply(e0=24) "Volt";
      R winding(R=0.5) "Ohm";
      I coil(I=1e-3, f(fixed=true)) "Henry";
      GY motor(r=0.05) "Newton metre per ampere";
      I rotor(I=2e-4, f(fixed=true)) "Kilogram square metre";
      R bearing(R=1e-4) "Newton metre second";
      Junction1 circuit(ni=1, no=3);
      Junction1 shaft(ni=1, no=2);
      Bond toShaft "Shows the torque and the speed";
    equation
      connect(supply.p, circuit.i[1]);
      connect(circuit.o[1], winding.p);
      connect(circuit.o[2], coil.p);
      connect(circuit.o[3], motor.i);
      connect(motor.o, toShaft.i);
      connect(toShaft.o, shaft.i[1]);
      connect(shaft.o[1], rotor.p);
      connect(shaft.o[2], bearing.p);
      annotation(experiment(StopTime=0.5, Interval=5e-4, Tolerance=1e-8));
    end Motor;

    model Tanks "Two tanks and a pipe with a check valve: water comes back no more"
      C upper(C=0.2, e(start=2e4, fixed=true)) "Volume over pressure";
      C lower(C=0.5, e(start=0, fixed=true));
      R pipe(R=1e3);
      D valve;
      Junction1 line(ni=1, no=3);
    equation
      connect(upper.p, line.i[1]);
      connect(line.o[1], pipe.p);
      connect(line.o[2], valve.p);
      connect(line.o[3], lower.p);
      annotation(experiment(StopTime=1000, Interval=1, Tolerance=1e-8));
    end Tanks;

    model Crank "A wheel drives a damped mass on a spring through a crank: the modulus follows the angle"
      parameter Real radius=0.1 "Of the crank";
      Sf wheel(f0=2) "Speed of the wheel";
      mTF crank;
      R guide(R=5);
      C spring(C=1/200, e(fixed=true));
      Junction1 rod(ni=1, no=2);
      Real angle(start=0, fixed=true) "Of the wheel";
    equation
      der(angle) = wheel.f;
      crank.n = -radius*sin(angle);
      connect(wheel.p, crank.i);
      connect(crank.o, rod.i[1]);
      connect(rod.o[1], guide.p);
      connect(rod.o[2], spring.p);
      annotation(experiment(StopTime=10, Interval=0.01, Tolerance=1e-8));
    end Crank;

    model Chopper "A switch feeds a coil, a diode takes over its current"
      parameter Modelica.Units.SI.Time period=1e-3 "Of the switch";
      Modelica.Blocks.Sources.BooleanPulse gate(width=40, period=period);
      Modelica.Blocks.Logical.Not opens;
      Se supply(e0=24);
      Sw switch;
      D diode;
      I coil(I=1e-3, f(fixed=true));
      R load(R=2);
      Junction1 feed(ni=1, no=2);
      Junction0 knot(ni=1, no=2);
      Junction1 turned(ni=2, no=0) "Both half arrows point here: the diode sees minus the effort";
      Junction1 series(ni=1, no=2);
    equation
      connect(gate.y, opens.u);
      connect(opens.y, switch.open);
      connect(supply.p, feed.i[1]);
      connect(feed.o[1], switch.p);
      connect(feed.o[2], knot.i[1]);
      connect(knot.o[1], turned.i[1]);
      connect(diode.p, turned.i[2]);
      connect(knot.o[2], series.i[1]);
      connect(series.o[1], coil.p);
      connect(series.o[2], load.p);
      annotation(experiment(StopTime=0.01, Interval=1e-5, Tolerance=1e-7));
    end Chopper;
  end Examples;
  annotation(version="1.0.0");
end BondGraph;
